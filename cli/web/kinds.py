"""Kinds of requests. Each kind has its own lane, so that slow requests do not delay requests of other kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote

from api.plumbing.access import LINKS
from api.plumbing.settings import Settings
from cli.web import logs
from cli.web.connection import Connection
from cli.web.guests import SHARED, bears_link
from cli.web.lanes import Lane

AT_ONCE = 8
"""Maximum number of quick requests that run at the same time."""
WAITING = 64
"""Maximum number of requests that wait for quick requests to end. Even a slow machine answers this many in a second."""
PATIENCE = 2.0
"""Seconds that a request waits before it is rejected."""
EXPORTING = 0.5
"""Fraction of a process's threads that may send files. A slow reader occupies a thread for a long time."""
GUESTS = 2
"""Maximum number of running requests by guests (share links), so that guests delay only each other."""
GUESTS_PATIENCE = 8.0
"""Maximum seconds that a guest's request waits. A request from another link, and a pause after it, may come first."""
GUESTS_REST = 4.0
"""Pause after a guest's request, as a multiple of the request's duration. Other requests use the pause."""
PROBING = 2
"""Maximum number of requests for `logs.PROBES` that are answered in parallel, besides all other requests."""


def exporting(settings: Settings) -> int:
    """Return the maximum number of files that a process sends at the same time."""
    return max(1, int(settings.web_threads * EXPORTING))


def threads(settings: Settings) -> int:
    """Return the number of threads that a process needs for all lanes."""
    return settings.web_threads + exporting(settings) + 2 * settings.streams + PROBING + 2 * GUESTS


class Lanes:
    """The lanes of a web process. All times are in seconds, on the same clock."""

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
        self._guests = _lane_of_guests()
        # Use separate lanes. Guests who hold streams open must not block the streams of other users. A guest who reads
        # a file slowly must not delay the pages of other guests.
        self._guests_streams: Lane[Connection] = Lane(
            at_once=settings.streams, most=settings.streams, waiting=0, patience=PATIENCE
        )
        self._guests_exports = _lane_of_guests()
        self._all = (
            self._work,
            self._exports,
            self._streams,
            self._probes,
            self._guests,
            self._guests_streams,
            self._guests_exports,
        )

    @property
    def are_waited_for(self) -> bool:
        """True if any request waits."""
        return any(lane.is_waited_for for lane in self._all)

    def enter(self, connection: Connection, now: float) -> bool:
        """Queue the request of a connection; return False if it must be refused."""
        request = connection.request
        if request.path in logs.PROBES:
            return self._probes.enter(connection, now)
        is_guest = _is_guest(request)
        streams = self._guests_streams if is_guest else self._streams
        if _listens(request) and streams.enter(connection, now):
            return True
        if is_guest:
            lane = self._guests_exports if _exports(request) else self._guests
        else:
            lane = self._exports if _exports(request) else self._work
        return lane.enter(connection, now)

    def late(self, now: float) -> Iterator[Connection]:
        """Remove and return the requests that have waited too long."""
        for lane in self._all:
            yield from lane.late(now)

    def begin(self, now: float) -> Iterator[Connection]:
        """Start and return the next requests."""
        for lane in self._all:
            for connection in lane.begin(now):
                connection.lane = lane
                yield connection

    def leave(self, connection: Connection, now: float) -> None:
        """Record that the work for a connection has ended."""
        assert connection.lane is not None
        connection.lane.leave(connection, now)
        connection.lane = None


def _lane_of_guests() -> Lane[Connection]:
    return Lane(at_once=1, most=GUESTS, waiting=WAITING, patience=GUESTS_PATIENCE, rest=GUESTS_REST, sender=_link)


def _link(connection: Connection) -> str:
    """Return the share link of a guest's request."""
    path = _path(connection.request)
    if path.startswith(SHARED):
        return path.removeprefix(SHARED).partition("/")[0]
    tokens = (text.partition(" ")[2].strip() for name, text in connection.request.headers if name == "AUTHORIZATION")
    return next(filter(LINKS.__contains__, tokens), "")


def _is_guest(incoming: Any) -> bool:
    if _path(incoming).startswith(SHARED):
        return True
    return bool(LINKS) and any(bears_link(text) for name, text in incoming.headers if name == "AUTHORIZATION")


def _path(incoming: Any) -> str:
    # Decode the path as Flask does, so that all spellings of an address count as the same kind.
    return unquote(incoming.path).rstrip("/")


def _exports(incoming: Any) -> bool:
    """Return True if the answer is a file, which can be as long as a log."""
    path = _path(incoming)
    return path.endswith(("/export", "/print.pdf")) or (path.startswith("/v1/exports/") and path.endswith("/file"))


def _listens(incoming: Any) -> bool:
    """Return True if the response waits for appends, and so would delay other requests of its lane."""
    path = _path(incoming)
    if path.endswith("/events"):
        return incoming.method in ("GET", "HEAD") and any(name == "wait" for name, _ in parse_qsl(incoming.query))
    return path.endswith("/stream")
