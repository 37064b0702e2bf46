"""Eruption and Ecocide: an island that loses its last resource dies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.core.language import say
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Island, printed_name
from engine.games.forever_island.state import ForeverState, Totem, replace
from engine.kit.entries import with_entry


def reap(state: ForeverState, seat: int, island: Island) -> ForeverState:
    """Move one resource from the island to the seat's hand. If it was the last one, apply Ecocide."""
    at = box.ISLAND_INDEX[island]
    state = state.with_hand(seat, state.hands[seat] + box.ONE[box.RESOURCE_OF[at]])
    state = replace(state, fertility=with_entry(state.fertility, at, state.fertility[at] - 1))
    return state if state.fertility[at] else _ecocide(state, (at,))


def erupt(state: ForeverState) -> ForeverState:
    """Remove all undocked canoes, and one resource from every island. All islands that reach 0 die at the same time."""
    piles = state.piles
    for count, resource in zip(state.fertility, box.RESOURCE_OF, strict=True):
        piles += box.ONE[resource] if count else box.NOTHING
    dying = [at for at, count in enumerate(state.fertility) if count == 1]
    state = replace(
        state,
        canoes=((),) * len(state.canoes),
        fertility=tuple(max(0, count - 1) for count in state.fertility),
        piles=piles,
        volcano=box.COUNTDOWN,
    )
    return _ecocide(state, dying)


def _ecocide(state: ForeverState, dying: Iterable[int]) -> ForeverState:
    """Destroy the huts and canoes on dying islands, topple totems, and return one resource if possible (FV-R25)."""
    for at in dying:
        shores = box.SHORES_OF[at]
        resource = box.RESOURCE_OF[at]
        has_token = state.piles.of(resource) > 0
        state = replace(
            state,
            huts=tuple(tuple(hut for hut in huts if hut.shore not in shores) for huts in state.huts),
            canoes=tuple(tuple(area for area in canoes if area not in shores) for canoes in state.canoes),
            totems=tuple(
                Totem(totem.shore, taxed=totem.taxed) if totem.shore in shores else totem for totem in state.totems
            ),
            fertility=with_entry(state.fertility, at, 1) if has_token else state.fertility,
            piles=state.piles - box.ONE[resource] if has_token else state.piles,
        )
    return state


def withering(state: ForeverState, islands: Iterable[Island]) -> str:
    """Return the sentences about Ecocide after a resource is taken from each island; empty if all islands survive."""
    counts = Counter(islands).items()
    return "".join(
        f" {ecocide(printed_name(one))}" for one, count in counts if state.fertility[box.ISLAND_INDEX[one]] == count
    )


def ecocide(islands: str) -> str:
    """Return the sentence about Ecocide on `islands`."""
    return say("Ecocide on {islands}!", islands=islands)
