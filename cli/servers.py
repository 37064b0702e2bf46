"""The Redis servers of a service: started, found where they run, and held against the folder that they keep."""

from __future__ import annotations

import logging
import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from api.plumbing.settings import Settings
from cli.following import Followed
from cli.terminal import CannotWrite, InUse, Unavailable, WrongSetting
from store import Store
from store.errors import DataFolderInUse, Misconfigured, StoreError
from store.log.archive import owner_of, user
from store.redis.connection import check, connect
from store.redis.embedded import Embedded, holds_store, running_url
from store.redis.memory import bytes_of
from workers import queue
from workers.supervisor import FIRST_PAUSE, LONGEST_PAUSE

logger = logging.getLogger(__name__)

ATTEMPTS = 8
"""Attempts in a row to restart a server that has died; the pause between them doubles."""
ARCHIVE_SECONDS = 5.0
"""How long the archive may take to answer at the start."""
_OURS = frozenset({"events", "queue", "archive", "lost+found"})
"""What may stand in a data folder that holds no store yet."""
_OVER_TLS = " (over TLS: if it does not speak that, its address begins with redis://, not rediss://)"


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
        self._pause = self._next_attempt = 0.0
        self.settings = settings
        """With a URL for each."""
        if not settings.redis_url:
            _refuse_strange(settings.data)
        if settings.replicas and not settings.redis_url:
            raise WrongSetting("DRIFTLOG_REPLICAS: the embedded server has none; set DRIFTLOG_REDIS_URL")
        try:
            if not settings.redis_url:
                most = bytes_of(settings.maxmemory)
                reserve = bytes_of(settings.disk_reserve)
                events = Embedded(settings.data, "events", durable=True, maxmemory=most, reserve=reserve)
                url = self._start(events, stack)
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
            # It is read again when the next line is due.
            with suppress(OSError):
                followed.tell()

    def guard_disk(self) -> None:
        """Have embedded servers take no writes while their disk is almost full."""
        for server in self._embedded:
            # One that does not answer is started again, or asked again.
            with suppress(StoreError, OSError):
                server.guard_disk()

    def revive(self) -> bool:
        """Start again what has died; whether something had, and is there again.

        Raises:
            Unavailable: it does not start again, however often it is tried.
        """
        dead = [server for server in self._embedded if not server.is_running]
        if not dead or time.monotonic() < self._next_attempt:
            return False
        for server in dead:
            if not self._failures:
                logger.warning("the server of %s has died: starting again", server.folder)
            try:
                server.start()
                self._followed[server] = Followed(server.folder.name, server.log)
            except (StoreError, OSError) as error:
                self._failures += 1
                # A server refuses its data for good; a full disk, or too many open files, may pass.
                if self._failures >= ATTEMPTS and isinstance(error, StoreError):
                    raise Unavailable(str(error)) from None
                self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
                self._next_attempt = time.monotonic() + self._pause
                return False
            self._failures, self._pause = 0, 0.0
        return True


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
