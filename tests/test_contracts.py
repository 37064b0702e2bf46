"""The import contracts work: lint-imports reports a forbidden import planted in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.service import environment_without_coverage

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES: list[str] = CONFIG["tool"]["importlinter"]["root_packages"]


@pytest.mark.parametrize(
    ("module", "planted", "told"),
    [
        ("engine/play/beliefs/belief.py", "engine.games.forbidden_desert", "Only the registry imports games"),
        ("engine/review/turns.py", "engine.games.forever_island", "Only the registry imports games"),
        ("engine/games/forever_island/raid.py", "engine.games.forbidden_desert", "Games do not import each other"),
        ("engine/play/beliefs/worlds.py", "engine.play.corrections.amends", "Layers of engine.play"),
        ("engine/kit/piles.py", "engine.play.rules", "The engine has layers"),
        ("service/story.py", "flask", "The service does not import HTTP code"),
        ("store/log/streams.py", "store.library.finding", "Store: its parts use the log"),
        ("store/access/tokens.py", "store.work.jobs", "Store: its parts use the log"),
        ("api/pages/start.py", "api.game.board", "API: pages and endpoints"),
    ],
)
def test_a_planted_import_is_told(module: str, planted: str, told: str, tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / module
    path.write_text(path.read_text() + f"\nimport {planted}\n")
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    answer = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment_without_coverage(dict(os.environ)),
        capture_output=True,
        text=True,
        check=False,
    )
    broken = [line for line in answer.stdout.splitlines() if "BROKEN" in line]
    assert answer.returncode == 1
    assert any(line.startswith(told) for line in broken), answer.stdout
