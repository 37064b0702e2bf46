"""Positions of Forever Island for tests, and functions that read them.

The volcano lies in the middle, so that each island borders on it and on its two neighbours:

        log_2   frog_2
    hog_2   volcano   hog_1
        frog_1   log_1

The totems lie on shore a of every island except frog_2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.values import SEAT_INDEX
from engine.games.forever_island.components import (
    HUTS_OF,
    ISLANDS,
    NOTHING,
    OWNER,
    RESOURCE_OF,
    RESOURCES,
    SHORES,
    TOKENS,
    Goods,
)
from engine.games.forever_island.state import ForeverState, Hut, Totem
from engine.play import registry

RULES = registry.ruleset("forever-island")
TILES = ("volcano", "hog_1", "log_1", "frog_1", "hog_2", "log_2", "frog_2")
COORDINATES = ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
TOTEM_SHORES = ("hog_1_a", "hog_2_a", "log_1_a", "log_2_a", "frog_1_a")
RICH = Goods(5, 5, 5)


def atoll(
    *,
    huts: Sequence[Sequence[str]] = (),
    canoes: Sequence[Sequence[str]] = (),
    docked: Mapping[str, str] | None = None,
    new: Iterable[str] = (),
    harvested: Iterable[str] = (),
    fertility: Mapping[str, int] | None = None,
    hands: Sequence[Goods] = (),
    standing: Iterable[str] = (),
    extensions: Mapping[str, int] | None = None,
    taxed: Mapping[str, int] | None = None,
    seats: int = 2,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """Return a position in turn 3, which is the first seat's turn.

    Args:
        huts: the shores of each seat's huts, numbered in that order; a missing seat has one hut on frog_2_b.
        canoes: the areas of each seat's undocked canoes.
        docked: for each hut, the seat whose canoe is docked in it.
        new: the huts built in this turn.
        harvested: the huts that have harvested in this turn.
        fertility: the fertility of each island (default: 3).
        hands: the goods of each seat; a missing hand is empty.
        standing: the shores of the totems that stand.
        fields: further fields of the state.
    """
    grown = tuple((fertility or {}).get(island, 3) for island in ISLANDS)
    goods = (*hands, *(NOTHING for _ in range(seats - len(hands))))
    up = set(standing)
    state = ForeverState(
        **{
            "turn": 3,
            "phase": "actions",
            "options": RULES.parse_options(options or {}, seats),
            "tiles": TILES,
            "coordinates": COORDINATES,
            "fertility": grown,
            "piles": Goods(**{kind: _count_left(kind, grown, goods) for kind in RESOURCES}),
            "hands": goods,
            "huts": tuple(
                tuple(
                    Hut(
                        id_,
                        shore,
                        3 if id_ in new else 0,
                        3 if id_ in harvested else 0,
                        SEAT_INDEX[docked[id_]] if docked and id_ in docked else None,
                    )
                    for id_, shore in zip(HUTS_OF[seat], own, strict=False)
                )
                for seat, own in enumerate((*huts, *(["frog_2_b"] for _ in range(seats - len(huts)))))
            ),
            "canoes": tuple(tuple(sorted(own)) for own in (*canoes, *(() for _ in range(seats - len(canoes))))),
            "totems": tuple(
                Totem(shore, shore in up, (extensions or {}).get(shore, 0), (taxed or {}).get(shore, 0))
                for shore in sorted(TOTEM_SHORES, key=SHORES.index)
            ),
            "has_erected": bool(up),
            "volcano": 3,
            "first": 0,
            "active": 0,
            **fields,
        }
    )
    assert RULES.check_invariants(state) == []
    return state


def _count_left(kind: str, grown: Sequence[int], hands: Sequence[Goods]) -> int:
    on_islands = sum(count for count, grows in zip(grown, RESOURCE_OF, strict=True) if grows == kind)
    return TOKENS - on_islands - sum(getattr(hand, kind) for hand in hands)


def ranges(state: Any, actor: str) -> dict[str, Any]:
    """Return the schema of the legal params for `actor`, for each type with more actions than are listed."""
    return {legal.kind.type: legal.params for legal in RULES.legal_ranges(state) if actor in legal.actors}


def fertility_of(state: ForeverState, island: str) -> int:
    """Return the number of resources on an island."""
    return next(count for name, count in zip(ISLANDS, state.fertility, strict=True) if name == island)


def hut(state: ForeverState, id_: str) -> Hut | None:
    """Return a hut; None if it is not on the board."""
    return next((one for one in state.huts[OWNER[id_]] if one.id == id_), None)


def huts_of(state: ForeverState, seat: int) -> list[str]:
    """Return the shores of a seat's huts, by number."""
    return [one.shore for one in state.huts[seat]]


def totem(state: ForeverState, shore: str) -> Totem:
    """Return the totem on a shore."""
    return next(one for one in state.totems if one.shore == shore)
