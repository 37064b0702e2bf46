"""`driftlog simulate` and `driftlog analyse`: the same results in every process, and clear refusals."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exports import FORMATS, Log
from tests.cli.conftest import Run
from tests.engine.players.dice import Cheat, Endless, Roller, Undecided, playing
from tests.playouts import playout
from workers import limits

SEARCH = "--player", "search"


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    """A file with a game of dice, a ruleset with a player that only this test installs."""
    path = tmp_path / "dice.json"
    with playing(Roller()):
        path.write_bytes(b"".join(FORMATS["json"].write(Log("g1", playout("dice", seed=1, options={"goal": 40})))))
    return path


def test_simulate__counts_by_players_and_role(run: Run) -> None:
    result = run("simulate", "forbidden-island", "--games", 2, "--players", 3, "--format", "csv")
    assert result.output.startswith("players,games,won,lost,other,win_rate,low,high,role\n3,2,")
    rows = list(csv.DictReader(io.StringIO(result.output)))
    assert sum(int(row["games"]) for row in rows if row["role"]) == 6
    assert "Players  Games" in run("simulate", "forbidden-island", "--games", 1, "--players", 2).output


@pytest.mark.parametrize("ruleset", ["forbidden-island-archaens", "forever-island", "forgotten-waters"])
def test_simulate__is_the_same_in_every_process(ruleset: str) -> None:
    command = [sys.executable, "-m", "cli.main", "simulate", ruleset, "--games", "2", "--seed", "7"]
    told = {
        subprocess.check_output([*command, "--format", "csv"], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    }
    assert len(told) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("forbidden-desert",), 1, "Forbidden Desert has no computer player yet."),
        (("forbidden-islands",), 2, "no ruleset 'forbidden-islands'"),
        (("forbidden-island", "--players", 5), 2, "Forbidden Island is for 2 to 4 players, not 5"),
        (("forbidden-island", "--option", "difficulty=easy"), 2, "/options/difficulty"),
        (("forbidden-island", "--option", "difficulty"), 2, "'difficulty' is not an option: use NAME=VALUE"),
    ],
)
def test_simulate__refuses(run: Run, arguments: tuple[str, ...], code: int, told: str) -> None:
    result = run("simulate", *arguments)
    assert (result.exit_code, told in result.output) == (code, True)


def test_simulate__with_a_search(run: Run) -> None:
    with playing(Undecided()):
        rows = [run("simulate", "dice", "--players", 2, "--games", 20, *more).output for more in ((), SEARCH, SEARCH)]
    assert rows[0] != rows[1] == rows[2]


def test_train__writes_the_same_weights_each_time(run: Run, tmp_path: Path) -> None:
    train = "players", "train", "dice", "--games", 6
    with playing(Undecided()):
        file, *others = (tmp_path / name for name in ("1.json", "2.json", "3.json"))
        for path, arguments in ((file, ()), (others[0], ("--processes", 2)), (others[1], SEARCH)):
            assert run(*train, *arguments, "-o", path).exit_code == 0
    assert sorted(json.loads(file.read_bytes())) == ["always", "lead"]
    assert file.read_bytes() == others[0].read_bytes() != others[1].read_bytes()


@pytest.mark.parametrize(
    ("ruleset", "player", "code", "told"),
    [
        ("forbidden-desert", Roller(), 1, "Forbidden Desert has no computer player yet."),
        ("forbidden-deserts", Roller(), 2, "no ruleset 'forbidden-deserts'"),
        ("dice", Roller(), 1, "The computer player for dice declares no features, so there is nothing to train."),
        ("dice", Cheat(), 70, "The computer player Roller failed: it proposed an action that this game does not have"),
    ],
)
def test_train__refuses(run: Run, ruleset: str, player: Roller, code: int, told: str) -> None:
    with playing(player):
        result = run("players", "train", ruleset, "--games", 1)
    assert (result.exit_code, told in result.output) == (code, True)


def test_a_bad_player_is_named(run: Run, dice: Path) -> None:
    with playing(Cheat()):
        for arguments in (("simulate", "dice", "--players", 2), ("analyse", dice)):
            result = run(*arguments)
            assert result.exit_code == 70
            assert result.output.endswith("The computer player Roller failed: It is another player's turn.\n")


def test_a_player_that_does_not_return_is_named(run: Run, dice: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STUCK_SECONDS", 0.5)
    with playing(Endless()):
        for arguments in (
            ("simulate", "dice", "--players", 2),
            ("analyse", dice),
            ("players", "train", "dice", "--games", 1),
        ):
            result = run(*arguments)
            assert result.exit_code == 70
            assert result.output.endswith("The computer player Roller failed: it exceeded the limit of 0 seconds\n")


def test_analyse__shows_the_curve(run: Run, dice: Path) -> None:
    with playing(Roller()):
        shown, document = run("analyse", dice), json.loads(run("analyse", dice, "--json").output)
    lines = shown.output.splitlines()
    assert lines[0].startswith("Turn  Chance to win")
    assert len([line for line in lines if line.endswith(" %")]) >= len(document["points"])
    assert [document[name] for name in ("player", "player_version")] == ["Roller", "1"]


def test_analyse__refuses(run: Run, tmp_path: Path, dice: Path) -> None:
    assert run("analyse", tmp_path / "nothing").exit_code == 2
    unreadable = tmp_path / "notes.txt"
    unreadable.write_text("not a log")
    assert run("analyse", unreadable).exit_code == 2
    assert run("analyse", dice).exit_code == 1
    running = tmp_path / "running.json"
    running.write_bytes(b"".join(FORMATS["json"].write(Log("g1", playout(chance="seeded", limit=20)))))
    result = run("analyse", running)
    assert (result.exit_code, "analysed only after it has ended" in result.output) == (1, True)
