"""A client that records a game at a table."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from exports import FORMATS, Log, read_any
from tests.recording import chained, forged

TREASURES = {"crystal_of_fire", "earth_stone", "oceans_chalice", "statue_of_the_wind"}
_DEALS: dict[str, list[Any]] = {}
"""The results of a game's setup, by the ruleset and parameters of its opening."""


class Table:
    """Sends requests to the service like a client; `game` is the path of the current game."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.game = ""
        self._opened = ""

    def open(self, chance: str = "seeded", players: int = 2, headers: dict[str, str] | None = None, **body: Any) -> Any:
        """Open a game. A seeded game always has the same draws, unless the seed is given as None."""
        if chance == "seeded":
            body = {name: value for name, value in {"seed": "calm", **body}.items() if value is not None}
        body = {
            "ruleset": "forbidden-island",
            "seats": [{"name": name} for name in ("Ann", "Bob", "Cyd", "Dee")[:players]],
            "chance": chance,
            **body,
        }
        self._opened = json.dumps(body)
        answer = self.client.post("/v1/games", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        self.game = answer.headers["Location"]
        return answer.json

    def get(self, path: str = "", **query: Any) -> TestResponse:
        return self.client.get(self.game + path, query_string=query)

    def post(self, body: Any, headers: dict[str, str] | None = None, **query: Any) -> TestResponse:
        return self.client.post(self.game + "/events", json=body, headers=headers, query_string=query)

    def actions(self, **query: Any) -> list[dict[str, Any]]:
        return self.get("/actions", **query).json["actions"]

    def body(self, type_: str, **query: Any) -> dict[str, Any]:
        """Return the first legal action of a type, as a request body."""
        return next(body_of(action) for action in self.actions(**query) if action["type"] == type_)

    def act(self, type_: str, outcome: str | None = None) -> Any:
        body = self.body(type_)
        if outcome is not None:
            body["outcomes"] = [outcome]
        answer = self.post(body)
        assert answer.status_code == 201, answer.text
        return answer.json

    def set_up(self) -> Any:
        """Set up an observed game with results that the service offers, the same for each game with this opening."""
        outcomes = _DEALS.setdefault(self._opened, []) if self._opened else []
        while True:
            body = {"type": "set_up", "outcomes": outcomes}
            answer = self.post(body)
            if answer.status_code == 201:
                return answer.json
            assert answer.status_code == 422, answer.text
            assert answer.json["type"] == "/problems/outcome-required"
            assert answer.json["chance"]["position"] == len(outcomes)
            outcomes.append(answer.json["chance"]["outcomes"][0]["value"])

    def play_out(self) -> Any:
        """Draw cards until the game ends; in an observed game, report the first possible result each time."""
        while True:
            actions = self.actions()
            if not actions:
                return self.get().json
            order = ("draw_flood_card", "draw_treasure_card", "draw_artifact_card", "discard", "swim", "drown")
            action = min(actions, key=lambda one: order.index(one["type"]) if one["type"] in order else 99)
            body = body_of(action)
            answer = self.post(body)
            if answer.status_code == 422 and answer.json["type"] == "/problems/outcome-required":
                body["outcomes"] = [answer.json["chance"]["outcomes"][0]["value"]]
                answer = self.post(body)
            assert answer.status_code == 201, answer.text

    def log(self) -> list[dict[str, Any]]:
        return self.get("/events", limit=1000).json["events"]


def body_of(action: dict[str, Any]) -> dict[str, Any]:
    """Return a legal action as a request body."""
    return {name: action[name] for name in ("type", "actor", "params")}


def of_another_service(data: bytes) -> bytes:
    """Return an NDJSON export as if another service had made it, so that an import opens a new game."""
    events = chained([forged(event, recorded_by="Zoe") for event in read_any(data)])
    return b"".join(FORMATS["ndjson"].write(Log(game_id="elsewhere", events=events)))


def problem(answer: TestResponse, status: int, slug: str) -> dict[str, Any]:
    """Return the problem document of a response, after checking its status and slug."""
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), answer.text
    document = answer.json
    assert document["type"] == f"/problems/{slug}", document
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    return document
