"""Past plays: a file of them comes in, play by play, and each is told of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal
from uuid import UUID

import msgspec

from engine.core.plays import PastPlay
from engine.core.text import search_key
from exports.bgstats_reading import Item
from exports.plays import of_game
from store import Store
from store.library.finding import Filter

Status = Literal["imported", "changed", "there", "taken_out", "recorded", "other_game", "ignored", "broken"]
_OF_OURS = 5
"""The version of UUID that the plays of recorded games have."""


class TakenIn(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one play of a file."""

    number: int
    title: str
    status: Status
    why: str
    id: str | None
    """Of a past play: its own; of a game that is recorded here: the game's."""


def take_in(
    store: Store, items: Iterable[Item], *, again: bool = False, progressed: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Take in the plays of a file; done twice, it is done.

    Args:
        again: also those that were taken out.
        progressed: told how many were looked at.

    Returns:
        What became of each, and how many of each kind there are.

    Raises:
        QuotaExceeded: there are as many as there may be; those before it are in.
    """
    recorded = _Recorded(store)
    found = []
    for item in items:
        found.append(_taken(store, item, recorded, again=again))
        if progressed is not None:
            progressed(item.number)
    counts = Counter(one.status for one in found)
    return {"counts": dict(sorted(counts.items())), "plays": found}


def _taken(store: Store, item: Item, recorded: _Recorded, *, again: bool) -> TakenIn:
    status, id_ = _where(store, item, recorded, again=again)
    return TakenIn(number=item.number, title=item.title, status=status, why=item.why, id=id_)


def _where(store: Store, item: Item, recorded: _Recorded, *, again: bool) -> tuple[Status, str | None]:
    if item.kind != "play":
        return item.kind, None
    assert item.play is not None
    game = recorded.game_of(item.play)
    return (store.plays.take(item.play, again=again), item.play.id) if game is None else ("recorded", game)


class _Recorded:
    """The games of this service: what left it as a play may come back among others."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: dict[str, dict[UUID, str]] = {}
        """By player (search_key), each under the UUID of its play."""

    def game_of(self, play: PastPlay) -> str | None:
        """The game that a play is of, if that is recorded here."""
        uuid = UUID(play.id)
        if uuid.version != _OF_OURS:
            return None
        name = search_key(play.parts[0].name)
        if name not in self._games:
            self._games[name] = {of_game(id_): id_ for id_ in self._ids(name)}
        return self._games[name].get(uuid)

    def _ids(self, name: str) -> Iterable[str]:
        # By the words as well: where somebody else is said to have sat there, the name is only written.
        for wanted in (Filter(player=name), Filter(q=name)):
            yield from (game.id for game in self._store.projections.all(wanted))
