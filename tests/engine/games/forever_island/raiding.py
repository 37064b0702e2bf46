"""Raids for tests."""

from __future__ import annotations

from typing import Any

from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.playing import do

HERE = "log_1_b"


def war(
    *,
    own: Any = (HERE, HERE),
    their: Any = (HERE, HERE),
    canoes: Any = (),
    seats: int = 2,
    **fields: Any,
) -> Any:
    """Return a position in which raids are open: Ada and Bo have huts on the same shore, and one elsewhere."""
    huts = [[*own, "hog_1_b"], [*their, "hog_2_b"]]
    return atoll(**{"huts": huts, "canoes": canoes, "has_erected": True, "seats": seats, **fields})


def declare_raid(area: str = HERE, **fields: Any) -> Any:
    return do(war(**fields), "p1", "declare_raid", defender="p2", area=area)


def lost_pieces(*, huts: Any = (), docked: Any = (), afloat: int = 0) -> dict[str, Any]:
    return {"huts": list(huts), "docked": list(docked), "afloat": afloat}


def fought(thrown: int, guess: int, **fields: Any) -> Any:
    state = do(declare_raid(**fields), "p1", "throw_spears", spears=thrown)
    return do(state, "p2", "guess_spears", spears=guess)
