"""Characters allowed in a text.

Control characters are rejected in input: they can break lines, clear a terminal, or reverse the order of the text next
to them. An imported log may contain them, and its bytes must not change, so code that displays a log replaces them
with U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata

STEERING = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""The rejected characters, for the brackets of a regular expression: control characters (except tabs and line ends),
line and paragraph separators, and direction controls.
"""
LINE_ENDS = r"\t\n\r"
DIRECTION_MARKS = r"\u061c\u200e\u200f"
"""Invisible characters that Arabic and Hebrew keyboards write; they affect only adjacent punctuation."""

UNSEEN = "\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\U000e0000-\U000e007f"
"""Invisible characters, and those that look like a space: two names that differ only by them look the same.

The joiners and variation selectors of emoji and many scripts are not included.
"""
FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
"""Flags of parts of countries, such as Scotland's: the only sequences that display the tag characters of `UNSEEN`."""

_STEERING = re.compile(f"[{STEERING}]")


def visible(text: str) -> str:
    """Return `text` for display: U+FFFD replaces each forbidden character; tabs and line ends stay."""
    return _STEERING.sub("\ufffd", text)


def escaped(text: str) -> str:
    """Escape each forbidden character in the strings of a JSON text; the meaning does not change."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def search_key(text: str) -> str:
    """Normalize the case and width of `text` for searches: `Ａda` and `ADA` become `ada`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()
