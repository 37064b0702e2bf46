"""Evenings with slips over REST: one request records the explanation of each slip, and later events are accepted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.events import Event
from engine.review.audit import audit
from exports import read_any
from tests.api.table import Table, problem
from tests.engine.play.corrections.test_several import MOST_FACTS, in_short
from tests.engine.play.telling import photograph
from tests.engine.recording import DEAL, played

BOB_MOVES = {"type": "move", "actor": "p2", "params": {"to": "cliffs_of_abandon"}}
BOB_GOES_ON = {"type": "move", "actor": "p2", "params": {"to": "copper_gate"}}


def treasure(card: str = "earth_stone", actor: str = "p1") -> dict[str, Any]:
    return {"type": "draw_treasure_card", "actor": actor, "outcomes": [card]}


def flood(tile: str, actor: str = "p1") -> dict[str, Any]:
    return {"type": "draw_flood_card", "actor": actor, "outcomes": [tile]}


def deal_game(table: Table, mode: str = "strict", *events: dict[str, Any]) -> Table:
    table.open("observed", mode=mode)
    assert table.post([{"type": "set_up", "outcomes": list(DEAL)}, *events]).status_code == 201
    return table


def explain(
    table: Table, event: dict[str, Any], kind: str, refused: tuple[int, str] = (422, "illegal-action"), **query: str
) -> str:
    """Record the explanation of a kind as proposed; return its sentence."""
    found = problem(table.post(event, **query), *refused)["explanations"]
    # Three explanations and a house rule.
    assert len(found) <= 4
    chosen = next(one for one in found if one["kind"] == kind)
    answer = table.post(chosen["events"], **query)
    assert answer.status_code == 201, answer.text
    return str(chosen["message"])


def marks(table: Table) -> list[str]:
    return [event["type"] for event in table.log() if event.get("verdict") == "illegal"]


def audit_messages(table: Table) -> list[str]:
    """Return the findings of an audit."""
    return [one.message for one in audit(msgspec.convert(table.log(), list[Event])).findings]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_a_forgotten_card(table: Table, mode: str) -> None:
    deal_game(table, mode, treasure(), treasure(), flood("bronze_gate"))
    assert (
        explain(table, BOB_MOVES, "skipped_step", if_illegal="ask") == "Ann did not draw the Flood cards that were due."
    )
    assert table.post(BOB_GOES_ON).status_code == 201
    assert marks(table) == ["left_out"]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_it_is_recorded_with_the_first_explanation_where_that_is_accepted(table: Table, mode: str) -> None:
    deal_game(table, mode, treasure(), treasure())
    answer = table.post(BOB_MOVES, **({"if_illegal": "accept"} if mode == "strict" else {}))
    assert [event["type"] for event in answer.json["events"]] == ["left_out", "move"]
    assert marks(table) == ["left_out"]
    assert "Deprecation" not in answer.headers


def test_a_third_card(table: Table) -> None:
    deal_game(table, "strict", treasure(), treasure())
    told = explain(table, treasure("oceans_chalice"), "one_too_many")
    assert told == "Ann did this once too often: Draw a Treasure deck card."
    assert table.post([flood("bronze_gate"), flood("breakers_bridge"), BOB_MOVES]).status_code == 201
    assert marks(table) == ["draw_treasure_card"]
    assert table.log()[4]["explanation"] == {"kind": "one_too_many", "seat": "p1"}


def test_an_explanation_by_hand_must_fit_the_record(table: Table) -> None:
    deal_game(table, "strict", treasure(), treasure())
    for given, pointer in (
        ({"kind": "one_too_many", "seat": "p4"}, "seat"),
        ({"kind": "late_step", "seat": "p1", "events": [0]}, "events/0"),
        ({"kind": "late_step", "seat": "p1", "events": [1]}, "events/0"),
    ):
        third = {**treasure("oceans_chalice"), "explanation": given}
        late = {"type": "amend", "params": {"seq": 4, "insert": third}}
        for body, where in ((third, ""), (late, "/params/insert")):
            found = problem(table.post(body, if_illegal="accept"), 422, "invalid")
            assert found["errors"][0]["pointer"] == f"{where}/explanation/{pointer}"


def test_a_swapped_order(table: Table) -> None:
    deal_game(table)
    explain(table, flood("bronze_gate"), "swapped_steps")
    assert table.post(flood("breakers_bridge")).status_code == 201
    for _ in range(2):
        explain(table, treasure(), "swapped_steps")
    assert table.post([BOB_MOVES, BOB_GOES_ON]).status_code == 201


def test_the_other_hand(table: Table) -> None:
    deal_game(table, "strict", treasure(), treasure())
    assert explain(table, flood("bronze_gate", "p2"), "other_player") == "Bob did this for Ann: Draw a Flood card."
    assert table.post([flood("breakers_bridge"), BOB_MOVES]).status_code == 201
    assert marks(table) == ["draw_flood_card"]


def test_a_missed_rise_of_the_water(table: Table) -> None:
    """The table draws Waters Rise!, forgets to shuffle, and continues with the old pile."""
    deal_game(table, "strict", treasure("waters_rise"), treasure())
    told = explain(table, flood("bronze_gate"), "missed_reshuffle", (422, "impossible-outcome"))
    assert told == "Ann drew a card that raises the water, and did nothing about it."
    assert table.post([flood("breakers_bridge"), BOB_MOVES]).status_code == 201
    assert marks(table) == ["left_out"]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_a_forgotten_swim(table: Table, mode: str) -> None:
    """Ann's tile sinks, but the table continues to draw. She swims in Bob's turn."""
    flooded = {"fact": "tile_is", "tile": "silver_gate", "state": "flooded"}
    seen = {"type": "adjust", "params": {"facts": [flooded], "reason": "So it lies there."}}
    deal_game(table, mode, treasure(), treasure(), seen, flood("silver_gate"))
    told = explain(table, flood("breakers_bridge"), "skipped_step", if_illegal="ask")
    assert told == "Ann did not swim off the tile that sank."
    assert table.post(BOB_MOVES).status_code == 201
    assert marks(table) == ["left_out"]
    late = {"type": "swim", "actor": "p1", "params": {"to": "phantom_rock"}}
    assert explain(table, late, "late_step", if_illegal="ask") == "Ann did this late: Swim to Phantom Rock."
    assert table.post(BOB_GOES_ON).status_code == 201
    assert audit_messages(table) == ["Ann's swim came 1 turn late."]


def test_an_end_that_nobody_noticed(table: Table) -> None:
    """Fools' Landing sinks, but the table continues to draw. The game goes on with a mark, and can be abandoned."""
    flooded = {"fact": "tile_is", "tile": "fools_landing", "state": "flooded"}
    ashore = {"fact": "stands_on", "seat": "p2", "tile": "cliffs_of_abandon"}
    seen = {"type": "adjust", "params": {"facts": [flooded, ashore], "reason": "So it lies there."}}
    deal_game(table, "strict", treasure(), treasure(), seen)
    assert table.post(flood("fools_landing")).json["outcome"]["result"] == "lost"
    told = explain(table, flood("breakers_bridge"), "unnoticed_end", (409, "game-over"))
    assert told == "Nobody noticed the end of the game in turn 1: Fools' Landing has sunk: the game is lost."
    game = table.get().json
    assert (game["status"], game["outcome"]) == ("in_progress", None)
    assert table.post([BOB_GOES_ON, {"type": "abandon", "params": {"reason": "Tired."}}]).status_code == 201
    assert marks(table) == ["left_out"]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_past_an_end_that_nobody_noticed_it_is_accepted(table: Table, mode: str) -> None:
    """The next event need not be the due one, because its skipped steps are recorded, too. An event that nothing
    explains is refused.
    """
    flooded = {"fact": "tile_is", "tile": "fools_landing", "state": "flooded"}
    ashore = {"fact": "stands_on", "seat": "p2", "tile": "cliffs_of_abandon"}
    seen = {"type": "adjust", "params": {"facts": [flooded, ashore], "reason": "So it lies there."}}
    deal_game(table, mode, treasure(), treasure(), seen, flood("fools_landing"))
    far = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}}
    problem(table.post(far, if_illegal="accept"), 409, "game-over")
    answer = table.post([BOB_GOES_ON], if_illegal="accept").json
    assert [one["type"] for one in answer["events"]] == ["left_out", "left_out", "move"]
    assert answer["outcome"] is None
    assert marks(table) == ["left_out", "left_out"]


def test_after_an_end_that_nobody_noticed_the_game_offers_to_play_on(table: Table) -> None:
    flooded = {"fact": "tile_is", "tile": "fools_landing", "state": "flooded"}
    ashore = {"fact": "stands_on", "seat": "p2", "tile": "cliffs_of_abandon"}
    seen = {"type": "adjust", "params": {"facts": [flooded, ashore], "reason": "So it lies there."}}
    deal_game(table, "strict", treasure(), treasure(), seen)
    assert table.get("/actions").json["play_on"] is None
    assert table.post(flood("fools_landing")).json["outcome"]["result"] == "lost"
    event = table.get("/actions").json["play_on"]
    assert event == {"type": "left_out", "actor": None, "params": {"seat": "p1", "step": "ending"}}
    assert table.post(event).status_code == 201
    assert table.get("/actions").json["play_on"] is None
    assert marks(table) == ["left_out"]
    assert table.post({"type": "abandon", "params": {"reason": "Tired."}}).status_code == 201
    assert table.get("/actions").json["play_on"] is None


def test_before_the_set_up_there_is_no_end_to_miss(table: Table) -> None:
    table.open("observed")
    assert table.get("/actions").json["play_on"] is None


def test_a_house_rule(table: Table) -> None:
    deal_game(table)
    far = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}}
    explain(table, far, "house_rule")
    assert table.post({**far, "params": {"to": "silver_gate"}}).status_code == 201
    assert marks(table) == []


def test_what_is_deprecated_says_so(table: Table) -> None:
    deal_game(table, "as_played", treasure(), treasure())
    answer = table.post(BOB_MOVES, accept_left_out="true")
    assert (answer.status_code, answer.headers["Deprecation"]) == (201, "@1795737600")
    assert answer.headers["Sunset"] == "Thu, 27 May 2027 00:00:00 GMT"
    # Problems are in German, too: those of the query, the store, the rules and the body.
    for refused in (
        table.post(BOB_MOVES, accept_left_out="perhaps"),
        table.post({"type": "nonsense"}, accept_illegal="true"),
        table.post(BOB_MOVES, accept_left_out="true", headers={"If-Match": '"1"'}),
        table.post({"type": "amend", "params": {"seq": 1, "remove": True, "accept_broken": True}}),
    ):
        assert refused.status_code >= 400
        assert {"Deprecation", "Sunset"} <= set(refused.headers.keys())
    assert "Deprecation" not in table.post({"type": "nonsense"}).headers


def test_a_refusal_draws_nothing(table: Table) -> None:
    """In a seeded game an event draws the same result, even after refusals, dry runs and explanations."""
    drawn = []
    for tries in (0, 3):
        table.open(seed="a seed of thirty-two characters!!")
        for _ in range(tries):
            third = {"type": "draw_flood_card", "actor": "p1"}
            found = problem(table.post(third, dry_run="true"), 422, "illegal-action")
            assert all("outcomes" not in event for one in found["explanations"] for event in one["events"])
        drawn.append(table.post({"type": "draw_treasure_card", "actor": "p1"}).json["events"][0]["outcomes"])
    assert drawn[0] == drawn[1]


def test_the_impact_says_which_events_become_legal(table: Table) -> None:
    far = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}}
    deal_game(table)
    assert table.post(far, if_illegal="accept").status_code == 201
    rule = {"type": "house_rule", "params": {"text": "Everyone flies.", "allows": [{"type": "move"}]}}
    added = table.post({"type": "amend", "params": {"seq": 3, "insert": rule}}, if_illegal="accept").json
    assert [(one["seq"], one["effect"]) for one in added["impact"]] == [(3, "now_legal")]
    gone = table.post({"type": "amend", "params": {"seq": 4, "remove": True}}, if_illegal="accept").json
    assert [(one["seq"], one["effect"]) for one in gone["impact"]] == [(3, "now_illegal")]


def test_a_late_draw_whose_skipped_step_another_process_recorded(table: Table, other: Table) -> None:
    deal_game(table, "strict", treasure(), treasure())
    other.game = table.game
    assert other.post(BOB_MOVES, if_illegal="accept").status_code == 201
    (skipped,) = [event["seq"] for event in other.log() if event["type"] == "left_out"]
    explanation = {"kind": "late_step", "seat": "p1", "events": [skipped]}
    assert table.post({**flood("bronze_gate"), "explanation": explanation}).status_code == 201


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_a_late_start(table: Table, mode: str) -> None:
    """The record begins while Ann draws cards. She forgets the Flood cards, and draws one of them late."""
    table.open("observed", mode=mode)
    position = {"facts": photograph(played())}
    assert table.post({"type": "set_up", "params": {"position": position}}).status_code == 201
    told = [line["sentence"] for line in table.get("/story").json["story"]]
    assert told[1].startswith("The record begins in the middle of a game, in turn 1 (Ann)."), told
    assert table.post(treasure("statue_of_the_wind")).status_code == 201
    bob = {"type": "draw_treasure_card", "actor": "p2", "outcomes": ["oceans_chalice"]}
    assert explain(table, bob, "skipped_step", if_illegal="ask") == "Ann did not draw the Flood cards that were due."
    explain(table, flood("bronze_gate"), "late_step", if_illegal="ask")
    assert marks(table) == ["left_out", "draw_flood_card"]
    report = audit(msgspec.convert(table.log(), list[Event]))
    (slip,) = report.findings
    assert (slip.player, slip.rule_text) == (
        "Ann",
        "At the end of the turn, the player draws as many Flood cards as the water level says.",
    )
    assert report.level is not None
    assert (report.level.begun_mid_game, report.level.slips, report.level.adjusted) == (True, 1, 0)
    exported = table.get("/export", format="ndjson").data
    assert [msgspec.to_builtins(event) for event in read_any(exported)] == [
        msgspec.to_builtins(msgspec.convert(event, Event)) for event in table.log()
    ]


def test_a_late_start_takes_ten_facts(table: Table) -> None:
    """Two cards stay unknown, and the game goes on from there."""
    table.open("observed")
    facts = in_short()
    assert len(facts) <= MOST_FACTS
    begun = table.post({"type": "set_up", "params": {"position": {"facts": facts}}, "outcomes": [None, None]})
    assert begun.status_code == 201, begun.text
    assert [len(hand) for hand in table.get("/state").json["state"]["hands"]] == [4, 1]
    assert table.post(treasure("statue_of_the_wind", "p2")).status_code == 201
