"""A working copy of the things of a state, to move things and to reveal face-down ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from driftlog.any_game.state import BoxState, Item, Items, count_unseen, size, sort_items
from driftlog.kit import Chance, Weighed, say

MOST_OPTIONS = 20_000
"""Maximum number of equally likely results of a draw with exact odds."""


class Cannot(Exception):
    """The components do not allow an action; the message is a sentence."""


class Stuff:
    """A working copy of the things of a state, which its methods change."""

    def __init__(self, state: BoxState) -> None:
        self.table = state.table
        self.counts = dict(state.counts)
        self._state = state
        self.places: dict[str, list[tuple[Item, int]]] = {place: list(items) for place, items in state.things}
        self.pools: dict[int, Counter[Item]] = {at: Counter(dict(items)) for at, items in enumerate(state.pools)}
        self.is_about = state.is_about

    def result(self) -> BoxState:
        """Return the changed state in canonical form: pools are numbered in the order of their places."""
        self._simplify()
        places = sorted((place, items) for place, items in self.places.items() if items)
        numbers: dict[int, int] = {}
        for _, items in places:
            for item, _ in items or ():
                self._number(item, numbers)
        found = {place: self._renumber(place, items, numbers) for place, items in places}
        pools = sorted(numbers, key=numbers.__getitem__)
        return replace(
            self._state,
            things=tuple(sorted(found.items())),
            pools=tuple(
                sort_items((_number_item(item, numbers), n) for item, n in self.pools[at].items()) for at in pools
            ),
            counts=tuple(sorted(self.counts.items())),
            is_about=self.is_about and bool(pools),
        )

    def at(self, place: str) -> list[tuple[Item, int]]:
        """Return the items in a place."""
        return self.places.setdefault(place, [])

    def is_pile(self, place: str) -> bool:
        """Return True if a place is a face-down pile."""
        return self.table.spots[place].kind == "pile"

    # Moving.

    def add(self, place: str, item: Item, count: int = 1, *, bottom: bool = False) -> None:
        """Put things into a place, on top of a pile or at its bottom."""
        if self._is_at_home(item, place):
            return
        items = self.at(place)
        if not self.is_pile(place):
            items[:] = sort_items([*items, (item, count)])
            return
        items.insert(len(items) if bottom else 0, (item, count))
        items[:] = _merge(items)

    def remove(self, place: str, item: Item, count: int = 1) -> None:
        """Take some of an item out of a place; from a pile, take the topmost ones."""
        items, left = self.at(place), count
        for at, (one, there) in enumerate(items):
            taken = min(left, there) if one == item else 0
            items[at] = (one, there - taken)
            left -= taken
        assert not left
        items[:] = _merge(entry for entry in items if entry[1])

    def take(self, place: str, thing: str, count: int) -> None:
        """Take things of a kind out of a place; this reveals face-down things.

        Raises:
            Cannot: the place has too few of them.
        """
        if self._is_at_home(thing, place):
            return
        seen = sum(n for item, n in self.at(place) if item == thing)
        if seen >= count:
            self.remove(place, thing, count)
            return
        if seen or count > 1 or thing not in self.odds(self._unseen(place)):
            raise Cannot(say("That place does not have that many things."))
        self._reveal(place, self._unseen(place), thing)

    def take_unseen(self, place: str, chance: Chance | None) -> Item:
        """Take a face-down thing out of a place and return it. If `chance` is given, reveal the thing.

        Raises:
            Cannot: the place has no face-down thing.
        """
        if self.is_pile(place):
            return self.take_top(place, chance)
        unseen = self._unseen(place)
        if not unseen:
            raise Cannot(say("That place has no face-down things."))
        if chance is not None:
            return self._ask_thing(place, unseen, chance)
        if self.table.spots[place].kind == "hand":
            # A card that is taken from a hand unseen can be any card of the hand, including a known one.
            self.mix(place, self.at(place))
        elif len(unseen) > 1:
            self.mix(place, unseen)
        ((item, _),) = self._unseen(place)
        self.remove(place, item)
        return item

    def take_top(self, place: str, chance: Chance | None) -> Item:
        """Take the top thing of a pile and return it. If `chance` is given, reveal the thing.

        Raises:
            Cannot: the pile is empty.
        """
        if not self.at(place):
            raise Cannot(say("The pile is empty."))
        item, _ = self.at(place)[0]
        if chance is not None and isinstance(item, int):
            return self._ask_thing(place, [(item, 1)], chance)
        self.remove(place, item)
        return item

    def look(self, place: str, count: int, chance: Chance) -> None:
        """Reveal face-down things without moving them; in a pile, reveal the top ones in their order.

        Raises:
            Cannot: the place has fewer face-down things.
        """
        there = self.at(place)
        if (size(there) if self.is_pile(place) else count_unseen(there)) < count:
            raise Cannot(say("That place does not have that many things."))
        take = self.take_top if self.is_pile(place) else self.take_unseen
        for item in reversed([take(place, chance) for _ in range(count)]):
            self.add(place, item)

    def shuffle(self, place: str) -> None:
        """Shuffle a pile."""
        self.mix(place, self.at(place))

    def mix(self, place: str, items: Iterable[tuple[Item, int]]) -> None:
        """Turn items of a place face down and mix them. Their order is then unknown."""
        mixed = list(sort_items(items))
        if len(mixed) > 1:
            for item, count in mixed:
                self.remove(place, item, count)
            pool = max(self.pools, default=-1) + 1
            self.pools[pool] = Counter(dict(mixed))
            self.add(place, pool, size(mixed))

    def forget_endless(self) -> None:
        """Remove things in unlimited supply from their home places, which need no count of them."""
        for place, items in self.places.items():
            items[:] = [(item, count) for item, count in items if not self._is_at_home(item, place)]

    def _is_at_home(self, item: Item, place: str) -> bool:
        return isinstance(item, str) and self.is_endless(item) and place == self.table.kinds[item].home

    def is_endless(self, thing: str) -> bool:
        """Return True if the supply of a kind of thing is unlimited."""
        kind = self.table.kinds.get(thing)
        return kind is not None and kind.is_unlimited and thing not in self.counts

    # Face-down things.

    def odds(self, items: Iterable[tuple[Item, int]]) -> dict[str, Fraction]:
        """Return the probability of each kind of thing, if one of these items is drawn."""
        known: dict[int, dict[str, Fraction]] = {}
        return self._odds(list(items), known)

    def _odds(self, items: list[tuple[Item, int]], known: dict[int, dict[str, Fraction]]) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        total = size(items)
        for item, count in items:
            part = Fraction(count, total)
            if isinstance(item, str):
                found[item] = found.get(item, Fraction(0)) + part
                continue
            if item not in known:
                known[item] = self._odds(list(self.pools[item].items()), known)
            for thing, p in known[item].items():
                found[thing] = found.get(thing, Fraction(0)) + part * p
        return found

    def _unseen(self, place: str) -> list[tuple[Item, int]]:
        return [(item, count) for item, count in sort_items(self.at(place)) if isinstance(item, int)]

    def _ask_thing(self, place: str, unseen: list[tuple[Item, int]], chance: Chance) -> str:
        """Ask which thing one of the `unseen` items is, and take it out of the place."""
        found = self._options(unseen)
        thing = found[0] if found[0] == found[-1] else chance.draw("card", found)
        self._reveal(place, unseen, thing)
        return thing

    def _options(self, unseen: list[tuple[Item, int]]) -> Sequence[str]:
        """Return the possible results for one of the `unseen` items, sorted.

        Likelier results are repeated in proportion.
        """
        ((pool, _),) = unseen if len(unseen) == 1 else [(-1, 0)]
        contents = self.pools.get(int(pool), {0: 0})
        if all(isinstance(item, str) for item in contents):
            found = [str(item) for item, count in sort_items(contents.items()) for _ in range(count)]
            return Weighed(found, "about") if self.is_about else tuple(found)
        odds, is_about = self.odds(unseen), self.is_about
        whole = math.lcm(*(p.denominator for p in odds.values()))
        if whole > MOST_OPTIONS:
            whole, is_about = MOST_OPTIONS, True
        each = (thing for thing, p in sorted(odds.items()) for _ in range(max(1, round(p * whole))))
        return Weighed(each, "about" if is_about else "exact")

    def _reveal(self, place: str, unseen: list[tuple[Item, int]], thing: str) -> None:
        ways = sorted(self._ways(unseen, thing, Fraction(1)), key=lambda way: (-way[0], way[1]))
        # If several chains of pools lead to the thing, the contents of these pools would depend on each other from now
        # on. As an approximation, take only the likeliest chain.
        self.is_about |= len(ways) > 1
        first, *rest = ways[0][1]
        self.remove(place, first)
        pool = first
        chain: tuple[Item, ...] = (*rest, thing)
        for inner in chain:
            contents = self.pools[pool]
            contents[inner] -= 1
            contents += Counter()
            if isinstance(inner, int):
                pool = inner

    def _ways(
        self, items: Iterable[tuple[Item, int]], thing: str, weight: Fraction
    ) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
        """Yield each chain of pools that leads from one of these items to the thing, with its probability."""
        entries = list(items)
        total = size(entries)
        for item, count in entries:
            part = weight * Fraction(count, total)
            if item == thing:
                yield part, ()
            elif isinstance(item, int):
                for chance, way in self._ways(self.pools[item].items(), thing, part):
                    yield chance, (item, *way)

    def _simplify(self) -> None:
        """Merge each pool that lies wholly inside another, and replace each pool of one kind with that kind."""
        is_changed = True
        while is_changed:
            is_changed = False
            for pool, contents in list(self.pools.items()):
                if pool not in self.pools:
                    continue
                if not contents:
                    del self.pools[pool]
                elif len(contents) == 1:
                    self._replace(pool, next(iter(contents)))
                    is_changed = True
                else:
                    outer = next((at for at, one in self.pools.items() if one[pool] == contents.total()), None)
                    if outer is not None:
                        del self.pools[outer][pool]
                        self.pools[outer] += contents
                        del self.pools[pool]
                        is_changed = True

    def _replace(self, pool: int, by: Item) -> None:
        """Replace the face-down things of a pool with another item everywhere."""
        del self.pools[pool]
        for contents in self.pools.values():
            if count := contents.pop(pool, 0):
                contents[by] += count
        for place, items in self.places.items():
            found = [(by if item == pool else item, count) for item, count in items]
            items[:] = _merge(found) if self.is_pile(place) else sort_items(found)

    def _number(self, item: Item, numbers: dict[int, int]) -> None:
        if isinstance(item, int) and item not in numbers:
            numbers[item] = len(numbers)
            for inner in sorted(one for one in self.pools[item] if isinstance(one, int)):
                self._number(inner, numbers)

    def _renumber(self, place: str, items: list[tuple[Item, int]], numbers: dict[int, int]) -> Items:
        found = [(_number_item(item, numbers), count) for item, count in items]
        return tuple(found) if self.is_pile(place) else sort_items(found)


def _number_item(item: Item, numbers: dict[int, int]) -> Item:
    return item if isinstance(item, str) else numbers[item]


def _merge(items: Iterable[tuple[Item, int]]) -> list[tuple[Item, int]]:
    found: list[tuple[Item, int]] = []
    for item, count in items:
        if found and found[-1][0] == item:
            found[-1] = (item, found[-1][1] + count)
        else:
            found.append((item, count))
    return found
