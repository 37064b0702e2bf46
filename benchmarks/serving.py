"""Services to send requests to: ours and the bare one, each on the same gunicorn and the same kind of Redis.

`python -m benchmarks.serving ours|bare FILENO METRICS REDIS_URL QUEUE_URL` serves one on a socket that listens already.
"""

from __future__ import annotations

import functools
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Literal

import msgspec

from api import web
from api.settings import Settings
from benchmarks.bare import create_app
from benchmarks.client import Failed, drive, get
from benchmarks.measure import pinned
from store import Store
from store.connection import connect
from store.embedded import Embedded

STOP_SECONDS = 30.0
Kind = Literal["ours", "bare"]
Fsync = Literal["always", "everysec"]


class Pinning(msgspec.Struct, frozen=True):
    """Who runs on which core; None: wherever the system puts it."""

    server: int | None
    rest: int | None
    name: str

    @property
    def load(self) -> AbstractContextManager[None]:
        """In which load is made."""
        return _placed(self.rest)


APART = Pinning(0, 1, "server core 0; load, Redis core 1")
FREE = Pinning(None, None, "unpinned")


class Service(msgspec.Struct, frozen=True):
    """One that runs."""

    address: tuple[str, int]
    store: Store
    """What it keeps, seen from here."""


@contextmanager
def serving(kind: Kind, folder: Path, pinning: Pinning, fsync: Fsync) -> Iterator[Service]:
    """A service without workers, whose Redis keeps events by `appendfsync` `fsync`; all of it ends with the context."""
    data, metrics = folder / kind, folder / kind / "metrics"
    metrics.mkdir(parents=True)
    with (
        _placed(pinning.rest),
        Embedded(data, "events", durable=True) as events,
        Embedded(data, "queue", durable=False) as queue,
        connect(events.url) as client,
        socket.create_server(("127.0.0.1", 0), backlog=2048) as listener,
    ):
        client.config_set("appendfsync", fsync)
        arguments = [kind, str(listener.fileno()), str(metrics), events.url, queue.url]
        with _placed(pinning.server), (data / "web.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.serving", *arguments],
                pass_fds=[listener.fileno()],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            address = listener.getsockname()
            try:
                drive(address, [iter([get("/nothing")])], expected=(404,))
            except Failed as failed:
                raise Failed(f"{failed}\n{(data / 'web.log').read_text()}") from failed
            yield Service(address, Store(client))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_SECONDS)


def _placed(core: int | None) -> AbstractContextManager[None]:
    """Pinned to a core, or not at all."""
    return nullcontext() if core is None else pinned(core)


class _Bare(web.WebServer):
    def load_config(self) -> None:
        super().load_config()
        # What ends live streams and forgets metrics: it has none.
        for hook in ("post_worker_init", "worker_int", "child_exit"):
            self.cfg.set(hook, self.cfg.settings[hook].default)


def main(kind: str, fileno: str, metrics: str, redis_url: str, queue_url: str) -> None:
    """Serve until SIGTERM."""
    # gunicorn reads options of its own from the command line.
    del sys.argv[1:]
    settings = Settings(redis_url=redis_url, queue_url=queue_url)
    listener = socket.socket(fileno=int(fileno))
    if kind == "ours":
        web.serve(settings, listener, metrics, kind)
    else:
        _Bare(settings, listener, functools.partial(create_app, redis_url)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
