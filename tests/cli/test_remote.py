"""The address of the service and the token of a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import remote
from cli.terminal import WrongSetting, WrongUsage
from tests.cli.conftest import Run
from tests.cli.service import Service
from tests.ports import free_port


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (remote.URL, remote.TOKEN):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "config.toml"
    monkeypatch.setenv(remote.CONFIG, str(path))
    return path


def test_the_environment_wins_over_the_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('url = "https://club.example.org"\n')
    assert remote.chosen_service() == "https://club.example.org"
    monkeypatch.setenv(remote.URL, "https://other.example.org")
    assert remote.chosen_service() == "https://other.example.org"


def test_a_token_of_the_file_is_sent_to_its_own_service_alone(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('[tokens]\n"https://club.example.org" = "club"\n"127.0.0.1:8000" = "here"\n')
    assert remote.token("https://club.example.org:443/") == "club"
    assert remote.token("http://127.0.0.1:8000") == "here"
    for other in ("http://club.example.org", "https://club.example.org:8443", "https://club.example.org/games"):
        assert remote.token(other) == ""
    monkeypatch.setenv(remote.TOKEN, "said")
    assert remote.token("https://elsewhere.example.org") == "said"


def test_the_usual_file_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (remote.URL, remote.TOKEN, remote.CONFIG):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / name))
    assert remote.place() == tmp_path / "driftlog" / "config.toml"
    assert remote.config() == remote.Config()
    assert remote.chosen_service() is None
    remote.place().mkdir(parents=True)
    with pytest.raises(WrongSetting, match="cannot be read"):
        remote.config()


def test_a_file_that_is_named_is_there(config: Path) -> None:
    with pytest.raises(WrongSetting, match=r"DRIFTLOG_CONFIG: .*config.toml cannot be read: No such file"):
        remote.config()


@pytest.mark.parametrize("text", ["url = ", "urls = 'x'", "url = 1", "tokens = ['x']"])
def test_a_file_that_makes_no_sense_is_refused(config: Path, text: str) -> None:
    config.write_text(text)
    with pytest.raises(WrongSetting, match=r"config\.toml: "):
        remote.config()


@pytest.mark.parametrize("url", ["ftp://here", "http://", "http://here:port"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(WrongUsage, match="is not the address of a service"):
        remote.address(url)


def test_commands_go_where_they_are_told(
    run: Run, service: Service, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = service.open_game()
    config.write_text(f'url = "{service.url}"\n')
    monkeypatch.setenv(remote.CONFIG, str(config))
    assert run("show", game_id).exit_code == 0
    nowhere = f"http://127.0.0.1:{free_port()}"
    assert run("show", game_id, "--url", nowhere).exit_code == 69
    assert run("show", game_id, env={remote.URL: nowhere}).exit_code == 69
