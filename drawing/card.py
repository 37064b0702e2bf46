"""Draw a card for chats and link previews: a picture of the table, and facts about the game."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import msgspec

from drawing.layout import draw_layout
from drawing.pen import Pen
from drawing.pieces import glyph, token
from drawing.text import fit, wrap
from engine.kit.scene import Scene
from engine.kit.scene.looks import Colour, Form, Symbol

WIDTH, HEIGHT = 1200.0, 630.0
_BOARD = 600.0
_LEFT = 636.0
_RIGHT = WIDTH - 36
_ROW = 38.0
_NAMESPACE = "{http://www.w3.org/2000/svg}"


class CardText(msgspec.Struct, frozen=True, kw_only=True):
    """The text beside the picture."""

    title: str
    headline: str
    text: str
    lines: Sequence[str]
    curve: tuple[str, Sequence[int]] | None
    """The title and the values of the curve, if there is one."""
    players: Sequence[tuple[Form, Colour, str, str]]
    """The pawn (form and colour), letters and name of each player."""
    signs: Sequence[Sequence[tuple[Symbol | None, int]]]
    """For each player, the symbol and number of each kind of action."""


def svg(scene: Scene, told: CardText) -> bytes:
    """Draw the card as an SVG document in plain colours."""
    pen = Pen(plain=True)
    pen.start(WIDTH, HEIGHT, told.title, f"{told.headline}. {told.text}")
    pen.rect(0, 0, WIDTH, HEIGHT, fill="page")
    pen.insert(_board(scene))
    y = 64.0
    pen.text(_LEFT, y, fit(told.title, 22, _RIGHT - _LEFT), 22, fill="soft")
    for line in wrap(told.headline, 46, _RIGHT - _LEFT, 2, bold=True):
        y += 54
        pen.text(_LEFT, y, line, 46, bold=True)
    y += 8
    for line in wrap(told.text, 23, _RIGHT - _LEFT, 3):
        y += 31
        pen.text(_LEFT, y, line, 23)
    rows = len(told.players)
    end = HEIGHT - 24 - rows * _ROW
    for line in told.lines:
        for part in wrap(line, 19, _RIGHT - _LEFT, 2):
            if y + 30 < end:
                y += 28
                pen.text(_LEFT, y, part, 19, fill="soft")
    if told.curve is not None and end - y > 110:
        _curve(pen, *told.curve, top=y + 22, bottom=min(end - 14, y + 160))
    for at, (player, signs) in enumerate(zip(told.players, told.signs, strict=True)):
        _player(pen, player, signs, end + at * _ROW + _ROW / 2)
    return pen.finish()


def _board(scene: Scene) -> str:
    picture = ElementTree.fromstring(draw_layout(scene, None, "board", plain=True))  # noqa: S314  # our own
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    scale = min(_BOARD / width, (HEIGHT - 30) / height)
    at = ((_BOARD + 16 - width * scale) / 2, (HEIGHT - height * scale) / 2)
    places = {"x": at[0], "y": at[1], "width": width * scale, "height": height * scale}
    for name, value in places.items():
        picture.set(name, f"{value:.1f}")
    ElementTree.register_namespace("", _NAMESPACE.strip("{}"))
    return ElementTree.tostring(picture, encoding="unicode")


def _curve(pen: Pen, title: str, levels: Sequence[int], *, top: float, bottom: float) -> None:
    pen.text(_LEFT, top + 14, f"{title}: {levels[0]}", 17, fill="soft")
    pen.text(_RIGHT, top + 14, str(levels[-1]), 17, fill="soft", anchor="end")
    most, steps = max(1, *levels), max(1, len(levels) - 1)
    low, high = bottom, top + 26
    line = [
        (_LEFT + (_RIGHT - _LEFT) * at / steps, low - (low - high) * level / most) for at, level in enumerate(levels)
    ]
    pen.polygon([(_LEFT, low), *line, (_RIGHT, low)], fill="rim")
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
    pen.path(d, fill="none", stroke="sea-deep", stroke_width=4, stroke_linejoin="round")


def _player(
    pen: Pen, player: tuple[Form, Colour, str, str], signs: Sequence[tuple[Symbol | None, int]], y: float
) -> None:
    form, colour, initials, name = player
    token(pen, form, colour, (_LEFT + 14, y), 14, text=initials)
    right = _RIGHT
    for symbol, count in reversed(signs):
        right -= 66
        if symbol is not None and count:
            glyph(pen, symbol, (right + 14, y), 24)
            pen.text(right + 32, y + 7, str(count), 20, bold=True)
    pen.text(_LEFT + 40, y + 7, fit(name, 20, right - _LEFT - 44), 20)
