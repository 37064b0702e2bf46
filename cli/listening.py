"""The socket on which a server listens."""

from __future__ import annotations

import errno
import socket
import time

from cli.terminal import InUse, WrongSetting

PORT_SECONDS = 2.0
"""Seconds to wait for the children of a killed server to release the port."""
BACKLOG = 2048


def listen(host: str, port: int, named: str, chosen: str = "--port") -> socket.socket:
    """Return a listening socket; port 0 picks a free one.

    Args:
        named: the settings or options for the host and the port, as the error message names them.
        chosen: the options with which users choose another port, as the error message names them.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + PORT_SECONDS
    while True:
        try:
            server = socket.create_server((host, port), family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                # Remove the address that Python adds to the system's message, because our message contains it already.
                reason = (error.strerror or str(error)).partition(" (while attempting")[0]
                raise WrongSetting(f"{named}: cannot listen on {host}, port {port}: {reason}") from None
            if time.monotonic() > deadline:
                message = f"port {port} on {host} is in use: choose another one with {chosen}"
                raise InUse(message) from None
        else:
            # The head and the body of a response are sent one after the other. Without this option, on a connection
            # that is used again, the body waits until the client acknowledges the head. Clients delay this by 40 ms.
            # Accepted connections have the options of the server.
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return server
        time.sleep(0.1)
