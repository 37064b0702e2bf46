"""`driftlog backup` and `driftlog restore`: beside a running service, killed at any moment, on a full disk."""

from __future__ import annotations

import json
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from ulid import ULID

from cli import backups
from operations.backup import restoring
from store import Store, keys
from store.redis.embedded import EmbeddedServer
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service, environment, environment_without_coverage
from tests.operations.backup.files import IDS, fill
from tests.playouts import playout
from tests.waiting import PATIENCE, until
from workers.queue import live_workers

Start = Callable[..., Service]
GAMES = 300


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A data folder with three games, and no running service."""
    with EmbeddedServer(tmp_path / "filled", "events", durable=True) as server:
        fill(Store.connect(server.url))
    return tmp_path / "filled"


def test_a_service_is_backed_up_and_restored_elsewhere_while_both_run(run: Run, start: Start, tmp_path: Path) -> None:
    service = start()
    service.ready()
    ids = [service.open_game() for _ in range(3)]
    proof = service.ask("GET", f"/v1/games/{ids[0]}/proof")[1]
    head = service.ask("GET", f"/v1/games/{ids[0]}")[1]["head"]
    opened = list(ids)
    ended = threading.Event()

    def open_more() -> None:
        while not ended.is_set():
            opened.append(service.open_game())

    opening = threading.Thread(target=open_more)
    opening.start()
    try:
        result = run("backup", tmp_path / "backup", "--data", service.data)
    finally:
        ended.set()
        opening.join()
    assert result.exit_code == 0, result.output
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o600

    other = start(tmp_path / "other")
    other.ready()
    result = run("restore", tmp_path / "backup", "--data", other.data)
    assert result.exit_code == 0, result.output
    listed = until(lambda: [game["id"] for game in other.ask("GET", "/v1/games")[1]["games"]], 120)
    assert set(listed) <= set(opened)
    assert other.ask("GET", f"/v1/games/{ids[0]}")[1]["head"] == head
    (tmp_path / "log").write_text(json.dumps(other.ask("GET", f"/v1/games/{ids[0]}/export?format=json")[1]))
    (tmp_path / "proof").write_text(json.dumps(proof))
    (tmp_path / "keys").write_text(json.dumps(other.ask("GET", "/v1/keys")[1]))
    judged = run("verify", tmp_path / "log", "--key", tmp_path / "keys", "--proof", tmp_path / "proof")
    assert judged.exit_code == 0, judged.output
    assert run("doctor", "--all", "--data", other.data).exit_code == 0
    assert run("restore", tmp_path / "backup", "--data", other.data).exit_code == 1


@pytest.mark.long
def test_a_game_that_was_deleted_is_so_where_it_is_restored(run: Run, start: Start, tmp_path: Path) -> None:
    service = start()
    service.ready()
    deleted, stays = service.open_game(), service.open_game()
    head = service.ask("GET", f"/v1/games/{deleted}")[1]["head"]
    with urlopen(Request(f"{service.url}/v1/games/{deleted}", method="DELETE"), timeout=60) as answer:
        assert answer.status == 204
    gone = service.ask("GET", f"/v1/games/{deleted}")[1]
    assert run("backup", tmp_path / "backup", "--data", service.data).exit_code == 0

    other = start(tmp_path / "other")
    other.ready()
    result = run("restore", tmp_path / "backup", "--data", other.data)
    assert (result.exit_code, "1 games, " in result.output) == (0, True), result.output
    status, told = other.ask("GET", f"/v1/games/{deleted}")
    assert (status, told["head"], told["deleted_at"]) == (410, head, gone["deleted_at"])
    (tmp_path / "gone").write_text(json.dumps(told))
    (tmp_path / "keys").write_text(json.dumps(service.ask("GET", "/v1/keys")[1]))
    judged = run("verify", tmp_path / "gone", "--key", tmp_path / "keys")
    assert (judged.exit_code, ": verified: " in judged.output) == (0, True), judged.output
    assert until(lambda: [game["id"] for game in other.ask("GET", "/v1/games")[1]["games"]], 120) == [stays]
    doctor = run("doctor", "--all", "--mend", "--data", other.data)
    assert (doctor.exit_code, "1 games were deleted" in doctor.output) == (0, True), doctor.output
    assert other.ask("GET", f"/v1/games/{deleted}")[0] == 410


def test_a_file_is_judged_without_a_store(run: Run, filled: Path, tmp_path: Path) -> None:
    assert run("backup", tmp_path / "backup", "--data", filled).exit_code == 0
    result = run("restore", tmp_path / "backup", "--check", "--data", tmp_path / "nowhere")
    assert result.exit_code == 0
    assert "is complete: 3 games, " in result.output
    key = result.output.split()[-1]
    assert run("restore", tmp_path / "backup", "--check", "--key", key).exit_code == 0
    other = "A" * 43
    result = run("restore", tmp_path / "backup", "--check", "--key", other)
    assert (result.exit_code, "its seal is not valid" in result.stderr) == (1, True)
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_is_no_backup_touches_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("something else")
    result = run("restore", tmp_path / "file", "--data", tmp_path / "new")
    assert (result.exit_code, result.stderr) == (1, f"Error: {tmp_path}/file: it is not a backup of Driftlog\n")
    result = run("restore", tmp_path / "nothing", "--data", tmp_path / "new")
    assert (result.exit_code, result.stderr) == (
        2,
        f"Error: {tmp_path}/nothing cannot be read: No such file or directory\n",
    )
    assert not (tmp_path / "new").exists()


def test_a_folder_of_something_else_is_no_data_folder(run: Run, filled: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to-ann").write_text("Dear Ann")
    assert run("backup", tmp_path / "backup", "--data", filled).exit_code == 0
    result = run("restore", tmp_path / "backup", "--data", tmp_path / "letters")
    assert (result.exit_code, "contains other files, but no store" in result.stderr) == (69, True)
    for name in ("backup", "doctor"):
        arguments = [tmp_path / "more"] if name == "backup" else []
        result = run(name, *arguments, "--data", tmp_path / "letters")
        assert (result.exit_code, "contains no store" in result.stderr) == (69, True)
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["to-ann"]


def test_nothing_but_a_backup_is_overwritten(run: Run, filled: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Ann")
    result = run("backup", tmp_path / "letter", "--data", filled)
    assert (result.exit_code, (tmp_path / "letter").read_text()) == (73, "Dear Ann")
    assert [run("backup", tmp_path / "backup", "--data", filled).exit_code for _ in range(2)] == [0, 0]
    result = run("backup", tmp_path / "no-such-folder" / "backup", "--data", filled)
    assert (result.exit_code, "cannot be written: No such file" in result.stderr) == (73, True)


def test_a_folder_keeps_the_newest(run: Run, filled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f"driftlog-20260101T00000{number}Z.backup" for number in range(3)]
    for path in old:
        path.touch()
    (folder / "letter").touch()
    part = folder / ".driftlog-20260101T000009Z.backup.part"
    part.touch()
    result = run("backup", folder, "--keep", 2, "--data", filled)
    assert result.exit_code == 0, result.output
    left = sorted(path.name for path in folder.iterdir())
    assert left[:2] == [old[-1].name, Path(result.output.split(":")[0]).name]
    assert left[2:] == ["letter"]
    assert run("backup", folder / "one", "--keep", 2, "--data", filled).exit_code == 2


def test_a_damaged_game_is_told_and_old_backups_stay(run: Run, filled: Path, tmp_path: Path) -> None:
    with EmbeddedServer(filled, "events", durable=True) as server:
        Store.connect(server.url).client.xdel(keys.events(IDS[0]), "3-0")
    old = tmp_path / "driftlog-20260101T000000Z.backup"
    old.touch()
    result = run("backup", tmp_path, "--keep", 1, "--data", filled)
    assert result.exit_code == 1
    assert f"{IDS[0]} is skipped: the record is damaged at event 3" in result.stderr
    assert old.exists()
    result = run("doctor", "--json", "--data", filled)
    report = json.loads(result.output)
    assert (result.exit_code, report["level"]) == (1, "fail")
    (chains,) = (finding for finding in report["findings"] if finding["check"] == "chains")
    assert chains["about"] == [IDS[0]]


def test_old_backups_that_cannot_be_deleted(tmp_path: Path) -> None:
    (tmp_path / "driftlog-1.backup").mkdir()
    (tmp_path / "driftlog-2.backup").touch()
    with pytest.raises(backups.CannotWrite, match="old backups in"):
        backups.prune(tmp_path, 1)


def test_two_at_once_do_not_mix(run: Run, filled: Path, tmp_path: Path) -> None:
    with backups._atomic_file(tmp_path / "backup") as file:
        file.write(b"half")
        assert run("backup", tmp_path / "backup", "--data", filled).exit_code == 75
    assert (tmp_path / "backup").read_bytes() == b"half"


@pytest.mark.parametrize("bytes_", [0, 2000])
def test_a_disk_that_is_full_leaves_no_file(filled: Path, tmp_path: Path, bytes_: int) -> None:
    folder = tmp_path / "full"
    folder.mkdir()

    with EmbeddedServer(filled, "events", durable=True) as server:
        words = [sys.executable, "-m", "cli.main", "backup", str(folder / "backup")]
        ended = subprocess.run(
            words,
            cwd=ROOT,
            # Coverage data is written too, which is not possible here.
            env=environment_without_coverage(environment(DRIFTLOG_REDIS_URL=server.url)),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_)),
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ended.returncode, "cannot be written: File too large" in ended.stderr) == (73, True), ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(folder.iterdir()) == []


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with so many games that a backup takes long enough to be killed."""
    with EmbeddedServer(tmp_path_factory.mktemp("many"), "events", durable=True) as server:
        store = Store.connect(server.url)
        store.client.config_set("appendfsync", "no")
        log = playout(seed=1)
        for _ in range(GAMES):
            store.events.open(str(ULID()).lower(), log, None)
        yield store


def url_of(store: Store) -> str:
    path: str = store.client.get_connection_kwargs()["path"]
    return f"unix://{path}"


def without_coverage(url: str) -> dict[str, str]:
    """Return the environment of a command without coverage, because a signal handler that raises within the tracer
    locks it for ever.
    """
    return environment_without_coverage(environment(DRIFTLOG_REDIS_URL=url))


def signal_command(words: list[str], env: dict[str, str], number: int, when: Callable[[], object]) -> bool:
    """Run a command and send it a signal once a condition is true; return False if it ended before."""
    process = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: when() or process.poll() is not None)
    process.send_signal(number)
    return process.wait(PATIENCE) != 0


@pytest.mark.long
def test_a_backup_that_is_killed_leaves_the_one_before(many: Store, run: Run, tmp_path: Path) -> None:
    env = without_coverage(url_of(many))
    words = [sys.executable, "-m", "cli.main", "backup", str(tmp_path / "backup")]
    assert subprocess.run(words, cwd=ROOT, env=env, check=False, capture_output=True).returncode == 0
    before = (tmp_path / "backup").read_bytes()
    for number in (signal.SIGKILL, signal.SIGTERM):
        part = tmp_path / ".backup.part"
        part.unlink(missing_ok=True)
        if signal_command(words, env, number, part.exists):
            assert (tmp_path / "backup").read_bytes() == before
        assert number == signal.SIGKILL or not part.exists()
    assert run("restore", "--check", tmp_path / "backup").exit_code == 0


@pytest.mark.long
def test_a_restore_that_is_killed_anywhere_is_made_good_by_the_next(many: Store, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    with path.open("wb") as file:
        backups.writing.write(many, file, made_by="test")
    with EmbeddedServer(tmp_path / "target", "events", durable=True) as server:
        store = Store.connect(server.url)
        store.client.config_set("appendfsync", "no")
        words = [sys.executable, "-m", "cli.main", "restore", str(path)]
        env = without_coverage(server.url)
        for awaited in ("writing", "placing"):
            store.client.flushdb()
            signal_command(words, env, signal.SIGKILL, lambda awaited=awaited: restoring.stage(store) == awaited)
            stage = restoring.stage(store)
            shown = sum(1 for _ in store.events.game_ids())
            assert shown == 0 if stage == "writing" else shown <= GAMES
            store.client.delete(keys.RESTORE_LOCK)
            again = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
            # The command may be near its end without having ended.
            assert again.returncode == (1 if stage is None else 0), again.stderr
            assert sum(1 for _ in store.events.game_ids()) == GAMES
            assert not list(store.client.scan_iter(match="*restor*"))


@pytest.mark.long
def test_a_service_does_not_show_half_of_a_restore(run: Run, start: Start, filled: Path, tmp_path: Path) -> None:
    with EmbeddedServer(filled, "events", durable=True) as server:
        store = Store.connect(server.url)
        store.client.hset(keys.RESTORE_STAGE, mapping={"stage": "placing", "digest": "x"})
    service = start(filled)
    assert service.wait_for_exit() == 69
    assert "a restore into this store is unfinished" in service.complained
    assert run("doctor", "--data", filled).exit_code == 1
    result = run("doctor", "--mend", "--data", filled)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("fixed data of an unfinished restore was completed\n")
    start(filled).ready()


@pytest.mark.long
def test_doctor_sees_a_service_at_work(run: Run, start: Start) -> None:
    service = start()
    service.ready()
    service.open_game()
    until(lambda: live_workers(service.queue()) == 2)
    result = run("doctor", "--data", service.data)
    assert result.exit_code == 0
    assert "ok     workers     2 running, idle or busy" in result.output
    assert {line.split()[0] for line in result.output.splitlines()} <= {"ok", "warn"}


def test_doctor_says_that_the_queue_is_gone(
    run: Run, store: Store, events_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", events_server)
    monkeypatch.setenv("DRIFTLOG_QUEUE_URL", "unix:///nowhere")
    result = run("doctor")
    assert (result.exit_code, "fail   workers     the queue does not answer" in result.output) == (1, True)


def test_a_restore_has_the_room_of_the_store(
    run: Run, filled: Path, store: Store, events_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = filled.parent / "backup"
    assert run("backup", backup, "--data", filled).exit_code == 0
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", events_server)
    used = store.client.info("memory")["used_memory"]
    store.client.config_set("maxmemory", used + 4000)
    try:
        result = run("restore", backup)
    finally:
        store.client.config_set("maxmemory", 0)
    assert (result.exit_code, "the unpacked backup is larger than the memory of the store" in result.stderr) == (
        1,
        True,
    ), result.stderr
    assert run("restore", backup).exit_code == 0
    assert sorted(store.events.game_ids()) == sorted(IDS)
