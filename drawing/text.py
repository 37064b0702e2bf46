"""How wide text is, and how it is made to fit: no text leaves its place.

Measured with Helvetica's widths and a margin, for a reader's font may be as wide as DejaVu Sans.
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
"""In thousandths of the font's size; other Latin letters and digits are 556."""
_AFTER_LATIN = "\u0250"
_MARGIN = 1.15
_BOLD = 1.07
ELLIPSIS = "…"


@functools.lru_cache(maxsize=4096)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide `text` is at that font size, about, and rather too much than too little."""
    # Of scripts that are not Latin the widest are as wide as high.
    # What cannot be shown becomes U+FFFD, which is as wide.
    thousandths = sum(_WIDTHS.get(char, 556 if " " <= char < _AFTER_LATIN else 1000) for char in text)
    return thousandths * size / 1000 * _MARGIN * (_BOLD if bold else 1)


def fit(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """`text`, shortened with an ellipsis where it is wider than `width`."""
    if width_of(text, size, bold=bold) <= width:
        return text
    while text and width_of(text + ELLIPSIS, size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrap(text: str, size: float, width: float, lines: int, *, bold: bool = False) -> list[str]:
    """`text` in at most so many lines, the last one shortened where it does not all go in; none in none."""
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
