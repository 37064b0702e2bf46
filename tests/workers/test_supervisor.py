"""The supervisor: its children live exactly as long as it does."""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, until
from workers.supervisor import ChildRole, Supervisor

ROOT = Path(__file__).resolve().parents[2]

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a family, which ignores only the signals in `ignored`; kill it at the end."""
    started = []

    def start(*names: str, ignored: Sequence[signal.Signals] = ()) -> subprocess.Popen[str]:
        signals = ",".join(number.name for number in ignored)
        command = [sys.executable, "-m", "tests.workers.family", str(tmp_path), signals, *names]
        started.append(subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for parent in started:
        parent.kill()
        parent.communicate()
    for name in ("steady", "stubborn"):
        for pid in lives(tmp_path, name).values():
            # The death of its parent may be ending it already.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def lives(folder: Path, name: str) -> dict[str, int]:
    """Return the process ids of a role's children so far, by life."""
    return {
        path.name.split("-")[1]: int(path.read_text()) for path in folder.glob(f"{name}-*") if path.suffix != ".part"
    }


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def born(folder: Path, name: str = "steady", count: int = 1) -> dict[str, int]:
    return until(lambda: found if len(found := lives(folder, name)) >= count else None) or {}


def test_a_child_that_is_killed_is_buried_and_started_again(start: Start, tmp_path: Path) -> None:
    parent = start("steady", "stubborn")
    (life,) = born(tmp_path)
    others = born(tmp_path, "stubborn")
    os.kill(born(tmp_path)[life], signal.SIGKILL)
    both = born(tmp_path, count=2)
    assert len(set(both.values())) == 2
    assert (tmp_path / f"buried-{life}").exists()
    assert lives(tmp_path, "stubborn") == others
    parent.terminate()
    assert parent.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_all_of_them_end_together(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    parent = start("steady", "steady")
    children = born(tmp_path, count=2)
    parent.send_signal(number)
    assert parent.wait(PATIENCE) == 0
    assert not any(map(is_alive, children.values()))
    assert list(tmp_path.glob("buried-*")) == []


def test_what_it_was_started_to_ignore_it_ignores(start: Start, tmp_path: Path) -> None:
    parent = start("steady", ignored=[signal.SIGHUP])
    born(tmp_path)
    parent.send_signal(signal.SIGHUP)
    (tmp_path / "restart").touch()
    born(tmp_path, count=2)
    parent.terminate()
    assert parent.wait(PATIENCE) == 0


def test_one_that_does_not_end_is_killed(start: Start, tmp_path: Path) -> None:
    parent = start("stubborn")
    children = born(tmp_path, "stubborn")
    parent.terminate()
    assert parent.wait(PATIENCE) == 0
    assert not any(map(is_alive, children.values()))
    assert [path.name for path in tmp_path.glob("buried-*")] == [f"buried-{life}" for life in children]
    assert parent.stderr is not None
    assert "does not end: killed" in parent.stderr.read()


def test_children_end_with_a_parent_that_is_killed(start: Start, tmp_path: Path) -> None:
    parent = start("steady", "stubborn")
    children = {**born(tmp_path), **born(tmp_path, "stubborn")}
    parent.kill()
    until(lambda: not any(map(is_alive, children.values())))


def test_a_child_that_goes_on_ends_soon_after_a_parent_that_is_killed(start: Start, tmp_path: Path) -> None:
    parent = start("stubborn")
    (pid,) = born(tmp_path, "stubborn").values()
    parent.kill()
    until(lambda: not is_alive(pid))


def test_one_that_dies_at_once_is_tried_again_and_again(start: Start, tmp_path: Path) -> None:
    parent = start("hasty")
    born(tmp_path, "hasty", count=4)
    parent.terminate()
    assert parent.wait(PATIENCE) == 0


def test_a_parent_without_descriptors_goes_on(start: Start, tmp_path: Path) -> None:
    """The parent can neither start nor clean up a child, and does both once there is room."""
    parent = start("steady")
    (pid,) = born(tmp_path).values()
    soft, hard = resource.prlimit(parent.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(parent.pid, resource.RLIMIT_NOFILE, (3, hard))
    os.kill(pid, signal.SIGKILL)
    assert parent.stderr is not None
    said = list(takewhile(lambda line: "steady cannot start" not in line, parent.stderr))
    assert "cleaning up after steady has failed\n" in said
    assert parent.poll() is None
    resource.prlimit(parent.pid, resource.RLIMIT_NOFILE, (soft, hard))
    born(tmp_path, count=2)
    parent.terminate()
    assert parent.wait(PATIENCE) == 0


def test_a_refused_start_leaves_no_descriptors_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    supervisor = Supervisor([ChildRole("refused", lambda _: None)])
    before = len(list(Path("/proc/self/fd").iterdir()))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fork", refuse)
        supervisor.mend()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_one_can_be_started_anew(start: Start, tmp_path: Path) -> None:
    parent = start("steady")
    born(tmp_path)
    (tmp_path / "restart").touch()
    born(tmp_path, count=2)
    parent.terminate()
    assert parent.wait(PATIENCE) == 0


def test_an_extra_child_runs_only_while_it_is_needed(start: Start, tmp_path: Path) -> None:
    parent = start("steady", "extra")
    born(tmp_path)
    for count in (1, 2):
        assert len(lives(tmp_path, "extra")) == count - 1
        (tmp_path / "needed").touch()
        extra = born(tmp_path, "extra", count)
        (tmp_path / "needed").unlink()
        until(lambda extra=extra: not any(map(is_alive, extra.values())))
    parent.terminate()
    assert parent.wait(PATIENCE) == 0
    assert parent.stderr is not None
    assert parent.stderr.read() == ""


def test_a_child_starts_when_its_socket_is_called(start: Start, tmp_path: Path) -> None:
    parent = start("steady", "called")
    born(tmp_path)
    seen = set()
    for _ in range(2):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(tmp_path / "call"))
            seen.add(int(caller.recv(100)))
    assert len(seen) == 2
    parent.terminate()
    assert parent.wait(PATIENCE) == 0
    assert parent.stderr is not None
    assert parent.stderr.read() == ""


def test_a_child_that_stands_back_leaves_a_core_to_others(start: Start, tmp_path: Path) -> None:
    (tmp_path / "needed").touch()
    start("extra")
    (pid,) = born(tmp_path, "extra").values()
    cores = os.sched_getaffinity(0)
    assert os.sched_getaffinity(pid) == (cores - {min(cores)} or cores)
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    session = Path(f"/proc/{pid}/autogroup")
    assert not session.exists() or session.read_text().endswith(" nice 1\n")
    (tmp_path / "needed").unlink()
