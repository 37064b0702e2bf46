"""Deals: the same setup for another table, and a comparison of the games."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from engine.core import effort
from service import deals
from store import Store
from tests.api.table import Table, problem
from tests.api.tokens import Door

SEATS = [{"name": "Dee"}, {"name": "Eli"}]


def open_with_deal(table: Table, deal: str, **body: Any) -> TestResponse:
    """Open a game with the deal of another game, and return the response."""
    asked = {"ruleset": "forbidden-island", "seats": SEATS, "chance": "observed", "deal": deal, **body}
    return table.client.post("/v1/games", json=asked)


def outcomes(table: Table, game: str) -> Any:
    return table.client.get(f"/v1/games/{game}/events/2").json["outcomes"]


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [
        ("forbidden-island", 2),
        ("forbidden-island-archaens", 2),
        ("forbidden-desert", 2),
        ("forever-island", 2),
        ("forgotten-waters", 3),
    ],
)
def test_another_table_is_set_up_alike(table: Table, ruleset: str, players: int) -> None:
    first = table.open(ruleset=ruleset, players=players)
    told = table.get("/deal").json
    assert (told["game"], told["seats"], told["options"]) == (first["id"], players, first["options"])
    assert [place["value"] for place in told["set_up"]] == outcomes(table, first["id"])
    assert all(place["said"] for place in told["set_up"])
    seats = [{"name": name} for name in ("Dee", "Eli", "Fay")[:players]]
    answer = open_with_deal(table, first["id"], ruleset=ruleset, seats=seats)
    assert answer.status_code == 201, answer.text
    assert (answer.json["version"], answer.json["options"]) == (2, first["options"])
    assert outcomes(table, answer.json["id"]) == outcomes(table, first["id"])


def test_games_of_one_deal_know_each_other(table: Table) -> None:
    first = table.open()["id"]
    second = open_with_deal(table, first, tags=["club", "deal: of another"]).json
    assert second["tags"] == ["club", f"deal: {first}"]
    third = open_with_deal(table, second["id"]).json
    assert third["tags"] == [f"deal: {first}"]
    ids = {first, second["id"], third["id"]}
    for game in ids:
        assert set(table.client.get(f"/v1/games/{game}/deal").json["games"]) == ids - {game}
    both = table.client.get(f"/v1/games/{first}/compare/{third['id']}").json
    assert both["common"]["events"] == 2
    page = table.client.get(f"/games/{third['id']}/deal").text
    assert f"/games/{third['id']}/compare/{first}" in page
    table.client.delete(f"/v1/games/{first}")
    assert table.client.get(f"/v1/games/{third['id']}/deal").json["games"] == [second["id"]]
    problem(open_with_deal(table, first), 422, "invalid")


def test_a_seeded_game_that_has_ended_is_drawn_again(table: Table) -> None:
    first = table.open(seed="a rainy night")["id"]
    assert table.get("/deal").json["chances"] == ["observed"]
    problem(open_with_deal(table, first, chance="seeded"), 422, "invalid")
    drawn = [table.act("draw_treasure_card")["events"][0]["outcomes"] for _ in range(2)]
    table.post({"type": "abandon", "params": {"reason": "dinner"}})
    assert table.get("/deal").json["chances"] == ["observed", "seeded"]
    again = open_with_deal(table, first, chance="seeded")
    assert again.status_code == 201, again.text
    table.game = again.headers["Location"]
    assert outcomes(table, again.json["id"]) == outcomes(table, first)
    assert [table.act("draw_treasure_card")["events"][0]["outcomes"] for _ in range(2)] == drawn


def test_the_fork_of_a_seeded_game_has_no_seed_that_draws_its_set_up(table: Table) -> None:
    table.open()
    forked = table.client.post(f"{table.game}/forks", json={"at": 2}).json["id"]
    table.game = f"/v1/games/{forked}"
    table.post({"type": "abandon", "params": {"reason": "dinner"}})
    assert table.get("/deal").json["chances"] == ["observed"]
    problem(open_with_deal(table, forked, chance="seeded"), 422, "invalid")


def test_a_deck_is_told_as_far_as_it_was_seen(table: Table) -> None:
    table.open()
    assert table.get("/deal").json["decks"] == []
    for _ in range(2):
        table.act("draw_treasure_card")
    cards = [event["outcomes"][0] for event in table.get("/events", after=2).json["events"]]
    (deck,) = table.get("/deal").json["decks"]
    assert [card.casefold().replace(" ", "_").replace("'", "").replace("’", "") for card in deck["cards"]] == [
        card.casefold() for card in cards
    ]
    assert deck["below"] > 10
    table.post({"type": "undo", "params": {"to": 3}})
    assert table.get("/deal").json["decks"] == [], "what is taken back is not told"
    page = table.client.get(f"/games/{table.game.rpartition('/')[2]}/deal").text
    assert "The decks" not in page


def test_what_has_no_deal_is_refused(table: Table) -> None:
    game = table.open(chance="observed")["id"]
    problem(table.get("/deal"), 422, "invalid")
    problem(open_with_deal(table, game), 422, "invalid")
    table.open()
    facts = {"facts": table.get("/facts").json["facts"]}
    middle = table.open(chance="observed", position=facts)["id"]
    assert "in the middle" in problem(open_with_deal(table, middle), 422, "invalid")["errors"][0]["message"]
    table.open(chance="observed")
    outcomes: list[Any] = table.set_up()["events"][0]["outcomes"]
    unseen = table.open(chance="observed")["id"]
    answer = table.post({"type": "set_up", "outcomes": [*outcomes[:-1], None]})
    assert answer.status_code == 201, answer.text
    assert "is unknown" in problem(open_with_deal(table, unseen), 422, "invalid")["errors"][0]["message"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"ruleset": "forbidden-desert"}, "/ruleset"),
        ({"seats": [{"name": "Dee"}, {"name": "Eli"}, {"name": "Fay"}]}, "/seats"),
        ({"options": {"difficulty": "elite"}}, "/options"),
        ({"chance": "seeded", "seed": "mine"}, "/seed"),
        ({"position": {"facts": []}}, "/position"),
        ({"chance": "seeded"}, "/chance"),
        ({"deal": "nothing"}, "/deal"),
        ({"deal": "x" * 61}, "/deal"),
        ({"deal": ["x"]}, "/deal"),
    ],
)
def test_what_does_not_fit_the_deal_is_refused(table: Table, body: dict[str, Any], pointer: str) -> None:
    table.open(chance="observed")
    table.set_up()
    refused = problem(open_with_deal(table, **{"deal": table.game.rpartition("/")[2], **body}), 422, "invalid")
    assert refused["errors"][0]["pointer"] == pointer


def test_who_may_see_one_game_alone_learns_of_no_other(door: Door) -> None:
    admin = door.enter("admin")
    first = admin.open()["id"]
    second = open_with_deal(admin, first).json["id"]
    viewer = door.enter("viewer", game=second).at(second)
    assert viewer.get("/deal").json["games"] == []
    assert "Open a game with this setup" not in viewer.client.get(f"/games/{second}/deal").text
    assert "Open a game with this setup" in admin.client.get(f"/games/{second}/deal").text
    assert viewer.client.get(f"/v1/games/{first}/deal").status_code == 404


def test_what_was_undone_is_not_played_for_a_deal(table: Table) -> None:
    table.open("observed")
    table.set_up()
    for _ in range(150):
        assert table.post({"type": "annotate", "params": {"text": "so"}}).status_code == 201
    assert table.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    store: Store = table.client.application.extensions["store"]
    game_id = table.game.rpartition("/")[2]
    store.games.latest(game_id)
    with effort.count_steps() as spent:
        found = deals.of_game(store, game_id)
    assert found.at == 2
    # Two reads of the log in pages, and one fold of the events in effect.
    assert spent.spent <= 2 * 200 + effort.AT_A_TIME
