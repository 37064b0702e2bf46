"""Kinds of requests: each has a lane of its own, so that those which take long hold up no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote

from api.plumbing.settings import Settings
from cli.web import logs
from cli.web.connection import Connection
from cli.web.lanes import Lane

SHARED = "/s/"
"""The start of every address below a share link."""
AT_ONCE = 8
"""Quick requests that work at a time."""
WAITING = 64
"""Requests that wait for those; at the rate of a slow machine that is less than a second."""
PATIENCE = 2.0
"""Seconds that a request waits before it is refused after all."""
EXPORTING = 0.5
"""The share of its threads that send files, which whoever reads slowly holds for long."""
GUESTS = 2
"""Requests by share links that are at work at a time. Guests wait for each other, so that nobody waits for them."""
PROBING = 2
"""How many of `logs.PROBES` are answered at a time, whatever else it does."""


def exporting(settings: Settings) -> int:
    """How many files a process sends at a time."""
    return max(1, int(settings.web_threads * EXPORTING))


class Lanes:
    """The lanes of a web process. Times are seconds on one clock."""

    def __init__(self, settings: Settings) -> None:
        self._work: Lane[Connection] = Lane(
            at_once=AT_ONCE, most=settings.web_threads, waiting=WAITING, patience=PATIENCE
        )
        self._exports: Lane[Connection] = Lane(
            at_once=AT_ONCE, most=exporting(settings), waiting=WAITING, patience=PATIENCE
        )
        self._streams: Lane[Connection] = Lane(
            at_once=settings.streams, most=settings.streams, waiting=0, patience=PATIENCE
        )
        self._probes: Lane[Connection] = Lane(at_once=PROBING, most=PROBING, waiting=WAITING, patience=PATIENCE)
        self._guests: Lane[Connection] = Lane(at_once=1, most=GUESTS, waiting=WAITING, patience=PATIENCE)
        # A lane of their own: a guest who reads a file slowly holds up no other guest's page.
        self._guests_exports: Lane[Connection] = Lane(at_once=1, most=GUESTS, waiting=WAITING, patience=PATIENCE)
        self._all = (
            self._work,
            self._exports,
            self._streams,
            self._probes,
            self._guests,
            self._guests_exports,
        )

    @property
    def are_waited_for(self) -> bool:
        """Whether any request waits."""
        return any(lane.is_waited_for for lane in self._all)

    def enter(self, connection: Connection, now: float) -> bool:
        """Let the request of a connection wait; False where it is to be refused."""
        request = connection.request
        if request.path in logs.PROBES:
            return self._probes.enter(connection, now)
        if _listens(request) and self._streams.enter(connection, now):
            return True
        if _path(request).startswith(SHARED):
            lane = self._guests_exports if _exports(request) else self._guests
        else:
            lane = self._exports if _exports(request) else self._work
        return lane.enter(connection, now)

    def late(self, now: float) -> Iterator[Connection]:
        """Those whose requests have waited too long; they wait no more."""
        for lane in self._all:
            yield from lane.late(now)

    def begin(self, now: float) -> Iterator[Connection]:
        """Those whose requests are at work from now on."""
        for lane in self._all:
            for connection in lane.begin(now):
                connection.lane = lane
                yield connection

    def leave(self, connection: Connection) -> None:
        """The work for a connection is done."""
        assert connection.lane is not None
        connection.lane.leave(connection)
        connection.lane = None


def _path(incoming: Any) -> str:
    # As Flask will read it: who writes an address in another way is to be held to the same.
    return unquote(incoming.path).rstrip("/")


def _exports(incoming: Any) -> bool:
    """Whether a request is answered by a file, which may be as long as a log."""
    path = _path(incoming)
    return path.endswith(("/export", "/print.pdf")) or (path.startswith("/v1/exports/") and path.endswith("/file"))


def _listens(incoming: Any) -> bool:
    """Whether a request is answered by waiting for what is appended, and would hold up those that are not."""
    path = _path(incoming)
    if path.endswith("/events"):
        return incoming.method in ("GET", "HEAD") and any(name == "wait" for name, _ in parse_qsl(incoming.query))
    return path.endswith("/stream")
