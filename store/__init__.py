"""The event store on Redis streams, and everything that is made from it."""

from __future__ import annotations

from store.connection import Client
from store.streams import EventStore

__all__ = ["Store"]


class Store:
    """All that is kept, by kind.

    Attributes:
        events: the logs of all games, which are the truth; all else is made from them.
    """

    def __init__(self, client: Client) -> None:
        """
        Args:
            client: of `store.connection.connect`.
        """
        self.client = client
        self.events = EventStore(client)
