"""The web server: gunicorn with threads, as one of the service's processes."""

from __future__ import annotations

import gc
import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from api.plumbing.settings import Settings

KEEPALIVE_SECONDS = 30
GRACEFUL_SECONDS = 10
"""Seconds for running requests to finish when the service stops."""
SPARE_FILES = 256
"""Number of open files that a web process needs besides its connections."""
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class WebServer(BaseApplication):
    """gunicorn on a socket that is already listening. Thus, clients are not refused during a restart."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        make_app: Callable[[], Flask],
        guests: socket.socket | None = None,
    ) -> None:
        """
        Args:
            guests: the socket of the guests' process; None to handle guests like all others.
        """
        self.settings = settings
        """Read by the worker, too."""
        self.guests = guests
        """Read by the worker, too."""
        self._listener = listener
        self._make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        # Imported late, because it imports prometheus_client: see `serve`.
        from cli.web.kinds import threads
        from cli.web.logs import Log
        from cli.web.worker import Worker

        settings = self.settings
        options: dict[str, Any] = {
            "bind": [f"fd://{self._listener.fileno()}"],
            "worker_class": Worker,
            "workers": settings.processes + (self.guests is not None),
            "threads": threads(settings),
            "worker_connections": within_files(settings.connections),
            "keepalive": KEEPALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "logger_class": Log,
            "control_socket_disable": True,
            # By default gunicorn trusts every peer on loopback, and headers that set the path.
            "forwarded_allow_ips": ",".join(settings.proxies),
            "forwarder_headers": "",
            "child_exit": forget_metrics,
            "pre_fork": assign,
        }
        if settings.certificate:
            # The worker handles TLS. Tell gunicorn that requests arrive over TLS.
            options |= {"certfile": settings.certificate, "keyfile": settings.key or None}
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the app, with connections opened in the calling process."""
        return self._make_app()


def serve(settings: Settings, listener: socket.socket, folder: str, _life: str) -> None:
    """Serve until SIGTERM.

    Args:
        folder: a private folder for the metrics of the processes, and the socket of the guests' process.
    """
    os.environ[METRICS_FOLDER] = folder
    # Import after setting the variable above, which prometheus_client reads. Import before gunicorn forks, so that the
    # modules are loaded only once.
    from api.app import begin, build_app
    from api.pages import offline
    from api.pages.assets import assets
    from cli.web import guests

    app = build_app(settings)
    # Bundle and compress the files of pages once, and not in each process when its first page is loaded.
    assets()
    offline.digests()

    def begin_app() -> Flask:
        begin(app)
        return app

    # Freeze loaded objects: no collection needs to scan them, and processes keep sharing them.
    gc.freeze()
    # A list of events creates thousands of objects, almost none in a cycle: with the default, Python would spend a
    # fourteenth of its time on the search for cycles.
    gc.set_threshold(10_000)
    WebServer(settings, listener, begin_app, guests.listen(Path(folder))).run()


def within_files(connections: int) -> int:
    """Return `connections`, or fewer if the system does not allow a process that many open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - SPARE_FILES))


def forget_metrics(_arbiter: Any, worker: Any) -> None:
    """Remove the gauges of a dead process."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def assign(arbiter: Any, worker: Any) -> None:
    """Make one of the workers the guests' process."""
    others = arbiter.WORKERS.values()
    worker.serves_guests = arbiter.app.guests is not None and not any(one.serves_guests for one in others)
