"""`driftlog export` and `driftlog import`: logs leave a running service and return."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import zipfile
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from uuid import UUID

import pytest

from cli import client as api_client
from cli.terminal import ServiceUnavailable
from engine.core.events import Event
from exports import FORMATS, Log, read_any
from tests.cli.conftest import Run
from tests.cli.service import Service
from tests.exports.logs import export
from tests.exports.test_bgstats_reading import PLAYERS, of, play
from tests.playouts import long_record, playout
from tests.ports import free_port

SCORESHEETS = sorted((Path(__file__).parents[2] / "examples").glob("*.ndjson"))


def log_file(path: Path, events: list[Event]) -> Path:
    path.write_bytes(b"".join(FORMATS["ndjson"].write(Log("g1", events))))
    return path


@pytest.mark.parametrize("format_", ["json", "ndjson"])
def test_a_game_leaves_and_comes_back(run: Run, service: Service, tmp_path: Path, format_: str) -> None:
    events = playout(seed=1)
    original = log_file(tmp_path / "original.ndjson", events)
    imported = run("import", original, "--url", service.url)
    assert imported.exit_code == 0
    assert imported.output.startswith(f"{original}: imported: ")
    game_id = imported.output.split()[2]
    file = tmp_path / f"game.{format_}"
    exported = run("export", game_id, "--format", format_, "-o", file, "--url", service.url)
    assert (exported.exit_code, exported.output) == (0, "")
    assert read_any(file.read_bytes()) == events
    assert run("verify", file).exit_code == 0
    again = run("import", original, "--url", service.url)
    assert again.output == f"{original}: imported: {game_id} (already there)\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["original.ndjson", file.name])


def test_what_was_written_by_hand_becomes_games(run: Run, service: Service, tmp_path: Path) -> None:
    one = export("notation", playout(seed=4)).decode()
    odd = one.replace("draw treasure card = ", "draw treasure card = ?? & ", 1).replace('[Mode "strict"]', "")
    file = tmp_path / "evenings.txt"
    file.write_text(f"{one}\n{one.replace('Ada', 'Ida')}", encoding="utf-8")
    both = run("import", file, "--url", service.url)
    assert both.exit_code == 0
    ids = both.output.split(": imported: ")[1].strip().split(", ")
    seats = [service.ask("GET", f"/v1/games/{game}")[1]["seats"][0]["name"] for game in ids]
    assert seats == ["Ada", "Ida"]
    file.write_text(odd, encoding="utf-8")
    doubted = run("import", file, "--format", "notation", "--url", service.url)
    assert f"{file}: REFUSED: A line cannot be recorded: line " in doubted.output
    file.write_text(one.replace("[Players", "[Plyers"), encoding="utf-8")
    refused = run("import", file, "--url", service.url)
    assert refused.exit_code == 1
    assert "who played? Write [Players" in refused.output


def test_the_same_file_is_the_same_game(run: Run, service: Service, tmp_path: Path) -> None:
    file = log_file(tmp_path / "game.ndjson", playout(seed=2))
    first = run("import", file, "--url", service.url)
    assert run("import", file, "--url", service.url).output == first.output.replace("\n", " (already there)\n")


def test_a_long_log_is_imported_by_a_worker(run: Run, service: Service, tmp_path: Path) -> None:
    events = long_record(2500)
    result = run("import", log_file(tmp_path / "long.ndjson", events), "--url", service.url)
    assert result.exit_code == 0
    status, game = service.ask("GET", f"/v1/games/{result.output.split()[2]}")
    assert (status, game["head"]) == (200, events[-1].hash)


def test_a_bad_file_does_not_keep_the_others_out(run: Run, service: Service, tmp_path: Path) -> None:
    events = playout(seed=3)
    cut = log_file(tmp_path / "cut.ndjson", [*events[:20], *events[21:]])
    long_cut = log_file(tmp_path / "long.ndjson", [*long_record(2300)[:-40], events[-1]])
    good = log_file(tmp_path / "good.ndjson", events)
    result = run("import", cut, tmp_path / "missing", long_cut, good, "--url", service.url)
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert lines[0].startswith(f"{cut}: REFUSED: The log failed verification: ")
    assert lines[1] == f"{tmp_path / 'missing'}: REFUSED: it cannot be read: No such file or directory"
    assert lines[2].startswith(f"{long_cut}: REFUSED: the import failed: event ")
    assert lines[3].startswith(f"{good}: imported: ")


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_export_goes_to_standard_output(run: Run, service: Service, output: tuple[str, ...]) -> None:
    result = run("export", service.open_game(), "--format", "markdown", *output, "--url", service.url)
    assert result.exit_code == 0
    assert result.output.startswith("# Forbidden Island")
    assert not Path("-").exists()


def test_export_is_of_the_moment_and_for_the_viewer_that_are_asked_for(
    run: Run, service: Service, tmp_path: Path
) -> None:
    events = playout(seed=1)
    imported = run("import", log_file(tmp_path / "log.ndjson", events), "--url", service.url)
    game, file, proof = imported.output.split()[2], tmp_path / "game.ndjson", tmp_path / "proof"
    arguments = ("--format", "ndjson", "--viewer", "p2", "--until", "7", "-o", file, "--proof", proof)
    result = run("export", game, *arguments, "--url", service.url)
    assert (result.exit_code, result.output) == (0, "")
    assert read_any(file.read_bytes()) == events[:7]
    assert run("verify", file, "--proof", proof).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("no-such-game", "--until", "3"), "There is no such game."),
        (("no-such-game",), "There is no such game."),
        (("no/such/game",), "There is no such game."),
    ],
)
def test_what_the_service_refuses_is_said(
    run: Run, service: Service, arguments: tuple[str, ...], complaint: str
) -> None:
    result = run("export", *arguments, "--url", service.url)
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert result.stdout == ""


def test_a_file_that_cannot_be_written_is_said(run: Run, service: Service, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "game.json"
    for command in (("export", service.open_game()), ("export-games",), ("openapi",)):
        result = run(*command, "-o", target, *(() if command == ("openapi",) else ("--url", service.url)))
        assert result.exit_code == 73, command
        assert result.stderr == f"Error: {target} cannot be written: File exists\n"
    result = run("demo", "-o", target.parent / "folder", "--url", service.url)
    assert result.exit_code == 73


def test_the_folder_of_an_output_is_created(run: Run, service: Service, tmp_path: Path) -> None:
    target = tmp_path / "no" / "such" / "folder" / "game.json"
    assert run("export", service.open_game(), "-o", target, "--url", service.url).exit_code == 0
    assert json.loads(target.read_bytes())["format"] == "driftlog"


def test_a_link_is_followed_and_a_pipe_stays_one(run: Run, service: Service, tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "game.json", tmp_path / "link", tmp_path / "pipe"
    target.touch()
    link.symlink_to(target)
    os.mkfifo(pipe)
    game, heard = service.open_game(), []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    for output in (link, pipe):
        assert run("export", game, "--format", "ndjson", "-o", output, "--url", service.url).exit_code == 0
    reader.join(timeout=30)
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert heard == [target.read_bytes()]
    assert read_any(heard[0])


def test_a_missing_file_is_wrong_usage_in_every_command(run: Run, service: Service, tmp_path: Path) -> None:
    missing, log = tmp_path / "missing", log_file(tmp_path / "game.ndjson", playout(seed=2))
    for command in (
        ("import", missing, "--url", service.url),
        ("verify", missing),
        ("verify", log, "--proof", missing),
        ("verify", log, "--key", missing),
        ("audit", missing),
        ("restore", missing, "--check", "--data", tmp_path / "data"),
        ("restore", missing, "--data", tmp_path / "data"),
        ("demo", missing, "--url", service.url),
    ):
        result = run(*command)
        assert result.exit_code == 2, command
        assert str(missing) in result.output + result.stderr, command


@pytest.mark.parametrize("command", [("export", "g1"), ("import", os.devnull)])
def test_no_service_is_said(run: Run, command: tuple[str, ...]) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    result = run(*command, "--url", url)
    assert result.exit_code == 69
    assert f"no service answers at {url} (" in result.stderr


def test_what_is_no_address_is_wrong_usage(run: Run) -> None:
    result = run("export", "g1", "--url", "ftp://example.org")
    assert result.exit_code == 2
    assert "ftp://example.org is not the address of a service" in result.stderr


def test_work_that_nobody_begins_is_given_up(
    run: Run, tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_client, "PATIENCE", -1.0)
    monkeypatch.setattr(api_client.Client, "get", lambda *_: {"status": "queued", "progress": 0.0})
    file = log_file(tmp_path / "long.ndjson", long_record(2100))
    result = run("import", file, "--url", service.url)
    assert result.exit_code == 69
    assert "no worker starts the import: run `driftlog worker`" in result.stderr


class Stranger(BaseHTTPRequestHandler):
    """A server that is not Driftlog."""

    def do_GET(self) -> None:
        self.send_error(404 if "g1" in self.path else 500, "Never heard of it")

    def log_message(self, *_: object) -> None:
        pass


class Busy(BaseHTTPRequestHandler):
    """A service that is busy at first."""

    retry_after = "0"
    refusals = 2

    def do_GET(self) -> None:
        if type(self).refusals > 0:
            type(self).refusals -= 1
            self._answer(503, b'{"type":"/problems/overloaded","title":"Too much at once","detail":"Later."}')
        else:
            self._answer(200, b"it is there")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Retry-After", self.retry_after)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002  # its name there
        pass


@pytest.mark.parametrize("retry_after", ["0", "3600", "soon"])
def test_who_is_refused_because_it_is_too_much_comes_back_if_that_is_soon(retry_after: str) -> None:
    with HTTPServer(("127.0.0.1", 0), type("Handler", (Busy,), {"retry_after": retry_after})) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        client = api_client.Client(f"127.0.0.1:{server.server_port}")
        try:
            if retry_after == "0":
                assert client.request("GET", "/").body == b"it is there"
            else:
                with pytest.raises(ServiceUnavailable, match="Too much at once: Later"):
                    client.request("GET", "/")
        finally:
            server.shutdown()
            thread.join()


class Damaged(Stranger):
    """A service whose record is damaged."""

    def do_GET(self) -> None:
        document = {"type": "/problems/damaged-record", "title": "It is broken", "detail": "It is broken at event 4."}
        body = json.dumps(document).encode()
        self.send_response(500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_a_detail_that_begins_with_the_title_is_told_alone(run: Run) -> None:
    with HTTPServer(("127.0.0.1", 0), Damaged) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        result = run("export", "g1", "--url", f"127.0.0.1:{server.server_port}")
        thread.join()
    assert (result.exit_code, result.stderr) == (69, "Error: It is broken at event 4.\n")


@pytest.mark.parametrize(("game", "code"), [("g1", 1), ("g2", 69)])
def test_an_answer_that_is_no_problem_document_is_told_by_its_status(run: Run, game: str, code: int) -> None:
    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        result = run("export", game, "--url", f"127.0.0.1:{server.server_port}")
        thread.join()
    assert result.exit_code == code
    assert "Never heard of it" in result.stderr


def test_what_takes_long_is_fetched_once_a_worker_has_made_it(run: Run, service: Service, tmp_path: Path) -> None:
    imported = run("import", log_file(tmp_path / "long.ndjson", long_record(1100, 1)), "--url", service.url)
    file = tmp_path / "game.sqlite"
    result = run("export", imported.output.split()[2], "--format", "sqlite", "-o", file, "--url", service.url)
    assert (result.exit_code, result.output) == (0, "")
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (1100,)


def test_many_games_are_fetched_in_one_file(run: Run, service: Service, tmp_path: Path) -> None:
    # A unique name, because other tests open games there, too.
    for seed in range(2):
        file = tmp_path / f"{seed}.txt"
        named = export("notation", playout("forever-island", seed)).decode().replace("Ada", "Odile")
        file.write_text(named, encoding="utf-8")
        assert run("import", file, "--url", service.url).exit_code == 0
    file = tmp_path / "games.zip"
    order = ("export-games", "--player", "Odile", "--status", "finished", "-o", file, "--url", service.url)
    result = run(*order, "--format", "parquet")
    assert (result.exit_code, result.output) == (0, f"{file}: 2 games\n")
    with zipfile.ZipFile(file) as archive:
        assert {"games.parquet", "states.parquet", "manifest.json"} <= set(archive.namelist())
    piped = run(*order, "-o", "-", "--format", "parquet")
    assert (piped.stdout_bytes[:2], piped.stderr) == (b"PK", "-: 2 games\n")
    result = run(*order, "--result", "abandoned")
    assert (result.exit_code, "0 games" in result.output) == (0, True), result.output
    refused = run("export-games", "--from", "yesterday", "-o", file, "--url", service.url)
    assert refused.exit_code == 1
    assert "/from" in refused.stderr


def test_scoresheets_are_recorded_one_and_all(run: Run, service: Service) -> None:
    """`driftlog import examples/*.ndjson` opens games from scoresheets, the same ones each time."""
    result = run("import", *SCORESHEETS, "--url", service.url)
    assert result.exit_code == 0, result.output
    told = result.output.splitlines()
    assert [line.split(": imported: ")[0] for line in told] == [str(sheet) for sheet in SCORESHEETS]
    client = api_client.Client(service.url)
    for sheet, line in zip(SCORESHEETS, told, strict=True):
        game = client.get(f"/v1/games/{line.split()[-1]}")
        assert game["ruleset"] == json.loads(sheet.read_text().splitlines()[0])["ruleset"]
        assert game["version"] >= len(sheet.read_text().splitlines())
    again = run("import", SCORESHEETS[0], "--url", service.url)
    assert again.output.splitlines() == [f"{told[0]} (already there)"]


def test_a_scoresheet_that_the_rules_refuse(run: Run, service: Service, tmp_path: Path) -> None:
    opening, set_up, *_ = SCORESHEETS[1].read_text().splitlines()
    wrong, broken, seeded = tmp_path / "wrong", tmp_path / "broken", tmp_path / "seeded"
    wrong.write_text("\n".join([opening, set_up, set_up]))
    broken.write_text(f"{opening}\n{{")
    document = {**json.loads(opening), "chance": "seeded"}
    draw = {"type": "draw_treasure_card", "actor": "p1"}
    drawn = [draw, draw, {"type": "draw_flood_card", "actor": "p1"}, draw]
    seeded.write_text("\n".join(map(json.dumps, [document, *drawn])))

    result = run("import", wrong, broken, seeded, "--url", service.url)
    assert result.exit_code == 1
    first, second, third = result.output.splitlines()
    assert first.startswith(f"{wrong}: REFUSED: game ")
    assert "was opened, but lines 2 to 3 were not recorded: " in first
    assert second.startswith(f"{broken}: REFUSED: every line of a scoresheet must be a JSON document")
    assert "was recorded up to line 4: " in third


def test_what_bg_stats_knows_is_taken_in(run: Run, service: Service, tmp_path: Path) -> None:
    file = tmp_path / "evenings.json"
    plays = [play(uuid=str(UUID(int=number, version=4))) for number in (1, 2)]
    file.write_bytes(of(*plays, play(uuid="x"), players=PLAYERS[:2]))
    result = run("import", file, "--url", service.url)
    assert (result.exit_code, result.stdout) == (0, f"{file}: imported: 1 broken, 2 imported\n")
    assert result.stderr.startswith(f"{file}, play 3: Invalid UUID")
    again = run("import", file, "--format", "bgstats", "--url", service.url)
    assert again.stdout == f"{file}: imported: 1 broken, 2 there\n"
    many = [play(uuid=str(UUID(int=number, version=4))) for number in range(2, 1000)]
    file.write_bytes(of(*many, players=PLAYERS[:2]))
    by_worker = run("import", file, "--url", service.url)
    assert by_worker.stdout == f"{file}: imported: 997 imported, 1 there\n"
    file.write_bytes(b'{"plays": [], "games": [], "players": []}')
    assert run("import", file, "--url", service.url).stdout == f"{file}: imported: no plays\n"
