"""bgstats: the file and the link have what the app BG Stats accepts, and refuse what it cannot read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import msgspec
import pytest

from engine.core.events import Event
from engine.play import registry
from exports import Log, Unsuitable, bgstats
from exports.plays import play
from tests.exports.logs import GAME, LOGS, Record, export, opened_log
from tests.playouts import playout

DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


class _Strict(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A part of the file in which each member has the type that the app requires."""


class Game(_Strict):
    id: int
    uuid: str
    name: str
    bgg_id: int
    bgg_name: str
    bgg_year: int
    cooperative: bool
    highest_wins: bool
    no_points: bool
    uses_teams: bool
    designers: str
    is_base_game: bool
    is_expansion: bool
    min_player_count: int
    max_player_count: int
    copies: list[Any]


class Location(_Strict):
    id: int
    uuid: str
    name: str
    modification_date: str


class Player(_Strict):
    id: int
    uuid: str
    name: str
    is_anonymous: bool
    bgg_username: str
    meta_data: str
    modification_date: str


class Score(_Strict):
    player_ref_id: int
    score: str
    winner: bool
    new_player: bool
    start_player: bool
    rank: int
    seat_order: int
    role: str
    team: str


class Play(_Strict):
    uuid: str
    game_ref_id: int
    location_ref_id: int
    play_date: str
    play_date_ymd: int
    entry_date: str
    modification_date: str
    duration_min: int
    rounds: int
    ignored: bool
    manual_winner: bool
    uses_teams: bool
    rating: int
    scoring_setting: int
    board: str
    comments: str
    play_images: str
    bgg_id: int
    nemestats_id: int
    import_play_id: int
    expansion_plays: list[Any]
    player_scores: list[Score]


class Me(_Strict):
    me_ref_id: int


class File(_Strict):
    about: str
    games: list[Game]
    locations: list[Location]
    players: list[Player]
    plays: list[Play]
    user_info: Me


def read(data: bytes) -> File:
    """The file as the app reads it: with types, valid references, and ids and dates in its own form."""
    file = msgspec.json.decode(data, type=File)
    for listed in (file.games, file.locations, file.players):
        assert [one.id for one in listed] == list(range(1, len(listed) + 1))
    for named in (*file.games, *file.locations, *file.players, *file.plays):
        assert named.uuid == str(UUID(named.uuid)).upper()
        assert UUID(named.uuid).version == 5
    for one in file.plays:
        assert 1 <= one.game_ref_id <= len(file.games)
        assert 0 <= one.location_ref_id <= len(file.locations)
        assert {score.player_ref_id for score in one.player_scores} <= {player.id for player in file.players}
        assert [score.seat_order for score in one.player_scores] == list(range(1, len(one.player_scores) + 1))
        assert all(DATE.fullmatch(date) for date in (one.play_date, one.entry_date, one.modification_date))
        assert one.play_date_ymd == int(one.play_date[:10].replace("-", ""))
    return file


def read_link(events: list[Event], game: str = GAME) -> dict[str, Any]:
    """Return the play that the app reads from the link."""
    parts = urlsplit(bgstats.link(play(Log(game, events))))
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    ((name, data),) = parse_qsl(parts.query, strict_parsing=True)
    assert name == "data"
    document: dict[str, Any] = json.loads(data)
    return document


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_a_file_has_the_play_of_every_game(ruleset: str) -> None:
    events = LOGS[f"{ruleset} of {registry.ruleset(ruleset).players[1]}, observed"]()
    names = [seat["name"] for seat in events[0].params["seats"]]

    file = read(export("bgstats", events))

    (told,) = file.plays
    outcome = play_game(events).outcome
    assert [player.name for player in file.players] == names
    assert [score.winner for score in told.player_scores] == [
        f"p{seat}" in outcome.winners for seat in range(1, len(names) + 1)
    ]
    assert sum(score.start_player for score in told.player_scores) == 1
    assert file.games[0].bgg_id == (registry.ruleset(ruleset).bgg_id or 0)


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_a_link_has_the_same(ruleset: str) -> None:
    events = LOGS[f"{ruleset} of {registry.ruleset(ruleset).players[1]}, observed"]()

    document, (told,) = read_link(events), read(export("bgstats", events)).plays

    assert (document["sourceName"], document["sourcePlayId"]) == ("Driftlog", GAME)
    assert document["playDate"] == told.play_date
    game = document["game"]
    assert {type(game[name]) for name in ("highestWins", "noPoints", "cooperative")} == {bool}
    assert type(game.get("bggId", 0)) is int
    for player, score in zip(document["players"], told.player_scores, strict=True):
        assert (player["winner"], player["startPlayer"]) == (score.winner, score.start_player)
        assert player.get("role", "") == score.role


def test_who_plays_twice_is_known_again_and_a_play_taken_in_twice_is_one(tmp_path: Path) -> None:
    gathering = bgstats.PlaysWriter(tmp_path)
    for name, events in (("one", playout()), ("two", playout("forbidden-desert", 1, 2)), ("one", playout())):
        gathering.add(Log(name, events))
    with pytest.raises(Unsuitable):
        gathering.add(Log("three", playout(limit=9)))
    gathering.finish()

    file = read((tmp_path / "plays.bgsplay").read_bytes())

    assert len(file.players) == len({player.uuid for player in file.players})
    assert [one.game_ref_id for one in file.plays] == [1, 2, 1]
    assert file.plays[0].uuid == file.plays[2].uuid != file.plays[1].uuid


def test_the_log_tells_when_it_was_played_not_when_it_was_noted() -> None:
    events = playout()
    at = {1: "2026-11-20T19:00:00.000Z", len(events) - 1: "2026-11-20T19:42:00.000Z"}
    written = [msgspec.structs.replace(event, occurred_at=at.get(event.seq, at[1])) for event in events]
    late = msgspec.structs.replace(written[-1], type="annotate", params={"text": "!"}, occurred_at=None)

    told = play(Log(GAME, [*written, late], game=play_game(events)))

    assert (told.minutes, f"{told.began_at:%H:%M}") == (42, "19:00")


def play_game(events: list[Event]) -> Any:
    return Log(GAME, events).fold()


def test_a_break_is_left_out_of_the_duration() -> None:
    events = playout()
    before = play(Log(GAME, events, game=play_game(playout()))).minutes
    assert before is not None
    events[-2] = msgspec.structs.replace(events[-2], occurred_at="2026-11-27T19:00:00.000Z")

    told = play(Log(GAME, events, game=play_game(playout())))
    (one,) = read(b"".join(bgstats.write(Log(GAME, events, game=play_game(playout()))))).plays

    assert told.minutes == one.duration_min
    assert before - 2 <= one.duration_min <= before


def test_what_was_recorded_in_one_go_has_no_duration() -> None:
    events = [msgspec.structs.replace(event, recorded_at="2026-11-20T19:00:00.000Z") for event in playout()]

    told = play(Log(GAME, events, game=play_game(playout())))
    (one,) = read(b"".join(bgstats.write(Log(GAME, events, game=play_game(playout()))))).plays

    assert (told.minutes, one.duration_min) == (None, 0)
    assert "durationMin" not in json.loads(parse_qsl(urlsplit(bgstats.link(told)).query)[0][1])


def test_a_tag_says_where() -> None:
    events = playout()
    first = msgspec.structs.replace(
        events[0], params={**events[0].params, "tags": ["club night", "Location: The Anchor"]}
    )
    log = Log(GAME, [first, *events[1:]])

    file = read(b"".join(bgstats.write(log)))

    assert [place.name for place in file.locations] == ["The Anchor"]
    assert file.plays[0].location_ref_id == 1
    assert read_link([first, *events[1:]])["location"] == "The Anchor"


def test_an_abandoned_game_is_a_play_that_nobody_won() -> None:
    events = LOGS["abandoned"]()

    (one,) = read(export("bgstats", events)).plays

    assert not any(score.winner for score in one.player_scores)
    assert one.comments.startswith("Abandoned in turn")


def test_long_names_cost_the_link_what_it_can_do_without() -> None:
    events = playout(seats=4)
    params = {**events[0].params, "seats": [{"name": name * 60} for name in ("Ä", "É", "Ö", "Ü")]}
    told = read_link([msgspec.structs.replace(events[0], params=params), *events[1:]])

    assert not {"comments", "board"} & told.keys()
    assert [player["name"] for player in told["players"]] == [name * 60 for name in ("Ä", "É", "Ö", "Ü")]


@pytest.mark.parametrize(
    "events", [opened_log("Ada", "Bo"), playout(limit=9), Record(playout()).add("undo", to=30).events]
)
def test_a_game_that_goes_on_is_no_play(events: list[Event]) -> None:
    with pytest.raises(Unsuitable, match="has not ended"):
        export("bgstats", events)
