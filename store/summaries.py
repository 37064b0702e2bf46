"""A game's entry in the list, and the words by which it is found."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import msgspec

from engine import registry
from engine.errors import UnknownRuleset
from engine.events import Fork, GameOutcome
from store.errors import Corrupt
from store.telling import Telling

STATUSES = ("setup", "in_progress", "finished", "abandoned")

_WORD = re.compile(r"\w+")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the list shows it, as of its `version`."""

    id: str
    ruleset: str
    ruleset_version: str
    seats: tuple[str, ...]
    """The players' names, in seat order."""
    options: dict[str, Any]
    status: str
    """One of `STATUSES`."""
    version: int
    turn: int
    outcome: GameOutcome | None
    chance: str
    mode: str
    tags: tuple[str, ...]
    opened_at: str
    updated_at: str
    """When the last event was recorded."""
    head: str
    fork: Fork | None = None
    """Where a fork comes from."""

    @property
    def words(self) -> set[str]:
        """All words by which it is found: of the players' names, the tags, the ruleset's id and name."""
        try:
            name = registry.ruleset(self.ruleset, self.ruleset_version).name
        except UnknownRuleset:
            name = ""
        return words(*self.seats, *self.tags, self.ruleset, name)


def summary(game_id: str, telling: Telling, opened_at: str) -> Summary:
    """The summary of a game of which all was told."""
    game, header = telling.game, telling.game.header
    return Summary(
        id=game_id,
        ruleset=header.ruleset,
        ruleset_version=header.ruleset_version,
        seats=header.names,
        options=header.options,
        status=game.status,
        version=game.version,
        turn=game.turn,
        outcome=game.outcome,
        chance=header.chance,
        mode=header.mode,
        tags=header.tags,
        opened_at=opened_at,
        updated_at=telling.updated_at,
        head=game.head,
        fork=header.fork,
    )


_DECODER = msgspec.json.Decoder(Summary)


def parse(document: bytes) -> Summary:
    """The summary that was encoded as `document`.

    Raises:
        Corrupt: it is none.
    """
    try:
        return _DECODER.decode(document)
    except msgspec.DecodeError as error:
        raise Corrupt(f"an entry of the list does not decode: {error}") from error


def folded(text: str) -> str:
    """`text` as it is compared, in any case and any width: `Ａda` and `ADA` are `ada`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


def words(*texts: str) -> set[str]:
    """Every word of `texts`, folded."""
    return {word for text in texts for word in _WORD.findall(folded(text))}
