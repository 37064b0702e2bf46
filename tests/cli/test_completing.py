"""Completion by the shell."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import click
import pytest

from cli import completing, exporting
from exports import FORMATS
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service, environment, environment_without_coverage
from tests.ports import free_port
from tests.waiting import PATIENCE, until


def complete_words(service: Service, *words: str) -> list[str]:
    """Return the shell's completions of the last word, from a service that may be slow."""
    program = "from cli import completing, main; completing.SECONDS = 60; main.main(prog_name='driftlog')"
    variables = environment_without_coverage(environment(DRIFTLOG_URL=service.url))
    variables |= {"_DRIFTLOG_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words)}
    variables["COMP_CWORD"] = str(len(words) - 1)
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    return [line.partition(",")[2] for line in ran.stdout.splitlines()]


def test_games_are_completed(service: Service) -> None:
    game_id = service.open_game()
    until(lambda: [game["id"] for game in service.ask("GET", "/v1/games?limit=1")[1]["games"]] == [game_id])
    assert game_id in complete_words(service, "driftlog", "show", game_id[:-1])


def test_commands_are_completed(service: Service) -> None:
    assert complete_words(service, "driftlog", "web") == ["webhooks"]


def test_rulesets_and_webhooks_are_known(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completing, "SECONDS", PATIENCE)
    context, parameter = click.Context(click.Command("x")), click.Argument(["x"])
    context.params["url"] = service.url
    assert [one.value for one in completing.rulesets(context, parameter, "forbidden-d")] == ["forbidden-desert"]
    hook = {"url": "http://127.0.0.1:9/", "events": ["*"], "ruleset": "forever-island"}
    hook_id = service.ask("POST", "/v1/webhooks", hook)[1]["id"]
    assert [one.value for one in completing.webhooks(context, parameter, hook_id[:-1])] == [hook_id]


def test_without_a_service_nothing_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    context, parameter = click.Context(click.Command("x")), click.Argument(["x"])
    monkeypatch.setenv("DRIFTLOG_URL", f"http://127.0.0.1:{free_port()}")
    assert completing.games(context, parameter, "") == []


@pytest.mark.parametrize("shell", completing.SHELLS)
def test_each_shell_has_its_script(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_DRIFTLOG_COMPLETE" in result.stdout


def test_which_shell_and_where_to_is_told(run: Run) -> None:
    result = run("completion")
    assert result.exit_code == 0
    assert all(f"driftlog completion {shell}" in result.stdout for shell in completing.SHELLS)


def test_the_formats_are_those_of_the_exports() -> None:
    assert set(exporting.FORMATS) == set(FORMATS)
    assert set(exporting.FORMATS_OF_MANY) == {kind.name for kind in FORMATS.values() if kind.many}


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("", f"driftlog, version {version('driftlog')}\n"),
        ("driftlog web", "plain,webhooks\n"),
        ("driftlog export --form", "plain,--format\n"),
        ("driftlog export-games --format sq", "plain,sqlite\n"),
    ],
)
def test_a_version_and_a_completion_load_little(typed: str, printed: str) -> None:
    """Completion runs as the user types, so it loads neither the service nor the layout of texts."""
    program = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr));"
        "from cli.main import main; main(['--version'], prog_name='driftlog')"
    )
    command = [sys.executable, "-c", program]
    variables = {"_DRIFTLOG_COMPLETE": "bash_complete", "COMP_WORDS": typed} if typed else {}
    given = environment_without_coverage(environment(**variables, COMP_CWORD=str(typed.count(" "))))
    ran = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert ran.stdout == printed
    loaded = set(ran.stderr.split())
    assert "cli.main" in loaded
    folders = ("api", "exports", "proofs", "schemas", "service", "store", "telemetry", "workers")
    heavy = ("asyncio", "cryptography", "flask", "http.client", "logging", "redis", "reportlab", "rich", "rq", "ssl")
    assert not loaded & {*folders, *heavy, "engine.kit", "engine.play"}
