"""Imports of BG Stats files, play by play: a broken play does not affect others, and each rejected play is reported."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import Malformed
from exports import bgstats, bgstats_reading
from exports.bgstats_reading import ImportedPlay
from tests.exports.logs import export
from tests.playouts import playout

UUID = "0B9F3A4F-6B1D-4D0D-8C8A-6E2F7B1C1F0B"
GAMES = [
    {"id": 1, "name": "Forbidden Island", "bggId": 65244},
    {"id": 2, "name": "Die Verbotene Insel", "bggId": 65244},
    {"id": 3, "name": "Chess", "bggId": 171},
]
PLAYERS = [{"id": 1, "name": " Ann  Lee "}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "x" * 10_000}, {"id": 4}]
SCORES = [{"playerRefId": 1, "winner": True, "role": "Pilot", "startPlayer": True}, {"playerRefId": 2, "winner": True}]


def play(**changed: Any) -> dict[str, Any]:
    return {
        "uuid": UUID,
        "gameRefId": 1,
        "locationRefId": 1,
        "playDate": "2024-02-29 19:04:11",
        "durationMin": 36,
        "board": "Legendary",
        "comments": "The pilot was late.",
        "playerScores": SCORES,
        **changed,
    }


def of(*plays: Any, **changed: Any) -> bytes:
    document = {"games": GAMES, "players": PLAYERS, "locations": [{"id": 1, "name": "Home"}], "plays": plays}
    return json.dumps(document | changed).encode()


def read(*plays: Any) -> list[ImportedPlay]:
    return list(bgstats_reading.read(of(*plays)))


def test_scores_are_whole_numbers() -> None:
    given = ["31", " -4 ", "1+2", "", None, 2.5, 7, {}]
    (item,) = read(play(playerScores=[{"playerRefId": 1, "score": one} for one in given]))
    assert item.play is not None
    assert [part.score for part in item.play.parts] == [31, -4, None, None, None, None, 7, None]
    assert item.play.outcome.scores == ()
    (item,) = read(play(playerScores=[{"playerRefId": 1, "score": "31"}, {"playerRefId": 2, "score": "28"}]))
    assert item.play is not None
    assert item.play.outcome.scores == (31, 28)


def test_all_that_is_known_of_a_play_comes_in() -> None:
    (item,) = read(play())
    assert (item.number, item.title, item.kind, item.why) == (1, "Forbidden Island", "play", "")
    found = item.play
    assert found is not None
    assert (found.id, found.ruleset, found.result) == (UUID.lower(), "forbidden-island", "won")
    assert [(part.name, part.role, part.has_won, part.has_begun) for part in found.parts] == [
        ("Ann Lee", "Pilot", True, True),
        ("Bob", "", True, False),
    ]
    assert (found.played_at, found.minutes) == ("2024-02-29T19:04:11Z", 36)
    assert (found.place, found.variant, found.comments) == ("Home", "Legendary", "The pilot was late.")
    assert found.outcome.winners == ("p1", "p2")


def test_what_nobody_said_stays_open() -> None:
    (item,) = read(
        {"uuid": UUID, "gameRefId": 2, "playDate": "2024-02-29 19:04:11", "playerScores": [{"playerRefId": 2}]}
    )
    found = item.play
    assert found is not None
    assert (found.ruleset, found.result, found.minutes, found.place) == ("forbidden-island", "lost", None, "")


def test_a_play_of_another_game_and_one_that_does_not_count_are_told() -> None:
    items = read(play(gameRefId=3), play(ignored=True), play())
    assert [item.kind for item in items] == ["other_game", "ignored", "broken"]
    assert items[0].title == "Chess"
    assert items[2].why == "an earlier play in the file has the same uuid"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"gameRefId": 9}, "the file does not name the game of the play"),
        ({"gameRefId": "1"}, "the file does not name the game of the play"),
        ({"uuid": "x"}, "Invalid UUID"),
        ({"playDate": "2024-02-29T19:04:11Z"}, "its date is invalid"),
        ({"playDate": "2023-02-29 19:04:11"}, "its date is invalid"),
        ({"playDate": "1066-10-14 09:00:00"}, "its date is before 1900"),
        ({"playDate": "9999-12-31 23:59:59"}, "its date is invalid"),
        ({"durationMin": -1}, "Expected `float` >= 0"),
        ({"durationMin": 1e300}, "Expected `float` <= "),
        ({"playerScores": []}, "Expected `array` of length >= 1"),
        ({"playerScores": [SCORES[0]] * 9}, "Expected `array` of length <= 8"),
        ({"playerScores": [{"playerRefId": 9}]}, "a player's name is missing"),
        ({"playerScores": [{"playerRefId": 4}]}, "a player's name is missing"),
        ({"playerScores": [{"playerRefId": 3}]}, "a player's name must have 1 to 80 visible characters"),
        ({"playerScores": [{"playerRefId": 1, "role": "\u202e"}]}, "a role must have 1 to 80 visible characters"),
        ({"playerScores": [{"playerRefId": 1, "winner": "yes"}]}, "Expected `bool`"),
        ({"comments": "x" * 10_001}, "Expected `str` of length <= 10000"),
        ({"comments": ["x"]}, "Expected `str | null`"),
    ],
)
def test_a_broken_play_says_what_is_wrong_and_costs_no_other(changed: dict[str, Any], why: str) -> None:
    broken, whole = read(play(**changed), play(uuid=UUID.replace("0B9F", "FFFF")))
    assert (broken.kind, broken.play, whole.kind) == ("broken", None, "play")
    assert broken.why.startswith(why), broken.why


def test_what_is_no_play_is_broken() -> None:
    assert {item.kind for item in read(None, 7, "x", [], {}, [[[]]])} == {"broken"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b'{"plays": NaN, "games": []}',
        b'{"plays": [NaN], "games": []}',
        b'{"plays": {}, "games": []}',
        b'{"plays": [], "games": 1}',
        b'{"plays": [' + b"[" * 100_000 + b"]" * 100_000 + b'], "games": []}',
        "plays".encode("utf-16"),
    ],
)
def test_what_is_no_such_file_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed, match="this is not a BG Stats file"):
        list(bgstats_reading.read(data))


def test_too_many_plays_are_refused_before_any_is_read() -> None:
    def of_so_many(plays: int) -> bytes:
        return b'{"games": [], "plays": [' + b",".join([b"0"] * plays) + b"]}"

    with pytest.raises(Malformed, match="1,000,000 plays: import at most 10,000"):
        bgstats_reading.read(of_so_many(1_000_000))
    with pytest.raises(Malformed, match="it has more than 2,000,000 values"):
        bgstats_reading.read(of_so_many(2_000_001))


@pytest.mark.parametrize("seats", [2, 3])
def test_what_left_comes_back_as_it_was(seats: int) -> None:
    events = playout(seed=1, seats=seats)
    data = export("bgstats", events)
    (item,) = bgstats_reading.read(data)
    assert item.play is not None
    again = json.loads(b"".join(bgstats.write_past([item.play])))
    left = json.loads(data)
    for document in (again, left):
        for one in (*document["plays"], *document["players"], *document["locations"]):
            # The time at which the file was made does not belong to a play.
            one.pop("modificationDate")
            one.pop("entryDate", None)
    assert again == left
