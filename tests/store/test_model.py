"""The store against a plain list: any order of requests, repeated keys, stale versions."""

from __future__ import annotations

import itertools

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from engine.core.events import Event
from store import Store
from store.errors import KeyReused, VersionConflict
from store.log.idempotency import IdempotencyKey, StoredResult
from store.log.streams import AppendedRange
from tests.store.logs import key, notes, position

KEYS = st.sampled_from([None, "red", "green", "blue"])
BODIES = st.sampled_from(["one", "two"])
NUMBERS = itertools.count()


class StoreMachine(RuleBasedStateMachine):
    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.game = f"game-{next(NUMBERS)}"
        self.log: list[Event] = []
        self.known: dict[str, tuple[str, int, int]] = {}
        """For each idempotency key: the body, and the place of its events."""

    @initialize(count=st.integers(1, 3), name=KEYS, body=BODIES)
    def open(self, count: int, name: str | None, body: str) -> None:
        self.append(at=0, count=count, name=name, body=body)

    @rule(behind=st.integers(0, 4), count=st.integers(1, 4), name=KEYS, body=BODIES)
    def append_perhaps_behind(self, behind: int, count: int, name: str | None, body: str) -> None:
        self.append(at=max(1, len(self.log) - behind), count=count, name=name, body=body)

    @rule(name=KEYS, body=BODIES)
    def open_again(self, name: str | None, body: str) -> None:
        self.append(at=0, count=1, name=name, body=body)

    def append(self, at: int, count: int, name: str | None, body: str) -> None:
        before = self.log[:at]
        events = notes(*(f"{next(NUMBERS)}" for _ in range(count)), after=before)
        used: IdempotencyKey | None = None if name is None else key(name, body)
        try:
            if at == 0:
                done = self.store.events.open(self.game, events, None, used)
            else:
                done = self.store.events.append(self.game, position(before), events, used)
        except KeyReused:
            assert name is not None
            assert self.known[name][0] != body
        except VersionConflict as conflict:
            assert at < len(self.log)
            assert name not in self.known
            self.check_conflict(conflict, at)
        else:
            if name in self.known:
                assert (body, done) == (self.known[name][0], StoredResult(*self.known[name][1:]))
            else:
                assert at == len(self.log)
                assert done == AppendedRange(at + 1, at + count)
                self.log += events
                if name is not None:
                    self.known[name] = (body, done.first, done.last)

    def check_conflict(self, conflict: VersionConflict, at: int) -> None:
        assert (conflict.version, conflict.events) == (len(self.log), self.log[at:])

    @rule(after=st.integers(0, 12), limit=st.none() | st.integers(0, 5), size=st.integers(1, 4))
    def read(self, after: int, limit: int | None, size: int) -> None:
        read = self.store.events.read(self.game, after=after, limit=limit)
        assert read == self.log[after : None if limit is None else after + limit]
        pages = self.store.events.pages(self.game, after=after, size=size)
        assert list(itertools.chain.from_iterable(pages)) == self.log[after:]

    @rule(name=KEYS, body=BODIES)
    def ask_for_a_key(self, name: str | None, body: str) -> None:
        if name is None:
            return
        known = self.known.get(name)
        try:
            found = self.store.events.stored_result(self.game, key(name, body))
        except KeyReused:
            assert known is not None
            assert known[0] != body
        else:
            assert found == (None if known is None else StoredResult(*known[1:]))

    @invariant()
    def the_head_is_the_last_event(self) -> None:
        if self.log:
            assert self.store.events.head(self.game) == position(self.log)


def test_the_store_is_a_list_that_knows_its_requests(store: Store) -> None:
    StoreMachine.store = store
    run_state_machine_as_test(StoreMachine, settings=settings(max_examples=60, deadline=None))
