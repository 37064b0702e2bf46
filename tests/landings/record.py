"""Record what a landing leaves behind: `python -m tests.landings.record URL NAME` asks its service.

It asks a fresh service for a little of everything and keeps each request with its answer. Stop the service afterwards,
and keep its log: `tar -C DATA/events -czf tests/landings/NAME.tar.gz appendonlydir`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

FOLDER = Path(__file__).parent
SEATS = {"forgotten-waters": 3}
JSON, NDJSON = "application/json", "application/x-ndjson"
RULESETS = ("forbidden-island", "forbidden-island-archaens", "forbidden-desert", "forever-island", "forgotten-waters")


def ask(url: str, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, Any, bytes]:
    """Send a request, and return the status, headers and body of its answer."""
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url + path, method=method, data=None if body is None else body.encode(), headers=told)
    try:
        with urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


class Recorder:
    """Asks a service, and remembers what it asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = []

    def post(self, path: str, body: Any, media_type: str = JSON) -> Any:
        """Send a request under a key of its own."""
        text = body if isinstance(body, str) else json.dumps(body)
        headers = {"Content-Type": media_type, "Idempotency-Key": f"key-{len(self.requests)}"}
        status, _, answer = ask(self.url, "POST", path, text, **headers)
        assert status < 300, (path, status, answer)
        document = json.loads(answer)
        made = {"id": document["id"]} if "id" in document else {"version": document["version"]}
        self.requests.append({"path": path, "headers": headers, "body": text, "status": status, "made": made})
        return document

    def export(self, game: str, name: str) -> str:
        """Return a game's log in a format."""
        return ask(self.url, "GET", f"/v1/games/{game}/export?format={name}")[2].decode()

    def play(self, game: str, count: int) -> None:
        """Append the first legal action, `count` times."""
        for _ in range(count):
            actions = json.loads(ask(self.url, "GET", f"/v1/games/{game}/actions")[2])["actions"]
            if actions:
                self.post(f"/v1/games/{game}/events", {name: actions[0][name] for name in ("type", "actor", "params")})


def record(url: str) -> dict[str, Any]:
    """Return every request with what it made, and the digests of all games' exports."""
    recorder = Recorder(url)
    for ruleset in RULESETS:
        seats = [{"name": f"Player {number}"} for number in range(1, SEATS.get(ruleset, 2) + 1)]
        for mode in ("strict", "as_played"):
            opening = {"ruleset": ruleset, "seats": seats, "chance": "seeded", "seed": "tides", "mode": mode}
            game = recorder.post("/v1/games", {**opening, "tags": [mode]})["id"]
            recorder.play(game, 5)
            recorder.post(f"/v1/games/{game}/events", {"type": "undo", "params": {"to": 3}})
        recorder.post(f"/v1/games/{game}/forks", {"at": 3})
        recorder.post(f"/v1/games/{game}/events", {"type": "abandon", "params": {"reason": "The last bus leaves."}})
    observed = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
    recorder.post("/v1/games", observed)
    recorder.post("/v1/imports", recorder.export(game, "ndjson"), NDJSON)
    recorder.post("/v1/exports", {"format": "ndjson", "ruleset": "forbidden-island"})
    games = [one["made"]["id"] for one in recorder.requests if one["path"] != "/v1/exports" and "id" in one["made"]]
    exports = {
        # Unlike JSON, it holds no signature, which has a time in it.
        game: hashlib.sha256(recorder.export(game, "ndjson").encode()).hexdigest()
        for game in games
    }
    return {"requests": recorder.requests, "exports": exports}


if __name__ == "__main__":
    found = record(sys.argv[1])
    (FOLDER / f"{sys.argv[2]}.json").write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n")
