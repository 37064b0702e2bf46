"""Run gunicorn's worker with threads in each web process, as a child of the service's parent."""

from __future__ import annotations

import functools
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from flask import Flask
from gunicorn.config import Config

from api.plumbing.settings import Settings
from workers.supervisor import ChildRole

if TYPE_CHECKING:
    from cli.web.process import WebProcess

NAME = "web server"
KEEPALIVE_SECONDS = 30
GRACEFUL_SECONDS = 10
"""Seconds for running requests to finish when the service stops."""
SPARE_FILES = 256
"""Number of open files that a web process needs in addition to its connections."""
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def roles(settings: Settings, listener: socket.socket, folder: Path) -> list[ChildRole]:
    """Return the web processes as roles of the supervisor.

    Args:
        folder: a private folder for the metrics of the processes, and the socket of the guests' process.
    """
    os.environ[METRICS_FOLDER] = str(folder)
    # Import this after setting the variable above, which prometheus_client reads. Load everything that the children can
    # share before they are forked.
    from prometheus_client import values

    process = SimpleNamespace(place="")
    # A new web process continues to use the files of the one before it. Otherwise each start would leave files, which
    # every scrape reads.
    values.ValueClass = values.MultiProcessValue(lambda: process.place or os.getpid())

    from api.app import begin, build_app
    from api.pages import offline
    from api.pages.assets import assets
    from cli.web import guests, worker

    app = build_app(settings)
    assets()
    offline.digests()

    def begin_app() -> Flask:
        begin()
        return app

    waiting = guests.listen(folder)
    config = configuration(settings)

    def role(place: str, make: Callable[[], WebProcess], wakes: socket.socket | None = None) -> ChildRole:
        def run(_life: str) -> None:
            process.place = place
            make().init_process()

        return ChildRole(NAME, run, functools.partial(forget_metrics, folder, place), wakes=wakes)

    web = functools.partial(worker.Worker, settings, listener, config, begin_app, waiting)
    guest = functools.partial(guests.GuestsProcess, waiting, config, begin_app)
    return [*(role(str(number), web) for number in range(settings.processes)), role("guests", guest, waiting)]


def configuration(settings: Settings) -> Config:
    """Return the settings for gunicorn's worker."""
    # Imported late, because it imports prometheus_client: see `roles`.
    from cli.web.kinds import threads

    options: dict[str, Any] = {
        "threads": threads(settings),
        "worker_connections": within_files(settings.connections),
        "keepalive": KEEPALIVE_SECONDS,
        "graceful_timeout": GRACEFUL_SECONDS,
        # By default, gunicorn trusts every peer on loopback, and it trusts headers that set the path.
        "forwarded_allow_ips": ",".join(settings.proxies),
        "forwarder_headers": "",
    }
    if settings.certificate:
        # The worker handles TLS. So tell gunicorn that requests arrive over TLS.
        options |= {"certfile": settings.certificate, "keyfile": settings.key or None}
    config = Config()
    for name, value in options.items():
        config.set(name, value)
    return config


def within_files(connections: int) -> int:
    """Return `connections`, or fewer if the system does not allow a process to open that many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - SPARE_FILES))


def forget_metrics(folder: Path, place: str, _life: str) -> None:
    """Remove the gauges of a dead process."""
    for file in folder.glob(f"gauge_live*_{place}.db"):
        file.unlink()
