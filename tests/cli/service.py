"""A service as a user starts it, in processes of its own."""

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
    """This process's environment without settings and without a config file, and with `variables`."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("DRIFTLOG_")}
    return plain | {"DRIFTLOG_CONFIG": os.devnull} | variables


def unmeasured(variables: dict[str, str]) -> dict[str, str]:
    """The environment of a process that measures no coverage."""
    return {name: value for name, value in variables.items() if not name.startswith("COVERAGE")}


class Service:
    """`driftlog serve` on a data folder.

    Args:
        is_measured: whether its coverage counts. To start its processes takes several times as long then, so it does
            where many tests share it.
    """

    def __init__(self, data: Path, *options: str, port: int = 0, is_measured: bool = False, **variables: str) -> None:
        self.data = data
        variables = environment(**variables) if is_measured else unmeasured(environment(**variables))
        command = [sys.executable, "-m", "cli.main", "serve", "--port", str(port), "--data", str(data), *options]
        with tempfile.NamedTemporaryFile("w", prefix="driftlog-", suffix=".log", delete=False) as log:
            # A pipe that nobody reads would fill, and hold the service up.
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
        # Unbuffered: what comes with the line would be lost to `communicate`.
        first = self.process.stdout.readline().decode()
        found = re.search(r"https?://\S+", first)
        assert found is not None, (self.ended(), self.complained)
        self.said = first
        self.url = found[0]
        return self.url

    @property
    def log(self) -> list[dict[str, Any]]:
        """The lines of its log until now, where it logs JSON."""
        # The last may be half written.
        whole = self._log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]

    def stop(self) -> int:
        """Ask it to end; its exit code. What it said is in `said`, its log in `logged`, and `complained` is the part
        of that which is a complaint.
        """
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Its exit code, once it has ended."""
        # To start and to end takes a machine that is busy longer than an answer.
        said, _ = self.process.communicate(timeout=2 * PATIENCE)
        self.said = getattr(self, "said", "") + said.decode()
        lines = self._log.read_text().splitlines(keepends=True)
        self.logged = [json.loads(line) for line in lines if line.startswith("{")]
        self.complained = "".join(line for line in lines if not _is_no_complaint(line))
        self._log.unlink()
        return self.process.returncode

    def kill(self) -> None:
        """End it the hard way, whatever state it is in."""
        self.process.kill()
        self.ended()

    def ask(self, method: str, path: str, document: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        return ask(self.url, method, path, document, **headers)

    def open_game(self) -> str:
        """A seeded game's id."""
        status, game = self.ask("POST", "/v1/games", SEEDED)
        assert status == 201, game
        id_: str = game["id"]
        return id_

    def server_pid(self, name: Literal["events", "queue"]) -> int:
        """The process id of an embedded server: the child that works in its folder."""
        folder = str((self.data / name).resolve())
        return until(lambda: next((child for child in children(self.pid) if folder_of(child) == folder), 0))

    def web_pid(self) -> int:
        """The process id of gunicorn's master: the one child that has children."""
        return until(lambda: next((child for child in children(self.pid) if children(child)), 0))

    def worker_pid(self) -> int:
        """The process id of a worker that lives: one that was killed is on the list for a while."""
        return until(
            lambda: next((one.pid for one in Worker.all(queue=self.queue()) if one.pid in children(self.pid)), 0)
        )

    def queue(self) -> Queue:
        """The service's job queue."""
        url = running_url(self.data, "queue")
        assert url is not None
        return connect(url)

    def store(self) -> Store:
        """The service's store."""
        url = running_url(self.data, "events")
        assert url is not None
        return Store.connect(url)


def _is_no_complaint(line: str) -> bool:
    """Whether a line of the log tells only what was done."""
    return line.startswith("{") and json.loads(line)["level"] in {"debug", "info"}


def ask(url: str, method: str, path: str, document: Any = None, **headers: str) -> tuple[int, Any]:
    """The status and the JSON of an answer of the service at `url`."""
    body = None if document is None else json.dumps(document).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url + path, body, {"Content-Type": "application/json", **named}, method=method)
    try:
        with urlopen(request, timeout=PATIENCE) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


def children(pid: int) -> list[int]:
    """The process ids of a process's children."""
    return [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if parent_of(stat) == pid]


def parent_of(stat: Path) -> int:
    """The process id that a `/proc/<pid>/stat` names as the parent; 0 where the process has gone."""
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def folder_of(pid: int) -> str:
    """The folder in which a process works; nothing where it has gone."""
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except (FileNotFoundError, ProcessLookupError):
        return ""
