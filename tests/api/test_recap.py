"""The recap of a game: result, length, course, players; and its picture."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from ulid import ULID

from engine.play import registry
from store import Store
from tests.api.table import Table, problem
from tests.api.test_previews import store_finished_game
from tests.api.tokens import Door
from tests.engine.toy import Dice
from tests.installing import installed
from tests.playouts import playout


def test_a_game_that_has_ended(table: Table) -> None:
    table.open()
    over = table.play_out()
    told = table.get("/recap").json
    events = table.log()
    assert told["outcome"] == over["outcome"]
    assert told["standing"] == f"lost in turn {over['turn']}"
    assert told["ending"]
    assert told["curve"]["title"] == "Tiles above water"
    points = told["curve"]["points"]
    assert [point["turn"] for point in points] == list(range(len(points)))
    assert points[0] == {"turn": 0, "seq": 2, "level": 24}
    assert points[-1]["level"] == 24 - len(table.get("/state").json["state"]["sunk"])
    for player in told["players"]:
        done = {deed["type"]: deed["count"] for deed in player["deeds"]}
        own = [event["type"] for event in events if event["actor"] == player["seat"]]
        assert done == {type_: own.count(type_) for type_ in own}
    assert [player["name"] for player in told["players"]] == ["Ann", "Bob"]
    assert "Luck" in told["luck"] or "luck" in told["luck"]
    assert told["turns"] == over["turn"]


def test_a_game_without_a_board_of_its_own(table: Table) -> None:
    with installed(Dice()):
        table.open(ruleset="dice", options={"goal": 1})
        assert table.post({"type": "roll", "actor": "p1", "params": {"dice": 3}}).status_code == 201
        told = table.get("/recap")
        assert told.status_code == 200, told.text
        assert [player["name"] for player in told.json["players"]] == ["Ann", "Bob"]
        assert [player["deeds"] for player in told.json["players"]][1] == []
        assert table.get("/recap.png").status_code == 200


def test_what_was_undone_is_no_part_of_it(table: Table) -> None:
    table.open()
    before = table.get("/recap").json
    move = table.body("move")
    assert table.post(move).status_code == 201
    deeds = next(player["deeds"] for player in table.get("/recap").json["players"] if player["seat"] == move["actor"])
    assert deeds == [{"type": "move", "label": "move", "symbol": "walk", "count": 1}]
    assert table.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    after = table.get("/recap").json
    assert (after["players"], after["curve"]) == (before["players"], before["curve"])
    assert after["luck"] is None
    as_it_was = table.get("/recap", until=3).json
    assert (as_it_was["version"], as_it_was["players"][0]["deeds"] != []) == (3, move["actor"] == "p1")


def test_before_the_set_up_there_is_nothing_to_tell(table: Table) -> None:
    table.open(chance="observed")
    told = table.get("/recap").json
    assert (told["players"], told["curve"], told["ending"], told["luck"]) == ([], None, None, None)
    assert picture(table.get("/recap.png").data) == (1200, 630)


def picture(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as found:
        found.verify()
        return found.size


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_the_picture_of_any_game(table: Table, store: Store, ruleset: str) -> None:
    game = str(ULID()).lower()
    store.events.open(game, playout(ruleset, seats=registry.ruleset(ruleset).players[0], limit=30), seed=None)
    answer = table.client.get(f"/v1/games/{game}/recap.png")
    assert (answer.status_code, answer.content_type) == (200, "image/png")
    assert picture(answer.data) == (1200, 630)
    again = table.client.get(f"/v1/games/{game}/recap.png", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    told = table.client.get(f"/v1/games/{game}/recap").json
    assert all(point["level"] >= 0 for point in (told["curve"] or {"points": ()})["points"])


def test_the_page_of_the_end(table: Table, store: Store) -> None:
    game = store_finished_game(store)
    page = table.client.get(f"/games/{game}/end")
    assert page.status_code == 200
    assert f'<meta property="og:image" content="http://127.0.0.1:8000/v1/games/{game}/recap.png">' in page.text
    assert "Last moves" in page.text
    for link in (f"/games/{game}", f"/games/{game}/print"):
        assert f'href="/games/{game}/end"' in table.client.get(link).text


def test_a_game_that_goes_on_is_watched(table: Table) -> None:
    game = table.open()["id"]
    answer = table.client.get(f"/games/{game}/end")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/games/{game}/watch")


def test_of_a_game_that_a_token_is_not_for_there_is_none(door: Door) -> None:
    mine, other = store_finished_game(door.store), store_finished_game(door.store)
    guest = door.enter("viewer", game=mine).client
    assert guest.get(f"/v1/games/{mine}/recap").status_code == 200
    for path in ("recap", "recap.png"):
        problem(guest.get(f"/v1/games/{other}/{path}"), 404, "not-found")
    page = guest.get(f"/games/{mine}/end").text
    assert "Undo" not in page
    assert "data-opens" not in page
