"""What a connection speaks: bytes as they are, or TLS. Neither makes the loop wait."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
from typing import Any

from api.plumbing.settings import BadSetting, Settings, setting

SLICE = 64 * 1024
_RECEIVE = 64 * 1024


class Line(socket.socket):
    """A socket whose timeout holds for each slice of what is sent, not for the whole of it."""

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        view = memoryview(data)
        for start in range(0, len(view), SLICE):
            super().sendall(view[start : start + SLICE], flags)

    def take(self) -> bytes:
        """What has come; empty where nothing comes any more.

        Raises:
            BlockingIOError: nothing has come yet.
            OSError: the connection is broken.
        """
        return self.recv(_RECEIVE)

    def end(self) -> None:
        """Say that nothing more is sent.

        Raises:
            OSError: the connection is broken.
        """
        self.shutdown(socket.SHUT_WR)

    @property
    def is_broken(self) -> bool:
        """Whether the client has gone with answers left unread; one that only sends no more still waits for them."""
        return _is_broken(self)


class SecureLine(ssl.SSLSocket):
    """The same by TLS, whose handshake is a part of what comes first."""

    has_shaken_hands = False

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        view = memoryview(data)
        for start in range(0, len(view), SLICE):
            super().sendall(view[start : start + SLICE], flags)

    def take(self) -> bytes:
        """As `Line.take`; all that is decrypted is taken, since nothing would tell the loop of the rest."""
        try:
            if not self.has_shaken_hands:
                self.do_handshake()
                self.has_shaken_hands = True
            taken = self.recv(_RECEIVE)
            while self.pending():
                taken += self.recv(_RECEIVE)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
            raise BlockingIOError from error
        return taken

    def end(self) -> None:
        """As `Line.end`, told within TLS first: else what was sent looks as if somebody had cut it off."""
        # It does not wait for the other side to say the same.
        with contextlib.suppress(OSError, ValueError):
            self.unwrap()
        self.shutdown(socket.SHUT_WR)

    @property
    def is_broken(self) -> bool:
        """As `Line.is_broken`."""
        return _is_broken(self)


def _is_broken(sock: socket.socket) -> bool:
    poll = select.poll()
    poll.register(sock, 0)
    return bool(poll.poll(0))


def secure(settings: Settings) -> ssl.SSLContext | None:
    """How this service speaks TLS itself; None where it does not.

    Raises:
        BadSetting: there is no such certificate with its key.
    """
    if not settings.certificate:
        if settings.key:
            with setting("key"):
                raise BadSetting("it goes with a certificate: set DRIFTLOG_CERTIFICATE, too")
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.sslsocket_class = SecureLine
    context.set_alpn_protocols(["http/1.1"])
    with setting("certificate"):
        try:
            context.load_cert_chain(settings.certificate, settings.key or None, _refuse_password)
        except OSError as error:
            what = f"{settings.certificate}{f' with {settings.key}' if settings.key else ''}"
            why = error.strerror if not isinstance(error, ssl.SSLError) else error.reason
            raise BadSetting(f"it has to be a certificate in PEM, and its key, not {what!r}: {why}") from None
    return context


def _refuse_password() -> str:
    # Where nothing is said, OpenSSL asks a terminal.
    return ""
