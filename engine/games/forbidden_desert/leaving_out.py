"""What a table may forget, and how its game goes on then."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.forbidden_desert.adventurers import end_look
from engine.games.forbidden_desert.headings import ADVENTURERS, DRAW_STORM, GEAR
from engine.games.forbidden_desert.state import DesertState, replace
from engine.games.forbidden_desert.turn import next_turn, settle
from engine.kit.steps import DueStep, Skip

STORM_CARDS = DueStep("storm_cards", "storm cards", DRAW_STORM, is_plural=True)
END_OF_TURN = DueStep("end_turn", "end of a turn without a storm card", DRAW_STORM)
EQUIPMENT_CARD = DueStep("equipment_card", "equipment card", GEAR)
STORM_LOOK = DueStep("storm_look", "look at the storm deck", ADVENTURERS)

STEPS = (EQUIPMENT_CARD, STORM_LOOK, STORM_CARDS, END_OF_TURN)


def skips(state: DesertState) -> Iterator[Skip[DesertState]]:
    """The step that is due, and the table without it: what was looked at lies on the storm deck again."""
    if state.watcher is not None:
        yield Skip(STORM_LOOK, state.watcher, end_look(replace(state, looks_left=0)))
    elif state.must_draw_equipment:
        yield Skip(EQUIPMENT_CARD, state.active, settle(replace(state, must_draw_equipment=False)))
    else:
        yield Skip(STORM_CARDS if state.storm_due else END_OF_TURN, state.active, next_turn(state))
