"""Run the services to measure: ours and the bare one, each on the same gunicorn and the same kind of Redis.

`python -m benchmarks.serving ours|tokens|bare|workers FILENO PLACE REDIS_URL QUEUE_URL` runs one part of a service:
either a web server on the listening socket FILENO, with its metrics in the folder PLACE, or a dispatcher and as many
workers as PLACE says.
"""

from __future__ import annotations

import functools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Literal

import msgspec
from rq import Worker

from api.plumbing.settings import Settings
from benchmarks.bare import create_app
from benchmarks.client import UnexpectedStatus, drive, get
from benchmarks.measure import pin
from cli.web import server
from store import Store
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
from telemetry import logs
from workers import dispatcher, runner
from workers import queue as jobs
from workers.queue import Queue
from workers.supervisor import ChildRole, Supervisor

STOP_SECONDS = 30.0
MADE = "2026-11-20T19:04:11.512Z"
Kind = Literal["ours", "tokens", "bare"]
"""The kind of service. `tokens` is our service, and it requires tokens."""
Fsync = Literal["always", "everysec"]


class Pinning(msgspec.Struct, frozen=True):
    """The core of each process. None: the system chooses."""

    server: int | None
    rest: int | None
    name: str

    @property
    def load(self) -> AbstractContextManager[None]:
        """Return the context in which to generate load."""
        return _pin(self.rest)


APART = Pinning(0, 1, "cores 0, 1")
FREE = Pinning(None, None, "unpinned")


class Service(msgspec.Struct, frozen=True):
    """A running service."""

    address: tuple[str, int]
    store: Store
    """The store of the service."""
    queue: Queue
    master: int
    """The process id of the web server."""
    token: str | None
    """A token for the service; None if the service is open."""

    def web_processes(self) -> list[int]:
        """Return the ids of the web processes of the service."""
        text = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return [int(pid) for pid in text.split()]

    def jobs_done(self) -> int:
        """Return the number of jobs that the workers of the service have finished."""
        return sum(worker.successful_job_count for worker in Worker.all(connection=self.queue.connection))


@contextmanager
def serving(kind: Kind, folder: Path, pinning: Pinning, fsync: Fsync, *, workers: int = 0) -> Iterator[Service]:
    """Run a service whose Redis has `appendfsync` set to `fsync`, until the block ends."""
    data = folder / kind
    with (
        _pin(pinning.rest),
        EmbeddedServer(data, "events", durable=True) as events,
        EmbeddedServer(data, "queue", durable=False) as queue,
        connect(events.url) as client,
        socket.create_server(("127.0.0.1", 0), backlog=2048) as listener,
    ):
        client.config_set("appendfsync", fsync)
        (data / "metrics").mkdir()
        arguments = [str(listener.fileno()), str(data / "metrics"), events.url, queue.url]
        with ExitStack() as stack:
            with _pin(pinning.server):
                master = stack.enter_context(_part(kind, arguments, listener, data))
            if workers:
                stack.enter_context(_part("workers", [arguments[0], str(workers), *arguments[2:]], listener, data))
            address = listener.getsockname()
            try:
                drive(address, [iter([get("/nothing")])], expected=(404,))
            except UnexpectedStatus as failed:
                raise UnexpectedStatus(f"{failed}\n{(data / f'{kind}.log').read_text()}") from failed
            store = Store(client)
            token, _ = store.tokens.create("recorder", created_at=MADE) if kind == "tokens" else (None, None)
            yield Service(address, store, jobs.connect(queue.url), master, token)


@contextmanager
def _part(name: str, arguments: list[str], listener: socket.socket, data: Path) -> Iterator[int]:
    with (data / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.serving", name, *arguments],
            pass_fds=[listener.fileno()],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_SECONDS)


def _pin(core: int | None) -> AbstractContextManager[None]:
    """Return a context that pins this thread to `core`; None: no pinning."""
    return nullcontext() if core is None else pin(core)


def main(kind: str, fileno: str, place: str, redis_url: str, queue_url: str) -> None:
    """Serve until SIGTERM."""
    access: Literal["tokens", "open"] = "tokens" if kind == "tokens" else "open"
    settings = Settings(redis_url=redis_url, queue_url=queue_url, access=access)
    logs.begin(settings.log, settings.log_level)
    listener = socket.socket(fileno=int(fileno))
    if kind == "workers":
        listener.close()
        roles = [dispatcher.role(redis_url, queue_url), *runner.roles(int(place), redis_url, queue_url)]
    elif kind == "bare":
        os.environ[server.METRICS_FOLDER] = place
        # Import after setting the variable above, which prometheus_client reads.
        from cli.web.worker import Worker

        bare = functools.partial(create_app, redis_url)
        config = server.configuration(settings)
        roles = [
            ChildRole(kind, lambda _: Worker(settings, listener, config, bare, None).init_process())
            for _ in range(settings.processes)
        ]
    else:
        roles = server.roles(settings, listener, Path(place))
    supervisor = Supervisor(roles)
    supervisor.start()
    while not supervisor.is_stopping:
        supervisor.wait(STOP_SECONDS)
        supervisor.mend()
    supervisor.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
