"""Import logged plays from a file, with one result per play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal
from uuid import UUID

import msgspec

from engine.core.plays import PastPlay
from engine.core.text import search_key
from exports.bgstats_reading import ImportedPlay
from exports.plays import of_game
from store import Store
from store.library.finding import Filter

Status = Literal["imported", "changed", "there", "taken_out", "recorded", "other_game", "ignored", "broken"]
_OF_OURS = 5
"""UUID version of exported plays that were recorded here."""


class PlayImport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of importing one play from a file."""

    number: int
    title: str
    status: Status
    why: str
    id: str | None
    """The id of the logged play, or of the game that was recorded here."""


def take_in(
    store: Store, items: Iterable[ImportedPlay], *, again: bool = False, progressed: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Import the plays of a file. A repeated import changes nothing.

    Args:
        again: True to import deleted plays as well.
        progressed: called with the number of plays processed so far.

    Returns:
        The result of each play, and the count of each kind of result.

    Raises:
        QuotaExceeded: the limit is reached. The plays that were imported before stay stored.
    """
    recorded = _RecordedGames(store)
    found = []
    for item in items:
        found.append(_import_play(store, item, recorded, again=again))
        if progressed is not None:
            progressed(item.number)
    counts = Counter(one.status for one in found)
    return {"counts": dict(sorted(counts.items())), "plays": found}


def _import_play(store: Store, item: ImportedPlay, recorded: _RecordedGames, *, again: bool) -> PlayImport:
    status, id_ = _store_play(store, item, recorded, again=again)
    return PlayImport(number=item.number, title=item.title, status=status, why=item.why, id=id_)


def _store_play(
    store: Store, item: ImportedPlay, recorded: _RecordedGames, *, again: bool
) -> tuple[Status, str | None]:
    if item.kind != "play":
        return item.kind, None
    assert item.play is not None
    game = recorded.game_of(item.play)
    return (store.plays.take(item.play, again=again), item.play.id) if game is None else ("recorded", game)


class _RecordedGames:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: dict[str, dict[UUID, str]] = {}
        """Maps each player (search_key) to the ids of their games, by the UUID of the exported play."""

    def game_of(self, play: PastPlay) -> str | None:
        """Return the id of the game on this service whose export contains the play; None if there is none."""
        uuid = UUID(play.id)
        if uuid.version != _OF_OURS:
            return None
        name = search_key(play.parts[0].name)
        if name not in self._games:
            self._games[name] = {of_game(id_): id_ for id_ in self._ids(name)}
        return self._games[name].get(uuid)

    def _ids(self, name: str) -> Iterable[str]:
        # Search the recorded names, too: an alias may have moved the seat to another person.
        for wanted in (Filter(player=name), Filter(q=name)):
            yield from (game.id for game in self._store.projections.all(wanted))
