"""Facts about a table of Forbidden Desert."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.games.forbidden_desert.components import STORM_DECK, equipment_deck
from engine.games.forbidden_desert.state import DesertState
from engine.kit.facts import Told
from engine.kit.piles import Pile
from engine.play.corrections import facts
from tests.engine.games.forbidden_desert.positions import RULES, table

NAMES = ("Ada", "Bo")
ROLES = ("navigator", "climber")
ENGINE = {"r1c2": "clue_engine_row", "r2c4": "clue_engine_column"}
SUNS = ["sun_beats_down"] * 4


def desert(**changes: Any) -> DesertState:
    return table(*ROLES, **changes)


def reported_facts(*documents: dict[str, Any], is_whole: bool = False) -> Told:
    return Told(facts.read(RULES, documents, 2, ""), is_whole=is_whole)


def after(state: DesertState, *documents: dict[str, Any], is_whole: bool = False) -> Any:
    """Return the table after an adjustment to these facts."""
    correction = facts.resolve(RULES, NAMES, state, list(reported_facts(*documents)), is_whole=is_whole)
    return facts.apply_correction(RULES, NAMES, state, correction)


def unsound_reason(state: DesertState, *documents: dict[str, Any]) -> str:
    with pytest.raises(UnsoundTable) as error:
        after(state, *documents)
    return error.value.message


def fact(kind: str, **fields: Any) -> dict[str, Any]:
    return {"fact": kind, **fields}


def tile(space: str, side: str, city_side: str | None = None, *, is_excavated: bool = False) -> dict[str, Any]:
    return fact("tile_is", space=space, side=side, city_side=city_side, is_excavated=is_excavated)


def table_with_cards(
    *, drawn: list[str] | None = None, discarded: list[str] | None = None, **changes: Any
) -> DesertState:
    """Return a table with these storm cards drawn and discarded, and the others in the deck."""
    pile = Pile.shuffled(STORM_DECK)
    for card in (*(drawn or ()), *(discarded or ()), *changes.get("seen", ())):
        pile = pile.without(card)
    left = {"storm_left": 1, "actions_left": 0, "phase": "storm"} if drawn else {}
    return desert(
        **{"storm_pile": pile, "storm_drawn": tuple(drawn or ()), "storm_discard": tuple(discarded or ())}
        | left
        | changes
    )


def holding(*hands: list[str], used: list[str] | None = None, **changes: Any) -> DesertState:
    """Return a table with these equipment cards in hands and out of the game."""
    pile = Pile.shuffled(equipment_deck(with_tracker=False))
    for card in (*(card for hand in hands for card in hand), *(used or ())):
        pile = pile.without(card)  # type: ignore[arg-type]  # cards, in short
    return desert(equipment=tuple(map(tuple, hands)), equipment_pile=pile, equipment_used=tuple(used or ()), **changes)
