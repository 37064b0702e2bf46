"""Performing Skill Checks: the dice that lie, what may still change them, and the total."""

from __future__ import annotations

from engine.games.forgotten_waters.effects import Check, SetDie
from engine.games.forgotten_waters.state import Step, WatersState

PERFORMING = "Performing Skill Checks"
MISFORTUNE = "Misfortune Tokens"
REROLL = "Re-roll Tokens"


def is_rolled(step: Step) -> bool:
    """Whether every die of a skill check lies on the table."""
    return bool(step.dice) and len(step.dice) >= step.due


def is_set(step: Step) -> bool:
    """Whether its die was set, not rolled: neither misfortune nor re-roll tokens touch it."""
    return bool(step.dice) and step.due == 0


def can_change(state: WatersState, step: Step) -> bool:
    """Whether the pirate may still change a total: with a re-roll token, or with a treasure."""
    pirate = state.pirates[step.seat]
    if pirate.rerolls and not is_set(step):
        return True
    # What the cards of a table's own box add is entered as it is read out.
    return state.pack.is_open or any(adds_to_checks(state, treasure) for treasure in pirate.treasures)


def adds_to_checks(state: WatersState, treasure: str) -> bool:
    """Whether discarding a treasure adds to a skill check, also once the die is rolled."""
    card = state.pack.card[treasure]
    return card.when == "check" and not any(isinstance(effect, SetDie) for effect in card.discard)


def total(state: WatersState, step: Step, check: Check) -> int:
    """The lowest die, the filled boxes, the icons, and what else adds to it (FW-R7)."""
    pirate = state.pirates[step.seat]
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    icons = state.icon_total(step.seat, check.skill)
    return min(step.dice) + pirate.filled(check.skill) + icons + check.bonus + step.bonus + cannons
