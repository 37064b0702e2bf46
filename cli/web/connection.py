"""One client's connection, as the loop of a web process holds it."""

from __future__ import annotations

from typing import Any

from cli.web.incoming import Incoming
from cli.web.lanes import Lane
from cli.web.lines import Line, SecureLine


class Connection:
    """One client's connection."""

    def __init__(self, sock: Line | SecureLine, client: Any, server: Any, incoming: Incoming) -> None:
        self.sock = sock
        self.client = client
        self.server = server
        self.incoming = incoming
        self.deadline = 0.0
        self.is_heard = False
        """Whether the loop waits for what it sends."""
        self.is_held_back = False
        """Whether more is asked already, and the loop waits for room for the answer: most of the last one is taken."""
        self.is_lingering = False
        self.is_asking_leave = False
        """Whether a thread checks who sends a long body, none of which is read until then."""
        self.is_closed = False
        self.lane: Lane[Connection] | None = None
        self.request: Any = None
        self.held = 0
        """Bytes of its request that count for `MOST_HELD`."""
        self.counted = 0
        """Bytes of its body that have earned it time."""

    @property
    def peer(self) -> str:
        """The address that counts."""
        return str(self.client[0]) if isinstance(self.client, tuple) else ""

    @property
    def is_idle(self) -> bool:
        """Whether it is kept alive, and nothing is asked."""
        return self.is_heard and not self.is_lingering and self.incoming.is_idle
