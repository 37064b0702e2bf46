"""A web process: gunicorn's threaded worker, changed to read a whole request before a thread handles it.

A loop holds every connection that has not sent a whole request, each with a deadline. A thread gets a request when the
head and the body are in memory. So a client that sends slowly, or not at all, costs only a connection. Requests that
cannot be answered in time are rejected at once. Only the loop's thread changes state; the other threads pass calls to
it through `method_queue`.
"""

from __future__ import annotations

import contextlib
import copy
import errno
import random
import selectors
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from flask import Flask
from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException

from api.plumbing.metrics import method
from api.plumbing.settings import Settings
from cli.web import guests
from cli.web.connection import Connection, Connections
from cli.web.incoming import BodyTooLarge, Incoming
from cli.web.kinds import Lanes
from cli.web.lines import HANDSHAKE, PlainSocket, open_line, secure, wrap_tls
from cli.web.process import WebProcess
from cli.web.refusals import refusal, slug_of

RETRY_AFTER = (1, 2, 3)
"""Seconds for `Retry-After`, chosen at random, so that rejected clients do not all return at once."""
PAUSE = 1.0
"""Seconds after a rejection during which the connection is not read, so that an immediate retry costs nothing."""
LEAST_RATE = 16 * 1024
"""Minimum bytes per second of a body that takes longer than the settings allow."""
LINGER = 1.0
"""Seconds within which a client must read the last response and stop sending."""
SEND_SECONDS = 20.0
"""Seconds within which a client must read `SLICE` bytes of its response."""
TICK = 0.25
"""Seconds between checks of deadlines."""
STOP_SECONDS = 2.0
"""Seconds that a stopping process waits for requests on open connections."""


class Worker(WebProcess):
    """The process that reads all requests, and answers those of everyone except guests."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        config: Config,
        make_app: Callable[[], Flask],
        guests: socket.socket | None,
    ) -> None:
        """
        Args:
            listener: the listening socket, which outlives this process, so that clients are not refused during a
                restart.
            make_app: returns the app, ready for requests in this process.
            guests: the socket of the guests' process; None to handle guests like all others.
        """
        super().__init__(listener, config, make_app)
        self._settings = settings
        self._guests = guests
        self._secure = secure(settings)
        self._plain = self.cfg
        """The configuration for a connection without TLS."""
        if self._secure is not None:
            self._plain = copy.deepcopy(self.cfg)
            self._plain.set("certfile", None)
            self._plain.set("keyfile", None)
        self._connections = Connections()
        self._ticked = 0.0
        self._lanes = Lanes(settings)

    def run(self) -> None:
        """Serve until SIGTERM, then finish the running requests."""
        self._longest: Callable[[str, str], int] = self.wsgi.config["LONGEST_BODY"]
        if self._guests is not None:
            app: Any = self.wsgi
            app.wsgi_app = guests.forwarding(app.wsgi_app, self._guests.getsockname(), lambda: self.alive)
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        while self.goes_on():
            self._turn()
        self.set_accept_enabled(False)
        # Stop live streams, which would otherwise run until their clients leave.
        self.wsgi.extensions["hub"].stop()
        now = time.monotonic()
        for connection in self._connections:
            connection.deadline = min(connection.deadline, now + STOP_SECONDS)
        until = now + self.cfg.graceful_timeout
        while self._connections and time.monotonic() < until:
            self._turn()
        for connection in self._connections:
            self._close(connection)
        self.tpool.shutdown(wait=False)
        self.poller.close()
        self.method_queue.close()

    def accept(self, listener: Any) -> None:
        """Accept a new connection."""
        try:
            accepted, client = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._make_room()
            elif error.errno not in (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED):
                self.log.warning("accept: %s", error)
            return
        try:
            sock = open_line(accepted, None if self._settings.authority else self._secure)
        except OSError:
            # The client has already left.
            accepted.close()
            return
        incoming = Incoming(self._plain if isinstance(sock, PlainSocket) else self.cfg, client, self._longest)
        connection = Connection(sock, client, listener.getsockname(), incoming)
        if len(self._connections) >= self.worker_connections:
            self._make_room()
        of_peer = self._connections.add(connection)
        connection.deadline = time.monotonic() + self._settings.head_seconds
        if 0 < self._settings.connections_per_address < of_peer:
            self._refuse(connection, "too-many-connections")
        else:
            self._listen(connection)

    def handle(self, connection: Connection) -> bool:
        """Answer a request, in a thread; return True if the connection stays open."""
        request = connection.request
        try:
            connection.sock.settimeout(SEND_SECONDS)
            return bool(self.handle_request(request, connection))
        except (OSError, StopIteration) as error:
            # The client has left or does not read, or the response failed, which gunicorn has logged.
            self.log.debug("answer cut off: %s", error)
        except guests.GuestsUnavailable:
            with contextlib.suppress(OSError):
                connection.sock.sendall(refusal(connection, "overloaded", retry_after=RETRY_AFTER[0]))
        except Exception:
            # Do not log the address: it can contain a share link.
            self.log.exception("answering a %s", method(request.method))
            with contextlib.suppress(OSError):
                connection.sock.sendall(refusal(connection, "internal-error"))
        return False

    def finish_request(self, connection: Connection, future: Future[bool]) -> None:
        """Continue with a connection whose request has been answered."""
        self._lanes.leave(connection, time.monotonic())
        connection.request = None
        self._connections.weigh(connection)
        if connection.is_closed:
            return
        if connection.sock.fileno() < 0:
            self._close(connection)
            return
        connection.sock.settimeout(0.0)
        now = time.monotonic()
        if future.result():
            seconds = self.cfg.keepalive if self.alive else min(self.cfg.keepalive, STOP_SECONDS)
            connection.deadline = now + seconds
            if connection.incoming.is_idle:
                self._advance(connection)
            else:
                self._hold_back(connection, now)
        else:
            self._linger(connection)

    def _turn(self) -> None:
        self.notify()
        for key, _ in self.poller.select(TICK / 8 if self._lanes.are_waited_for else TICK):
            try:
                key.data(key.fileobj)
            except Exception:
                self.log.exception("in the loop")
        now = time.monotonic()
        for connection in self._lanes.late(now):
            self._refuse_for_now(connection)
        for connection in self._lanes.begin(now):
            if connection.sock.is_broken:
                self._lanes.leave(connection, now)
                self._close(connection)
            else:
                self.enqueue_req(connection)
        if now - self._ticked >= TICK:
            self._ticked = now
            self._tick(now)

    def _tick(self, now: float) -> None:
        """Handle expired deadlines."""
        for connection in self._connections.waiting():
            if connection.is_asking_leave or connection.deadline > now:
                continue
            if connection.is_lingering or connection.is_idle or connection.is_held_back:
                self._close(connection)
            elif connection.is_heard:
                if not self._has_earned_time(connection):
                    self._refuse(connection, "request-timeout")
            else:
                # The pause after the rejection is over.
                connection.deadline = now + (self._settings.head_seconds if self.alive else 0.0)
                self._advance(connection)

    def _has_earned_time(self, connection: Connection) -> bool:
        """Extend the deadline of a long body that arrives fast enough; return True if extended."""
        incoming, seconds = connection.incoming, self._settings.body_seconds
        if not self.alive or not incoming.is_in_body or incoming.size - connection.counted < LEAST_RATE * seconds:
            return False
        connection.counted = incoming.size
        connection.deadline = time.monotonic() + seconds
        return True

    def _listen(self, connection: Connection) -> None:
        if not connection.is_heard:
            connection.is_heard = True
            self.poller.register(connection.sock, selectors.EVENT_READ, lambda _: self._receive(connection))

    def _hold_back(self, connection: Connection, now: float) -> None:
        """Stop reading the pipelined requests of a connection, while other connections need the room."""
        connection.is_held_back = True
        connection.deadline = now + SEND_SECONDS
        self.poller.register(connection.sock, selectors.EVENT_WRITE, lambda _: self._go_on(connection))

    def _go_on(self, connection: Connection) -> None:
        self._ignore(connection)
        if connection.sock.is_broken:
            self._close(connection)
        else:
            connection.deadline = time.monotonic() + self._settings.head_seconds
            self._advance(connection)

    def _ignore(self, connection: Connection) -> None:
        if connection.is_heard or connection.is_held_back:
            connection.is_heard = connection.is_held_back = False
            self.poller.unregister(connection.sock)

    def _choose(self, connection: Connection) -> None:
        """Start TLS if the first byte of a connection begins a handshake."""
        connection.is_new = False
        if self._secure and self._settings.authority and connection.sock.recv(1, socket.MSG_PEEK) == HANDSHAKE:
            self._ignore(connection)
            connection.sock = wrap_tls(self._secure, connection.sock)
            connection.incoming = Incoming(self.cfg, connection.client, self._longest)
            self._listen(connection)

    def _receive(self, connection: Connection) -> None:
        try:
            if connection.is_new:
                self._choose(connection)
            data = connection.sock.take()
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._close(connection)
        elif not connection.is_lingering:
            if connection.incoming.is_idle:
                connection.deadline = time.monotonic() + self._settings.head_seconds
            connection.incoming.feed(data)
            self._advance(connection)

    def _advance(self, connection: Connection) -> None:
        """Process the received bytes of the next request."""
        incoming = connection.incoming
        was_in_body = incoming.is_in_body
        try:
            request = None if incoming.is_idle else incoming.take()
        except (ParseException, BodyTooLarge) as error:
            self._refuse(connection, slug_of(error), limit=error.limit if isinstance(error, BodyTooLarge) else None)
            return
        if request is not None:
            self._ignore(connection)
            connection.request = request
            self._connections.weigh(connection, request.body.getbuffer().nbytes)
            if not self._lanes.enter(connection, time.monotonic()):
                self._refuse_for_now(connection)
            return
        if incoming.is_in_body:
            if not was_in_body:
                connection.counted = 0
                connection.deadline = time.monotonic() + self._settings.body_seconds
                if incoming.long is not None:
                    self._ask_leave(connection)
                    return
            if incoming.expects_continue:
                self._send(connection, b"HTTP/1.1 100 Continue\r\n\r\n")
        self._connections.weigh(connection)
        if not self._connections.has_room_for(connection):
            self._refuse(connection, "overloaded", retry_after=random.choice(RETRY_AFTER))  # noqa: S311  # no secret
        elif not connection.is_closed:
            self._listen(connection)

    def _ask_leave(self, connection: Connection) -> None:
        """Check in a thread, before a long body is read, that its sender may send it."""
        self._ignore(connection)
        connection.is_asking_leave = True
        request = connection.incoming.long
        _, environ = wsgi.create(request, connection.sock, connection.client, connection.server, self.cfg)
        asked = self.tpool.submit(self.wsgi.config["ADMITS"], environ)
        asked.add_done_callback(lambda done: self.method_queue.defer(self._have_leave, connection, done))

    def _have_leave(self, connection: Connection, asked: Future[str | None]) -> None:
        connection.is_asking_leave = False
        if connection.is_closed:
            return
        slug = asked.result()
        if slug is not None:
            self._refuse(connection, slug)
            return
        connection.deadline = time.monotonic() + self._settings.body_seconds
        self._advance(connection)

    def _refuse_for_now(self, connection: Connection) -> None:
        """Reject a request, and keep the connection open for a retry."""
        is_last = connection.request.should_close() or not self.alive
        retry_after = random.choice(RETRY_AFTER)  # noqa: S311  # no secret
        answer = refusal(connection, "overloaded", retry_after=retry_after, closes=is_last)
        connection.request = None
        self._connections.weigh(connection)
        self._send(connection, answer)
        if is_last:
            self._linger(connection)
        else:
            connection.deadline = time.monotonic() + PAUSE

    def _refuse(
        self, connection: Connection, slug: str, *, retry_after: int | None = None, limit: int | None = None
    ) -> None:
        """Answer with a problem and close the connection, because it is unknown where the next request begins."""
        self._send(connection, refusal(connection, slug, retry_after=retry_after, limit=limit))
        self._linger(connection)

    def _send(self, connection: Connection, answer: bytes) -> None:
        """Send a short response. Disconnect a client that does not accept all of it."""
        if connection.is_closed:
            return
        try:
            is_sent = connection.sock.send(answer) == len(answer)
        except OSError:
            is_sent = False
        if not is_sent:
            self._close(connection)

    def _linger(self, connection: Connection) -> None:
        """Close the connection after the client has read the response.

        If unread bytes had arrived, an earlier close could discard the response.
        """
        if connection.is_closed:
            return
        connection.incoming = Incoming(self.cfg, connection.client, self._longest)
        self._connections.weigh(connection)
        connection.is_lingering = True
        connection.deadline = time.monotonic() + LINGER
        try:
            connection.sock.end()
        except OSError:
            self._close(connection)
        else:
            self._listen(connection)

    def _close(self, connection: Connection) -> None:
        if connection.is_closed:
            return
        connection.is_closed = True
        if connection.sock.fileno() >= 0:
            self._ignore(connection)
        self._connections.remove(connection)
        with contextlib.suppress(OSError):
            connection.sock.close()

    def _make_room(self) -> None:
        """Close some of the idle connections: those with the earliest deadlines."""
        idle_first = sorted(self._connections.waiting(), key=lambda one: (not one.is_idle, one.deadline))
        for connection in idle_first[: max(1, self.worker_connections // 16)]:
            self._close(connection)
