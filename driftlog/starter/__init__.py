"""The template of `driftlog new-ruleset`: the package of a small complete game, with a name of the author's choice."""

from __future__ import annotations

import keyword
import re
from importlib.util import find_spec
from pathlib import Path

GAME = Path(__file__).with_name("game.py")
_NAMED = "collectors"
"""The name of the template game."""

PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "collectors"
version = "1"
description = "Collectors for Driftlog"
requires-python = ">=3.11"
dependencies = ["driftlog"]

[project.optional-dependencies]
test = ["driftlog[testing]"]

[project.entry-points."driftlog.rulesets"]
collectors = "collectors:RULESET"

[tool.setuptools]
py-modules = ["collectors"]

[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = ["--driftlog-ruleset", "collectors"]
"""

TESTS = '''\
"""The rules of Collectors, one by one. The laws of all rulesets run beside them: see `addopts` in pyproject.toml."""

from __future__ import annotations

import pytest

from driftlog import Game


def open_game() -> Game:
    """Open a game in which the tests choose the cards."""
    game = Game.open("collectors", seats=["Ann", "Bob"], observed=True)
    game.append("set_up")
    return game


def test_three_of_a_kind_win() -> None:
    game = open_game()
    for mine, other in (("pearl", "coral"), ("pearl", "shell")):
        game.append("draw_card", "p1", outcomes=[mine])
        game.append("draw_card", "p2", outcomes=[other])
    game.append("draw_card", "p1", outcomes=["pearl"])

    assert game.outcome is not None
    assert game.outcome.winners == ("p1",)


def test_a_fifth_card_is_too_many() -> None:
    game = open_game()
    for mine, other in (("pearl", "coral"), ("coral", "shell"), ("shell", "coral"), ("sea_star", "shell")):
        game.append("draw_card", "p1", outcomes=[mine])
        game.append("draw_card", "p2", outcomes=[other])
    game.append("draw_card", "p1", outcomes=["pearl"])

    assert [one.label for one in game.legal_actions()] == [
        "Discard Coral",
        "Discard Pearl",
        "Discard Sea star",
        "Discard Shell",
    ]


def test_nobody_draws_out_of_turn() -> None:
    with pytest.raises(Exception, match="another player's turn"):
        open_game().append("draw_card", "p2", outcomes=["pearl"])
'''


class BadName(ValueError):
    """A name that cannot be the name of a package."""


def files(name: str) -> dict[str, str]:
    """Return the files of a package by their paths.

    Args:
        name: the game's name, such as `sea-trade`.

    Raises:
        BadName: the name is not in kebab case, or another module has it.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise BadName(f"{name!r} is not in kebab case, such as sea-trade")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or module == "tests" or find_spec(module) is not None:
        raise BadName(f"the name {name!r} is taken: Python or an installed package uses {module!r}. Choose another one")
    texts = {
        "pyproject.toml": PYPROJECT.replace('= ["collectors"]', f'= ["{module}"]').replace(
            '"collectors:', f'"{module}:'
        ),
        f"{module}.py": GAME.read_text(encoding="utf-8"),
        f"tests/test_{module}.py": TESTS,
    }
    words = name.split("-")
    title, camel = " ".join(words).capitalize(), "".join(map(str.capitalize, words))
    return {path: _rename(text, name, title, camel) for path, text in texts.items()}


def _rename(text: str, name: str, title: str, camel: str) -> str:
    text = re.sub(r"Collectors(?=State|\(|\]|,| =)", camel, text.replace('name = "Collectors"', f'name = "{title}"'))
    return re.sub(r"\bCollectors\b", title, text).replace(_NAMED, name)


def write(name: str, folder: Path) -> list[Path]:
    """Write the package into a new folder, and return its files.

    Raises:
        BadName: as in `files`.
        FileExistsError: the folder is not empty.
        OSError: a file cannot be written.
    """
    texts = files(name)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [folder / path for path in texts]
