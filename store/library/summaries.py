"""List entries of games, and their search words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.errors import UnknownRuleset
from engine.core.events import Event, Fork, Header
from engine.core.language import speaking
from engine.core.text import search_key
from engine.core.values import SEAT_IDS, GameOutcome, State
from engine.kit.options import KNOWN, in_words
from engine.kit.presentation import AnyPresentation
from engine.kit.scene.panels import PlayerMat
from engine.play import registry
from engine.play.beliefs import belief
from engine.play.game import Game, parse_header
from store import keys
from store.documents import parser
from store.errors import Corrupt
from store.library import tallies
from store.library.projecting import ProjectedLog
from store.redis import connection
from store.redis.connection import Client

RESULTS = ("won", "lost", "draw", "abandoned")
STATUSES = ("setup", "in_progress", "finished", "abandoned")
WITHHELD = "…"
"""Replacement for a hidden name; it contains no search word."""

_WORD = re.compile(r"\w+")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The list entry of a game, as of its `version`."""

    id: str
    ruleset: str
    ruleset_version: str
    seats: tuple[str, ...]
    """The players' recorded names, in seat order."""
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
    """Time of the last event."""
    head: str
    fork: Fork | None = None
    """The origin of the game, if it is a fork."""
    chosen: dict[str, str] = {}
    """The options in words, except for rulings."""
    parts: tuple[dict[str, str], ...] = ()
    """The role of each seat, in words; empty before the setup."""
    counted: tuple[tuple[str, ...], ...] = ()
    """The statistics fields that count the game: first for its ruleset, then for each of `players`.

    Empty until the end.
    """
    began_at: str = ""
    """Time of the first event after the opening, see `engine.review.playing_time`; empty before that."""
    seconds: int = 0
    """Playing time in seconds, without breaks."""
    people: tuple[str, ...] = ()
    """The people in the seats, in seat order, with aliases resolved; empty if equal to the recorded names."""
    title: str | None = None
    played: str = ""
    """The date of play, if it was set."""
    earlier: tuple[str, ...] = ()
    """The names of players who left their seats."""
    colours: tuple[str, ...] = ()
    """The colour of each seat's pawn; empty before the setup."""
    losses: tuple[str, ...] = ()
    """Things that were lost for good at the end of the game, if known (`Presentation.losses`)."""
    is_settled: bool = False
    """False in entries by earlier Driftlog versions. Their `outcome` does not show if adjustments decided the game."""
    game: str = ""
    """The name of the game, such as the title of its box; empty if the ruleset has the same name."""

    def of(self, people: tuple[str, ...]) -> Summary:
        """Return the entry with `people` in the seats instead of the recorded names."""
        told = () if people == self.seats else people
        if told == self.people:
            return self
        game = msgspec.structs.replace(self, people=told)
        return msgspec.structs.replace(game, counted=_tally_fields(game))

    @property
    def as_written(self) -> Summary:
        """Return the entry without aliases."""
        return self.of(())

    def without(self, hidden: frozenset[str]) -> Summary:
        """Return the entry with `WITHHELD` for each hidden name (search_key).

        Tags that contain a hidden name are removed.
        """
        if not hidden:
            return self
        names = tuple(WITHHELD if search_key(name) in hidden else name for name in self.names)
        # If a person is hidden, hide the recorded name in their seat, too.
        seats = tuple(
            WITHHELD if name == WITHHELD or search_key(seat) in hidden else seat
            for seat, name in zip(self.seats, names, strict=True)
        )
        tags = tuple(tag for tag in self.tags if not tells(tag, hidden))
        earlier = tuple(name for name in self.earlier if search_key(name) not in hidden)
        title = None if self.title is None or tells(self.title, hidden) else self.title
        people = names if self.people else ()
        return msgspec.structs.replace(self, seats=seats, people=people, tags=tags, earlier=earlier, title=title)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names with aliases resolved, in seat order."""
        return self.people or self.seats

    @property
    def players(self) -> list[str]:
        """The players' names as search keys, without repeats."""
        return list(dict.fromkeys(map(search_key, self.names)))

    @property
    def result(self) -> str | None:
        """The result; None while the game continues."""
        return None if self.outcome is None else self.outcome.result

    @property
    def played_at(self) -> str:
        """The date of play if it was set; otherwise the time at which the recorded game began, or else was opened."""
        return self.played or self.began_at or self.opened_at

    @property
    def is_installed(self) -> bool:
        """True if the game's rules are installed here."""
        return self.ruleset_version in registry.versions(self.ruleset)

    @property
    def words(self) -> set[str]:
        """All search words: from the players' names (resolved and recorded), tags, and the ruleset's id and name."""
        try:
            name = registry.ruleset(self.ruleset, self.ruleset_version).at(self.options).name
        except UnknownRuleset:
            name = ""
        return words(*self.names, *self.seats, *self.earlier, *self.tags, self.title or "", self.ruleset, name)


def _colours(rules: AnyPresentation, names: tuple[str, ...], state: State) -> tuple[str, ...]:
    mats = {one.seat: one.colour for one in rules.board(state, names).panels if isinstance(one, PlayerMat)}
    return tuple(mats.get(seat, "") for seat in SEAT_IDS[: len(names)])


def summary(game_id: str, projected: ProjectedLog, opened_at: str) -> Summary:
    """Return the list entry of a game. Its words are English, because search and statistics use them."""
    game, header = projected.game, projected.game.header
    rules, state = game.ruleset, game.state
    seats = range(len(header.seats))
    with speaking(None):
        schema = params_schema(rules.options)
        chosen = _documents(schema, game.options) | in_words(schema, game.options)
        parts = () if state is None else tuple(belief.words(state, partial(rules.role, seat=seat)) for seat in seats)
        tables = [] if state is None else [world.state for world in belief.worlds(state)]
        # The pawns are the same on all possible tables.
        colours = _colours(rules, game.names, tables[0]) if tables else ()
    lost = [set(rules.losses(table)) for table in tables] if game.outcome else []
    told = Summary(
        **_opening(game_id, header, opened_at) | _changed_details(game),
        colours=colours,
        losses=tuple(sorted(set[str].intersection(*lost))) if lost else (),
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
        is_settled=True,
        game="" if rules is registry.ruleset(rules.id, rules.version) else rules.name,
    )
    return msgspec.structs.replace(told, counted=_tally_fields(told))


def _documents(schema: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, str]:
    """Map the title of each option whose value is a document, such as a box, to the title of that document."""
    declared = schema["properties"].items()
    return {one["title"]: options[name]["title"] for name, one in declared if KNOWN in one and name in options}


def _opening(game_id: str, header: Header, opened_at: str) -> dict[str, Any]:
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


def _changed_details(game: Game) -> dict[str, Any]:
    details = game.details
    return {
        "seats": game.names,
        "options": game.options,
        "tags": game.tags,
        "title": details.title,
        "played": details.played_at or "",
        "earlier": tuple(name for names in details.people for name in names[:-1]),
    }


def summary_without_rules(game_id: str, ends: tuple[Event, Event], opened_at: str) -> Summary:
    """Return the list entry of a game whose rules are not installed, from its log alone.

    Args:
        ends: the first and last event of the game.
    """
    first, last = ends
    header, closing = parse_header(first), None
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


def _tally_fields(game: Summary) -> tuple[tuple[str, ...], ...]:
    outcome, ruleset, parts = game.outcome, game.ruleset, game.parts
    if outcome is None or not parts:
        return ()
    evening = tallies.Evening(game.played_at, game.seconds // 60)
    by_player: dict[str, tuple[str, ...]] = {}
    results: dict[str, str] = {}
    for seat, name in enumerate(map(search_key, game.names)):
        fields = tallies.of_player(ruleset, outcome, seat, game.chosen, parts[seat])
        fields += tallies.of_score(ruleset, game.game, outcome, seat)
        by_player[name] = by_player.get(name, ()) + fields
        results.setdefault(name, tallies.seat_result(outcome, seat))
    for name, result in results.items():
        # Count the game once for a player who has several seats.
        by_player[name] += tallies.of_evening(ruleset, evening, result)
        by_player[name] += tallies.of_partners(ruleset, [one for one in results if one != name], result)
    whole = tallies.of_ruleset(outcome, game.chosen, parts) + tallies.of_evening(
        "", evening, tallies.game_result(outcome, len(parts))
    )
    for seat in range(len(parts)):
        whole += tallies.of_score("", game.game, outcome, seat)
    return (whole, *by_player.values())


parse = parser(Summary, "an entry of the list")


def tells(text: str, hidden: frozenset[str]) -> bool:
    """Return True if `text` (a search key) contains a hidden name as separate words."""
    if not hidden:
        return False
    found, phrases = _WORD.findall(search_key(text)), _phrases(hidden)
    ends = range(1, len(found) + 1)
    return search_key(text) in hidden or any(
        " ".join(found[start:end]) in phrases for end in ends for start in range(end)
    )


@lru_cache(maxsize=8)
def _phrases(names: frozenset[str]) -> frozenset[str]:
    return frozenset(" ".join(_WORD.findall(name)) for name in names)


def words(*texts: str) -> set[str]:
    """Return the words of all texts, in a form that ignores case."""
    return {word for text in texts for word in _WORD.findall(search_key(text))}


def by_hand(client: Client, game_id: str, head: str) -> bool | None:
    """Return True if adjustments decided the game whose last event has the hash `head`; None if it is not listed."""
    document = connection.call(client, "HGET", keys.SUMMARIES, game_id)
    try:
        game = None if document is None else parse(document)
    except Corrupt:
        return None
    if game is None or game.head != head or game.outcome is None or not game.is_settled:
        return None
    return game.outcome.by_hand
