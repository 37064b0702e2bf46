"""Eruption and Ecocide: what happens to an island that loses its last resource."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.language import say
from engine.games.forever_island.components import (
    COUNTDOWN,
    ISLAND_INDEX,
    NOTHING,
    ONE,
    RESOURCE_OF,
    SHORES_OF,
    Island,
    printed,
)
from engine.games.forever_island.state import ForeverState, Totem, replace
from engine.kit.entries import with_entry


def reap(state: ForeverState, seat: int, island: Island) -> ForeverState:
    """One resource from the island to that seat's hand; Ecocide is `wither`'s to bring."""
    at = ISLAND_INDEX[island]
    hand = state.hands[seat] + ONE[RESOURCE_OF[at]]
    fertility = with_entry(state.fertility, at, state.fertility[at] - 1)
    return replace(state, fertility=fertility, hands=with_entry(state.hands, seat, hand))


def wither(state: ForeverState, island: Island) -> ForeverState:
    """Ecocide on the island, if its last resource has just gone."""
    at = ISLAND_INDEX[island]
    return state if state.fertility[at] else _ecocide(state, (at,))


def erupt(state: ForeverState) -> ForeverState:
    """Every undocked canoe is lost, every island loses a resource, and those that come to 0 die together."""
    piles = state.piles
    for count, resource in zip(state.fertility, RESOURCE_OF, strict=True):
        piles += ONE[resource] if count else NOTHING
    dying = [at for at, count in enumerate(state.fertility) if count == 1]
    state = replace(
        state,
        canoes=((),) * len(state.canoes),
        fertility=tuple(max(0, count - 1) for count in state.fertility),
        piles=piles,
        volcano=COUNTDOWN,
    )
    return _ecocide(state, dying)


def _ecocide(state: ForeverState, dying: Iterable[int]) -> ForeverState:
    """Huts and canoes there are destroyed, totems topple, and one resource comes back if there is one (FV-R25)."""
    for at in dying:
        shores = SHORES_OF[at]
        resource = RESOURCE_OF[at]
        has_token = state.piles.of(resource) > 0
        state = replace(
            state,
            huts=tuple(tuple(hut for hut in huts if hut.shore not in shores) for huts in state.huts),
            canoes=tuple(tuple(area for area in canoes if area not in shores) for canoes in state.canoes),
            totems=tuple(
                Totem(totem.shore, taxed=totem.taxed) if totem.shore in shores else totem for totem in state.totems
            ),
            fertility=with_entry(state.fertility, at, 1) if has_token else state.fertility,
            piles=state.piles - ONE[resource] if has_token else state.piles,
        )
    return state


def withers(state: ForeverState, island: Island) -> str:
    """The sentence of an account that says what the loss of one more resource brings; empty if nothing."""
    return f" {ecocide(printed(island))}" if state.fertility[ISLAND_INDEX[island]] == 1 else ""


def ecocide(islands: str) -> str:
    """What players call out when nothing is left on islands."""
    return say("Ecocide on {islands}!", islands=islands)
