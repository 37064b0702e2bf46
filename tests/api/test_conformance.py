"""Every operation of the contract: idempotency keys of writes, pages of lists, responses with a job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests import openapi
from tests.api.declared import resolve_reference
from tests.api.table import Table, problem
from tests.api.tokens import id_of

Operation = dict[str, Any]
DOCUMENTS = {"listActions", "listFacts", "listKeys"}
"""Lists without pages: the state at one moment of a game, and a JWK set (RFC 7517)."""


def operations(method: str) -> Iterator[Operation]:
    for item in openapi.contract()["paths"].values():
        if method in item:
            yield {**item[method], "parameters": [*item.get("parameters", []), *item[method].get("parameters", [])]}


def parameters(operation: Operation) -> set[str]:
    return {resolve_reference(one)["name"] for one in operation["parameters"]}


def body(response: dict[str, Any]) -> dict[str, Any]:
    return resolve_reference(response.get("content", {}).get("application/json", {}).get("schema", {}))


def arrays(operation: Operation) -> list[str]:
    """Return the names of the arrays of objects in a response. A list has one."""
    members = body(operation["responses"].get("200", {})).get("properties", {})
    several = {
        name: resolve_reference(member.get("items", {}))
        for name, member in members.items()
        if member.get("type") == "array"
    }
    return [name for name, item in several.items() if "properties" in item]


def is_list(operation: Operation, path: str) -> bool:
    last = path.rpartition("/")[2].replace("-", "_")
    return any(name in {last, last.removeprefix("export_"), "games"} for name in arrays(operation))


def lists() -> dict[str, str]:
    """Return the name of the array in each list, by the address of the list."""
    found = {}
    for path, item in openapi.contract()["paths"].items():
        if "get" in item and is_list(item["get"], path) and item["get"]["operationId"] not in DOCUMENTS:
            found[path] = next(
                name for name in arrays(item["get"]) if name in path.replace("-", "_") or path.endswith("/forks")
            )
    return found


def test_every_post_takes_an_idempotency_key() -> None:
    for operation in operations("post"):
        assert "Idempotency-Key" in parameters(operation), operation["operationId"]
        assert "idempotency-key-reused" in operation["x-problems"], operation["operationId"]
        for status, response in operation["responses"].items():
            assert status[0] != "2" or "Idempotent-Replayed" in response["headers"], operation["operationId"]


def test_every_list_is_paged_alike() -> None:
    assert len(lists()) == 17
    for path in lists():
        operation = openapi.contract()["paths"][path]["get"]
        assert {"limit", "cursor"} <= parameters({"parameters": [], **operation}), path
        response = operation["responses"]["200"]
        assert "Link" in response["headers"], path
        assert "next_cursor" in body(response)["required"], path


def test_every_job_is_told_alike() -> None:
    jobs = [
        (operation["operationId"], operation["responses"]["202"])
        for method in ("get", "post")
        for operation in operations(method)
        if "202" in operation["responses"]
    ]
    job = openapi.contract()["components"]["schemas"]["Job"]
    assert len(jobs) >= 8
    for name, response in jobs:
        assert "Location" in response["headers"], name
        assert set(job["required"]) <= set(body(response)["required"]), name


def follow_pages(table: Table, path: str, array: str, size: int) -> tuple[list[Any], int]:
    """Return all items of a list by following `Link`, and the number of pages."""
    found, pages, link = [], 0, f"{path}?limit={size}"
    while link:
        answer = table.client.get(link)
        assert answer.status_code == 200, (link, answer.text)
        assert len(answer.json[array]) <= size
        found += answer.json[array]
        pages += 1
        target, _, relation = answer.headers.get("Link", "").partition(">; ")
        assert (relation == 'rel="next"') == (answer.json["next_cursor"] is not None), link
        link = target.removeprefix("<")
    return found, pages


@pytest.fixture
def library(table: Table) -> Table:
    """Create three of each listed thing."""
    table.open()
    client, game = table.client, id_of(table.game)
    for name in ("Ann", "Bo", "Cyd"):
        assert client.put(f"/v1/aliases/{name}x", json={"is": name}).status_code == 200
        assert client.put(f"/v1/hidden-names/{name}y").status_code == 200
        client.post("/v1/tokens", json={"role": "viewer"})
        client.post("/v1/webhooks", json={"url": "https://93.184.215.14/hook", "events": ["*"]})
        client.post(f"{table.game}/forks", json={"at": 2})
        client.post(f"{table.game}/shares")
        table.post({"type": "annotate", "params": {"text": name}})
    hook = client.get("/v1/webhooks").json["webhooks"][-1]["id"]
    for seq in (1, 2, 3):
        client.post(f"/v1/webhooks/{hook}/deliveries/{game}-{seq}/retry")
    return table


def test_every_list_is_whole_page_by_page(library: Table) -> None:
    hook = library.client.get("/v1/webhooks").json["webhooks"][0]["id"]
    several = 0
    for path, array in lists().items():
        address = path.replace("{game_id}", id_of(library.game)).replace("{webhook_id}", hook)
        whole = library.client.get(address).json[array]
        found, pages = follow_pages(library, address, array, 2)
        if path != "/v1/access-log":
            # Each read by an admin adds an entry to the access log.
            assert found == whole, path
        several += pages > 1
        for cursor in ("nonsense", "!", "", "bnVsbA", "LTE", "WzFd"):
            refused: TestResponse = library.client.get(address, query_string={"cursor": cursor})
            assert refused.status_code in {200, 400}, (path, cursor)
            if refused.status_code == 400:
                problem(refused, 400, "malformed")
    assert several >= 12


def test_a_page_begins_after_what_the_one_before_ended_with(library: Table) -> None:
    first = library.client.get("/v1/aliases?limit=1").json
    library.client.delete(f"/v1/aliases/{first['aliases'][0]['name']}")
    second = library.client.get("/v1/aliases", query_string={"limit": 1, "cursor": first["next_cursor"]}).json
    assert second["aliases"][0]["name"] == "Box"


def test_events_are_paged_by_cursor_and_by_seq(library: Table) -> None:
    first = library.get("/events", limit=2)
    assert [
        event["seq"] for event in library.get("/events", limit=2, cursor=first.json["next_cursor"]).json["events"]
    ] == [3, 4]
    assert [event["seq"] for event in library.get("/events", limit=2, after=3).json["events"]] == [4, 5]
