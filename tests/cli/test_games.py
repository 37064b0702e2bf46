"""`driftlog list`, `show`, `watch` and `replay` with a running service."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from cli import games, options
from cli.terminal import ServiceUnavailable
from store.library import summaries
from tests.cli.conftest import Run
from tests.cli.service import ROOT, SEEDED, Service, environment
from tests.waiting import until


@pytest.fixture
def ask(run: Run, service: Service) -> Callable[..., str]:
    """Return a function that runs a command at the service, and returns its output."""

    def ask(*arguments: object) -> str:
        result = run(*arguments, "--url", service.url)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    return ask


def append(service: Service, game_id: str, *events: dict[str, object]) -> None:
    for event in events:
        status, answer = service.ask("POST", f"/v1/games/{game_id}/events", event)
        assert status == 201, answer


def first_move(service: Service, game_id: str) -> dict[str, object]:
    action = service.ask("GET", f"/v1/games/{game_id}/actions")[1]["actions"][0]
    return {name: action[name] for name in ("type", "actor", "params")}


ABANDON = {"type": "abandon", "params": {"reason": "dinner"}}
UNDO = {"type": "undo", "params": {"to": 2}}


def test_what_a_filter_may_be_is_what_the_list_has() -> None:
    assert (options.STATUSES, options.RESULTS) == (summaries.STATUSES, summaries.RESULTS)


def test_games_are_listed(ask: Callable[..., str], service: Service) -> None:
    ids = [service.ask("POST", "/v1/games", SEEDED | {"tags": ["listed"]})[1]["id"] for _ in range(2)]
    append(service, ids[0], ABANDON)

    def list_games() -> list[dict[str, str]]:
        listed: list[dict[str, str]] = json.loads(ask("list", "--tag", "listed", "--json"))["games"]
        return listed

    until(lambda: [one["status"] for one in list_games()] == ["in_progress", "abandoned"])
    lines = ask("list", "--tag", "listed", "-q", "ann").splitlines()
    assert lines[0].split() == ["Game", "Ruleset", "Players", "Status", "Turn", "Events", "Last"]
    assert [line.split()[0] for line in lines[1:]] == ids[::-1]
    assert not [line for line in lines if line.endswith(" ")]
    assert "Ann, Bob" in lines[1]
    assert "in progress" in lines[1]
    assert ids[1] in ask("list", "--tag", "listed", "--limit", 1)
    ended = ask("list", "--tag", "listed", "--result", "abandoned").splitlines()
    assert [line.split()[0] for line in ended[1:]] == ids[:1]


def test_a_game_is_shown(ask: Callable[..., str], service: Service) -> None:
    game_id = service.open_game()
    append(service, game_id, first_move(service, game_id))

    lines = ask("show", game_id).splitlines()
    assert lines[0] == "forbidden-island (seeded): Ann, Bob"
    assert lines[1] == "In progress, turn 1, event 3."
    assert lines[2] == "Waiting for Ann."
    rows = service.ask("GET", f"/v1/games/{game_id}/facts")[1]["overview"]
    assert [line.split(row["label"])[1].strip() for line, row in zip(lines[3:], rows, strict=True)] == [
        row["text"] for row in rows
    ]
    assert "event 2." in ask("show", game_id, "--at", 2)
    assert json.loads(ask("show", game_id, "--json"))["game"]["version"] == 3
    append(service, game_id, ABANDON)
    assert "The game is over: abandoned." in ask("show", game_id)


def test_a_game_is_replayed(ask: Callable[..., str], service: Service) -> None:
    game_id = service.open_game()
    note = {"type": "annotate", "params": {"text": "hm"}, "note": "said [loudly]"}
    append(service, game_id, first_move(service, game_id), UNDO, note, ABANDON)

    lines = ask("replay", game_id).splitlines()
    assert lines[1:3] == ["", "Setup"]
    assert lines[3].split(maxsplit=1) == ["1", "Ann and Bob start a game of Forbidden Island."]
    assert any(line.endswith("(undone)") for line in lines)
    assert any(line.endswith("Note: hm “said [loudly]”") for line in lines)
    assert lines[-1].startswith("The game is over: abandoned.")
    told = ask("replay", game_id, "--from", 2, "--until", 3, "--table").splitlines()
    assert [line.split()[0] for line in told if line[:5].strip().isdecimal()] == ["2", "3"]
    assert sum(line.startswith("        ") for line in told) > 20


def test_a_long_story_is_read_page_by_page(
    ask: Callable[..., str], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = service.open_game()
    append(service, game_id, *[{"type": "annotate", "params": {"text": "x"}}] * 3)
    monkeypatch.setattr(games, "_PAGE", 2)
    told = ask("replay", game_id).splitlines()
    assert [line.split()[0] for line in told if line[:5].strip().isdecimal()] == ["1", "2", "3", "4", "5"]


def test_what_was_against_the_rules_is_marked(ask: Callable[..., str], service: Service) -> None:
    game_id = service.ask("POST", "/v1/games", SEEDED | {"mode": "as_played"})[1]["id"]
    legal = {one["params"].get("to") for one in service.ask("GET", f"/v1/games/{game_id}/actions")[1]["actions"]}
    tiles = {one["tile"] for one in service.ask("GET", f"/v1/games/{game_id}/facts")[1]["facts"] if "tile" in one}
    append(service, game_id, {"type": "move", "actor": "p1", "params": {"to": min(tiles - legal)}})
    (marked,) = (line for line in ask("replay", game_id).splitlines() if "against the rules: " in line)
    assert marked.startswith("    3  ")


def test_a_game_that_is_over_is_watched_to_its_end(ask: Callable[..., str], service: Service) -> None:
    game_id = service.open_game()
    append(service, game_id, ABANDON)
    lines = ask("watch", game_id, "--after", 1).splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["2", "3", "4"]
    assert lines[-1].startswith("The game is over: abandoned.")
    assert len(ask("watch", game_id).splitlines()) == 2


def test_what_happens_is_told_as_it_happens(service: Service) -> None:
    game_id = service.open_game()
    command = [sys.executable, "-m", "cli.main", "watch", game_id, "--after", "1", "--url", service.url]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        while not (line := watching.stdout.readline()).startswith("    2  "):
            assert line, watching.wait(60)
        append(service, game_id, ABANDON)
        rest = watching.stdout.read()
        assert watching.wait(60) == 0
    assert [line.split()[0] for line in rest.splitlines()[:2]] == ["3", "4"]


def test_a_service_that_is_away_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games, "RETRY_SECONDS", 0)
    answers = [ServiceUnavailable("away"), ServiceUnavailable("away"), None]

    def ask(answer: str) -> str:
        failure = answers.pop(0)
        if failure is not None:
            raise failure
        return answer

    assert games.patiently(ask, "here") == "here"
    assert capsys.readouterr().err == "away: trying again\n"
    monkeypatch.setattr(games, "PATIENCE", -1)
    answers[:] = [ServiceUnavailable("gone")]
    with pytest.raises(ServiceUnavailable, match="gone"):
        games.patiently(ask, "here")


def test_a_game_that_is_not_there_is_refused(run: Run, service: Service) -> None:
    for command in ("show", "watch", "replay", "record"):
        for game in ("nowhere", "/x", ""):
            result = run(command, game, "--url", service.url)
            assert result.exit_code == 1
            assert result.stderr.startswith("Error: There is no such game.")
