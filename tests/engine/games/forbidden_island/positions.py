"""Positions of Forbidden Island and its variants to test with.

The tiles lie in the order of the alphabet, so that the island can be read like a map:

                                     breakers_bridge    bronze_gate
                  cave_of_embers     cave_of_shadows    cliffs_of_abandon  copper_gate
coral_palace      crimson_forest     dunes_of_deception fools_landing      gold_gate       howling_garden
iron_gate         lost_lagoon        misty_marsh        observatory        phantom_rock    silver_gate
                  temple_of_the_moon temple_of_the_sun  tidal_palace       twilight_hollow
                                     watchtower         whispering_garden
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engine.games.forbidden_island.components import TILES, TREASURES, treasure_deck
from engine.games.forbidden_island.state import IslandState
from engine.kit.piles import Pile
from engine.play import registry

FORBIDDEN_ISLAND = "forbidden-island"
ARCHAENS = "forbidden-island-archaens"
ALL_CAPTURED = TREASURES

# The actions, treasure draws and flood draws that remain in each phase by default.
_LEFT = {
    "actions": (3, 2, 0),
    "draw_treasure": (0, 2, 0),
    "discard": (0, 1, 0),
    "draw_flood": (0, 0, 2),
    "swim": (0, 0, 0),
    "sink": (0, 0, 0),
}


def island(
    ruleset: str = FORBIDDEN_ISLAND,
    *,
    roles: Sequence[str] = ("messenger", "engineer"),
    pawns: Sequence[str] = (),
    flooded: Iterable[str] = (),
    sunk: Iterable[str] = (),
    hands: Sequence[Sequence[str]] = (),
    captured: Sequence[str] = (),
    phase: str = "actions",
    treasure_pile: Iterable[str] | None = None,
    treasure_discard: Iterable[str] = (),
    flood_pile: Iterable[str] | None = None,
    flood_discard: Iterable[str] = (),
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """Return a position of `ruleset`: an IslandState, or the state of a variant.

    Args:
        pawns: the tile of each pawn; a missing pawn is on the start tile of its role.
        hands: the cards of each seat; a missing hand is empty.
        treasure_pile: its cards, in one layer; by default all cards outside of hands and the discard pile. If it is
            given, the other cards are discarded.
        flood_pile: like `treasure_pile`.
        fields: further fields of the state.
    """
    rules = registry.ruleset(ruleset)
    assert issubclass(rules.state, IslandState)
    edition = rules.state.edition
    starts = [edition.roles[role].start for role in roles]
    hands = [tuple(sorted(hand)) for hand in hands] + [()] * (len(roles) - len(hands))
    treasures = Counter(treasure_deck(edition)) - Counter(card for hand in hands for card in hand)
    floods = Counter[str](TILES) - Counter(sunk)
    treasure_pile, treasure_discard = _split(treasures, treasure_pile, treasure_discard)
    flood_pile, flood_discard = _split(floods, flood_pile, flood_discard)
    actions_left, treasure_draws_left, flood_draws_left = _LEFT[phase]
    state = rules.state(
        **{
            "turn": 1,
            "phase": phase,
            "options": rules.parse_options(options or {}, len(roles)),
            "layout": TILES,
            "flooded": frozenset(flooded),
            "sunk": frozenset(sunk),
            "roles": tuple(roles),
            "pawns": (*pawns, *starts[len(pawns) :]),
            "hands": tuple(hands),
            "treasure_pile": Pile.shuffled(treasure_pile),
            "treasure_discard": tuple(treasure_discard),
            "flood_pile": Pile.shuffled(flood_pile),
            "flood_discard": tuple(flood_discard),
            "captured": tuple(captured),
            "water_level": 1,
            "active": 0,
            "actions_left": actions_left,
            "treasure_draws_left": treasure_draws_left,
            "flood_draws_left": flood_draws_left,
            **fields,
        }
    )
    assert rules.check_invariants(state) == []
    return state


def _split(
    cards: Counter[str], pile: Iterable[str] | None, discard: Iterable[str]
) -> tuple[Iterable[str], Iterable[str]]:
    if pile is None:
        discard = tuple(discard)
        return (cards - Counter(discard)).elements(), discard
    pile = tuple(pile)
    return pile, tuple((cards - Counter(pile)).elements())
