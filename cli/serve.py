"""`driftlog serve`: the whole service, as one parent and its children.

The parent owns the embedded servers and the listening socket, because these must outlive its children: the web
processes, the workers and the dispatcher. The parent restarts dead children and dead servers.
"""

from __future__ import annotations

import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from api.plumbing import cors
from api.plumbing.addresses import networks
from api.plumbing.hosts import Hosts, is_loopback, origin_of, public_url, url_of_host
from api.plumbing.settings import EVERY_ADDRESS, Settings, setting
from cli.client import Client
from cli.listening import listen
from cli.servers import Servers
from cli.terminal import InternalFault, ServiceUnavailable, WrongSetting
from cli.web import server as web
from cli.web.lines import secure
from engine.play import registry
from engine.players import registry as players
from operations.backup import restoring
from store import Store
from store.redis.scratch import Scratch
from workers import dispatcher, runner, webhook_sender
from workers.supervisor import ChildRole, Supervisor

CHECK_SECONDS = 0.1
"""Seconds between checks for dead servers and full disks. The parent notices the death of a child at once."""
START_SECONDS = 60.0


class Running(msgspec.Struct, frozen=True):
    """Data of a running service."""

    url: str
    """The public address of the service."""
    settings: Settings
    """The settings with the actual port and the URLs of the embedded servers."""
    warnings: list[str]
    """Warnings about the Redis of the events, for the operator."""
    has_tokens: bool
    """True if there are tokens."""


def sensible(settings: Settings) -> None:
    """Check the addresses, names and files in the settings."""
    Hosts(settings)
    with setting("read_origins"):
        for origin in set(settings.read_origins) - {cors.ANY}:
            origin_of(origin)
    networks("proxies", settings.proxies)
    networks("webhook_networks", settings.webhook_networks)
    secure(settings)


def serve(
    settings: Settings, announce: Callable[[Running], None], *, is_open: bool = False, certifies: bool = False
) -> None:
    """Run the service until SIGTERM or SIGINT, then end its processes in order.

    Args:
        announce: called once the service answers.
        is_open: True to serve all clients without tokens, even from other machines.
        certifies: True to sign a certificate with the service's own authority, unless the settings name one.
    """
    # Until the supervisor handles SIGTERM, the signal must end this function, which stops everything in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sensible(settings)
    settings = with_access(settings, is_open=is_open)
    with ExitStack() as stack:
        listener = stack.enter_context(
            listen(settings.host, settings.port, "DRIFTLOG_HOST, DRIFTLOG_PORT", "--port, or PORT= of make")
        )
        servers = Servers(settings, stack)
        store = Store.connect(servers.settings.redis_url)
        _refuse_half_restored(store)
        settings = msgspec.structs.replace(servers.settings, port=listener.getsockname()[1])
        if certifies:
            # Import late, because this loads a library for certificates.
            from cli import authority

            settings = authority.settings_for(settings)
        folder = servers.scratch or stack.enter_context(Scratch()).path
        # Check this before the children start: whatever this process loads afterwards, the children do not share.
        has_tokens = store.tokens.any()
        supervisor = Supervisor(_roles(settings, listener, folder))
        stack.callback(supervisor.stop)
        supervisor.start()
        if _answers(supervisor, _address(settings)):
            warnings = [*servers.warnings, *(one.line for one in registry.not_loaded()), *players.NOT_LOADED]
            announce(Running(public_url(settings), settings, warnings, has_tokens))
        while not supervisor.is_stopping:
            supervisor.wait(CHECK_SECONDS)
            servers.log_new_lines()
            servers.guard_disk()
            if servers.revive():
                # The queued jobs are lost, but the dispatcher checks all games when it starts.
                supervisor.restart(dispatcher.NAME)
            supervisor.mend()
        listener.close()


def with_access(settings: Settings, *, is_open: bool) -> Settings:
    """Return the settings. Raise `WrongSetting` if other machines could reach an open service without `--open`."""
    if is_open:
        return msgspec.structs.replace(settings, access="open")
    if settings.access == "open" and not is_loopback(settings.host):
        message = (
            f"anyone who can reach {settings.host} could read, record and correct every game: set "
            "DRIFTLOG_ACCESS=tokens to require tokens (create one with `driftlog tokens create`), or use --open"
        )
        raise WrongSetting(message)
    return settings


def access(running: Running) -> str:
    """Return a sentence for the operator about who has access."""
    settings = running.settings
    if settings.access == "open":
        return f"open: anyone who can reach {running.url} can read, record and correct everything"
    if running.has_tokens:
        return "by token"
    return f"by token; create the first with `driftlog tokens create --role admin --data {settings.data}`"


def _refuse_half_restored(store: Store) -> None:
    """Refuse to serve a store that is only partly restored."""
    if restoring.stage(store) == "placing":
        raise ServiceUnavailable(
            "a restore into this store is unfinished: run `driftlog restore` with the same file again, or "
            "`driftlog doctor --mend`"
        )


def _roles(settings: Settings, listener: socket.socket, folder: Path) -> list[ChildRole]:
    urls = settings.redis_url, settings.queue_url

    def deaf(role: ChildRole) -> ChildRole:
        """Return a role whose child closes its copy of the listening socket."""

        def run(life: str) -> None:
            listener.close()
            role.run(life)

        return msgspec.structs.replace(role, run=run)

    dispatching = webhook_sender.role(
        *urls,
        settings.archive_address,
        settings.webhook_networks,
        is_open=settings.access == "open",
        archive_after_days=settings.archive_after_days,
    )
    background = map(deaf, [dispatching, *runner.roles(settings.workers, *urls, settings.archive_address)])
    return [*web.roles(settings, listener, folder), *background]


def _address(settings: Settings) -> str:
    """Return the address at which this machine can reach the service."""
    host = EVERY_ADDRESS.get(settings.host, settings.host)
    return url_of_host(settings, host)


def _answers(supervisor: Supervisor, url: str) -> bool:
    """Wait until the service answers. Return False if it is stopped earlier."""
    # The port identifies the service, so do not check the address in its certificate.
    client = Client(url, seconds=1.0, is_known=True)
    deadline = time.monotonic() + START_SECONDS
    while not supervisor.is_stopping:
        if client.answers():
            return True
        if supervisor.pid(web.NAME) is None or time.monotonic() > deadline:
            raise InternalFault("the web server does not start")
        supervisor.wait(0.02)
    return False
