"""A game's entry in the list, and the words by which it is found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from engine import beliefs, registry
from engine.errors import UnknownRuleset
from engine.events import Fork, GameOutcome
from engine.fold import AnyRuleset, Game
from engine.ruleset import State, params_schema
from engine.table import in_words
from store import tallies
from store.errors import Corrupt
from store.telling import Telling

RESULTS = ("won", "lost", "draw", "abandoned")
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
    chosen: dict[str, str] = {}
    """Its options in words, but for rulings."""
    parts: tuple[dict[str, str], ...] = ()
    """What each seat plays, in words; empty before the set-up."""
    counted: tuple[tuple[str, ...], ...] = ()
    """What it counts for in the tallies of its ruleset and of each of `players`, once it has ended."""

    @property
    def players(self) -> list[str]:
        """The players' names, folded, each once."""
        return list(dict.fromkeys(map(folded, self.seats)))

    @property
    def result(self) -> str | None:
        """How it ended; None while it goes on."""
        return None if self.outcome is None else self.outcome.result

    @property
    def words(self) -> set[str]:
        """All words by which it is found: of the players' names, the tags, the ruleset's id and name."""
        try:
            name = registry.ruleset(self.ruleset, self.ruleset_version).name
        except UnknownRuleset:
            name = ""
        return words(*self.seats, *self.tags, self.ruleset, name)


def _part(rules: AnyRuleset, seat: int, state: State) -> dict[str, str]:
    return rules.part(state, seat)


def summary(game_id: str, telling: Telling, opened_at: str) -> Summary:
    """The summary of a game of which all was told."""
    game, header = telling.game, telling.game.header
    rules, state = game.ruleset, game.state
    chosen = in_words(params_schema(rules.options), header.options)
    seats = range(len(header.seats))
    parts = () if state is None else tuple(beliefs.words(state, partial(_part, rules, seat)) for seat in seats)
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
        chosen=chosen,
        parts=parts,
        counted=_counted(game, chosen, parts),
    )


def _counted(game: Game, chosen: Mapping[str, str], parts: Sequence[Mapping[str, str]]) -> tuple[tuple[str, ...], ...]:
    if game.outcome is None or not parts:
        return ()
    by_player: dict[str, tuple[str, ...]] = {}
    for seat, name in enumerate(game.header.names):
        fields = tallies.of_player(game.header.ruleset, game.outcome, seat, chosen, parts[seat])
        by_player[folded(name)] = by_player.get(folded(name), ()) + fields
    return (tallies.of_ruleset(game.outcome, chosen, parts), *by_player.values())


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
