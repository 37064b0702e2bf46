"""Webhooks: receivers of events, with their delivery queues and the results of deliveries.

A webhook has a *delivery queue* for each game with unsent events. The queue contains no events, only the numbers of the
next and the last unsent event in the log. So the events of a game are sent in order, and games are sent in parallel. A
single event that is sent again has its own delivery queue.

A webhook's secret is derived from its id and a key that is stored separately, so the list of webhooks reveals no
secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec
from ulid import ULID

from engine.core.events import Event
from store import keys
from store.documents import decode_text, is_readable, parser, readable, readable_one
from store.errors import Corrupt, TooManyWebhooks
from store.log.feed import FeedEntry, place
from store.redis import connection
from store.redis.connection import Client, Command, Script
from store.work.scripts import ADD_WEBHOOK, HOLD, LET_GO, OWE, SETTLE

_KEY_BYTES = 32
"""Length of the key from which the secrets of all webhooks are derived."""
MOST = 1000
"""Maximum webhooks of a service."""
MOST_OF_A_TOKEN = 20
"""Maximum number of webhooks that one token can create; on an open service, that all callers can create together."""
MOST_DELIVERIES = 200
"""Maximum stored deliveries of a webhook."""
EVERYTHING = "*"
Form = Literal["game_event", "cloudevents"]
"""The form of a delivery: a document that names the game, or a CloudEvent in binary mode."""
Came = Literal["sent", "later", "given_up", "ended", "passed", "dropped"]
"""Result of the next event in a delivery queue.

`sent`: the receiver accepted the event; `later`: it will be retried; `given_up`: it will not be retried; `ended`: given
up, and the webhook ends; `passed`: the webhook did not request it; `dropped`: the game was deleted.
"""


class Webhook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An address that receives events."""

    id: str
    url: str
    events: tuple[str, ...]
    """The requested event types; `EVERYTHING` stands for all."""
    game: str | None = None
    """The only requested game; None: all games."""
    ruleset: str | None = None
    """The ruleset of the requested games; None: all rulesets."""
    created_at: str
    """Time of creation, RFC 3339 in UTC."""
    made_by: str | None = None
    """The id of the creator's token; revoking it deletes the webhook. None: created on an open service."""
    since: str
    """The last entry of the feed when the webhook was created."""
    format: Form = "game_event"

    def wants(self, type_: str) -> bool:
        """Return True if the webhook requests events of that type."""
        return EVERYTHING in self.events or type_ in self.events


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The delivery of one event, as of its last attempt."""

    game: str
    seq: int
    type: str
    """The type of the event."""
    status: Literal["delivered", "waiting", "failed"]
    """`waiting`: it will be retried; `failed`: it was given up."""
    attempts: int
    tried_at: str
    """Time of the last attempt, RFC 3339 in UTC."""
    next_at: str | None = None
    """Time of the next attempt; None if there is none."""
    answered: int | None = None
    """The status code of the response; None if there was no response."""
    answer: str | None = None
    """The beginning of the response body."""
    error: str | None = None
    """The reason why the attempt failed: there was no response, or the response was no success."""

    @property
    def id(self) -> str:
        """The id of the delivery, by which the receiver recognizes repeats."""
        return delivery_id(self.game, self.seq)


class DeliveryLine(msgspec.Struct, frozen=True):
    """The unsent events of a game for a webhook."""

    name: str
    game: str
    next: int
    last: int
    attempts: int
    """Number of failed attempts to send the next event."""
    since: int
    """Time of the first attempt, in ms since 1970; 0 before it."""

    @property
    def is_single(self) -> bool:
        """True for a single event that is sent again, whatever its type."""
        return self.name != self.game


class Health(msgspec.Struct, frozen=True):
    """Health of a webhook; times are in ms since 1970."""

    failing_since: int | None
    reached: int | None
    """Time of the last success; None if there was none."""


def delivery_id(game_id: str, seq: int) -> str:
    """Return the id of the delivery of an event."""
    return f"{game_id}-{seq}"


_parse = parser(Webhook, "a webhook")
_parse_delivery = parser(Delivery, "a delivery")
_parse_time = parser(int, "a time of a webhook")
_parse_numbers = parser(tuple[int, int, int, int], "a delivery queue of a webhook")


class WebhookStore:
    """All webhooks. Times are in ms since 1970."""

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
        """Create a webhook for events after the entry `since` of the feed.

        Args:
            counts_for: the id of the token whose limit applies (default: the creator's).

        Raises:
            TooManyWebhooks: the limit is reached.
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
        """Return the signing secret in the format of Standard Webhooks."""
        key = connection.call(self._client, "GET", keys.WEBHOOK_KEY)
        if key is None:
            connection.call(self._client, "SET", keys.WEBHOOK_KEY, secrets.token_bytes(_KEY_BYTES), "NX")
            key = connection.call(self._client, "GET", keys.WEBHOOK_KEY)
        if len(key) != _KEY_BYTES:
            raise Corrupt("the key from which the webhooks' secrets are derived is incomplete")
        return f"whsec_{base64.b64encode(hmac.digest(key, webhook_id.encode(), hashlib.sha256)).decode()}"

    def get(self, webhook_id: str) -> Webhook | None:
        """Return the webhook with that id; None if there is no such webhook, or it is damaged."""
        return readable_one(_parse, connection.call(self._client, "HGET", keys.WEBHOOKS, webhook_id))

    def maker(self, webhook_id: str) -> str | None:
        """Return the id of the token whose limit a webhook uses; None if there is no such webhook.

        The webhook may be damaged.
        """
        token: bytes | None = connection.call(self._client, "HGET", keys.WEBHOOK_MAKERS, webhook_id)
        return decode_text(token) if token else None

    def all(self) -> list[Webhook]:
        """Return all webhooks, newest first, without damaged ones."""
        found = connection.call(self._client, "HVALS", keys.WEBHOOKS)
        return sorted(readable(_parse, found), key=lambda webhook: webhook.id, reverse=True)

    def find_damaged(self) -> list[str]:
        """Return the ids of the damaged webhooks."""
        found = connection.call(self._client, "HGETALL", keys.WEBHOOKS)
        return sorted(decode_text(id_) for id_, document in found.items() if not is_readable(_parse, document))

    def health(self) -> dict[str, Health]:
        """Return the health of webhooks by id. Webhooks to which nothing was sent are missing."""
        failing, reached = connection.pipe(
            self._client, [("HGETALL", keys.WEBHOOK_FAILING), ("HGETALL", keys.WEBHOOK_REACHED)]
        )
        return {
            decode_text(id_): Health(*(readable_one(_parse_time, times.get(id_)) for times in (failing, reached)))
            for id_ in {*failing, *reached}
        }

    def remove(self, webhook_id: str) -> bool:
        """Delete a webhook and its queue; return False if there is none.

        The document is deleted first: from then on, nothing is sent.
        """
        is_removed = bool(connection.call(self._client, "HDEL", keys.WEBHOOKS, webhook_id))
        for name in (keys.WEBHOOK_MAKERS, keys.WEBHOOK_FAILING, keys.WEBHOOK_REACHED):
            connection.call(self._client, "HDEL", name, webhook_id)
        of_it = [
            make(webhook_id) for make in (keys.queue_of_webhook, keys.due_times, keys.deliveries, keys.delivery_times)
        ]
        connection.call(self._client, "DEL", *of_it)
        return is_removed

    def forget(self, game_id: str) -> None:
        """Delete the deliveries of a deleted game, and the webhooks that are only for this game."""
        for webhook in self.all():
            if webhook.game == game_id:
                self.remove(webhook.id)
                continue
            # If the key has the wrong type, its deliveries are lost anyway.
            with suppress(Corrupt):
                ids = [one.id for one in self.deliveries(webhook.id) if one.game == game_id]
                if ids:
                    connection.call(self._client, "HDEL", keys.deliveries(webhook.id), *ids)
                    connection.call(self._client, "ZREM", keys.delivery_times(webhook.id), *ids)

    def read(self) -> str | None:
        """Return the id of the last feed entry whose deliveries were queued; None if there is none.

        A damaged id is deleted. Then events are queued again, and receivers recognize repeats.
        """
        (found,) = connection.pipe(self._client, [("GET", keys.WEBHOOK_READ)], is_lenient=True)
        if isinstance(found, bytes):
            with suppress(ValueError):
                place(decode_text(found))
                return decode_text(found)
        if found is not None:
            connection.call(self._client, "DEL", keys.WEBHOOK_READ)
        return None

    def owe(self, owed: Iterable[tuple[Webhook, FeedEntry]], *, read: str | None, until: str) -> bool:
        """In one step, queue the events of each feed entry for its webhook, and store the new position in the feed.

        Args:
            read: the id of the feed entry that was read last.
            until: the id of the feed entry to store as the new position.

        Returns:
            False if another process has read further, so that nothing was queued.
        """
        lines = [(webhook.id, entry.game, entry.first, entry.last) for webhook, entry in owed]
        return bool(self._owe(*_of_owing(lines, read or "", until)))

    def owe_again(self, webhook: Webhook, game_id: str, event: Event) -> None:
        """Queue an event for another delivery, and notify the sender.

        If the event is the next one in its delivery queue, make the queue due now.
        """
        line, name = self.line(webhook.id, game_id), game_id
        # A game's queue cannot deliver an event that the webhook does not request, or that is not the next one.
        if line is None or line.next != event.seq or not webhook.wants(event.type):
            name = delivery_id(game_id, event.seq)
            self._owe(*_of_owing([(webhook.id, name, event.seq, event.seq)], "", ""))
        connection.call(self._client, "ZADD", keys.due_times(webhook.id), "XX", _now(), name)
        connection.call(self._client, "PUBLISH", keys.feed_channel(connection.database(self._client)), webhook.id)

    def due(self, webhook_ids: Sequence[str], now: int, most: int) -> list[tuple[list[str], int | None]]:
        """Return for each webhook the names of up to `most` due queues, and the time when the next queue is due."""
        commands: list[Command] = []
        for webhook_id in webhook_ids:
            commands.append(("ZRANGE", keys.due_times(webhook_id), "-inf", now, "BYSCORE", "LIMIT", 0, most))
            commands.append(
                ("ZRANGE", keys.due_times(webhook_id), f"({now}", "+inf", "BYSCORE", "LIMIT", 0, 1, "WITHSCORES")
            )
        found = connection.pipe_or_none(self._client, commands)
        return [
            ([decode_text(name) for name in ready or ()], int(later[0][1]) if later else None)
            for ready, later in zip(found[::2], found[1::2], strict=True)
        ]

    def line(self, webhook_id: str, name: str) -> DeliveryLine | None:
        """Return the delivery queue with that name; None if it does not exist. A damaged queue is dropped."""
        known = connection.call(self._client, "HGET", keys.queue_of_webhook(webhook_id), name)
        numbers = readable_one(_parse_line, known)
        if numbers is None and known is not None:
            self.settle(webhook_id, name, 0, "dropped")
        return None if numbers is None else DeliveryLine(name, name.partition("-")[0], *numbers)

    def waiting(self) -> tuple[int, int | None]:
        """Return the number of delivery queues of all webhooks, and the earliest time of a first attempt."""
        commands = [("HVALS", keys.queue_of_webhook(webhook.id)) for webhook in self.all()]
        found = connection.pipe_or_none(self._client, commands)
        lines = [line for lines in found for line in readable(_parse_line, lines or ())]
        since = [began for *_, began in lines if began]
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
        """Record the result `came` of sending event `seq`, the next event in the delivery queue `line`.

        If several events were skipped, `seq` is the last of them.

        Args:
            delivery: the new state of the event's delivery.
            again_at: time of the next attempt, for a retry.

        Returns:
            True if the webhook starts to fail with this event.
        """
        made = [
            make(webhook_id) for make in (keys.queue_of_webhook, keys.due_times, keys.deliveries, keys.delivery_times)
        ]
        told = ("", "") if delivery is None else (delivery.id, msgspec.json.encode(delivery))
        arguments = (webhook_id, line, seq, came, _now(), again_at, *told, MOST_DELIVERIES)
        return bool(self._settle([keys.WEBHOOKS, *made, keys.WEBHOOK_FAILING, keys.WEBHOOK_REACHED], arguments))

    def deliveries(self, webhook_id: str, limit: int = MOST_DELIVERIES) -> list[Delivery]:
        """Return the deliveries with the latest attempts, newest first."""
        ids = connection.call(self._client, "ZRANGE", keys.delivery_times(webhook_id), 0, limit - 1, "REV")
        if not ids:
            return []
        found = connection.call(self._client, "HMGET", keys.deliveries(webhook_id), *ids)
        return readable(_parse_delivery, found)

    def hold(self, who: str, seconds: float) -> bool:
        """Take or renew the sender's lock for `seconds`; return False if another process has it."""
        return bool(self._hold([keys.COURIER], [who, int(seconds * 1000)]))

    def let_go(self, who: str) -> None:
        """Release the sender's lock."""
        self._let_go([keys.COURIER], [who])


def _of_owing(lines: Sequence[tuple[str, str, int, int]], read: str, until: str) -> tuple[list[str], list[str | int]]:
    names = [
        name for webhook_id, *_ in lines for name in (keys.queue_of_webhook(webhook_id), keys.due_times(webhook_id))
    ]
    arguments: list[str | int] = [read, until, _now(), *(part for line in lines for part in line)]
    return [keys.WEBHOOK_READ, keys.WEBHOOKS, *names], arguments


def _now() -> int:
    return time.time_ns() // 1_000_000


def _parse_line(stored: bytes) -> tuple[int, int, int, int]:
    return _parse_numbers(b"[%s]" % stored.replace(b" ", b","))
