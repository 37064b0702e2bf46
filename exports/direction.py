"""Text from right to left, for a typesetter that draws every line from left to right.

First, letters are joined, because this changes their width. Then the caller breaks the text into lines. Last, each line
is reordered to the order in which it is drawn (Unicode Standard Annex 9).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal

import arabic_reshaper
from bidi import get_base_level, get_display
from bidi.mirror import MIRRORED

from engine.core.text import DIRECTION_MARKS

Direction = Literal["L", "R"]

_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_UNDRAWN = re.compile(f"[{DIRECTION_MARKS}\u2066-\u2069]")
_SIDE = "\u034f"
"""An invisible character that takes the direction of the character before it. So it shows if a bracket is mirrored."""
_PAIRED = re.compile(f"[{re.escape(''.join(MIRRORED))}]")
_SIDED = re.compile(f"{_SIDE}({_PAIRED.pattern})|({_PAIRED.pattern}){_SIDE}")


def is_mixed(text: str) -> bool:
    """Return True if `text` contains letters that are written from right to left."""
    return _LETTER.search(text) is not None


def main_direction(text: str) -> Direction:
    """Return the direction of the first letter."""
    return "R" if get_base_level(text) else "L"


def join_letters(text: str, names: Iterable[str]) -> str:
    """Join the Arabic letters of `text`. Isolate each of `names`, so that the text around a name stays in order."""
    known = sorted(filter(is_mixed, names), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "\u2068\\g<0>\u2069", text)
    shaped: str = _reshaper().reshape(text)
    return shaped


def drawing_order(line: str, direction: Direction) -> str:
    """Reorder a line, so that it can be drawn from left to right. `direction` is the direction of the whole text."""
    ordered = get_display(_PAIRED.sub(f"\\g<0>{_SIDE}", line.replace(_SIDE, "")), base_dir=direction)
    assert isinstance(ordered, str)
    # Keep vowel points before their letter, because fonts place them over the next character.
    return _SIDED.sub(lambda found: MIRRORED[found[1]] if found[1] else found[2], _UNDRAWN.sub("", ordered))


@cache
def _reshaper() -> arabic_reshaper.ArabicReshaper:
    return arabic_reshaper.ArabicReshaper({"delete_harakat": False})
