"""The web server: gunicorn with threads, as one of the service's processes."""

from __future__ import annotations

import gc
import os
import resource
import socket
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from api.plumbing.settings import Settings

KEEPALIVE_SECONDS = 30
GRACEFUL_SECONDS = 10
"""How long requests that are under way may take when the service stops."""
SPARE_FILES = 256
"""Files that a web process opens besides its connections."""
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class WebServer(BaseApplication):
    """gunicorn on a socket that listens already, so that nobody is refused while it starts again."""

    def __init__(self, settings: Settings, listener: socket.socket, make_app: Callable[[], Flask]) -> None:
        self.settings = settings
        """Read by the worker, too."""
        self._listener = listener
        self._make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        # Later than this module, because it brings prometheus_client with it: see `serve`.
        from cli.web.kinds import PROBING, exporting
        from cli.web.logs import Log
        from cli.web.worker import Worker

        settings = self.settings
        options: dict[str, Any] = {
            "bind": [f"fd://{self._listener.fileno()}"],
            "worker_class": Worker,
            "workers": settings.processes,
            "threads": settings.web_threads + exporting(settings) + settings.streams + PROBING,
            "worker_connections": within_files(settings.connections),
            "keepalive": KEEPALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "logger_class": Log,
            "control_socket_disable": True,
            # gunicorn believes every peer on loopback by default. The path is nobody's to change.
            "forwarded_allow_ips": ",".join(settings.proxies),
            "forwarder_headers": "",
            "child_exit": forget_metrics,
        }
        if settings.certificate:
            # The worker speaks TLS; gunicorn has to know that requests came by it.
            options |= {"certfile": settings.certificate, "keyfile": settings.key or None}
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The app, begun in the process that asks for it: it opens its connections there."""
        return self._make_app()


def serve(settings: Settings, listener: socket.socket, metrics: str, _life: str) -> None:
    """Serve until SIGTERM.

    Args:
        metrics: a folder in which the processes put their figures together.
    """
    os.environ[METRICS_FOLDER] = metrics
    # Before gunicorn forks, so that it is loaded once; after the line above, which prometheus_client heeds when it is.
    from api.app import begin, build_app

    app = build_app(settings)

    def begun() -> Flask:
        begin(app)
        return app

    # What is loaded now stays: no collection need look through it again, and the processes go on sharing it.
    gc.freeze()
    # A list of events makes thousands of objects, hardly one in a cycle: to look for these as often as Python does by
    # default takes a fourteenth of its time.
    gc.set_threshold(10_000)
    WebServer(settings, listener, begun).run()


def within_files(connections: int) -> int:
    """How many connections a process can hold; `connections`, if the system lets it open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - SPARE_FILES))


def forget_metrics(_arbiter: Any, worker: Any) -> None:
    """Let go of what a process that has ended was measuring just now."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)
