"""How text is compared: in any case, any width, and by the beginnings of words."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")


def folded(text: str) -> str:
    """`text` as it is compared: `Ａda ` and `ADA` are `ada`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


def words(*texts: str) -> set[str]:
    """Every word of `texts`, folded."""
    return {word for text in texts for word in _WORD.findall(folded(text))}
