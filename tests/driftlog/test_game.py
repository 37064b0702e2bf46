"""Driftlog as a library: games in memory, without Redis."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from driftlog import Game
from engine.core.errors import IllegalAction, LogDoesNotVerify, Malformed
from exports import FORMATS
from tests.engine.recording import DEAL

SCORESHEETS = sorted((Path(__file__).parents[2] / "examples").glob("*.ndjson"))


@pytest.fixture
def game() -> Game:
    return Game.open("forbidden-island", seats=["Ann", "Bob"], seed="x")


def test_a_game_in_three_lines(game: Game) -> None:
    move = next(one for one in game.legal_actions("p1") if one.type == "move")
    (event,) = game.append(move.type, move.actor, **move.params)
    assert (event.seq, event.params, game.version, game.turn) == (3, move.params, 3, 1)
    assert game.state is not None
    assert game.outcome is None
    assert game.audit().verdict == "clean"


def test_odds_are_exact(game: Game) -> None:
    odds = game.odds("p1")
    assert list(odds) == ["Draw a Treasure deck card"]
    assert sum(odds["Draw a Treasure deck card"].values()) == Fraction(1)


def test_an_illegal_action_is_refused_and_nothing_is_appended(game: Game) -> None:
    before = game.events
    with pytest.raises(IllegalAction):
        game.append("draw_flood_card", "p1")
    assert game.events == before


def test_an_undo_leads_back_and_a_state_can_be_read_at_any_event(game: Game) -> None:
    game.append("draw_treasure_card", "p1")
    game.append("undo", to=2)
    assert game.state == game.state_at(2)
    assert game.state_at(1) is None
    with pytest.raises(IndexError):
        game.state_at(5)


def test_an_observed_game_waits_for_its_setup() -> None:
    game = Game.open("forbidden-island", seats=["Ann", "Bob"], observed=True)
    (setup,) = game.legal_actions()
    assert sum(one.p for one in setup.outcomes) == 1
    game.append("set_up", outcomes=DEAL)
    game.append("draw_treasure_card", "p1", outcomes=[None])
    assert all(0 < action.p <= 1 for action in game.legal_actions())
    with pytest.raises(Malformed):
        Game.open("forbidden-island", seats=["Ann", "Bob"], observed=True, seed="x")


def test_a_seeded_game_without_a_seed_draws_one() -> None:
    heads = {Game.open("forbidden-island", seats=["Ann", "Bob"]).head for _ in range(2)}
    assert len(heads) == 2


@pytest.mark.parametrize("sheet", SCORESHEETS, ids=lambda path: path.stem)
def test_a_whole_evening_is_recorded_written_and_read(sheet: Path, tmp_path: Path) -> None:
    first, *lines = [json.loads(line) for line in sheet.read_text().splitlines() if line.strip()]
    seats = [seat["name"] for seat in first["seats"]]
    game = Game.open(first["ruleset"], seats=seats, options=first.get("options"), observed=True)
    for line in lines:
        for draft in line if isinstance(line, list) else [line]:
            given = {name: draft[name] for name in ("outcomes", "occurred_at", "note") if name in draft}
            game.append(draft["type"], draft.get("actor"), **given, **draft.get("params", {}))
    game.write(tmp_path / "game.ndjson")
    again = Game.read(tmp_path / "game.ndjson")
    assert (again.head, again.state, again.outcome) == (game.head, game.state, game.outcome)
    assert len(again.events) == again.version == game.version
    again.write(tmp_path / "copy", format="json")
    assert Game.read(tmp_path / "copy").head == game.head
    again.write(tmp_path / "game.draws.json")
    assert "draws" in (tmp_path / "game.draws.json").read_text()


def test_a_game_continues_with_its_seed(game: Game, tmp_path: Path) -> None:
    game.write(tmp_path / "game.json")
    again = Game.read(tmp_path / "game.json", seed="x")
    assert again.append("draw_treasure_card", "p1")[0].outcomes == game.append("draw_treasure_card", "p1")[0].outcomes


def test_a_changed_log_is_refused(game: Game, tmp_path: Path) -> None:
    game.write(tmp_path / "game.ndjson")
    changed = (tmp_path / "game.ndjson").read_text().replace("Ann", "Eve")
    (tmp_path / "game.ndjson").write_text(changed)
    with pytest.raises(LogDoesNotVerify):
        Game.read(tmp_path / "game.ndjson")


def test_an_unknown_format_names_those_there_are(game: Game, tmp_path: Path) -> None:
    for name, wanted in (("game.exe", None), ("game.json", "word")):
        with pytest.raises(ValueError, match="choose one of") as refused:
            game.write(tmp_path / name, format=wanted)
        assert all(kind in str(refused.value) for kind in FORMATS)


def test_it_needs_no_server() -> None:
    loaded = "import sys, driftlog; print(*sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert not {"redis", "rq", "flask", "marshmallow"} & set(modules)


def test_the_page_about_the_library_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "docs/library.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 10) == (0, True)
