"""A service in its own processes, as a user starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rq import Worker

from store import Store
from store.redis.embedded import running_url
from tests.ports import holders
from tests.waiting import PATIENCE, until
from workers.queue import Queue, connect

ROOT = Path(__file__).resolve().parents[2]
SEEDED = {
    "ruleset": "forbidden-island",
    "seats": [{"name": "Ann"}, {"name": "Bob"}],
    "chance": "seeded",
    "seed": "calm",
}


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of this process without settings and configuration file, and with `variables`."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTLOG_")}
    return plain | {"DRIFTLOG_CONFIG": os.devnull} | variables


def environment_without_coverage(variables: dict[str, str]) -> dict[str, str]:
    """Return the environment of a process without coverage measurement."""
    return {name: value for name, value in variables.items() if not name.startswith("COVERAGE")}


class Service:
    """A running `driftlog serve` on a data folder.

    Args:
        is_measured: True to measure its coverage. Starting its processes then takes several times as long, so only
            services that many tests share are measured.
    """

    def __init__(self, data: Path, *options: str, port: int = 0, is_measured: bool = False, **variables: str) -> None:
        self.data = data
        variables = environment(**variables) if is_measured else environment_without_coverage(environment(**variables))
        command = [sys.executable, "-m", "cli.main", "serve", "--port", str(port), "--data", str(data), *options]
        with tempfile.NamedTemporaryFile("w", prefix="driftlog-", suffix=".log", delete=False) as log:
            # A pipe that nobody reads would fill, and block the service.
            self._log = Path(log.name)
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=log, bufsize=0
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def ready(self) -> str:
        """Wait for the address and return it; other output stays in `said`."""
        assert self.process.stdout is not None
        # Unbuffered, because `communicate` would miss data in a buffer.
        first = self.process.stdout.readline().decode()
        found = re.search(r"https?://\S+", first)
        assert found is not None, (self.wait_for_exit(), self.complained)
        self.said = first
        self.url = found[0]
        return self.url

    @property
    def log(self) -> list[dict[str, Any]]:
        """Return the lines of its JSON log so far."""
        # The last line may be incomplete.
        whole = self._log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]

    def stop(self) -> int:
        """Stop the service, and return its exit code.

        Afterwards `said` has its output, `logged` its log, and `complained` the log lines that are complaints.
        """
        self.process.send_signal(signal.SIGTERM)
        return self.wait_for_exit()

    def wait_for_exit(self) -> int:
        """Wait for the end of the service, and return its exit code."""
        # On a busy machine, starting and stopping take longer than an answer.
        said, _ = self.process.communicate(timeout=2 * PATIENCE)
        self.said = getattr(self, "said", "") + said.decode()
        lines = self._log.read_text().splitlines(keepends=True)
        self.logged = [json.loads(line) for line in lines if line.startswith("{")]
        self.complained = "".join(line for line in lines if not _is_no_complaint(line))
        self._log.unlink()
        return self.process.returncode

    def kill(self) -> None:
        """Kill the service in any state."""
        self.process.kill()
        self.wait_for_exit()

    def ask(self, method: str, path: str, document: Any = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON document of a response."""
        return ask(self.url, method, path, document, **headers)

    def open_game(self) -> str:
        """Open a seeded game, and return its id."""
        status, game = self.ask("POST", "/v1/games", SEEDED)
        assert status == 201, game
        id_: str = game["id"]
        return id_

    def server_pid(self, name: Literal["events", "queue"]) -> int:
        """Return the process id of an embedded server: the child that works in the server's folder."""
        folder = str((self.data / name).resolve())
        return until(lambda: next((child for child in children(self.pid) if folder_of(child) == folder), 0))

    def web_pids(self) -> list[int]:
        """Return the process ids of the web processes: the children that hold the listening socket."""
        return holders(int(self.url.rpartition(":")[2]), children(self.pid))

    def web_pid(self) -> int:
        """Return the process id of a web process."""
        return until(lambda: min(self.web_pids(), default=0))

    def worker_pid(self) -> int:
        """Return the process id of a live worker; a killed worker stays on the list for a while."""
        return until(
            lambda: next((one.pid for one in Worker.all(queue=self.queue()) if one.pid in children(self.pid)), 0)
        )

    def queue(self) -> Queue:
        """Return the service's job queue."""
        url = running_url(self.data, "queue")
        assert url is not None
        return connect(url)

    def store(self) -> Store:
        """Return the service's store."""
        url = running_url(self.data, "events")
        assert url is not None
        return Store.connect(url)


def _is_no_complaint(line: str) -> bool:
    """Return True if a log line is no complaint."""
    return line.startswith("{") and json.loads(line)["level"] in {"debug", "info"}


def ask(url: str, method: str, path: str, document: Any = None, **headers: str) -> tuple[int, Any]:
    """Return the status and the JSON document of a response of the service at `url`."""
    body = None if document is None else json.dumps(document).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url + path, body, {"Content-Type": "application/json", **named}, method=method)
    try:
        with urlopen(request, timeout=PATIENCE) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


def children(pid: int) -> list[int]:
    """Return the ids of the children of a process."""
    return [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if parent_of(stat) == pid]


def parent_of(stat: Path) -> int:
    """Return the id of the parent in a file `/proc/<pid>/stat`; 0 if the process has ended."""
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def folder_of(pid: int) -> str:
    """Return the working folder of a process; empty if it has ended."""
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except (FileNotFoundError, ProcessLookupError):
        return ""
