"""Tokens: creating, finding, listing and revoking them."""

from __future__ import annotations

import pytest

from store import Store, keys
from store.access.tokens import GiverGone
from store.errors import NameTaken, TooManyTokens
from store.log.hints import TokenRevoked
from store.redis import connection
from tests.playouts import clock

WRONG = ["", "x", "driftlog_", "driftlog_01kaj5x9f3q8w7e2r4t6y8u0pz_", "driftlog_x_y", "Bearer x", "é" * 80]


def test_a_token_is_found_by_its_text_alone(store: Store) -> None:
    text, token = store.tokens.create("arbiter", created_at=clock(1), game="g", seat="p1", note="Ann")
    assert store.tokens.find(text) == store.tokens.get(token.id) == token
    for at in range(len("driftlog_"), len(text), 7):
        other = text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]
        assert store.tokens.find(other) is None, other
    for wrong in (*WRONG, text + "x", text.upper(), f" {text}"):
        assert store.tokens.find(wrong) is None, wrong


def test_no_two_are_alike_and_no_secret_is_kept(store: Store) -> None:
    made = [store.tokens.create("viewer", created_at=clock(1)) for _ in range(20)]
    secrets = {text.split("_", 2)[2] for text, _ in made}
    assert len(secrets) == 20
    kept = connection.call(store.client, "HGETALL", keys.ACCESS)
    assert not any(secret.encode() in part for secret in secrets for pair in kept.items() for part in pair)


def test_it_ends_by_itself(store: Store) -> None:
    text, token = store.tokens.create("viewer", created_at=clock(1), expires_at="2026-11-20T19:00:00.000Z")
    later, lasting = store.tokens.create("viewer", created_at=clock(1), expires_at="9999-01-01T00:00:00.000Z")
    assert store.tokens.find(text) is None
    assert not store.tokens.is_in_force(token.id)
    assert store.tokens.get(token.id) == token
    assert store.tokens.find(later) == lasting
    assert store.tokens.in_force([token.id, lasting.id, "nowhere"]) == {lasting.id}
    assert store.tokens.in_force([]) == set()


def test_what_it_gave_ends_with_it(store: Store) -> None:
    _, admin = store.tokens.create("admin", created_at=clock(1))
    _, one = store.tokens.create("recorder", created_at=clock(2), game="g", given_by=admin.id)
    _, below = store.tokens.create("viewer", created_at=clock(3), game="g", given_by=one.id)
    _, aside = store.tokens.create("viewer", created_at=clock(4), given_by=admin.id)
    assert store.tokens.givers(below) == [one.id, admin.id]
    assert store.tokens.page() == [aside, below, one, admin]
    assert store.tokens.page(limit=2) == [aside, below]
    assert store.tokens.page(before=below.id) == [one, admin]
    assert store.tokens.page(game="g") == [below, one]
    assert store.tokens.page(given_by=admin.id) == [aside, one]
    hints = store.hints().listen()
    assert next(hints) is None
    assert set(store.tokens.withdraw(one.id)) == {one.id, below.id}
    assert {next(hints), next(hints)} == {TokenRevoked(one.id), TokenRevoked(below.id)}
    assert store.tokens.page() == [aside, admin]
    assert store.tokens.page(game="g") == []
    assert store.tokens.page(given_by=admin.id) == [aside]
    assert store.tokens.withdraw(one.id) == []
    with pytest.raises(GiverGone):
        store.tokens.create("viewer", created_at=clock(5), given_by=one.id)
    store.tokens.withdraw(admin.id)
    assert not store.tokens.any()
    assert connection.call(store.client, "KEYS", "{access}*") == []


def test_all_that_are_for_one_game_end(store: Store) -> None:
    made = [store.tokens.create("viewer", created_at=clock(1), game=game)[1] for game in ("g", "h", "g")]
    store.tokens.withdraw_all("g")
    assert store.tokens.page() == [made[1]]


def test_a_name_is_one_recorders(store: Store) -> None:
    def give(note: str, game: str | None, *, may_share: bool = False) -> None:
        store.tokens.create("recorder", created_at=clock(1), note=note, game=game, may_share_name=may_share)

    give("Ann", "g")
    give("Ann", "h")
    for note, game in (("Ann", "g"), ("ANN", "h"), ("ann", None)):
        with pytest.raises(NameTaken):
            give(note, game)
    give("Ann", "g", may_share=True)
    give("Bob", None)
    with pytest.raises(NameTaken):
        give("bob", "g")
    store.tokens.create("viewer", created_at=clock(1), note="Ann", game="g", may_share_name=False)


def test_no_more_than_so_many_are_given(store: Store) -> None:
    _, giver = store.tokens.create("recorder", created_at=clock(1))
    _, first = store.tokens.create("viewer", created_at=clock(1), given_by=giver.id, most=1)
    with pytest.raises(TooManyTokens):
        store.tokens.create("viewer", created_at=clock(1), given_by=giver.id, most=1)
    store.tokens.withdraw(first.id)
    store.tokens.create("viewer", created_at=clock(1), given_by=giver.id, most=1)


def test_a_damaged_token_lets_nobody_in_and_can_be_revoked(store: Store) -> None:
    _, giver = store.tokens.create("recorder", created_at=clock(1))
    text, token = store.tokens.create("viewer", game="g", given_by=giver.id, created_at=clock(1), most=1)
    stored = connection.call(store.client, "HGET", keys.ACCESS, token.id)
    connection.call(store.client, "HSET", keys.ACCESS, token.id, stored[:-1])
    assert store.tokens.find(text) is None
    assert not store.tokens.is_revoked(token.id)
    assert store.tokens.find_damaged() == [token.id]
    assert store.tokens.withdraw(token.id) == [token.id]
    assert store.tokens.is_revoked(token.id)
    # It no longer counts against its creator's limit.
    store.tokens.create("viewer", created_at=clock(1), given_by=giver.id, most=1)
