"""Read files of BG Stats play by play: a `.bgsplay` file, or the app's full export.

The ruleset of a play is found by the game's BoardGameGeek number or name. Every play becomes an `ImportedPlay` with its
status or error; an invalid play does not affect the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from engine.core.errors import Malformed
from engine.core.language import say
from engine.core.plays import PastPlay, PlayPart
from engine.core.text import DIRECTION_MARKS, LINE_ENDS, STEERING, UNSEEN, visible
from engine.core.values import SEAT_IDS
from engine.kit.rules import AnyRules
from engine.play import registry

MOST_PLAYS = 10_000
"""Maximum number of plays of a file: one and a half a day for twenty years."""
MOST_VALUES = 2_000_000
"""Maximum number of JSON values in a file. Decoding needs a hundred bytes of memory for each value."""
LONGEST_NAME = 80
LONGEST_COMMENT = 10_000
LONGEST_SHOWN = 80
"""Maximum length of a title in messages about a play."""
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Range of a play's year. Close to the largest possible datetime, the end of a play would overflow."""
MOST_MINUTES = 60 * 24 * 31
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_UNSEEN = re.compile(f"[{STEERING}{LINE_ENDS}{DIRECTION_MARKS}{UNSEEN}]")

Kind = Literal["play", "other_game", "ignored", "broken"]


class ImportedPlay(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in the file's list of plays."""

    number: int
    """The position in the list, from 1."""
    title: str
    """Name of the game in the file; empty if it has none."""
    kind: Kind
    """`other_game`: the game has no installed ruleset. `ignored`: the file excludes the play."""
    why: str = ""
    """The error of an invalid play."""
    play: PastPlay | None = None


class _InvalidPlay(Exception):
    """Raised if a play is invalid; the message gives the reason."""


class _Document(msgspec.Struct):
    plays: list[msgspec.Raw]
    games: list[msgspec.Raw]
    players: list[msgspec.Raw] = []
    locations: list[msgspec.Raw] = []


class _Named(msgspec.Struct):
    id: int
    name: str


class _Game(msgspec.Struct):
    id: int
    name: str
    number: Any = msgspec.field(default=None, name="bggId")


class _Score(msgspec.Struct, rename="camel"):
    player_ref_id: int
    winner: bool = False
    start_player: bool = False
    role: str | None = None
    score: Any = None

    @property
    def points(self) -> int | None:
        """The score; None if it is not a whole number."""
        text = str(self.score).strip()
        return int(text) if _WHOLE.fullmatch(text) else None


class _Play(msgspec.Struct, rename="camel"):
    uuid: UUID
    game_ref_id: int
    play_date: str
    player_scores: Annotated[list[_Score], Meta(min_length=1, max_length=len(SEAT_IDS))]
    location_ref_id: int = 0
    duration_min: Annotated[float, Meta(ge=0, le=MOST_MINUTES)] | None = None
    ignored: bool = False
    board: Annotated[str, Meta(max_length=LONGEST_COMMENT)] | None = None
    comments: Annotated[str, Meta(max_length=LONGEST_COMMENT)] | None = None


class _Which(msgspec.Struct, rename="camel"):
    game_ref_id: int


def read(data: bytes) -> Iterator[ImportedPlay]:
    """Yield every play of a file, in order.

    Raises:
        Malformed: the data is not such a file, or has too many plays.
    """
    if data.count(b",") > MOST_VALUES:
        raise Malformed("", say("this is not a BG Stats file: it has more than {most} values", most=f"{MOST_VALUES:,}"))
    try:
        document = msgspec.json.decode(data, type=_Document)
    except (ValueError, RecursionError) as error:
        raise Malformed("", say("this is not a BG Stats file: {error}", error=error)) from None
    if len(document.plays) > MOST_PLAYS:
        told = {"number": f"{len(document.plays):,}", "most": f"{MOST_PLAYS:,}"}
        raise Malformed("/plays", say("the file has {number} plays: import at most {most} at a time", **told))
    return _items(document)


def _items(document: _Document) -> Iterator[ImportedPlay]:
    games = {one.id: one for one in _readable(document.games, _Game)}
    players = {one.id: one.name for one in _readable(document.players, _Named)}
    places = {one.id: one.name for one in _readable(document.locations, _Named)}
    known = {one.id: _ruleset(one) for one in games.values()}
    seen: set[UUID] = set()
    for number, raw in enumerate(document.plays, 1):
        which = next(_readable([raw], _Which), None)
        game = None if which is None else games.get(which.game_ref_id)
        item = ImportedPlay(
            number=number, title="" if game is None else visible(game.name[:LONGEST_SHOWN]), kind="broken"
        )
        rules = None if game is None else known[game.id]
        if game is not None and rules is None:
            yield msgspec.structs.replace(item, kind="other_game")
            continue
        if rules is None:
            yield msgspec.structs.replace(item, why=say("the file does not name the game of the play"))
            continue
        try:
            play = _decode_play(raw)
            past = None if play.ignored else _past(play, rules, players, places)
        except _InvalidPlay as error:
            yield msgspec.structs.replace(item, why=str(error))
            continue
        if play.ignored:
            yield msgspec.structs.replace(item, kind="ignored")
        elif play.uuid in seen:
            yield msgspec.structs.replace(item, why=say("an earlier play in the file has the same uuid"))
        else:
            yield msgspec.structs.replace(item, kind="play", play=past)
        seen.add(play.uuid)


def _readable(found: list[msgspec.Raw], kind: type[Any]) -> Iterator[Any]:
    """Yield the entries that decode as `kind`. Omit other entries; plays that refer to them are invalid."""
    for raw in found:
        try:
            yield msgspec.json.decode(raw, type=kind)
        except (ValueError, RecursionError):
            continue


def _ruleset(game: _Game) -> AnyRules | None:
    """Return the ruleset of a game, found by its name, or else by its BoardGameGeek number."""
    called = " ".join(game.name.casefold().split())
    rulesets = registry.rulesets()
    by_number = [one for one in rulesets if one.bgg_id is not None and one.bgg_id == game.number]
    by_name = [one for one in rulesets if one.name.casefold() == called]
    return next(iter([*by_name, *by_number]), None)


def _decode_play(raw: msgspec.Raw) -> _Play:
    try:
        return msgspec.json.decode(raw, type=_Play)
    except (ValueError, RecursionError) as error:
        raise _InvalidPlay(visible(str(error)[:200])) from None


def _past(play: _Play, rules: AnyRules, players: Mapping[int, str], places: Mapping[int, str]) -> PastPlay:
    parts = tuple(
        PlayPart(
            name=_name(players.get(score.player_ref_id), say("a player's name")),
            role=_name(score.role, say("a role")) if score.role else "",
            has_won=score.winner,
            has_begun=score.start_player,
            score=score.points,
        )
        for score in play.player_scores
    )
    place = places.get(play.location_ref_id, "")
    return PastPlay(
        id=str(play.uuid),
        ruleset=rules.id,
        result="won" if any(part.has_won for part in parts) else "lost",
        parts=parts,
        played_at=_moment(play.play_date),
        minutes=round(play.duration_min) if play.duration_min else None,
        place=_name(place, say("a place")) if place.strip() else "",
        variant=visible(play.board or ""),
        comments=visible(play.comments or ""),
        highest_wins=rules.highest_wins,
    )


def _name(given: str | None, what: str) -> str:
    if given is None:
        raise _InvalidPlay(say("{what} is missing", what=what))
    name = " ".join(given.split())
    if not 1 <= len(name) <= LONGEST_NAME or _UNSEEN.search(name):
        raise _InvalidPlay(say("{what} must have 1 to {most} visible characters", what=what, most=LONGEST_NAME))
    return name


def _moment(given: str) -> str:
    try:
        moment = datetime.strptime(given, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        moment = None
    if moment is None or moment.year > LAST_YEAR:
        raise _InvalidPlay(say("its date is invalid; use the form 2026-11-20 19:04:11"))
    if moment.year < FIRST_YEAR:
        raise _InvalidPlay(say("its date is before {year}", year=FIRST_YEAR))
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"
