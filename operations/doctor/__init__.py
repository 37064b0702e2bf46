"""Checks of a store. Each check yields findings. Only `mend` changes anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from operations.doctor import documents, games, plays, server
from operations.doctor.findings import CheckResult, Level
from operations.doctor.inventory import Inventory
from store import Store
from store.errors import Corrupt

__all__ = ["SAMPLE", "CheckResult", "Level", "examine", "mend"]

SAMPLE = 100
"""Number of logs replayed by default."""


def examine(
    store: Store,
    folder: Path | None,
    *,
    sample: int | None = SAMPLE,
    progressed: Callable[[int, int], None] | None = None,
) -> Iterator[CheckResult]:
    """Run all checks, and yield their findings. A check comes after the checks on which it depends.

    Args:
        folder: the folder of the embedded server; None for another Redis.
        sample: number of random logs to replay; None: all.
        progressed: called with the number of logs replayed so far and the total number of logs.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    yield from server.examine(store, folder)
    inventory = Inventory.scan(store)
    yield _unless_damaged("restore", lambda: games.restores(store, inventory))
    yield games.packages()
    yield games.rulesets(inventory)
    yield games.chains(store, inventory, sample, progressed)
    yield _unless_damaged("indexes", lambda: games.indexes(store, inventory))
    yield _unless_damaged("plays", lambda: plays.examine(store))
    yield _unless_damaged("documents", lambda: documents.examine(store))
    yield _unless_damaged("orphans", lambda: games.orphans(store, inventory))
    yield games.stray_keys(inventory)


def _unless_damaged(check: str, find: Callable[[], CheckResult]) -> CheckResult:
    """Return the finding of a check, or a failure if a key has the wrong type. The check `keys` reports such a key."""
    try:
        return find()
    except Corrupt as error:
        return CheckResult(check, "fail", f"this check is impossible until the keys are repaired: {error}")


def mend(store: Store) -> list[str]:
    """Rebuild projections, and clean up after an unfinished restore. No log is changed.

    Returns:
        The changes, one line each.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    done = games.mend(store)
    if plays.examine(store).level != "ok":
        store.plays.rebuild()
        done.append("logged plays were listed and counted again")
    return done
