"""Packages of rulesets: the service always starts, plays the sound ones, and names the others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.cli.service import ROOT, Service, environment, environment_without_coverage
from tests.packages import install
from tests.waiting import PATIENCE, until

PACKAGES = {
    "breaking": "raise RuntimeError('it was a bad day')",
    "claiming": """
from tests.engine.toy import Dice
class Claiming(Dice):
    id, name, version = "forbidden-island", "Forbidden Island", "99"
RULESETS = (Claiming(),)
""",
    "clashing": """
from engine.kit.columns import Column
from tests.engine.toy import Dice
class Clashing(Dice):
    id = "clashing"
    columns = (Column("water_level", str, lambda state: "", "A claim."),)
RULESETS = (Clashing(),)
""",
    "holding": """
from tests.engine.toy import Dice, DiceState
class State(DiceState, frozen=True, kw_only=True):
    by_name: dict[str, int]
class Holding(Dice):
    id, state = "holding", State
RULESETS = Holding()
""",
    "pig": (ROOT / "examples" / "pig" / "pig.py").read_text(encoding="utf-8").replace("PIG = ", "RULESETS = "),
}
REASONS = {
    "breaking": "RuntimeError: it was a bad day",
    "claiming": "another package already declares 'forbidden-island'",
    "clashing": "the column 'water_level' is str in clashing.Clashing, but int in "
    "engine.games.forbidden_island.ruleset.ForbiddenIsland",
    "holding": "holding.Holding: its state is not hashable: State.by_name is a dict",
}


OPENING = {"ruleset": "pig", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("packages"), PACKAGES)


@pytest.fixture(scope="module")
def service(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"), PYTHONPATH=str(installed))
    service.ready()
    yield service
    assert service.stop() == 0


def test_the_service_starts_and_names_those_that_it_leaves_out(service: Service) -> None:
    # A service answers before its workers run.
    until(lambda: service.ask("GET", "/readyz")[0] == 200)
    readiness = service.ask("GET", "/readyz")[1]
    assert {one["package"]: one["reason"] for one in readiness["not_loaded"]} == REASONS
    _, found = service.ask("GET", "/v1/rulesets")
    assert [one["id"] for one in found["rulesets"]][6:] == ["pig"]
    _, game = service.ask("POST", "/v1/games", OPENING | {"ruleset": "forbidden-island"})
    assert game["ruleset_version"] == "1"


def test_a_sound_package_is_recorded_corrected_audited_and_exported(service: Service) -> None:
    status, game = service.ask("POST", "/v1/games", OPENING | {"options": {"goal": 10}})
    assert status == 201
    path = f"/v1/games/{game['id']}"
    for event in ({"type": "roll", "actor": "p1"}, {"type": "undo", "params": {"to": 2}}):
        assert service.ask("POST", f"{path}/events", event)[0] == 201
    while (game := service.ask("GET", path)[1])["status"] == "running":
        actions = service.ask("GET", f"{path}/actions")[1]["actions"]
        assert service.ask("POST", f"{path}/events", {name: actions[-1][name] for name in ("type", "actor")})[0] == 201
    status, _ = service.ask("POST", f"{path}/audits", {})
    assert status in {200, 202}
    for one in service.ask("GET", "/v1/export-formats")[1]["formats"]:
        assert status_of(service, f"{path}/export?format={one['format']}") in {200, 202, 422}, one["format"]
    here = f"/games/{game['id']}"
    pages = [f"{here}{page}" for page in ("", "/record", "/watch", "/audit", "/print", "/end", "/overlay", "/deal")]
    for page in [*pages, "/", "/start", "/start/pig", "/rulesets", "/rulesets/pig", "/players", "/players/Ann"]:
        assert status_of(service, page) == 200, page


def status_of(service: Service, path: str) -> int:
    try:
        with urlopen(service.url + path, timeout=PATIENCE) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


@pytest.mark.parametrize("command", [["rulesets"], ["rulesets", "--json"], ["doctor"]])
def test_commands_name_them(service: Service, installed: Path, command: list[str]) -> None:
    where = ["--data", str(service.data)] if command == ["doctor"] else []
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *command, *where],
        cwd=ROOT,
        env=environment_without_coverage(environment(PYTHONPATH=str(installed), COLUMNS="500")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for package, reason in REASONS.items():
        if "--json" in command:
            assert {"package": package, "reason": reason} in json.loads(done.stdout)["not_loaded"]
        else:
            assert f"the rulesets of {package} are not loaded: {reason}" in done.stdout + done.stderr
