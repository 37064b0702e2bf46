"""Measure text, and shorten or wrap it to fit.

Widths are the widths in Helvetica plus a margin, because a reader's font may be as wide as DejaVu Sans.
"""

from __future__ import annotations

import functools

_WIDTHS = {
    **dict.fromkeys(" !,./:;I[\\]ft|", 278),
    **dict.fromkeys("'ijl", 222),
    **dict.fromkeys("()-r`", 333),
    **dict.fromkeys("Jcksvxyz", 500),
    **dict.fromkeys("FTZ", 611),
    **dict.fromkeys("ABEKPSVXY&", 667),
    **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("GOQ", 778),
    **dict.fromkeys("mM", 833),
    "W": 944,
    "@": 1015,
    "%": 889,
    "…": 1000,
    "—": 1000,
    "×": 584,
    "·": 278,
}
"""Widths in thousandths of the font size; other Latin letters and digits have 556."""
_AFTER_LATIN = "\u0250"
_MARGIN = 1.15
_BOLD = 1.07
ELLIPSIS = "…"


@functools.lru_cache(maxsize=4096)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the approximate width of `text` at a font size. If it is inexact, it is too large."""
    # In non-Latin scripts, the widest characters are as wide as high.
    # Invisible characters become U+FFFD, which is as wide.
    thousandths = sum(_WIDTHS.get(char, 556 if " " <= char < _AFTER_LATIN else 1000) for char in text)
    return thousandths * size / 1000 * _MARGIN * (_BOLD if bold else 1)


def fit(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return `text`, shortened with an ellipsis if it is wider than `width`."""
    if width_of(text, size, bold=bold) <= width:
        return text
    while text and width_of(text + ELLIPSIS, size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrap(text: str, size: float, width: float, lines: int, *, bold: bool = False) -> list[str]:
    """Return `text` in at most `lines` lines. If needed, the last line is shortened. An empty text has no lines."""
    words = text.split()
    found: list[str] = []
    while words and len(found) < lines:
        line = words.pop(0)
        while words and width_of(f"{line} {words[0]}", size, bold=bold) <= width:
            line += f" {words.pop(0)}"
        found.append(line)
    if words and found:
        found[-1] = " ".join((found[-1], *words))
    return [fit(line, size, width, bold=bold) for line in found]
