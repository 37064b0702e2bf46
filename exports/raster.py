"""Convert a picture from SVG to pixels with resvg, with fonts available on every machine."""

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
"""Characters that Vera and DejaVu lack. They need the machine's other fonts, which take time to find."""


def png(svg: str, width: int) -> bytes:
    """Return a picture as PNG. `width` is in pixels."""
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
    """Return a picture as raw pixels. `width` is in pixels."""
    from PIL import Image

    with Image.open(BytesIO(png(svg, width))) as found:
        return found.convert("RGB")


@cache
def _files() -> tuple[str, ...]:
    return tuple(filter(None, (VERA, VERA_BOLD, dejavu())))
