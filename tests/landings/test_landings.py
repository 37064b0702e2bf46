"""Data that earlier landings wrote opens, answers repeated requests, audits, exports and goes on as before."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.service import Service
from tests.landings.record import FOLDER, ask
from tests.waiting import until

LANDINGS = sorted(path.stem for path in FOLDER.glob("*.json"))


class Landing:
    """A service on the data of an earlier landing.

    Args:
        kept: the requests that were sent to the landing, and the digests of its exports.
    """

    def __init__(self, url: str, kept: dict[str, Any]) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = kept["requests"]
        self.exports: dict[str, str] = kept["exports"]

    @property
    def games(self) -> list[str]:
        """The ids of all its games."""
        return sorted(self.exports)

    def get(self, path: str) -> Any:
        """Return a document."""
        status, _, body = ask(self.url, "GET", path)
        assert status == 200, (path, status, body)
        return json.loads(body)


@pytest.fixture(scope="module", params=LANDINGS)
def landing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Landing]:
    data: Path = tmp_path_factory.mktemp(request.param)
    with tarfile.open(FOLDER / f"{request.param}.tar.gz") as log:
        log.extractall(data / "events", filter="data")
    service = Service(data)
    yield Landing(service.ready(), json.loads((FOLDER / f"{request.param}.json").read_text()))
    service.stop()


def test_exports_are_the_same_to_the_byte(landing: Landing) -> None:
    for game, digest in landing.exports.items():
        status, _, body = ask(landing.url, "GET", f"/v1/games/{game}/export?format=ndjson")
        assert (status, hashlib.sha256(body).hexdigest()) == (200, digest), game


def test_every_request_is_done_once(landing: Landing) -> None:
    for one in landing.requests:
        status, headers, body = ask(landing.url, "POST", one["path"], one["body"], **one["headers"])
        assert status == one["status"], (one["path"], one["headers"], body)
        made = json.loads(body)
        assert {name: made[name] for name in one["made"]} == one["made"]
        assert one["path"] == "/v1/exports" or headers["Idempotent-Replayed"] == "true"
    assert {game["id"] for game in landing.get("/v1/games?limit=100")["games"]} == set(landing.games)


def test_a_key_is_still_bound_to_its_body(landing: Landing) -> None:
    for one in landing.requests:
        if one["path"] != "/v1/imports":
            body = json.dumps({**json.loads(one["body"]), "tags": ["another"], "note": "another", "tag": "another"})
            status, _, _ = ask(landing.url, "POST", one["path"], body, **one["headers"])
            assert status == 422, one["path"]


def test_every_game_is_audited_clean(landing: Landing) -> None:
    for game in landing.games:
        if landing.get(f"/v1/games/{game}")["status"] != "setup":
            status, headers, _ = ask(landing.url, "POST", f"/v1/games/{game}/audits")
            assert status == 202
            location = headers["Location"]
            until(lambda at=location: landing.get(at)["status"] == "done")  # type: ignore[misc]
            report = landing.get(location)
            assert report["verdict"] == "clean", report["findings"]


def test_every_game_goes_on(landing: Landing) -> None:
    for game in landing.games:
        for action in landing.get(f"/v1/games/{game}/actions")["actions"][:1]:
            body = {name: action[name] for name in ("type", "actor", "params")}
            if action["type"] != "set_up":
                status, _, answer = ask(
                    landing.url,
                    "POST",
                    f"/v1/games/{game}/events",
                    json.dumps(body),
                    **{"Content-Type": "application/json"},
                )
                assert status == 201, answer
