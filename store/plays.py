"""Past plays: games that were played, and of which there is no log. Each is kept as a record of its own.

They are no projection, since nothing could make them again; and no log, since nothing of them can be replayed. A play,
the indexes in which it is found and the tallies in which it counts change in one step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from engine.core.plays import PastPlay
from store import connection, keys, tallies
from store.connection import Client, Command, Script
from store.errors import BadCursor, Corrupt, QuotaExceeded
from store.finding import milliseconds
from store.listing import Exchange, Place, Standing
from store.scripts.projections import EXCHANGE
from store.summaries import WITHHELD, folded, tells
from store.tallies import Tally

MOST = 200_000
"""Past plays in all."""
_FIRST = (keys.PLAYS, keys.PLAYS_TAKEN_OUT, "{plays}:said", "{plays}:unlisted")
_PAGE = 500
_DECODER = msgspec.json.Decoder(PastPlay)

Taken = Literal["imported", "changed", "there", "taken_out"]
"""What became of a play that came in: `there`, it was; `taken_out`, it was, and somebody took it out."""


class WantedPlays(msgspec.Struct, frozen=True, kw_only=True):
    """Which past plays: those that all of it fits."""

    ruleset: str | None = None
    player: str | None = None
    """A whole name, in any case."""


class Plays:
    """All past plays."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._exchange = Script(client, EXCHANGE)

    def take(self, play: PastPlay, *, again: bool = False) -> Taken:
        """Take a play in, in the place of what was known of it.

        Args:
            again: also one that was taken out.

        Raises:
            QuotaExceeded: there are as many as there may be.
            StoreUnavailable: Redis does not answer.
        """
        while True:
            document, count = connection.pipe(self._client, [("HGET", keys.PLAYS, play.id), ("ZCARD", keys.ALL_PLAYS)])
            old = None if document is None else _parse(document)
            if old == play:
                return "there"
            if old is None and count >= MOST:
                raise QuotaExceeded("plays", MOST, count)
            if again:
                connection.call(self._client, "SREM", keys.PLAYS_TAKEN_OUT, play.id)
            done = self._put(play.id, document, old, play)
            if done >= 0:
                return "taken_out" if done == 0 else "imported" if old is None else "changed"

    def take_out(self, play_id: str) -> bool:
        """Take a play out, for good; whether it was there."""
        while True:
            document = connection.call(self._client, "HGET", keys.PLAYS, play_id)
            if document is None:
                return False
            connection.call(self._client, "SADD", keys.PLAYS_TAKEN_OUT, play_id)
            if self._put(play_id, document, _parse(document), None) >= 0:
                return True

    def get(self, play_id: str, hidden: frozenset[str]) -> PastPlay | None:
        """One play, without the names (folded) that are hidden; None where there is none."""
        document = connection.call(self._client, "HGET", keys.PLAYS, play_id)
        return None if document is None else _without(_parse(document), hidden)

    def page(
        self, wanted: WantedPlays, hidden: frozenset[str], *, after: str | None = None, limit: int = 50
    ) -> tuple[list[PastPlay], str | None]:
        """Plays, newest first, without the names (folded) that are hidden; and the cursor of the next page, if there
        is one.

        Raises:
            BadCursor: `after` is none of these.
        """
        if wanted.player is not None and folded(wanted.player) in hidden:
            return [], None
        index = _index(wanted)
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
            plays = (_parse(one) for one in documents if one is not None)
            found += [play for play in plays if wanted.ruleset in (None, play.ruleset)]
        shown = [_without(play, hidden) for play in found[:limit]]
        return shown, shown[-1].id if len(found) > limit else None

    def all(self, wanted: WantedPlays, hidden: frozenset[str]) -> Iterator[PastPlay]:
        """Every play that fits, newest first."""
        after = None
        while True:
            found, after = self.page(wanted, hidden, after=after, limit=_PAGE)
            yield from found
            if after is None:
                return

    def count(self) -> int:
        """How many there are."""
        return int(connection.call(self._client, "ZCARD", keys.ALL_PLAYS))

    def _put(self, play_id: str, document: bytes | None, old: PastPlay | None, new: PastPlay | None) -> int:
        exchange = Exchange.between(_FIRST, *(None if one is None else _standing(one) for one in (old, new)))
        encoded = b"" if new is None else msgspec.json.encode(new)
        return int(self._exchange(exchange.keys, [play_id, document or b"", encoded, exchange.plan, b""]))


class Past(msgspec.Struct, frozen=True):
    """A player in past plays."""

    plays: int
    newest: PastPlay | None
    tally: Tally


def of_players(client: Client, names: Sequence[str]) -> list[Past]:
    """Each of these players (folded) in past plays."""
    commands: list[Command] = []
    for name in names:
        index = keys.plays_by("player", name)
        tally = keys.tally_of_plays("player", name)
        commands += [("ZCARD", index), ("ZRANGE", index, 0, 0, "REV"), ("HGETALL", tally)]
    answers = connection.pipe(client, commands)
    ids = [found[0] for found in answers[1::3] if found]
    documents = connection.call(client, "HMGET", keys.PLAYS, *ids) if ids else []
    newest = {id_: _parse(one) for id_, one in zip(ids, documents, strict=True) if one is not None}
    return [
        Past(int(plays), newest.get(found[0]) if found else None, tallies.parse(tally))
        for plays, found, tally in zip(answers[::3], answers[1::3], answers[2::3], strict=True)
    ]


def _index(wanted: WantedPlays) -> str:
    """The index that is read."""
    if wanted.player is not None:
        return keys.plays_by("player", folded(wanted.player))
    return keys.ALL_PLAYS if wanted.ruleset is None else keys.plays_by("ruleset", wanted.ruleset)


def _standing(play: PastPlay) -> Standing:
    """Where a play stands, and what it counts for."""
    score = milliseconds(datetime.fromisoformat(play.played_at))
    players = _players(play)
    places = {keys.ALL_PLAYS: Place(score), keys.plays_by("ruleset", play.ruleset): Place(score)}
    places |= {keys.plays_by("player", one): Place(score, keys.PLAYS_PLAYERS, one) for one in players}
    counted = Counter({(keys.tally_of_plays("ruleset", play.ruleset), field): 1 for field in tallies.of_play(play)})
    evening = tallies.Evening(play.played_at, play.minutes or 0)
    for name, seat in players.items():
        result = tallies.seat_result(play.outcome, seat)
        fields = (
            *tallies.of_player(play.ruleset, play.outcome, seat, {}, {}),
            *tallies.of_evening(play.ruleset, evening, result),
            *tallies.of_partners(play.ruleset, [one for one in players if one != name], result),
        )
        counted.update((keys.tally_of_plays("player", name), field) for field in fields)
    return places, counted


def _players(play: PastPlay) -> dict[str, int]:
    """The players' names, folded, each with its first seat."""
    found: dict[str, int] = {}
    for seat, part in enumerate(play.parts):
        found.setdefault(folded(part.name), seat)
    return found


def _without(play: PastPlay, hidden: frozenset[str]) -> PastPlay:
    """The same with `WITHHELD` for each name that is hidden, and without the texts that tell one."""
    if not hidden:
        return play
    parts = tuple(
        msgspec.structs.replace(part, name=WITHHELD) if folded(part.name) in hidden else part for part in play.parts
    )
    texts = {name: "" for name in ("place", "variant", "comments") if tells(getattr(play, name), hidden)}
    return msgspec.structs.replace(play, parts=parts, **texts)


def _parse(document: bytes) -> PastPlay:
    try:
        return _DECODER.decode(document)
    except msgspec.DecodeError as error:
        raise Corrupt(f"a past play does not decode: {error}") from error
