"""Send a message to a web address: one request to a checked address, reading only the beginning of the response.

The request follows no redirects, and ignores the proxy settings of the environment. No connection stays open.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from email.utils import parsedate_to_datetime
from functools import cached_property
from importlib.metadata import version

import h11
import msgspec

from service.destinations import Destination, Network, refusal

PATIENCE = 10.0
"""Timeout of a delivery in seconds, from the DNS lookup to the response."""
MOST_READ = 1024
"""Maximum bytes that are kept of a response body."""
MOST_HEAD = 16 * 1024
MOST_TAKEN = 64 * 1024
"""Maximum bytes to receive. A receiver might send interim responses forever, or tiny pieces."""
_AGENT = f"driftlog/{version('driftlog')}"

Message = tuple[dict[str, str], bytes]
"""The headers and the body."""


class PostResponse(msgspec.Struct, frozen=True):
    """The response to a message."""

    status: int | None = None
    """The status code; None if there was no response."""
    body: str | None = None
    """The beginning of the body."""
    retry_after: float | None = None
    """Seconds to wait, from `Retry-After`."""
    error: str | None = None
    """The reason why there is no response."""

    @property
    def is_taken(self) -> bool:
        """True if the receiver accepted the message."""
        return self.status is not None and 200 <= self.status < 300


class Poster:
    """Sends messages.

    Args:
        allowed: networks that are allowed although they are not public.
        lookups: the threads for DNS lookups.
        tls: the context with which servers are verified (default: with the system's certificates).
        patience: timeout of a message in seconds.
    """

    def __init__(
        self,
        allowed: Sequence[Network],
        lookups: Executor,
        *,
        tls: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._allowed = allowed
        self._lookups = lookups
        if tls is not None:
            self.tls = tls
        self._patience = patience
        self._looked_up: dict[tuple[str, int], asyncio.Future[list[str]]] = {}
        """DNS lookups in progress, by host and port."""

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """The TLS context with which servers are verified.

        It is created on demand, because the system's certificates take 2 MB of memory.
        """
        return ssl.create_default_context()

    async def post(self, url: str, make: Callable[[], Message | None]) -> PostResponse | None:
        """Connect to `url`, then call `make` and send the message that it returns.

        Return the receiver's response; None if `make` returned no message. Any error of `make` is raised.
        """
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(self._patience):
                destination = Destination.parse(url)
                reader, writer = await self._connect(destination)
                # Create the message as late as possible, so that a receiver without permission gets nothing.
                message = make()
                if message is None:
                    return None
                return await _exchange(reader, writer, destination, *message)
        except TimeoutError:
            return PostResponse(error=f"no answer within {self._patience:g} seconds")
        except _ForbiddenAddress as error:
            return PostResponse(error=str(error))
        except ssl.SSLError as error:
            return PostResponse(error=f"TLS: {error.reason or 'no connection'}")
        except OSError as error:
            return PostResponse(
                error=f"no connection: {os.strerror(error.errno) if error.errno else type(error).__name__}"
            )
        except h11.RemoteProtocolError:
            return PostResponse(error="the answer is not HTTP/1.1")
        finally:
            if writer is not None:
                writer.transport.abort()

    async def _connect(self, destination: Destination) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        failed: OSError = OSError("no address")
        for address in await self._addresses(destination):
            try:
                return await asyncio.open_connection(
                    address,
                    destination.port,
                    ssl=self.tls if destination.scheme == "https" else None,
                    server_hostname=destination.host if destination.scheme == "https" else None,
                    limit=MOST_HEAD,
                )
            except OSError as error:
                failed = error
        raise failed

    async def _addresses(self, destination: Destination) -> list[str]:
        """Check that all addresses of a host are allowed, and return them.

        Raises:
            _Refused: an address is not allowed.
        """
        try:
            # Messages to the same host share a lookup. If one message times out, the lookup continues for the others.
            addresses = await asyncio.shield(self._looking(destination.host, destination.port))
        except (socket.gaierror, UnicodeError):
            raise _ForbiddenAddress("the host is unknown: check its name") from None
        why = refusal(addresses, self._allowed)
        if why is not None:
            raise _ForbiddenAddress(why)
        return addresses

    def _looking(self, host: str, port: int) -> asyncio.Future[list[str]]:
        """Return the addresses of a host. Concurrent callers share one lookup.

        So if a name server does not answer, one thread is blocked for each host, not for each message.
        """

        def look_up() -> list[str]:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            return list(dict.fromkeys(str(one[4][0]) for one in found))

        def forget(looking: asyncio.Future[list[str]]) -> None:
            del self._looked_up[host, port]
            # All waiting messages may have timed out.
            if not looking.cancelled():
                looking.exception()

        looking = self._looked_up.get((host, port))
        if looking is None:
            looking = asyncio.get_running_loop().run_in_executor(self._lookups, look_up)
            self._looked_up[host, port] = looking
            looking.add_done_callback(forget)
        return looking


class _ForbiddenAddress(Exception):
    """The address is not allowed as a destination."""


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    destination: Destination,
    headers: dict[str, str],
    body: bytes,
) -> PostResponse:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_HEAD)
    told = {
        "host": destination.authority,
        "user-agent": _AGENT,
        "accept": "*/*",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    request = h11.Request(method="POST", target=destination.target, headers=list(told.items()))
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(part) or b"")
    await writer.drain()
    return await _read_answer(connection, reader)


async def _read_answer(connection: h11.Connection, reader: asyncio.StreamReader) -> PostResponse:
    response: h11.Response | None = None
    read, taken = b"", 0
    while len(read) < MOST_READ:
        event = connection.next_event()
        match event:
            case h11.NEED_DATA:
                if taken >= MOST_TAKEN:
                    break
                try:
                    more = await reader.read(MOST_HEAD)
                    taken += len(more)
                    connection.receive_data(more)
                except ConnectionError:
                    if response is None:
                        raise
                    break
            case h11.Response():
                response = event
            case h11.Data():
                read += bytes(event.data)
            case h11.EndOfMessage() | h11.ConnectionClosed() | h11.PAUSED:
                break
    if response is None:
        return PostResponse(error="the response is incomplete")
    text = read[:MOST_READ].decode(errors="replace")
    return PostResponse(response.status_code, text, _retry_after(response))


def _retry_after(response: h11.Response) -> float | None:
    """Return the seconds to wait, from either form of the header `Retry-After` (RFC 9110, 10.2.3)."""
    told = dict(response.headers).get(b"retry-after", b"").decode(errors="replace").strip()
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        moment = parsedate_to_datetime(told)
        return (moment - moment.now(moment.tzinfo)).total_seconds()
    except (TypeError, ValueError):
        return None
