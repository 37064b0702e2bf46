"""`driftlog tokens`, `names` and `access-log`, on a data folder and on a Redis; and `serve --lan`."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api.plumbing.hosts import lan_address
from cli import codes, lan, servers
from store import Store
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service, ask, environment
from tests.playouts import playout

Start = Callable[..., Service]
TOKEN = r"driftlog_[0-9a-z]{26}_[\w-]{43}"


@pytest.fixture
def kept(store: Store, events_server: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with a game, which the commands find by its URL."""
    store.signing.active()
    store.events.open("g", playout(seed=3, seats=3), None)
    store.projections.project("g")
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", events_server)
    return store


def test_a_token_is_created_listed_and_revoked(run: Run, kept: Store) -> None:
    made = run("tokens", "create", "--role", "recorder", "--game", "g", "--seat", "p2", "--note", "Bo", "--days", 2)
    assert made.exit_code == 0
    text = made.stdout.strip()
    token = kept.tokens.find(text)
    assert token is not None
    assert (token.role, token.game, token.seat, token.note) == ("recorder", "g", "p2", "Bo")
    assert token.expires_at is not None
    assert made.stderr == f"Token {token.id}: keep it now. It is not shown again.\n"

    listed = run("tokens", "list").stdout
    assert text.split("_", 2)[2] not in listed
    assert listed.splitlines()[1].split()[:5] == [token.id, "recorder", "g", "p2", "Bo"]
    assert json.loads(run("tokens", "list", "--game", "g", "--json").stdout)["tokens"][0]["id"] == token.id
    assert json.loads(run("tokens", "list", "--game", "other", "--json").stdout) == {"tokens": []}

    gone = run("tokens", "revoke", token.id)
    assert (gone.exit_code, gone.stdout) == (0, f"{token.id}: revoked\n")
    again = run("tokens", "revoke", token.id)
    assert (again.exit_code, again.stderr) == (1, f"{token.id}: there is no such token\n")
    assert kept.tokens.find(text) is None


def test_what_a_token_gave_ends_with_it(run: Run, kept: Store) -> None:
    made = {"created_at": "2026-11-22T20:00:00.000Z"}
    _, giver = kept.tokens.create("admin", **made)  # type: ignore[arg-type]
    kept.tokens.create("viewer", **made, given_by=giver.id, expires_at="2026-11-22T21:00:00.000Z")  # type: ignore[arg-type]
    kept.sharing.share("g", made["created_at"], giver.id)
    listed = run("tokens", "list").stdout
    assert "(share link)" in listed
    assert f"{giver.id}, and 2 that it created" in run("tokens", "revoke", giver.id).stdout.replace(": revoked", "")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--game", "nowhere"], "--game: there is no such game"),
        (["--game", "g", "--seat", "p7"], "--seat: "),
        (["--seat", "p1"], "--seat: "),
    ],
)
def test_a_token_is_for_what_there_is(run: Run, kept: Store, options: list[str], complaint: str) -> None:
    refused = run("tokens", "create", "--role", "viewer", *options)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert complaint in refused.stderr


def test_the_link_is_shown_on_a_terminal_alone(run: Run, kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = run("tokens", "create", "--role", "viewer", "--url", "http://192.0.2.7:8000")
    assert "/enter#" not in made.output
    assert "only shown on a terminal" in made.stderr
    monkeypatch.setattr(codes, "is_shown", lambda: True)
    shown = run("tokens", "create", "--role", "viewer", "--url", "http://192.0.2.7:8000/").stdout
    assert re.search(rf"^http://192\.0\.2\.7:8000/enter#{TOKEN}$", shown, re.MULTILINE)
    assert "█" in shown


def test_root_leaves_no_files_in_a_data_folder_that_is_somebody_elses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "events").mkdir(parents=True)
    (tmp_path / "data" / "events" / "server.conf").write_text("")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(servers, "owner_of", lambda _: (1234567, 0))
    refused = run("tokens", "list", "--data", tmp_path / "data")
    assert (refused.exit_code, refused.stdout) == (73, "")
    assert "belongs to user 1234567, but new files would belong to root: run this as user 1234567" in refused.stderr


def test_nothing_is_cut_off_where_no_terminal_is(run: Run, kept: Store) -> None:
    note = "The phone of whoever sits next to the window, and of everybody else who comes late to the table, perhaps"
    run("tokens", "create", "--role", "recorder", "--game", "g", "--note", note[:80])
    run("tokens", "revoke", note)
    for command in ("tokens", "list"), ("access-log",):
        told = run(*command).stdout
        assert note[:80] in told
        assert "…" not in told
    assert note in told


def test_names_are_hidden_and_shown_again(run: Run, kept: Store) -> None:
    assert run("names", "hide", "Ada").stdout.startswith("Ada: hidden since ")
    assert "ada" in kept.hiding.search_keys()
    assert run("names", "list").stdout.splitlines()[1].startswith("Ada ")
    assert run("names", "show", "ADA").stdout == "ADA: shown again\n"
    refused = run("names", "show", "ADA")
    assert (refused.exit_code, refused.stderr) == (1, "Error: ADA is not hidden\n")


@pytest.mark.parametrize("command", [("names", "hide"), ("tokens", "create", "--role", "viewer", "--note")])
def test_a_name_is_one(run: Run, kept: Store, command: tuple[str, ...]) -> None:
    refused = run(*command, "Ann\x1b[2J")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is not a valid name: " in refused.stderr
    assert kept.access_log.page() == []


def test_what_was_done_is_told(run: Run, kept: Store) -> None:
    text = run("tokens", "create", "--role", "viewer", "--game", "g").stdout.strip()
    run("names", "hide", "Ada")
    lines = run("access-log").stdout.splitlines()
    assert "driftlog names hide" in lines[1]
    assert "name Ada" in lines[1]
    assert "driftlog tokens create" in lines[2]
    uses = [json.loads(line) for line in run("access-log", "--limit", 1, "--json").stdout.splitlines()]
    assert [(use["by"], use["about"]) for use in uses] == [("the command line", {"name": "Ada"})]
    assert text not in run("access-log", "--json").stdout


def test_the_first_token_lets_into_a_running_service(run: Run, start: Start) -> None:
    service = start(DRIFTLOG_ACCESS="tokens")
    service.ready()
    assert service.ask("GET", "/v1/games")[0] == 401
    text = run("tokens", "create", "--role", "admin", "--data", service.data).stdout.strip()
    assert service.ask("GET", "/v1/games", Authorization=f"Bearer {text}")[0] == 200
    service.stop()
    assert len(run("tokens", "list", "--data", service.data).stdout.splitlines()) == 2


def needs_network() -> None:
    if lan_address() is None:
        pytest.skip("this machine is in no network: nothing reaches it from elsewhere")


def test_lan__a_terminal_shows_the_code_that_logs_a_phone_in(tmp_path: Path) -> None:
    needs_network()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cli.main", "serve", "--lan", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=theirs, stderr=subprocess.DEVNULL) as service:
        os.close(theirs)
        said = ""
        while not (found := re.search(rf"(http://\S+)/enter#({TOKEN})\s", said)):
            said += os.read(ours, 4096).decode(errors="replace")
        url, token = found[1], found[2]
        assert "by token: scan the code below with the first phone" in said
        assert "there is none yet" not in said
        assert f"//{lan_address()}:" in url
        assert ask(url, "GET", "/v1/games")[0] == 401
        told = ask(url, "GET", "/v1/session", Authorization=f"Bearer {token}")[1]
        assert (told["role"], told["name"]) == ("arbiter", lan.NOTE)
        local = url.replace(str(lan_address()), "127.0.0.1")
        assert ask(local, "GET", "/v1/games")[0] == 401, "a token is needed on this machine as well"
        service.terminate()
        assert service.wait(60) == 0
    os.close(ours)


@pytest.mark.long
def test_lan__in_a_log_no_token_is_told(start: Start, tmp_path: Path) -> None:
    needs_network()
    service = start(tmp_path / "data", "--lan")
    service.ready()
    assert not service.store().tokens.any()
    assert service.stop() == 0
    assert "driftlog_" not in service.said
    assert "Use `driftlog tokens create --url` instead" in service.complained


def test_lan__needs_a_network(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "lan_address", lambda **_: None)
    refused = run("serve", "--lan", "--data", tmp_path / "data")
    assert refused.exit_code == 78
    assert refused.stderr.startswith("Error: this machine has no network address")
    both = run("serve", "--lan", "--open", "--data", tmp_path / "data")
    assert (both.exit_code, "--lan requires tokens and --open does not" in both.stderr) == (2, True)


def test_scripts_can_revoke_by_the_earlier_name(run: Run, kept: Store) -> None:
    made = run("tokens", "create", "--role", "viewer")
    (token,) = kept.tokens.page(game=None, before=None, limit=2)
    assert made.exit_code == 0
    assert run("tokens", "withdraw", token.id).stdout == f"{token.id}: revoked\n"
    assert "withdraw" not in run("tokens", "--help").stdout
