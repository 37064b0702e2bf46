"""Odds of face-down things equal an enumeration of all tables, or are marked as approximate."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from driftlog.any_game import ANY_GAME
from driftlog.any_game.state import BoxState
from engine.kit.chance import Observed
from engine.kit.kernel import LegalAction
from tests.quick import quick

BOXES = 200
EVENTS = 30
KINDS = ("ash", "elm", "fir", "oak")
PLACES = ("deck", "other", "p1_hand", "p2_hand", "table")
World = tuple[tuple[str, tuple[str, ...]], ...]
"""The true cards of each place; of a pile from the top."""
Worlds = dict[World, Fraction]


def a_box(rng: random.Random) -> dict[str, Any]:
    """Return a random small box: a pile of up to five cards, another pile, and hands."""
    counts = Counter(rng.choices(KINDS, k=rng.randint(3, 6)))
    return {
        "id": "small",
        "title": "Small",
        "places": [
            {"id": "hand", "kind": "hand"},
            {"id": "deck", "kind": "pile"},
            {"id": "other", "kind": "pile"},
            {"id": "table"},
        ],
        "things": [{"name": name, "place": "deck", "count": count} for name, count in counts.items()],
    }


def world_of(places: dict[str, list[str]]) -> World:
    return tuple((place, tuple(places[place])) for place in PLACES)


def shuffle_pile(worlds: Worlds, pile: str) -> Worlds:
    """Return the tables after a pile was shuffled."""
    found: Worlds = {}
    for world, weight in worlds.items():
        cards = dict(world)[pile]
        orders = list(permutations(cards))
        for order in orders:
            after = world_of({**{place: list(there) for place, there in world}, pile: list(order)})
            found[after] = found.get(after, Fraction(0)) + weight / len(orders)
    return found


def take_cards(
    world: World, source: str, seen: Counter[str], *, is_shown: bool
) -> Iterator[tuple[str, World, Fraction]]:
    """Yield each card that can be taken from a place without naming it, the table after that, and its probability.

    Args:
        seen: the cards in the place that everyone knows.
    """
    places = {place: list(cards) for place, cards in world}
    cards = places[source]
    if source in {"deck", "other"}:
        yield cards[0], world_of({**places, source: cards[1:]}), Fraction(1)
        return
    # One of the cards that nobody has seen, or any card if nobody sees which one is taken.
    choice = list((Counter(cards) - seen).elements()) if is_shown else cards
    for card in choice:
        left = list(cards)
        left.remove(card)
        yield card, world_of({**places, source: left}), Fraction(1, len(choice))


def move_cards(worlds: Worlds, source: str, target: str, seen: Counter[str], *, is_shown: bool) -> dict[str, Worlds]:
    """Return the tables after a move, by moved card."""
    found: dict[str, Worlds] = {}
    for world, weight in worlds.items():
        for card, after, p in take_cards(world, source, seen, is_shown=is_shown):
            places = {place: list(cards) for place, cards in after}
            places[target] = [card, *places[target]] if target in {"deck", "other"} else sorted([*places[target], card])
            same = found.setdefault(card, {})
            key = world_of(places)
            same[key] = same.get(key, Fraction(0)) + weight * p
    return found


def put_on(worlds: Worlds, source: str, target: str, card: str) -> Worlds:
    """Return the tables after a known card was put on a pile."""
    found: Worlds = {}
    for world, weight in worlds.items():
        places = {place: list(cards) for place, cards in world}
        places[source].remove(card)
        places[target].insert(0, card)
        after = world_of(places)
        found[after] = found.get(after, Fraction(0)) + weight
    return found


@pytest.mark.parametrize("seed", quick(list(range(BOXES)), lambda seed: seed < 60))
def test_odds_are_those_of_all_tables(seed: int) -> None:
    rng = random.Random(seed)
    box = a_box(rng)
    rules = ANY_GAME.at({"box": box})
    state: BoxState = rules.setup(rules.parse_options({"box": box}, 2), 2, Observed())
    cards = [thing["name"] for thing in box["things"] for _ in range(thing["count"])]
    worlds = shuffle_pile(
        {world_of({place: cards if place == "deck" else [] for place in PLACES}): Fraction(1)}, "deck"
    )
    for _ in range(EVENTS):
        if rng.random() < 0.2:
            pile = rng.choice(["deck", "other"])
            state = rules.parse("shuffle", {"place": pile}).apply(state, 0, Observed())
            worlds = shuffle_pile(worlds, pile)
            continue
        known = [(place, str(item)) for place, items in state.things for item, _ in items if isinstance(item, str)]
        known = [(place, card) for place, card in known if place not in {"deck", "other"}]
        if known and rng.random() < 0.4:
            (source, card), target = rng.choice(known), rng.choice(["deck", "other"])
            action = rules.parse("move", {"thing": card, "from": source, "to": target})
            state = action.apply(state, 0, Observed())
            worlds = put_on(worlds, source, target, card)
            continue
        source, target = rng.choice(PLACES[:4]), rng.choice(PLACES[:4] * 3 + PLACES[4:])
        is_shown = rng.random() < 0.3
        action = rules.parse("move", {"thing": None, "from": source, "to": target, "shown": is_shown})
        if source == target or action.refusal(state, 0) is not None:
            continue
        seen = Counter({str(item): count for item, count in state.at(source) if isinstance(item, str)})
        ways = move_cards(worlds, source, target, seen, is_shown=is_shown)
        chance, point = Observed(), rules.chance_point(state, LegalAction(action, 0))
        if point is not None:
            total = sum(sum(after.values()) for after in ways.values())
            exact = {card: Fraction(sum(after.values())) / total for card, after in ways.items()}
            assert point.odds == "about" or point.probabilities() == exact, (action, state)
            card = rng.choice(sorted(exact.keys() & set(point.options)))
            chance.begin(3, (card,))
            ways = {card: ways[card]}
        assert not is_shown or len(ways) == 1
        state = action.apply(state, 0, chance)
        worlds = {}
        for after in ways.values():
            for world, weight in after.items():
                worlds[world] = worlds.get(world, Fraction(0)) + weight
