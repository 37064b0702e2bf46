"""Steps that players can forget, and the state after each step is skipped."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import marked, plural
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.adventurers import end_look
from engine.games.forbidden_desert.headings import ADVENTURERS, DRAW_STORM, GEAR, STORM_PICKS_UP
from engine.games.forbidden_desert.state import DesertState, replace
from engine.games.forbidden_desert.storm import storm_card_done
from engine.games.forbidden_desert.turn import next_turn, settle
from engine.kit.steps import ENDING, DueStep, Skip, due_act, due_cards

STORM_CARDS = due_cards("storm_cards", "storm card", DRAW_STORM)
END_OF_TURN = due_act("end_turn", "end of a turn without a storm card", DRAW_STORM, "end the turn", has_result=False)
EQUIPMENT_CARD = DueStep(
    "equipment_card", "equipment card", GEAR, cards=lambda count: plural(count, "equipment card", "equipment cards")
)
STORM_LOOK = due_act("storm_look", "look at the storm deck", ADVENTURERS, "finish looking at the storm deck")
STORM_LEVEL = DueStep(
    "storm_level",
    "step up on the storm meter",
    STORM_PICKS_UP,
    missed=marked("{player} did not move the storm marker up"),
)

STEPS = (EQUIPMENT_CARD, STORM_LOOK, STORM_CARDS, END_OF_TURN, STORM_LEVEL)


def skips(state: DesertState) -> Iterator[Skip[DesertState]]:
    """Yield the step that is due, with the table after it is skipped. Seen cards go back on top of the storm deck."""
    if state.watcher is not None:
        yield Skip(STORM_LOOK, state.watcher, end_look(replace(state, looks_left=0)))
    elif state.must_draw_equipment:
        yield Skip(EQUIPMENT_CARD, state.active, settle(replace(state, must_draw_equipment=False)))
    else:
        due = state.storm_due
        yield Skip(STORM_CARDS if due else END_OF_TURN, state.active, next_turn(state), due or 1)


def overlooks(state: DesertState) -> Iterator[Skip[DesertState]]:
    """Yield the last automatic effect (a rise of the storm level, or a loss), and the table without this effect."""
    if state.outcome is not None:
        if state.outcome.result == "lost":
            resumed = state.with_play_resumed()
            yield Skip(
                ENDING, state.active, settle(resumed) if resumed.storm_left is None else storm_card_done(resumed)
            )
    elif state.storm_tick > 1:
        drawer = state.active if state.storm_drawn else (state.active - 1) % state.seats
        if (state.storm_drawn or state.storm_discard)[-1:] == (box.STORM_PICKS_UP,):
            yield Skip(STORM_LEVEL, drawer, replace(state, storm_tick=state.storm_tick - 1))
