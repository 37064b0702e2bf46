from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from engine.core.text import escape_characters, visible

SEEN = ["Ann", "名前", "שרה", "\u200fשרה!", "éa\u0301", "👩‍👩‍👧 🏴‍☠️", "two\nlines\tof\r\ntext", "नमस्ते\u200d"]


def test_what_is_seen_stays() -> None:
    assert [visible(text) for text in SEEN] == SEEN


def test_what_steers_is_unmasked() -> None:
    assert visible("a\0\x1b[31mb\x7f\x9b\u2028\u202e\u2066c") == "a��[31mb�����c"


@given(st.text())
def test_nothing_that_steers_is_left(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    for char in shown:
        assert char in "\t\n\r" or unicodedata.category(char) not in {"Cc", "Zl", "Zp"}
        assert unicodedata.bidirectional(char) not in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def test_what_is_escaped_says_the_same_and_steers_nothing() -> None:
    text = json.dumps(["a\u202eb\x9b\x7f", "\u2028 שרה"], ensure_ascii=False)
    assert visible(escape_characters(text)) == escape_characters(text)
    assert json.loads(escape_characters(text)) == json.loads(text)
