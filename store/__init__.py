"""The event store on Redis streams, and the data derived from it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Self

from engine.core.events import Event
from engine.play.game import Game
from store import keys
from store.access.access_log import AccessLog
from store.access.sharing import Sharing
from store.access.signing import Signing
from store.access.tokens import TokenStore
from store.deleting import Deletions
from store.errors import StoreUnavailable
from store.library import summaries
from store.library.aliases import AliasStore
from store.library.hiding import Hiding
from store.library.plays import PlayStore
from store.library.projections import Projections
from store.log.archive import Archive
from store.log.archiving import Archiving
from store.log.corrections import Corrections
from store.log.feed import Feed
from store.log.games import GameStore
from store.log.hints import Hints
from store.log.idempotency import IdempotencyKey, StoredResult
from store.log.openings import Openings
from store.log.reader import RECORDED, ImportOrigin
from store.log.snapshots import Snapshots
from store.log.streams import EventStore
from store.log.watching import Watch
from store.quotas import UNLIMITED, Quotas
from store.redis import connection
from store.redis.connection import Client, Durability, connect
from store.redis.probe import Probe
from store.work.files import Files
from store.work.jobs import JobStore
from store.work.mixes import Mixes
from store.work.reports import Playouts, Reports
from store.work.responses import Answers
from store.work.webhooks import WebhookStore

__all__ = ["Store"]


class Store:
    """The stores of a service, by kind of data. Each method raises `StoreUnavailable` if Redis does not answer.

    Attributes:
        events: the logs of all games, the source of truth; all else is derived from them.
        games: each game's state, folded from its events.
        watch: checks logs before appends.
        corrections: the undone and amended events of each game.
        feed: the progress of all games, as a single ordered stream.
        projections: the list of games, and their turn indexes.
        plays: logged plays: results without a log.
        openings: limits the number of games.
        archiving: moves logs from Redis to files, and back.
        skills: the viewers of each seat's skill.
        mixes: seeds to which several devices contribute.
        files: files that workers make, for download.
        sharing: links with which anyone can view a game.
        aliases: other names of players, and the players assigned to seats.
        hiding: names hidden from lists.
        access_log: uses of admin rights.
    """

    def __init__(self, client: Client, archive: str = "", *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> None:
        """
        Args:
            archive: location of the archived logs, see `store.log.archive.Archive`.
            replicas: minimum number of replicas that must have a write (event, token, link, …) before the store
                acknowledges it.
        """
        self.client = client
        self.replicas = replicas
        self.quotas = quotas
        self._archive = archive
        self.archiving = Archiving(client, Archive(archive), replicas)
        self.events = EventStore(client, self.archiving, replicas=replicas, quotas=quotas)
        self.games = GameStore(client, self.events, projected=partial(summaries.by_hand, client))
        self.watch = Watch(self.events, self.games)
        self.corrections = Corrections(self.events)
        self.snapshots = Snapshots(client)
        self.aliases = AliasStore(client)
        self.hiding = Hiding(client, self.aliases)
        self.feed = Feed(client)
        self.plays = PlayStore(client, self.aliases, self.hiding)
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
        self.answers = Answers(client)
        self.audits = Reports(client, keys.audits)
        self.analyses = Reports(client, keys.analyses)
        self.skills = Reports(client, keys.skills)
        self.playouts = Playouts(client)
        self.files = Files(client)
        self.jobs = JobStore(client, self.files)
        self.mixes = Mixes(client, replicas)
        self.tokens = TokenStore(client, self.jobs.withdraw, replicas)
        self.sharing = Sharing(client, self.tokens, replicas)
        self.webhooks = WebhookStore(client)
        self.signing = Signing(client, replicas)
        self.access_log = AccessLog(client)
        self._probe = Probe(client, replicas)

    @property
    def deletions(self) -> Deletions:
        return Deletions(self)

    @classmethod
    def connect(cls, url: str, archive: str = "", *, replicas: int = 0, quotas: Quotas = UNLIMITED) -> Self:
        """Return the store on the Redis at `url`.

        The args are those of `store.redis.connection.connect` and `store.log.archive.Archive`.
        """
        store = cls(connect(url), archive, replicas=replicas, quotas=quotas)
        with suppress(StoreUnavailable):
            store.events.look_for_earlier_openings()
        return store

    def within(self, quotas: Quotas) -> Self:
        """Return a store that uses the same Redis and archive, with these quotas."""
        return type(self)(self.client, self._archive, replicas=self.replicas, quotas=quotas)

    def is_there(self) -> bool:
        """Return True if a service has ever stored anything here."""
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
        imported: ImportOrigin = RECORDED,
    ) -> tuple[str, bool]:
        """Begin the log of a new game. Repeated calls with the same `key` open only one game.

        Args:
            game: the game after the events.
            events: all its events, from event 1 on.
            imported: the origin of its first events, if they were imported.
            owner: the id of the token that opens the game. Once the game is listed, call `openings.settle`.

        Returns:
            The game's id, and True if an earlier attempt with the same `key` has opened it, with this id.

        Raises:
            QuotaExceeded: the limit on games is reached.
            KeyReused, NotReplicated, Suspect, ValueError: see `EventStore.append`.
        """
        claimed = game_id if key is None else self.events.claim(key, game_id)
        # A game from an earlier attempt already counts against the quota.
        is_new = claimed == game_id or not self.events.exists(claimed)
        with self.openings.place(claimed, owner) if is_new else nullcontext():
            if is_new:
                # Reserve the recorders' names first: a crash must not leave a game with unreserved names.
                self.tokens.take_names(
                    claimed, {event.recorded_by for event in events if event.recorded_by is not None}
                )
            done = self.events.open(claimed, events, seed, key, imported=imported)
        game_id = claimed
        if isinstance(done, StoredResult):
            self.events.confirm(game_id)
            return game_id, True
        self.games.keep(game_id, game)
        return game_id, False

    def archive(self, game_id: str) -> bool:
        """Move a game's log into the archive. Return False if the log is archived already, or has just grown."""
        return self.archiving.put(game_id, [entry for page in self.events.entries(game_id, 1) for entry in page])

    def hints(self) -> Hints:
        """Return a listener for the hints that all processes send, for example after an append."""
        return Hints(self.client)

    def durability(self) -> Durability:
        """Write a test value, and return the durability of an acknowledged append.

        Raises:
            NotReplicated: too few replicas have the test value.
            StoreUnavailable: Redis does not answer, or accepts no writes; `why` has the reason.
        """
        return self._probe.durability()

    def configured_durability(self) -> Durability:
        """Return the durability of an acknowledged append, according to the server's settings."""
        return connection.durability(self.client)
