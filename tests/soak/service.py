"""The service under test: `driftlog serve` in its own folder, and all processes that belong to it."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec
from redis import Redis, RedisError
from rq import Worker

from tests.ports import holders
from tests.soak.client import Address
from workers.queue import connect

ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 60.0
POLL = 0.1
"""Seconds between two checks of the processes."""
UNDECIDED = 2.0
"""Age in seconds at which a child with no other role counts as the dispatcher."""
WITH_IT = 5.0
"""Seconds around the end of a supervisor within which the ends of its children count as caused by it."""
LOADED = 5.0
"""Seconds after which a process has loaded its modules and data."""
FOLLOWS = 30.0
"""Seconds after the death of a Redis within which the supervisor restarts the dispatcher."""
MARK = "DRIFT_SOAK"
"""An environment variable that identifies all processes of a run, whatever their parent."""
ON_DEMAND = frozenset({"web process", "worker"})
"""The roles of processes that may end by themselves, when they are idle."""
_REASON = re.compile(r"\(process (?P<pid>\d+)\) has ended with (?P<reason>exit code -?\d+)")
"""A reason of an end in the supervisor's log. A signal is a negative exit code."""


class Process(msgspec.Struct):
    """A process of the service."""

    pid: int
    parent: int
    """The parent at its start."""
    born: float
    """Time of its start, by `time.monotonic`."""
    role: str = ""
    first: int = 0
    """Resident memory just after the start, in KiB."""
    last: int = 0
    most: int = 0
    seen: float = 0.0
    """Age in seconds when it was last seen."""


class Death(msgspec.Struct, frozen=True):
    """The end of a process that nobody killed."""

    at: float
    pid: int
    role: str
    reason: str


class Service:
    """Starts, stops and watches the service. All its files are in `folder`, including temporary ones."""

    def __init__(self, address: Address, folder: Path) -> None:
        self.address = address
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "service.log"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.processes: dict[int, Process] = {}
        """The live processes, by process id."""
        self.ended: list[Process] = []
        self.deaths: list[Death] = []
        self.killed: dict[int, float] = {}
        """Time of each kill by the killer, by process id."""
        self.began = time.monotonic()
        self.memory: list[tuple[float, str, int, int]] = []
        """For each second and process: time, role, process id, and resident memory in KiB."""
        self.is_planned_down = True
        """True if the whole service should end, or has ended."""
        self._mark = f"{MARK}={secrets.token_hex(8)}"
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()
        self._server_killed = -FOLLOWS
        self._log_began = 0

    def start(self) -> None:
        """Start the service; it answers some time later."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTLOG_")}
        plain.pop("XDG_RUNTIME_DIR", None)
        name, _, value = self._mark.partition("=")
        environment = plain | {name: value, "TMPDIR": str(self.temporary), "PYTHONFAULTHANDLER": "1"}
        command = [sys.executable, "-m", "cli.main", "serve", "--port", str(self.address[1]), "--data", str(self.data)]
        with self._lock, self.log.open("ab") as log:
            self._log_began = log.tell()
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
            self.is_planned_down = False

    def stop(self) -> int | None:
        """Stop the service; return its exit code, or None if it had to be killed."""
        assert self._process is not None
        self.is_planned_down = True
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None

    @property
    def has_ended(self) -> bool:
        """True if the supervisor has ended."""
        return self._process is None or self._process.poll() is not None

    @property
    def exit_code(self) -> int | None:
        """The exit code of the supervisor."""
        return None if self._process is None else self._process.poll()

    def of(self, role: str) -> list[Process]:
        """Return the processes with this role."""
        with self._lock:
            return [process for process in self.processes.values() if process.role == role]

    def signal(self, pid: int, number: signal.Signals) -> bool:
        """Send a signal to a process, and record kills; return False if it has ended by itself."""
        with self._lock:
            process = self.processes.get(pid)
            if process is None:
                return False
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                return False
            if number == signal.SIGKILL:
                self.killed[pid] = time.monotonic()
                self.is_planned_down |= process.role == "supervisor"
            if process.role.endswith("Redis"):
                self._server_killed = time.monotonic()
        return True

    @property
    def is_up(self) -> bool:
        """True if the service has printed its address since its last start."""
        with self.log.open("rb") as log:
            log.seek(self._log_began)
            return b"http://" in log.read()

    def reap(self) -> None:
        """Wait for the end of a supervisor that was killed."""
        assert self._process is not None
        self._process.wait()

    def look(self) -> None:
        """Update the list of processes, and record those that have ended."""
        with self._lock:
            living = {pid: parent for pid, parent in _living() if self._is_ours(pid)}
            for pid, parent in living.items():
                if pid not in self.processes:
                    self.processes[pid] = Process(pid, parent, time.monotonic())
            for pid in [pid for pid in self.processes if pid not in living]:
                self._bury(self.processes.pop(pid))
            now = time.monotonic() - self.began
            is_due = not self.memory or now >= self.memory[-1][0] + 1
            for process in self.processes.values():
                # On a busy machine, it takes long until a worker is registered.
                if not process.role or (is_due and process.role == "dispatcher"):
                    process.role = self._role(process)
                memory = _memory(process.pid)
                process.seen = time.monotonic() - process.born
                process.first = memory if process.seen < LOADED else process.first or memory
                process.last = memory or process.last
                process.most = max(process.most, memory)
                if is_due:
                    self.memory.append((now, process.role, process.pid, memory))

    def watch(self, over: threading.Event) -> None:
        """Check the processes again and again, until `over` is set."""
        while not over.wait(POLL):
            self.look()

    def kill_leftovers(self) -> list[str]:
        """Kill the processes that remain of a service that should have ended; return their descriptions."""
        self.look()
        with self._lock:
            left = [f"{process.role or 'process'} {process.pid}" for process in self.processes.values()]
            for pid in self.processes:
                self.killed[pid] = time.monotonic()
                os.kill(pid, signal.SIGKILL)
        return left

    def left_files(self) -> list[str]:
        """Return the names of files in the temporary folder."""
        return sorted(path.name for path in self.temporary.iterdir())

    def reasons(self) -> dict[int, str]:
        """Return why processes ended, according to the service's log, by process id."""
        found: dict[int, str] = {}
        for one in _REASON.finditer(self.log.read_text(errors="replace")):
            found.setdefault(int(one["pid"]), one["reason"])
        return found

    def unplanned_deaths(self) -> list[Death]:
        """Return the ends that nobody caused, including those of processes that lived too briefly to be seen."""
        reasons = self.reasons()
        ends = [death.at for death in self.deaths if death.role == "supervisor"]
        seen = [
            msgspec.structs.replace(death, reason=reasons.get(death.pid, death.reason))
            for death in self.deaths
            if death.role == "supervisor" or not any(abs(death.at - end) < WITH_IT for end in ends)
            if death.role not in ON_DEMAND or death.pid in reasons
        ]
        known = {process.pid for process in self.ended} | set(self.processes)
        return seen + [Death(0.0, pid, "unseen", reason) for pid, reason in reasons.items() if pid not in known]

    def _is_ours(self, pid: int) -> bool:
        if pid in self.processes:
            return True
        # Redis overwrites its environment with its title, but it works in the data folder.
        if Path(_folder(pid)).is_relative_to(self.data):
            return True
        try:
            return self._mark.encode() in Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False

    def _role(self, process: Process) -> str:
        if self._process is not None and process.pid == self._process.pid:
            return "supervisor"
        folder = _folder(process.pid)
        parent = self.processes.get(process.parent)
        if _is_guardian(process.pid):
            # A guarded server runs the guardian's script until it becomes the server.
            is_server = Path(folder).is_relative_to(self.data) and parent is not None and parent.role == "supervisor"
            return "" if is_server else "guardian"
        for name in ("events", "queue"):
            if folder == str(self.data / name):
                # A child of a server rewrites the server's file.
                return "rewrite" if parent is not None and parent.role.endswith("Redis") else f"{name} Redis"
        if parent is None or parent.role != "supervisor":
            return ""
        if process.pid in self._workers():
            return "worker"
        # At first, every child has a copy of the listening socket.
        if time.monotonic() - process.born < UNDECIDED:
            return ""
        return "web process" if holders(self.address[1], [process.pid]) else "dispatcher"

    def _workers(self) -> set[int]:
        try:
            url = f"unix://{(self.data / 'queue' / 'socket').read_text()}"
            with Redis.from_url(url, socket_timeout=1) as probe:
                probe.ping()
            return {worker.pid for worker in Worker.all(connection=connect(url).connection) if worker.pid is not None}
        except (OSError, RedisError):
            return set()

    def _bury(self, process: Process) -> None:
        self.ended.append(process)
        if self.is_planned_down or self._is_killed(process):
            return
        if process.role == "rewrite" or self._follows(process):
            return
        code = f"exit code {self.exit_code}" if process.role == "supervisor" else "nothing in the log"
        self.deaths.append(Death(time.monotonic() - self.began, process.pid, process.role or "unknown", code))

    def _is_killed(self, process: Process) -> bool:
        """Return True if the process or one of its ancestors was killed."""
        born_to = {other.pid: other.parent for other in [*self.ended, *self.processes.values()]}
        pid = process.pid
        while pid in born_to:
            if pid in self.killed:
                return True
            pid = born_to[pid]
        return False

    def _follows(self, process: Process) -> bool:
        """Return True if the process ended on purpose.

        It did if it ended soon after a Redis was killed, and so will be restarted. So did a guardian whose service was
        killed before the soak test saw the service.
        """
        known = {other.pid for other in [*self.ended, *self.processes.values()]}
        if process.role == "guardian" and process.parent not in known:
            return True
        return process.role in {"dispatcher", "guardian", ""} and time.monotonic() - self._server_killed < FOLLOWS


def make_folder() -> Path:
    """Create a folder for a run, with a short path because of the limit for sockets."""
    return Path(tempfile.mkdtemp(prefix="soak-", dir="/tmp"))


def keep(service: Service, folder: Path) -> None:
    """Save the data needed to examine a run: the logs, and the memory over time."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (f"{at:.1f},{role},{pid},{kib}\n" for at, role, pid, kib in service.memory)
    (folder / "memory.csv").write_text("seconds,role,pid,kib\n" + "".join(lines))
    shutil.copy(service.log, folder / "service.log")
    for log in service.data.glob("*/server.log*"):
        shutil.copy(log, folder / f"{log.parent.name}-{log.name}")


def _living() -> list[tuple[int, int]]:
    """Return all processes except zombies, each with its parent."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            found.append((int(stat.parent.name), int(fields[1])))
    return found


def _folder(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:
        return ""


def _is_guardian(pid: int) -> bool:
    """Return True if a process is a guardian, which waits for the end of another one."""
    try:
        return b"guardian.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _memory(pid: int) -> int:
    """Return the resident memory in KiB; 0 if the process has ended."""
    try:
        found = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) if found else 0
