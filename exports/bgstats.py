"""bgstats: plays for the app BG Stats, as a file (`.bgsplay`), or as a link that opens the app on a phone.

File and link contain the players, roles, winners, date, duration and place, but not the log. The app forwards plays to
BoardGameGeek. As the app requires, all booleans are present, dates are in UTC but not in ISO 8601, and unknown values
are omitted or 0. The ids of plays, games, players and places are derived from their names, so that repeated imports do
not duplicate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import msgspec

from engine.core.plays import PastPlay, PlayPart
from engine.play import registry
from exports.log import Format, Log
from exports.plays import Play, named_uuid, play

EXTENSION = "bgsplay"
SOURCE = "Driftlog"
ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 1800
"""Maximum length of a link, because phones can hardly scan longer ones from a screen."""
LONGEST_TEXT = 300
"""Maximum length of a comment on a play."""
_UNRESERVED = "-._~:,!*'()"
"""Characters that are common in links and need no escape in a query."""


def write(log: Log) -> Iterator[bytes]:
    """Write the play of `log` as a `.bgsplay` file.

    Raises:
        Unsuitable: the game has not ended.
    """
    return iter([_encode_plays([play(log)])])


def write_past(plays: Iterable[PastPlay]) -> Iterator[bytes]:
    """Write logged plays as one file, each with its original UUID.

    Raises:
        UnknownRuleset: the ruleset of a play is not installed any more.
    """
    return iter([_encode_plays(list(plays))])


class PlaysWriter:
    """Writes the plays of many games to one file, `plays.bgsplay` (see `Gathering`)."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / f"plays.{EXTENSION}"
        self._plays: list[PastPlay] = []

    def add(self, log: Log) -> None:
        self._plays.append(play(log))

    def finish(self) -> None:
        self._file.write_bytes(_encode_plays(self._plays))

    def close(self) -> None:
        """Do nothing: there are no open files."""


def _encode_plays(plays: Sequence[PastPlay]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(_file(plays)), indent=1) + b"\n"


def link(of: Play) -> str:
    """Return the link that imports a play. Only very long names make the link longer than `LONGEST_LINK`."""
    document = _push_document(of)
    address = _address(document)
    for member in ("comments", "board", "location"):
        if len(address) > LONGEST_LINK:
            document.pop(member, None)
            address = _address(document)
    return address


def _address(document: dict[str, Any]) -> str:
    return ADDRESS + quote(msgspec.json.encode(document), safe=_UNRESERVED)


def _push_document(of: Play) -> dict[str, Any]:
    rules = registry.ruleset(of.ruleset)
    told = {"durationMin": of.minutes, "location": of.place, "board": of.variant[:LONGEST_TEXT]}
    numbered = {} if rules.bgg_id is None else {"bggId": rules.bgg_id}
    return {
        "sourceName": SOURCE,
        "sourcePlayId": of.game_id,
        "playDate": _date(of.began_at),
        **{name: value for name, value in told.items() if value},
        "comments": of.comments[:LONGEST_TEXT],
        "game": {
            "name": of.game or rules.name,
            "sourceGameId": f"{rules.id}:{of.game}" if of.game else rules.id,
            **numbered,
            "highestWins": of.highest_wins,
            "noPoints": not _has_scores(of),
            "cooperative": rules.is_cooperative,
        },
        "players": [
            {
                "name": part.name,
                "sourcePlayerId": _person(part).hex[:12],
                "startPlayer": part.has_begun,
                "winner": part.has_won,
                "rank": _rank(part),
                **({} if part.score is None else {"score": str(part.score)}),
                **({"role": part.role} if part.role else {}),
            }
            for part in of.parts
        ],
    }


def _file(plays: Sequence[PastPlay]) -> dict[str, Any]:
    # In the file, a play refers to these entries by their position, from 1.
    games = _number_entries({(play.ruleset, play.game): play for play in plays})
    people = _number_entries({_person(part): part for play in plays for part in play.parts})
    places = _number_entries({play.place: play for play in plays if play.place})
    changed = _date(max((play.ended_at for play in plays), default=datetime.fromtimestamp(0, UTC)))
    return {
        "about": f"Plays recorded with {SOURCE}",
        "games": [_game(number, play) for number, play in games.values()],
        "locations": [
            {"id": number, "uuid": _uuid_text(named_uuid("places", place)), "name": place, "modificationDate": changed}
            for place, (number, _) in places.items()
        ],
        "players": [_player(number, part, changed) for number, part in people.values()],
        "plays": [
            _play(
                play,
                games[play.ruleset, play.game][0],
                places[play.place][0] if play.place else 0,
                [people[_person(part)][0] for part in play.parts],
            )
            for play in plays
        ],
        "userInfo": {"meRefId": 0},
    }


def _number_entries(found: dict[Any, Any]) -> dict[Any, tuple[int, Any]]:
    return {key: (number, value) for number, (key, value) in enumerate(found.items(), 1)}


def _has_scores(of: PastPlay) -> bool:
    return any(part.score is not None for part in of.parts)


def _game(number: int, of: PastPlay) -> dict[str, Any]:
    """Return the game of a play. With a ruleset for any game, each game has its own name and id."""
    rules = registry.ruleset(of.ruleset)
    return {
        "id": number,
        "uuid": _uuid_text(named_uuid("rulesets", f"{rules.id}:{of.game}" if of.game else rules.id)),
        "name": of.game or rules.name,
        "bggId": rules.bgg_id or 0,
        "bggName": rules.name if rules.bgg_id is not None else "",
        "bggYear": 0,
        "cooperative": rules.is_cooperative,
        "highestWins": of.highest_wins,
        "noPoints": not _has_scores(of),
        "usesTeams": False,
        "designers": "",
        "isBaseGame": True,
        "isExpansion": False,
        "minPlayerCount": rules.players[0],
        "maxPlayerCount": rules.players[1],
        "copies": [],
    }


def _player(number: int, part: PlayPart, changed: str) -> dict[str, Any]:
    return {
        "id": number,
        "uuid": _uuid_text(_person(part)),
        "name": part.name,
        "isAnonymous": False,
        "bggUsername": "",
        "metaData": "",
        "modificationDate": changed,
    }


def _play(of: PastPlay, game: int, place: int, people: list[int]) -> dict[str, Any]:
    ended = _date(of.ended_at)
    return {
        "uuid": of.id.upper(),
        "gameRefId": game,
        "locationRefId": place,
        "playDate": _date(of.began_at),
        "playDateYmd": int(f"{of.began_at:%Y%m%d}"),
        "entryDate": ended,
        "modificationDate": ended,
        "durationMin": of.minutes or 0,
        "rounds": 0,
        "ignored": False,
        "manualWinner": True,
        "usesTeams": False,
        "rating": 0,
        "scoringSetting": 0,
        "board": of.variant,
        "comments": of.comments,
        "playImages": "[]",
        "bggId": 0,
        "nemestatsId": 0,
        "importPlayId": 0,
        "expansionPlays": [],
        "playerScores": [
            {
                "playerRefId": person,
                "score": "" if part.score is None else str(part.score),
                "winner": part.has_won,
                "newPlayer": False,
                "startPlayer": part.has_begun,
                "rank": _rank(part),
                "seatOrder": seat,
                "role": part.role,
                "team": "",
            }
            for seat, (person, part) in enumerate(zip(people, of.parts, strict=True), 1)
        ],
    }


def _rank(part: PlayPart) -> int:
    """Return 1 for a winner, otherwise 0: for the app, 0 means unknown."""
    return int(part.has_won)


def _person(part: PlayPart) -> UUID:
    """Return the id of a player. All spellings of a name have the same id."""
    return named_uuid("players", " ".join(part.name.casefold().split()))


def _uuid_text(uuid: UUID) -> str:
    return str(uuid).upper()


def _date(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


KIND = Format(
    name="bgstats",
    media_type="application/vnd.bgstats.play+json",
    extension=EXTENSION,
    loses="The log. The file has only the players, the winners and the times of a finished game.",
    write=write,
    gather=PlaysWriter,
    write_past=write_past,
)
