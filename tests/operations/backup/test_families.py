"""Every key belongs to a family, and each family has a decision. A new family without one fails here."""

from __future__ import annotations

import re
from collections.abc import Callable

from operations.backup.families import FAMILIES, companion_keys, family_of, of_library
from store import Store, keys
from tests.operations.backup.files import ENDED, IDS, fill


def test_each_key_that_is_listed_has_its_family() -> None:
    listed = set()
    for row in re.findall(r"^\| (`.+)$", keys.__doc__ or "", re.MULTILINE):
        names, type_ = row.split(" | ")[:2]
        listed |= {(name, {"sorted set": "zset"}.get(type_, type_)) for name in re.findall(r"`([^`]+)`", names)}
    assert listed <= {(family.pattern, family.type) for family in FAMILIES}


def test_each_key_of_a_store_that_was_used_has_its_family(store: Store, work: Callable[[], None]) -> None:
    fill(store)
    for game_id in IDS:
        store.projections.project(game_id)
    store.jobs.create("audit", {"game": ENDED}, payload=b"something", same="audit")
    work()
    store.durability()
    unknown = {
        name.decode()
        for name in store.client.scan_iter()
        if (family := family_of(name.decode())) is None or family.type != store.client.type(name).decode()
    }
    assert unknown == set()


def test_what_is_no_games_belongs_to_no_game() -> None:
    assert family_of("{jobs}:keys") is not family_of(keys.idempotency(ENDED))
    assert family_of("{somebody}:events") is None
    assert companion_keys(ENDED) == [keys.idempotency(ENDED), keys.audits(ENDED), keys.skills(ENDED)]
    assert of_library(keys.SHARES) is not None
    assert (of_library(keys.JOBS), of_library(keys.events(ENDED)), of_library("session:1")) == (None, None, None)
