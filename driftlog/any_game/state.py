"""The state of a table: the things in each place, as far as the players have seen them.

A place has *items*, each with a count: a kind of thing (its id), or face-down things of a *pool* (its number). A pool
is a set of things that lie face down, in one or several places. Nobody knows which is which: all orders are equally
likely. A pool can contain face-down things of another pool, for example after seen cards were shuffled among unseen
ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from driftlog.any_game.box import Box
from driftlog.any_game.table import Table, table_of
from driftlog.kit import State

Item = str | int
"""A kind of thing, or the number of a pool."""
Items = tuple[tuple[str | int, int], ...]
"""Items with their counts, sorted. The items of a pile are in order from the top instead, and can repeat."""


class BoxState(State, frozen=True, kw_only=True):
    """The state of the table."""

    box: Box
    seats: int
    active: int = 0
    """The seat whose turn it is; 0 if there are no turns."""
    things: tuple[tuple[str, Items], ...] = ()
    """The items of each place that is not empty, sorted by place."""
    pools: tuple[Items, ...] = ()
    """The contents of each pool."""
    meters: tuple[tuple[int | str, ...], ...] = ()
    """For each meter, its values: one for each seat, or one for the table."""
    dice: tuple[tuple[int | str, ...], ...] = ()
    """The last roll of each set of dice, sorted; empty before the first."""
    counts: tuple[tuple[str, int], ...] = ()
    """The corrected number of things of each kind for which the box is wrong, sorted."""
    is_about: bool = False
    """True if the probabilities of the pools are only approximate."""

    @property
    def table(self) -> Table:
        """The components."""
        return table_of(self.box, self.seats)

    def has_kind(self, thing: str) -> bool:
        """Return True if the game has things of this kind."""
        return thing in self.table.kinds or any(thing == one for one, _ in self.counts)

    def at(self, place: str) -> Items:
        """Return the items in a place."""
        return next((items for id_, items in self.things if id_ == place), ())


def sort_items(items: Iterable[tuple[Item, int]]) -> Items:
    """Return items sorted and without repeats. Kinds of things come before pools."""
    found: dict[Item, int] = {}
    for item, count in items:
        found[item] = found.get(item, 0) + count
    return tuple(sorted(((item, count) for item, count in found.items() if count), key=order))


def order(entry: tuple[Item, int]) -> tuple[bool, str, int]:
    """Return the key that sorts items."""
    item = entry[0]
    return (False, item, 0) if isinstance(item, str) else (True, "", item)


def size(items: Iterable[tuple[Item, int]]) -> int:
    """Return the total number of things in a list of items."""
    return sum(count for _, count in items)


def count_unseen(items: Iterable[tuple[Item, int]]) -> int:
    """Return the number of face-down things that nobody has seen."""
    return sum(count for item, count in items if isinstance(item, int))
