"""The transport of a connection: plain bytes, or TLS. Neither of them blocks the loop."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
from typing import Any

from api.plumbing.settings import BadSetting, Settings, setting

HANDSHAKE = b"\x16"
"""The first byte of a TLS connection (RFC 8446, 5.1). No HTTP request begins with it."""
SLICE = 64 * 1024
_RECEIVE = 64 * 1024


class PlainSocket(socket.socket):
    """A socket whose timeout applies to each slice of the sent data, not to the data as a whole.

    `take` raises `BlockingIOError` if nothing has arrived yet, and another `OSError` if the connection is broken.
    """

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        view = memoryview(data)
        for start in range(0, len(view), SLICE):
            super().sendall(view[start : start + SLICE], flags)

    def take(self) -> bytes:
        """Return the received bytes; empty at the end of the stream."""
        return self.recv(_RECEIVE)

    def end(self) -> None:
        """Signal the end of the data."""
        self.shutdown(socket.SHUT_WR)

    @property
    def is_broken(self) -> bool:
        """Return True if the client has closed the connection; False if it has only closed its sending side."""
        return _is_broken(self)


class TlsSocket(ssl.SSLSocket):
    """A socket with TLS. The handshake happens at the first read."""

    has_shaken_hands = False

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        view = memoryview(data)
        for start in range(0, len(view), SLICE):
            super().sendall(view[start : start + SLICE], flags)

    def take(self) -> bytes:
        """Return all decrypted bytes, because the loop does not notice bytes that remain in the TLS buffer."""
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
        """End TLS, then signal the end of the data. Without the end of TLS, the data would look truncated."""
        # Do not wait for the answer of the client.
        with contextlib.suppress(OSError, ValueError):
            self.unwrap()
        self.shutdown(socket.SHUT_WR)

    @property
    def is_broken(self) -> bool:
        return _is_broken(self)


def _is_broken(sock: socket.socket) -> bool:
    poll = select.poll()
    poll.register(sock, 0)
    return bool(poll.poll(0))


def secure(settings: Settings) -> ssl.SSLContext | None:
    """Return the TLS context of this service; None if it does not use TLS itself."""
    if not settings.certificate:
        if settings.key:
            with setting("key"):
                raise BadSetting("a key needs a certificate: set DRIFTLOG_CERTIFICATE, too")
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.sslsocket_class = TlsSocket
    context.set_alpn_protocols(["http/1.1"])
    with setting("certificate"):
        try:
            context.load_cert_chain(settings.certificate, settings.key or None, _refuse_password)
        except OSError as error:
            what = f"{settings.certificate}{f' with {settings.key}' if settings.key else ''}"
            why = error.strerror if not isinstance(error, ssl.SSLError) else error.reason
            raise BadSetting(f"must be a PEM certificate with its key, not {what!r}: {why}") from None
    return context


def open_line(accepted: socket.socket, context: ssl.SSLContext | None) -> PlainSocket | TlsSocket:
    """Return the socket of an accepted connection, with TLS if `context` is given. Do not use `accepted` again."""
    accepted.settimeout(0.0)
    if context is not None:
        return wrap_tls(context, accepted)
    line = PlainSocket(fileno=accepted.detach())
    line.settimeout(0.0)
    return line


def wrap_tls(context: ssl.SSLContext, sock: socket.socket) -> TlsSocket:
    """Wrap the socket of an accepted connection in TLS. Do not use `sock` afterwards."""
    line = context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
    assert isinstance(line, TlsSocket)
    return line


def _refuse_password() -> str:
    # Without this, OpenSSL would ask for a password on the terminal.
    return ""
