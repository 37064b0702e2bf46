"""One delivery: the next event of a line, sent as it may be told at that moment, and what comes of it noted."""

from __future__ import annotations

import logging
import random
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.core.events import Event
from schemas.events import rfc3339
from service import webhooks
from service.webhooks import Letters
from store import Store
from store.errors import Damaged, UnknownGame
from store.work.webhooks import Came, Delivery, Line, Webhook, delivery_id

if TYPE_CHECKING:
    from workers.posting import Answer, Message, Poster

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 6 * 3600.0
"""Seconds after which a message is tried again: four times as many after each attempt, a fifth more or less."""
GIVE_UP_SECONDS = 3 * 86_400.0
"""How long a message is tried."""
GONE = 410
"""Answered by a receiver that wants nothing any more (Standard Webhooks)."""
_PAGE = 100
_MOST_ANSWERED = 200
"""Characters of an answer that are kept."""


class Deliverer:
    """Sends what is owed to webhooks.

    Args:
        is_open: whether the service asks for no tokens.
        first_pause: after how many seconds a message is tried again for the first time.
        give_up_seconds: for how long it is tried.
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
        """Send the next event of the line of that name; what came of it, None where there was nothing to send.

        Raises:
            StoreError: the store does not answer: whether it was sent is not noted, and it is sent again.
        """
        line = self._store.webhooks.line(webhook.id, name)
        if line is None:
            return None
        try:
            event = self._next(webhook, line)
        except (UnknownGame, Damaged):
            # Deleted; or changed where it is stored, which an audit tells.
            self._store.webhooks.settle(webhook.id, name, line.last, "dropped")
            return "dropped"
        if event is None:
            return "passed"
        answer = await self._poster.post(webhook.url, lambda: self._message(webhook, line.game, event.seq))
        if answer is None:
            # It may not be sent any more: what has ended is found by whoever looks next.
            self._store.webhooks.settle(webhook.id, name, line.last, "dropped")
            return "dropped"
        return self._settled(webhook, line, event, answer)

    def _next(self, webhook: Webhook, line: Line) -> Event | None:
        """The next event of a line that its webhook asks for; None where there was none among those that come next.

        Raises:
            UnknownGame: its game has been deleted.
            Damaged: its log is not what it was.
        """
        found = self._store.events.read(line.game, after=line.next - 1, until=line.last, limit=_PAGE)
        if not found:
            raise Damaged(line.next, "it is not there")
        if line.is_single:
            return found[0]
        wanted = next((event for event in found if webhook.wants(event.type)), None)
        if wanted is None:
            self._store.webhooks.settle(webhook.id, line.name, found[-1].seq, "passed")
        return wanted

    def _message(self, webhook: Webhook, game_id: str, seq: int) -> Message | None:
        """What is sent, as everything stands now; None where nothing may be sent any more."""
        there = self._store.webhooks.get(webhook.id)
        if there is None or not webhooks.is_in_force(self._store, there, is_open=self._is_open):
            return None
        try:
            (event,) = self._store.events.read(game_id, after=seq - 1, limit=1)
            headers, body = self.letters.message(there, game_id, event)
        except UnknownGame:
            return None
        secret = self._store.webhooks.secret(webhook.id)
        return headers | webhooks.signed(secret, delivery_id(game_id, seq), body), body

    def _settled(self, webhook: Webhook, line: Line, event: Event, answer: Answer) -> Came:
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
            tried_at=_told(now),
            next_at=_told(now + pause) if came == "later" else None,
            answered=answer.status,
            answer=None if answer.body is None else answer.body[:_MOST_ANSWERED],
            error=answer.error,
        )
        fails = self._store.webhooks.settle(
            webhook.id, line.name, event.seq, came, delivery=delivery, again_at=int((now + pause) * 1000)
        )
        # The address may hold a secret of the receiver's, and what it answers anything: neither is logged.
        told = {"webhook": webhook.id, "game": line.game, "seq": event.seq, "status": answer.status, "result": came}
        logger.debug("webhook tried", extra=told)
        if came in {"given_up", "ended"}:
            logger.warning("webhook given up", extra={**told, "fails": fails})
        return came

    def _pause(self, attempts: int, answer: Answer) -> float:
        """Seconds until it is tried again, after so many attempts and this one."""
        usual = min(self._first_pause * 4.0 ** min(attempts, 10), LONGEST_PAUSE)
        asked = min(max(answer.retry_after or 0.0, 0.0), LONGEST_PAUSE)
        return max(usual * random.uniform(0.8, 1.2), asked)  # noqa: S311  # so that not all come back at once


def _told(seconds: float) -> str:
    return rfc3339(datetime.fromtimestamp(seconds, UTC))
