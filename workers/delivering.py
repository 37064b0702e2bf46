"""Send the next event in a webhook's delivery queue (see `store.work.webhooks`), and store the result."""

from __future__ import annotations

import logging
import random
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.core.events import Event
from schemas.times import rfc3339
from service import webhooks
from service.webhooks import Letters
from store import Store
from store.errors import Corrupt, Damaged, UnknownGame
from store.work.webhooks import Came, Delivery, DeliveryLine, Webhook, delivery_id

if TYPE_CHECKING:
    from workers.posting import Message, Poster, PostResponse

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 6 * 3600.0
"""Seconds before the first retry, and the maximum before any retry.

Each pause is about four times as long as the previous one.
"""
GIVE_UP_SECONDS = 3 * 86_400.0
"""Seconds after which an event is given up."""
GONE = 410
"""Status code with which a receiver unsubscribes (Standard Webhooks)."""
_PAGE = 100
_MOST_ANSWERED = 200
"""Number of stored characters of a response."""


class Deliverer:
    """Sends the queued events of webhooks.

    Args:
        is_open: True if the service requires no tokens.
        first_pause: seconds before the first retry.
        give_up_seconds: seconds after which an event is given up.
    """

    def __init__(
        self,
        store: Store,
        poster: Poster,
        *,
        is_open: bool,
        first_pause: float = FIRST_PAUSE,
        give_up_seconds: float = GIVE_UP_SECONDS,
    ) -> None:
        self._store = store
        self._poster = poster
        self._is_open = is_open
        self._first_pause = first_pause
        self._give_up = give_up_seconds
        self.letters = Letters(store)

    async def advance(self, webhook: Webhook, name: str) -> Came | None:
        """Send the next event in the delivery queue `name`. Return the result; None if there was nothing to send.

        Raises:
            StoreError: the store does not answer, so the result is not stored, and the event will be sent again.
        """
        line = self._store.webhooks.line(webhook.id, name)
        if line is None:
            return None
        try:
            event = self._next(webhook, line)
        except (UnknownGame, Corrupt):
            # The game was deleted, or its log is damaged; an audit reports damage.
            self._store.webhooks.settle(webhook.id, name, line.last, "dropped")
            return "dropped"
        if event is None:
            return "passed"
        answer = await self._poster.post(webhook.url, lambda: self._message(webhook, line.game, event.seq))
        if answer is None:
            # Nothing may be sent any more. The sender's next check finds that the webhook has ended.
            self._store.webhooks.settle(webhook.id, name, line.last, "dropped")
            return "dropped"
        return self._settle(webhook, line, event, answer)

    def _next(self, webhook: Webhook, line: DeliveryLine) -> Event | None:
        found = self._store.events.read(line.game, after=line.next - 1, until=line.last, limit=_PAGE)
        if not found:
            raise Damaged(line.next, "the event is missing")
        if line.is_single:
            return found[0]
        wanted = next((event for event in found if webhook.wants(event.type)), None)
        if wanted is None:
            self._store.webhooks.settle(webhook.id, line.name, found[-1].seq, "passed")
        return wanted

    def _message(self, webhook: Webhook, game_id: str, seq: int) -> Message | None:
        """Return the message with the currently visible data; None if nothing may be sent any more."""
        there = self._store.webhooks.get(webhook.id)
        if there is None or not webhooks.is_in_force(self._store, there, is_open=self._is_open):
            return None
        try:
            (event,) = self._store.events.read(game_id, after=seq - 1, limit=1)
            headers, body = self.letters.message(there, game_id, event)
        except UnknownGame:
            return None
        secret = self._store.webhooks.secret(webhook.id)
        return headers | webhooks.sign(secret, delivery_id(game_id, seq), body), body

    def _settle(self, webhook: Webhook, line: DeliveryLine, event: Event, answer: PostResponse) -> Came:
        now = time.time()
        pause = self._pause(line.attempts, answer)
        came: Came = "later"
        if answer.is_taken:
            came = "sent"
        elif answer.status == GONE:
            came = "ended"
        elif line.since and now - line.since / 1000 + pause > self._give_up:
            came = "given_up"
        delivery = Delivery(
            game=line.game,
            seq=event.seq,
            type=event.type,
            status="delivered" if came == "sent" else "waiting" if came == "later" else "failed",
            attempts=line.attempts + 1,
            tried_at=_duration(now),
            next_at=_duration(now + pause) if came == "later" else None,
            answered=answer.status,
            answer=None if answer.body is None else answer.body[:_MOST_ANSWERED],
            error=answer.error,
        )
        fails = self._store.webhooks.settle(
            webhook.id, line.name, event.seq, came, delivery=delivery, again_at=int((now + pause) * 1000)
        )
        # Log neither the address, which can contain a secret of the receiver, nor the response, whose content is
        # unknown.
        told = {"webhook": webhook.id, "game": line.game, "seq": event.seq, "status": answer.status, "result": came}
        logger.debug("webhook tried", extra=told)
        if came in {"given_up", "ended"}:
            logger.warning("webhook given up", extra={**told, "fails": fails})
        return came

    def _pause(self, attempts: int, answer: PostResponse) -> float:
        """Return the seconds to wait before the next attempt, after `attempts` failed ones."""
        usual = min(self._first_pause * 4.0 ** min(attempts, 10), LONGEST_PAUSE)
        asked = min(max(answer.retry_after or 0.0, 0.0), LONGEST_PAUSE)
        return max(usual * random.uniform(0.8, 1.2), asked)  # noqa: S311  # so that not all come back at once


def _duration(seconds: float) -> str:
    return rfc3339(datetime.fromtimestamp(seconds, UTC))
