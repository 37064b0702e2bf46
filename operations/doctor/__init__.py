"""What is wrong with a store: each check says one line, and nothing is changed but by `mend`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from operations.doctor import games, plays, server
from operations.doctor.findings import Finding, Level
from operations.doctor.inventory import Inventory
from store import Store

__all__ = ["SAMPLE", "Finding", "Level", "examine", "mend"]

SAMPLE = 100
"""Games whose logs are checked where not all are asked for."""


def examine(
    store: Store,
    folder: Path | None,
    *,
    sample: int | None = SAMPLE,
    progressed: Callable[[int, int], None] | None = None,
) -> Iterator[Finding]:
    """What every check finds, in the order of what stands on what.

    Args:
        folder: that of the embedded server; None where Redis is elsewhere.
        sample: how many logs are replayed, chosen by chance; None: all.
        progressed: told how many of them are done, of how many.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    yield from server.examine(store, folder)
    inventory = Inventory.taken(store)
    yield games.restores(store, inventory)
    yield games.packages()
    yield games.rulesets(inventory)
    yield games.chains(store, inventory, sample, progressed)
    yield games.indexes(store, inventory)
    yield plays.examine(store)
    yield games.orphans(store, inventory)
    yield games.unknown(inventory)


def mend(store: Store) -> list[str]:
    """Mend what can be made again: projections, what a restore left behind. No log is touched.

    Returns:
        What was done, a line each.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    done = games.mend(store)
    if plays.examine(store).level != "ok":
        store.plays.rebuild()
        done.append("past plays were listed and counted again")
    return done
