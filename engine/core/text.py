"""Characters allowed in a text.

Control characters are rejected in input: they can break lines, clear a terminal, or reverse the order of the text next
to them. An imported log may contain them, and its bytes must not change, so code that displays a log replaces them
with U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from engine.core.language import say

STEERING = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""The rejected characters, for the brackets of a regular expression: control characters (except tabs and line ends),
line and paragraph separators, and direction controls.
"""
LINE_ENDS = r"\t\n\r"
DIRECTION_MARKS = r"\u061c\u200e\u200f"
"""Invisible characters that Arabic and Hebrew keyboards write; they affect only adjacent punctuation."""

UNSEEN = "\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\U000e0000-\U000e007f"
"""Characters that are invisible or look like a space. Two names that differ only by such characters look the same.

The joiners and variation selectors of emoji and many scripts are not included.
"""
FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
"""Flags of parts of countries, such as Scotland's. Only here are the tag characters in `UNSEEN` visible."""

_STEERING = re.compile(f"[{STEERING}]")


def visible(text: str) -> str:
    """Return `text` for display: U+FFFD replaces each forbidden character; tabs and line ends stay."""
    return _STEERING.sub("\ufffd", text)


def sentence(text: str) -> str:
    """Return a text with a full stop, unless it is empty or ends with a mark."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def escape_characters(text: str) -> str:
    """Escape each forbidden character in the strings of a JSON text; the meaning does not change."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def search_key(text: str) -> str:
    """Return `text` in one case and width, for searches: `Ａda` and `ADA` become `ada`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


MOST_LISTED = 12
"""Maximum number of names that a message lists."""
_LONGEST = 80
"""Maximum length of a name that is compared with others."""


def near(given: str, names: Collection[str]) -> list[str]:
    """Return the names that `given` may mean, nearest first; case, apostrophes and joining characters do not matter."""
    # Imported late: every command loads this module.
    from difflib import get_close_matches

    by_key = {_key(name): name for name in names}
    return [by_key[found] for found in get_close_matches(_key(given[:_LONGEST]), by_key, n=3, cutoff=0.6)]


def hint(given: str, names: Collection[str], most: int = MOST_LISTED) -> str:
    """Return the end of a message that rejects a name: the nearest name, or all names if there are few, or nothing."""
    found = near(given, names)
    if found:
        return say(". Did you mean {name}?", name=repr(found[0]))
    return say(" (known: {names})", names=", ".join(names)) if 0 < len(names) <= most else ""


def _key(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", re.sub("[’'‘`´]", "", search_key(text))))
