"""Write SVG: elements, escaped text, and colours by their tokens."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drawing.palette import STYLE, TOKENS, tones
from drawing.text import width_of
from engine.core.text import STEERING, visible
from engine.kit.scene.planes import Tile

FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
Number = float | int
Attribute = str | float | int | None

_UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""
_NOT_AS_IT_IS = re.compile(f'[&<>"\n\r{STEERING}]|{_UNPRINTABLE.pattern}')


def escape_xml(text: str) -> str:
    """Escape `text` for XML, including attributes."""
    if _NOT_AS_IT_IS.search(text) is None:
        return text
    text = _UNPRINTABLE.sub("\ufffd", visible(text))
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\n", " "), ("\r", " ")):
        text = text.replace(char, entity)
    return text


@functools.lru_cache(maxsize=8192)
def number(value: Number) -> str:
    """Return a coordinate, rounded to a tenth of a unit."""
    return f"{round(value, 1) + 0:g}"  # + 0 turns -0 into 0


class Pen:
    """Draws SVG as text.

    `fill` and `stroke` are tokens of the palette. Normally, tokens become CSS variables, and the style sheet gives each
    a light and a dark colour. In a plain picture, the light colours replace the tokens.
    """

    def __init__(self, *, plain: bool) -> None:
        self.plain = plain
        self._tones: dict[str, str] = {}
        self._written: list[str] = []

    def start(self, width: Number, height: Number, title: str, description: str) -> None:
        """Open the picture."""
        box = f"0 0 {number(width)} {number(height)}"
        label = escape_xml(f"{title}. {description}")
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{number(width)}"'
        self._written.append(
            f'{head} height="{number(height)}" class="dl-board" role="img" aria-label="{label}" font-family="{FONT}">'
            f"<title>{escape_xml(title)}</title><desc>{escape_xml(description)}</desc>"
        )
        if not self.plain:
            self._written.append(f"<style>{STYLE}</style>")

    def metadata(self, told: dict[str, Any]) -> None:
        """Embed data for the scripts of pages in the picture, as JSON."""
        self._written.append(f"<metadata>{escape_xml(json.dumps(told, ensure_ascii=False))}</metadata>")

    def finish(self) -> bytes:
        """Close the picture and return its bytes."""
        self._written.append("</svg>\n")
        return self.markup().encode()

    def sheet(self) -> Pen:
        """Return a pen for a separate drawing, which `put` inserts into the picture."""
        return Pen(plain=self.plain)

    @contextmanager
    def use_tones(self, tile: Tile, /, **attributes: Attribute) -> Iterator[None]:
        """In a `with` block, set the colours of a tile's drawing.

        Refer to them by the tones "a" to "e", "m" and "w".
        """
        self._tones = tones(tile.family, tile.metal, is_flooded=tile.is_flooded)
        palette = "flooded" if tile.is_flooded else tile.family
        metal = "" if tile.is_flooded or tile.metal == "wood" else f" dl-m-{tile.metal}"
        with self.group(class_=None if self.plain else f"dl-{palette}{metal}", **attributes):
            yield

    def put(self, sheet: Pen) -> None:
        """Insert the drawing of `sheet`."""
        self._written.extend(sheet._written)

    def markup(self) -> str:
        """Return everything drawn so far."""
        return "".join(self._written)

    def insert(self, picture: str) -> None:
        """Insert the output of another pen, or a whole picture with its own `x`, `y`, `width` and `height`."""
        self._written.append(picture)

    @contextmanager
    def picture(self, name: str, size: Number) -> Iterator[None]:
        """Draw a named square picture inside this one."""
        box = f"0 0 {number(size)} {number(size)}"
        self._written.append(f'<svg class="dl-board" data-picture="{escape_xml(name)}" viewBox="{box}">')
        yield
        self._written.append("</svg>")

    @contextmanager
    def group(self, title: str = "", /, **attributes: Attribute) -> Iterator[None]:
        """Draw a group; `title` describes it."""
        self._written.append(f"<g{self._attributes(attributes)}>")
        if title:
            self._written.append(f"<title>{escape_xml(title)}</title>")
        yield
        self._written.append("</g>")

    def rect(self, x: Number, y: Number, width: Number, height: Number, radius: Number = 0, **style: Attribute) -> None:
        """Draw a rectangle with rounded corners."""
        round_ = {"rx": radius} if radius else {}
        self._leaf("rect", x=x, y=y, width=width, height=height, **round_, **style)

    def circle(self, x: Number, y: Number, radius: Number, **style: Attribute) -> None:
        """Draw a circle."""
        self._leaf("circle", cx=x, cy=y, r=radius, **style)

    def path(self, d: str, **style: Attribute) -> None:
        """Draw a path; `d` is SVG path data."""
        self._leaf("path", d=d, **style)

    def polygon(self, points: list[tuple[float, float]], **style: Attribute) -> None:
        """Draw a closed outline."""
        self._leaf("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **style)

    def text(
        self,
        x: Number,
        y: Number,
        text: str,
        size: Number,
        *,
        fill: str = "ink",
        bold: bool = False,
        anchor: str = "start",
        strike: bool = False,
    ) -> float:
        """Draw a line of text with its baseline at `y`; return its approximate width."""
        weight = {"font-weight": "bold"} if bold else {}
        where = {} if anchor == "start" else {"text-anchor": anchor}
        through = {"text-decoration": "line-through"} if strike else {}
        attributes = self._attributes({"x": x, "y": y, "font-size": size, **weight, **where, **through, "fill": fill})
        self._written.append(f"<text{attributes}>{escape_xml(text)}</text>")
        return width_of(text, size, bold=bold)

    def _leaf(self, tag: str, **attributes: Attribute) -> None:
        self._written.append(f"<{tag}{self._attributes(attributes)}/>")

    def _attributes(self, attributes: dict[str, Attribute]) -> str:
        written, last = [], ""
        for name, value in attributes.items():
            if value is None:
                continue
            if name in {"fill", "stroke"} and value != "none":
                token = str(value)
                colour = (self._tones.get(token) or TOKENS[token][0]) if self.plain else f"var(--dl-{token})"
                written.append(f' {name}="{colour}"')
            elif name == "class_":
                last = f' class="{value}"'
            else:
                shown = escape_xml(value) if isinstance(value, str) else number(value)
                written.append(f' {name.replace("_", "-")}="{shown}"')
        written.append(last)
        return "".join(written)
