"""Small requests that are expensive to judge are refused for their number of items."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api.app import LONGEST_QUERY
from api.plumbing.error_handling import MOST_ERRORS
from api.plumbing.http import MOST_MEMBERS
from api.plumbing.limits import OPENING as OPENING_LIMITS
from api.plumbing.limits import SMALL, Limits
from schemas.drafts import LONGEST_APPEND, LONGEST_EVENT, MOST_OUTCOMES
from tests.api.table import Table, problem

OPENING: dict[str, Any] = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}]}
OPENING["chance"] = "observed"


@pytest.mark.parametrize(
    ("path", "limits"),
    [
        ("/v1/games", OPENING_LIMITS),
        ("/v1/exports", SMALL),
        ("/v1/games/{}/forks", SMALL),
        ("/v1/games/{}/audits", SMALL),
    ],
)
def test_a_body_that_is_longer_than_a_route_takes(table: Table, path: str, limits: Limits) -> None:
    game = table.open()["id"]
    body = b'{"tags": [' + b'"x",' * limits.body + b'"x"]}'
    document = problem(table.client.post(path.format(game), data=body, content_type="application/json"), 413, TOO_LARGE)

    assert document["limit"] == limits.body
    assert str(limits.body) in document["detail"]


@pytest.mark.parametrize("name", ["imports", "events", "plays", "readings"])
def test_a_body_is_measured_by_its_route_and_not_by_a_name_in_its_address(table: Table, name: str) -> None:
    body = b'{"name": "' + b"x" * SMALL.body + b'"}'
    document = problem(
        table.client.put(f"/v1/aliases/{name}", data=body, content_type="application/json"), 413, TOO_LARGE
    )
    assert document["limit"] == SMALL.body


TOO_LARGE = "content-too-large"


def test_an_append_that_is_longer_than_one_may_be(table: Table) -> None:
    table.open()
    body = b'[{"type": "' + b"x" * LONGEST_APPEND + b'"}]'
    answer = table.client.post(table.game + "/events", data=body, content_type="application/json")

    assert problem(answer, 413, TOO_LARGE)["limit"] == LONGEST_APPEND


def test_a_thousand_honest_events_fit(table: Table) -> None:
    table.open()
    body = [{"type": "annotate", "params": {"text": "x" * 900}}] * 1000

    assert len(json.dumps(body)) > LONGEST_EVENT
    assert table.post(body).status_code == 201


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"tags": ["club"] * 21}, "/tags"),
        ({"tags": [1] * 5000}, "/tags"),
        ({"seats": [{}] * 9}, "/seats"),
        ({"seats": [{"name": 1}] * 3000}, "/seats"),
        ({"options": dict.fromkeys(map(str, range(5000)), 1)}, "/options"),
        ({"position": dict.fromkeys(map(str, range(5000)), 1)}, "/position"),
        (dict.fromkeys(map(str, range(MOST_MEMBERS)), 1), ""),
    ],
)
def test_a_list_or_an_object_that_is_too_long_is_one_error(table: Table, more: dict[str, Any], pointer: str) -> None:
    document = problem(table.client.post("/v1/games", json=OPENING | more), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == [pointer]


@pytest.mark.parametrize("tags", [["club"] * 21, [{}] * 3000])
def test_a_fork_s_tags_are_counted_first(table: Table, tags: list[Any]) -> None:
    table.open()
    document = problem(table.client.post(table.game + "/forks", json={"at": 2, "tags": tags}), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == ["/tags"]


def test_so_many_errors_are_told_and_no_more(table: Table) -> None:
    seats = [{f"unknown{number}": 1 for number in range(100)}] * 3
    document = problem(table.client.post("/v1/games", json=OPENING | {"seats": seats}), 422, "invalid")

    assert len(document["errors"]) == MOST_ERRORS


@pytest.mark.parametrize(
    ("draft", "pointer"),
    [
        ({"type": "set_up", "outcomes": [None] * (MOST_OUTCOMES + 1)}, "/outcomes"),
        (
            {"type": "amend", "params": {"seq": 2, "event": {"type": "x", "outcomes": [1] * 2000}}},
            "/params/event/outcomes",
        ),
        ({"type": "set_up", "params": {"position": {"x": [0] * LONGEST_EVENT}}}, ""),
        ({"type": "x", "actor": "p" * LONGEST_EVENT}, ""),
    ],
)
def test_an_event_that_is_too_long(table: Table, draft: dict[str, Any], pointer: str) -> None:
    table.open("observed")
    assert problem(table.post(draft), 422, "invalid")["errors"][0]["pointer"] == pointer
    within = problem(table.post([{"type": "set_up"}, draft]), 422, "invalid")
    assert within["errors"][0]["pointer"] == f"/1{pointer}"


@pytest.mark.parametrize("path", ["", "/events", "/actions", "/stream", "/forks"])
def test_a_query_that_is_longer_than_any_has_to_be(table: Table, path: str) -> None:
    table.open()
    for query in ("q=" + "x" * LONGEST_QUERY, "&".join(f"a{number}=1" for number in range(1000))):
        problem(table.client.get(f"{table.game}{path}?{query}"), 400, "malformed")
