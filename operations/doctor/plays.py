"""Checks of logged plays: compare the list of plays, and its indexes and statistics, with the stored plays."""

from __future__ import annotations

from operations.doctor.findings import CheckResult
from operations.doctor.lists import mismatched_keys
from store import Store, keys
from store.documents import decode_text
from store.redis import connection

_LOOKS = 3
"""Maximum number of times that a play is read. A play that is just being imported is read again."""


def examine(store: Store) -> CheckResult:
    """Check that every logged play is listed, and that the indexes and counts agree with the list."""
    ids = {id_ for key in (keys.PLAYS, keys.PLAYS_ENTRIES) for id_ in connection.call(store.client, "HKEYS", key)}
    unlisted = sorted(map(decode_text, ids))
    for _ in range(_LOOKS):
        unlisted = store.plays.missing_entries(unlisted)
    wrong = (*unlisted, *mismatched_keys(store, store.plays.entries))
    if not wrong:
        return CheckResult("plays", "ok", f"{store.plays.count():,} logged plays are listed and counted")
    if store.projections.is_unlisted():
        return CheckResult(
            "plays", "warn", "logged plays must be listed again: wait for a worker, or run with --mend", wrong
        )
    return CheckResult("plays", "fail", "logged plays have wrong indexes or statistics: run with --mend", wrong)
