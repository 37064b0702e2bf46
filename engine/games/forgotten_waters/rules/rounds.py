"""The round: its start, the next step, the end, pages, and losses."""

from __future__ import annotations

from msgspec import UNSET

from engine.games.forgotten_waters.scenario.effects import CheckOffEvent
from engine.games.forgotten_waters.scenario.values import Feature, Place
from engine.games.forgotten_waters.state import Step, WatersState, replace


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
    """Start a new round on this page (FW-R2, FW-R21).

    Pending effects of the last round are dropped, except constellation events for which tokens are already discarded.
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
    """Return the state after the next automatic step of the round; the same state if a player must act.

    No effect may be pending.
    """
    if state.phase == "planning":
        if state.choosing:
            # If no action is left, the pirates without an action sit the round out.
            return state if any(map(state.is_open, state.places)) else replace(state, choosing=())
        order = state.infamy if state.options.infamy_order == "frozen" else ()
        return replace(state, phase="action", order=order, active=None)
    if state.phase == "action":
        return state if state.active is not None else _next_pirate(state)
    if state.has_resolved and not state.pack.is_open:
        return begin_round(state)
    return state


def apply_loss(state: WatersState) -> WatersState:
    """Apply the loss that follows from the ship's log, if any (FW-R12).

    A loss that the players have not noticed is ignored while its condition stays true.
    """
    losses = {
        "drowned": state.hull == 0,
        "mutiny": state.discontent >= state.crew,
        "threat": state.threat_events == state.last_threat_event,
    }
    lasting = [reason for reason, is_so in losses.items() if is_so]
    if not (lasting or state.unnoticed):
        return state
    state = state.keep_unnoticed(lasting)
    new = next((reason for reason in lasting if reason not in state.unnoticed), None)
    return state if new is None else state.lose(new)


def _next_pirate(state: WatersState) -> WatersState:
    """Activate the pirate on the lowest action number; of several pirates, the one with the most infamy (FW-R5)."""
    standees = state.standees
    left = [seat for seat in state.order or state.infamy if standees[seat]]
    if not left:
        return replace(state, turn=state.turn + 1, phase="end_of_round", has_resolved=False)
    return replace(state, turn=state.turn + 1, active=min(left, key=standees.__getitem__), has_resolved=False)
