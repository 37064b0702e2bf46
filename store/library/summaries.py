"""A game's entry in the list, and the words by which it is found."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.errors import UnknownRuleset
from engine.core.events import Event, Fork, Header
from engine.core.language import speaking
from engine.core.text import search_key
from engine.core.values import GameOutcome, State
from engine.kit.options import in_words
from engine.kit.presentation import AnyPresentation
from engine.play import registry
from engine.play.beliefs import belief
from engine.play.game import opened
from store.errors import Corrupt
from store.library import tallies
from store.library.projecting import Projected

RESULTS = ("won", "lost", "draw", "abandoned")
STATUSES = ("setup", "in_progress", "finished", "abandoned")
WITHHELD = "…"
"""In place of a name that is hidden; it has no word in it to be found by."""

_WORD = re.compile(r"\w+")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the list shows it, as of its `version`."""

    id: str
    ruleset: str
    ruleset_version: str
    seats: tuple[str, ...]
    """The players' names, in seat order, as the log has them."""
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
    began_at: str = ""
    """When the first event after the opening happened, as `engine.review.playing_time` has it; empty before that."""
    seconds: int = 0
    """How long it has been played, breaks left out."""
    people: tuple[str, ...] = ()
    """Who sits in the seats by what was said of names, in seat order; empty where that are the names in the log."""

    def of(self, people: tuple[str, ...]) -> Summary:
        """The same with these people in its seats, whatever names are written there."""
        told = () if people == self.seats else people
        if told == self.people:
            return self
        game = msgspec.structs.replace(self, people=told)
        return msgspec.structs.replace(game, counted=_counted(game))

    @property
    def as_written(self) -> Summary:
        """The same as if nothing was said of names."""
        return self.of(())

    def without(self, hidden: frozenset[str]) -> Summary:
        """The same with `WITHHELD` for each name (search_key) that is hidden, and without the tags that tell one."""
        if not hidden:
            return self
        names = tuple(WITHHELD if search_key(name) in hidden else name for name in self.names)
        # What is written where somebody sits who is hidden is a name of theirs.
        seats = tuple(
            WITHHELD if name == WITHHELD or search_key(seat) in hidden else seat
            for seat, name in zip(self.seats, names, strict=True)
        )
        tags = tuple(tag for tag in self.tags if not tells(tag, hidden))
        return msgspec.structs.replace(self, seats=seats, people=names if self.people else (), tags=tags)

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, in seat order."""
        return self.people or self.seats

    @property
    def players(self) -> list[str]:
        """Their names, search_key, each once."""
        return list(dict.fromkeys(map(search_key, self.names)))

    @property
    def result(self) -> str | None:
        """How it ended; None while it goes on."""
        return None if self.outcome is None else self.outcome.result

    @property
    def played_at(self) -> str:
        """When it was played, as far as the log tells; while it is being set up, when it was opened."""
        return self.began_at or self.opened_at

    @property
    def is_installed(self) -> bool:
        """Whether the rules that it is played by are installed here."""
        return self.ruleset_version in registry.versions(self.ruleset)

    @property
    def words(self) -> set[str]:
        """All words by which it is found: of the players' names, also as they are written, the tags, the ruleset's id
        and name.
        """
        try:
            name = registry.ruleset(self.ruleset, self.ruleset_version).name
        except UnknownRuleset:
            name = ""
        return words(*self.names, *self.seats, *self.tags, self.ruleset, name)


def _part(rules: AnyPresentation, seat: int, state: State) -> dict[str, str]:
    return rules.role(state, seat)


def summary(game_id: str, projected: Projected, opened_at: str) -> Summary:
    """The summary of a game of which all was told; its words are English, by which it is found and counted."""
    game, header = projected.game, projected.game.header
    rules, state = game.ruleset, game.state
    seats = range(len(header.seats))
    with speaking(None):
        chosen = in_words(params_schema(rules.options), header.options)
        parts = () if state is None else tuple(belief.words(state, partial(_part, rules, seat)) for seat in seats)
    told = Summary(
        **_opening(game_id, header, opened_at),
        status=game.status,
        version=game.version,
        turn=game.turn,
        outcome=game.outcome,
        updated_at=projected.updated_at,
        head=game.head,
        chosen=chosen,
        parts=parts,
        began_at=projected.index.clock.began_at or "",
        seconds=projected.index.clock.milliseconds // 1000,
    )
    return msgspec.structs.replace(told, counted=_counted(told))


def _opening(game_id: str, header: Header, opened_at: str) -> dict[str, Any]:
    """What its opening says of a game."""
    return {
        "id": game_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "seats": header.names,
        "options": header.options,
        "chance": header.chance,
        "mode": header.mode,
        "tags": header.tags,
        "opened_at": opened_at,
        "fork": header.fork,
    }


def unplayed(game_id: str, ends: tuple[Event, Event], opened_at: str) -> Summary:
    """The summary of a game whose rules are not installed: what its log tells without them.

    Args:
        ends: its first event, and its last.
    """
    first, last = ends
    header, closing = opened(first), None
    if last.type == lifecycle.GAME_CLOSED:
        closing = msgspec.convert(last.params, lifecycle.GameClosed).outcome
    begun = "setup" if last.seq == first.seq else "in_progress"
    ended = "abandoned" if closing is not None and closing.result == "abandoned" else "finished"
    return Summary(
        **_opening(game_id, header, opened_at),
        status=begun if closing is None else ended,
        version=last.seq,
        turn=last.turn,
        outcome=closing,
        updated_at=last.recorded_at,
        head=last.hash,
    )


def _counted(game: Summary) -> tuple[tuple[str, ...], ...]:
    outcome, ruleset, parts = game.outcome, game.ruleset, game.parts
    if outcome is None or not parts:
        return ()
    evening = tallies.Evening(game.played_at, game.seconds // 60)
    by_player: dict[str, tuple[str, ...]] = {}
    results: dict[str, str] = {}
    for seat, name in enumerate(map(search_key, game.names)):
        fields = tallies.of_player(ruleset, outcome, seat, game.chosen, parts[seat])
        by_player[name] = by_player.get(name, ()) + fields
        results.setdefault(name, tallies.seat_result(outcome, seat))
    for name, result in results.items():
        # Once a game, however many seats somebody sat in.
        by_player[name] += tallies.of_evening(ruleset, evening, result)
        by_player[name] += tallies.of_partners(ruleset, [one for one in results if one != name], result)
    whole = tallies.of_ruleset(outcome, game.chosen, parts) + tallies.of_evening(
        "", evening, tallies.game_result(outcome, len(parts))
    )
    return (whole, *by_player.values())


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


def tells(text: str, hidden: frozenset[str]) -> bool:
    """Whether one of the names (search_key) that are hidden is `text`, or stands in it as words of its own."""
    if not hidden:
        return False
    found, phrases = _WORD.findall(search_key(text)), _phrases(hidden)
    ends = range(1, len(found) + 1)
    return search_key(text) in hidden or any(
        " ".join(found[start:end]) in phrases for end in ends for start in range(end)
    )


@lru_cache(maxsize=8)
def _phrases(names: frozenset[str]) -> frozenset[str]:
    """The words of each of them, whatever stands between."""
    return frozenset(" ".join(_WORD.findall(name)) for name in names)


def words(*texts: str) -> set[str]:
    """Every word of `texts`, folded."""
    return {word for text in texts for word in _WORD.findall(search_key(text))}
