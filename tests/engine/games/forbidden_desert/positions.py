"""Positions of Forbidden Desert for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games.forbidden_desert.components import ROLES, SPACES, STORM_DECK, DesertSide, Role, equipment_deck
from engine.games.forbidden_desert.ruleset import ForbiddenDesert
from engine.games.forbidden_desert.state import DesertOptions, DesertState, Tile, replace
from engine.kit.piles import Pile

RULES = ForbiddenDesert()
SIDES: dict[str, DesertSide] = {"r5c5": "crash", "r4c1": "water", "r5c1": "water", "r5c2": "water"}


def table(
    *roles: str,
    at: Sequence[str] | str = "r1c1",
    sand: Mapping[str, int] | None = None,
    city: Mapping[str, Any] | None = None,
    peeked: Mapping[str, Any] | None = None,
    parts: Mapping[str, tuple[Any, ...]] | None = None,
    hole: Any = "r3c3",
    options: Mapping[str, Any] | None = None,
    **changes: Any,
) -> DesertState:
    """Return a table in p1's turn: sand only as in `sand`, only `city` excavated, full canteens, untouched decks.

    The wreck is at r5c5, the tiles with a water drop at r4c1, r5c1 and r5c2.

    Args:
        roles: the adventurer of each seat.
        at: the space of each pawn, or one space for all.
        city: the excavated spaces; `peeked`: the spaces that were only looked at.
        changes: further fields of the state.
    """
    sand, city, peeked, parts = sand or {}, city or {}, {"r5c5": "gear", **(peeked or {})}, parts or {}
    board = [
        None
        if space == hole
        else Tile(
            desert_side=SIDES.get(space, "plain"),
            city_side=city.get(space, peeked.get(space)),
            is_excavated=space in city,
            sand=sand.get(space, 0),
            parts=parts.get(space, ()),
        )
        for space in SPACES
    ]
    who = tuple(map(Role, roles))
    state = DesertState(
        turn=1,
        phase="actions",
        options=DesertOptions(**(options or {})),
        board=tuple(board),
        hole=hole,
        sand_supply=48 - sum(sand.values()),
        roles=who,
        pawns=(at,) * len(who) if isinstance(at, str) else tuple(at),  # type: ignore[arg-type]  # spaces, in short
        water=tuple(ROLES[role].canteen for role in who),
        equipment=((),) * len(who),
        shielded=(False,) * len(who),
        equipment_pile=Pile.shuffled(equipment_deck(with_tracker=False)),
        storm_pile=Pile.shuffled(STORM_DECK),
        storm_tick=1,
        active=0,
        actions_left=4,
    )
    return replace(state, **changes)
