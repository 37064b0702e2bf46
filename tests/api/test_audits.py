"""Audits over the API, by the record's own rules and by another version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jsonpatch
import pytest

from engine.play import registry
from schemas.audits import Audit
from store import Store, keys
from tests.api.table import Table, body_of, of_another_service, problem
from tests.engine.toy import Dice, RuledDice
from tests.installing import installed
from tests.playouts import playout
from tests.recording import chained

Work = Callable[[], None]


@pytest.fixture
def dice() -> Iterator[None]:
    """A ruleset of this test in two versions. Games are recorded by the older version."""
    with installed(RuledDice(), Dice()):
        yield


OLD = "01kaj5x9f3q8w7e2r4t6y8z0pz"


def run_audit(table: Table, work: Work, body: Any = None) -> dict[str, Any]:
    """Return the report that a worker writes."""
    answer = table.client.post(table.game + "/audits", json=body) if body else table.client.post(table.game + "/audits")
    assert answer.status_code == 202, answer.text
    assert not Audit().validate(answer.json)
    work()
    report: dict[str, Any] = table.client.get(answer.headers["Location"]).json
    assert report["status"] == "done", report
    assert not Audit().validate(report)
    return report


def record_six(table: Table) -> None:
    """Record a game in which a six ends the turn, by the older rules: event 4 is a six, and event 5 is the other
    player's.
    """
    table.open(chance="observed", ruleset="dice", options={"goal": 100})
    table.post({"type": "set_up"})
    for actor, outcome in (("p1", 2), ("p2", 6), ("p1", 3)):
        answer = table.post({"type": "roll", "actor": actor, "outcomes": [outcome]})
        assert answer.status_code == 201, answer.text


def test_audit__without_a_body_compares_with_no_other_rules(table: Table, work: Work) -> None:
    table.open()
    report = run_audit(table, work)
    assert (report["verdict"], report["rules"]) == ("clean", None)


def test_audit__by_other_rules(table: Table, work: Work, dice: None) -> None:
    record_six(table)
    before = table.log()
    report = run_audit(table, work, {"rules": "3"})

    assert (report["verdict"], report["findings"], report["head"]) == ("clean", [], before[-1]["hash"])
    compared = report["rules"]
    assert (compared["recorded"], compared["replayed"], compared["verdicts"], compared["states"]) == ("2", "3", 1, 1)
    state, verdict = compared["differences"]
    assert compared["first"] == state
    assert (state["seq"], state["was"], state["is"]) == (4, {"verdict": "legal"}, {"verdict": "legal"})
    assert state["patch"] == [{"op": "replace", "path": "/active", "value": 1}]
    assert jsonpatch.apply_patch(table.get("/state", at=4).json["state"], state["patch"])["active"] == 1
    assert verdict["is"] == {"verdict": "illegal", "rule": "Rolling", "reason": "It is another player's turn."}
    assert table.log() == before


def test_audit__by_its_own_rules(table: Table, work: Work, dice: None) -> None:
    record_six(table)
    assert run_audit(table, work, {"rules": "2"})["rules"]["differences"] == []


def test_rulesets__tell_the_versions_that_are_installed(table: Table, dice: None) -> None:
    told = table.client.get("/v1/rulesets/dice").json
    assert (told["version"], told["versions"]) == ("2", ["3", "2"])


@pytest.mark.parametrize("version", ["9", "3.0"])
def test_audit__by_rules_that_there_are_not(table: Table, dice: None, version: str) -> None:
    record_six(table)
    document = problem(table.client.post(table.game + "/audits", json={"rules": version}), 422, "invalid")
    assert document["errors"] == [
        {"pointer": "/rules", "message": f"version {version!r} of dice cannot read this record; use one of: 3, 2"}
    ]


@pytest.mark.parametrize(
    ("body", "pointer"), [({"rules": 2}, "/rules"), ({"rules": ""}, "/rules"), ({"rule": "2"}, "/rule"), ([], "")]
)
def test_audit__of_a_body_that_does_not_fit(table: Table, body: Any, pointer: str) -> None:
    table.open()
    document = problem(table.client.post(table.game + "/audits", json=body), 422, "invalid")
    assert document["errors"][0]["pointer"] == pointer


def test_audit__of_a_body_that_is_no_json(table: Table) -> None:
    table.open()
    where = table.game + "/audits"
    problem(table.client.post(where, data=b"{", content_type="application/json"), 400, "malformed")
    problem(table.client.post(where, data=b"rules=2", content_type="text/plain"), 415, "unsupported-media-type")


def test_audit__of_no_game(table: Table) -> None:
    problem(table.client.post("/v1/games/nothing/audits", json={"rules": "1"}), 404, "not-found")


def run_broken_audit(table: Table, work: Work) -> dict[str, Any]:
    report = run_audit(table, work, {"rules": "1"})
    assert (report["verdict"], report["rules"]) == ("broken", None)
    return report


def test_audit__of_a_log_whose_beginning_is_lost(table: Table, store: Store, work: Work) -> None:
    """The log does not name its rules, so there is nothing to compare."""
    table.open()
    store.client.xdel(keys.events(table.game.rsplit("/", 1)[1]), "1-0")
    assert run_broken_audit(table, work)["findings"][0]["kind"] in {"sequence", "malformed"}


def test_audit__of_a_log_whose_beginning_does_not_decode(table: Table, store: Store, work: Work) -> None:
    table.open()
    name = keys.events(table.game.rsplit("/", 1)[1])
    store.client.delete(name)
    store.client.xadd(name, {"e": "no event", "h": bytes(32)}, id="1-0")
    assert "cannot be decoded" in run_broken_audit(table, work)["findings"][0]["message"]


def test_audit__of_a_log_that_does_not_begin_with_its_opening(table: Table, store: Store, work: Work) -> None:
    events = playout(limit=9)
    store.events.open("g1", chained(events[1:]), seed=None)
    table.game = "/v1/games/g1"
    assert run_broken_audit(table, work)["findings"][0]["message"] == "/type: a log must begin with game_opened"


def test_audit__where_a_worker_does_not_have_those_rules(table: Table, work: Work) -> None:
    with installed(RuledDice(), Dice()):
        record_six(table)
        where = table.client.post(table.game + "/audits", json={"rules": "3"}).headers["Location"]
    with installed(Dice()):
        work()
        report = table.client.get(where).json
    assert (report["status"], report["verdict"]) == ("failed", None)
    assert "version '3' of dice cannot read this record" in report["error"]


def test_audit__that_was_made_before_it_told_more(table: Table, store: Store) -> None:
    table.open()
    game = table.game.rsplit("/", 1)[1]
    old = {"id": OLD, "game": game, "status": "done", "progress": 1.0, "error": None, "verdict": "clean"}
    store.audits.save(game, OLD, {**old, "findings": [], "head": "0" * 64, "events": 2})
    report = table.client.get(table.game + f"/audits/{OLD}").json
    assert not Audit().validate(report)
    assert (report["verdict"], report["corrections"], report["luck"]) == ("clean", [], None)


def test_audit__of_a_corrected_game(table: Table, work: Work) -> None:
    table.open(chance="observed")
    table.set_up()
    table.act("draw_treasure_card", _first(table, "draw_treasure_card"))
    table.post({"type": "undo", "params": {"to": 2}})
    patch = [{"op": "replace", "path": "/water_level", "value": 3}]
    answer = table.post({"type": "adjust", "params": {"patch": patch, "reason": "one too low", "agreed": ["p1"]}})
    assert answer.status_code == 201, answer.text
    report = run_audit(table, work)

    assert (report["verdict"], report["findings"]) == ("findings", [])
    message = report["corrections"][0]["message"]
    assert message.startswith("Undone in turn 1: “Ann draws ")
    assert message.endswith("”.")
    assert report["adjustments"][0]["agreed"] == ["Ann"]
    assert report["determinism"]["recorded"] == report["determinism"]["equal"] == 1


def test_audit__of_what_was_imported_and_of_its_fork(table: Table, work: Work) -> None:
    """Imported events count as not witnessed, including those that a fork shares with its parent."""
    table.open(chance="observed")
    table.set_up()
    log = of_another_service(table.client.get(f"{table.game}/export?format=ndjson").data)
    assert run_audit(table, work)["level"]["imported"] == 0

    imported = table.client.post("/v1/imports", data=log, content_type="application/x-ndjson")
    table.game = f"/v1/games/{imported.json['id']}"
    level = run_audit(table, work)["level"]
    assert (level["by_the_rules"], level["imported"]) == (True, 2)
    table.post({"type": "annotate", "params": {"text": "here"}})
    for at, shared in ((3, 2), (1, 1)):
        fork = table.client.post(f"{table.game}/forks", json={"at": at})
        assert fork.status_code == 201, fork.text
        other = table.client.post(f"/v1/games/{fork.json['id']}/audits")
        work()
        report = table.client.get(other.headers["Location"]).json
        assert report["level"]["imported"] == shared


def test_audit__of_a_game_as_it_was_played(table: Table, work: Work) -> None:
    table.open(chance="observed", mode="as_played")
    table.set_up()
    moves = [{"type": "move", "actor": "p1", "params": {"to": tile["id"]}} for tile in _tiles()]
    legal = [body_of(action) for action in table.actions(actor="p1") if action["type"] == "move"]
    answer = next(answer for move in moves if move not in legal and (answer := table.post(move)).status_code == 201)
    report = run_audit(table, work)

    assert report["verdict"] == "findings"
    (finding,) = report["findings"]
    (event,) = answer.json["events"]
    assert (finding["seq"], finding["kind"]) == (3, "illegal_action")
    assert (finding["rule"], finding["message"]) == (event["rule"], event["reason"])
    assert report["events_by_verdict"] == {"legal": 1, "illegal": 1, "unknowable": 0}


def _first(table: Table, type_: str) -> str:
    """Return the first possible result of an action."""
    action = next(action for action in table.actions() if action["type"] == type_)
    value: str = action["chance"][0]["outcomes"][0]["value"]
    return value


def _tiles() -> list[dict[str, Any]]:
    tiles: list[dict[str, Any]] = registry.ruleset("forbidden-island").components["tiles"]
    return tiles
