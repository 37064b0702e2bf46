"""Make the data folder of a landing: `python -m tests.landings.record <checkout> <folder>`.

It runs the service of that checkout with this Python, and records all kinds of data that a service stores. The folder
gets `data.tar.xz` (the data folder, with its archive and a backup) and `landing.json`: the requests with an
Idempotency-Key, their responses, and digests of the logs as that code exported them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

RULESETS = (
    "forbidden-island",
    "forbidden-island-archaens",
    "forbidden-desert",
    "forever-island",
    "forgotten-waters",
)
FORMATS = ("ndjson", "json", "cloudevents")
LINES = 30
"""Number of lines recorded of each scoresheet in `examples/`."""
KEPT = "appendonlydir"
"""The files of a server's folder that are stored; others contain paths of the machine."""
ENOUGH = 12
"""Number of actions in a seeded game."""
PLAYS = {
    "games": [{"id": 1, "name": "Forbidden Island", "bggId": 65244}],
    "players": [{"id": 1, "name": "Annie"}],
    "locations": [],
    "plays": [
        {
            "uuid": "0B9F3A4F-6B1D-4D0D-8C8A-6E2F7B1C1F0B",
            "gameRefId": 1,
            "playDate": "2024-02-29 19:04:11",
            "playerScores": [{"playerRefId": 1, "winner": True}],
        }
    ],
}
"""A file of BG Stats."""


def without_proof(document: bytes) -> bytes:
    """Return an export without its signed head, because each export has a new signature."""
    return re.sub(rb',"proof":\{.*\}(?=\}\n$)', b"", document)


def digest(document: bytes) -> str:
    """Return the SHA-256 of an export, in hex."""
    return hashlib.sha256(without_proof(document)).hexdigest()


class Landing:
    """A running service of a checkout, and the requests that it got."""

    def __init__(self, checkout: Path, data: Path) -> None:
        self.data = data
        has_cli = (checkout / "cli").is_dir()
        main = "cli.main" if has_cli else "api.cli"
        self._command = [sys.executable, "-c", f"from {main} import main; main()"]
        self._checkout = checkout
        plain = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTLOG_")}
        self._environment = {**plain, "PYTHONPATH": str(checkout)}
        if has_cli:
            self._environment["DRIFTLOG_WEBHOOK_NETWORKS"] = "127.0.0.0/8"
        self.requests: list[dict[str, Any]] = []
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def start(self) -> None:
        command = [*self._command, "serve", "--port", "0", "--data", str(self.data)]
        self._process = subprocess.Popen(
            command, cwd=self._checkout, env=self._environment, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdout is not None
        found = re.search(r"https?://[^\s\x1b]+", self._process.stdout.readline().decode())
        assert found is not None
        self.url = found[0]

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()

    def run(self, *arguments: str) -> None:
        subprocess.run([*self._command, *arguments], cwd=self._checkout, env=self._environment, check=True)

    def ask(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, content_type: str | None = None
    ) -> Any:
        """Return the response to a request; with a `key`, note the request so that later code can repeat it."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": content_type or "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        request = Request(self.url + path, data, headers, method=method)
        try:
            with urlopen(request) as response:
                status, text, location = response.status, response.read(), response.headers["Location"]
        except HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from None
        if path.partition("?")[0].endswith("/export"):
            return text
        answer = json.loads(text) if text else None
        if key is not None:
            sent = None if data is None else data.decode()
            told = {"method": method, "path": path, "key": key, "type": headers["Content-Type"], "body": sent}
            seqs = [event["seq"] for event in answer["events"]] if path.endswith("/events") else None
            self.requests.append({**told, "status": status, "location": location, "seqs": seqs})
        return answer

    def has(self, path: str) -> bool:
        return f"  {path}:" in (self._checkout / "openapi.yaml").read_text()

    def wait(self, job: str) -> None:
        while self.ask("GET", f"/v1/jobs/{job}")["status"] not in {"done", "failed"}:
            time.sleep(0.05)


def record_seeded(landing: Landing, ruleset: str, mode: str) -> str:
    """Record a seeded game."""
    name = f"{ruleset}-{mode}"
    seats = [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cleo"}]
    body = {"ruleset": ruleset, "seats": seats, "chance": "seeded", "seed": "tide", "mode": mode, "tags": ["landing"]}
    game: str = landing.ask("POST", "/v1/games", body, key=f"open-{name}")["id"]
    here = f"/v1/games/{game}/events"
    for number in range(ENOUGH):
        actions = landing.ask("GET", f"/v1/games/{game}/actions")["actions"]
        if not actions:
            break
        action = {name: actions[0][name] for name in ("type", "actor", "params") if name in actions[0]}
        landing.ask("POST", here, action, key=f"act-{name}-{number}" if number < 2 else None)
    notes = [{"type": "annotate", "params": {"text": text}} for text in ("Tea.", "Cake.")]
    landing.ask("POST", here, notes, key=f"notes-{name}")
    version = landing.ask("GET", f"/v1/games/{game}")["version"]
    landing.ask("POST", here, {"type": "undo", "params": {"to": version - 3}}, key=f"undo-{name}")
    return game


def record_out_of_turn(landing: Landing, ruleset: str, mode: str) -> str:
    """Record a seeded game in which other players also take actions of the player whose turn it is."""
    seats = [{"name": name} for name in ("Ann", "Bob", "Cleo")]
    body = {"ruleset": ruleset, "seats": seats, "chance": "seeded", "seed": "reef1", "mode": mode}
    game: str = landing.ask("POST", "/v1/games", body)["id"]
    for _ in range(3 * ENOUGH):
        actions = landing.ask("GET", f"/v1/games/{game}/actions")["actions"]
        if not actions:
            break
        action = {name: actions[-1][name] for name in ("type", "actor", "params") if name in actions[-1]}
        others = [actor for actor in ("p1", "p2", "p3") if actor != action.get("actor")]
        for actor in (others[0], action.get("actor")):
            # An action out of turn can have no clear effect, or end the step of the other player.
            with suppress(SystemExit):
                landing.ask("POST", f"/v1/games/{game}/events?if_illegal=accept", {**action, "actor": actor})
    return game


def record_sheet(landing: Landing, sheet: Path, mode: str) -> str:
    """Record a game from a scoresheet, up to `LINES` lines."""
    first, *rest = [json.loads(line) for line in sheet.read_text().splitlines() if line.strip()]
    game: str = landing.ask("POST", "/v1/games", {**first, "mode": mode}, key=f"table-{sheet.stem}")["id"]
    events = [event for line in rest[:LINES] for event in (line if isinstance(line, list) else [line])]
    landing.ask("POST", f"/v1/games/{game}/events", events, key=f"rest-{sheet.stem}")
    return game


def beside(landing: Landing, games: list[str]) -> None:
    """Record data that is stored beside the logs, as far as the landing supports it."""
    landing.ask("POST", f"/v1/games/{games[0]}/shares")
    if landing.has("/v1/aliases"):
        landing.ask("PUT", "/v1/aliases/Annie", {"is": "Ann"})
    if landing.has("/v1/webhooks"):
        landing.ask("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/", "events": ["*"], "game": games[0]})
    if landing.has("/v1/plays"):
        landing.ask("POST", "/v1/plays", PLAYS, content_type="application/vnd.bgstats.play+json")


def record(checkout: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="landing-") as made:
        landing = Landing(checkout, Path(made) / "data")
        landing.start()
        try:
            games = [record_seeded(landing, ruleset, "strict") for ruleset in RULESETS]
            games.append(record_seeded(landing, RULESETS[0], "as_played"))
            if "if_illegal" in (checkout / "openapi.yaml").read_text():
                modes = ("strict", "as_played")
                games += [record_out_of_turn(landing, ruleset, mode) for ruleset in RULESETS for mode in modes]
            sheets = sorted((checkout / "examples").glob("*.ndjson"))
            games += [
                record_sheet(landing, sheet, "as_played" if "desert" in sheet.stem else "strict") for sheet in sheets
            ]
            fork = landing.ask("POST", f"/v1/games/{games[0]}/forks", {"at": 6, "seed": "ebb"}, key="fork")
            log = landing.ask("GET", f"/v1/games/{games[1]}/export?format=ndjson")
            copy = landing.ask("POST", "/v1/imports", log, key="import", content_type="application/x-ndjson")
            games += [fork["id"], copy["id"]]
            abandon = {"type": "abandon", "params": {"reason": "The bus."}}
            landing.ask("POST", f"/v1/games/{games[2]}/events", abandon, key="abandon")
            landing.wait(landing.ask("POST", "/v1/exports", {"format": "ndjson"}, key="export")["id"])
            beside(landing, games)
            verdicts = {}
            for game in games:
                audit = landing.ask("POST", f"/v1/games/{game}/audits")["id"]
                landing.wait(audit)
                verdicts[game] = landing.ask("GET", f"/v1/games/{game}/audits/{audit}")["verdict"]
            archived = []
            if (checkout / "cli").is_dir():
                landing.run("archive", "--data", str(landing.data), games[2])
                landing.run("backup", "--data", str(landing.data), str(landing.data / "landing.backup"))
                archived = [games[2]]
            exports = {
                game: {
                    name: digest(landing.ask("GET", f"/v1/games/{game}/export?format={name}"))
                    for name in FORMATS
                    if name in (checkout / "openapi.yaml").read_text()
                }
                for game in games
            }
            heads = {game: landing.ask("GET", f"/v1/games/{game}")["head"] for game in games}
            if (checkout / "cli").is_dir():
                landing.run("tokens", "create", "--data", str(landing.data), "--role", "viewer", "--note", "Ann")
        finally:
            landing.stop()
        folder.mkdir(parents=True, exist_ok=True)
        told = {
            "exports": exports,
            "heads": heads,
            "verdicts": verdicts,
            "archived": archived,
            "requests": landing.requests,
        }
        (folder / "landing.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        with tarfile.open(folder / "data.tar.xz", "w:xz", preset=9) as archive:
            for path in sorted(landing.data.rglob("*")):
                if path.is_file() and (path.parent.name == KEPT or "archive" in path.parts or path.suffix == ".backup"):
                    archive.add(path, path.relative_to(landing.data), recursive=False)


if __name__ == "__main__":
    record(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
