"""Performing Skill Checks: the rolled dice, the possible changes to them, and the total."""

from __future__ import annotations

from engine.games.forgotten_waters.scenario.effects import Check, SetDie
from engine.games.forgotten_waters.state import Step, WatersState
from engine.kit.effects import needed, trait


def is_rolled(step: Step) -> bool:
    """Return True if every die of a skill check has been rolled."""
    return bool(step.dice) and len(step.dice) >= step.due


def is_set(step: Step) -> bool:
    """Return True if the die was set instead of rolled, so that misfortune and re-roll tokens do not affect it."""
    return bool(step.dice) and step.due == 0


def can_change(state: WatersState, step: Step) -> bool:
    """Return True if the pirate can still change the result with a re-roll token or a treasure (FW-R7, FW-R25)."""
    pirate = state.pirates[step.seat]
    if pirate.rerolls and not is_set(step):
        return True
    # Always true for a table's own box: its cards are unknown, and the players enter the bonus.
    of_use = (trait(card, lambda one: is_of_use(state, step.seat, one)) for card in pirate.treasures)
    return state.pack.is_open or any(of_use)


def is_of_use(state: WatersState, seat: int, treasure: str) -> bool:
    """Return True if a treasure can be discarded for its effect on the skill check of `seat` (FW-R25)."""
    card = state.pack.card[treasure]
    if card.when == "check":
        # The treasure adds to the check, even after the roll.
        return not any(isinstance(effect, SetDie) for effect in card.discard)
    if not card.discard or state.options.check_discards == "before_the_roll":
        return False
    return card.when == "anytime" or is_own_turn(state, seat)


def is_own_turn(state: WatersState, seat: int) -> bool:
    """Return True if the seat's pirate resolves its action now (FW-R25)."""
    return state.phase == "action" and seat == state.active


def total(state: WatersState, step: Step, check: Check) -> int:
    """Return the total: the sum of the lowest die, the filled boxes, the icons, and other bonuses (FW-R7)."""
    pirate = state.pirates[step.seat]
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    icons = state.icon_total(step.seat, check.skill)
    lowest = needed(min(step.dice, default=None))
    return lowest + pirate.filled_boxes(check.skill) + icons + check.bonus + step.bonus + cannons
