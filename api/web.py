"""The web server: gunicorn with threads, as one of the service's processes."""

from __future__ import annotations

import functools
import gc
import os
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # it has none

from api.settings import Settings

KEEPALIVE_SECONDS = 30
GRACEFUL_SECONDS = 10
"""How long requests that are under way may take when the service stops."""
SPARE_CONNECTIONS = 1000
"""Idle kept-alive connections that a process holds besides."""
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class WebServer(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn on a socket that listens already, so that nobody is refused while it starts again."""

    def __init__(self, settings: Settings, listener: socket.socket, make_app: Callable[[], Flask]) -> None:
        self._settings = settings
        self._listener = listener
        self._make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        settings = self._settings
        threads = settings.web_threads + settings.streams
        options: dict[str, Any] = {
            "bind": [f"fd://{self._listener.fileno()}"],
            "worker_class": "gthread",
            "workers": settings.processes,
            "threads": threads,
            "worker_connections": threads + SPARE_CONNECTIONS,
            "keepalive": KEEPALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "loglevel": "warning",
            "control_socket_disable": True,
            "post_worker_init": end_streams_on_stop,
            "worker_int": end_streams,
            "child_exit": forget_metrics,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The app, in each process its own: it opens its connections there."""
        return self._make_app()


def serve(settings: Settings, listener: socket.socket, metrics: str, _life: str) -> None:
    """Serve until SIGTERM.

    Args:
        metrics: a folder in which the processes put their figures together.
    """
    os.environ[METRICS_FOLDER] = metrics
    # Before gunicorn forks, so that it is loaded once; after the line above, which prometheus_client heeds when it is.
    from api.app import create_app

    # What is loaded now stays: no collection need look through it again, and the processes go on sharing it.
    gc.freeze()
    WebServer(settings, listener, functools.partial(create_app, settings)).run()


def end_streams_on_stop(worker: Any) -> None:
    """Have SIGTERM end the live streams of this process, which would otherwise last as long as gunicorn lets them."""

    def stop(number: int, frame: FrameType | None) -> None:
        # In a thread: a handler must not wait for a lock.
        threading.Thread(target=end_streams, args=(worker,)).start()
        worker.handle_exit(number, frame)

    signal.signal(signal.SIGTERM, stop)


def end_streams(worker: Any) -> None:
    """End the live streams of this process."""
    worker.wsgi.extensions["hub"].stop()


def forget_metrics(_arbiter: Any, worker: Any) -> None:
    """Let go of what a process that has ended was measuring just now."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the library leaves it untyped
