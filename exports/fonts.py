"""The fonts that are there: Vera, which ReportLab brings, and those of the machine that have what Vera lacks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import reportlab

_BROUGHT = Path(reportlab.__file__).parent / "fonts"
VERA, VERA_BOLD = str(_BROUGHT / "Vera.ttf"), str(_BROUGHT / "VeraBd.ttf")
_PLACES = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")


_EASTERN = (
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "NanumGothic.ttf",
    "arialuni.ttf",
    "Arial Unicode.ttf",
)
"""Fonts with TrueType outlines, as ReportLab takes them, for Chinese, Japanese or Korean; the fullest first."""


def eastern() -> list[str]:
    """The fonts of this machine for Chinese, Japanese and Korean."""
    there = {path.name: str(path) for place in _PLACES for path in Path(place).rglob("*.tt[fc]")}
    return [there[name] for name in _EASTERN if name in there]


@cache
def dejavu() -> str | None:
    """Where this machine has DejaVu Sans; None where it has not."""
    return next((str(path) for place in _PLACES for path in Path(place).rglob("DejaVuSans.ttf")), None)
