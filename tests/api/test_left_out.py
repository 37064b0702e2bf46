"""A skipped step over REST: proposed, accepted, done later, and reported."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import Table, problem
from tests.engine.recording import DEAL

FLOOD = {"seat": "p1", "step": "flood_cards"}
BOB_MOVES = {"type": "move", "actor": "p2", "params": {"to": "cliffs_of_abandon"}}
ACCEPTED = {"accept_left_out": "true"}
ASKED = {"if_illegal": "ask"}


@pytest.fixture
def forgotten(table: Table) -> Table:
    """Ann has drawn her two cards, events 3 and 4, and skips the Flood cards."""
    return draw_two_cards(table)


def draw_two_cards(table: Table, mode: str = "as_played") -> Table:
    table.open("observed", mode=mode)
    cards = [{"type": "draw_treasure_card", "actor": "p1", "outcomes": ["earth_stone"]}] * 2
    assert table.post([{"type": "set_up", "outcomes": list(DEAL)}, *cards]).status_code == 201
    return table


def verdicts(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 201, answer.text
    return [(event["type"], event["verdict"]) for event in answer.json["events"]]


def test_it_is_proposed_and_accepted(forgotten: Table) -> None:
    for query in (ASKED, {"dry_run": "true", **ASKED}):
        found = problem(forgotten.post(BOB_MOVES, **query), 422, "illegal-action")
        assert (found["rule"], found["message"]) == ("1. Take Up to 3 Actions", "It is another player's turn.")
        assert found["left_out"] == [
            {
                **FLOOD,
                "rule": "3. Draw Flood Cards",
                "label": "Ann's Flood cards",
                "message": "Ann did not draw the Flood cards that were due.",
            }
        ]
        assert "index" not in found
    assert forgotten.get().json["version"] == 4

    tried = forgotten.post(BOB_MOVES, dry_run="true", **ACCEPTED)
    assert (tried.status_code, tried.json["version"], forgotten.get().json["version"]) == (200, 6, 4)
    answer = forgotten.post(BOB_MOVES, **ACCEPTED)
    assert verdicts(answer) == [("left_out", "illegal"), ("move", "legal")]
    assert (answer.json["version"], answer.json["turn"], answer.json["awaiting"]) == (6, 2, ["p2"])
    assert verdicts(forgotten.post({**BOB_MOVES, "params": {"to": "copper_gate"}})) == [("move", "legal")]


def test_it_is_recorded_as_it_is_where_nothing_was_left_out(forgotten: Table) -> None:
    assert verdicts(forgotten.post(BOB_MOVES, accept_left_out="false")) == [("move", "illegal")]


def test_a_strict_game_refuses_the_action_and_records_what_is_said_to_be_left_out(table: Table) -> None:
    draw_two_cards(table, "strict")
    for query in ({}, ACCEPTED):
        assert "left_out" not in problem(table.post(BOB_MOVES, **query), 422, "illegal-action")
    assert verdicts(table.post({"type": "left_out", "params": FLOOD})) == [("left_out", "illegal")]


def test_it_may_be_said_by_itself_with_its_reason(forgotten: Table) -> None:
    body = {"type": "left_out", "params": {**FLOOD, "reason": "The pizza came."}}
    assert verdicts(forgotten.post(body)) == [("left_out", "illegal")]
    assert problem(forgotten.post(body), 422, "illegal-action")["rule"] == "Keeping the record"
    unknown = {"type": "left_out", "params": {"seat": "p1", "step": "tea"}}
    assert problem(forgotten.post(unknown), 422, "invalid")["errors"][0]["pointer"] == "/params/step"
    steps = forgotten.client.get("/v1/rulesets/forbidden-island").json["steps"]
    assert [step["id"] for step in steps] == [
        *("treasure_cards", "discard", "flood_cards", "swim"),
        *("rise", "reshuffle", "water_level"),
    ]


def test_a_list_with_its_key_and_version(forgotten: Table) -> None:
    ann = {"type": "move", "actor": "p1", "params": {"to": "howling_garden"}}
    body = [{"type": "annotate", "params": {"text": "so"}}, BOB_MOVES]
    found = problem(forgotten.post(body, **ASKED), 422, "illegal-action")
    assert (found["index"], found["left_out"][0]["step"]) == (1, "flood_cards")
    body, headers = (
        [BOB_MOVES, ann, {"type": "left_out", "params": {"seat": "p1", "step": "treasure_cards"}}],
        {
            "Idempotency-Key": "k",
            "If-Match": '"4"',
        },
    )
    answer = forgotten.post(body, headers=headers, **ACCEPTED)
    assert [kind for kind, _ in verdicts(answer)] == ["left_out", "move", "left_out", "left_out", "move", "left_out"]
    again = forgotten.post(body, headers=headers, **ACCEPTED)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (answer.json, "true")
    problem(forgotten.post(BOB_MOVES, headers={"If-Match": '"4"'}, **ACCEPTED), 412, "version-conflict")


def test_a_list_that_stops_goes_on_where_it_ended(table: Table) -> None:
    """In a seeded game, a list stops at the refused event. The added skipped steps do not count in its `index`."""
    table.open(mode="as_played")
    draw = {"type": "draw_treasure_card"}
    body = [{**draw, "actor": seat} for seat in ("p2", "p1", "p1")] + [{"type": "castle"}]
    answer = table.post(body, headers={"Idempotency-Key": "k"}, **ACCEPTED)
    kinds = [kind for kind, _ in verdicts(answer)]
    assert kinds == ["left_out"] * 2 + ["draw_treasure_card"] + ["left_out"] * 2 + ["draw_treasure_card"] * 2
    assert answer.json["stopped"]["index"] == 3
    assert table.post(body, headers={"Idempotency-Key": "k"}, **ACCEPTED).json == answer.json


def test_it_is_made_up_for(forgotten: Table) -> None:
    """The table corrects "we drew them after all": the first Flood card replaces the slip, the second comes before the
    later events.
    """
    forgotten.post(BOB_MOVES, **ACCEPTED)
    cards = [
        {"type": "draw_flood_card", "actor": "p1", "outcomes": [tile]} for tile in ("breakers_bridge", "bronze_gate")
    ]
    answer = forgotten.post(
        [
            {"type": "amend", "params": {"seq": 5, "event": cards[0]}},
            {"type": "amend", "params": {"seq": 6, "insert": cards[1]}},
        ],
        if_illegal="accept",
    )
    assert answer.status_code == 201, answer.text
    assert answer.json["awaiting"] == ["p2"]
    state = forgotten.get("/state").json["state"]
    assert {"breakers_bridge", "bronze_gate"} <= set(state["flooded"])
    (_, turn, *_) = forgotten.get("/turns").json["turns"]
    assert turn["account"].endswith("Breakers Bridge floods. Bronze Gate floods.")


def test_it_is_told_wherever_the_game_is_told(forgotten: Table) -> None:
    forgotten.post(BOB_MOVES, **ACCEPTED)
    sentence = "Ann did not draw the Flood cards that were due."
    line = forgotten.get("/story").json["story"][4]
    assert (line["type"], line["sentence"], line["verdict"]) == ("left_out", sentence, "illegal")
    assert (line["rule"], line["reason"]) == ("3. Draw Flood Cards", sentence)
    assert sentence in forgotten.get("/turns").json["turns"][1]["account"]
    for format_ in ("markdown", "csv"):
        answer = forgotten.get("/export", format=format_)
        assert ("left_out" if format_ != "markdown" else sentence) in answer.get_data(as_text=True), format_
