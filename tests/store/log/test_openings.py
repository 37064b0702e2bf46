"""Limits on games: correct with simultaneous openings, crashes and deletions."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from store import Store, keys
from store.errors import QuotaExceeded, StoreUnavailable
from store.quotas import Quotas
from tests.playouts import long_record

LOG = long_record(4)
Process = Callable[[], Store]


@pytest.fixture
def process(store: Store) -> Process:
    """Return a function that returns the store as a process sees it; a token may open three games."""
    return lambda: store.within(Quotas(games_per_token=3))


def open_one(process: Store, game_id: str, owner: str | None = "t1") -> None:
    with process.openings.place(game_id, owner):
        process.events.open(game_id, LOG, None)
    process.openings.settle(game_id, owner)


class Undecided(Exception):
    """Raised to give up a place: this tests if a place is free, without taking it."""


def leave(process: Store, game_id: str, owner: str, error: Exception) -> None:
    """Take a place, and fail."""
    with process.openings.place(game_id, owner):
        raise error


def is_full(process: Store, owner: str = "t1") -> bool:
    """Return True if the token has opened its three allowed games."""
    with pytest.raises((Undecided, QuotaExceeded)) as refused:
        leave(process, "one-more", owner, Undecided())
    if not isinstance(refused.value, QuotaExceeded):
        return False
    assert (refused.value.quota, refused.value.limit, refused.value.used) == ("games_per_token", 3, 3)
    return True


def test_a_token_may_open_so_many(process: Process) -> None:
    one, other = process(), process()
    for game_id in ("a", "b", "c"):
        assert not is_full(one)
        open_one(one, game_id)
    assert is_full(one)
    assert is_full(other)
    assert not is_full(one, "t2")
    open_one(one, "d", None)


def test_a_game_that_is_deleted_gives_its_place_back(process: Process) -> None:
    one = process()
    for game_id in ("a", "b", "c"):
        open_one(one, game_id)
    for _ in range(2):
        one.openings.give_back("b")
        one.openings.give_back("unheard-of")
    open_one(one, "d")
    assert is_full(one)
    assert one.client.hgetall(keys.OWNERS) == {b"a": b"t1", b"c": b"t1", b"d": b"t1"}


def test_many_who_open_at_once_get_no_more(process: Process) -> None:
    together, opened = threading.Barrier(20), []

    def ask(number: int) -> None:
        one = process()
        together.wait()
        try:
            open_one(one, f"g{number}")
            opened.append(number)
        except QuotaExceeded:
            pass

    threads = [threading.Thread(target=ask, args=[number]) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 3


def test_a_place_whose_taker_died_goes_after_a_while(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    one = process()
    for game_id in ("a", "b", "c"):
        with pytest.raises(StoreUnavailable):
            leave(one, game_id, "t1", StoreUnavailable("nobody can say whether it was opened"))
    one.events.open("a", LOG, None)
    assert is_full(one)
    monkeypatch.setattr("store.log.openings.OPENING_SECONDS", -1)
    open_one(one, "d")
    open_one(one, "e")
    assert is_full(one)
    assert set(one.client.zrange(keys.opened_by("t1"), 0, -1)) == {b"a", b"d", b"e"}


def test_of_all_games_those_count_that_are_being_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (store.within(Quotas(games=1)) for _ in range(2))
    with one.openings.place("a", None):
        with pytest.raises(QuotaExceeded) as refused, other.openings.place("b", None):
            pass
        assert (refused.value.quota, refused.value.used) == ("games", 1)
        # A repeated request opens no other game.
        with other.openings.place("a", None):
            pass
    with pytest.raises(QuotaExceeded), other.openings.place("b", None):
        pass
    # The game was never listed, so its place expires.
    monkeypatch.setattr("store.log.openings.OPENING_SECONDS", -1)
    with other.openings.place("b", None):
        pass
