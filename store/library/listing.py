"""Places of games in the list: the indexes that contain a game, and the statistics that count it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

import msgspec

from engine.core.text import search_key
from store import keys
from store.documents import readable_one
from store.library import finding, tallies
from store.library.scripts import EXCHANGE
from store.library.summaries import Summary
from store.library.tallies import Tally
from store.redis import connection
from store.redis.connection import Client, Script


class IndexPlace(msgspec.Struct, frozen=True):
    """The place of a game or play in one index."""

    score: float = 0.0
    register: str | None = None
    """The set of all non-empty indexes of this kind; None if there is no such set."""
    entry: str = ""
    """The member of `register` for this index."""


Standing = tuple[dict[str, IndexPlace], Counter[tuple[str, str]]]
"""The places of an entry by key of the index, and its contributions by counter (key and field of a hash)."""
_NOWHERE: Standing = {}, Counter()


def places(game: Summary) -> dict[str, IndexPlace]:
    """Return the places of a game in the indexes that contain it, by key of the index."""
    at = {
        keys.ALL_GAMES: IndexPlace(),
        keys.OPENED: IndexPlace(finding.opening(game.played_at)),
        keys.LENGTH: IndexPlace(game.seconds),
        keys.index("ruleset", game.ruleset): IndexPlace(),
        keys.index("status", game.status): IndexPlace(),
        keys.index("head", game.head): IndexPlace(),
    }
    if game.result is not None:
        at[keys.index("result", game.result)] = IndexPlace()
    if game.fork is not None:
        at[keys.index("parent", game.fork.game)] = IndexPlace()
    at |= {keys.index("tag", search_key(tag)): IndexPlace() for tag in game.tags}
    at |= {keys.index("player", name): IndexPlace(register=keys.PLAYERS, entry=name) for name in game.players}
    at |= {keys.index("word", word): IndexPlace(register=keys.VOCABULARY, entry=word) for word in sorted(game.words)}
    return at


def counts(game: Summary) -> Counter[tuple[str, str]]:
    """Return the contribution of a game to each counter. A counter is identified by the key of a hash, and a field."""
    found = Counter([(keys.STANDINGS, tallies.standing(game.ruleset, game.status, game.result))])
    tallied = [keys.tally("ruleset", game.ruleset), *(keys.tally("player", name) for name in game.players)]
    # Other statistics count only games that have ended.
    for tally, fields in zip(tallied, game.counted, strict=False):
        found.update((tally, field) for field in fields)
    return found


def tally_of(game: Summary, of: Literal["ruleset", "player"], value: str) -> Tally:
    """Return the statistics of a single game."""
    wanted = keys.tally(of, search_key(value) if of == "player" else value)
    return {tuple(field.split("\t")): times for (tally, field), times in counts(game).items() if tally == wanted}


def standing(game: Summary) -> Standing:
    """Return the indexes that contain a game, and the statistics fields that count it."""
    return places(game), counts(game)


_Entry = TypeVar("_Entry")


class Entries(Generic[_Entry]):
    """List entries of games or logged plays. An entry is written in one step with its indexes and statistics."""

    def __init__(
        self,
        client: Client,
        first: tuple[str, str, str],
        parse: Callable[[bytes], _Entry],
        standing: Callable[[_Entry], Standing],
    ) -> None:
        """
        Args:
            first: the keys of three sets: the entries, the deleted games or plays, and the games or plays to relist.
            parse: decodes an entry.
            standing: returns the indexes and statistics of an entry.
        """
        self._client = client
        self.key, gone, unlisted = first
        self._first = (self.key, gone, keys.SAID, unlisted)
        self.parse = parse
        self.standing = standing
        self._exchange = Script(client, EXCHANGE)

    def get(self, id_: str) -> _Entry | None:
        """Return the entry of a game or play; None if there is none."""
        return self._read(id_)[1]

    def _read(self, id_: str) -> tuple[bytes | None, _Entry | None]:
        document = connection.call(self._client, "HGET", self.key, id_)
        return document, None if document is None else self.parse(document)

    def change(self, id_: str, new: Callable[[_Entry | None], tuple[_Entry | None, bytes] | None]) -> bool:
        """Replace an entry; return False if nothing changed, or if the game or play was deleted.

        Args:
            new: called with the old entry. Returns the new entry (None: no entry) and the revision of the aliases used
                for it; or None to change nothing. Called again if another process changed the entry or the revision
                meanwhile.

        Raises:
            Corrupt: the old entry cannot be read.
        """
        while True:
            document, old = self._read(id_)
            made = new(old)
            if made is None:
                return False
            entry, revision = made
            done = self._replace(id_, document, old, entry, revision)
            if done >= 0:
                return done == 1

    def remove(self, id_: str) -> None:
        """Remove an entry, also from indexes and statistics.

        If the entry is damaged, indexes and statistics stay as they are: `driftlog doctor` must correct them.
        """
        done = -1
        while done < 0:
            document = connection.call(self._client, "HGET", self.key, id_)
            if document is None:
                return
            done = self._replace(id_, document, readable_one(self.parse, document), None, b"")

    def _replace(
        self, id_: str, document: bytes | None, old: _Entry | None, new: _Entry | None, revision: bytes
    ) -> int:
        """Run the script `EXCHANGE`.

        Args:
            document: the stored form of `old`.
        """
        touched, plan = self._plan(old, new)
        encoded = b"" if new is None else msgspec.json.encode(new)
        return int(self._exchange(touched, [id_, document or b"", encoded, plan, revision]))

    def _plan(self, old: _Entry | None, new: _Entry | None) -> tuple[list[str], bytes]:
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
