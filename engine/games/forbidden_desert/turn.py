"""Order of Play: the next step, the awaited players, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.values import SEAT_IDS, GameOutcome
from engine.games.forbidden_desert.components import ACTIONS_PER_TURN, BLOCKED, INDEX, PARTS, SKULL_MARK, printed_name
from engine.games.forbidden_desert.headings import ADVENTURERS, DIG_OUT, GEAR, LOSING, TAKE_ACTIONS, WINNING
from engine.games.forbidden_desert.state import DesertState, replace
from engine.kit.actions import in_words
from engine.kit.ruleset import Action, Refusal

_NOT_YOUR_TURN = Refusal(TAKE_ACTIONS, "It is another player's turn.")
_ACTIONS_OVER = Refusal(TAKE_ACTIONS, "The actions of this turn are over.")
_BURIED = Refusal(DIG_OUT, "That pawn is buried and must be dug out first.")
_INTERRUPTED = {
    "draw_equipment": Refusal(GEAR, "A gear was found. Draw its equipment card first."),
    "look": Refusal(ADVENTURERS, "A player is looking at the storm deck. Finish that first."),
    "place": Refusal(ADVENTURERS, "A player is looking at the storm deck. Finish that first."),
}


class DesertAction(Action[DesertState], frozen=True):
    """An action of Forbidden Desert.

    Its texts use the printed names of components, and name a space by the known side of its tile.
    """

    word = staticmethod(printed_name)

    def words(self, state: DesertState, names: Sequence[str]) -> dict[str, Any]:
        return in_words(self, names, lambda value: state.place_name(value) if value in INDEX else printed_name(value))


def interruption(state: DesertState) -> Refusal | None:
    """Return the refusal of every other action while a decision is open (FD-R40); None if no decision is open."""
    return _INTERRUPTED.get(state.phase)


def no_turn(state: DesertState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot take an action now, or None. This does not check if the pawn is buried."""
    if seat != state.active:
        return _NOT_YOUR_TURN
    return None if state.phase == "actions" else interruption(state) or _ACTIONS_OVER


def no_action(state: DesertState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot take an action now, or None (FD-R17, FD-R43)."""
    return no_turn(state, seat) or (_BURIED if state.is_buried(seat) else None)


def spend_action(state: DesertState, seat: int) -> DesertState:
    """Return `state` with one action less. An action out of turn costs none."""
    is_in_turn = state.phase == "actions" and seat == state.active
    return settle(replace(state, actions_left=state.actions_left - 1) if is_in_turn else state)


def settle(state: DesertState) -> DesertState:
    """Apply automatic consequences: take-off if the team is ready, otherwise an update of the phase."""
    if has_taken_off(state):
        return _win(state)
    phase = phase_of(state)
    return state if state.phase == phase else replace(state, phase=phase)


def phase_of(state: DesertState) -> str:
    """Return the current phase of the turn."""
    if state.watcher is not None:
        return "look" if state.looks_left else "place"
    if state.must_draw_equipment:
        return "draw_equipment"
    return "actions" if state.actions_left and state.storm_left is None else "storm"


def apply_ending(state: DesertState) -> DesertState:
    """Return `state` with the ending that the rulebook prescribes for it, if any."""
    if SKULL_MARK in state.water and "thirst" not in state.unnoticed:
        return lose(state, "thirst")
    if not state.storm_level:
        return lose(state, "swept_away")
    return _win(state) if has_taken_off(state) else state


def has_taken_off(state: DesertState) -> bool:
    """Return True if the team has all parts and is ready to take off."""
    return len(state.collected) == len(PARTS) and is_ready_to_take_off(state)


def _win(state: DesertState) -> DesertState:
    return replace(state, outcome=GameOutcome("won", SEAT_IDS[: state.seats], "took_off", WINNING))


def is_ready_to_take_off(state: DesertState) -> bool:
    """Return True if every pawn is on the Launch Pad, which is excavated and not blocked (FD-R30)."""
    if len(set(state.pawns)) > 1:
        return False
    tile = state.tile_of(0)
    return tile.is_excavated and tile.city_side == "launch_pad" and tile.sand < BLOCKED


def next_turn(state: DesertState) -> DesertState:
    """Begin the turn of the player to the left; that player's Solar Shield ends (FD-R10)."""
    active = (state.active + 1) % state.seats
    return replace(
        state,
        turn=state.turn + 1,
        phase="actions",
        active=active,
        actions_left=ACTIONS_PER_TURN,
        weakened=0,
        storm_left=None,
        storm_discard=state.storm_discard + state.storm_drawn,
        storm_drawn=(),
        shielded=(*state.shielded[:active], False, *state.shielded[active + 1 :]),
    )


def lose(state: DesertState, reason: str) -> DesertState:
    """End the game as lost for everyone."""
    return replace(state, outcome=GameOutcome("lost", (), reason, LOSING))
