"""Positions of Forgotten Waters for tests. Ada, Bo, Cleo, … are p1, p2, p3, …, in that order of infamy.

With three players the roles go round: Ada is Ship Scribe, Boatswain
and Lookout, Bo is Quartermaster and Cooper, Cleo is First Mate and Gunner.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.rules.rounds import turn_page
from engine.games.forgotten_waters.scenario.effects import Effect
from engine.games.forgotten_waters.scenario.packs import EDITIONS
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Observed
from engine.kit.piles import Pile
from engine.play import registry

FORGOTTEN_WATERS = "forgotten-waters"
SHEETS = ("bellringer", "taxman", "cook", "ghost", "prodigy", "cartographer", "duellist")
TABLE_SHEETS = ("alchemist", "assassin", "doomed", "duelist", "grifter", "orphan", "seeker")


def voyage(
    seats: int = 3, options: dict[str, Any] | None = None, version: str | None = None, **fields: Any
) -> WatersState:
    """Return the start of the first round of The Bell Below, without pending effects; `fields` are fields of the state.

    Rules are tested with the scenario's first edition, which no longer changes.
    """
    rules = registry.ruleset(FORGOTTEN_WATERS, version)
    given = options or {}
    is_open = given.get("scenario") == "table"
    sheets = TABLE_SHEETS if is_open else SHEETS
    edition = {} if is_open or version == "1" else {"edition": "first"}
    chosen = {"pirates": [{"sheet": sheet} for sheet in sheets[:seats]], **edition, **given}
    chance = Observed()
    chance.begin(2, tuple(f"p{seat + 1}" for seat in range(seats)))
    state: Any = rules.setup(rules.parse_options(chosen, seats), seats, chance)
    chance.finish()
    if not is_open:
        page = state.pack.page["gullet_harbour"]
        state = turn_page(replace(state, turn=0, round=0), page.id, page.places, page.features)
    return replace(state, **{"agenda": (), **fields})


def resolving(*effects: dict[str, Any], state: WatersState | None = None, seat: int = 0) -> WatersState:
    """Return a state in which a seat resolves an action, and `effects` are pending."""
    state = voyage() if state is None else state
    state = replace(state, phase="action", active=seat, has_resolved=True, choosing=())
    wanted = [msgspec.convert(effect, Effect) for effect in effects]
    after = settle(push(state, seat, wanted))
    assert registry.ruleset(FORGOTTEN_WATERS).check_invariants(after) == []
    return after


def having(state: WatersState, seat: int = 0, **fields: Any) -> WatersState:
    """Return `state` with other values for a pirate. The pirate's treasures are taken from the deck."""
    held = {card for one in (*state.pirates, *state.with_pirate(seat, **fields).pirates) for card in one.treasures}
    cards = [card.id for card in state.pack.treasures if card.id not in {*held, *state.treasure_discard}]
    return replace(state, treasure_pile=Pile.shuffled(cards)).with_pirate(seat, **fields)


def boxes(**filled: int) -> tuple[int, ...]:
    """Return the number of filled boxes of each skill, in the order of a sheet."""
    return tuple(filled.get(skill, 0) for skill in ("aim", "brawn", "exploration", "hunting", "navigation", "swagger"))


def at_table(**book: Any) -> WatersState:
    """Return a table that has just opened its own book."""
    return voyage(options={"scenario": "table", "book": book})


BELL = EDITIONS["first"]["the_bell_below"]
