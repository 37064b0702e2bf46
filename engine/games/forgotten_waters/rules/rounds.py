"""The round: planning, actions and its end, pages, what comes next once nothing waits to be resolved, and losing."""

from __future__ import annotations

from msgspec import UNSET

from engine.games.forgotten_waters.scenario.effects import CheckOffEvent, Feature, Place
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.effects import needed


def turn_page(state: WatersState, page: str, places: tuple[Place, ...], features: tuple[Feature, ...]) -> WatersState:
    """Remove all tokens from the page, turn to `page`, and begin a round there."""
    turned = replace(
        state,
        page=page,
        places=places,
        features=features,
        dials=tuple(min(feature.start, feature.max) for feature in features),
        locked=tuple(sorted(place.number for place in places if place.is_locked)),
    )
    return begin_round(turned, is_page_turned=True)


def begin_round(state: WatersState, *, is_page_turned: bool = False) -> WatersState:
    """Go into a new round on this page (FW-R2, FW-R21).

    Nothing of the last one waits any longer, but constellation events whose tokens are discarded: they are still read.
    """
    starter = state.quartermaster
    rules = state.pack.rules_for(len(state.pirates))
    owed = (step for step in state.agenda if isinstance(step.effect, CheckOffEvent))
    return replace(
        state,
        turn=state.turn + 1,
        phase="planning",
        round=state.round + 1,
        choosing=state.infamy,
        has_timer_run_out=False,
        taken=(),
        standees=(0,) * len(state.pirates),
        order=(),
        active=None,
        has_resolved=False,
        has_stopped=False,
        is_page_turned=UNSET if state.is_version_1 else is_page_turned,
        agenda=(*owed, *(Step(starter, effect) for rule in rules for effect in rule.round_start)),
    )


def advance(state: WatersState) -> WatersState:
    """What comes next, nothing waiting to be resolved; the same state where a player has to act."""
    if state.phase == "planning":
        if state.choosing:
            # A pirate for whom no action is left sits the round out.
            return state if state.has_open_place() else replace(state, choosing=())
        order = state.infamy if state.options.infamy_order == "frozen" else ()
        return replace(state, phase="action", order=order, active=None)
    if state.phase == "action":
        return state if state.active is not None else _next_pirate(state)
    if state.has_resolved and not state.pack.is_open:
        return begin_round(state)
    return state


def ended(state: WatersState) -> WatersState:
    """The state with the loss that the rulebook names for what the ship's log says, if it names one."""
    if state.hull == 0:
        return state.lost("drowned")
    if state.discontent >= state.crew:
        return state.lost("mutiny")
    return state.lost("threat") if state.threat_events == state.last_threat_event else state


def _next_pirate(state: WatersState) -> WatersState:
    """Number by number, and within a number by infamy (FW-R5)."""
    standees = state.standees
    numbers = [number for number in standees if number]
    if not numbers:
        return replace(state, turn=state.turn + 1, phase="end_of_round", has_resolved=False)
    lowest = min(numbers)
    seat = needed(next((seat for seat in state.order or state.infamy if standees[seat] == lowest), None))
    return replace(state, turn=state.turn + 1, active=seat, has_resolved=False)
