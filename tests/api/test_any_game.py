"""Any game from a box over HTTP: an evening with each shipped box, and invalid boxes."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from driftlog.any_game.ruleset import SHIPPED
from tests.api.table import Table, of_another_service, problem
from tests.driftlog.any_game.evenings import BOXES, evening, seats_of

Work = Callable[[], None]
LENGTH = 62
MOST_BYTES = 40 * 1024
SECONDS = 0.25
"""Maximum processor seconds of a refusal. It needs a tenth of that, and more under coverage."""


def open_box_game(table: Table, box: Any, players: int = 2) -> Any:
    return table.open(chance="observed", players=players, ruleset="any-game", options={"box": box}, mode="strict")


@pytest.mark.parametrize("box", BOXES)
def test_an_evening(box: str, table: Table, work: Work) -> None:
    open_box_game(table, box, seats_of(box))
    largest = 0
    for number, draft in enumerate(evening(box, LENGTH)):
        body = {"type": draft.type, "actor": draft.actor, "params": draft.params, "outcomes": draft.outcomes}
        answer = table.post(body)
        assert answer.status_code == 201, (body, answer.text)
        if number % 8 == 0:
            largest = max(largest, len(table.get("/actions").data))
    assert largest <= MOST_BYTES
    state = table.get("/state").json["state"]
    assert table.get().json["status"] == "finished"

    version = table.get().json["version"]
    assert table.post({"type": "undo", "params": {"to": version - 2}}).status_code == 201
    amended = table.post({"type": "amend", "params": {"seq": 4, "remove": True, "accept_broken": True}})
    assert amended.status_code == 201, amended.text
    assert table.post({"type": "undo", "params": {"to": version - 1}}).status_code == 201
    assert table.get("/state").json["state"] == state

    head = table.get().json["head"]
    log = table.get("/export", format="ndjson").data
    for format_, media_type in (("ndjson", "application/x-ndjson"), ("json", "application/json")):
        data = table.get("/export", format=format_).data
        again = table.client.post("/v1/imports", data=data, content_type=media_type)
        assert (again.status_code, again.json["head"]) == (200, head)
    written = table.get("/export", format="notation").data
    assert import_log(table, written, "text/x-driftlog", work)["state"] == state

    # Another service can replay the game from event 1 alone.
    assert import_log(table, of_another_service(log), "application/x-ndjson", work)["state"] == state

    ordered = table.client.post(f"{table.game}/audits")
    work()
    report = table.client.get(ordered.headers["Location"]).json
    assert (report["verdict"], report["findings"], report["level"]["rules_checked"]) == ("clean", [], False)
    assert report["message"].endswith("all are possible with the components of this game. No rules were checked.")


def import_log(table: Table, data: bytes, media_type: str, work: Work) -> Any:
    """Import a log, and return the last state of the new game."""
    answer = table.client.post("/v1/imports", data=data, content_type=media_type)
    assert answer.status_code in {201, 202}, answer.text
    path = answer.headers["Location"]
    if answer.status_code == 202:
        work()
        job = table.client.get(path).json
        assert job["status"] == "done", job
        path = f"/v1/games/{job['result']['game']}"
    return table.client.get(f"{path}/state").json


def a_box(**parts: Any) -> dict[str, Any]:
    return {"id": "mine", "title": "Mine", "places": [{"id": "middle"}, {"id": "deck", "kind": "pile"}], **parts}


def a_thing(**parts: Any) -> dict[str, Any]:
    return a_box(things=[{"name": "Cube", "place": "middle", **parts}])


def a_step(**step: Any) -> dict[str, Any]:
    return a_box(buttons=[{"id": "go", "steps": [step]}])


NAMES = [f"name {number}" for number in range(100)]
BAD: list[tuple[Any, str]] = [
    ("chess", ""),
    (7, ""),
    ([], ""),
    ({}, ""),
    ({"id": "mine"}, ""),
    (a_box(id="Not Kebab"), "/id"),
    (a_box(title=5), "/title"),
    (a_box(title=""), "/title"),
    (a_box(title="  "), "/title"),
    (a_box(title="My\0game"), "/title"),
    (a_thing(name="\x1b[31mCube"), "/things/0/name"),
    (a_thing(cards="Herb\nRo\x07ot"), "/things/0/cards"),
    (a_box(colour="red"), ""),
    (a_box(players=[4, 2]), "/players"),
    (a_box(players=[1, 9]), "/players/1"),
    (a_box(places=[{"id": "hand"}, {"id": "hand"}]), "/places/1/id"),
    (a_box(places=[{"title": "No id"}]), "/places/0"),
    (a_box(places=[{"id": "p1_hand"}]), "/places/0/id"),
    (a_box(places=[{"id": "map", "grid": {"shape": "hex", "columns": 1000, "rows": 1}}]), "/places/0/grid/columns"),
    (a_box(places=[{"id": "map", "spaces": ["a", "A"]}]), "/places/0/id"),
    (a_box(places=[{"id": one, "grid": {"shape": "hex", "columns": 20, "rows": 20}} for one in "ab"]), "/places/1/id"),
    (a_thing(place="nowhere"), "/things/0/place"),
    (a_thing(count=1_000_000), "/things/0/count"),
    (a_thing(count="many"), "/things/0/count"),
    (a_thing(name=None), "/things/0"),
    (a_thing(each=[NAMES, NAMES, NAMES[:10]]), "/things/0/each"),
    (a_thing(cards="Smith\t1000000"), "/things/0/cards"),
    (a_thing(cards="Smith\t-2"), "/things/0/cards"),
    (a_thing(cards="Smith\t2.5"), "/things/0/cards"),
    (a_thing(cards="Smith\t2\n\t12"), "/things/0/cards"),
    (a_thing(cards=" \n "), "/things/0/cards"),
    (a_box(things=[{"place": "middle", "cards": "\n".join(NAMES), "count": 500}]), "/things/0/cards"),
    (a_box(things=[{"name": "Cube", "place": "middle"}, {"name": "cube", "place": "deck"}]), "/things/1/name"),
    (a_box(places=[], things=["deck52"]), "/things/0"),
    (a_box(dice=["five dice"]), "/dice/0"),
    (a_box(dice=["5d6", "4d6"]), "/dice/1"),
    (a_box(dice=[{"id": "odd", "faces": [1, "two"]}]), "/dice/0/faces"),
    (a_box(meters=[{"id": "gold", "start": -1, "least": 0}]), "/meters/0/start"),
    (a_box(meters=[{"id": "mood", "words": ["calm", "calm"]}]), "/meters/0/start"),
    (a_box(score=["gold"]), "/score/0"),
    (a_step(do="take", thing="Cube", **{"from": "middle", "to": "deck"}), "/buttons/0/steps/0/thing"),
    (a_step(do="draw", **{"from": "middle", "to": "deck"}), "/buttons/0/steps/0/from"),
    (a_step(do="draw", **{"from": "deck"}), "/buttons/0/steps/0/to"),
    (a_step(do="roll", dice="d6"), "/buttons/0/steps/0/dice"),
    (a_step(do="set", meter="gold", by=1), "/buttons/0/steps/0/meter"),
    (a_step(do="if", meter="gold"), "/buttons/0/steps/0/do"),
    (a_box(version="x" * 66_000), ""),
    (a_box(things=[{"cards": "x" * 30_000, "place": "middle"}] * 3), ""),
]  # fmt: skip


@pytest.mark.parametrize(("box", "pointer"), BAD, ids=range(len(BAD)))
def test_a_wrong_box(box: Any, pointer: str, table: Table) -> None:
    opening = {"ruleset": "any-game", "seats": [{"name": "Ann"}], "chance": "observed", "options": {"box": box}}
    began = process_time()
    answer = table.client.post("/v1/games", json=opening)
    assert process_time() - began < SECONDS
    assert problem(answer, 422, "invalid")["errors"][0]["pointer"] == f"/options/box{pointer}"


def test_the_schema_is_published(table: Table) -> None:
    answer = table.client.get("/v1/schemas/box.json")
    schema = Draft202012Validator(answer.json)
    assert answer.content_type == "application/schema+json"
    assert all(schema.is_valid(msgspec.json.decode(msgspec.json.encode(box))) for box in SHIPPED.values())
    assert not schema.is_valid(a_box(title=5))
    problem(table.client.get("/v1/schemas/bag.json"), 404, "not-found")


@pytest.mark.long
def test_the_largest_box(table: Table, work: Work) -> None:
    lines = [f"Card number {number}" for number in range(950)]
    box = a_box(
        things=[{"cards": "\n".join(lines), "place": "deck"}], places=[{"id": "deck", "kind": "pile", "title": "x"}]
    )
    box["buttons"] = [
        {"id": f"go_{at}", "steps": [{"do": "draw", "from": "deck", "to": "deck"}] * 10} for at in range(30)
    ]
    box["meters"] = [
        {"id": f"meter_{at}", "words": [f"{'word' * 12} {word}" for word in range(10)]} for at in range(40)
    ]
    assert 48 * 1024 < len(msgspec.json.encode(box)) <= 64 * 1024
    open_box_game(table, box)
    assert table.post({"type": "set_up"}).status_code == 201
    assert len(table.actions()) > 30
    log = table.get("/export", format="ndjson").data
    assert import_log(table, of_another_service(log), "application/x-ndjson", work)["version"] == 2
    written = table.get("/export", format="notation").data
    assert import_log(table, written, "text/x-driftlog", work)["version"] == 2


def test_scores_and_a_wrong_box(table: Table) -> None:
    """The result has scores. A fact corrects the number of things in the box during the game."""
    open_box_game(table, "workers")
    assert table.post({"type": "set_up"}).status_code == 201
    fact = {"fact": "box_has", "thing": "oven", "count": 5}
    corrected = table.post({"type": "adjust", "params": {"facts": [fact], "reason": "There are five."}})
    assert corrected.status_code == 201, corrected.text
    assert fact in table.get("/facts").json["facts"]
    drawn = {"type": "draw", "actor": "p1", "params": {"from": "projects", "to": "offer"}}
    (point,) = problem(table.post(drawn), 422, "outcome-required")["chance"]["outcomes"][3:4]
    assert (point["value"], point["p_exact"], point["label"]) == ("oven", "5/16", "Oven")
    for seat, points in (("p1", 3), ("p2", 5)):
        table.post({"type": "set", "actor": seat, "params": {"meter": "points", "value": points}})
    assert table.post({"type": "end_game", "actor": "p1", "params": {}}).status_code == 201
    assert table.get().json["outcome"]["scores"] == [3, 5]
    file = table.get("/export", format="bgstats").json
    assert [one["score"] for one in file["plays"][0]["playerScores"]] == ["3", "5"]
    assert (file["games"][0]["name"], file["games"][0]["noPoints"]) == ("Workers", False)
    (figures,) = table.client.get("/v1/players/Ann").json["scores"]
    assert figures == {"ruleset": "any-game", "game": "Workers", "count": 1, "lowest": 3, "mean": 3.0, "highest": 3}
    for page, row in (("/players/Ann", (1, 3, 3.0, 3)), ("/rulesets/any-game", (2, 3, 4.0, 5))):
        cells = "".join(f'<td class="number">{value}</td>' for value in row)
        assert f'<th scope="row">Workers</th>{cells}' in table.client.get(page).text


def test_the_library_groups_by_box(table: Table) -> None:
    """The library finds a game by the title of its box, and the statistics have a row for each box."""
    for box in ("just-scores", "five-dice"):
        open_box_game(table, box)
        table.post({"type": "set_up"})
        assert table.post({"type": "end_game", "actor": "p1", "params": {}}).status_code == 201
    found = table.client.get("/v1/games?q=five dice").json["games"]
    assert [game["id"] for game in found] == [table.game.rsplit("/")[-1]]
    page = table.client.get("/rulesets/any-game").text
    assert all(f">{title}<" in page for title in ("Box", "Just scores", "Five dice"))
    assert "Five dice" in table.client.get("/").text


def test_a_seeded_game_is_refused(table: Table) -> None:
    opening = {"ruleset": "any-game", "seats": [{"name": "Ann"}], "chance": "seeded"}
    (error,) = problem(table.client.post("/v1/games", json=opening), 422, "invalid")["errors"]
    assert error == {"pointer": "/chance", "message": "Any game is played with 'observed', not 'seeded'"}
    table.open(chance="observed", players=1, ruleset="any-game")
    problem(table.client.post(f"{table.game}/forks", json={"at": 1, "chance": "seeded"}), 422, "invalid")
