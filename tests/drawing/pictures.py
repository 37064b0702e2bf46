"""Read a picture: its elements, and the positions of its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from drawing.text import width_of

SVG = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element
_TRANSFORM = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)(?: scale\(([-\d.]+)\))?")


class Words(NamedTuple):
    """A line of text with its width and position."""

    text: str
    left: float
    right: float
    base: float


def read(picture: bytes) -> Element:
    """Return the root element of a picture."""
    return ElementTree.fromstring(picture)


def size(root: Element) -> tuple[float, float]:
    """Return the width and the height of a picture."""
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    return width, height


def attribute_values(root: Element, name: str) -> list[str]:
    """Return the values of an attribute, in order."""
    return [value for element in root.iter() if (value := element.get(name)) is not None]


def by_id(root: Element, id_: str) -> Element:
    """Return the element with this id."""
    (found,) = (element for element in root.iter() if element.get("data-id") == id_)
    return found


def words(element: Element, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Iterator[Words]:
    """Yield every line of text within an element, in its own coordinates."""
    for child in element:
        u, v, by = x, y, scale
        moved = _TRANSFORM.fullmatch(child.get("transform", ""))
        if moved:
            u, v, by = x + float(moved[1]) * scale, y + float(moved[2]) * scale, scale * float(moved[3] or 1)
        if child.tag == f"{SVG}text":
            letters = float(str(child.get("font-size")))
            width = width_of(child.text or "", letters, bold=child.get("font-weight") == "bold") * by
            start = u + float(str(child.get("x"))) * by
            left = start - {"middle": width / 2, "end": width}.get(child.get("text-anchor", ""), 0)
            yield Words(child.text or "", left, left + width, v + float(str(child.get("y"))) * by)
        yield from words(child, u, v, by)
