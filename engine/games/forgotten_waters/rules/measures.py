"""Measures: numbers on the table that effects use. Also the conditions on them, and the totals of skill checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import cast

from engine.games.forgotten_waters.scenario.effects import Check, SetDie
from engine.games.forgotten_waters.scenario.values import STATS, Condition, Skill
from engine.games.forgotten_waters.state import DIFFICULTIES, Step, WatersState
from engine.kit.effects import needed, trait

_OF_THE_TABLE: dict[str, Callable[[WatersState], int]] = {
    **{name: attrgetter(name) for name in (*STATS, "threat", "threat_limit", "round", "part")},
    "cannons": lambda state: len(state.cannons),
    "loaded_cannons": lambda state: sum(cannon.is_loaded for cannon in state.cannons),
    "players": lambda state: len(state.pirates),
    "difficulty": lambda state: DIFFICULTIES.index(state.options.difficulty) + 1,
}
_OF_A_PIRATE = ("treasures", "stories", "rerolls", "misfortune", "stars", "event_tokens", "events")
"""Members of a pirate that are measures: numbers, and collections by their length."""
_OF_A_THING: dict[str, Callable[[WatersState, int, str], int]] = {
    # Only filled boxes count, not icons (FW-R20).
    "skill": lambda state, seat, skill: state.pirates[seat].filled_boxes(cast("Skill", skill)),
    "dial": lambda state, _, dial: next(
        (value for feature, value in zip(state.features, state.dials, strict=True) if feature.id == dial), 0
    ),
    "count": lambda state, _, counter: state.count(counter),
    "story": lambda state, seat, story: int(story in state.pirates[seat].stories),
    "objective": lambda state, _, objective: int(state.objective == objective),
    "token": lambda state, _, token: int(state.token_on(state.ship) == token),
    "entry": lambda state, _, entry: state.entries.count(entry),
}

NUMBERS = (*_OF_THE_TABLE, "infamy", *_OF_A_PIRATE)
"""Names of all measures: of the table, and of each pirate."""


def measure(state: WatersState, seat: int, of: str) -> int:
    """Return the value of the measure `of`. For a measure of pirates, return the value for the seat's pirate."""
    if of in _OF_THE_TABLE:
        return _OF_THE_TABLE[of](state)
    if of == "infamy":
        return len(state.infamy) - state.infamy.index(seat)
    if of in _OF_A_PIRATE:
        value = getattr(state.pirates[seat], of)
        return len(value) if isinstance(value, tuple) else value
    kind, _, thing = of.partition(":")
    return _OF_A_THING[kind](state, seat, thing)


def holds(state: WatersState, seat: int, when: Iterable[Condition]) -> bool:
    """Return True if every condition is true."""
    for condition in when:
        value = measure(state, seat, condition.of)
        if condition.at_least is not None and value < condition.at_least:
            return False
        if condition.at_most is not None and value > condition.at_most:
            return False
    return True


def most(state: WatersState, of: str) -> int:
    """Return the seat with the highest value; in a tie, the seat with more infamy (FW-R19)."""
    return max(state.infamy, key=lambda seat: measure(state, seat, of))


def least(state: WatersState, of: str) -> int:
    """Return the seat with the lowest value; in a tie, the seat with less infamy (FW-R19)."""
    return min(reversed(state.infamy), key=lambda seat: measure(state, seat, of))


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
    """Return the total: the lowest die, the filled boxes, the icons, and other bonuses (FW-R7)."""
    pirate = state.pirates[step.seat]
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    icons = state.icon_total(step.seat, check.skill)
    lowest = needed(min(step.dice, default=None))
    return lowest + pirate.filled_boxes(check.skill) + icons + check.bonus + step.bonus + cannons
