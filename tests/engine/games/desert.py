"""Positions of Forbidden Desert to test with, and what a player does in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.chance import Observed
from engine.errors import IllegalAction
from engine.events import Value
from engine.games.forbidden_desert.components import ROLES, SPACES, STORM_DECK, DesertSide, Role, equipment_deck
from engine.games.forbidden_desert.ruleset import ForbiddenDesert
from engine.games.forbidden_desert.state import DesertOptions, DesertState, Tile, replace
from engine.piles import Pile

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
    """A table in p1's turn: no sand but `sand`, nothing excavated but `city`, full canteens, the decks untouched.

    The wreck lies at r5c5, the tiles with a water drop at r4c1, r5c1 and r5c2.

    Args:
        roles: the adventurer of each seat.
        at: where the pawns stand; a single space for all.
        city: what has been excavated; `peeked`: what has only been seen.
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


def act(state: DesertState, actor: str, kind: str, *came_up: Value, **params: Any) -> DesertState:
    """The state after `actor` has done that, `came_up` being what chance did."""
    action = RULES.parse(kind, params)
    seat = RULES.judge(state, action, actor)
    chance = Observed()
    chance.begin(3, came_up)
    after = action.apply(state, seat, chance)
    chance.finish()
    return after


def refused(state: DesertState, actor: str, kind: str, **params: Any) -> str:
    """The sentence with which the rules refuse that."""
    with pytest.raises(IllegalAction) as error:
        RULES.judge(state, RULES.parse(kind, params), actor)
    assert error.value.rule in RULES.sections
    return error.value.message


def offered(state: DesertState, actor: str, kind: str) -> list[Any]:
    """What `actor` may do of that kind, in the order of the list."""
    return [legal.action for legal in RULES.legal_actions(state) if legal.actor == actor and legal.action.type == kind]


def chances(state: DesertState, actor: str, kind: str, **params: Any) -> tuple[Value, ...]:
    """All that can come up when `actor` does that, equal things apart."""
    action = RULES.parse(kind, params)
    (legal,) = [legal for legal in RULES.legal_actions(state) if legal.actor == actor and legal.action == action]
    point = RULES.chance_point(state, legal)
    assert point is not None
    return point.options
