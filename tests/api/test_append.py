"""Accepted and refused appends."""

from __future__ import annotations

import pytest

from engine.core.events import Event
from engine.review.audit import audit
from tests.api.table import Table, body_of, problem


def test_append__the_event_as_the_contract_has_it(table: Table) -> None:
    table.open()
    body = table.body("move")
    answer = table.post({**body, "note": "off we go", "occurred_at": "2026-11-20T20:04:11+01:00"})

    assert answer.status_code == 201
    assert answer.headers["ETag"] == '"3"'
    document = answer.json
    assert (document["version"], document["turn"], document["phase"]) == (3, 1, "actions")
    assert document["awaiting"] == ["p1"]
    assert document["outcome"] is None
    (event,) = document["events"]
    log = table.log()
    assert event == log[2]
    assert event["prev"] == log[1]["hash"]
    assert event["params"] == body["params"]
    assert (event["note"], event["occurred_at"]) == ("off we go", "2026-11-20T19:04:11.000Z")
    assert table.get("/events/3").json == event


def test_append__each_legal_action_as_it_is_listed(table: Table) -> None:
    table.open()
    for action in table.actions():
        assert table.post(body_of(action), dry_run="true").status_code == 200, action


def test_append__a_dry_run_appends_nothing(table: Table) -> None:
    table.open()
    answer = table.post(table.body("move"), dry_run="true")

    assert (answer.status_code, answer.json["version"]) == (200, 3)
    assert table.get().json["version"] == 2


def test_append__a_list_is_all_or_nothing(table: Table) -> None:
    table.open()
    move = table.body("move")
    document = problem(table.post([move, {"type": "draw_flood_card", "actor": "p1"}]), 422, "illegal-action")

    assert document["index"] == 1
    assert document["rule"] == "3. Draw Flood Cards"
    assert document["message"]
    assert table.get().json["version"] == 2
    answer = table.post([move, {"type": "draw_treasure_card", "actor": "p1"}])
    assert [event["seq"] for event in answer.json["events"]] == [3, 4]


def test_append__a_list_through_the_end_of_the_game(table: Table) -> None:
    table.open("observed")
    table.set_up()
    answer = table.post([{"type": "abandon", "params": {"reason": "late"}}, {"type": "undo", "params": {"to": 2}}])

    assert [event["type"] for event in answer.json["events"]] == ["abandon", "game_closed", "undo"]
    assert table.get().json["status"] == "in_progress"


def test_append__an_illegal_action(table: Table) -> None:
    table.open()
    document = problem(table.post({"type": "draw_flood_card", "actor": "p1"}), 422, "illegal-action")

    assert "index" not in document
    assert table.get().json["version"] == 2


def test_append__observed_outcomes(table: Table) -> None:
    table.open("observed")
    table.set_up()
    body = table.body("draw_treasure_card")
    document = problem(table.post(body), 422, "outcome-required")
    listed = {one["value"]: one for one in document["chance"]["outcomes"]}
    assert document["chance"]["name"] == "treasure_card"
    assert sum(one["p"] for one in listed.values()) == pytest.approx(1)
    assert listed["sandbags"]["label"] == "Sandbags"

    document = problem(table.post({**body, "outcomes": ["coral_palace"]}), 422, "impossible-outcome")
    assert document["given"] == "coral_palace"
    document = problem(table.post({**body, "outcomes": ["sandbags", "sandbags"]}), 422, "invalid")
    assert document["errors"][0]["pointer"] == "/outcomes/1"
    assert table.post({**body, "outcomes": ["sandbags"]}).json["events"][0]["outcomes"] == ["sandbags"]


def test_append__a_seeded_game_takes_no_outcomes(table: Table) -> None:
    table.open()
    body = {**table.body("draw_treasure_card"), "outcomes": ["sandbags"]}

    assert problem(table.post(body), 422, "invalid")["errors"][0]["pointer"] == "/outcomes"


def test_append__after_the_end(table: Table) -> None:
    table.open()
    game = table.play_out()
    document = problem(table.post({"type": "draw_flood_card", "actor": "p1"}), 409, "game-over")

    assert document["outcome"] == game["outcome"]
    assert table.actions() == []
    assert table.log()[-1]["params"]["seed"]
    assert audit([Event(**{**event, "outcomes": tuple(event["outcomes"])}) for event in table.log()]).verdict == "clean"


def test_if_match__the_version_as_it_is(table: Table) -> None:
    table.open()

    assert table.post(table.body("move"), headers={"If-Match": '"2"'}).status_code == 201


def test_if_match__the_game_has_moved_on(table: Table) -> None:
    table.open()
    body = table.body("draw_treasure_card")
    table.act("draw_treasure_card")
    for header in ('"2"', '"1", "2"', 'W/"3"', '"99"'):
        document = problem(table.post(body, headers={"If-Match": header}), 412, "version-conflict")
        assert document["version"] == 3
    assert table.post(body, headers={"If-Match": '"2", "3"'}).status_code == 201
    assert table.get().json["version"] == 4


def test_if_match__any_version(table: Table) -> None:
    table.open()

    assert table.post(table.body("move"), headers={"If-Match": "*"}).status_code == 201


def test_undo__and_redo(table: Table) -> None:
    table.open()
    before = table.get("/state").json["state"]
    table.act("draw_treasure_card")
    after = table.get("/state").json["state"]
    answer = table.post({"type": "undo", "params": {"to": 2}})
    assert answer.status_code == 201, answer.text

    assert table.get("/state").json["state"] == before
    assert table.post({"type": "undo", "params": {"to": 3}}).status_code == 201
    assert table.get("/state").json["state"] == after
    assert table.get("/state", at=4).json["state"] == before


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"type": "undo", "params": {"to": 2}}, "/params/to"),
        ({"type": "undo", "params": {"to": 0}}, "/params/to"),
        ({"type": "undo", "params": {}}, "/params"),
        ({"type": "annotate", "params": {"text": ""}}, "/params/text"),
        ({"type": "annotate", "params": {"text": "x", "seq": 9}}, "/params/seq"),
        ({"type": "annotate", "params": {"text": "x"}, "actor": "p1"}, "/actor"),
        ({"type": "game_closed", "params": {}}, "/type"),
        ({"type": "game_opened", "params": {}}, "/type"),
        ({"type": "castle"}, "/type"),
        ({"type": "move", "actor": "p1", "params": {"to": "atlantis"}}, "/params/to"),
        ({"type": "move", "actor": "p1", "params": {}}, "/params"),
        ({"type": "move", "actor": "p1", "params": {"to": "watchtower", "by": "boat"}}, "/params"),
        ({"type": "move", "actor": "p3", "params": {"to": "watchtower"}}, "/actor"),
        ({"type": "move", "actor": None, "params": {"to": "watchtower"}}, "/actor"),
        ({"type": "move", "actor": 1, "params": {"to": "watchtower"}}, "/actor"),
        ({"actor": "p1"}, ""),
        ({"type": "move", "colour": "red"}, ""),
        ({"type": "move", "params": []}, "/params"),
        ({"type": "move", "outcomes": [1.5]}, "/outcomes/0"),
        ({"type": "move", "outcomes": [True]}, "/outcomes/0"),
        ({"type": "move", "outcomes": "x"}, "/outcomes"),
        ({"type": "move", "note": ""}, "/note"),
        ({"type": "move", "note": "x" * 2001}, "/note"),
        ({"type": "move", "occurred_at": "yesterday"}, "/occurred_at"),
        ({"type": "move", "occurred_at": "2026-13-40T00:00:00Z"}, "/occurred_at"),
        ([], ""),
        ([{"type": "undo", "params": {"to": 1}}] * 1001, ""),
        ([{"type": "move", "actor": "p1", "params": {"to": "atlantis"}}], "/0/params/to"),
        (7, ""),
        ("move", ""),
    ],
)
def test_a_body_that_does_not_fit(table: Table, body: object, pointer: str) -> None:
    table.open()
    document = problem(table.post(body), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == [pointer], document
    assert table.get().json["version"] == 2


HOSTILE = {
    "nothing": b"",
    "no JSON": b"{",
    "half a string": b'{"type": "mo',
    "two documents": b"{}{}",
    "not a number": b'{"type": "move", "params": {"to": NaN}}',
    "infinity": b'{"type": "move", "params": {"to": Infinity}}',
    "a huge exponent": b'{"type": "move", "params": {"to": 1e999}}',
    "bad UTF-8": b'{"type": "\xff\xfe"}',
    "half a surrogate": b'{"type": "\\ud800"}',
    "a byte order mark": b'\xef\xbb\xbf{"type": "move"}',
    "UTF-16": '{"type": "move"}'.encode("utf-16"),
    "deep arrays": b"[" * 50_000,
    "deep objects": b'{"type": "move", "params": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}",
    "NULs": b"\0" * 100,
    "a trailing comma": b'{"type": "move",}',
    "single quotes": b"{'type': 'move'}",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("path", ["events", "open", "forks", "imports"])
def test_a_body_that_cannot_be_read(table: Table, body: bytes, path: str) -> None:
    table.open()
    where = {"events": table.game + "/events", "open": "/v1/games", "forks": table.game + "/forks"}.get(
        path, "/v1/imports"
    )
    answer = table.client.post(where, data=body, content_type="application/json")

    problem(answer, *((422, "invalid") if path == "imports" else (400, "malformed")))
    assert table.get().json["version"] == 2
    assert len(table.client.get("/v1/games").json["games"]) == 1


@pytest.mark.parametrize("outcome", [10**400, -(10**30), 2**63, "\0", "x" * 100_000, "\u202e", "coral_palace\n", 0])
def test_an_outcome_that_nothing_has(table: Table, outcome: object) -> None:
    table.open("observed")
    table.set_up()
    answer = table.post({**table.body("draw_treasure_card"), "outcomes": [outcome]})

    assert answer.status_code == 422
    assert table.get().json["version"] == 2


def test_a_note_is_kept_as_it_was_sent(table: Table) -> None:
    table.open()
    note = 'tab\tnewline\nquote"backslash\\ümläut 🏝'

    assert table.post({**table.body("move"), "note": note}).json["events"][0]["note"] == note
    assert table.get("/events/3").json["note"] == note
    audits = audit([Event(**{**event, "outcomes": tuple(event["outcomes"])}) for event in table.log()])
    assert audits.verdict == "clean"


def test_wrong_media_types_methods_and_sizes(table: Table) -> None:
    table.open()
    client = table.client
    problem(client.post(table.game + "/events", data="type=move"), 415, "unsupported-media-type")
    problem(client.post(table.game + "/events", data=b"<a/>", content_type="text/xml"), 415, "unsupported-media-type")
    problem(client.post("/v1/games", data=b"{}", content_type="text/plain"), 415, "unsupported-media-type")
    problem(client.post("/v1/imports", data=b"{}", content_type="text/plain"), 415, "unsupported-media-type")
    problem(client.get(table.game, headers={"Accept": "image/png"}), 406, "not-acceptable")
    problem(client.get(table.game + "/export", headers={"Accept": "image/webp"}), 406, "not-acceptable")
    problem(client.get(table.game + "/export", headers={"Accept": "application/json;q=0"}), 406, "not-acceptable")
    document = client.delete(table.game + "/state")
    problem(document, 405, "method-not-allowed")
    assert set(document.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    large = b'{"type": "annotate", "params": {"text": "' + b"x" * 9_000_000 + b'"}}'
    problem(client.post(table.game + "/events", data=large, content_type="application/json"), 413, "content-too-large")
    problem(client.get("/v1/nothing"), 404, "not-found")
    problem(client.get(table.game + "/events/0"), 404, "not-found")
    problem(client.get(table.game + "/events/99"), 404, "not-found")


def test_a_set_up_is_told_place_by_place(table: Table) -> None:
    table.open(chance="observed")
    body = {"type": "set_up", "outcomes": ["watchtower"]}
    for answer in (table.post(body, dry_run="true"), table.post([body], dry_run="true")):
        document = problem(answer, 422, "outcome-required")
        assert len(document["places"]) == 36
        assert document["places"][1] == {
            "group": "The island",
            "label": "row 1, space 2",
            "at": [4, 1],
            "pile": 0,
        }
        assert document["places"][35] == {
            "group": "Opening hands",
            "label": "Bob, second card",
            "at": None,
            "pile": 3,
        }
        told = [(len(pile["outcomes"]), pile["returns"], pile["is_open"]) for pile in document["piles"]]
        assert told == [(24, False, False), (24, False, False), (6, False, False), (7, False, True)]
        assert (
            document["piles"][3]["outcomes"][0].items() >= {"value": "crystal_of_fire", "count": 5, "at": None}.items()
        )
    document = problem(table.post({"type": "set_up", "outcomes": ["nowhere"]}), 422, "impossible-outcome")
    assert document["places"][0]["label"] == "row 1, space 1"
    early = problem(table.post({"type": "draw_flood_card", "actor": "p1"}), 422, "illegal-action")
    assert "places" not in early


@pytest.mark.parametrize(
    "prefer", ["return=minimal", 'respond-async, return="minimal"', "Return=Minimal; foo=bar", "return = minimal"]
)
def test_prefer__an_answer_without_the_events(table: Table, prefer: str) -> None:
    table.open()
    move = table.body("move")
    for wanted, status in ((None, 200), ("key", 201), ("key", 201)):
        headers = {"Prefer": prefer, **({"Idempotency-Key": wanted} if wanted else {})}
        answer = table.post(move, headers, **({} if wanted else {"dry_run": "true"}))
        assert answer.status_code == status
        assert answer.headers["Preference-Applied"] == "return=minimal"
        assert answer.json.keys() == {"version", "turn", "phase", "awaiting", "outcome", "head"}
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert (answer.json["version"], answer.json["head"]) == (3, table.log()[-1]["hash"])


@pytest.mark.parametrize("prefer", ["", "return=representation", "return=representation, return=minimal", "minimal"])
def test_prefer__anything_else_is_not_heeded(table: Table, prefer: str) -> None:
    table.open()
    answer = table.post(table.body("move"), {"Prefer": prefer})
    assert "Preference-Applied" not in answer.headers
    assert len(answer.json["events"]) == 1
