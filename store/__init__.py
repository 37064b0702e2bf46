"""The event store on Redis streams, and everything that is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from typing import Self

from engine.core.events import Event
from engine.play.game import Game
from store.access.access_log import AccessLog
from store.access.sharing import Sharing
from store.access.signing import Signing
from store.access.tokens import Tokens
from store.deleting import Deletions
from store.errors import StoreUnavailable
from store.library.aliases import Aliases
from store.library.hiding import Hiding
from store.library.plays import Plays
from store.library.projections import Projections
from store.log.archive import Archive
from store.log.archiving import Archiving
from store.log.corrections import Corrections
from store.log.feed import Feed
from store.log.games import Games
from store.log.hints import Hints
from store.log.idempotency import IdempotencyKey, Replayed
from store.log.openings import Openings
from store.log.snapshots import Snapshots
from store.log.streams import RECORDED, EventStore, Imported
from store.log.watching import Watch
from store.quotas import UNLIMITED, Quotas
from store.redis import connection
from store.redis.connection import Client, Durability, connect
from store.redis.probe import Probe
from store.work.audits import Audits
from store.work.files import Files
from store.work.jobs import Jobs
from store.work.webhooks import Webhooks

__all__ = ["Store"]


class Store:
    """All that is kept, by kind.

    Attributes:
        quotas: how much may be stored.
        events: the logs of all games, which are the truth; all else is made from them.
        games: the games folded.
        watch: looks at logs before they grow.
        corrections: what was undone and amended in each game.
        snapshots: folds of long games at some of their events.
        feed: how far which game has come, in one order.
        projections: the list of games and the turn indexes.
        plays: games that were played, and of which there is no log.
        openings: the places of games, of which there may be so many.
        archiving: the games whose logs are in files instead of Redis.
        audits: the reports of audits.
        jobs: long work and how far it is.
        files: what workers make to be fetched.
        sharing: the links by which anyone may look at a game.
        tokens: what lets callers in.
        webhooks: where events are sent to.
        signing: the keys by which heads are signed.
        deletions: games that are to go.
        aliases: who is meant by a name.
        hiding: the names that are taken out of the list.
        access_log: who used the rights of an admin.
    """

    def __init__(self, client: Client, archive: str = "", *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> None:
        """
        Args:
            client: of `store.redis.connection.connect`.
            archive: where the archived logs are, see `store.log.archive.Archive`.
            replicas: how many have to have what is written before it counts: events, tokens, links and their ends.
            quotas: how much may be stored.
        """
        self.client = client
        self.replicas = replicas
        self.quotas = quotas
        self._archive = archive
        self.archiving = Archiving(client, Archive(archive), replicas)
        self.events = EventStore(client, self.archiving, replicas=replicas, quotas=quotas)
        self.games = Games(client, self.events)
        self.watch = Watch(self.events, self.games)
        self.corrections = Corrections(self.events)
        self.snapshots = Snapshots(client)
        self.aliases = Aliases(client)
        self.hiding = Hiding(client, self.aliases)
        self.feed = Feed(client)
        self.plays = Plays(client, self.aliases, self.hiding)
        self.projections = Projections(
            client,
            self.events,
            self.games,
            self.snapshots,
            aliases=self.aliases,
            plays=self.plays,
            hiding=self.hiding,
            feed=self.feed,
        )
        self.openings = Openings(client, quotas, count=self.projections.count, exists=self.events.exists)
        self.audits = Audits(client)
        self.files = Files(client)
        self.jobs = Jobs(client, self.files)
        self.tokens = Tokens(client, self.jobs.withdraw, replicas)
        self.sharing = Sharing(client, self.tokens, replicas)
        self.webhooks = Webhooks(client)
        self.signing = Signing(client, replicas)
        self.deletions = Deletions(
            client,
            events=self.events,
            games=self.games,
            projections=self.projections,
            aliases=self.aliases,
            sharing=self.sharing,
            tokens=self.tokens,
            jobs=self.jobs,
            files=self.files,
            archiving=self.archiving,
            openings=self.openings,
            replicas=replicas,
            webhooks=self.webhooks,
            feed=self.feed,
        )
        self.access_log = AccessLog(client)
        self._probe = Probe(client, replicas)

    @classmethod
    def connect(cls, url: str, archive: str = "", *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> Self:
        """The store on the Redis at `url`; see `store.redis.connection.connect`, and `store.log.archive.Archive`."""
        store = cls(connect(url), archive, replicas=replicas, quotas=quotas)
        with suppress(StoreUnavailable):
            store.events.look_for_earlier_openings()
        return store

    def within(self, quotas: Quotas) -> Self:
        """The same store, with other quotas."""
        return type(self)(self.client, self._archive, replicas=self.replicas, quotas=quotas)

    def is_there(self) -> bool:
        """Whether a service has ever kept anything here.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return self.signing.is_there() or next(self.events.game_ids(), None) is not None

    def open(
        self,
        game_id: str,
        game: Game,
        events: Sequence[Event],
        *,
        seed: str | None = None,
        key: IdempotencyKey | None = None,
        owner: str | None = None,
        imported: Imported = RECORDED,
    ) -> tuple[str, bool]:
        """Begin the log of a new game, once for each `key`.

        Args:
            game: what the events make.
            events: from event 1 on.
            imported: those that come from elsewhere.
            owner: the token that opens it. Once the game is in the list, `openings.settle` says so.

        Returns:
            The game's id, which is that of the first time if it was opened before; and whether it was.

        Raises:
            QuotaExceeded: there are as many games as there may be.
            As `EventStore.append`.
        """
        claimed = game_id if key is None else self.events.claim(key, game_id)
        # What was opened before has its place.
        is_new = claimed == game_id or not self.events.exists(claimed)
        with self.openings.place(claimed, owner) if is_new else nullcontext():
            if is_new:
                # What is copied from elsewhere tells of people, too; before it, so that none of them is ever free.
                self.tokens.take_names(
                    claimed, {event.recorded_by for event in events if event.recorded_by is not None}
                )
            done = self.events.open(claimed, events, seed, key, imported=imported)
        game_id = claimed
        if isinstance(done, Replayed):
            self.events.confirm(game_id)
            return game_id, True
        self.games.keep(game_id, game)
        return game_id, False

    def archive(self, game_id: str) -> bool:
        """Move a game's log into the archive; False where it is there, or has grown meanwhile.

        Raises:
            UnknownGame: there is no such game.
            As `Archive.write`.
        """
        return self.archiving.put(game_id, [entry for page in self.events.entries(game_id, 1) for entry in page])

    def hints(self) -> Hints:
        """A listener to the appends of all processes."""
        return Hints(self.client)

    def durability(self) -> Durability:
        """What an acknowledged append survives, once a small write has shown that one can be acknowledged.

        Raises:
            NotReplicated: too few replicas have that write.
            StoreUnavailable: Redis does not answer, or takes no write; `why` says which.
        """
        return self._probe.durability()

    def promised(self) -> Durability:
        """What an acknowledged append survives, by the server's settings alone.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return connection.durability(self.client)
