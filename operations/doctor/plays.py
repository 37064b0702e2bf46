"""Past plays: how they are found and counted, held against what is kept of each."""

from __future__ import annotations

from operations.doctor.findings import Finding
from operations.doctor.lists import mismatched_keys
from store import Store, keys
from store.redis import connection

_LOOKS = 3
"""How often to look at a play that may be coming in."""


def examine(store: Store) -> Finding:
    """Whether all past plays are listed, and found and counted as they are listed."""
    ids = {id_ for key in (keys.PLAYS, keys.PLAYS_ENTRIES) for id_ in connection.call(store.client, "HKEYS", key)}
    unlisted = sorted(id_.decode() for id_ in ids)
    for _ in range(_LOOKS):
        unlisted = store.plays.unlisted(unlisted)
    wrong = (*unlisted, *mismatched_keys(store, store.plays.entries))
    if not wrong:
        return Finding("plays", "ok", f"{store.plays.count():,} past plays are found and counted")
    if store.projections.is_unlisted():
        return Finding("plays", "warn", "past plays are to be listed anew: a worker does it soon, or --mend", wrong)
    return Finding("plays", "fail", "past plays are not found or counted as they were played: --mend", wrong)
