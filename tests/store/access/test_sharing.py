"""Share links: creating, finding and revoking them."""

from __future__ import annotations

import pytest

from store import Store, keys
from store.access import sharing
from store.redis import connection
from tests.playouts import clock


def test_a_link_is_made_found_and_withdrawn(store: Store) -> None:
    one, other = store.sharing.share("g", clock(1)), store.sharing.share("g", clock(2))
    assert one is not None
    assert other is not None
    assert store.sharing.find(one.token) == one
    assert store.sharing.of("g") == [one, other]
    assert store.sharing.of("another") == []

    assert not store.sharing.withdraw("another", one.token)
    assert store.sharing.withdraw("g", one.token)
    assert not store.sharing.withdraw("g", one.token)
    assert store.sharing.find(one.token) is None
    assert store.sharing.of("g") == [other]


def test_a_game_has_no_more_than_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST", 1)
    assert store.sharing.share("g", clock(1)) is not None
    assert store.sharing.share("g", clock(2)) is None
    assert store.sharing.share("another", clock(2)) is not None


def test_a_link_ends_with_what_gave_it(store: Store) -> None:
    _, host = store.tokens.create("recorder", created_at=clock(1))
    one, other = store.sharing.share("g", clock(1), host.id), store.sharing.share("g", clock(2))
    assert one is not None
    assert other is not None
    token = store.sharing.token(one.token)
    assert token is not None
    assert (token.role, token.game, token.is_link) == ("viewer", "g", True)
    store.tokens.withdraw(host.id)
    assert store.sharing.token(one.token) is None
    assert store.sharing.find(one.token) is None
    assert store.sharing.of("g") == [other]
    text, _ = store.tokens.create("viewer", created_at=clock(1), game="g")
    assert store.sharing.token(text) is None


def test_a_link_that_was_withdrawn_by_halves_is_none(store: Store) -> None:
    share = store.sharing.share("g", clock(1))
    assert share is not None
    connection.call(store.client, "HDEL", keys.SHARES, share.token)
    assert store.sharing.of("g") == []


def test_a_damaged_link_without_a_token_is_none(store: Store) -> None:
    connection.call(store.client, "HSET", keys.SHARES, "token", "[]")
    assert store.sharing.find("token") is None
    assert store.sharing.token("token") is None
