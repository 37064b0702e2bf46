"""Performing Skill Checks: the dice that lie, what may still change them, and the total."""

from __future__ import annotations

from engine.games.forgotten_waters.scenario.effects import Check, SetDie
from engine.games.forgotten_waters.state import Step, WatersState
from engine.kit.effects import needed


def is_rolled(step: Step) -> bool:
    """Whether every die of a skill check lies on the table."""
    return bool(step.dice) and len(step.dice) >= step.due


def is_set(step: Step) -> bool:
    """Whether its die was set, not rolled: neither misfortune nor re-roll tokens touch it."""
    return bool(step.dice) and step.due == 0


def can_change(state: WatersState, step: Step) -> bool:
    """Whether the pirate has something for the dice that lie: a re-roll token, or a treasure (FW-R7, FW-R25)."""
    pirate = state.pirates[step.seat]
    if pirate.rerolls and not is_set(step):
        return True
    # What the cards of a table's own box add is entered as it is read out.
    return state.pack.is_open or any(is_of_use(state, step.seat, treasure) for treasure in pirate.treasures)


def is_of_use(state: WatersState, seat: int, treasure: str) -> bool:
    """Whether the dice of that seat's check wait for a treasure that could be discarded for its effect (FW-R25)."""
    card = state.pack.card[treasure]
    if card.when == "check":
        return adds_to_checks(state, treasure)
    if not card.discard or state.options.check_discards == "before_the_roll":
        return False
    return card.when == "anytime" or is_own_turn(state, seat)


def is_own_turn(state: WatersState, seat: int) -> bool:
    """Whether that pirate resolves its action now (FW-R25)."""
    return state.phase == "action" and seat == state.active


def adds_to_checks(state: WatersState, treasure: str) -> bool:
    """Whether discarding a treasure adds to a skill check, also once the die is rolled."""
    card = state.pack.card[treasure]
    return card.when == "check" and not any(isinstance(effect, SetDie) for effect in card.discard)


def total(state: WatersState, step: Step, check: Check) -> int:
    """The lowest die, the filled boxes, the icons, and what else adds to it (FW-R7)."""
    pirate = state.pirates[step.seat]
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    icons = state.icon_total(step.seat, check.skill)
    lowest = needed(min(step.dice, default=None))
    return lowest + pirate.filled(check.skill) + icons + check.bonus + step.bonus + cannons
