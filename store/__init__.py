"""The event store on Redis streams, and everything that is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from engine.events import Event
from engine.fold import Game
from store.connection import Client, Durability, connect, durability
from store.corrections import Corrections
from store.files import Files
from store.games import Games
from store.hints import Hints
from store.jobs import Jobs
from store.projections import Projections
from store.sharing import Sharing
from store.signing import Signing
from store.snapshots import Snapshots
from store.streams import EventStore, IdempotencyKey, Replayed

__all__ = ["Store"]


class Store:
    """All that is kept, by kind.

    Attributes:
        events: the logs of all games, which are the truth; all else is made from them.
        games: the games folded.
        corrections: what was undone and amended in each game.
        snapshots: folds of long games at some of their events.
        projections: the list of games, the turn indexes and the audits.
        jobs: long work and how far it is.
        files: what workers make to be fetched.
        sharing: the links by which anyone may look at a game.
        signing: the keys by which heads are signed.
    """

    def __init__(self, client: Client) -> None:
        """
        Args:
            client: of `store.connection.connect`.
        """
        self.client = client
        self.events = EventStore(client)
        self.games = Games(client, self.events)
        self.corrections = Corrections(self.events)
        self.snapshots = Snapshots(client)
        self.projections = Projections(client, self.events, self.games, self.snapshots)
        self.jobs = Jobs(client)
        self.files = Files(client)
        self.sharing = Sharing(client)
        self.signing = Signing(client)

    @classmethod
    def connect(cls, url: str) -> Self:
        """The store on the Redis at `url`; see `store.connection.connect`."""
        return cls(connect(url))

    def open(
        self,
        game_id: str,
        game: Game,
        events: Sequence[Event],
        *,
        seed: str | None = None,
        key: IdempotencyKey | None = None,
    ) -> tuple[str, bool]:
        """Begin the log of a new game, once for each `key`.

        Args:
            game: what the events make.
            events: from event 1 on.

        Returns:
            The game's id, which is that of the first time if it was opened before; and whether it was.

        Raises:
            As `EventStore.append`.
        """
        if key is not None:
            game_id = self.events.claim(key, game_id)
        if isinstance(self.events.open(game_id, events, seed, key), Replayed):
            return game_id, True
        self.games.keep(game_id, game)
        return game_id, False

    def hints(self) -> Hints:
        """A listener to the appends of all processes."""
        return Hints(self.client)

    def durability(self) -> Durability:
        """What an acknowledged append survives.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return durability(self.client)
