"""Where a game stands in the list: the indexes in which it is found, and the tallies in which it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

import msgspec

from engine.core.text import search_key
from store import keys
from store.library import finding, tallies
from store.library.scripts import EXCHANGE
from store.library.summaries import Summary
from store.library.tallies import Tally
from store.redis import connection
from store.redis.connection import Client, Script


class Place(msgspec.Struct, frozen=True):
    """How a game stands in an index."""

    score: float = 0.0
    register: str | None = None
    """The set of all indexes of that kind: one in which no game stands is none of them."""
    entry: str = ""
    """What this one is called there."""


Standing = tuple[dict[str, Place], Counter[tuple[str, str]]]
"""The places of an entry, and what it counts for."""
_NOWHERE: Standing = {}, Counter()


def places(game: Summary) -> dict[str, Place]:
    """All indexes that a game stands in."""
    at = {
        keys.ALL_GAMES: Place(),
        keys.OPENED: Place(finding.opening(game.opened_at)),
        keys.LENGTH: Place(game.seconds),
        keys.index("ruleset", game.ruleset): Place(),
        keys.index("status", game.status): Place(),
        keys.index("head", game.head): Place(),
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


_Entry = TypeVar("_Entry")


class Entries(Generic[_Entry]):
    """The entries of games or of past plays. Each is written in one step with its indexes and tallies."""

    def __init__(
        self,
        client: Client,
        first: tuple[str, str, str],
        parse: Callable[[bytes], _Entry],
        standing: Callable[[_Entry], Standing],
    ) -> None:
        """
        Args:
            first: the keys of the entries, of those that were deleted, and of those to list.
        """
        self._client = client
        self.key, gone, unlisted = first
        self._first = (self.key, gone, keys.SAID, unlisted)
        self.parse = parse
        self.standing = standing
        self._exchange = Script(client, EXCHANGE)

    def get(self, id_: str) -> _Entry | None:
        """Return the entry of a game or play, None if it has none.

        Raises:
            Corrupt: it cannot be read.
        """
        return self._read(id_)[1]

    def change(self, id_: str, new: Callable[[_Entry | None], tuple[_Entry | None, bytes] | None]) -> bool:
        """Replace an entry; return False if it stays as it is, or if the game or play was deleted.

        Args:
            new: returns the next entry (None: no entry) and the revision of aliases that it is made by; None to leave
                the entry as it is. Called again if the entry or the revision changes meanwhile.
        """
        while True:
            document, old = self._read(id_)
            made = new(old)
            if made is None:
                return False
            entry, revision = made
            touched, plan = self._plan(old, entry)
            encoded = b"" if entry is None else msgspec.json.encode(entry)
            done = int(self._exchange(touched, [id_, document or b"", encoded, plan, revision]))
            if done >= 0:
                return done == 1

    def _read(self, id_: str) -> tuple[bytes | None, _Entry | None]:
        document = connection.call(self._client, "HGET", self.key, id_)
        return document, None if document is None else self.parse(document)

    def _plan(self, old: _Entry | None, new: _Entry | None) -> tuple[list[str], bytes]:
        """Return the keys and the plan of the script."""
        before, counted_before = _NOWHERE if old is None else self.standing(old)
        after, counted_after = _NOWHERE if new is None else self.standing(new)
        numbers: dict[str, int] = {key: number for number, key in enumerate(self._first, 1)}

        def number(key: str | None) -> int:
            return 0 if key is None else numbers.setdefault(key, len(numbers) + 1)

        leaves = [(number(key), number(one.register), one.entry) for key, one in before.items() if key not in after]
        joins = [
            (number(key), repr(one.score), number(one.register), one.entry)
            for key, one in after.items()
            if before.get(key) != one
        ]
        counted = Counter(counted_after)
        counted.subtract(counted_before)
        changes: list[Any] = [(number(tally), field, by) for (tally, field), by in counted.items() if by]
        plan = msgspec.json.encode({"leaves": leaves, "joins": joins, "counts": changes})
        return list(numbers), plan
