"""Webhooks: where events are sent to, what is owed to each, and what came of it.

The logs are the queue. What is owed to a webhook stands in *lines*: one for each game that has events which it was not
sent yet, with the next of them and the last; so events of a game go out one after the other, games go out beside one
another, and nothing that is in a log is kept twice. A single event that is to be sent again is a line of its own.

A webhook's secret is made from its id by a key that is kept apart: whoever reads the list of webhooks learns none.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from ulid import ULID

from engine.core.events import Event
from store import keys
from store.errors import Corrupt, TooManyWebhooks
from store.log.feed import Entry
from store.redis import connection
from store.redis.connection import Client, Command, Script
from store.work.scripts import ADD_WEBHOOK, HOLD, LET_GO, OWE, SETTLE

MOST = 1000
"""Webhooks of a service."""
MOST_OF_A_TOKEN = 20
"""Webhooks that count for one token; on an open service all of them."""
MOST_DELIVERIES = 200
"""Deliveries of a webhook that are kept."""
EVERYTHING = "*"
Form = Literal["game_event", "cloudevents"]
"""How an event is sent: in a letter that says of which game it is; or as a CloudEvent, in binary mode."""
Came = Literal["sent", "later", "given_up", "ended", "passed", "dropped"]
"""What came of the next event of a line: it was sent; it is tried again later; never again; never, and so nothing else
is; it is none that the webhook asks for; its game is not there any more."""


class Webhook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An address that events are sent to."""

    id: str
    url: str
    events: tuple[str, ...]
    """The types of events that it asks for; `EVERYTHING`: all."""
    game: str | None = None
    """The only game that it asks for."""
    ruleset: str | None = None
    """The only ruleset whose games it asks for."""
    created_at: str
    """RFC 3339 in UTC."""
    made_by: str | None = None
    """The id of the token that made it, with which it ends; None: the service was open."""
    since: str
    """The last entry of the feed that it asks nothing of."""
    format: Form = "game_event"

    def wants(self, type_: str) -> bool:
        """Whether it asks for events of that type."""
        return EVERYTHING in self.events or type_ in self.events


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event that was sent, or is to be; as it was when it was tried last."""

    game: str
    seq: int
    type: str
    """The type of the event."""
    status: Literal["delivered", "waiting", "failed"]
    """`waiting`: it is tried again; `failed`: it is not."""
    attempts: int
    tried_at: str
    """RFC 3339 in UTC."""
    next_at: str | None = None
    """When it is tried again."""
    answered: int | None = None
    """The status of the answer."""
    answer: str | None = None
    """The first bytes of its body."""
    error: str | None = None
    """Why there was no answer, or none that will do."""

    @property
    def id(self) -> str:
        """By which its receiver knows it again, however often it comes."""
        return delivery_id(self.game, self.seq)


class Line(msgspec.Struct, frozen=True):
    """Events of a game that are owed to a webhook."""

    name: str
    game: str
    next: int
    last: int
    attempts: int
    """To send the next one."""
    since: int
    """When that was tried first, in ms since 1970; 0: it was not yet."""

    @property
    def is_single(self) -> bool:
        """Whether it is one event that is sent again, whatever its type."""
        return self.name != self.game


class Health(msgspec.Struct, frozen=True):
    """How it goes with a webhook; times are in ms since 1970."""

    failing_since: int | None
    reached: int | None
    """When it took something last."""


def delivery_id(game_id: str, seq: int) -> str:
    """What the delivery of an event is called."""
    return f"{game_id}-{seq}"


_WEBHOOK = msgspec.json.Decoder(Webhook)
_DELIVERY = msgspec.json.Decoder(Delivery)


class Webhooks:
    """All webhooks. Times are ms since 1970."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._add = Script(client, ADD_WEBHOOK)
        self._owe = Script(client, OWE)
        self._settle = Script(client, SETTLE)
        self._hold = Script(client, HOLD)
        self._let_go = Script(client, LET_GO)

    def create(
        self,
        url: str,
        events: Sequence[str],
        *,
        created_at: str,
        since: str,
        game: str | None = None,
        ruleset: str | None = None,
        made_by: str | None = None,
        counts_for: str | None = None,
        format: Form = "game_event",  # noqa: A002  # as the contract calls it
    ) -> Webhook:
        """A new webhook, for what comes after the entry `since` of the feed.

        Args:
            counts_for: the id of the token of whose webhooks it is one (default: of that which made it).

        Raises:
            TooManyWebhooks: there are as many as there may be.
        """
        made = Webhook(
            id=str(ULID()).lower(),
            url=url,
            events=tuple(events),
            game=game,
            ruleset=ruleset,
            created_at=created_at,
            made_by=made_by,
            since=since,
            format=format,
        )
        is_kept = self._add(
            [keys.WEBHOOKS, keys.WEBHOOK_MAKERS],
            [made.id, msgspec.json.encode(made), counts_for or made_by or "", MOST_OF_A_TOKEN, MOST],
        )
        if not is_kept:
            raise TooManyWebhooks
        return made

    def secret(self, webhook_id: str) -> str:
        """By what its deliveries are signed, as Standard Webhooks writes it."""
        key = connection.call(self._client, "GET", keys.WEBHOOK_KEY)
        if key is None:
            connection.call(self._client, "SET", keys.WEBHOOK_KEY, secrets.token_bytes(32), "NX")
            key = connection.call(self._client, "GET", keys.WEBHOOK_KEY)
        return f"whsec_{base64.b64encode(hmac.digest(key, webhook_id.encode(), hashlib.sha256)).decode()}"

    def get(self, webhook_id: str) -> Webhook | None:
        """The webhook of that id, if there is one."""
        document = connection.call(self._client, "HGET", keys.WEBHOOKS, webhook_id)
        return None if document is None else _parse(document)

    def all(self) -> list[Webhook]:
        """All of them, newest first."""
        found = connection.call(self._client, "HVALS", keys.WEBHOOKS)
        return sorted(map(_parse, found), key=lambda webhook: webhook.id, reverse=True)

    def health(self) -> dict[str, Health]:
        """How it goes with all to which anything was sent, by id."""
        failing, reached = connection.pipe(
            self._client, [("HGETALL", keys.WEBHOOK_FAILING), ("HGETALL", keys.WEBHOOK_REACHED)]
        )
        return {
            id_.decode(): Health(*(int(times[id_]) if id_ in times else None for times in (failing, reached)))
            for id_ in {*failing, *reached}
        }

    def remove(self, webhook_id: str) -> None:
        """Forget a webhook, and what is owed to it. The document goes first: from then on nothing is sent."""
        connection.call(self._client, "HDEL", keys.WEBHOOKS, webhook_id)
        for name in (keys.WEBHOOK_MAKERS, keys.WEBHOOK_FAILING, keys.WEBHOOK_REACHED):
            connection.call(self._client, "HDEL", name, webhook_id)
        of_it = [make(webhook_id) for make in (keys.owed, keys.due, keys.deliveries, keys.tried)]
        connection.call(self._client, "DEL", *of_it)

    def forget(self, game_id: str) -> None:
        """Forget all that was sent of a game that was deleted, and the webhooks that were for it alone."""
        for webhook in self.all():
            if webhook.game == game_id:
                self.remove(webhook.id)
                continue
            ids = [one.id for one in self.deliveries(webhook.id) if one.game == game_id]
            if ids:
                connection.call(self._client, "HDEL", keys.deliveries(webhook.id), *ids)
                connection.call(self._client, "ZREM", keys.tried(webhook.id), *ids)

    # What is owed.

    def read(self) -> str | None:
        """The entry of the feed up to which it is noted what is owed; None where that was never done."""
        found = connection.call(self._client, "GET", keys.WEBHOOK_READ)
        return None if found is None else found.decode()

    def owe(self, owed: Iterable[tuple[Webhook, Entry]], *, read: str | None, until: str) -> bool:
        """Note that the events of each entry are owed to that webhook, and with it how far the feed was read.

        Args:
            read: how far it was.
            until: how far it is.

        Returns:
            False where somebody else has read on: nothing was noted.
        """
        lines = [(webhook.id, entry.game, entry.first, entry.last) for webhook, entry in owed]
        return bool(self._owe(*_of_owing(lines, read or "", until)))

    def owe_again(self, webhook: Webhook, game_id: str, event: Event) -> None:
        """Have an event sent again, or at once where it is about to be, and tell whoever sends."""
        line, name = self.line(webhook.id, game_id), game_id
        # The line passes by what the webhook does not ask for, also where that is its next event.
        if line is None or line.next != event.seq or not webhook.wants(event.type):
            name = delivery_id(game_id, event.seq)
            self._owe(*_of_owing([(webhook.id, name, event.seq, event.seq)], "", ""))
        connection.call(self._client, "ZADD", keys.due(webhook.id), "XX", _now(), name)
        connection.call(self._client, "PUBLISH", keys.grown(connection.database(self._client)), webhook.id)

    def due(self, webhook_ids: Sequence[str], now: int, most: int) -> list[tuple[list[str], int | None]]:
        """Of each the names of its lines that are due, as many as `most`, and when the next one of those that are not
        will be.
        """
        commands: list[Command] = []
        for webhook_id in webhook_ids:
            commands.append(("ZRANGE", keys.due(webhook_id), "-inf", now, "BYSCORE", "LIMIT", 0, most))
            commands.append(("ZRANGE", keys.due(webhook_id), f"({now}", "+inf", "BYSCORE", "LIMIT", 0, 1, "WITHSCORES"))
        found = connection.pipe(self._client, commands)
        return [
            ([name.decode() for name in ready], int(later[0][1]) if later else None)
            for ready, later in zip(found[::2], found[1::2], strict=True)
        ]

    def line(self, webhook_id: str, name: str) -> Line | None:
        """A line by its name; None where nothing is owed in it any more."""
        known = connection.call(self._client, "HGET", keys.owed(webhook_id), name)
        return None if known is None else Line(name, name.partition("-")[0], *map(int, known.split()))

    def waiting(self) -> tuple[int, int | None]:
        """How many lines wait in all, and since when the one does that was tried first."""
        found = connection.pipe(self._client, [("HVALS", keys.owed(webhook.id)) for webhook in self.all()])
        lines = [line.split() for lines in found for line in lines]
        since = [int(line[3]) for line in lines if int(line[3])]
        return len(lines), min(since, default=None)

    def settle(
        self,
        webhook_id: str,
        line: str,
        seq: int,
        came: Came,
        *,
        delivery: Delivery | None = None,
        again_at: int = 0,
    ) -> bool:
        """Note what came of the event `seq`, which is the next of a line (or the last before the next).

        Args:
            delivery: as it is told from now on.
            again_at: of what comes later, when.

        Returns:
            Whether the webhook fails from now on.
        """
        made = [make(webhook_id) for make in (keys.owed, keys.due, keys.deliveries, keys.tried)]
        told = ("", "") if delivery is None else (delivery.id, msgspec.json.encode(delivery))
        arguments = (webhook_id, line, seq, came, _now(), again_at, *told, MOST_DELIVERIES)
        return bool(self._settle([keys.WEBHOOKS, *made, keys.WEBHOOK_FAILING, keys.WEBHOOK_REACHED], arguments))

    # What was sent.

    def deliveries(self, webhook_id: str, limit: int = MOST_DELIVERIES) -> list[Delivery]:
        """The deliveries that were tried last, newest first."""
        ids = connection.call(self._client, "ZRANGE", keys.tried(webhook_id), 0, limit - 1, "REV")
        if not ids:
            return []
        found = connection.call(self._client, "HMGET", keys.deliveries(webhook_id), *ids)
        return [_DELIVERY.decode(document) for document in found if document is not None]

    def delivery(self, webhook_id: str, id_: str) -> Delivery | None:
        """A delivery that is kept."""
        document = connection.call(self._client, "HGET", keys.deliveries(webhook_id), id_)
        return None if document is None else _DELIVERY.decode(document)

    # Who sends.

    def hold(self, who: str, seconds: float) -> bool:
        """Be the one who sends for a while; False where somebody else is."""
        return bool(self._hold([keys.COURIER], [who, int(seconds * 1000)]))

    def let_go(self, who: str) -> None:
        """Be it no more."""
        self._let_go([keys.COURIER], [who])


def _of_owing(lines: Sequence[tuple[str, str, int, int]], read: str, until: str) -> tuple[list[str], list[str | int]]:
    names = [name for webhook_id, *_ in lines for name in (keys.owed(webhook_id), keys.due(webhook_id))]
    arguments: list[str | int] = [read, until, _now(), *(part for line in lines for part in line)]
    return [keys.WEBHOOK_READ, keys.WEBHOOKS, *names], arguments


def _now() -> int:
    return time.time_ns() // 1_000_000


def _parse(document: bytes) -> Webhook:
    try:
        return _WEBHOOK.decode(document)
    except msgspec.DecodeError as error:
        raise Corrupt(f"a webhook cannot be read: {error}") from error
