"""`driftlog serve`: the whole service, as one parent and its children.

The parent holds what has to outlive a child: the embedded servers, and the socket that listens. Its children are the
web server, the workers and the dispatcher. Whichever dies is started again, and so is a server.
"""

from __future__ import annotations

import errno
import functools
import logging
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack

import msgspec

from api import web
from api.client import Client
from api.settings import Settings
from api.terminal import CannotWrite, Fault, InUse, Unavailable, WrongSetting
from store import Store
from store.connection import check, connect
from store.embedded import Embedded, running_url
from store.errors import DataFolderInUse, StoreError
from workers import dispatcher, queue, runner
from workers.supervisor import Role, Supervisor

logger = logging.getLogger(__name__)

WEB = "web server"
CHECK_SECONDS = 0.5
"""How soon the death of a server is noticed; that of a child is at once."""
START_SECONDS = 30.0
PORT_SECONDS = 2.0
"""What a service that was killed leaves behind lets go of the port within that time."""
ATTEMPTS = 5
"""How often in a row a server that has died is tried to start again."""
BACKLOG = 2048
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  # compared, not bound to


class Running(msgspec.Struct, frozen=True):
    """What a service that has started tells of itself."""

    url: str
    settings: Settings
    """With the port, and the URLs of the embedded servers."""
    warnings: list[str]
    """What an operator should know about the Redis that holds the events."""


def serve(settings: Settings, announce: Callable[[Running], None]) -> None:
    """Run the service until SIGTERM or SIGINT, then end it in order.

    Args:
        announce: told once it answers.

    Raises:
        Failure: it cannot start, or cannot go on, and why.
    """
    # Until the supervisor heeds it: what has been started is ended in order, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with ExitStack() as stack:
        listener = stack.enter_context(_listen(settings.host, settings.port))
        servers = Servers(settings, stack)
        settings = msgspec.structs.replace(servers.settings, port=listener.getsockname()[1])
        metrics = stack.enter_context(tempfile.TemporaryDirectory(prefix="driftlog-metrics-"))
        supervisor = Supervisor(_roles(settings, listener, metrics))
        stack.callback(supervisor.stop)
        supervisor.start()
        running = Running(_address(settings), settings, servers.warnings)
        if _answers(supervisor, running.url):
            announce(running)
        while not supervisor.is_stopping:
            supervisor.wait(CHECK_SECONDS)
            if servers.revive():
                # Jobs have gone with the queue: the dispatcher looks through everything when it begins.
                supervisor.restart(dispatcher.NAME)
            supervisor.mend()
        listener.close()


class Servers:
    """The Redis servers of a service: embedded ones where its settings name none."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        """Start the embedded ones; `stack` will stop them.

        Raises:
            Failure: one does not start, or does not answer.
        """
        self._embedded: list[Embedded] = []
        self._failures = 0
        self.settings = settings
        """With a URL for each."""
        try:
            if not settings.redis_url:
                url = self._start(Embedded(settings.data, "events", durable=True), stack)
                self.settings = msgspec.structs.replace(self.settings, redis_url=url)
            if not settings.queue_url:
                url = self._start(Embedded(settings.data, "queue", durable=False), stack)
                self.settings = msgspec.structs.replace(self.settings, queue_url=url)
            self.warnings = check(connect(self.settings.redis_url))
            # The key by which heads are signed is made now, so that it is older than any record.
            Store.connect(self.settings.redis_url).signing.active()
            queue.pending(queue.connect(self.settings.queue_url))
        except DataFolderInUse as error:
            raise InUse(str(error)) from None
        except (StoreError, queue.QueueUnavailable) as error:
            raise Unavailable(str(error)) from None
        except OSError as error:
            raise CannotWrite(f"the data folder {settings.data}: {error.strerror}") from None

    def _start(self, server: Embedded, stack: ExitStack) -> str:
        url = server.start()
        stack.callback(server.stop)
        self._embedded.append(server)
        return url

    def revive(self) -> bool:
        """Start again what has died; whether something had, and is there again.

        Raises:
            Unavailable: it does not start again, however often it is tried.
        """
        dead = [server for server in self._embedded if not server.is_running]
        for server in dead:
            logger.warning("the server of %s has died: starting again", server.folder)
            try:
                server.start()
            except StoreError as error:
                self._failures += 1
                if self._failures >= ATTEMPTS:
                    raise Unavailable(str(error)) from None
                return False
            self._failures = 0
        return bool(dead)


def found(settings: Settings) -> Settings:
    """The settings with the URLs of the servers that a service runs on the data folder, where they name none.

    Raises:
        Unavailable: none runs there.
    """
    redis_url = settings.redis_url or running_url(settings.data, "events")
    queue_url = settings.queue_url or running_url(settings.data, "queue")
    if redis_url is None or queue_url is None:
        message = (
            f"no service runs on the data folder {settings.data}: start one with `driftlog serve`, "
            "or set DRIFTLOG_REDIS_URL and DRIFTLOG_QUEUE_URL"
        )
        raise Unavailable(message)
    return msgspec.structs.replace(settings, redis_url=redis_url, queue_url=queue_url)


def check_place(given: Settings, used: Settings) -> None:
    """Hold the settings that are `used` against what `given` ones find now.

    Raises:
        Unavailable: a service was started again meanwhile, and its servers are elsewhere.
    """
    try:
        now = found(given)
    except Unavailable:
        # Its servers may be starting again, where they were.
        return
    if now != used:
        raise Unavailable(f"the service on {given.data} was started again: start its workers again, too")


def reached(settings: Settings, stack: ExitStack) -> Settings:
    """The same, for what needs no service: where none runs, servers are started until `stack` closes.

    Raises:
        Failure: they do not start.
    """
    try:
        return found(settings)
    except Unavailable:
        return Servers(settings, stack).settings


def _roles(settings: Settings, listener: socket.socket, metrics: str) -> list[Role]:
    urls = settings.redis_url, settings.queue_url

    def deaf(role: Role) -> Role:
        """The role in a child that does not hold the port."""

        def run(life: str) -> None:
            listener.close()
            role.run(life)

        return msgspec.structs.replace(role, run=run)

    return [
        Role(WEB, functools.partial(web.serve, settings, listener, metrics)),
        *map(deaf, [dispatcher.role(*urls), *runner.roles(settings.workers, *urls)]),
    ]


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + PORT_SECONDS
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or str(error)
                raise WrongSetting(f"cannot listen on {host}, port {port}: {reason}") from None
            if time.monotonic() > deadline:
                message = f"port {port} on {host} is in use: choose another one with --port"
                raise InUse(message) from None
        time.sleep(0.1)


def _address(settings: Settings) -> str:
    host = _ANYWHERE.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _answers(supervisor: Supervisor, url: str) -> bool:
    """Wait until the service answers; False where it is asked to stop before.

    Raises:
        Failure: the web server does not start.
    """
    client = Client(url, seconds=1.0)
    deadline = time.monotonic() + START_SECONDS
    while not supervisor.is_stopping:
        if client.answers():
            return True
        if supervisor.pid(WEB) is None or time.monotonic() > deadline:
            raise Fault("the web server does not start")
        supervisor.wait(0.02)
    return False
