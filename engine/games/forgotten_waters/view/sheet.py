"""The state sheet: what the table writes on the back of the ship's log when it saves the game."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.forgotten_waters.scenario.effects import SKILLS, STATS
from engine.games.forgotten_waters.state import ROLES, WatersState
from engine.games.forgotten_waters.words import (
    cannon_name,
    card_name,
    listed,
    name_on,
    objective_name,
    page_name,
    pirate_name,
    printed,
)


def ship_sheet(state: WatersState, names: Sequence[str]) -> dict[str, str]:
    """The ship's side of the sheet: label and text."""
    pack = state.pack
    counts = [f"{printed(counter)} {value}" for counter, value in state.counts]
    dials = [
        f"{printed(feature.id)} {value} of {feature.max}"
        for feature, value in zip(state.features, state.dials, strict=True)
    ]
    tokens = [f"{space}: {name_on(state, space, token)}" for space, token in state.tokens]
    named = {"Ship's name": state.options.ship_name} if state.options.ship_name else {}
    return {
        "Scenario": state.options.book.title or pack.title,
        "Part": f"{state.part}, round {state.round}",
        "Page": page_name(state, state.page) if state.page else "the location book is closed",
        "Objective": f"{objective_name(state, state.objective)} (threat limit {state.threat_limit})",
        "Threat": f"{state.threat}; {state.threat_events} of {state.last_threat_event} threat events checked off",
        **named,
        "Ship": ", ".join(f"{stat} {getattr(state, stat)} of {state.maxima.of(stat)}" for stat in STATS),
        "Cannons": listed([cannon_name(cannon) for cannon in state.cannons]),
        "Dials": listed(dials),
        "Locked": listed([str(number) for number in state.locked]),
        "Infamy": listed([pirate_name(state, seat, names) for seat in state.infamy]),
        "Ship on": state.ship,
        "Map": listed(tokens),
        "Log": listed(counts),
        "Roles": "; ".join(f"{printed(role)}: {names[seat]}" for role, seat in zip(ROLES, state.roles, strict=True)),
        "Treasure deck": f"{len(state.treasure_pile)} cards, {len(state.treasure_discard)} discarded",
    }


def pirate_sheets(state: WatersState, names: Sequence[str]) -> dict[str, str]:
    """The pirates' side: each player and what lies before them."""
    return {
        f"{names[seat]} ({state.sheet(seat).title})": _pirate_sheet(state, seat, names)
        for seat in range(len(state.pirates))
    }


def _pirate_sheet(state: WatersState, seat: int, names: Sequence[str]) -> str:
    pirate = state.pirates[seat]
    skills = ", ".join(f"{skill} {pirate.filled(skill)}" for skill in SKILLS)
    return "; ".join(
        [
            f"{pirate_name(state, seat, names)}, {pirate.standee}",
            skills,
            f"stars {listed(pirate.stars)}",
            f"{pirate.events} events completed, {pirate.event_tokens} event tokens",
            f"treasures {listed([card_name(state, card) for card in pirate.treasures])}",
            f"stories {listed([card_name(state, card) for card in pirate.stories])}",
            f"{pirate.rerolls} re-roll, {pirate.misfortune} misfortune",
        ]
    )
