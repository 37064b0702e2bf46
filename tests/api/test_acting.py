"""Permissions on a service with tokens: acting for seats, seeing secrets, correcting."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from engine.core.events import Draft
from service import corrections
from service.access import OPEN
from service.recording import append
from store.log.streams import EventStore
from tests.api.table import body_of, problem
from tests.api.test_secrets import BEFORE, GUESS, MASKED, SCORESHEET, THROW
from tests.api.tokens import Door, Visitor, id_of
from tests.engine.recording import DEAL
from tests.playouts import clock

REMARK = {"type": "annotate", "params": {"text": "hm"}}
ABANDON = {"type": "abandon", "params": {"reason": "supper"}}
ADJUST = {"type": "adjust", "params": {"facts": [], "reason": "we looked"}}


def at_the_table(door: Door, **body: Any) -> dict[str, Visitor]:
    """Return the callers of a game that an admin opened, by name."""
    admin = door.enter("admin", note="Host")
    admin.open(**body)
    game = id_of(admin.game)
    given = {
        "ann": door.enter("recorder", game=game, seat="p1", note="Ann"),
        "bob": door.enter("recorder", game=game, seat="p2", note="Bob"),
        "scribe": door.enter("recorder", game=game, note="Scribe"),
        "arbiter": door.enter("arbiter", game=game, note="Arbiter"),
        "guest": door.enter("viewer", game=game),
    }
    return {"admin": admin, **{name: visitor.at(admin.game) for name, visitor in given.items()}}


def say(visitor: Visitor) -> Any:
    return visitor.post(REMARK)


def move_of(visitor: Visitor) -> dict[str, Any]:
    return visitor.body("move")


def needs(answer: Any, role: str) -> str:
    refused = problem(answer, 403, "forbidden")
    assert refused["needs"] == role
    return str(refused["detail"])


def test_a_seat_acts_as_itself_alone(door: Door) -> None:
    table = at_the_table(door)
    legal = table["guest"].actions()
    mine = next(body_of(one) for one in legal if one["actor"] == "p1")
    assert "can act for that seat only" in needs(table["bob"].post(mine), "recorder")
    assert "can act for that seat only" in needs(table["bob"].post(mine, dry_run="true"), "recorder")
    needs(table["guest"].post(mine), "recorder")
    needs(table["bob"].post([{"type": "annotate", "params": {"text": "!"}}, mine]), "recorder")
    # The shared phone acts for all seats.
    for who in ("ann", "scribe", "arbiter"):
        assert table[who].post(mine, dry_run="true").status_code in (200, 422)
    assert table["ann"].post(mine).status_code == 201
    assert say(table["bob"]).status_code == 201
    assert [event["recorded_by"] for event in table["guest"].log()] == ["Host", "Host", "Ann", "Bob"]


def test_a_seat_is_offered_what_it_may_append(door: Door) -> None:
    # With this seed, Bob holds a card that he may play at any time.
    table = at_the_table(door, seed="c")
    everything = table["scribe"].get("/actions")
    assert everything.headers["ETag"] == '"2"'
    assert {one["actor"] for one in everything.json["actions"]} == {"p1", "p2"}
    for name, seat in (("ann", "p1"), ("bob", "p2")):
        told = table[name].get("/actions")
        assert told.json["actions"] == [one for one in everything.json["actions"] if one["actor"] == seat]
        assert told.json["awaiting"] == everything.json["awaiting"]
        assert all(table[name].post(body_of(one), dry_run="true").status_code == 200 for one in told.json["actions"])
        # A cached response is valid only for the token that fetched it.
        kept = {"If-None-Match": told.headers["ETag"]}
        assert table[name].client.get(table[name].game + "/actions", headers=kept).status_code == 304
        assert table["scribe"].client.get(table[name].game + "/actions", headers=kept).status_code == 200
    assert table["bob"].actions(actor="p1") == []
    assert table["bob"].actions(actor="p2") == table["bob"].actions()


def test_a_seat_is_not_offered_the_set_up(door: Door) -> None:
    table = at_the_table(door, chance="observed")
    assert [one["type"] for one in table["scribe"].actions()] == ["set_up"]
    assert table["bob"].actions() == []


def test_a_seat_plays_on_only_where_the_missed_end_was_its_own(door: Door) -> None:
    """Fools' Landing sinks in Ann's turn."""
    table = at_the_table(door, chance="observed")
    flooded = {"fact": "tile_is", "tile": "fools_landing", "state": "flooded"}
    ashore = {"fact": "stands_on", "seat": "p2", "tile": "cliffs_of_abandon"}
    drawn = [("draw_treasure_card", "earth_stone"), ("draw_treasure_card", "earth_stone")]
    events = [
        {"type": "set_up", "outcomes": list(DEAL)},
        *({"type": kind, "actor": "p1", "outcomes": [card]} for kind, card in drawn),
        {"type": "adjust", "params": {"facts": [flooded, ashore], "reason": "So it lies there."}},
        {"type": "draw_flood_card", "actor": "p1", "outcomes": ["fools_landing"]},
    ]
    assert table["admin"].post(events).status_code == 201
    event = table["scribe"].get("/actions").json["play_on"]
    assert table["ann"].get("/actions").json["play_on"] == event
    assert table["bob"].get("/actions").json["play_on"] is None
    assert table["ann"].post(event, dry_run="true").status_code == 200
    assert table["bob"].post(event, dry_run="true").status_code == 403


@pytest.mark.parametrize(
    ("body", "is_own"),
    [
        ({"type": "set_up"}, False),
        ({"type": "move", "actor": None}, False),
        ({"type": "move", "actor": "p2"}, False),
        ({"type": "move", "actor": "p1"}, True),
        ({"type": "left_out", "params": {"seat": "p2", "step": "flood_cards"}}, False),
        ({"type": "left_out", "params": {"seat": "p1", "step": "flood_cards"}}, True),
        ({"type": "amend", "params": {"seq": 3, "event": {"type": "move", "actor": "p2"}}}, False),
        ({"type": "amend", "params": {"seq": 3, "insert": {"type": "move", "actor": "p2"}}}, False),
        ({"type": "amend", "params": {"seq": 3, "event": {"type": "move", "actor": "p1"}}}, True),
        ({"type": "amend", "params": {"seq": 3, "remove": True}}, True),
        ({"type": "amend", "params": {"seq": 3, "event": 7}}, True),
        ({"type": "undo", "params": {"to": 2}}, True),
        ({"type": "annotate", "params": {"text": "!"}}, True),
    ],
)
def test_what_is_a_seats_own(door: Door, body: dict[str, Any], is_own: bool) -> None:
    ann = door.enter("recorder", game="g", seat="p1").caller
    draft = Draft(**body)
    if is_own:
        corrections.check_acts(ann, [draft])
    else:
        with pytest.raises(corrections.Forbidden):
            corrections.check_acts(ann, [draft])
    corrections.check_acts(OPEN, [draft])


def test_a_seat_says_of_no_other_that_it_left_something_out(door: Door) -> None:
    table = at_the_table(door, mode="as_played")
    # It is Ann's turn, so an action by Bob means that she skipped the rest of her turn.
    bobs = {"type": "draw_treasure_card", "actor": "p2", "params": {}}
    answer = table["scribe"].post(bobs, dry_run="true", if_illegal="ask")
    refused = problem(answer, 422, "illegal-action")
    assert refused["left_out"][0]["seat"] == "p1"
    version = table["guest"].get().json["version"]
    assert "p2 can act for that seat only" in needs(table["bob"].post(bobs, accept_left_out="true"), "recorder")
    assert table["guest"].get().json["version"] == version
    assert table["scribe"].post(bobs, accept_left_out="true").status_code == 201


def test_what_a_seat_hides_its_token_sees_and_an_arbiter(door: Door) -> None:
    admin = door.enter("admin")
    opened = admin.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    game = admin.at(opened.headers["Location"]).game
    assert admin.post([*BEFORE, THROW]).status_code == 201
    own = THROW["actor"]
    other = "p1" if own != "p1" else "p2"
    thrower = door.enter("recorder", game=id_of(game), seat=own).at(game)
    spectator = door.enter("viewer", game=id_of(game), seat=own).at(game)
    others = [
        door.enter("recorder", game=id_of(game), seat=other).at(game),
        door.enter("recorder", game=id_of(game)).at(game),
        door.enter("viewer").at(game),
    ]
    paths = [
        "",
        "/events",
        f"/events/{admin.get().json['version']}",
        "/state",
        "/stream",
        "/actions",
        "/facts",
        "/turns",
        "/story",
        "/notes",
        "/unknowns",
        "/board.svg",
        "/export",
        f"/compare/{id_of(game)}",
    ]
    shown = THROW["params"]["spears"]
    for path in paths:
        more = {"until": 3} if path == "/stream" else {}
        more |= {"format": "json"} if path == "/export" else {}
        for visitor in others:
            assert own in needs(visitor.get(path, viewer=own, **more), "arbiter"), path
            assert visitor.get(path, viewer="public", **more).status_code == 200, path
        for visitor in (thrower, spectator, admin):
            assert visitor.get(path, viewer=own, **more).status_code == 200, path
    # Without `viewer`, nobody sees another seat's secrets, whatever the token permits.
    assert thrower.get("/state").json["state"]["raid"]["spears"] == MASKED
    assert thrower.get("/state", viewer=own).json["state"]["raid"]["spears"] == shown
    assert admin.get("/state", viewer=own).json["state"]["raid"]["spears"] == shown


def test_a_key_is_its_tokens_own(door: Door) -> None:
    admin = door.enter("admin")
    opened = admin.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    game = admin.at(opened.headers["Location"]).game
    assert admin.post(BEFORE).status_code == 201
    own, key = THROW["actor"], {"Idempotency-Key": "tap-7"}
    thrower = door.enter("recorder", game=id_of(game), seat=own).at(game)
    scribe = door.enter("recorder", game=id_of(game)).at(game)
    thrown = thrower.post(THROW, key)
    assert thrown.status_code == 201
    # Another caller's idempotency key reveals nothing about that caller's request.
    for spears in range(4):
        tried = scribe.post({**THROW, "params": {"spears": spears}}, key)
        problem(tried, 422, "illegal-action")
    again = thrower.post(THROW, key)
    assert (again.headers["Idempotent-Replayed"], again.json) == ("true", thrown.json)
    assert again.json["events"][0]["params"]["spears"] == THROW["params"]["spears"]
    # Two callers with the same key make two requests.
    note = {"type": "annotate", "params": {"text": "a close game"}}
    mine, theirs = admin.post(note, key), scribe.post(note, key)
    assert mine.json["version"] + 1 == theirs.json["version"]


def test_what_is_told_again_is_told_as_the_caller_may_see_it(door: Door) -> None:
    admin = door.enter("admin")
    opened = admin.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    game = admin.at(opened.headers["Location"]).game
    assert admin.post(BEFORE).status_code == 201
    scribe, key = door.enter("recorder", game=id_of(game)).at(game), {"Idempotency-Key": "tap-7"}
    seq = scribe.post(THROW, key).json["version"]
    masked = scribe.post(THROW, key)
    assert masked.headers["Idempotent-Replayed"] == "true"
    assert masked.json["events"] == [scribe.get(f"/events/{seq}").json]
    assert masked.json["events"][0]["params"]["spears"] == MASKED
    assert scribe.post(GUESS).status_code == 201
    shown = scribe.post(THROW, key).json["events"][0]["params"]
    assert shown["spears"] == THROW["params"]["spears"]


def test_what_one_recorded_one_takes_back(door: Door) -> None:
    table = at_the_table(door)
    scribe, bob, guest = table["scribe"], table["bob"], table["guest"]
    move = move_of(guest)
    assert scribe.post(move).status_code == 201  # 3
    assert say(bob).status_code == 201  # 4: what is said takes nothing back
    assert scribe.post({"type": "undo", "params": {"to": 2}}).status_code == 201  # 5
    assert table["arbiter"].post(move).status_code == 201  # 6
    detail = needs(scribe.post({"type": "undo", "params": {"to": 5}}), "arbiter")
    assert "someone else recorded" in detail
    needs(scribe.post({"type": "amend", "params": {"seq": 6, "remove": True}}), "arbiter")
    needs(scribe.post({"type": "amend", "params": {"seq": 1, "remove": True}}), "arbiter")
    needs(scribe.post({"type": "reveal", "params": {"seq": 6, "value": "x"}}), "arbiter")
    needs(scribe.post(ADJUST), "arbiter")
    needs(scribe.post(ABANDON), "arbiter")
    needs(scribe.post(ABANDON, dry_run="true"), "arbiter")
    assert table["arbiter"].post({"type": "undo", "params": {"to": 5}}).status_code == 201  # 7
    # An event that the arbiter undid is gone, but the undo itself remains.
    needs(scribe.post({"type": "undo", "params": {"to": 6}}), "arbiter")
    assert table["arbiter"].post(ABANDON).status_code == 201


def test_who_recorded_all_of_it_corrects_all_of_it(door: Door) -> None:
    table = at_the_table(door)
    scribe = table["scribe"]
    move = move_of(scribe)
    assert scribe.post(move).status_code == 201
    assert say(table["bob"]).status_code == 201
    facts = [one for one in scribe.get("/facts").json["facts"] if one["fact"] == "water_level"]
    assert scribe.post({"type": "adjust", "params": {"facts": facts, "reason": "we looked"}}).status_code == 201
    # Each event of a list is checked against the events before it.
    undo = {"type": "undo", "params": {"to": scribe.get().json["version"]}}
    assert scribe.post([REMARK, undo]).status_code == 201
    assert scribe.post(ABANDON).status_code == 201


def test_what_makes_no_sense_is_refused_as_such(door: Door) -> None:
    scribe = at_the_table(door)["scribe"]
    for body in (
        {"type": "undo", "params": {"to": "x"}},
        {"type": "undo", "actor": "p1", "params": {"to": 2}},
        {"type": "adjust", "params": {}},
        {"type": "reveal", "params": {"seq": 99, "value": 1}},
        {"type": "undo", "params": {"to": 99}},
    ):
        assert scribe.post(body).status_code == 422, body


@pytest.mark.parametrize("agreed", ["anyone", "recorder", "arbiter"])
def test_what_the_table_agreed(door: Door, agreed: str) -> None:
    table = at_the_table(door, corrections=agreed, mode="as_played")
    admin, scribe = table["admin"], table["scribe"]
    assert scribe.get().json["corrections"] == agreed
    assert admin.log()[0]["params"]["corrections"] == agreed
    assert admin.post(move_of(admin)).status_code == 201
    move = move_of(scribe)
    assert scribe.post(move).status_code == 201
    undo = {"type": "undo", "params": {"to": scribe.get().json["version"] - 1}}
    far = {"type": "undo", "params": {"to": 2}}
    if agreed == "anyone":
        assert table["bob"].post(undo).status_code == 201
        assert scribe.post(far).status_code == 201
    elif agreed == "recorder":
        needs(table["bob"].post(undo), "arbiter")
        needs(scribe.post(far), "arbiter")
        assert scribe.post(undo).status_code == 201
    else:
        needs(scribe.post(undo), "arbiter")
        needs(scribe.post({"type": "left_out", "params": {"seat": "p1", "step": "flood_cards"}}), "arbiter")
        needs(scribe.post(move, accept_left_out="true"), "arbiter")
        assert table["arbiter"].post(undo).status_code == 201


def test_what_was_agreed_goes_on_in_a_fork_and_comes_back_with_a_log(door: Door) -> None:
    admin = at_the_table(door, corrections="arbiter")["admin"]
    fork = admin.client.post(f"{admin.game}/forks", json={"at": 2})
    assert fork.json["corrections"] == "arbiter"
    forked = admin.client.get(fork.headers["Location"] + "/events").json["events"]
    assert [event["recorded_by"] for event in forked] == ["Host", "Host"]
    log = admin.get("/export", format="json").data
    assert admin.client.post("/v1/imports", data=log, content_type="application/json").json["corrections"] == "arbiter"
    # Without a setting for corrections, event 1 is as in earlier releases.
    admin.open()
    assert "corrections" not in admin.log()[0]["params"]
    assert admin.get().json["corrections"] == "recorder"


def test_a_repeat_is_answered_though_it_could_not_be_done_now(door: Door) -> None:
    table = at_the_table(door)
    scribe = table["scribe"]
    assert say(scribe).status_code == 201
    move = move_of(scribe)
    assert scribe.post(move).status_code == 201
    undo, key = {"type": "undo", "params": {"to": 3}}, {"Idempotency-Key": "once"}
    first = scribe.post(undo, headers=key)
    assert first.status_code == 201
    assert table["arbiter"].post(move).status_code == 201
    again = scribe.post(undo, headers=key)
    assert (again.status_code, again.json["events"]) == (201, first.json["events"])
    assert again.headers["Idempotent-Replayed"] == "true"
    needs(scribe.post(undo), "arbiter")


def test_a_correction_is_judged_on_the_game_that_it_is_appended_to(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another event arrives between the judgement and the append, so the service judges again."""
    table = at_the_table(door)
    scribe = table["scribe"]
    move = move_of(scribe)
    assert scribe.post(move).status_code == 201
    real, tried = EventStore.append, list[int]()

    def overtaken(self: EventStore, game_id: str, game: Any, events: Any, *args: Any, **more: Any) -> Any:
        if events[0].type == "undo" and not tried:
            tried.append(1)
            move = move_of(scribe)
            by = table["arbiter"].caller
            drafts = [msgspec.convert(move, Draft)]
            append(door.store, game_id, drafts, explain=lambda *_: {}, recorded_at=clock(9), caller=by)
        return real(self, game_id, game, events, *args, **more)

    monkeypatch.setattr(EventStore, "append", overtaken)
    needs(scribe.post({"type": "undo", "params": {"to": 2}}), "arbiter")
    assert tried
    assert [event["type"] for event in scribe.log()][-1] != "undo"
