"""The Python client, installed from its wheel: typed, and independent of other packages here."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from generator import modules
from tests.cli.service import Service
from tests.clients.test_clients import CONTRACT, HERE, ROOT, run_command

pytestmark = pytest.mark.long

PACKAGE = ROOT / "clients" / "python"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and the client, from the wheel of a fresh checkout."""
    checkout, wheels = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("wheels")
    source = checkout / "clients" / "python"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    for path in modules.module_texts():
        (source / path.relative_to(PACKAGE)).unlink()
    shutil.copy(CONTRACT, checkout)
    offline = ("--no-deps", "--no-index")
    run_command(*PIP, "wheel", "--no-build-isolation", *offline, "--wheel-dir", wheels, source, folder=wheels)
    folder = tmp_path_factory.mktemp("installed")
    (wheel,) = wheels.glob("driftlog_client-*.whl")
    run_command(*PIP, "install", *offline, "--target", folder, wheel, folder=wheels)
    shutil.copy(HERE / "play.py", folder)
    return folder


def test_it_records_corrects_watches_and_exports_a_game(installed: Path, service: Service) -> None:
    told = json.loads(run_command(sys.executable, "play.py", service.url, folder=installed, PYTHONPATH=""))

    called = told["called"]
    game = service.ask("GET", f"/v1/games/{called['id']}")[1]
    assert game["status"] == "finished"
    assert called["rule"] == "3. Draw Flood Cards"
    assert called["heard"] == [*range(1, game["version"] + 1)]
    assert called["superseded"] == [[[3, 3]]]
    assert (called["log"], called["verdict"]) == (game["version"], "clean")
    assert told["awaited"]["heard"] == [1, 2, 3, 4, 5, 6]
    assert told["awaited"]["log"] == 6


def test_its_page_shows_what_happens(installed: Path, service: Service) -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    program = installed / "shown.py"
    program.write_text(shown.replace("http://127.0.0.1:8000", service.url), "utf-8")

    said = run_command(sys.executable, program, folder=installed, PYTHONPATH="").splitlines()

    assert said[0] == "3. Draw Flood Cards You cannot draw a Flood card now."
    assert [line.partition(" ")[0] for line in said[1:]] == ["1", "2", "3", "4"]
    assert len((installed / "game.ndjson").read_text("utf-8").splitlines()) == 4


def test_it_says_that_it_is_typed(installed: Path) -> None:
    assert (installed / "driftlog_client" / "py.typed").is_file()
