"""`driftlog serve`: the whole service, as one parent and its children.

The parent holds what has to outlive a child: the embedded servers, and the socket that listens. Its children are the
web server, the workers and the dispatcher. Whichever dies is started again, and so is a server.
"""

from __future__ import annotations

import errno
import functools
import gc
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack

import msgspec

from api.plumbing import cors
from api.plumbing.addresses import networks
from api.plumbing.hosts import Hosts, is_loopback, located, origin_of, public_url
from api.plumbing.settings import EVERY_ADDRESS, Settings, setting
from cli.client import Client
from cli.servers import Servers
from cli.terminal import Fault, InUse, Unavailable, WrongSetting
from cli.web import server as web
from cli.web.lines import secure
from engine.play import registry
from operations.backup import restoring
from store import Store
from store.redis.scratch import Guarded, Scratch
from workers import courier, dispatcher, runner
from workers.supervisor import Role, Supervisor

WEB = "web server"
CHECK_SECONDS = 0.1
"""How soon the death of a server and a full disk are noticed; the death of a child is noticed at once."""
START_SECONDS = 60.0
PORT_SECONDS = 2.0
"""What a service that was killed leaves behind lets go of the port within that time."""
BACKLOG = 2048


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
        # The children share what is loaded, and go on sharing it, since no collection of theirs looks through it.
        gc.collect()
        gc.freeze()
        supervisor.start()
        if _answers(supervisor, _address(settings)):
            has_tokens = Store.connect(settings.redis_url).tokens.any()
            warnings = [*servers.warnings, *(one.line for one in registry.not_loaded())]
            announce(Running(public_url(settings), settings, warnings, has_tokens))
        while not supervisor.is_stopping:
            supervisor.wait(CHECK_SECONDS)
            servers.tell()
            servers.guard_disk()
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
