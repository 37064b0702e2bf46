"""SIGKILL in every order: no process and no folder remains, and the next start has all acknowledged events."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from store.redis.scratch import Guardian, Scratch, sweep
from tests.cli.service import ROOT, Service, children, environment
from tests.waiting import until

pytestmark = pytest.mark.long

Start = Callable[..., Service]
PARTS = ("supervisor", "web server", "worker", "dispatcher")
ORDERS = [*(PARTS[first:] + PARTS[:first] for first in range(len(PARTS))), PARTS[::-1]]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A temporary folder of the service, with a path short enough for a socket."""
    with Scratch() as scratch:
        (scratch.path / "tmp").mkdir()
        yield scratch.path / "tmp"


def places(place: Path) -> dict[str, str]:
    return {"TMPDIR": str(place), "XDG_RUNTIME_DIR": str(place)}


def is_gone(pid: int) -> bool:
    """Return True if a process has ended, even if its parent has not waited for it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def kill(pid: int) -> None:
    """Send SIGKILL, unless the process has ended because another was killed."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def tree(pid: int) -> list[int]:
    """Return a process and its descendants."""
    return [pid, *itertools.chain.from_iterable(map(tree, children(pid)))]


def guardians(place: Path) -> list[int]:
    """Return the guardians of this folder's servers; the service is not their parent."""
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if any(word.endswith(b"guardian.py") for word in words) and any(os.fsencode(place) in word for word in words):
            found.append(int(command.parent.name))
    return found


def part(service: Service, name: str) -> int:
    match name:
        case "supervisor":
            return service.pid
        case "web server":
            return service.web_pid()
        case "worker":
            return service.worker_pid()
        case _:
            servers = {service.server_pid("events"), service.server_pid("queue")}
            known = {*service.web_pids(), service.worker_pid(), *servers}
            # Other workers started after it.
            return min(pid for pid in children(service.pid) if pid not in known)


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_whoever_is_killed_first(start: Start, tmp_path: Path, place: Path, order: tuple[str, ...]) -> None:
    service = start(tmp_path / "data", "--workers", "1", **places(place))
    service.ready()
    game_id = service.open_game()
    said = {"type": "annotate", "params": {"text": "acknowledged"}}
    assert service.ask("POST", f"/v1/games/{game_id}/events", said)[0] == 201
    victims = [part(service, name) for name in order]
    everyone = {*tree(service.pid), *guardians(place)}
    assert len(list(place.iterdir())) == 2
    assert set(victims) < everyone
    # Kill them at once, before any is restarted.
    os.kill(service.pid, signal.SIGSTOP)
    for victim in victims:
        kill(victim)
    service.wait_for_exit()
    until(lambda: all(map(is_gone, everyone)))
    until(lambda: not guardians(place))
    assert list(place.iterdir()) == []

    again = start(tmp_path / "data", "--workers", "1", **places(place))
    again.ready()
    status, game = again.ask("GET", f"/v1/games/{game_id}")
    assert (status, game["version"]) == (200, 3)
    assert again.stop() == 0
    until(lambda: not guardians(place))
    assert list(place.iterdir()) == []


def test_the_next_start_clears_away_what_nobody_did(start: Start, tmp_path: Path, place: Path) -> None:
    service = start(tmp_path / "data", **places(place))
    service.ready()
    game_id = service.open_game()
    everyone = [*guardians(place), *tree(service.pid)]
    os.kill(service.pid, signal.SIGSTOP)
    for pid in everyone:
        kill(pid)
    service.wait_for_exit()
    until(lambda: all(map(is_gone, everyone)))
    left = set(place.iterdir())
    assert len(left) == 2
    (place / "driftlog-of-somebody").mkdir()

    again = start(tmp_path / "data", **places(place))
    again.ready()
    assert again.ask("GET", f"/v1/games/{game_id}")[0] == 200
    now = set(place.iterdir())
    assert len(now) == 3
    assert not now & left
    assert again.stop() == 0
    assert [folder.name for folder in place.iterdir()] == ["driftlog-of-somebody"]


def test_a_guardian_that_is_killed_is_not_missed(start: Start, tmp_path: Path, place: Path) -> None:
    service = start(tmp_path / "data", **places(place))
    service.ready()
    for pid in guardians(place):
        os.kill(pid, signal.SIGKILL)
    assert service.ask("GET", "/healthz")[0] == 200
    assert service.stop() == 0
    assert list(place.iterdir()) == []


DEMO = """
import signal
from cli import demo
with demo._own_service() as client:
    print(client.url, flush=True)
    signal.pause()
"""


def test_the_service_of_a_demo_ends_with_it(place: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", DEMO], cwd=ROOT, env=environment(**places(place)), stdout=subprocess.PIPE, text=True
    ) as demo:
        assert demo.stdout is not None
        assert demo.stdout.readline().startswith("http://")
        everyone = [*tree(demo.pid), *guardians(place)]
        demo.kill()
    until(lambda: all(map(is_gone, everyone)))
    until(lambda: not guardians(place))
    assert list(place.iterdir()) == []


def test_only_what_nobody_owns_is_swept(place: Path) -> None:
    with Scratch(place) as mine:
        gone = Scratch(place)
        gone._lock.close()
        (place / "driftlog-file").write_text("")
        (place / "driftlog-empty").mkdir()
        (place / "else").mkdir()
        with Scratch(place) as other:
            assert {path.name for path in place.iterdir()} == {
                *(mine.path.name, other.path.name),
                *("driftlog-file", "driftlog-empty", "else"),
            }
        sweep(place)
        assert mine.path.is_dir()
    assert not mine.path.exists()


def test_a_folder_outlives_a_fork_of_its_owner(place: Path) -> None:
    scratch = Scratch(place)
    guarded = Guardian(scratch.path, ["/bin/sleep", "600"])
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    sweep(place)
    assert scratch.path.is_dir()
    guarded.forget()
    until(lambda: not scratch.path.exists())
    guarded.process.wait()
    guarded.dismiss()
    scratch.remove()


def test_a_program_that_does_not_heed_sigterm_is_killed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from store.redis import guardian

    ended: list[int] = []
    life, held = os.pipe()
    monkeypatch.setattr(guardian, "PATIENCE", 0.01)
    monkeypatch.setattr(os, "kill", lambda _pid, number: ended.append(number))
    guardian._end(1, life)
    assert ended == [signal.SIGTERM, signal.SIGKILL]
    os.close(held)
    guardian._end(1, life)
    assert ended == [signal.SIGTERM, signal.SIGKILL]
    os.close(life)
