"""A dry run reveals neither future draws nor secrets."""

from __future__ import annotations

from typing import Any

from tests.api.table import Table, problem


def amend(seq: int, **params: Any) -> dict[str, Any]:
    return {"type": "amend", "params": {"seq": seq, **params}}


def as_it_stands(table: Table, answer: Any) -> bool:
    """Return True if a dry run's answer contains only the status of the game."""
    document = answer.json
    assert answer.status_code == 200, answer.text
    assert "impact" not in document
    return document["events"] == [] and document["version"] == table.get().json["version"]


def test_seeded__no_draw_is_told(table: Table) -> None:
    table.open()
    draw = table.body("draw_treasure_card")
    assert as_it_stands(table, table.post(draw, dry_run="true"))
    # The legality of a later event would reveal a draw, too.
    for body in ([draw, table.body("draw_treasure_card")], [table.body("move"), draw, {"type": "fly"}]):
        assert as_it_stands(table, table.post(body, dry_run="true"))
    assert table.get().json["version"] == 2
    assert table.post(draw).json["events"][0]["outcomes"]


def test_seeded__what_asks_nothing_is_told(table: Table) -> None:
    table.open()
    answer = table.post(table.body("move"), dry_run="true")
    assert (answer.json["version"], answer.json["events"][0]["type"]) == (3, "move")
    found = problem(table.post([table.body("move"), {"type": "fly"}], dry_run="true"), 422, "invalid")
    assert found["index"] == 1


def test_seeded__the_seed_is_not_told_by_an_end_that_is_only_tried(table: Table) -> None:
    table.open()
    abandon = {"type": "abandon", "params": {"reason": "It is late."}}
    tried = table.post(abandon, dry_run="true").json["events"]
    assert [one["type"] for one in tried] == ["abandon", "game_closed"]
    assert "seed" not in tried[1]["params"]
    assert "seed" in table.post(abandon).json["events"][1]["params"]


def test_seeded__no_draw_is_told_by_what_it_would_break(table: Table) -> None:
    table.open()
    draw = table.body("draw_treasure_card")
    table.post(draw)
    table.post(table.body("draw_treasure_card"))
    again = {name: draw[name] for name in ("type", "actor", "params")}
    refused = problem(table.post(amend(3, event=again)), 422, "illegal-action")
    assert refused["impact"] is None
    assert problem(table.post(amend(3, event=again), dry_run="true"), 422, "illegal-action") == refused

    accepted = amend(3, event=again, accept_broken=True)
    assert as_it_stands(table, table.post(accepted, dry_run="true"))
    answer = table.post(accepted).json
    assert [one["seq"] for one in answer["impact"]] == [4]
    # No event follows the last one, so an amend of it breaks nothing.
    assert table.post(amend(4, event=again)).status_code == 201


def test_idempotency__an_amend_is_answered_with_its_impact_again(table: Table) -> None:
    table.open()
    for kind in ("draw_treasure_card", "draw_treasure_card", "draw_flood_card"):
        table.post(table.body(kind))
    body = [
        {"type": "annotate", "params": {"text": "oh"}},
        amend(4, insert={"type": "annotate", "params": {"text": "so"}}),
    ]
    headers = {"Idempotency-Key": "amend-1"}
    first = table.post(body, headers=headers)
    assert first.status_code == 201, first.text
    assert [one["effect"] for one in first.json["impact"]] == ["unchanged"] * 3
    table.post(table.body("draw_flood_card"))

    again = table.post(body, headers=headers)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == first.json
    plain = {"type": "annotate", "params": {"text": "ah"}}
    table.post(plain, headers={"Idempotency-Key": "note-1"})
    assert "impact" not in table.post(plain, headers={"Idempotency-Key": "note-1"}).json


def test_if_match__holds_for_an_amend(table: Table) -> None:
    table.open()
    table.post(table.body("draw_treasure_card"))
    body = amend(3, remove=True)
    found = problem(table.post(body, headers={"If-Match": '"2"'}), 412, "version-conflict")
    assert found["version"] == 3
    assert table.post(body, headers={"If-Match": '"3"'}).json["version"] == 4


def test_index__of_the_amend_that_is_refused_in_a_list(table: Table) -> None:
    table.open()
    move = table.body("move")
    found = problem(table.post([move, amend(3, remove=True), amend(3, remove=True)]), 422, "invalid")
    assert (found["index"], found["errors"][0]["pointer"]) == (2, "/2/params/seq")
    found = problem(table.post([move, amend(3, event={"type": 3})]), 422, "invalid")
    assert found["errors"][0]["pointer"] == "/1/params/event/type"
    assert table.get().json["version"] == 2
