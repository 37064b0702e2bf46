"""The available fonts: Vera, which ReportLab includes, and fonts of the machine for other characters."""

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
"""Fonts for Chinese, Japanese or Korean, the most complete first. All have TrueType outlines, as ReportLab requires.
"""


def eastern() -> list[str]:
    """Return the paths of this machine's fonts for Chinese, Japanese and Korean."""
    there = {path.name: str(path) for place in _PLACES for path in Path(place).rglob("*.tt[fc]")}
    return [there[name] for name in _EASTERN if name in there]


@cache
def dejavu() -> str | None:
    """Return the path of DejaVu Sans on this machine; None if it is not installed."""
    return next((str(path) for place in _PLACES for path in Path(place).rglob("DejaVuSans.ttf")), None)
