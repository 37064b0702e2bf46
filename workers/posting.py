"""Sending a message to an address of the web: one request, to an address that was judged, read no further than needed.

Nothing follows a redirect, heeds a proxy of the environment, or keeps a connection.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from email.utils import parsedate_to_datetime
from importlib.metadata import version

import h11
import msgspec

from service.destinations import Destination, Network, refusal

PATIENCE = 10.0
"""Seconds that all of it may take, from looking up the host to the answer."""
MOST_READ = 1024
"""Bytes of an answer's body."""
MOST_HEAD = 16 * 1024
MOST_TAKEN = 64 * 1024
"""Bytes of all that comes: an answer may say for ever that it is about to begin, or come in crumbs."""
_AGENT = f"driftlog/{version('driftlog')}"

Message = tuple[dict[str, str], bytes]
"""Headers and a body."""


class Answer(msgspec.Struct, frozen=True):
    """What came of sending a message."""

    status: int | None = None
    """Of the answer; None where there was none."""
    body: str | None = None
    """How it begins."""
    retry_after: float | None = None
    """Seconds after which to come again, as the answer says."""
    error: str | None = None
    """Why there was none."""

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300


class Poster:
    """Sends messages.

    Args:
        allowed: networks that may be sent to although they are not public.
        lookups: the threads in which hosts are looked up.
        tls: how servers are recognised (default: by the system's certificates).
        patience: how many seconds a message may take.
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
        self._tls = tls or ssl.create_default_context()
        self._patience = patience
        self._looked_up: dict[tuple[str, int], asyncio.Future[list[str]]] = {}
        """What is being looked up."""

    async def post(self, url: str, make: Callable[[], Message | None]) -> Answer | None:
        """Send what `make` makes once there is a connection; None where it makes nothing.

        Raises:
            What `make` raises.
        """
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(self._patience):
                destination = Destination.parse(url)
                reader, writer = await self._connected(destination)
                # Now, and not before: whoever may not have it any more is not sent it.
                message = make()
                if message is None:
                    return None
                return await _exchanged(reader, writer, destination, *message)
        except TimeoutError:
            return Answer(error=f"no answer within {self._patience:g} seconds")
        except _Refused as error:
            return Answer(error=str(error))
        except ssl.SSLError as error:
            return Answer(error=f"TLS: {error.reason or 'no connection'}")
        except OSError as error:
            return Answer(error=f"no connection: {os.strerror(error.errno) if error.errno else type(error).__name__}")
        except h11.RemoteProtocolError:
            return Answer(error="the answer is not HTTP/1.1")
        finally:
            if writer is not None:
                writer.transport.abort()

    async def _connected(self, destination: Destination) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        failed: OSError = OSError("no address")
        for address in await self._addresses(destination):
            try:
                return await asyncio.open_connection(
                    address,
                    destination.port,
                    ssl=self._tls if destination.scheme == "https" else None,
                    server_hostname=destination.host if destination.scheme == "https" else None,
                    limit=MOST_HEAD,
                )
            except OSError as error:
                failed = error
        raise failed

    async def _addresses(self, destination: Destination) -> list[str]:
        """The addresses of a host, all of which may be sent to.

        Raises:
            _Refused: nothing may be sent there.
        """
        try:
            # Shared: it goes on for others when the time for one message is over.
            addresses = await asyncio.shield(self._looking(destination.host, destination.port))
        except (socket.gaierror, UnicodeError):
            raise _Refused("its host is not known") from None
        why = refusal(addresses, self._allowed)
        if why is not None:
            raise _Refused(why)
        return addresses

    def _looking(self, host: str, port: int) -> asyncio.Future[list[str]]:
        """The addresses of a host, looked up once for all who ask meanwhile: where its name server does not answer, one
        thread waits, however many messages there are for it.
        """

        def looked_up() -> list[str]:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            return list(dict.fromkeys(str(one[4][0]) for one in found))

        def done(looking: asyncio.Future[list[str]]) -> None:
            del self._looked_up[host, port]
            # Nobody may be waiting any more to be told.
            if not looking.cancelled():
                looking.exception()

        looking = self._looked_up.get((host, port))
        if looking is None:
            looking = asyncio.get_running_loop().run_in_executor(self._lookups, looked_up)
            self._looked_up[host, port] = looking
            looking.add_done_callback(done)
        return looking


class _Refused(Exception):
    """Nothing is sent there."""


async def _exchanged(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    destination: Destination,
    headers: dict[str, str],
    body: bytes,
) -> Answer:
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
    return await _answered(connection, reader)


async def _answered(connection: h11.Connection, reader: asyncio.StreamReader) -> Answer:
    """How the answer begins, read no further than that takes."""
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
        return Answer(error="there was no answer in what came")
    text = read[:MOST_READ].decode(errors="replace")
    return Answer(response.status_code, text, _retry_after(response))


def _retry_after(response: h11.Response) -> float | None:
    """Seconds after which to come again, however they are told (RFC 9110, 10.2.3)."""
    told = dict(response.headers).get(b"retry-after", b"").decode(errors="replace").strip()
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        moment = parsedate_to_datetime(told)
        return (moment - moment.now(moment.tzinfo)).total_seconds()
    except (TypeError, ValueError):
        return None
