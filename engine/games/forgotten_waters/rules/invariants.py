"""Invariants of every position: the components are conserved, and the markers stay on their tracks."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from engine.games.forgotten_waters.rules.holdings import free_tokens
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.rules.rounds import apply_loss
from engine.games.forgotten_waters.scenario.effects import Check, KeepFour, TurnPage
from engine.games.forgotten_waters.scenario.pack import CANNON_LIMIT, EVENTS, ROLES, TREASURE_LIMIT
from engine.games.forgotten_waters.scenario.values import SKILLS, STATS
from engine.games.forgotten_waters.state import Phase, WatersState


def violations(state: WatersState) -> list[str]:
    """Return the violated invariants of the round and its counters.

    The components must be valid (see `broken_components`).
    """
    broken = [name for name, holds in (_round(state) | _scenario(state) | _log(state)).items() if not holds]
    if broken or state.outcome is not None:
        return broken
    # Run `settle` last: it needs a player for the next effect, and an awaited player in each phase (both checked
    # above).
    return [] if settle(state) is state else ["no automatic step of the rules is due"]


def _round(state: WatersState) -> dict[str, bool]:
    is_over, is_acting = state.outcome is not None, state.phase == "action"
    return {
        "turns and parts are counted from 1": state.turn >= 1 and state.part >= 1,
        "rounds are counted from 1 once the book is open": state.round >= (1 if state.page else 0),
        "actions are chosen in the planning phase, by each player once": is_over
        or ((state.phase == "planning" or not state.choosing) and len(set(state.choosing)) == len(state.choosing)),
        "players with a standee on the page have chosen": is_over
        or not any(state.standees[seat] for seat in state.choosing),
        "an action is resolved in the action phase, and only there": is_over
        or (bool(state.agenda) if is_acting and state.active is None else is_acting or state.active is None),
        "a skill check takes one die or two": all(step.due in (0, 1, 2) and step.bonus >= 0 for step in state.agenda),
    }


def _scenario(state: WatersState) -> dict[str, bool]:
    pack = state.pack
    if pack.is_open:
        return {}
    stories = {card for pirate in state.pirates for card in pirate.stories}
    return {
        # No page is valid only during the setup, which ends with a turn to the first page.
        "the page belongs to the scenario": state.page in pack.page
        or (not state.page and any(isinstance(step.effect, TurnPage) for step in state.agenda[-1:])),
        "the objective belongs to the scenario": state.objective in pack.objective_card,
        "the story cards belong to the scenario": stories <= pack.story_ids,
        "the tokens on the map belong to the scenario": {token for _, token in state.tokens} <= pack.token.keys(),
        "the entries belong to the scenario": pack.entry.keys() >= set(state.entries),
        "icons and names are entered only for a table's own box": not (state.icons or state.names),
    }


def _log(state: WatersState) -> dict[str, bool]:
    layers = state.navigation_pile.layers
    counters = [counter for counter, _ in state.counts]
    return {
        "the tracks end at 0 to 99": all(0 <= getattr(state.maxima, stat) <= 99 for stat in STATS),
        "a threat limit of 1 to 5": 1 <= state.threat_limit <= 5,
        "the numbers of the log are 1 to 99": all(1 <= value <= 99 for _, value in state.counts)
        and len(set(counters)) == len(counters),
        "icons add 0 to 12": all(0 <= n <= 12 for _, _, n in state.icons),
        "no more tokens are face down than are unseen": state.is_version_1
        or len(state.face_down) <= (len(layers[0]) if layers else 0),
    }


def broken_components(state: WatersState) -> list[str]:
    """Return the violated invariants of the components and markers."""
    return [name for name, holds in (_ship(state) | _players(state) | _page(state)).items() if not holds]


def _ship(state: WatersState) -> dict[str, bool]:
    pack, spaces = state.pack, state.map.spaces()
    every_token = Counter(pack.navigation_counts)
    on_the_map = Counter(token for _, token in state.tokens if token in every_token)
    taken = [*(space for space, _ in state.tokens), *state.face_down]
    loss = None if state.outcome is not None else apply_loss(state).outcome
    stats = ((getattr(state, stat), getattr(state.maxima, stat)) for stat in STATS)
    return {
        "each ship stat within 0 and its maximum": all(0 <= stat <= most for stat, most in stats),
        "the game is lost without hull, or by mutiny": loss is None or loss.reason == "threat",
        "at most 4 cannons": len(state.cannons) <= CANNON_LIMIT and list(state.cannons) == sorted(state.cannons),
        "no more cannons of a level than in the box": all(state.cannons_left(one.level) >= 0 for one in state.cannons),
        "no more threat than threat tokens": 0 <= state.threat <= pack.tokens.threat,
        "no more threat events checked off than in the ship's log": 0 <= state.threat_events <= state.last_threat_event,
        "the last threat event ends the game": loss is None or loss.reason != "threat",
        "the ship is on the map, off the rocks": state.ship in spaces and not state.is_rocky(state.ship),
        "every token on a space of the map": spaces.keys() >= set(taken),
        "at most one token on each space": len(set(taken)) == len(taken),
        "face-down tokens are navigation tokens": state.is_version_1 or free_tokens(state) >= 0 or not state.face_down,
        "every navigation token in the supply or on the map": Counter(state.navigation_pile.cards()) + on_the_map
        == every_token,
    }


def _players(state: WatersState) -> dict[str, bool]:
    pirates, tokens, seats = state.pirates, state.pack.tokens, set(range(len(state.pirates)))
    played = [card for pirate in pirates for card in pirate.treasures]
    treasures = [*state.treasure_pile.cards(), *state.treasure_discard, *played]
    stories = [card for pirate in pirates for card in pirate.stories]
    actors = {state.active, *state.choosing, *(step.seat for step in state.agenda)} - {None}
    # In version 1, a treasure can be used before the discard that is due.
    too_many = Counter(step.seat for step in state.agenda if isinstance(step.effect, KeepFour))
    return {
        "every treasure in the deck, discarded or in play": sorted(treasures)
        == sorted(card.id for card in state.pack.treasures),
        "a story card is before one pirate": len(set(stories)) == len(stories),
        "at most 4 treasures": all(
            len(pirate.treasures) <= TREASURE_LIMIT + too_many[seat] for seat, pirate in enumerate(pirates)
        ),
        "infamy without gaps or ties": sorted(state.infamy) == sorted(seats),
        "a frozen order lists each player once": not state.order or sorted(state.order) == sorted(seats),
        "each player has a role": set(state.roles) == seats and len(state.roles) == len(ROLES),
        "a standee for each player": len(state.standees) == len(seats),
        "only players of the game act, decide and choose": actors <= seats,
        "the rules have this phase": state.phase in get_args(Phase),
        "in the planning phase, a player must choose": state.phase != "planning"
        or bool(state.choosing or state.agenda)
        or state.outcome is not None,
        "each standee and each sheet once": len({pirate.standee for pirate in pirates})
        == len({pirate.sheet for pirate in pirates})
        == len(seats),
        "the sheet has all filled boxes": all(
            len(pirate.boxes) == len(SKILLS)
            and all(0 <= pirate.filled_boxes(skill) <= len(state.sheet(seat).boxes[skill]) for skill in SKILLS)
            for seat, pirate in enumerate(pirates)
        ),
        "stars linked to the start": all(
            state.sheet(seat).link_order(pirate.stars) == pirate.stars and len(set(pirate.stars)) == len(pirate.stars)
            for seat, pirate in enumerate(pirates)
        ),
        "event tokens and events from event stars": all(
            min(pirate.event_tokens, pirate.events) >= 0 and pirate.event_tokens + pirate.events <= EVENTS
            for pirate in pirates
        ),
        "re-roll tokens within the supply": all(pirate.rerolls >= 0 for pirate in pirates)
        and sum(pirate.rerolls for pirate in pirates) <= tokens.rerolls,
        "misfortune within the supply": all(pirate.misfortune >= 0 for pirate in pirates)
        and sum(pirate.misfortune for pirate in pirates) <= tokens.misfortune,
    }


def _page(state: WatersState) -> dict[str, bool]:
    numbers = {place.number for place in state.places}
    single = [place.number for place in state.places if place.kind != "unlimited"]
    return {
        "chosen actions are on the page": set(state.taken) <= numbers and set(state.standees) <= numbers | {0},
        "a limited or required action is taken once": all(state.taken.count(number) <= 1 for number in single),
        "locks on actions of the page": set(state.locked) <= numbers and len(state.locked) <= state.pack.tokens.locks,
        "each dial is between 0 and the maximum of its feature": len(state.dials) == len(state.features)
        and all(0 <= dial <= feature.max for dial, feature in zip(state.dials, state.features, strict=True)),
        "dice only in skill checks": all(
            1 <= die <= 12 and isinstance(step.effect, Check) for step in state.agenda for die in step.dice
        ),
    }
