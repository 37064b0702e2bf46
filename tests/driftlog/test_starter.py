"""The package that `new-ruleset` writes: it passes at once, and the tutorial makes it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from driftlog import starter
from tests.quick import quick

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "new-ruleset.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_the_tutorial_shows_the_whole_game() -> None:
    game = starter.files("collectors")["collectors.py"]
    assert lines("".join(blocks("python"))) == lines(game)
    assert game.count("\n") <= 150


@pytest.mark.long
@pytest.mark.parametrize("name", quick(["collectors", "sea-trade"], "sea-trade".__eq__))
def test_the_tutorials_commands_end_with_a_package_that_passes(name: str, tmp_path: Path) -> None:
    folder, target = tmp_path, tmp_path / "installed"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(ROOT)])}
    python = [sys.executable, "-m"]
    commands = {
        "driftlog": [*python, "cli.main"],
        # Install without an index, beside the environment of the tests.
        "pip": [*python, "pip", "-q", "--disable-pip-version-check"],
        "pytest": [*python, "pytest", "-p", "driftlog.testing.plugin", "-p", "no:cacheprovider"],
    }
    for command in "".join(blocks("sh")).replace("collectors", name).splitlines():
        first, *rest = shlex.split(command)
        if first == "cd":
            folder /= rest[0]
            continue
        if first == "pip":
            rest = ["install", "--no-deps", "--no-build-isolation", "--target", str(target), "."]
        done = subprocess.run(
            [*commands[first], *rest], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert f"{name}: 60 random games" in done.stdout
    assert {path.stem for path in (folder / "tests" / "recorded").rglob("*.ndjson")} <= {"three", "empty"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Sea Trade"], "is not in kebab case"),
        (["sea-trade", "-o", "."], "is not empty"),
        *(([name], f"the name '{name}' is taken") for name in ("class", "json", "engine", "cli", "driftlog", "redis")),
    ],
)
def test_it_refuses_a_bad_name_and_a_full_folder(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "full").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "new-ruleset", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
