"""The players of the list: who there is, and what is known of each at once."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from store import connection, keys, tallies
from store.connection import Client, Command
from store.listing import tally_of
from store.summaries import Summary, folded, parse
from store.tallies import Tally


class Player(msgspec.Struct, frozen=True):
    """Somebody who stands in the list."""

    name: str
    """As it was written last."""
    games: int
    """All of them, also those that go on."""
    last: str
    """When the newest was opened."""
    tally: Tally


def page(
    client: Client, beginning: str, after: str | None, limit: int, hidden: frozenset[str]
) -> tuple[list[Player], str | None]:
    """Players by name, and the name after which the next page begins.

    Args:
        beginning: of their names, in any case.
        after: a name, as such a page gives it.
        hidden: names, folded, that nobody is told.
    """
    prefix = folded(beginning).encode()
    start, end = (b"[" + prefix, b"[" + prefix + b"\xff") if prefix else (b"-", b"+")
    if after is not None and folded(after).encode() >= prefix:
        start = b"(" + folded(after).encode()
    names: list[str] = []
    while len(names) <= limit:
        found = connection.call(client, "ZRANGE", keys.PLAYERS, start, end, "BYLEX", "LIMIT", 0, limit + 1)
        names += [name for name in map(bytes.decode, found) if name not in hidden]
        if len(found) <= limit:
            break
        start = b"(" + found[-1]
    listed = names[:limit]
    return _told(client, listed), listed[-1] if len(names) > limit else None


def of_game(game: Summary, hidden: frozenset[str]) -> list[Player]:
    """The players of one game, as if there were no other; by name."""
    written = {folded(name): name for name in reversed(game.names)}
    return [
        Player(written[name], 1, game.opened_at, tally_of(game, "player", name))
        for name in sorted(written)
        if name not in hidden
    ]


def written(client: Client, names: Sequence[str]) -> dict[str, str]:
    """Names that are folded, each as it was written last; those that are in no list are left out."""
    return {name: _written(game, name) for name, game in _newest(client, names).items()}


def _told(client: Client, names: Sequence[str]) -> list[Player]:
    newest = _newest(client, names)
    commands: list[Command] = []
    for name in newest:
        commands += [("ZCARD", keys.index("player", name)), ("HGETALL", keys.tally("player", name))]
    answers = connection.pipe(client, commands)
    return [
        Player(_written(game, name), games, game.opened_at, tallies.parse(tally))
        for (name, game), games, tally in zip(newest.items(), answers[::2], answers[1::2], strict=True)
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


def _written(game: Summary, name: str) -> str:
    return next((one for one in game.names if folded(one) == name), name)
