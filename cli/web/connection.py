"""The connections in the loop of a web process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cli.web.incoming import Incoming
from cli.web.lanes import Lane
from cli.web.lines import PlainSocket, TlsSocket

MOST_HELD = 256 * 1024 * 1024
"""Maximum bytes of incomplete requests that a process holds."""
SMALL = 64 * 1024
"""A request of up to this number of bytes is always held."""


class Connection:
    """One client's connection."""

    def __init__(self, sock: PlainSocket | TlsSocket, client: Any, server: Any, incoming: Incoming) -> None:
        self.sock = sock
        self.client = client
        self.server = server
        self.incoming = incoming
        self.deadline = 0.0
        self.is_new = True
        """True if no byte of the connection has been read yet."""
        self.is_heard = False
        """True if the loop waits for data from the client."""
        self.is_held_back = False
        """True if more requests have arrived, but the loop first waits until most of the last response is sent."""
        self.is_lingering = False
        self.is_asking_leave = False
        """True while a thread checks the sender of a long body, which is not read until then."""
        self.is_closed = False
        self.lane: Lane[Connection] | None = None
        self.request: Any = None
        self.held = 0
        """Bytes of the connection's request that count towards `MOST_HELD`."""
        self.counted = 0
        """Bytes of the request's body for which the deadline has already been extended."""

    @property
    def peer(self) -> str:
        """The client's address, to which limits apply."""
        return str(self.client[0]) if isinstance(self.client, tuple) else ""

    @property
    def is_idle(self) -> bool:
        """True if the connection is open between requests."""
        return self.is_heard and not self.is_lingering and self.incoming.is_idle


class Connections:
    """The open connections of a process. They are counted by peer, and the bytes that they hold are added up."""

    def __init__(self) -> None:
        self._all: set[Connection] = set()
        self._peers: Counter[str] = Counter()
        self._held = 0

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._all))

    def add(self, connection: Connection) -> int:
        """Add a connection; return the number of connections of its peer."""
        self._all.add(connection)
        self._peers[connection.peer] += 1
        return self._peers[connection.peer]

    def remove(self, connection: Connection) -> None:
        """Remove a connection, and the bytes that it holds."""
        self._held -= connection.held
        connection.held = 0
        self._all.discard(connection)
        self._peers[connection.peer] -= 1
        if not self._peers[connection.peer]:
            del self._peers[connection.peer]

    def weigh(self, connection: Connection, more: int = 0) -> None:
        """Update the number of bytes that a connection holds: the size of its buffer, plus `more`."""
        held = connection.incoming.size + more
        self._held += held - connection.held
        connection.held = held

    def waiting(self) -> list[Connection]:
        """Return the connections that have no complete request yet."""
        return [one for one in self._all if one.request is None]

    def has_room_for(self, connection: Connection) -> bool:
        """Return True if the process may hold more bytes of this connection."""
        return self._held <= MOST_HELD or connection.incoming.size <= SMALL
