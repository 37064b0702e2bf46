"""`driftlog verify`: exported logs, judged without a service."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.core.events import Event, Seat
from engine.play.record import open_game
from exports import FORMATS, Log
from tests.cli.conftest import Run
from tests.playouts import long_record, playout
from tests.recording import chained

RULES = "Forbidden Island (version 1)"


def write(path: Path, events: list[Event]) -> Path:
    """Write the log in the format that the file's name implies."""
    path.write_bytes(b"".join(FORMATS[path.suffix[1:]].write(Log("g1", events))))
    return path


@pytest.mark.parametrize("name", ["game.json", "game.ndjson"])
def test_a_sound_log_is_verified(run: Run, tmp_path: Path, name: str) -> None:
    events = playout()
    file = write(tmp_path / name, events)
    result = run("verify", file)
    assert result.exit_code == 0
    assert result.output == f"{file}: verified: chain and rules; {RULES}, {len(events)} events, lost\n"


def test_the_seed_of_a_finished_game_is_checked(run: Run, tmp_path: Path) -> None:
    result = run("verify", write(tmp_path / "game.json", playout(chance="seeded")))
    assert result.exit_code == 0
    assert "verified: chain, rules and seed; " in result.output


def test_the_seed_of_a_game_that_goes_on_is_secret(run: Run, tmp_path: Path) -> None:
    result = run("verify", write(tmp_path / "game.json", playout(chance="seeded", limit=20)))
    assert result.exit_code == 0
    assert f"chain and rules; the seed is not revealed yet; {RULES}, 20 events, not finished\n" in result.output


@pytest.mark.parametrize(("name", "told"), [(None, "the opener of the game"), ("Ann", "Ann")])
def test_who_chose_the_seed_is_named(run: Run, tmp_path: Path, name: str | None, told: str) -> None:
    _, first = open_game(
        ruleset="forbidden-island",
        seats=[Seat("Ann"), Seat("Bob")],
        options={},
        seed="calm",
        seed_chosen=True,
        recorded_at="2026-11-20T19:00:00.000Z",
        recorded_by=name,
    )
    checked = run("verify", write(tmp_path / "game.ndjson", [first]))
    assert f"; {told} chose the seed, and could know every draw\n" in checked.output


def test_the_first_event_that_fails_is_named(run: Run, tmp_path: Path) -> None:
    events = playout()
    events[30] = msgspec.structs.replace(events[30], note="slipped in")
    events[20] = msgspec.structs.replace(events[20], note="slipped in")
    file = write(tmp_path / "game.ndjson", events)
    result = run("verify", file)
    assert result.exit_code == 1
    assert result.output == (
        f"{file}: FAILS: event 21, turn {events[20].turn}: the hash does not match the contents of the event "
        "[The hash chain] (and 1 more)\n"
    )


def test_a_file_adds_no_lines_to_the_report(run: Run, tmp_path: Path) -> None:
    events = playout()
    first = msgspec.structs.replace(events[0], params={**events[0].params, "ruleset": "x\ngood.json: verified: chain"})
    result = run("verify", write(tmp_path / "game.json", chained([first, *events[1:]])))
    assert (result.exit_code, result.output.count("\n")) == (1, 1)


def test_a_bad_file_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", playout())
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "something else"}')
    missing = tmp_path / "missing.json"
    assert run("verify", bad, good).exit_code == 1
    result = run("verify", bad, missing, good)
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert lines[0].startswith(f"{bad}: FAILS: not a log: ")
    assert lines[1] == f"{missing}: FAILS: it cannot be read: No such file or directory"
    assert lines[2].startswith(f"{good}: verified: ")


def test_a_folder_is_no_file(run: Run, tmp_path: Path) -> None:
    result = run("verify", tmp_path)
    assert result.exit_code == 2
    assert "it cannot be read: Is a directory" in result.output


def test_standard_input_is_a_file(run: Run, tmp_path: Path) -> None:
    data = write(tmp_path / "game.ndjson", playout()).read_bytes()
    result = run("verify", "-", input=data)
    assert result.exit_code == 0
    assert result.output.startswith("-: verified: ")


def test_a_long_log_is_verified(run: Run, tmp_path: Path) -> None:
    result = run("verify", write(tmp_path / "game.ndjson", long_record(1200)))
    assert result.exit_code == 0


def test_there_is_no_colour_where_there_is_no_terminal(run: Run, tmp_path: Path) -> None:
    assert "\x1b" not in run("verify", write(tmp_path / "game.json", playout())).output


def test_there_is_colour_where_it_is_forced(run: Run, tmp_path: Path) -> None:
    result = run("verify", write(tmp_path / "[bold]game.json", playout()), env={"FORCE_COLOR": "1"})
    assert "\x1b[32mverified\x1b[0m" in result.output
    assert "[bold]game.json" in result.output


def test_it_takes_at_least_one_file(run: Run) -> None:
    assert run("verify").exit_code == 2
