"""Corrections over REST: amends that break events, illegal events, unknown results, and records that begin mid-game."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from tests.api.table import Table, problem
from tests.engine.recording import DEAL


def deal_game(table: Table, **body: Any) -> None:
    table.open("observed", **body)
    assert table.post({"type": "set_up", "outcomes": list(DEAL)}).status_code == 201


def draw(*cards: str | None) -> list[dict[str, Any]]:
    return [{"type": "draw_treasure_card", "actor": "p1", "outcomes": [card]} for card in cards]


def amend(seq: int, **params: Any) -> dict[str, Any]:
    return {"type": "amend", "params": {"seq": seq, **params}}


def test_amend__is_judged_first(table: Table) -> None:
    deal_game(table)
    table.post(draw("earth_stone", "sandbags"))
    body = amend(3, event=draw("sandbags")[0])

    refused = problem(table.post(body, dry_run="true"), 422, "illegal-action")
    assert refused["rule"] == "Keeping the record"
    assert [(one["seq"], one["effect"]) for one in refused["impact"]] == [(4, "outcome_impossible")]
    assert table.get().json["version"] == 4

    body["params"]["accept_broken"] = True
    answer = table.post(body, dry_run="true")
    assert (answer.status_code, table.get().json["version"]) == (200, 4)
    assert answer.json["impact"] == refused["impact"]

    assert table.post(body).json["impact"] == refused["impact"]
    assert table.get("/state").json["state"]["hands"][0] == ["earth_stone", "sandbags", "sandbags"]


def test_amend__everything_that_is_read_follows(table: Table) -> None:
    deal_game(table)
    table.post(
        [*draw("earth_stone", "sandbags"), {"type": "draw_flood_card", "actor": "p1", "outcomes": ["bronze_gate"]}]
    )
    version = table.post(amend(3, event=draw("helicopter_lift")[0])).json["version"]
    assert version == 6
    assert table.get("/state").json["state"]["hands"][0] == ["earth_stone", "helicopter_lift", "sandbags", "sandbags"]
    assert table.get("/turns").json["turns"][1]["account"].startswith("Ann draws Helicopter Lift.")
    assert "Helicopter Lift" in table.get("/export", format="markdown").get_data(as_text=True)
    assert table.get("/state", at=5).json["state"]["hands"][0] == ["earth_stone", "earth_stone", "sandbags", "sandbags"]

    table.post({"type": "undo", "params": {"to": 5}})
    assert table.get("/state").json["state"]["hands"][0] == ["earth_stone", "earth_stone", "sandbags", "sandbags"]


def test_amend__another_process_reads_the_same(table: Table, other: Table) -> None:
    deal_game(table)
    other.game = table.game
    assert other.get().json["version"] == 2
    table.post(draw("earth_stone", "sandbags"))
    assert other.post(amend(3, event=draw("helicopter_lift")[0])).status_code == 201
    assert table.get("/state").json == other.get("/state").json
    assert table.post(amend(4, remove=True)).status_code == 201
    assert other.get("/state").json == table.get("/state").json
    assert other.post({"type": "undo", "params": {"to": 4}}).json["version"] == 7
    assert table.get("/state").json["state"]["hands"][0] == ["earth_stone", "earth_stone", "sandbags", "sandbags"]


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ({"seq": 3, "event": {"type": 3}}, "/params/event/type"),
        ({"seq": 3, "event": {"type": "move", "colour": "red"}}, "/params/event"),
        ({"seq": 3, "insert": {"type": "move", "occurred_at": "yesterday"}}, "/params/insert/occurred_at"),
        ({"seq": 3, "event": {"type": "move", "note": ""}}, "/params/event/note"),
        ({"seq": 3}, "/params"),
        ({"remove": True}, "/params"),
    ],
)
def test_amend__what_does_not_fit(table: Table, params: dict[str, Any], pointer: str) -> None:
    deal_game(table)
    table.post(draw("earth_stone"))
    found = problem(table.post({"type": "amend", "params": params}), 422, "invalid")
    assert [error["pointer"] for error in found["errors"]] == [pointer]


def test_adjust__and_its_refusal(table: Table) -> None:
    deal_game(table)
    patch = [{"op": "add", "path": "/hands/1/-", "value": "sandbags"}]
    found = problem(
        table.post({"type": "adjust", "params": {"patch": patch, "reason": "one more"}}), 422, "illegal-action"
    )
    assert found["message"] == "This table is impossible: it violates “28 treasure cards”."
    patch = [{"op": "replace", "path": "/water_level", "value": 3}]
    assert table.post({"type": "adjust", "params": {"patch": patch, "reason": "as it lies"}}).status_code == 201
    assert table.get("/state").json["state"]["water_level"] == 3


def test_as_played__what_is_illegal_is_recorded_with_its_verdict(table: Table) -> None:
    deal_game(table, mode="as_played")
    assert table.get().json["mode"] == "as_played"
    answer = table.post({"type": "move", "actor": "p1", "params": {"to": "gold_gate"}})
    (event,) = answer.json["events"]
    assert (event["verdict"], event["rule"]) == ("illegal", "Move")
    assert table.log()[-1] == event
    assert table.log()[1]["verdict"] == "legal"


def test_as_played__what_to_enter_instead(table: Table) -> None:
    deal_game(table, mode="as_played")
    played = {"type": "play_sandbags", "actor": "p2", "params": {"tile": "observatory"}}
    found = problem(table.post(played), 422, "illegal-action")
    assert found["instead"]["event"]["type"] == "adjust"
    assert table.get().json["version"] == 2
    table.post(draw("earth_stone"))
    # An adjust would come after the last event, not before the third.
    assert "instead" not in problem(table.post(amend(3, insert=played)), 422, "illegal-action")


def test_position__a_record_from_the_middle(table: Table) -> None:
    deal_game(table)
    table.post(draw("earth_stone"))
    position = table.get("/state").json["state"]
    for chance in ("observed", "seeded"):
        opened = table.open(chance, position=position)
        assert (opened["status"], opened["version"], opened["turn"]) == ("in_progress", 2, 1)
        assert table.get("/state").json["state"] == position
        assert table.log()[1]["params"]["position"] == position


@pytest.mark.parametrize(
    ("changes", "status", "slug", "where"),
    [
        ({"water_level": 99}, 422, "illegal-action", "the water level is on the meter"),
        ({"water_level": "high"}, 422, "invalid", "/position"),
        ({"flood": 1}, 422, "invalid", "/position"),
    ],
)
def test_position__what_is_none(table: Table, changes: dict[str, Any], status: int, slug: str, where: str) -> None:
    deal_game(table)
    position = {**table.get("/state").json["state"], **changes}
    body = {
        "ruleset": "forbidden-island",
        "seats": [{"name": "A"}, {"name": "B"}],
        "chance": "observed",
        "position": position,
    }
    found = problem(table.client.post("/v1/games", json=body), status, slug)
    assert where in (found.get("message") or found["errors"][0]["pointer"])


def test_unknowns__are_offered_listed_and_revealed(table: Table) -> None:
    deal_game(table)
    (point,) = next(one for one in table.actions() if one["type"] == "draw_treasure_card")["chance"]
    assert point["may_be_unknown"] is True
    table.post(draw(None))

    (unknown,) = table.get("/unknowns").json["unknowns"]
    assert (unknown["seq"], unknown["position"], unknown["name"]) == (3, 0, "treasure_card")
    assert table.get("/unknowns").json["unknowns"] == [unknown]
    assert sum(one["p"] for one in unknown["outcomes"]) == pytest.approx(1)
    offered = table.get("/actions").json
    assert table.get("/actions").json == offered
    assert [one for one in offered["actions"] if one["actor"] == "p2"] == table.actions(actor="p2")
    possible = offered["possible"]
    assert {one["type"] for one in possible} == {"play_helicopter_lift"}
    assert all(0 < one["p"] < 1 for one in possible)
    (point,) = next(one for one in table.actions() if one["type"] == "draw_treasure_card")["chance"]
    assert all("count" not in one for one in point["outcomes"])

    refused = table.post({"type": "reveal", "params": {"seq": 3, "value": "waters_rise"}})
    assert problem(refused, 422, "impossible-outcome")["given"] == "waters_rise"
    answer = table.post({"type": "reveal", "params": {"seq": 3, "value": "helicopter_lift"}})
    assert answer.json["impact"] == []
    assert table.get("/unknowns").json == {"unknowns": [], "next_cursor": None, "version": 4}


def test_unknowns__as_they_were_then(table: Table) -> None:
    """The unknowns of an earlier version do not reveal later results."""
    deal_game(table)
    table.post(draw(None))
    then = table.get("/unknowns")
    table.post(draw("sandbags"))
    assert table.get("/unknowns").json["unknowns"] != then.json["unknowns"]
    table.post({"type": "reveal", "params": {"seq": 3, "value": "helicopter_lift"}})

    again = table.get("/unknowns", until=3, viewer="p2")
    assert (again.json, again.headers["ETag"]) == (then.json, then.headers["ETag"])
    assert table.get("/unknowns", until=2).json == {"unknowns": [], "next_cursor": None, "version": 2}
    problem(table.get("/unknowns", until=9), 404, "not-found")
    problem(table.client.get(f"{table.game}/unknowns?untill=3"), 400, "malformed")


def probabilities(document: Any) -> Iterator[dict[str, Any]]:
    """Yield everything in a JSON document that has a probability."""
    if isinstance(document, dict):
        if "p" in document:
            yield document
        document = list(document.values())
    if isinstance(document, list):
        for one in document:
            yield from probabilities(one)


def test_beside_every_probability_stands_the_fraction(table: Table) -> None:
    deal_game(table)
    asked = problem(table.post({"type": "draw_treasure_card", "actor": "p1"}), 422, "outcome-required")
    assert {one["value"]: one["p_exact"] for one in asked["chance"]["outcomes"]}["earth_stone"] == "1/6"
    table.post(draw(None))
    draws = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["pilot"]}
    answers = [
        asked,
        problem(table.post(draws), 422, "impossible-outcome"),
        *(table.get(path).json for path in ("/actions", "/unknowns", "/state")),
    ]
    for answer in answers:
        found = list(probabilities(answer))
        assert found
        for one in found:
            exact = Fraction(one["p_exact"])
            assert one["p"] == float(exact)
            assert one["p_exact"] == f"{exact.numerator}/{exact.denominator}"


def test_reveal__of_what_would_have_been_put_aside(table: Table) -> None:
    """A Waters Rise! card among the opening cards is replaced at once, so it is in no hand."""
    table.open("observed")
    assert table.post({"type": "set_up", "outcomes": [*DEAL[:-1], None]}).status_code == 201
    refused = table.post({"type": "reveal", "params": {"seq": 2, "position": len(DEAL) - 1, "value": "waters_rise"}})
    found = problem(refused, 422, "impossible-outcome")
    assert found["given"] == "waters_rise"
    assert "waters_rise" not in {one["value"] for one in found["chance"]["outcomes"]}


def test_unknowns__where_the_board_tells(table: Table) -> None:
    deal_game(table)
    table.post(draw("earth_stone", "sandbags"))
    found = problem(table.post({"type": "draw_flood_card", "actor": "p1", "outcomes": [None]}), 422, "outcome-required")
    assert found["look"] == ["flood_discard", "flood_pile", "flooded"]
    (point,) = next(one for one in table.actions() if one["type"] == "draw_flood_card")["chance"]
    assert point["may_be_unknown"] is False


def test_unknowns__what_depends_on_them(table: Table) -> None:
    deal_game(table)
    table.post(draw(None, "sandbags"))
    # A pawn in the water with nowhere to swim: a Helicopter Lift in a hand would save it.
    sunk = ["breakers_bridge", "bronze_gate", "cave_of_shadows"]
    told = [
        {"fact": "stands_on", "seat": "p1", "tile": "breakers_bridge"},
        {"fact": "has_cards", "seat": "p2", "card": "helicopter_lift", "count": 0},
        *({"fact": "tile_is", "tile": tile, "state": "sunk"} for tile in sunk),
    ]
    found = problem(table.post({"type": "adjust", "params": {"facts": told, "reason": "x"}}), 422, "illegal-action")
    assert found["look"] == ["awaiting", "outcome", "phase"]
    assert found["unknowns"] == [{"seq": 3, "position": 0}]
    assert "then reveal the result of event 3." in found["detail"]


def test_a_seeded_game_knows_no_unknowns(table: Table) -> None:
    table.open()
    draw_card = next(one for one in table.actions() if one["type"] == "draw_treasure_card")
    assert "may_be_unknown" not in draw_card["chance"][0]
    assert table.get("/actions").json["possible"] == []


def test_a_reason_is_not_blank(table: Table) -> None:
    table.open()
    patch = [{"op": "replace", "path": "/water_level", "value": 3}]
    for body in (
        {"type": "abandon", "params": {"reason": " \n "}},
        {"type": "adjust", "params": {"patch": patch, "reason": " "}},
    ):
        refused = problem(table.post(body), 422, "invalid")
        assert refused["errors"] == [{"pointer": "/params/reason", "message": "must not be blank: give a reason"}]
