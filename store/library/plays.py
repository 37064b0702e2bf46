"""Logged plays: games that were played but have no log. Each play is a stored document of its own.

Plays cannot be rebuilt from a log, so they are not a projection. The list entry of a play contains the play and the
aliases of its names. The play's indexes and statistics are derived from the entry, and change in the same step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from engine.core.plays import PastPlay
from engine.core.text import search_key
from store import keys
from store.documents import decode_text, parser, readable, readable_one
from store.errors import BadCursor, Corrupt, QuotaExceeded
from store.library import tallies
from store.library.aliases import AliasStore, People
from store.library.finding import milliseconds
from store.library.hiding import Hiding
from store.library.listing import Entries, IndexPlace, Standing
from store.library.scripts import TAKE_IN, TAKE_OUT
from store.library.summaries import WITHHELD, tells
from store.redis import connection
from store.redis.connection import Client, Command, Script

MOST = 200_000
"""Maximum number of logged plays."""
_LISTED = keys.PLAYS_ENTRIES, keys.PLAYS_TAKEN_OUT, keys.PLAYS_UNLISTED
_KEPT = [keys.PLAYS, keys.PLAYS_TAKEN_OUT, keys.PLAYS_UNLISTED]
_PAGE = 500

Taken = Literal["imported", "changed", "there", "taken_out"]
"""Result of importing a play. `there`: it was already imported; `taken_out`: it was deleted after an earlier import."""


class WantedPlays(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for logged plays. A play must match every member that is set."""

    ruleset: str | None = None
    player: str | None = None
    """A player's complete name (case is ignored); aliases are resolved."""


class PlayEntry(msgspec.Struct, frozen=True):
    """The list entry of a logged play."""

    play: PastPlay
    """The play, without its texts."""
    people: tuple[str, ...]
    """The people to whom the players' names refer, in seat order."""

    @classmethod
    def of(cls, play: PastPlay, people: People) -> PlayEntry:
        """Return the entry of a play with these aliases."""
        return cls(_bare(play), tuple(people.person_of(part.name) for part in play.parts))


_parse_play = parser(PastPlay, "a logged play")
parse = parser(PlayEntry, "the list entry of a logged play")


class PlayStore:
    """All logged plays.

    Attributes:
        entries: the list entries of the plays.
    """

    def __init__(self, client: Client, aliases: AliasStore, hiding: Hiding) -> None:
        self._client = client
        self._aliases = aliases
        self._hiding = hiding
        self._take_in = Script(client, TAKE_IN)
        self._take_out = Script(client, TAKE_OUT)
        self.entries = Entries(client, _LISTED, parse, standing)

    def take(self, play: PastPlay, *, again: bool = False) -> Taken:
        """Store a play, replacing an earlier version of the same play.

        Args:
            again: True to store the play even if it was deleted.

        Raises:
            QuotaExceeded: the limit is reached.
        """
        order: list[str | bytes | float] = [play.id, msgspec.json.encode(play), "1" if again else "", MOST]
        done: Taken | Literal["full"] = self._take_in(_KEPT, order).decode()
        if done == "full":
            raise QuotaExceeded("plays", MOST, self.count())
        if done in ("imported", "changed"):
            self._list(play.id)
        return done

    def take_out(self, play_id: str) -> bool:
        """Delete a play; return True if it existed. A later import restores it only on request."""
        if not self._take_out(_KEPT, [play_id]):
            return False
        if not self._try_to_list(play_id):
            self.entries.remove(play_id)
        return True

    def relist(self, most: int) -> bool:
        """Relist up to `most` plays whose aliases have changed; return True if more remain to be relisted."""
        found = connection.call(self._client, "ZRANGE", keys.PLAYS_UNLISTED, 0, most)
        for play_id in map(decode_text, found[:most]):
            if not self._try_to_list(play_id):
                connection.call(self._client, "ZREM", keys.PLAYS_UNLISTED, play_id)
        return len(found) > most

    def rebuild(self, progressed: Callable[[], None] | None = None) -> None:
        """Rebuild all data derived from the plays."""
        # Collect all plays in one step. Plays that are imported during the rebuild are listed by their import.
        made = [name for name in connection.scan(self._client, keys.PLAYS_PATTERN) if name not in keys.LASTING]
        connection.call(self._client, "UNLINK", keys.PLAYS_ENTRIES, *made)
        for play_id in connection.call(self._client, "HKEYS", keys.PLAYS):
            self._try_to_list(decode_text(play_id))
            if progressed is not None:
                progressed()

    def get(self, play_id: str) -> PastPlay | None:
        """Return a play, with hidden names replaced; None if there is no such play, or it is damaged."""
        play = readable_one(_parse_play, connection.call(self._client, "HGET", keys.PLAYS, play_id))
        return None if play is None else _without(play, self._hiding.search_keys())

    def page(
        self, wanted: WantedPlays, *, after: str | None = None, limit: int = 50
    ) -> tuple[list[PastPlay], str | None]:
        """Return a page of plays, newest first, and the cursor of the next page, if any.

        Hidden names and damaged plays are left out.

        Raises:
            BadCursor: `after` is not a cursor of this function.
        """
        player = None if wanted.player is None else search_key(self._aliases.person_of(wanted.player))
        hidden = self._hiding.search_keys()
        if player in hidden:
            return [], None
        index = _index(wanted.ruleset, player)
        found: list[PastPlay] = []
        start = 0
        if after is not None:
            rank = connection.call(self._client, "ZREVRANK", index, after)
            if rank is None:
                raise BadCursor
            start = int(rank) + 1
        while len(found) <= limit:
            ids = connection.call(self._client, "ZRANGE", index, start, start + _PAGE - 1, "REV")
            if not ids:
                break
            start += len(ids)
            documents = connection.call(self._client, "HMGET", keys.PLAYS, *ids)
            plays = readable(_parse_play, documents)
            found += [play for play in plays if wanted.ruleset in (None, play.ruleset)]
        shown = [_without(play, hidden) for play in found[:limit]]
        return shown, shown[-1].id if len(found) > limit else None

    def all(self, wanted: WantedPlays) -> Iterator[PastPlay]:
        """Yield every play that matches the filter, newest first."""
        after = None
        while True:
            found, after = self.page(wanted, after=after, limit=_PAGE)
            yield from found
            if after is None:
                return

    def newest_of(self, player: str, limit: int) -> list[PlayEntry]:
        """Return the newest plays of a player (search_key), as listed, without damaged entries."""
        ids = connection.call(self._client, "ZRANGE", keys.plays_by("player", player), 0, limit - 1, "REV")
        documents = connection.call(self._client, "HMGET", keys.PLAYS_ENTRIES, *ids) if ids else []
        return readable(parse, documents)

    def missing_entries(self, play_ids: Sequence[str]) -> list[str]:
        """Return the ids of the plays that are damaged, or whose list entry is missing, damaged or outdated."""
        found = []
        for first in range(0, len(play_ids), _PAGE):
            batch = play_ids[first : first + _PAGE]
            commands: list[Command] = [("HMGET", key, *batch) for key in (keys.PLAYS, keys.PLAYS_ENTRIES)]
            for id_, document, entry in zip(batch, *connection.pipe(self._client, commands), strict=True):
                if document is None or entry is None or not _is_entry_of(entry, document):
                    found.append(id_)
        return found

    def count(self) -> int:
        """Return the number of logged plays."""
        return int(connection.call(self._client, "HLEN", keys.PLAYS))

    def _try_to_list(self, play_id: str) -> bool:
        """List a play. Return False if it is damaged, so that the caller can continue with the other plays."""
        try:
            self._list(play_id)
        except Corrupt:
            return False
        return True

    def _list(self, play_id: str) -> None:
        document: bytes | None = None

        def resolve(_: PlayEntry | None) -> tuple[PlayEntry | None, bytes]:
            nonlocal document
            document = connection.call(self._client, "HGET", keys.PLAYS, play_id)
            people = self._aliases.people()
            return None if document is None else PlayEntry.of(_parse_play(document), people), people.revision

        while True:
            self.entries.change(play_id, resolve)
            # Another process may have listed it already.
            if connection.call(self._client, "HGET", keys.PLAYS, play_id) == document:
                return


def _index(ruleset: str | None, player: str | None) -> str:
    if player is not None:
        return keys.plays_by("player", player)
    return keys.ALL_PLAYS if ruleset is None else keys.plays_by("ruleset", ruleset)


def standing(entry: PlayEntry) -> Standing:
    """Return the indexes that contain a play, and the statistics fields that count it."""
    play = entry.play
    score = milliseconds(datetime.fromisoformat(play.played_at))
    seats: dict[str, int] = {}
    for seat, name in enumerate(map(search_key, entry.people)):
        seats.setdefault(name, seat)
    places = {keys.ALL_PLAYS: IndexPlace(score), keys.plays_by("ruleset", play.ruleset): IndexPlace(score)}
    places |= {keys.plays_by("player", one): IndexPlace(score, keys.PLAYS_PLAYERS, one) for one in seats}
    counted = Counter({(keys.tally_of_plays("ruleset", play.ruleset), field): 1 for field in tallies.of_play(play)})
    evening = tallies.Evening(play.played_at, play.minutes or 0)
    for name, seat in seats.items():
        result = tallies.seat_result(play.outcome, seat)
        fields = (
            *tallies.of_player(play.ruleset, play.outcome, seat, {}, {}),
            *tallies.of_evening(play.ruleset, evening, result),
            *tallies.of_partners(play.ruleset, [one for one in seats if one != name], result),
            *tallies.of_score(play.ruleset, play.game, play.outcome, seat),
        )
        counted.update((keys.tally_of_plays("player", name), field) for field in fields)
    return places, counted


def _without(play: PastPlay, hidden: frozenset[str]) -> PastPlay:
    """Return the play with `WITHHELD` instead of each hidden name, and without texts that contain a hidden name."""
    if not hidden:
        return play
    parts = tuple(
        msgspec.structs.replace(part, name=WITHHELD) if search_key(part.name) in hidden else part for part in play.parts
    )
    texts = {name: "" for name in ("place", "variant", "comments") if tells(getattr(play, name), hidden)}
    return msgspec.structs.replace(play, parts=parts, **texts)


def _bare(play: PastPlay) -> PastPlay:
    return msgspec.structs.replace(play, place="", variant="", comments="")


def _is_entry_of(entry: bytes, document: bytes) -> bool:
    """Return True if a list entry is readable and up to date with its play."""
    try:
        return parse(entry).play == _bare(_parse_play(document))
    except Corrupt:
        return False
