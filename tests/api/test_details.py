"""Changing the details of a record: title, date, seats, house rules."""

from __future__ import annotations

import base64
import json
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from engine.play import registry
from engine.play.registry import rulesets
from tests.api.table import Table, body_of, of_another_service, problem
from tests.api.test_audits import Work, run_audit
from tests.api.tokens import Door, id_of

PLAYED = "2025-12-31T19:30:00.000Z"
SAID = {"title": "The long Friday", "tags": ["club night"], "played_at": PLAYED}


def patch_game(table: Table, headers: dict[str, str] | None = None, query: str = "", **body: Any) -> Any:
    return table.client.patch(table.game + query, json=body, headers=headers)


def refused_move(table: Table) -> dict[str, Any]:
    """An illegal move: p2 moves in the turn of p1."""
    return {**table.body("move"), "actor": "p2"}


def test_patch__is_an_event_that_the_lists_pages_and_exports_follow(table: Table) -> None:
    table.open()
    answer = patch_game(table, **SAID, if_illegal="accept")

    assert (answer.status_code, answer.headers["ETag"]) == (200, '"3"')
    assert {name: answer.json[name] for name in (*SAID, "if_illegal")} == {**SAID, "if_illegal": "accept"}
    event = table.log()[-1]
    assert (event["type"], event["actor"], event["params"]) == (
        "details_changed",
        None,
        {**SAID, "if_illegal": "accept"},
    )
    assert table.get().json == answer.json
    (listed,) = table.client.get("/v1/games", query_string={"q": "friday", "to": "2026-01-01T00:00:00Z"}).json["games"]
    assert (listed["title"], listed["tags"], listed["played_at"]) == tuple(SAID.values())
    assert table.client.get("/v1/games", query_string={"from": "2026-01-01T00:00:00Z"}).json["games"] == []
    page = table.client.get(f"/games/{id_of(table.game)}").text
    assert "The long Friday" in page
    assert table.post(refused_move(table)).json["events"][0]["verdict"] == "illegal"
    table.play_out()
    for format_, day in (
        ("markdown", "2025-12-31"),
        ("bgstats", "2025-12-31"),
        ("notation", "2025.12.31"),
    ):
        assert day in table.get("/export", format=format_).text, format_


def test_patch__that_changes_nothing_appends_nothing(table: Table) -> None:
    table.open()
    patch_game(table, **SAID)

    assert patch_game(table, **SAID).headers["ETag"] == '"3"'
    assert patch_game(table).json["version"] == 3
    assert patch_game(table, title=None, played_at=None).json["title"] is None
    assert table.log()[-1]["params"] == {"title": None, "played_at": None}


def test_patch__keys_versions_and_dry_runs(table: Table) -> None:
    table.open()
    key = {"Idempotency-Key": '"one"'}

    for _ in range(2):
        assert patch_game(table, query="?dry_run=true", title=SAID["title"]).json["title"] == "The long Friday"
    assert table.get().json["version"] == 2
    assert "Idempotent-Replayed" not in patch_game(table, key, **SAID).headers
    table.act("move")
    again = patch_game(table, key, **SAID)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert table.get().json["version"] == 4
    problem(patch_game(table, key, title="Another"), 422, "idempotency-key-reused")
    assert problem(patch_game(table, {"If-Match": '"3"'}, title="Late"), 412, "version-conflict")["version"] == 4
    assert problem(patch_game(table, {"If-Match": '"3"'}, **SAID), 412, "version-conflict")["version"] == 4


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"title": "x" * 201}, "/title"),
        ({"title": ""}, "/title"),
        ({"title": "a\nb"}, "/title"),
        ({"title": "\u202etxt"}, "/title"),
        ({"tags": ["a"] * 21}, "/tags"),
        ({"played_at": "yesterday"}, "/played_at"),
        ({"played_at": "2026-13-01T00:00:00Z"}, "/played_at"),
        ({"played_at": "0001-01-01T00:00:00+14:00"}, "/played_at"),
        ({"if_illegal": "shrug"}, "/if_illegal"),
        ({"options": {"no_such": 1}}, "/options"),
        ({"name": "Ann"}, "/name"),
    ],
)
def test_patch__what_does_not_fit_is_refused(table: Table, body: dict[str, Any], pointer: str) -> None:
    table.open()

    assert problem(patch_game(table, **body), 422, "invalid")["errors"][0]["pointer"].startswith(pointer)
    event = {"type": "details_changed", "params": body}
    if "name" not in body:
        assert table.post(event).status_code == 422
    assert table.get().json["version"] == 2


def test_patch__options_change_if_no_event_would_have_been_different(table: Table) -> None:
    table.open()
    refused = problem(patch_game(table, options={"difficulty": "elite"}), 422, "illegal-action")
    assert refused["seq"] == 2
    assert patch_game(table, options={"diver_swim": "as_move"}).json["options"]["diver_swim"] == "as_move"
    table.act("move")

    assert problem(patch_game(table, options={"difficulty": "legendary"}), 422, "illegal-action")["seq"] == 2
    assert patch_game(table, options={"diver_swim": "nearest"}).json["options"]["diver_swim"] == "nearest"
    table.post({"type": "undo", "params": {"to": 3}})
    assert table.get().json["options"]["diver_swim"] == "as_move"


def test_details__an_undo_brings_back_what_was(table: Table) -> None:
    table.open()
    patch_game(table, **SAID)
    patch_game(table, title="Another")

    table.post({"type": "undo", "params": {"to": 3}})
    assert table.get().json["title"] == "The long Friday"
    table.post({"type": "undo", "params": {"to": 2}})
    assert (table.get().json["title"], table.get().json["tags"]) == (None, [])


def test_details__of_an_ended_game_can_change(table: Table) -> None:
    table.open()
    table.play_out()

    assert patch_game(table, **SAID).json["played_at"] == PLAYED
    problem(table.post({"type": "seat_joined", "params": {"seat": "p2", "name": "Dana"}}), 409, "game-over")
    problem(table.post({"type": "seat_left", "params": {"seat": "p2"}}), 409, "game-over")
    rule = {"text": "Anything goes.", "allows": [{"type": "move"}]}
    problem(table.post({"type": "house_rule", "params": rule}), 409, "game-over")


def test_details__races_lose_nothing(table: Table) -> None:
    table.open("observed", mode="as_played")
    table.set_up()
    app = table.client.application

    def act(number: int) -> int:
        client = app.test_client()
        if number % 2:
            return client.patch(table.game, json={"title": f"Evening {number}"}).status_code
        note = {"type": "annotate", "params": {"text": f"{number}"}}
        return client.post(f"{table.game}/events", json=note).status_code

    with ThreadPoolExecutor(8) as pool:
        assert {*pool.map(act, range(40))} <= {200, 201}
    log = table.log()
    assert [event["seq"] for event in log] == list(range(1, 43))
    titles = [event["params"]["title"] for event in log if event["type"] == "details_changed"]
    assert sorted(titles) == sorted(f"Evening {number}" for number in range(1, 40, 2))
    assert table.get().json["title"] == titles[-1]


def test_seats__a_player_leaves_and_another_takes_over(table: Table) -> None:
    table.open()
    assert table.post({"type": "seat_left", "params": {"seat": "p2", "reason": "The last train."}}).status_code == 201
    assert table.get().json["seats"] == [{"name": "Ann"}, {"name": "Bob", "has_left": True}]
    problem(table.post({"type": "seat_left", "params": {"seat": "p2"}}), 422, "illegal-action")
    problem(table.post({"type": "seat_left", "params": {"seat": "p3"}}), 422, "invalid")
    table.post({"type": "seat_joined", "params": {"seat": "p2", "name": "Dana"}})
    assert table.get().json["seats"] == [{"name": "Ann"}, {"name": "Dana", "earlier": ["Bob"]}]
    story = [line["sentence"] for line in table.get("/story").json["story"]]
    assert story[-2:] == ["Bob leaves the table. Reason: The last train.", "Dana takes over the seat of Bob."]
    table.play_out()

    found = table.client.get("/v1/games", query_string={"player": "Dana"}).json["games"]
    assert [game["seats"] for game in found] == [[{"name": "Ann"}, {"name": "Dana"}]]
    assert table.client.get("/v1/games", query_string={"player": "Bob"}).json["games"] == []
    assert len(table.client.get("/v1/games", query_string={"q": "bob"}).json["games"]) == 1
    text = table.get("/export", format="markdown").text
    _, _, rest = text.partition("Setup")
    setup, _, later = rest.partition("Turn 1")
    assert "Bob is the" in setup
    assert "Dana" not in setup
    assert "Dana takes over the seat of Bob" in later
    printed = table.client.get(f"{table.game.removeprefix('/v1')}/print").text
    assert "Bob is the" in printed


def test_house_rule__makes_an_action_legal_and_is_cited(table: Table, work: Work) -> None:
    table.open()
    move = refused_move(table)
    problem(table.post(move, if_illegal="refuse"), 422, "illegal-action")
    rule = {"text": "Anyone may move to the *shore*.", "allows": [{"type": "move", "params": move["params"]}]}
    assert table.post({"type": "house_rule", "params": rule}).status_code == 201
    assert table.get().json["house_rules"] == [rule]

    (listed,) = [one for one in table.actions() if one["rule"] == "House rule" and one["actor"] == "p2"]
    assert body_of(listed) == move
    assert table.actions(actor="p2")[-1] == listed
    (event,) = table.post(move).json["events"]
    assert (event["verdict"], event["rule"], event["reason"]) == ("legal", "House rule", rule["text"])
    assert table.actions()[0]["actor"] == "p1"
    other = next(body_of(one) for one in table.actions() if one["type"] == "move" and one["params"] != move["params"])
    problem(table.post({**other, "actor": "p2"}), 422, "illegal-action")
    table.play_out()
    audit = run_audit(table, work)
    assert (audit["verdict"], audit["level"]["by_the_rules"], audit["level"]["house_rules"]) == ("clean", True, 1)
    (used,) = audit["house_rules"]
    assert (used["text"], used["period"], len(used["used"])) == (rule["text"], "turn 1", 1)
    assert used["used"][0]["seq"] == event["seq"]
    assert "\\*shore\\*" in table.get("/export", format="markdown").text


@pytest.mark.parametrize("ruleset", [one.id for one in rulesets() if one.checks_rules])
def test_house_rule__every_action_that_it_lists_can_be_recorded(table: Table, ruleset: str) -> None:
    """A house rule allows every action at any time. After each list of actions, play a legal action."""
    table.open(ruleset=ruleset, players=3)
    kinds = [kind.type for kind in registry.ruleset(ruleset).actions if not kind.hidden_params]
    for kind in kinds:
        rule = {"text": "Anything goes.", "allows": [{"type": kind}]}
        assert table.post({"type": "house_rule", "params": rule}).status_code == 201
    rng = random.Random(ruleset)
    for _ in range(5):
        listed = table.actions()
        allowed = [one for one in listed if one["rule"] == "House rule"]
        for one in rng.sample(allowed, min(8, len(allowed))):
            answer = table.post(body_of(one), dry_run="true")
            assert answer.status_code == 200, (one, answer.json)
        assert table.post(body_of(rng.choice([one for one in listed if one not in allowed]))).status_code == 201


@pytest.mark.parametrize(
    "params",
    [
        {"text": "", "allows": [{"type": "move"}]},
        {"text": "x" * 501, "allows": [{"type": "move"}]},
        {"text": "x", "allows": []},
        {"text": "x", "allows": [{"type": "undo"}]},
        {"text": "x", "allows": [{"type": "move", "params": {"from": "here"}}]},
        {"text": "x", "allows": [{"type": "move"}] * 21},
    ],
)
def test_house_rule__what_does_not_fit_is_refused(table: Table, params: dict[str, Any]) -> None:
    table.open()
    problem(table.post({"type": "house_rule", "params": params}), 422, "invalid")


@pytest.mark.parametrize("format_", ["json", "ndjson", "notation"])
def test_details__come_back_with_an_import(table: Table, format_: str) -> None:
    table.open("observed")
    table.set_up()
    move = refused_move(table)
    patch_game(table, **SAID, if_illegal="accept", options={"diver_swim": "as_move"})
    for type_, params in (
        ("seat_left", {"seat": "p2", "reason": "Tired."}),
        ("seat_joined", {"seat": "p2", "name": "Dana"}),
        ("house_rule", {"text": "Anyone may move.", "allows": [{"type": "move", "params": move["params"]}]}),
    ):
        assert table.post({"type": type_, "params": params}).status_code == 201
    assert table.post(move).json["events"][0]["verdict"] == "legal"
    before = table.get().json
    data = table.get("/export", format=format_).data
    if format_ == "ndjson":
        data = of_another_service(data)
        answer = table.client.post("/v1/imports", data=data, content_type="application/x-ndjson")
    else:
        table.client.delete(table.game)
        kinds = {one["format"]: one["media_type"] for one in table.client.get("/v1/export-formats").json["formats"]}
        answer = table.client.post("/v1/imports", data=data, content_type=kinds[format_])
    assert answer.status_code == 201, answer.text
    after = answer.json
    for name in ("title", "tags", "played_at", "if_illegal", "options", "seats", "house_rules", "turn"):
        assert after[name] == before[name], name


def test_seed__whoever_chose_it_is_named(door: Door, work: Work) -> None:
    admin = door.enter("admin", note="Ann's phone")
    own, drawn = admin.open(seed="calm"), admin.open(seed=None)
    assert (own["seed_chosen"], drawn["seed_chosen"]) == (True, False)
    for game, known_to in ((own, "Ann's phone"), (drawn, None)):
        address = game["links"]["self"]
        payload = json.loads(base64.b64decode(admin.client.get(f"{address}/proof").json["payload"]))
        assert payload["seed_known_to"] == known_to
        answer = admin.client.post(f"{address}/audits")
        work()
        notes = admin.client.get(answer.headers["Location"]).json["notes"]
        assert ("The seed was chosen by Ann's phone, who could know every draw." in notes) is (known_to is not None)
    forks = [{"at": 2, "seed": "storm"}, {"at": 2}]
    made = [admin.client.post(f"{own['links']['self']}/forks", json=body).json for body in forks]
    assert [one["seed_chosen"] for one in made] == [True, False]


def test_access__who_may_change_what(door: Door) -> None:
    admin = door.enter("admin")
    game = id_of(admin.open()["links"]["self"])
    viewer, recorder, arbiter = (door.enter(role, game=game) for role in ("viewer", "recorder", "arbiter"))
    seat = door.enter("recorder", game=game, seat="p2")
    address = f"/v1/games/{game}"

    assert viewer.client.patch(address, json=SAID).status_code == 403
    assert seat.client.patch(address, json=SAID).status_code == 403
    assert recorder.client.patch(address, json=SAID).status_code == 200
    options = {"options": {"diver_swim": "as_move"}}
    assert problem(recorder.client.patch(address, json=options), 403, "forbidden")["needs"] == "arbiter"
    event = {"type": "details_changed", "params": options}
    problem(recorder.client.post(f"{address}/events", json=event), 403, "forbidden")
    assert arbiter.client.patch(address, json=options).status_code == 200
    for who, taken, status in ((seat, "p1", 403), (seat, "p2", 201), (recorder, "p1", 201)):
        event = {"type": "seat_joined", "params": {"seat": taken, "name": "Dana"}}
        assert who.client.post(f"{address}/events", json=event).status_code == status
    rule = {"type": "house_rule", "params": {"text": "So.", "allows": [{"type": "move"}]}}
    assert seat.client.post(f"{address}/events", json=rule).status_code == 403
    assert recorder.client.post(f"{address}/events", json=rule).status_code == 201


def test_patch__the_place(table: Table) -> None:
    table.open()
    assert table.get().json["place"] is None
    assert patch_game(table, place="Oma's kitchen").json["place"] == "Oma's kitchen"
    assert '[Site "Oma\'s kitchen"]' in table.get("/export", format="notation").text
    assert "Oma's kitchen · " in table.get("/export", format="markdown").text
    problem(patch_game(table, place=" "), 422, "invalid")


def test_games__by_date_of_play(table: Table) -> None:
    """A game played long ago is last in the list, whenever it was recorded. Pages sort in the same way."""
    old, new = [table.open()["id"] for _ in range(2)]
    table.client.patch(f"/v1/games/{new}", json={"played_at": "2020-01-02T10:00:00Z"})
    listed = table.client.get("/v1/games?sort=played_at").json["games"]
    assert [game["id"] for game in listed] == [old, new]
    page = table.client.get("/?sort=played_at").text
    assert page.index(old) < page.index(new)
    found = table.client.get("/v1/games?to=2020-02-01T00:00:00Z").json["games"]
    assert [game["id"] for game in found] == [new]


def evening(table: Table) -> dict[str, Any]:
    """Record a setup at 18:00 and a move at 18:20; return the move."""
    table.open("observed")
    table.set_up()
    outcomes = table.log()[-1]["outcomes"]
    table.open("observed")
    setup = {"type": "set_up", "outcomes": outcomes, "occurred_at": "2026-05-01T18:00:00Z"}
    assert table.post(setup).status_code == 201
    move = table.body("move")
    assert table.post({**move, "occurred_at": "2026-05-01T18:20:00Z"}).status_code == 201
    return move


def times(table: Table) -> tuple[str, list[str], tuple[str, str, float | None]]:
    """Return the date of play in the resource, the transcript and the database."""
    markdown = table.get("/export", format="markdown").text.split("\n")
    found = [line for line in markdown if line.startswith(("*Ann and Bob", "- Played: "))]
    said = [line.removesuffix(" · abandoned in turn 1*")[-10:] if line[0] == "*" else line for line in found]
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(table.get("/export", format="sqlite").data)
        (row,) = database.execute("SELECT began_at, ended_at, minutes FROM games").fetchall()
    return table.get().json["played_at"][:16], said, (row[0][:16], (row[1] or "")[:16], row[2])


def test_details__every_format_says_when_a_game_was_played(table: Table) -> None:
    evening(table)
    end = {"type": "abandon", "params": {"reason": "Dinner."}, "occurred_at": "2026-05-01T18:50:00Z"}
    assert table.post(end).status_code == 201
    assert times(table) == (
        "2026-05-01T18:00",
        ["2026-05-01", "- Played: 2026-05-01 18:00 to 2026-05-01 18:20 UTC"],
        ("2026-05-01T18:00", "2026-05-01T18:20", 20),
    )
    patch_game(table, played_at="2024-12-24T19:00:00Z")
    assert times(table) == (
        "2024-12-24T19:00",
        ["2024-12-24", "- Played: 2024-12-24 19:00 to 2024-12-24 19:20 UTC"],
        ("2024-12-24T19:00", "2024-12-24T19:20", 20),
    )


def test_details__an_amend_corrects_when_a_game_was_played(table: Table) -> None:
    move = evening(table)
    assert times(table)[0] == "2026-05-01T18:00"
    seq = table.log()[-1]["seq"]
    event = {**move, "occurred_at": "2026-05-01T17:40:00Z"}
    assert table.post({"type": "amend", "params": {"seq": seq, "event": event}}).status_code == 201
    played_at, _, (began_at, _, _) = times(table)
    assert played_at == began_at == "2026-05-01T17:40"
    table.post({"type": "undo", "params": {"to": seq}})
    assert times(table)[0] == "2026-05-01T18:00"
