"""Canonical JSON, compared with RFC 8785 and with Python's own encoder."""

from __future__ import annotations

import hashlib
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.canonical import canonical, digest
from engine.core.errors import Malformed

TEXT = st.text(st.characters(codec="utf-8"))
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


def test_the_rfcs_own_string() -> None:
    """RFC 8785, 3.2.2."""
    assert canonical('€$\u000f\nA\'B"\\\\"/') == b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("\b\t\n\f\r", r'"\b\t\n\f\r"'),
        ("\x00\x01\x0b\x0e\x1f", r'"\u0000\u0001\u000b\u000e\u001f"'),
        ('"\\', r'"\"\\"'),
        ("/", '"/"'),
        ("\x7f", '"\x7f"'),
        ("\u2028\u2029", '"\u2028\u2029"'),
        ("é€😀", '"é€😀"'),
    ],
)
def test_strings(text: str, escaped: str) -> None:
    assert canonical(text) == escaped.encode()


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (None, "null"),
        (True, "true"),
        (0, "0"),
        (-1, "-1"),
        (2**53 - 1, "9007199254740991"),
        ([], "[]"),
        ({}, "{}"),
        ((1, "a", [None]), '[1,"a",[null]]'),
    ],
)
def test_literals(document: object, text: str) -> None:
    assert canonical(document) == text.encode()


def test_keys_are_sorted_at_every_depth() -> None:
    """The keys of RFC 8785, 3.2.3, except the one outside the basic plane, which Driftlog does not use."""
    keys = {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u0080": 5, "ö": 6}
    assert canonical({"b": keys, "a": 0}) == '{"a":0,"b":{"\\r":2,"1":4,"\u0080":5,"ö":6,"€":1,"\ufb33":3}}'.encode()


def test_a_struct_is_the_object_of_its_fields() -> None:
    class Point(msgspec.Struct):
        y: int
        x: frozenset[str]

    assert canonical(Point(1, frozenset("ba"))) == b'{"x":["a","b"],"y":1}'


@pytest.mark.no_cover
@given(DOCUMENTS)
def test_as_another_encoder_writes_it(document: object) -> None:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert canonical(document) == text.encode()


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(Malformed, match="not valid Unicode"):
        canonical({"text": "\ud800"})


def test_digest_is_sha_256() -> None:
    assert digest({"b": 1, "a": 2}) == hashlib.sha256(b'{"a":2,"b":1}').hexdigest()
