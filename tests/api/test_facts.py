"""Facts over REST: reading them, correcting the table, and refused corrections."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.table import Table, body_of, problem
from tests.api.test_corrections import deal_game, draw


def adjust(*facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "adjust", "params": {"facts": list(facts), "reason": "as it lies", **more}}


def has(seat: str, card: str, count: int = 1) -> dict[str, Any]:
    return {"fact": "has_cards", "seat": seat, "card": card, "count": count}


def test_facts__what_a_ruleset_declares(table: Table) -> None:
    kinds = table.client.get("/v1/rulesets/forbidden-island").json["facts"]
    (level,) = [kind for kind in kinds if kind["fact"] == "water_level"]
    assert level["about"] == []
    assert level["schema"]["properties"]["level"]["maximum"] == 10
    assert level["summary"] == "The tick of the water meter."


def test_facts__are_read_at_any_event(table: Table) -> None:
    table.open("observed")
    assert table.get("/facts").json == {"facts": [], "sentences": [], "overview": [], "version": 1}
    deal_game(table)
    table.post(draw("oceans_chalice"))
    answer = table.get("/facts")
    assert (answer.headers["ETag"], answer.json["version"]) == ('"3"', 3)
    told = dict(zip(answer.json["sentences"], answer.json["facts"], strict=True))
    assert told["Ann has 1 Ocean's Chalice card."] == has("p1", "oceans_chalice")
    before = table.get("/facts", at=2).json
    assert has("p1", "oceans_chalice") not in before["facts"]
    assert before["version"] == 2


def test_adjust__a_card_changes_hands(table: Table) -> None:
    deal_game(table)
    answer = table.post(adjust(has("p1", "sandbags", 0), has("p2", "sandbags"), agreed_by=["p1", "p2"]))
    assert answer.status_code == 201
    params = answer.json["events"][0]["params"]
    assert params["was"] == [has("p1", "sandbags"), has("p2", "sandbags", 0)]
    assert has("p2", "sandbags") in table.get("/facts").json["facts"]
    sentence = "Adjusted: Ann has no Sandbags card. Bob has 1 Sandbags card. Agreed by Ann and Bob. Reason: as it lies"
    assert table.get("/story").json["story"][-1]["sentence"] == sentence
    assert sentence.split(" Reason", maxsplit=1)[0] in table.get("/export", format="markdown").get_data(as_text=True)
    assert sentence in table.get("/export", format="csv").get_data(as_text=True)


def test_adjust__a_photograph_of_the_table_as_it_is(table: Table) -> None:
    deal_game(table)
    told = table.get("/facts").json["facts"]
    params = table.post(adjust(*told, whole=True)).json["events"][0]["params"]
    assert params["facts"] == params["was"]
    assert len(params["facts"]) == len(told)
    told = [fact for fact in told if fact != has("p1", "sandbags") and fact["fact"] not in {"hand_is", "deck_is"}]
    changed = table.post(adjust(*told, whole=True)).json["events"][0]["params"]["facts"]
    assert has("p1", "sandbags", 0) in changed


def test_adjust__what_cannot_be_is_refused_with_what_can(table: Table) -> None:
    deal_game(table)
    found = problem(table.post(adjust(has("p1", "sandbags", 3))), 422, "unsound-table")
    assert found["violations"] == [{"message": "There are only 2 Sandbags cards.", "rule": "Setup"}]
    assert found["detail"] == "There are only 2 Sandbags cards."
    level = {"fact": "water_level", "level": 2}
    none = {"fact": "left", "of": "actions", "count": 0}
    found = problem(table.post([draw("earth_stone")[0], adjust(level, none)]), 422, "unsound-table")
    assert (found["index"], found["instead"]) == (1, [level, {"fact": "left", "of": "cards", "count": 2}])
    assert table.post(adjust(level, {"fact": "left", "of": "cards", "count": 2})).status_code == 201


def test_adjust__what_cannot_be_read(table: Table) -> None:
    deal_game(table)
    found = problem(table.post(adjust({"fact": "water_level", "level": "high"})), 422, "invalid")
    assert found["errors"] == [{"pointer": "/params/facts/0/level", "message": "must be a whole number, not a text"}]
    found = problem(table.post(adjust({"fact": "weather"})), 422, "invalid")
    assert found["errors"][0]["message"] == "'weather' is not known here"


def test_facts__a_record_begins_with_them(table: Table) -> None:
    deal_game(table)
    table.post(draw("oceans_chalice"))
    told = table.get("/facts").json["facts"]
    again = table.open("observed", position={"facts": told})
    assert again["version"] == 2
    assert table.get("/facts").json["facts"] == told


def test_facts__of_a_game_that_hides_nothing_are_the_same_for_all(table: Table) -> None:
    deal_game(table)
    assert table.get("/facts", viewer="p2").json == table.get("/facts").json
    problem(table.get("/facts", at=99), 404, "not-found")
    problem(table.get("/facts", at=0), 400, "malformed")


@pytest.mark.parametrize(
    "ruleset", ["forbidden-island", "forbidden-island-archaens", "forbidden-desert", "forever-island"]
)
def test_adjust__whose_turn_it_is_alone(table: Table, ruleset: str) -> None:
    """An adjust of `turn_of` also sets the phase and the steps that remain, so the next player can act at once."""
    table.open(ruleset=ruleset, players=3)
    while table.get("/actions").json["phase"] == "placement":
        table.post(body_of(table.actions()[0]))
    now = table.get("/facts").json["facts"]
    before = next(fact["seat"] for fact in now if fact["fact"] == "turn_of")
    other = next(seat for seat in ("p1", "p2", "p3") if seat != before)
    phase = next(fact["phase"] for fact in now if fact["fact"] == "phase_is")
    turn = {"fact": "turn_of", "seat": other}
    answer = table.post(adjust(turn))
    assert answer.status_code == 201, answer.text
    after = table.get("/facts").json["facts"]
    assert turn in after
    assert {"fact": "phase_is", "phase": phase} in after
    assert (answer.json["awaiting"], answer.json["phase"]) == ([other], phase)
    assert {action["actor"] for action in table.actions() if action["rule"]} >= {other}
    name = {"p1": "Ann", "p2": "Bob", "p3": "Cyd"}[other]
    assert f"It is {name}'s turn." in table.get("/story").json["story"][-1]["sentence"]
