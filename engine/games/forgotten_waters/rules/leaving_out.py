"""Steps that players can forget, and the state after each step is skipped."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.forgotten_waters.headings import ACTION, EFFECTS, END_OF_ROUND, PLANNING
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.scenario.effects import Check, Choose, CompletePart, KeepFour, Roll, Saved
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.entries import with_entry
from engine.kit.steps import ENDING, Skip, due_act

CHOICE = due_act("choice", "choice of an action", PLANNING, "choose an action")
EFFECT = due_act("effect", "game effect", EFFECTS, "resolve a game effect")
_EFFECTS = {
    Check: due_act("effect", "skill check", EFFECTS, "make the skill check"),
    Choose: due_act("effect", "choice", EFFECTS, "choose an option"),
    Roll: due_act("effect", "die roll", EFFECTS, "roll the die"),
}
"""Steps with names of their own, for the effects that players skip most often."""
RESOLVING = due_act("action", "chosen action", ACTION, "resolve the chosen action")
STANDEE = due_act(
    "standee", "removal of the standee from the action", ACTION, "remove the standee from the action", has_result=False
)
ROUND_END = due_act("round_end", "reading of the Round End section", END_OF_ROUND, "read out the Round End section")

STEPS = (CHOICE, EFFECT, RESOLVING, STANDEE, ROUND_END)

_NOT_WITHOUT = (CompletePart, KeepFour, Saved)
"""Effects that cannot be skipped: those between parts, and the discard over the treasure limit."""

UNNOTICED = ("drowned", "mutiny", "threat")
"""Endings that players can miss, because they follow from the ship's log. The other ending, the goal, is read out."""


def skips(state: WatersState) -> Iterator[Skip[WatersState]]:
    """Yield the due step, with the table after the skip.

    A player who skips the choice of an action sits the round out.
    """
    if state.agenda:
        step = state.agenda[0]
        if not isinstance(step.effect, _NOT_WITHOUT):
            due = _EFFECTS.get(type(step.effect), EFFECT)
            yield Skip(due, step.seat, settle(replace(state, agenda=state.agenda[1:])))
    elif state.phase == "planning":
        if state.choosing:
            yield Skip(CHOICE, state.choosing[0], settle(replace(state, choosing=state.choosing[1:])))
    elif state.phase == "end_of_round":
        if not state.has_resolved:
            yield Skip(ROUND_END, state.scribe, settle(replace(state, has_resolved=True)))
    elif state.active is not None:
        done = replace(state, active=None, has_resolved=False, standees=with_entry(state.standees, state.active, 0))
        yield Skip(STANDEE if state.has_resolved else RESOLVING, state.active, settle(done))


def overlooks(state: WatersState) -> Iterator[Skip[WatersState]]:
    """Yield a loss by the ship's log that the players may have overlooked, and the table without this loss."""
    outcome = state.outcome
    if outcome is not None and outcome.reason in UNNOTICED:
        scribe = state.scribe if state.active is None else state.active
        yield Skip(ENDING, scribe, settle(state.with_play_resumed()))
