"""The facts of a Forgotten Waters table."""

from __future__ import annotations

from engine.games.forgotten_waters.facts import book, pirates, ship
from engine.games.forgotten_waters.facts import round as rounds
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.rules.rounds import apply_loss
from engine.games.forgotten_waters.scenario.values import STATS
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.facts import Told, kinds_in

FACTS = kinds_in(book, pirates, ship, rounds)
"""All kinds of facts, in the order of application."""


def complete_table(state: WatersState, told: Told) -> WatersState:  # noqa: ARG001  # the protocol sets the arguments
    """Complete a table by the rules.

    Limit markers to their tracks, apply endings, and resolve pending effects until a player must act.

    Raises:
        CannotBe: a pirate has more constellation events than event stars.
    """
    within = {stat: min(getattr(state, stat), getattr(state.maxima, stat)) for stat in STATS}
    order = () if state.phase == "planning" else state.order
    return settle(apply_loss(pirates.with_events_of_stars(replace(state, order=order, **within))))
