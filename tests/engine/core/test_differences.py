"""Differences of documents as a JSON Patch."""

from __future__ import annotations

from typing import Any

import jsonpatch
import msgspec
from hypothesis import given
from hypothesis import strategies as st

from engine.core.differences import differences

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab/~", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3),
    max_leaves=12,
)


def test_differences__as_small_as_they_read_well() -> None:
    was = {"a": 1, "b": [1, 2], "c": {"x/y": 1, "gone": 2}, "hand": ["p"]}
    now = {"a": 1, "b": [1, 3], "c": {"x/y": 2, "new": 3}, "hand": ["p", "q"]}
    assert differences(was, now) == (
        {"op": "replace", "path": "/b/1", "value": 3},
        {"op": "remove", "path": "/c/gone"},
        {"op": "add", "path": "/c/new", "value": 3},
        {"op": "replace", "path": "/c/x~1y", "value": 2},
        {"op": "replace", "path": "/hand", "value": ["p", "q"]},
    )


@given(DOCUMENTS, DOCUMENTS)
def test_differences__make_the_one_into_the_other(was: Any, now: Any) -> None:
    patched = jsonpatch.JsonPatch(list(differences(was, now))).apply(was)
    assert msgspec.json.encode(patched, order="sorted") == msgspec.json.encode(now, order="sorted") or patched == now
