"""`driftlog serve`: the whole service, as one parent and its children.

The parent holds what has to outlive a child: the embedded servers, and the socket that listens. Its children are the
web server, the workers and the dispatcher. Whichever dies is started again, and so is a server.
"""

from __future__ import annotations

import errno
import functools
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from api import cors
from api.addresses import networks
from api.hosts import Hosts, is_loopback, located, origin_of, public_url
from api.settings import EVERY_ADDRESS, Settings, setting
from cli.client import Client
from cli.following import Followed
from cli.terminal import CannotWrite, Fault, InUse, Unavailable, WrongSetting
from cli.web import server as web
from cli.web.lines import secure
from store import Store
from store.archive import owner_of, user
from store.backup import restoring
from store.connection import check, connect
from store.embedded import Embedded, holds_store, running_url
from store.errors import DataFolderInUse, Misconfigured, StoreError
from store.memory import bytes_of
from store.scratch import Guarded, Scratch
from workers import courier, dispatcher, queue, runner
from workers.supervisor import Role, Supervisor

logger = logging.getLogger(__name__)

WEB = "web server"
CHECK_SECONDS = 0.5
"""How soon the death of a server is noticed; that of a child is at once."""
START_SECONDS = 60.0
PORT_SECONDS = 2.0
"""What a service that was killed leaves behind lets go of the port within that time."""
ATTEMPTS = 5
"""How often in a row a server that has died is tried to start again."""
BACKLOG = 2048
ARCHIVE_SECONDS = 5.0
"""How long the archive may take to answer at the start."""
_OURS = frozenset({"events", "queue", "archive", "lost+found"})
"""What may stand in a data folder that holds no store yet."""
_OVER_TLS = " (over TLS: if it does not speak that, its address begins with redis://, not rediss://)"


class Running(msgspec.Struct, frozen=True):
    """What a service that has started tells of itself."""

    url: str
    """Where others find it."""
    settings: Settings
    """With the port, and the URLs of the embedded servers."""
    warnings: list[str]
    """What an operator should know about the Redis that holds the events."""
    has_tokens: bool
    """Whether any was made."""


def sensible(settings: Settings) -> None:
    """See that addresses, names and files that it is given are what they have to be.

    Raises:
        BadSetting: one is not; which, and what is wanted.
    """
    Hosts(settings)
    with setting("read_origins"):
        for origin in set(settings.read_origins) - {cors.ANY}:
            origin_of(origin)
    networks("proxies", settings.proxies)
    networks("webhook_networks", settings.webhook_networks)
    secure(settings)


def serve(settings: Settings, announce: Callable[[Running], None], *, is_open: bool = False) -> None:
    """Run the service until SIGTERM or SIGINT, then end it in order.

    Args:
        announce: told once it answers.
        is_open: whether it is to be open to whoever reaches it, also beyond this machine.

    Raises:
        Failure: it cannot start, or cannot go on, and why.
        BadSetting: as `sensible`.
    """
    # Until the supervisor heeds it: what has been started is ended in order, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sensible(settings)
    settings = guarded(settings, is_open=is_open)
    with ExitStack() as stack:
        listener = stack.enter_context(_listen(settings.host, settings.port))
        servers = Servers(settings, stack)
        _refuse_half_restored(Store.connect(servers.settings.redis_url))
        settings = msgspec.structs.replace(servers.settings, port=listener.getsockname()[1])
        metrics = stack.enter_context(Scratch()).path
        stack.callback(Guarded(metrics).dismiss)
        supervisor = Supervisor(_roles(settings, listener, str(metrics)))
        stack.callback(supervisor.stop)
        supervisor.start()
        if _answers(supervisor, _address(settings)):
            has_tokens = Store.connect(settings.redis_url).tokens.any()
            announce(Running(public_url(settings), settings, servers.warnings, has_tokens))
        while not supervisor.is_stopping:
            supervisor.wait(CHECK_SECONDS)
            servers.tell()
            if servers.revive():
                # Jobs have gone with the queue: the dispatcher looks through everything when it begins.
                supervisor.restart(dispatcher.NAME)
            supervisor.mend()
        listener.close()


def guarded(settings: Settings, *, is_open: bool) -> Settings:
    """The settings, which let in nobody whom the operator did not mean to.

    Raises:
        WrongSetting: others could reach it, and nothing says that they may.
    """
    if is_open:
        return msgspec.structs.replace(settings, access="open")
    if settings.access == "open" and not is_loopback(settings.host):
        message = (
            f"whoever reaches {settings.host} could read, record and correct every game: set DRIFTLOG_ACCESS=tokens, "
            "so that it takes a token (`driftlog tokens create` makes one), or say --open"
        )
        raise WrongSetting(message)
    return settings


class Servers:
    """The Redis servers of a service: embedded ones where its settings name none."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        """Start the embedded ones; `stack` will stop them.

        Raises:
            Failure: one does not start, does not answer, or has another address.
        """
        self._embedded: list[Embedded] = []
        self._followed: dict[Embedded, Followed] = {}
        self._failures = 0
        self.settings = settings
        """With a URL for each."""
        if not settings.redis_url:
            _refuse_strange(settings.data)
        if settings.replicas and not settings.redis_url:
            raise WrongSetting("DRIFTLOG_REPLICAS: the embedded server has none; set DRIFTLOG_REDIS_URL")
        try:
            if not settings.redis_url:
                most = bytes_of(settings.maxmemory)
                url = self._start(Embedded(settings.data, "events", durable=True, maxmemory=most), stack)
                self.settings = msgspec.structs.replace(self.settings, redis_url=url)
            if not settings.queue_url:
                url = self._start(Embedded(settings.data, "queue", durable=False), stack)
                self.settings = msgspec.structs.replace(self.settings, queue_url=url)
            self.warnings = self._warnings()
            queue.check(queue.connect(self.settings.queue_url))
        except Misconfigured as error:
            raise WrongSetting(f"DRIFTLOG_REDIS_URL: {error}") from None
        except queue.Misconfigured as error:
            raise WrongSetting(f"DRIFTLOG_QUEUE_URL: {error}") from None
        except DataFolderInUse as error:
            raise InUse(str(error)) from None
        except (StoreError, queue.QueueUnavailable) as error:
            is_by_tls = "rediss" in self.settings.redis_url + self.settings.queue_url
            raise Unavailable(f"{error}{_OVER_TLS if is_by_tls else ''}") from None
        except OSError as error:
            raise CannotWrite(f"the data folder {settings.data}: {error.strerror}") from None

    def _warnings(self) -> list[str]:
        """What an operator should know of where events are kept.

        Raises:
            StoreError: nothing can be kept there.
        """
        url, settings = self.settings.redis_url, self.settings
        warnings = check(connect(url), settings.replicas)
        store = Store.connect(url, settings.archived, replicas=settings.replicas)
        # The key by which heads are signed is made now, so that it is older than any record.
        store.signing.active()
        fault = store.archiving.aside.fault(ARCHIVE_SECONDS)
        return warnings if fault is None else [*warnings, f"DRIFTLOG_ARCHIVE: {fault}"]

    def _start(self, server: Embedded, stack: ExitStack) -> str:
        url = server.start()
        stack.callback(server.stop)
        self._embedded.append(server)
        self._followed[server] = Followed(server.folder.name, server.log)
        return url

    def tell(self) -> None:
        """Log what the embedded ones have said."""
        for followed in self._followed.values():
            followed.tell()

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
            self._followed[server] = Followed(server.folder.name, server.log)
            self._failures = 0
        return bool(dead)


def access(running: Running) -> str:
    """Who may do what, as the operator is told it at the start."""
    settings = running.settings
    if settings.access == "open":
        return f"open: whoever reaches {running.url} may read, record and correct everything"
    if running.has_tokens:
        return "by token"
    return (
        f"by token, and there is none yet: `driftlog tokens create --role admin --data {settings.data}` makes the first"
    )


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


def reached(settings: Settings, stack: ExitStack) -> Store:
    """The store of a service, running or not: where it is a data folder's, and no service runs, its servers are started
    until `stack` closes.

    Raises:
        Failure: they do not start, or there is no store; none is made.
    """
    url = settings.redis_url or running_url(settings.data, "events")
    if url is None and not holds_store(settings.data):
        message = (
            f"the data folder {settings.data} holds no store: name the one of your service with --data, or set "
            "DRIFTLOG_REDIS_URL"
        )
        raise Unavailable(message)
    store = Store.connect(url or _started(settings, stack), settings.archived, replicas=settings.replicas)
    if settings.redis_url and not store.is_there():
        raise Unavailable("the Redis of DRIFTLOG_REDIS_URL holds no store: is it the one of your service?")
    return store


def emptied(settings: Settings, stack: ExitStack) -> Store:
    """The store into which something is to be restored: as `reached`, and where there is none yet, a new one.

    Raises:
        Failure: its servers do not start; the data folder holds other things.
    """
    url = settings.redis_url or running_url(settings.data, "events")
    if url is None:
        _refuse_strange(settings.data)
    return Store.connect(url or _started(settings, stack), settings.archived, replicas=settings.replicas)


def _started(settings: Settings, stack: ExitStack) -> str:
    """The URL of the events of a service that does not run, whose servers run until `stack` closes.

    Raises:
        Failure: they do not start, or the service could not start them any more.
    """
    owner = owner_of(settings.data)[0] if settings.data.exists() else os.geteuid()
    if os.geteuid() == 0 and owner != 0:
        whose = user(owner)
        raise CannotWrite(
            f"the data folder {settings.data} is {whose}'s, and its files would be root's: run it as {whose}"
        )
    return Servers(settings, stack).settings.redis_url


def _refuse_strange(data: Path) -> None:
    """Put nothing into a folder that is somebody else's.

    Raises:
        Unavailable: it holds other things, and no store.
    """
    if data.is_dir() and not holds_store(data) and {path.name for path in data.iterdir()} - _OURS:
        raise Unavailable(f"the data folder {data} holds other things, and no store: name an empty one")


def _refuse_half_restored(store: Store) -> None:
    """Do not show a part of what is being restored as if it were all.

    Raises:
        Unavailable: a restore did not come to its end.
    """
    if restoring.stage(store) == "placing":
        raise Unavailable(
            "a restore into this store did not come to its end: run `driftlog restore` with the same file again, or "
            "`driftlog doctor --mend`"
        )


def _roles(settings: Settings, listener: socket.socket, metrics: str) -> list[Role]:
    urls = settings.redis_url, settings.queue_url

    def deaf(role: Role) -> Role:
        """The role in a child that does not hold the port."""

        def run(life: str) -> None:
            listener.close()
            role.run(life)

        return msgspec.structs.replace(role, run=run)

    dispatching = dispatcher.role(*urls, settings.archive_after_days)
    sending = courier.role(*urls, settings.archived, settings.webhook_networks, is_open=settings.access == "open")
    return [
        Role(WEB, functools.partial(web.serve, settings, listener, metrics)),
        *map(deaf, [dispatching, sending, *runner.roles(settings.workers, *urls, settings.archived)]),
    ]


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + PORT_SECONDS
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                # Python adds the address to the system's words, which we say ourselves.
                reason = (error.strerror or str(error)).partition(" (while attempting")[0]
                raise WrongSetting(
                    f"DRIFTLOG_HOST, DRIFTLOG_PORT: cannot listen on {host}, port {port}: {reason}"
                ) from None
            if time.monotonic() > deadline:
                message = f"port {port} on {host} is in use: choose another one with --port"
                raise InUse(message) from None
        time.sleep(0.1)


def _address(settings: Settings) -> str:
    """Where this machine itself reaches the service."""
    host = EVERY_ADDRESS.get(settings.host, settings.host)
    return located(settings, host)


def _answers(supervisor: Supervisor, url: str) -> bool:
    """Wait until the service answers; False where it is asked to stop before.

    Raises:
        Failure: the web server does not start.
    """
    # It is this service by its port, whatever name its certificate has.
    client = Client(url, seconds=1.0, is_known=True)
    deadline = time.monotonic() + START_SECONDS
    while not supervisor.is_stopping:
        if client.answers():
            return True
        if supervisor.pid(WEB) is None or time.monotonic() > deadline:
            raise Fault("the web server does not start")
        supervisor.wait(0.02)
    return False
