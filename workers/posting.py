"""Webhook requests: one POST to a checked address, with limits of time and size.

httpcore speaks HTTP/1.1 on a connection that is opened here. It follows no redirect and uses no proxy.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import aclosing, suppress
from email.utils import parsedate_to_datetime
from importlib.metadata import version

import httpcore
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
        try:
            async with asyncio.timeout(self._patience):
                destination = Destination.parse(url)
                async with aclosing(await self._connected(destination)) as stream:
                    # Now, and not before: whoever may not have it any more is not sent it.
                    message = make()
                    return None if message is None else await _exchanged(stream, destination, *message)
        except TimeoutError:
            return Answer(error=f"no answer within {self._patience:g} seconds")
        except _Refused as error:
            return Answer(error=str(error))
        except ssl.SSLError as error:
            return Answer(error=f"TLS: {error.reason or 'no connection'}")
        except OSError as error:
            return Answer(error=f"no connection: {os.strerror(error.errno) if error.errno else type(error).__name__}")
        except httpcore.RemoteProtocolError:
            return Answer(error="the answer is not HTTP/1.1")

    async def _connected(self, destination: Destination) -> _Stream:
        failed: OSError = OSError("no address")
        for address in await self._addresses(destination):
            try:
                pair = await asyncio.open_connection(
                    address,
                    destination.port,
                    ssl=self._tls if destination.scheme == "https" else None,
                    server_hostname=destination.host if destination.scheme == "https" else None,
                    limit=MOST_HEAD,
                )
                return _Stream(*pair)
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


class _Stream(httpcore.AsyncNetworkStream):
    """A connection that yields at most `MOST_TAKEN` bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._left = MOST_TAKEN

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """
        Raises:
            _Refused: the limit is reached.
        """
        if not self._left:
            raise _Refused("there was no answer in what came")
        found = await self._reader.read(min(max_bytes, self._left))
        self._left -= len(found)
        return found

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._writer.write(buffer)
        await self._writer.drain()

    async def aclose(self) -> None:
        self._writer.transport.abort()


async def _exchanged(stream: _Stream, destination: Destination, headers: dict[str, str], body: bytes) -> Answer:
    url = httpcore.URL(
        scheme=destination.scheme, host=destination.host, port=destination.port, target=destination.target
    )
    sent = {
        "host": destination.authority,
        "user-agent": _AGENT,
        "accept": "*/*",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    connection = httpcore.AsyncHTTP11Connection(url.origin, stream)
    response = await connection.handle_async_request(
        httpcore.Request("POST", url, headers=list(sent.items()), content=body)
    )
    read = b""
    # What has come by then is enough.
    with suppress(_Refused, ConnectionError):
        async for part in response.aiter_stream():
            read += part
            if len(read) >= MOST_READ:
                break
    return Answer(response.status, read[:MOST_READ].decode(errors="replace"), _retry_after(response))


def _retry_after(response: httpcore.Response) -> float | None:
    """Seconds after which to come again, however they are told (RFC 9110, 10.2.3)."""
    headers = {name.lower(): value for name, value in response.headers}
    told = headers.get(b"retry-after", b"").decode(errors="replace").strip()
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        moment = parsedate_to_datetime(told)
        return (moment - moment.now(moment.tzinfo)).total_seconds()
    except (TypeError, ValueError):
        return None
