"""Readers and watchers of a log learn which events are superseded."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engine.play.corrections.undo import Ways
from store import Store
from tests.api.table import Table

Message = tuple[str | None, str, Any]
"""The id, the name and the data of a message."""


@contextmanager
def watching(table: Table, after: int = 0, **query: Any) -> Iterator[Iterator[Message]]:
    """Return the messages of a stream. Do not request more messages than there are: the stream would wait."""
    headers = {"Last-Event-ID": str(after)} if after else {}
    answer = table.client.get(f"{table.game}/stream", query_string=query, headers=headers, buffered=False)
    assert answer.status_code == 200, answer.text
    yield _messages(answer.iter_encoded())
    answer.close()


def _messages(chunks: Iterator[bytes]) -> Iterator[Message]:
    for chunk in chunks:
        fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "data" in fields:
            yield fields.get("id"), fields.get("event", "message"), json.loads(fields["data"])


def draw_two_cards(table: Table) -> None:
    """Two cards drawn: events 3 and 4."""
    table.open("observed")
    table.set_up()
    for _ in range(2):
        action = next(one for one in table.actions() if one["type"] == "draw_treasure_card")
        values = [one["value"] for one in action["chance"][0]["outcomes"] if one["value"] != "waters_rise"]
        table.act("draw_treasure_card", values[0])


def add(table: Table, type_: str, **params: Any) -> dict[str, Any]:
    answer = table.post({"type": type_, "params": params})
    assert answer.status_code == 201, answer.text
    event: dict[str, Any] = answer.json["events"][0]
    return event


def test_stream__says_what_an_undo_took_back_and_where_the_game_is(table: Table) -> None:
    draw_two_cards(table)
    undo = add(table, "undo", to=2)
    redo = add(table, "undo", to=3)
    with watching(table, after=4) as messages:
        assert next(messages) == ("5", "message", undo)
        assert next(messages) == (
            *(None, "superseded"),
            {"by": 5, "superseded": [[3, 4]], "version": 5, "head": undo["hash"], "turn": 1},
        )
        assert next(messages)[0] == "6"
        assert next(messages)[2] == {
            "by": 6,
            "superseded": [[4, 5]],
            "version": 6,
            "head": redo["hash"],
            "turn": 1,
        }


def test_stream__says_what_was_amended(table: Table) -> None:
    draw_two_cards(table)
    third = table.log()[2]
    other = next(card for card in ("sandbags", "earth_stone", "crystal_of_fire") if card != third["outcomes"][0])
    amended = {name: third[name] for name in ("type", "actor", "params")} | {"outcomes": [other]}
    amend = add(table, "amend", seq=3, event=amended, accept_broken=True)
    with watching(table, after=4) as messages:
        assert next(messages)[2] == amend
        assert next(messages)[2]["superseded"] == [[3, 3]]


def test_stream__a_viewer_who_lost_the_line_in_between_is_told_again(table: Table) -> None:
    draw_two_cards(table)
    add(table, "undo", to=3)
    add(table, "annotate", text="So.")
    with watching(table, after=5) as messages:
        assert next(messages)[2]["superseded"] == [[4, 4]]
        assert next(messages)[0] == "6"
    with watching(table, after=4, until=5) as messages:
        assert [name for _, name, _ in messages] == ["message", "superseded"]


def test_stream__goes_on_where_a_closed_game_is_opened_again(table: Table) -> None:
    draw_two_cards(table)
    add(table, "abandon", reason="dinner")
    assert table.get().json["status"] == "abandoned"
    with watching(table, after=5) as messages:
        assert next(messages)[2]["type"] == "game_closed"
        undo = add(table, "undo", to=4)
        assert next(messages) == ("7", "message", undo)
        assert next(messages)[2]["superseded"] == [[5, 6]]
        add(table, "annotate", text="Not over yet.")
        assert next(messages)[0] == "8"
    add(table, "abandon", reason="dinner after all")
    with watching(table, after=10) as messages:
        add(table, "undo", to=8)
        assert next(messages)[0] == "11"


def test_stream__ends_for_good_with_a_seeded_game(table: Table) -> None:
    table.open()
    add(table, "abandon", reason="dinner")
    add(table, "annotate", text="A pity.")
    with watching(table, after=3) as messages:
        assert [id_ for id_, _, _ in messages] == ["4", "5"]
    headers = {"Last-Event-ID": "5"}
    assert table.client.get(f"{table.game}/stream", headers=headers).status_code == 204
    with watching(table, after=4) as messages:
        assert [id_ for id_, _, _ in messages] == ["5"]


def test_stream__a_seeded_fork_of_a_game_that_was_opened_again_goes_on(table: Table) -> None:
    draw_two_cards(table)
    add(table, "abandon", reason="dinner")
    add(table, "undo", to=4)
    answer = table.client.post(f"{table.game}/forks", json={"at": 7, "chance": "seeded"})
    table.game = answer.headers["Location"]
    with watching(table) as messages:
        assert [next(messages)[1] for _ in range(8)] == ["message"] * 7 + ["superseded"]
        add(table, "annotate", text="What if?")
        assert next(messages)[0] == "8"


def test_events__say_what_does_not_stand(table: Table) -> None:
    draw_two_cards(table)
    assert table.get("/events").json["superseded"] == []
    add(table, "undo", to=3)
    add(table, "annotate", text="Again.")
    found = {"first": 4, "last": 4, "by": 5}
    assert table.get("/events").json["superseded"] == [found]
    assert table.get("/events", until=4).json["superseded"] == []


@pytest.mark.parametrize(
    ("after", "limit", "is_told"), [(3, 1, True), (4, 1, True), (0, 3, False), (5, 9, False), (9, 9, False)]
)
def test_events__a_page_says_what_concerns_it(table: Table, after: int, limit: int, is_told: bool) -> None:
    draw_two_cards(table)
    add(table, "undo", to=3)
    add(table, "annotate", text="Again.")
    page = table.get("/events", after=after, limit=limit).json
    assert bool(page["superseded"]) == is_told


def test_state__at_the_end_of_a_turn_is_that_of_the_line_that_stands(table: Table) -> None:
    draw_two_cards(table)
    place = table.log()[2]
    held = table.get("/state", turn=1)
    assert held.json["version"] == 4
    others = [card for card in ("sandbags", "earth_stone", "crystal_of_fire") if card != place["outcomes"][0]]
    amended = {name: place[name] for name in ("type", "actor", "params")} | {"outcomes": others[:1]}
    add(table, "amend", seq=3, event=amended)
    again = table.get("/state", turn=1)

    assert again.json["version"] == 4
    assert again.json["state"] == table.get("/state").json["state"] != held.json["state"]
    assert again.headers["ETag"] != held.headers["ETag"]
    assert table.get("/state", turn=1, until=4).json == held.json
    assert table.get("/state", at=4).json == held.json
    add(table, "amend", seq=4, insert={"type": "annotate", "params": {"text": "In between."}})
    assert table.get("/state", turn=1).json["state"] == again.json["state"]
    compared = table.get(f"/compare/{table.game.rsplit('/', 1)[1]}", at=4).json
    assert compared["common"] == {"events": 2, "at": 2, "other_at": 2}
    assert [event["seq"] for event in compared["other"]["events"]] == [3, 4]
    assert compared["other"]["events"][0]["outcomes"] == others[:1]


@pytest.mark.parametrize("by", ["undo", "amend"])
def test_list__a_game_that_is_opened_again_is_listed_as_going_on(table: Table, by: str) -> None:
    draw_two_cards(table)
    add(table, "abandon", reason="dinner")
    listed = table.client.get("/v1/games", query_string={"status": "abandoned"}).json["games"]
    assert [game["version"] for game in listed] == [6]
    add(table, by, **({"to": 4} if by == "undo" else {"seq": 5, "remove": True}))
    assert table.get().json["status"] == "in_progress"
    assert table.client.get("/v1/games", query_string={"status": "abandoned"}).json["games"] == []
    (game,) = table.client.get("/v1/games", query_string={"status": "in_progress"}).json["games"]
    assert (game["version"], game["outcome"]) == (7, None)
    assert table.get("/turns").json["turns"][-1]["last"] == 4
    assert table.get("/events").json["superseded"] == (
        [{"first": 5, "last": 6, "by": 7}]
        if by == "undo"
        else [{"first": 5, "last": 5, "by": 7}, {"first": 6, "last": 6, "by": 7}]
    )
    with watching(table, after=6) as messages:
        assert next(messages)[0] == "7"
        assert next(messages)[2]["version"] == 7


def test_stream__reads_the_corrections_once_for_a_page(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open("observed")
    table.set_up()
    for _ in range(20):
        add(table, "annotate", text="so")
        add(table, "undo", to=2)
    store: Store = table.client.application.extensions["store"]
    reads: list[int] = []
    ways = store.corrections.ways

    def count_call(game_id: str, version: int) -> Ways:
        reads.append(version)
        return ways(game_id, version)

    monkeypatch.setattr(store.corrections, "ways", count_call)
    with watching(table) as messages:
        told = list(itertools.islice(messages, 42 + 20))
    assert [kind for _, kind, _ in told].count("superseded") == 20
    assert reads == [42]
