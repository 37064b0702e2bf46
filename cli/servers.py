"""The Redis servers of a service: start them, find running ones, and check them against the data folder."""

from __future__ import annotations

import logging
import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from api.plumbing.settings import Settings
from cli.following import FollowedLog
from cli.terminal import CannotWrite, InUse, ServiceUnavailable, WrongSetting
from store import Store
from store.errors import DataFolderInUse, Misconfigured, StoreError
from store.log.archive import owner_of, user
from store.redis.connection import check, connect
from store.redis.embedded import EmbeddedServer, holds_store, running_url
from store.redis.memory import bytes_of
from workers import queue
from workers.supervisor import FIRST_PAUSE, LONGEST_PAUSE

logger = logging.getLogger(__name__)

ATTEMPTS = 8
"""Maximum number of consecutive attempts to restart a dead server. The pause between attempts doubles."""
ARCHIVE_SECONDS = 5.0
"""Seconds to wait for the archive when the service starts."""
_OURS = frozenset({"events", "queue", "archive", "lost+found"})
"""The files and folders that a data folder may contain before it has a store."""
_OVER_TLS = " (over TLS: if the server does not use TLS, its address must begin with redis://, not rediss://)"


class Servers:
    """The Redis servers of a service. They are embedded, unless the settings name others."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        """Start the embedded Redis servers; `stack` stops them."""
        self._embedded: list[EmbeddedServer] = []
        self._followed: dict[EmbeddedServer, FollowedLog] = {}
        self._failures = 0
        self._pause = self._next_attempt = 0.0
        self.settings = settings
        """The settings with a URL for each server."""
        if not settings.redis_url:
            _refuse_strange(settings.data)
        if settings.replicas and not settings.redis_url:
            raise WrongSetting("DRIFTLOG_REPLICAS: the embedded server has none; set DRIFTLOG_REDIS_URL")
        try:
            if not settings.redis_url:
                most = bytes_of(settings.maxmemory)
                reserve = bytes_of(settings.disk_reserve)
                events = EmbeddedServer(settings.data, "events", durable=True, maxmemory=most, reserve=reserve)
                url = self._start(events, stack)
                self.settings = msgspec.structs.replace(self.settings, redis_url=url)
            if not settings.queue_url:
                url = self._start(EmbeddedServer(settings.data, "queue", durable=False), stack)
                self.settings = msgspec.structs.replace(self.settings, queue_url=url)
            self.warnings = self._warnings()
            queue.check(queue.connect(self.settings.queue_url))
        except Misconfigured as error:
            raise WrongSetting(f"DRIFTLOG_REDIS_URL: {error}") from None
        except queue.QueueMisconfigured as error:
            raise WrongSetting(f"DRIFTLOG_QUEUE_URL: {error}") from None
        except DataFolderInUse as error:
            raise InUse(str(error)) from None
        except (StoreError, queue.QueueUnavailable) as error:
            is_by_tls = "rediss" in self.settings.redis_url + self.settings.queue_url
            raise ServiceUnavailable(f"{error}{_OVER_TLS if is_by_tls else ''}") from None
        except OSError as error:
            raise CannotWrite(f"the data folder {settings.data}: {error.strerror}") from None

    @property
    def scratch(self) -> Path | None:
        """A private folder that is removed even if this process is killed; None without an embedded server."""
        return self._embedded[0].socket.parent if self._embedded else None

    def _warnings(self) -> list[str]:
        url, settings = self.settings.redis_url, self.settings
        warnings = check(connect(url), settings.replicas)
        store = Store.connect(url, settings.archive_address, replicas=settings.replicas)
        # Create the signing key now, so that it is older than every record.
        store.signing.active()
        fault = store.archiving.fault_monitor.fault(ARCHIVE_SECONDS)
        return warnings if fault is None else [*warnings, f"DRIFTLOG_ARCHIVE: {fault}"]

    def _start(self, server: EmbeddedServer, stack: ExitStack) -> str:
        url = server.start()
        stack.callback(server.stop)
        self._embedded.append(server)
        self._followed[server] = FollowedLog(server.folder.name, server.log)
        return url

    def log_new_lines(self) -> None:
        """Log the lines that the embedded servers have added to their logs."""
        for followed in self._followed.values():
            # If a log cannot be read, the next call tries again.
            with suppress(OSError):
                followed.log_new_lines()

    def guard_disk(self) -> None:
        """Stop writes of embedded servers while their disk is almost full."""
        for server in self._embedded:
            # If a server does not answer, it will be restarted, or checked again later.
            with suppress(StoreError, OSError):
                server.guard_disk()

    def revive(self) -> bool:
        """Restart dead servers; return True if one was restarted.

        Raises:
            ServiceUnavailable: a server does not start after `ATTEMPTS` attempts.
        """
        dead = [server for server in self._embedded if not server.is_running]
        if not dead or time.monotonic() < self._next_attempt:
            return False
        for server in dead:
            if not self._failures:
                logger.warning("the server of %s has died: starting again", server.folder)
            try:
                server.start()
                self._followed[server] = FollowedLog(server.folder.name, server.log)
            except (StoreError, OSError) as error:
                self._failures += 1
                # A server that rejects its data will reject it again. Other causes, such as a full disk, may pass.
                if self._failures >= ATTEMPTS and isinstance(error, StoreError):
                    raise ServiceUnavailable(str(error)) from None
                self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
                self._next_attempt = time.monotonic() + self._pause
                return False
            self._failures, self._pause = 0, 0.0
        return True


def with_server_urls(settings: Settings) -> Settings:
    """Return the settings. If they name no servers, add the URLs of the servers that run on the data folder."""
    redis_url = settings.redis_url or running_url(settings.data, "events")
    queue_url = settings.queue_url or running_url(settings.data, "queue")
    if redis_url is None or queue_url is None:
        message = (
            f"no service runs on the data folder {settings.data}: start one with `driftlog serve`, "
            "or set DRIFTLOG_REDIS_URL and DRIFTLOG_QUEUE_URL"
        )
        raise ServiceUnavailable(message)
    return msgspec.structs.replace(settings, redis_url=redis_url, queue_url=queue_url)


def check_place(given: Settings, used: Settings) -> None:
    """Check that the settings `given` still lead to the servers in `used`."""
    try:
        now = with_server_urls(given)
    except ServiceUnavailable:
        # The servers may be restarting at the same addresses.
        return
    if now != used:
        raise ServiceUnavailable(f"the service on {given.data} was restarted: restart its workers, too")


def open_store(settings: Settings, stack: ExitStack) -> Store:
    """Return the store of a service. Raise an error if there is none.

    If the service is stopped, its servers are started, and run until `stack` closes.
    """
    url = settings.redis_url or running_url(settings.data, "events")
    if url is None and not holds_store(settings.data):
        message = (
            f"the data folder {settings.data} contains no store: name the folder of your service with --data, or set "
            "DRIFTLOG_REDIS_URL"
        )
        raise ServiceUnavailable(message)
    store = Store.connect(url or _start_events(settings, stack), settings.archive_address, replicas=settings.replicas)
    if settings.redis_url and not store.is_there():
        raise ServiceUnavailable("the Redis of DRIFTLOG_REDIS_URL contains no Driftlog store: check the address")
    return store


def open_empty_store(settings: Settings, stack: ExitStack) -> Store:
    """Return the store for a restore, as `open_store` does.

    If there is no store, and the data folder has no other files, create one.
    """
    url = settings.redis_url or running_url(settings.data, "events")
    if url is None:
        _refuse_strange(settings.data)
    return Store.connect(url or _start_events(settings, stack), settings.archive_address, replicas=settings.replicas)


def _start_events(settings: Settings, stack: ExitStack) -> str:
    """Start the Redis server of a stopped service's events. It runs until `stack` closes. Return its URL."""
    owner = owner_of(settings.data)[0] if settings.data.exists() else os.geteuid()
    if os.geteuid() == 0 and owner != 0:
        whose = user(owner)
        raise CannotWrite(
            f"the data folder {settings.data} belongs to {whose}, but new files would belong to root: run this as "
            f"{whose}"
        )
    return Servers(settings, stack).settings.redis_url


def _refuse_strange(data: Path) -> None:
    """Refuse to use a folder that has other contents but no store."""
    if data.is_dir() and not holds_store(data) and {path.name for path in data.iterdir()} - _OURS:
        raise ServiceUnavailable(f"the data folder {data} contains other files, but no store: choose an empty folder")
