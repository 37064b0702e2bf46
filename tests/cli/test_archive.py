"""`driftlog archive` while the service runs: all answers stay the same."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from api.plumbing.settings import Settings
from cli import archives
from cli.terminal import CannotWrite
from store import Store
from store.log.archive import Archive
from tests.cli.conftest import Run
from tests.cli.service import Service
from tests.waiting import until


def open_finished_game(service: Service) -> str:
    game = service.open_game()
    abandon = {"type": "abandon", "params": {"reason": "Tea."}}
    assert service.ask("POST", f"/v1/games/{game}/events", abandon)[0] == 201
    return game


def test_a_game_is_archived_while_the_service_runs(run: Run, tmp_path: Path) -> None:
    service = Service(tmp_path / "data")
    service.ready()
    try:
        game = open_finished_game(service)
        paths = [
            f"/v1/games/{game}{tail}"
            for tail in ("", "/events", "/state", "/turns", "/story", "/export", "/state?at=2")
        ]
        before = [service.ask("GET", path) for path in paths]
        result = run("archive", "--data", service.data, game, "nowhere")
        assert result.exit_code == 1
        name = service.store().archiving.name(game)
        assert (
            result.output.replace("\n", "") == f"{game}: archived: {name}nowhere: REFUSED: there is no game 'nowhere'"
        )
        assert (service.data / "archive" / str(name)).exists()
        after = [service.ask("GET", path) for path in paths]
        # Each export has a new signature.
        assert [one for one in after if "proof" not in one[1]] == [one for one in before if "proof" not in one[1]]
        assert run("archive", "--data", service.data, game).output.strip().endswith(", as before")
        note = {"type": "annotate", "params": {"text": "Who won?"}}
        status, answer = service.ask("POST", f"/v1/games/{game}/events", note)
        assert (status, answer["version"]) == (201, before[0][1]["version"] + 1)
        assert run("archive", "--data", service.data, game).exit_code == 0
        result = run("archive", "--restore", "--data", service.data, game)
        assert (result.exit_code, result.output) == (0, f"{game}: restored: its log is in Redis\n")
        result = run("archive", "--tidy", "--data", service.data, game)
        assert result.output.strip().endswith("; files deleted: 2")
        assert len(list((service.data / "archive" / game).iterdir())) == 1
        assert run("archive", "--tidy", "--restore", "--data", service.data, game).exit_code == 2
        assert service.ask("GET", f"/v1/games/{game}")[1]["version"] == answer["version"]
    finally:
        service.stop()


@pytest.mark.parametrize(
    ("who", "owners", "complaint"),
    [
        (1000, (1000, 1000), None),
        (1000, (1000, 1001), None),
        (0, (1000, 1000), None),
        (0, (1000, 0), "the archive"),
        (1001, (1000, 1000), "files archived by user 1001: run this command as user 1000"),
    ],
)
def test_what_the_service_could_not_read_is_not_archived(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    who: int,
    owners: tuple[int, int],
    complaint: str | None,
) -> None:
    data, place = tmp_path / "data", tmp_path / "elsewhere"
    monkeypatch.setattr(archives, "owner_of", lambda folder: (owners[folder == place], 0))
    monkeypatch.setattr(archives, "user", lambda number: f"user {number}")
    monkeypatch.setattr(os, "geteuid", lambda: who)
    settings, archive = Settings(data=data), Archive(str(place))
    if complaint is None:
        archives.check_owner(settings, archive)
    else:
        with pytest.raises(CannotWrite, match=complaint):
            archives.check_owner(settings, archive)
    # This machine cannot know a service and an archive elsewhere.
    archives.check_owner(msgspec.structs.replace(settings, redis_url="redis://"), archive)
    archives.check_owner(settings, Archive("memory://archive"))


def test_workers_are_told_of_an_archive_that_is_away(
    store: Store, events_server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for place, said in ((tmp_path / "file", "DRIFTLOG_ARCHIVE: the archive: "), (tmp_path / "new", "")):
        archives.warn_of_archive(Settings(redis_url=events_server, archive=str(place)))
        assert said in capsys.readouterr().err
        assert not (tmp_path / "new").exists()


@pytest.mark.long
def test_an_archive_that_is_away_is_503(run: Run, tmp_path: Path) -> None:
    (tmp_path / "far").write_text("")
    service = Service(tmp_path / "data", DRIFTLOG_ARCHIVE=str(tmp_path / "far"))
    service.ready()
    try:
        assert service.ask("GET", "/readyz")[1]["archive"] == "unavailable"
        game, other = open_finished_game(service), open_finished_game(service)
        # A worker has an archive, and will not run without it.
        until(lambda: len(service.ask("GET", "/v1/games")[1]["games"]) == 2)
        # No web process has read the game yet.
        assert run("archive", "--data", service.data, game).exit_code == 0
        (service.data / "archive").rename(tmp_path / "elsewhere")
        status, problem = service.ask("GET", f"/v1/games/{game}/events")
        assert (status, problem["type"]) == (503, "/problems/store-unavailable")
        assert service.ask("GET", f"/v1/games/{other}/events")[0] == 200
        assert len(service.ask("GET", "/v1/games")[1]["games"]) == 2
    finally:
        service.stop()
    far = tmp_path / "far"
    assert f"DRIFTLOG_ARCHIVE: the archive: {far}: {far} is not a folder" in service.complained
