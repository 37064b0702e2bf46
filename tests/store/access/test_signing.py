"""The ring of signing keys: one key signs, created by the first caller, and a rotation keeps old keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from proofs import heads
from proofs.errors import UnknownKey
from store import Store, keys
from store.errors import Corrupt, StoreUnavailable, UnknownGame
from store.redis import connection
from tests.cli.service import environment_without_coverage
from tests.playouts import playout
from tests.proofs.signing import OTHER, sign_head
from tests.store.logs import notes

ROOT = Path(__file__).parents[3]
ASKING = "import sys; from store import Store; print(Store.connect(sys.argv[1]).signing.active().public.id)"


def ring(store: Store) -> list[dict[str, Any]]:
    """Return the keys as stored in Redis."""
    return [json.loads(text) for text in connection.call(store.client, "LRANGE", keys.SIGNING, 0, -1)]


def test_a_key_is_made_when_it_is_first_needed(store: Store) -> None:
    assert ring(store) == []
    key = store.signing.active()
    assert store.signing.active().public == key.public
    (published,) = store.signing.published_keys()
    assert (published.key, published.status, published.retired_at) == (key.public, "active", None)


def test_it_is_there_after_a_restart(store: Store, events_server: str) -> None:
    key = store.signing.active()

    assert Store.connect(events_server).signing.active().secret() == key.secret()


def test_of_processes_that_start_at_once_one_makes_it(store: Store, events_server: str) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", ASKING, events_server],
            cwd=ROOT,
            env=environment_without_coverage(dict(os.environ)),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    found = {process.communicate()[0].strip() for process in started}

    assert found == {store.signing.active().public.id}
    assert len(ring(store)) == 1


def test_of_many_that_ask_at_once_one_makes_it(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: store.signing.active().public, range(24)))

    assert len(found) == 1
    assert len(ring(store)) == 1


def test_a_rotation_keeps_what_was_signed_checkable(store: Store) -> None:
    events = playout(limit=5)
    old = store.signing.active()
    proof = sign_head(events, old)
    now = store.signing.rotate()

    assert store.signing.active().public == now.key != old.public
    first, second = store.signing.published_keys()
    assert (first.key, first.status, first.retired_at) == (old.public, "retired", second.created_at)
    assert (second, second.status) == (now, "active")
    assert heads.check(proof, [one.key for one in store.signing.published_keys()]).key == old.public
    with pytest.raises(UnknownKey):
        heads.check(proof, [now.key])


def test_of_a_retired_key_the_public_half_is_left(store: Store) -> None:
    old = store.signing.active()
    store.signing.rotate()
    first, second = ring(store)

    assert set(first) == {"x", "created_at", "retired_at"}
    assert first["x"] == old.public.id
    assert "d" in second


def test_a_rotation_makes_the_first_key_where_there_is_none(store: Store) -> None:
    assert store.signing.rotate().status == "active"


def test_of_those_that_rotate_at_once_one_does(store: Store) -> None:
    store.signing.active()
    other = Store(store.client).signing
    looked = other._ring()
    now = store.signing.rotate()
    other._put(len(looked), "2026-11-20T19:00:00.000Z", looked[-1])

    assert other.published_keys()[-1] == now
    assert len(ring(store)) == 2


def test_a_rotation_counts_at_once_for_everyone(store: Store) -> None:
    other = Store(store.client)
    other.signing.active()
    store.signing.rotate()

    assert other.signing.active().public == store.signing.active().public


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nonsense", "cannot be read"),
        (json.dumps({"x": "short", "created_at": ""}), "cannot be read|incomplete"),
        (json.dumps({"x": OTHER.public.id, "created_at": ""}), "incomplete"),
        (json.dumps({"x": OTHER.public.id, "created_at": "", "d": "AAAA"}), "incomplete"),
        (json.dumps({"x": OTHER.public.id, "created_at": "", "d": "A" * 43}), "do not match"),
    ],
)
def test_a_key_that_is_not_whole_signs_nothing(store: Store, text: str, complaint: str) -> None:
    connection.call(store.client, "RPUSH", keys.SIGNING, text)
    with pytest.raises(Corrupt, match=complaint):
        store.signing.active()
    if "short" in text:
        with pytest.raises(Corrupt, match="cannot be read"):
            store.signing.published_keys()


def test_a_store_that_does_not_answer_signs_nothing() -> None:
    with pytest.raises(StoreUnavailable):
        Store.connect("redis://127.0.0.1:1").signing.active()


def test_a_rebuild_keeps_the_keys(store: Store) -> None:
    key = store.signing.active()
    store.projections.rebuild(lambda *_: None)

    assert store.signing.active().public == key.public


def test_the_hashes_of_a_log(store: Store) -> None:
    log = notes(*map(str, range(1005)))
    store.events.open("g", log, None)

    assert store.events.hashes("g", 1005) == [event.hash for event in log]
    assert store.events.hashes("g", 3) == [event.hash for event in log[:3]]
    with pytest.raises(UnknownGame):
        store.events.hashes("nothing", 1)
    connection.call(store.client, "XDEL", "{g}:events", "2-0")
    with pytest.raises(Corrupt, match="a gap"):
        store.events.hashes("g", 3)
