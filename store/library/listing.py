"""Where a game stands in the list: the indexes in which it is found, and the tallies in which it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.core.text import search_key
from store import keys
from store.library import finding, tallies
from store.library.summaries import Summary
from store.library.tallies import Tally

_FIRST = (keys.SUMMARIES, keys.DELETED, keys.SAID, keys.UNLISTED)


class Place(msgspec.Struct, frozen=True):
    """How a game stands in an index."""

    score: float = 0.0
    register: str | None = None
    """The set of all indexes of that kind: one in which no game stands is none of them."""
    entry: str = ""
    """What this one is called there."""


Standing = tuple[dict[str, Place], Counter[tuple[str, str]]]
"""The places of an entry, and what it counts for."""


def places(game: Summary) -> dict[str, Place]:
    """All indexes that a game stands in."""
    at = {
        keys.ALL_GAMES: Place(),
        keys.OPENED: Place(finding.opening(game.opened_at)),
        keys.LENGTH: Place(game.seconds),
        keys.index("ruleset", game.ruleset): Place(),
        keys.index("status", game.status): Place(),
    }
    if game.result is not None:
        at[keys.index("result", game.result)] = Place()
    if game.fork is not None:
        at[keys.index("parent", game.fork.game)] = Place()
    at |= {keys.index("tag", search_key(tag)): Place() for tag in game.tags}
    at |= {keys.index("player", name): Place(register=keys.PLAYERS, entry=name) for name in game.players}
    at |= {keys.index("word", word): Place(register=keys.VOCABULARY, entry=word) for word in sorted(game.words)}
    return at


def counts(game: Summary) -> Counter[tuple[str, str]]:
    """What a game counts for: the tallies with their fields."""
    found = Counter([(keys.STANDINGS, tallies.standing(game.ruleset, game.status, game.result))])
    tallied = [keys.tally("ruleset", game.ruleset), *(keys.tally("player", name) for name in game.players)]
    # Of a game that goes on nothing else counts.
    for tally, fields in zip(tallied, game.counted, strict=False):
        found.update((tally, field) for field in fields)
    return found


def tally_of(game: Summary, of: Literal["ruleset", "player"], value: str) -> Tally:
    """What one game alone counts for in a tally."""
    wanted = keys.tally(of, search_key(value) if of == "player" else value)
    return {tuple(field.split("\t")): times for (tally, field), times in counts(game).items() if tally == wanted}


def standing(game: Summary) -> Standing:
    """Where a game stands, and what it counts for."""
    return places(game), counts(game)


class Exchange(msgspec.Struct, frozen=True):
    """What it takes to put one entry of the list in the place of another; see `store.library.scripts.EXCHANGE`."""

    keys: list[str]
    plan: bytes

    @classmethod
    def of(cls, old: Summary | None, new: Summary | None) -> Exchange:
        """From the entry that a game has, if it has one, to the one that it is to have."""
        return cls.between(_FIRST, *(None if one is None else standing(one) for one in (old, new)))

    @classmethod
    def between(cls, first: Sequence[str], old: Standing | None, new: Standing | None) -> Exchange:
        """The same, from how something stands to how it is to; `first` are the keys that the script begins with."""
        before, after = ({} if one is None else one[0] for one in (old, new))
        numbers: dict[str, int] = {key: number for number, key in enumerate(first, 1)}

        def number(key: str | None) -> int:
            return 0 if key is None else numbers.setdefault(key, len(numbers) + 1)

        leaves = [(number(key), number(one.register), one.entry) for key, one in before.items() if key not in after]
        joins = [
            (number(key), repr(one.score), number(one.register), one.entry)
            for key, one in after.items()
            if before.get(key) != one
        ]
        counted: Counter[tuple[str, str]] = Counter() if new is None else Counter(new[1])
        counted.subtract({} if old is None else old[1])
        changes: list[Any] = [(number(tally), field, by) for (tally, field), by in counted.items() if by]
        plan = msgspec.json.encode({"leaves": leaves, "joins": joins, "counts": changes})
        return cls(list(numbers), plan)
