"""The players of the list: who there is, and what is known of each at once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.text import search_key
from store import keys
from store.library import plays, tallies
from store.library.listing import tally_of
from store.library.plays import Past
from store.library.summaries import Summary, parse
from store.library.tallies import Tally
from store.redis import connection
from store.redis.connection import Client, Command


class Player(msgspec.Struct, frozen=True):
    """Somebody who stands in the list."""

    name: str
    """As it was written last."""
    games: int
    """All of them, also those that go on, and past plays."""
    last: str
    """When the newest was opened, or played."""
    tally: Tally


def page(
    client: Client, beginning: str, after: str | None, limit: int, hidden: frozenset[str]
) -> tuple[list[Player], str | None]:
    """Players by name, and the name after which the next page begins.

    Args:
        beginning: of their names, in any case.
        after: a name, as such a page gives it.
        hidden: names, search_key, that nobody is told.
    """
    prefix = search_key(beginning).encode()
    start, end = (b"[" + prefix, b"[" + prefix + b"\xff") if prefix else (b"-", b"+")
    if after is not None and search_key(after).encode() >= prefix:
        start = b"(" + search_key(after).encode()
    names: list[str] = []
    while len(names) <= limit:
        span = (start, end, "BYLEX", "LIMIT", 0, limit + 1)
        registers = connection.pipe(client, [("ZRANGE", key, *span) for key in (keys.PLAYERS, keys.PLAYS_PLAYERS)])
        # Each gave its first: the first of both are among those.
        found = sorted({name for register in registers for name in register})[: limit + 1]
        names += [name for name in map(bytes.decode, found) if name not in hidden]
        if len(found) <= limit:
            break
        start = b"(" + found[-1]
    listed = names[:limit]
    return _told(client, listed), listed[-1] if len(names) > limit else None


def of_game(game: Summary, hidden: frozenset[str]) -> list[Player]:
    """The players of one game, as if there were no other; by name."""
    written = {search_key(name): name for name in reversed(game.names)}
    return [
        Player(written[name], 1, game.opened_at, tally_of(game, "player", name))
        for name in sorted(written)
        if name not in hidden
    ]


def written(client: Client, names: Sequence[str]) -> dict[str, str]:
    """Names that are search_key, each as it was written last; those that are in no list are left out."""
    return {one.folded: one.name for one in _met(client, names)}


class _Met(msgspec.Struct, frozen=True):
    """A player, as the newest of games and past plays tells."""

    folded: str
    name: str
    last: str
    past: Past


def _met(client: Client, names: Sequence[str]) -> list[_Met]:
    """Those of `names` (search_key) who have a game or a past play."""
    newest = _newest(client, names)
    found = []
    for name, past in zip(names, plays.of_players(client, names), strict=True):
        told = []
        if name in newest:
            told.append((newest[name].opened_at, newest[name].names))
        if past.newest is not None:
            told.append((past.newest.play.played_at, past.newest.people))
        if told:
            last, seats = max(told)
            found.append(_Met(name, next((seat for seat in seats if search_key(seat) == name), name), last, past))
    return found


def _told(client: Client, names: Sequence[str]) -> list[Player]:
    met = _met(client, names)
    commands: list[Command] = []
    for one in met:
        commands += [("ZCARD", keys.index("player", one.folded)), ("HGETALL", keys.tally("player", one.folded))]
    answers = connection.pipe(client, commands)
    return [
        Player(one.name, games + one.past.plays, one.last, tallies.together(tallies.parse(tally), one.past.tally))
        for one, games, tally in zip(met, answers[::2], answers[1::2], strict=True)
    ]


def _newest(client: Client, names: Sequence[str]) -> dict[str, Summary]:
    """The newest game of each, of those who have one."""
    commands: list[Command] = [
        ("ZRANGE", keys.index("player", name), "+", "-", "BYLEX", "REV", "LIMIT", 0, 1) for name in names
    ]
    ids = {name: found[0] for name, found in zip(names, connection.pipe(client, commands), strict=True) if found}
    if not ids:
        return {}
    documents = connection.call(client, "HMGET", keys.SUMMARIES, *ids.values())
    # One that is just being deleted has no entry any more.
    return {name: parse(one) for name, one in zip(ids, documents, strict=True) if one is not None}
