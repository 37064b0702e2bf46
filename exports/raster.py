"""A table as pixels: SVG by resvg, with fonts that are there on every machine."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from exports.fonts import VERA, VERA_BOLD, dejavu

if TYPE_CHECKING:
    from PIL import Image

_FAMILY = "Bitstream Vera Sans"
_ELSEWHERE = re.compile("[^\u0000-\u2dff]")
"""What neither Vera nor DejaVu has: the fonts of the machine are looked through for it, which takes its time."""


def png(svg: str, width: int) -> bytes:
    """A picture as PNG, so many pixels wide."""
    from resvg_py import svg_to_bytes

    return bytes(
        svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=_ELSEWHERE.search(svg) is None,
            font_files=list(_files()),
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
        )
    )


def image(svg: str, width: int) -> Image.Image:
    """A picture as pixels, so many of them wide."""
    from PIL import Image

    with Image.open(BytesIO(png(svg, width))) as found:
        return found.convert("RGB")


@cache
def _files() -> tuple[str, ...]:
    return tuple(filter(None, (VERA, VERA_BOLD, dejavu())))
