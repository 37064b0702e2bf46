"""What may stand in a text: characters that steer whatever shows it, instead of being shown, are kept out or unmasked.

They end a line where none ends, clear a terminal, or turn the order of what stands beside them. A log that was recorded
elsewhere may hold them, and its bytes stay as they are; so whoever shows one shows them as U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata

STEERING = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""C0 and C1 controls but for tabs and line ends, the separators of lines and paragraphs, and what embeds, overrides or
isolates a direction; to be put between the brackets of a regular expression."""
LINE_ENDS = r"\t\n\r"
DIRECTION_MARKS = r"\u061c\u200e\u200f"
"""Keyboards for Arabic and Hebrew write them; they are not seen, and turn nothing but the punctuation beside them."""

UNSEEN = "\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\U000e0000-\U000e007f"
"""What takes no room, or that of a space: two names that differ in nothing else look the same. The joiners and the
variation selectors that emoji and many scripts are written with are none of these."""
FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
"""The flag of a part of a country, such as Scotland's: the one place where the tags of `UNSEEN` are seen."""

_STEERING = re.compile(f"[{STEERING}]")


def visible(text: str) -> str:
    """`text` as it can be shown: U+FFFD for each character that would not be; tabs and line ends stay."""
    return _STEERING.sub("\ufffd", text)


def escaped(text: str) -> str:
    """A JSON document with each of those characters in its strings escaped: it says the same."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def search_key(text: str) -> str:
    """Return `text` as searches compare it, without case and width: `Ａda` and `ADA` become `ada`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()
