"""The players in the list, with their basic data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import msgspec

from engine.core.text import search_key
from store import keys
from store.documents import decode_text, readable
from store.library import finding, plays, tallies
from store.library.listing import tally_of
from store.library.summaries import Summary, parse
from store.library.tallies import Tally
from store.redis import connection
from store.redis.connection import Client, Command

_LATEST = 100
"""Maximum number of games, opened last, among which a player's latest game is searched."""


class ListedPlayer(msgspec.Struct, frozen=True):
    """A player in the list, with basic statistics."""

    name: str
    """The spelling in the latest game or play."""
    games: int
    """Number of games, including unfinished ones and logged plays."""
    last: str
    """Time of the latest game or play."""
    tally: Tally


def page(
    client: Client, beginning: str, after: str | None, limit: int, hidden: frozenset[str]
) -> tuple[list[ListedPlayer], str | None]:
    """Return a page of players by name, and the name after which the next page begins.

    Args:
        beginning: a prefix of the names; case is ignored.
        after: a name, as returned by this function.
        hidden: names (search_key) to leave out.
    """
    prefix = search_key(beginning).encode()
    start, end = (b"[" + prefix, b"[" + prefix + b"\xff") if prefix else (b"-", b"+")
    if after is not None and search_key(after).encode() >= prefix:
        start = b"(" + search_key(after).encode()
    names: list[str] = []
    while len(names) <= limit:
        span = (start, end, "BYLEX", "LIMIT", 0, limit + 1)
        registers = connection.pipe(client, [("ZRANGE", key, *span) for key in (keys.PLAYERS, keys.PLAYS_PLAYERS)])
        # Each index returned its first names. So these contain the first names of all indexes together.
        found = sorted({name for register in registers for name in register})[: limit + 1]
        names += [name for name in map(decode_text, found) if name not in hidden]
        if len(found) <= limit:
            break
        start = b"(" + found[-1]
    listed = names[:limit]
    return _visible_players(client, listed), listed[-1] if len(names) > limit else None


def of_game(game: Summary, hidden: frozenset[str]) -> list[ListedPlayer]:
    """Return the players of a single game, by name."""
    written = {search_key(name): name for name in reversed(game.names)}
    return [
        ListedPlayer(written[name], 1, game.played_at, tally_of(game, "player", name))
        for name in sorted(written)
        if name not in hidden
    ]


def last_spellings(client: Client, names: Sequence[str]) -> dict[str, str]:
    """Return the latest spelling of each search key. Names that are not in the list are omitted."""
    return {name: seat for name, (_, seat) in _newest(client, names).items()}


def _visible_players(client: Client, names: Sequence[str]) -> list[ListedPlayer]:
    newest = _newest(client, names)
    commands: list[Command] = []
    for name in newest:
        commands += [("ZCARD", of("player", name)) for of in (keys.index, keys.plays_by)]
        commands += [("HGETALL", of("player", name)) for of in (keys.tally, keys.tally_of_plays)]
    answers = iter(connection.pipe_or_none(client, commands))
    return [
        ListedPlayer(
            seat,
            (next(answers) or 0) + (next(answers) or 0),
            last,
            tallies.together(readable(tallies.parse, islice(answers, 2))),
        )
        for last, seat in newest.values()
    ]


def _newest(client: Client, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the time and the recorded name in the newest game or play of each of `names` (search_key).

    Names without a game or play are omitted.
    """
    of_plays: list[Command] = [("ZRANGE", keys.plays_by("player", name), 0, 0, "REV") for name in names]
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {name: [] for name in names}
    for name, game in _entries(client, keys.SUMMARIES, _last_played(client, names), parse):
        found[name].append((game.played_at, game.names))
    played = zip(names, connection.pipe_or_none(client, of_plays), strict=True)
    newest_plays = {name: ids[0] for name, ids in played if ids}
    for name, entry in _entries(client, keys.PLAYS_ENTRIES, newest_plays, plays.parse):
        found[name].append((entry.play.played_at, entry.people))
    newest = {
        name: max(places, key=lambda place: finding.opening(place[0])) for name, places in found.items() if places
    }
    return {
        name: (last, next((seat for seat in seats if search_key(seat) == name), name))
        for name, (last, seats) in newest.items()
    }


def _last_played(client: Client, names: Sequence[str]) -> dict[str, bytes]:
    """Return the id of the game that each of `names` played last, among the `_LATEST` most recently opened games."""
    games: list[Command] = [
        ("ZRANGE", keys.index("player", name), "+", "-", "BYLEX", "REV", "LIMIT", 0, _LATEST) for name in names
    ]
    opened = {name: ids for name, ids in zip(names, connection.pipe_or_none(client, games), strict=True) if ids}
    times = connection.pipe(client, [("ZMSCORE", keys.OPENED, *ids) for ids in opened.values()])
    return {
        name: max(zip(ids, played, strict=True), key=lambda place: float(place[1] or 0))[0]
        for (name, ids), played in zip(opened.items(), times, strict=True)
    }


_Entry = TypeVar("_Entry")


def _entries(
    client: Client, key: str, ids: dict[str, bytes], parse: Callable[[bytes], _Entry]
) -> Iterator[tuple[str, _Entry]]:
    """Yield each name with its entry. Omit damaged entries. `ids` maps names to ids of entries."""
    documents = connection.call(client, "HMGET", key, *ids.values()) if ids else []
    # A game that is being deleted may have no entry any more.
    for name, document in zip(ids, documents, strict=True):
        for entry in readable(parse, [document]):
            yield name, entry
