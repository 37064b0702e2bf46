"""A list of events with draws: recorded up to the refused event; a repeated request gets the same answer, and records
nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.play.judge import SPENT
from engine.play.rules import Rules
from service import request
from store import Store, keys
from store.errors import StoreUnavailable, VersionConflict
from store.log.streams import EventStore
from tests.api.table import Table, body_of, problem
from tests.api.tokens import id_of

DRAW = {"type": "draw_treasure_card", "actor": "p1"}
NOTE = {"type": "annotate", "params": {"text": "so"}}
NO_SUCH = {"type": "castle"}
KEY = {"Idempotency-Key": "list-1"}


def types(answer: Any) -> list[str]:
    return [event["type"] for event in answer.json["events"]]


def logged_types(table: Table) -> list[str]:
    return [event["type"] for event in table.log()[2:]]


def reading(value: str) -> dict[str, Any]:
    """An adjustment that depends on the state after the events before it."""
    return {"type": "adjust", "params": {"patch": [{"op": "test", "path": "", "value": value}], "reason": "r"}}


@pytest.mark.parametrize(
    ("after", "status", "slug"),
    [
        (NO_SUCH, 422, "invalid"),
        ({"type": "draw_flood_card", "actor": "p1"}, 422, "illegal-action"),
        (reading("?"), 422, "invalid"),
        ({"type": "undo", "params": {"to": 9}}, 422, "invalid"),
    ],
    ids=["malformed", "illegal", "adjust", "undo"],
)
def test_a_list_stops_where_it_is_refused(table: Table, after: dict[str, Any], status: int, slug: str) -> None:
    table.open()
    answer = table.post([NOTE, DRAW, NOTE, after, NOTE], headers=KEY)
    assert answer.status_code == 201, answer.text
    assert types(answer) == ["annotate", "draw_treasure_card", "annotate"] == logged_types(table)
    assert (answer.json["version"], answer.headers["ETag"]) == (5, '"5"')
    assert answer.json["stopped"]["index"] == 3
    why = answer.json["stopped"]["problem"]
    assert (why["status"], why["type"], why["index"]) == (status, f"/problems/{slug}", 3)
    assert why["title"]
    assert why["detail"]

    table.post(NOTE)
    again = table.post([NOTE, DRAW, NOTE, after, NOTE], headers=KEY)
    assert (again.status_code, again.json) == (201, answer.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    problem(table.post([NOTE, DRAW], headers=KEY), 422, "idempotency-key-reused")


def test_a_stored_reason_that_was_cut_off_is_no_answer(table: Table, store: Store) -> None:
    table.open()
    assert table.post([NOTE, DRAW, NO_SUCH], headers=KEY).json["stopped"]["index"] == 2
    name = keys.idempotency(id_of(table.game))
    store.client.hset(name, mapping={field: value[:-1] for field, value in store.client.hgetall(name).items()})
    problem(table.post([NOTE, DRAW, NO_SUCH], headers=KEY), 500, "damaged-record")


def test_a_list_is_all_or_nothing_up_to_its_first_draw(table: Table) -> None:
    table.open()
    for body in ([NOTE, NO_SUCH, DRAW], [NOTE, {"type": "draw_flood_card", "actor": "p1"}], [reading("?"), DRAW]):
        assert table.post(body, headers=KEY).status_code == 422
        assert table.get().json["version"] == 2
    assert types(table.post([NOTE, DRAW], headers=KEY)) == ["annotate", "draw_treasure_card"]


def test_a_list_that_is_taken_whole_says_nothing_of_stopping(table: Table) -> None:
    table.open()
    answer = table.post([DRAW, DRAW, NOTE], headers=KEY)
    assert "stopped" not in answer.json
    assert [event["seq"] for event in answer.json["events"]] == [3, 4, 5]
    assert table.post([DRAW, DRAW, NOTE], headers=KEY).json == answer.json
    assert len(table.log()) == 5


def test_a_list_stops_at_the_end_of_the_game(table: Table) -> None:
    table.open()
    answer = table.post([DRAW, {"type": "abandon", "params": {"reason": "late"}}, DRAW], headers=KEY)
    assert types(answer) == ["draw_treasure_card", "abandon", "game_closed"]
    assert answer.json["stopped"]["index"] == 2
    assert answer.json["stopped"]["problem"]["type"] == "/problems/game-over"
    assert table.post([DRAW, {"type": "abandon", "params": {"reason": "late"}}, DRAW], headers=KEY).json == answer.json


def test_a_failed_patch_tells_nothing_of_what_it_found(table: Table) -> None:
    table.open()
    for path in ("", "/treasure_pile", "/turn"):
        body = {"type": "adjust", "params": {"patch": [{"op": "test", "path": path, "value": "?"}], "reason": "r"}}
        found = problem(table.post(body), 422, "invalid")
        assert found["errors"][0]["message"] == f"'{path}' is not '?'"
    for operation in ({"op": "remove", "path": "/no/such"}, {"op": "replace", "path": "/turn/1", "value": 1}):
        found = problem(table.post({"type": "adjust", "params": {"patch": [operation], "reason": "r"}}), 422, "invalid")
        assert found["errors"][0]["message"] == f"the table has no member {operation['path']!r}"


def meanwhile(monkeypatch: pytest.MonkeyPatch, at: int, happens: Callable[[], object]) -> None:
    """Run a function once, just before the append that begins at version `at`."""
    append, done = EventStore.append, []

    def late(store: EventStore, game_id: str, game: tuple[int, str], *arguments: Any, **more: Any) -> Any:
        if game[0] == at and not done:
            done.append(at)
            happens()
        return append(store, game_id, game, *arguments, **more)

    monkeypatch.setattr(EventStore, "append", late)


def test_between_two_draws_somebody_else_records(table: Table, other: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    other.game = table.game
    meanwhile(monkeypatch, 3, lambda: other.post(NOTE))
    answer = table.post([DRAW, DRAW, NO_SUCH], headers=KEY)
    assert [event["seq"] for event in answer.json["events"]] == [3, 5]
    assert logged_types(table) == ["draw_treasure_card", "annotate", "draw_treasure_card"]
    assert table.post([DRAW, DRAW, NO_SUCH], headers=KEY).json == answer.json


def test_if_match__the_list_stops_where_somebody_else_came_between(
    table: Table, other: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open()
    other.game = table.game
    meanwhile(monkeypatch, 3, lambda: other.post(NOTE))
    answer = table.post([DRAW, DRAW], headers={"If-Match": '"2"'})
    assert (answer.status_code, types(answer)) == (201, ["draw_treasure_card"])
    assert answer.json["stopped"]["index"] == 1
    assert answer.json["stopped"]["problem"]["type"] == "/problems/version-conflict"
    assert table.get().json["version"] == 4


def test_a_refusal_is_the_newest_games(table: Table, other: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    other.game = table.game
    about = {"type": "annotate", "params": {"text": "so", "seq": 4}}
    latest = table.client.application.extensions["store"].games.latest  # type: ignore[attr-defined]

    def late(game_id: str) -> Any:
        monkeypatch.undo()
        other.post(NOTE)
        return latest(game_id)

    monkeypatch.setattr(table.client.application.extensions["store"].games, "latest", late)
    answer = table.post([DRAW, about])
    assert "stopped" not in answer.json
    assert logged_types(table) == ["draw_treasure_card", "annotate", "annotate"]


def test_the_same_request_twice_at_once_is_done_once(
    table: Table, other: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open()
    other.game = table.game
    answers: list[Any] = []
    meanwhile(monkeypatch, 3, lambda: answers.append(other.post([DRAW, DRAW, NOTE], headers=KEY)))
    answer = table.post([DRAW, DRAW, NOTE], headers=KEY)
    assert answer.json == answers[0].json
    assert logged_types(table) == ["draw_treasure_card", "draw_treasure_card", "annotate"]


def test_the_same_request_twice_at_once_stops_once(table: Table, other: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    other.game = table.game
    answers: list[Any] = []
    settle, done = EventStore.settle, []

    def late(*arguments: Any) -> Any:
        if not done:
            done.append(True)
            answers.append(other.post([DRAW, NO_SUCH], headers=KEY))
        return settle(*arguments)

    monkeypatch.setattr(EventStore, "settle", late)
    answer = table.post([DRAW, NO_SUCH], headers=KEY)
    assert answer.json == answers[0].json
    assert answer.json["stopped"]["index"] == 1
    assert logged_types(table) == ["draw_treasure_card"]


def test_a_list_that_was_cut_off_goes_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()

    with monkeypatch.context() as patched:
        append = EventStore.append

        def fail_at_third(store: EventStore, game_id: str, game: tuple[int, str], *arguments: Any, **more: Any) -> Any:
            if game[0] == 3:
                raise StoreUnavailable("gone")
            return append(store, game_id, game, *arguments, **more)

        patched.setattr(EventStore, "append", fail_at_third)
        problem(table.post([DRAW, DRAW, NO_SUCH], headers=KEY), 503, "store-unavailable")
    assert logged_types(table) == ["draw_treasure_card"]
    # A client whose connection broke does not know how many events were recorded.
    table.post(NOTE)
    answer = table.post([DRAW, DRAW, NO_SUCH], headers=KEY)
    assert [event["seq"] for event in answer.json["events"]] == [3, 5]
    assert answer.json["stopped"]["index"] == 2
    assert table.post([DRAW, DRAW, NO_SUCH], headers=KEY).json == answer.json


def test_a_lost_answer_between_two_draws(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    for headers in (KEY, {}):
        before = table.get().json["version"]
        with monkeypatch.context() as patched:
            append, lost = EventStore.append, []

            def losing(*arguments: Any, **more: Any) -> Any:
                done = append(*arguments, **more)  # noqa: B023  # called in this turn of the loop
                if len(lost) < 2:  # noqa: B023
                    lost.append(True)  # noqa: B023
                    if len(lost) == 2:  # noqa: B023
                        raise StoreUnavailable("gone")
                return done

            patched.setattr(EventStore, "append", losing)
            answer = table.post([DRAW, {"type": "undo", "params": {"to": before}}, DRAW], headers=headers)
        assert answer.status_code == 201, answer.text
        assert [event["seq"] for event in answer.json["events"]] == [before + 1, before + 2, before + 3]
        table.post({"type": "undo", "params": {"to": 2}})


def test_a_busy_game__in_the_end_the_list_has_stopped(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    append = EventStore.append

    def overtaken(store: EventStore, game_id: str, game: tuple[int, str], *arguments: Any, **more: Any) -> Any:
        if game[0] > 2:
            raise VersionConflict(game[0] + 1, [])
        return append(store, game_id, game, *arguments, **more)

    monkeypatch.setattr(EventStore, "append", overtaken)
    monkeypatch.setattr(request, "attempts", lambda: iter(range(5)))
    answer = table.post([DRAW, DRAW])
    assert types(answer) == ["draw_treasure_card"]
    assert answer.json["stopped"]["index"] == 1
    assert answer.json["stopped"]["problem"]["type"] == "/problems/too-busy"


def test_what_fails_after_a_draw_never_comes_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    play = Rules.play

    def failing(rules: Rules, *arguments: Any) -> Any:
        played = play(rules, *arguments)
        if arguments[1].type == "draw_treasure_card":
            raise ZeroDivisionError
        return played

    with monkeypatch.context() as patched:
        patched.setattr(Rules, "play", failing)
        answer = table.post(DRAW, headers=KEY)
    assert answer.status_code == 201, answer.text
    assert [event["params"] for event in answer.json["events"]] == [{"text": SPENT}]
    assert answer.json["stopped"]["problem"]["type"] == "/problems/internal-error"
    assert table.post(DRAW, headers=KEY).json == answer.json
    assert table.post(body_of(next(one for one in table.actions() if one["type"] == DRAW["type"]))).status_code == 201


def test_what_fails_after_a_draw_of_the_list_stops_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    play = Rules.play

    def failing(rules: Rules, *arguments: Any) -> Any:
        if arguments[1].type == "annotate":
            raise ZeroDivisionError
        return play(rules, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Rules, "play", failing)
        assert table.post([NOTE, DRAW]).status_code == 500
        answer = table.post([DRAW, NOTE])
    assert types(answer) == ["draw_treasure_card"]
    assert answer.json["stopped"]["problem"]["status"] == 500


def test_a_draw_whose_result_became_unknown_meanwhile(table: Table, other: Table) -> None:
    """One process knows the top card of the pile; another one has recorded a shuffle since."""
    pile = {"id": "deck", "kind": "pile"}
    cards = {"cards": "Ash\t2\nBirch\t2", "place": "deck"}
    box = {"id": "small", "title": "Small", "places": [pile, {"id": "table"}], "things": [cards]}
    table.open("observed", players=1, ruleset="any-game", options={"box": box})
    other.game = table.game
    assert table.post({"type": "set_up"}).status_code == 201
    look = {"type": "look", "actor": "p1", "params": {"place": "deck"}, "outcomes": ["ash"]}
    assert table.post(look).status_code == 201
    assert other.post({"type": "shuffle", "actor": "p1", "params": {"place": "deck"}}).status_code == 201
    draw = {"type": "draw", "actor": "p1", "params": {"from": "deck", "to": "table"}, "outcomes": ["birch"]}
    assert table.post(draw).status_code == 201
