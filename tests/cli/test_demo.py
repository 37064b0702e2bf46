"""`driftlog demo`, and the scoresheet of examples/ that it records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli import demo
from engine.play.registry import ruleset
from tests.cli.conftest import Run
from tests.cli.service import Service
from tests.ports import free_port


@pytest.fixture
def lines() -> list[str]:
    return demo.SCORESHEET.read_text().splitlines()


def test_the_example_is_a_scoresheet_that_a_table_would_write(lines: list[str]) -> None:
    opening, *moments = map(json.loads, lines)
    assert (opening["ruleset"], opening["chance"]) == ("forbidden-island", "observed")
    drafts = [draft for moment in moments for draft in (moment if isinstance(moment, list) else [moment])]
    used = {draft["type"] for draft in drafts}
    rare = {"drown", "play_helicopter_lift"}
    assert used == {kind.type for kind in ruleset("forbidden-island").actions} - rare | {"set_up", "undo", "annotate"}
    assert all(set(draft) <= {"type", "actor", "params", "outcomes", "occurred_at", "note"} for draft in drafts)


def test_it_records_shows_audits_and_exports(run: Run, service: Service, tmp_path: Path) -> None:
    tmp_path /= "transcripts"
    result = run("demo", "--url", service.url, "-o", tmp_path)
    assert result.exit_code == 0
    assert result.output.startswith("Forbidden Island\nAna, Ben, Chloe")
    assert max(map(len, result.output.splitlines())) < 2000
    game_id = re.search(r"as (\w+)\.", result.output)
    assert game_id is not None
    status, game = service.ask("GET", f"/v1/games/{game_id[1]}")
    assert (status, game["status"], game["outcome"]["result"]) == (200, "finished", "won")
    assert "Audit       clean, 189 events replayed and judged" in result.output
    assert f"Head        {game['head']}" in result.output
    transcript = tmp_path / f"forbidden-island-{game_id[1]}.md"
    assert f"Transcript  {transcript}" in result.output
    assert transcript.read_text().startswith("# Forbidden Island")
    shown = re.findall(r"^ +(\d+)  (\w+) ", result.output, re.MULTILINE)
    assert [int(turn) for turn, _ in shown] == list(range(1, 22))
    assert [name for _, name in shown[:3]] == ["Ana", "Ben", "Chloe"]
    assert "“One tile above water, one tick below the skull.”" in result.output
    assert "The game is over: won." in result.output
    assert "\x1b" not in result.output


def test_it_brings_a_service_of_its_own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "DEFAULT_URL", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("DRIFTLOG_PORT", "no number")
    result = run("demo", "-o", tmp_path)
    assert result.exit_code == 0
    assert result.output.startswith(f"No service at {demo.DEFAULT_URL}: the demo runs a temporary service.\n")
    assert "Audit       clean" in result.output


def test_it_uses_the_service_that_runs(
    run: Run, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    monkeypatch.setattr(demo, "DEFAULT_URL", service.url)
    scoresheet = tmp_path / "short.ndjson"
    closing = json.dumps({"type": "abandon", "params": {"reason": "Supper is ready."}})
    scoresheet.write_text("\n".join([*lines[:8], closing]))
    result = run("demo", scoresheet, "-o", tmp_path)
    assert result.exit_code == 0
    assert f"Recorded at {service.url} as " in result.output
    assert "The game is abandoned: Supper is ready." in result.output


def test_a_game_that_goes_on_is_shown_so_far(run: Run, service: Service, tmp_path: Path, lines: list[str]) -> None:
    scoresheet = tmp_path / "short.ndjson"
    scoresheet.write_text("\n".join(lines[:10]))
    result = run("demo", scoresheet, "--url", service.url, "-o", tmp_path, "--pace", "0.001")
    assert result.exit_code == 0
    assert "The game continues." in result.output


def test_what_the_service_refuses_ends_it(run: Run, service: Service, tmp_path: Path, lines: list[str]) -> None:
    scoresheet = tmp_path / "wrong.ndjson"
    scoresheet.write_text("\n".join([*lines[:2], json.dumps({"type": "lift_off", "actor": "p1"})]))
    result = run("demo", scoresheet, "--url", service.url, "-o", tmp_path)
    assert result.exit_code == 1
    assert "Error: Illegal action: " in result.stderr


def test_an_audit_that_finds_something_is_a_no(
    run: Run, service: Service, tmp_path: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = {"verdict": "findings", "events": 9, "head": "0" * 64}
    monkeypatch.setattr("cli.demo._audit", lambda *_: report)
    scoresheet = tmp_path / "short.ndjson"
    scoresheet.write_text("\n".join(lines[:10]))
    assert run("demo", scoresheet, "--url", service.url, "-o", tmp_path).exit_code == 1


def test_a_scoresheet_that_is_none_is_said(run: Run, service: Service, tmp_path: Path) -> None:
    scoresheet = tmp_path / "no.ndjson"
    scoresheet.write_text("dear diary\n")
    result = run("demo", scoresheet, "--url", service.url)
    assert result.exit_code == 2
    assert f"the scoresheet {scoresheet} cannot be read: " in result.stderr


def test_a_service_of_its_own_that_does_not_start_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "DEFAULT_URL", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setattr(demo.sys, "executable", "/bin/true")
    result = run("demo", "-o", tmp_path)
    assert result.exit_code == 69
    assert "the temporary service for the demo did not start: run `driftlog serve` to see why" in result.stderr
