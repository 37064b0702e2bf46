"""A cache limits the total weight of its values, and makes each value once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from store.cache import Cache

SIZE = 10


class Bounded(RuleBasedStateMachine):
    """Compared with a list that has the last used value at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.cache: Cache[int, str] = Cache(SIZE, len)
        self.model: list[tuple[int, str]] = []

    @rule(key=st.integers(0, 5), value=st.text("x", min_size=1, max_size=SIZE + 2))
    def put(self, key: int, value: str) -> None:
        self.cache.put(key, value)
        self.model = [one for one in self.model if one[0] != key]
        if len(value) <= SIZE:
            self.model.append((key, value))
        while sum(len(kept) for _, kept in self.model) > SIZE:
            self.model.pop(0)

    @rule(key=st.integers(0, 5))
    def drop(self, key: int) -> None:
        self.cache.drop(key)
        self.model = [one for one in self.model if one[0] != key]

    @rule(key=st.integers(0, 5))
    def get(self, key: int) -> None:
        found = dict(self.model).get(key)
        assert self.cache.get(key) == found
        if found is not None:
            self.model.remove((key, found))
            self.model.append((key, found))

    @rule(key=st.integers(0, 5), value=st.text("x", min_size=1, max_size=SIZE + 2))
    def once(self, key: int, value: str) -> None:
        known = dict(self.model).get(key)
        assert self.cache.once(key, lambda: value) == (known or value)
        if known is None:
            self.put(key, value)
        else:
            self.get(key)

    @invariant()
    def holds_no_lock_that_nobody_waits_for(self) -> None:
        assert self.cache._making == {}
        assert self.cache._weight == sum(len(value) for _, value in self.model)


TestBounded = Bounded.TestCase


def test_who_waits_for_one_value_does_not_wait_for_another() -> None:
    cache: Cache[str, str] = Cache(2)
    is_begun, may_end = threading.Event(), threading.Event()

    def slowly() -> str:
        is_begun.set()
        may_end.wait()
        return "long"

    with ThreadPoolExecutor() as threads:
        long = threads.submit(cache.once, "a", slowly)
        is_begun.wait()
        assert cache.once("b", lambda: "short") == "short"
        assert not long.done()
        may_end.set()
        assert long.result() == "long"


@pytest.mark.parametrize("size", [1000, 0])
def test_those_who_ask_for_the_same_have_it_made_once(size: int) -> None:
    cache: Cache[int, object] = Cache(size)
    threads, keys = 8, 50
    made: list[int] = []
    everyone = threading.Barrier(threads)

    def make(key: int) -> object:
        # Wait until all others wait for it. Otherwise one could come after it is made, which is not kept because of its
        # weight.
        while cache._making[key].threads < threads:
            pass
        made.append(key)
        return object()

    def ask() -> list[object]:
        found = []
        for key in range(keys):
            everyone.wait()
            found.append(cache.once(key, lambda key=key: make(key)))  # type: ignore[misc]
        return found

    with ThreadPoolExecutor(threads) as pool:
        first, *others = [one.result() for one in [pool.submit(ask) for _ in range(threads)]]
    assert all(one == first for one in others)
    assert made == list(range(keys))
    assert cache._making == {}


def test_what_fails_is_told_to_who_made_it_and_tried_by_the_next() -> None:
    cache: Cache[str, str] = Cache(2)
    is_begun, may_fail = threading.Event(), threading.Event()

    def fails() -> str:
        is_begun.set()
        may_fail.wait()
        raise ValueError("no")

    with ThreadPoolExecutor() as threads:
        first = threads.submit(cache.once, "a", fails)
        is_begun.wait()
        second = threads.submit(cache.once, "a", lambda: "yes")
        while cache._making["a"].threads < 2:
            pass
        may_fail.set()
        with pytest.raises(ValueError, match="no"):
            first.result()
        assert second.result() == "yes"
    assert cache._making == {}
    assert cache.get("a") == "yes"
