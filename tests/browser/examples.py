"""The scoresheets of `examples/`, recorded through the API."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.service import ROOT, Service

SCORESHEETS = sorted((ROOT / "examples").glob("*.ndjson"))


def lines(name: str) -> tuple[dict[str, Any], list[Any]]:
    """Return a scoresheet: the body of `POST /v1/games`, and the bodies of `POST …/events`."""
    opening, *events = (json.loads(line) for line in (ROOT / "examples" / f"{name}.ndjson").read_text().splitlines())
    return opening, events


def flat(bodies: list[Any]) -> list[dict[str, Any]]:
    """Return the events of all request bodies in one list."""
    return [event for body in bodies for event in (body if isinstance(body, list) else [body])]


def append(service: Service, game: str, bodies: list[Any]) -> None:
    """Append events to a game, many per request."""
    for start in range(0, len(bodies), 500):
        status, answer = service.ask("POST", f"/v1/games/{game}/events", bodies[start : start + 500])
        assert status == 201, answer
        assert "stopped" not in answer, answer


def record(service: Service, name: str, events: int | None = None) -> str:
    """Record a scoresheet, or only its opening and first events; return the id of the game."""
    opening, bodies = lines(name)
    status, game = service.ask("POST", "/v1/games", opening)
    assert status == 201, game
    append(service, game["id"], flat(bodies)[:events])
    id_: str = game["id"]
    return id_
