"""The webhook sender: adds appended events to the feed, and delivers them to webhooks.

Of all senders of a service, only the sender that holds the lock is active. The queues are in the store, so nothing is
lost if the sender dies: interrupted deliveries are sent again. Each event is sent at least once, and the events of a
game are sent in order. A slow receiver does not delay others.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from service.destinations import networks
from store import Store
from store.errors import Corrupt, LacksRuleset, StoreError, UnknownGame
from store.log.feed import FeedEntry, place
from store.work.webhooks import Webhook
from telemetry import tracing
from workers import figures
from workers.delivering import Deliverer
from workers.dispatcher import NAME, Dispatcher, archive_age, run_until_stopped
from workers.figures import Result
from workers.queue import Queue, QueueUnavailable, connect
from workers.supervisor import ChildRole

logger = logging.getLogger(__name__)

KIND = "webhook"
"""The kind under which deliveries are counted in the metrics of jobs."""
AT_ONCE = 4
"""Maximum parallel messages to one receiver, each about a different game."""
TURN_SECONDS = 0.25
"""Seconds for which events of one game are sent, before another game has its turn."""
LOOKUPS = 64
"""Maximum parallel DNS lookups."""
LEASE_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""Seconds between the sender's checks of the feed and the queues."""
PARTING_SECONDS = 2.0
"""Seconds for open deliveries to finish when the sender stops. Later ones are sent again after a restart."""
_PAGE = 200
_RESULTS: dict[str, Result] = {"sent": "done", "later": "waits", "given_up": "failed", "ended": "failed"}


class WebhookSender:
    """Sends events to webhooks, from `run` to `stop`.

    Args:
        queue: the Redis that counts the results.
        who: a unique name of the sender.
    """

    def __init__(self, store: Store, queue: Queue, deliverer: Deliverer, *, who: str, is_open: bool) -> None:
        self._store = store
        self._queue = queue
        self._deliverer = deliverer
        self._who = who
        self._is_open = is_open
        self._hints = store.hints()
        self._lock = threading.Lock()
        self._heard: dict[str, int] = {}
        """Games with new events, each with its version."""
        self._is_stopping = False
        self._wake: Callable[[], object] = bool
        self._on_the_way: dict[tuple[str, str], asyncio.Task[None]] = {}
        """Deliveries in progress, by webhook and delivery queue."""
        self._busy: Counter[str] = Counter()
        self._next_hold = 0.0
        self._is_well = True

    def run(self) -> None:
        """Send until `stop`."""
        asyncio.run(self._run())

    def stop(self) -> None:
        """End `run`."""
        self._is_stopping = True
        self._hints.stop()
        self._wake()

    async def _run(self) -> None:
        awake, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(awake.set)
        listener = threading.Thread(target=self._listen, name="webhook-hints", daemon=True)
        listener.start()
        while not self._is_stopping and listener.is_alive():
            awake.clear()
            pause = self._round()
            with suppress(TimeoutError):
                await asyncio.wait_for(awake.wait(), pause)
        if self._on_the_way:
            await asyncio.wait(self._on_the_way.values(), timeout=PARTING_SECONDS)
        await asyncio.to_thread(listener.join)
        self._wake = bool
        with suppress(StoreError):
            self._store.webhooks.let_go(self._who)

    def _listen(self) -> None:
        for hint in self._hints.listen():
            if isinstance(hint, tuple):
                with self._lock:
                    self._heard[hint[0]] = max(hint[1], self._heard.get(hint[0], 0))
            self._wake()

    def _round(self) -> float:
        """Update the feed, queue new events, and start due deliveries. Return the seconds until the next round."""
        pause = LOOK_SECONDS
        try:
            self._push()
            if self._holds():
                pause = self._begin(self._queue_new())
        except (StoreError, Corrupt) as error:
            if self._is_well:
                logger.warning("webhooks have to wait: %s", error)
            self._is_well = False
        else:
            self._is_well = True
        return pause

    def _push(self) -> None:
        with self._lock:
            heard, self._heard = self._heard, {}
        try:
            self._store.feed.push(heard)
        except StoreError:
            with self._lock:
                self._heard = heard | self._heard
            raise

    def _holds(self) -> bool:
        now = time.monotonic()
        if now >= self._next_hold:
            if not self._store.webhooks.hold(self._who, LEASE_SECONDS):
                return False
            self._next_hold = now + LEASE_SECONDS / 3
        return True

    def _queue_new(self) -> list[Webhook]:
        found = self._store.webhooks.all()
        there = self._in_force(found)
        if not there:
            return []
        failing = {id_ for id_, health in self._store.webhooks.health().items() if health.failing_since is not None}
        read = self._store.webhooks.read()
        oldest = min((one.since for one in there), key=place)
        at = oldest if read is None else max(read, oldest, key=place)
        while entries := self._store.feed.read(at, limit=_PAGE):
            asking = [one for one in there if one.id not in failing]
            owed = [(one, entry) for entry in entries for one in asking if self._is_asked(one, entry)]
            at = entries[-1].id
            if not self._store.webhooks.owe(owed, read=read, until=at):
                # Another sender has taken the lock, so this sender must acquire it again.
                self._next_hold = 0.0
                break
            read = at
        return there

    def _in_force(self, found: Sequence[Webhook]) -> list[Webhook]:
        """Return the webhooks whose creator's token is active; delete the webhooks of revoked tokens."""
        makers = {one.made_by for one in found if one.made_by is not None}
        in_force: set[str | None] = {None} if self._is_open else set()
        in_force |= self._store.tokens.in_force(sorted(makers))
        for one in found:
            if one.made_by is not None and one.made_by not in in_force and self._store.tokens.is_revoked(one.made_by):
                self._store.webhooks.remove(one.id)
        return [one for one in found if one.made_by in in_force]

    def _is_asked(self, webhook: Webhook, entry: FeedEntry) -> bool:
        try:
            return place(entry.id) > place(webhook.since) and self._deliverer.letters.is_for(webhook, entry.game)
        except (UnknownGame, Corrupt):
            return False

    def _begin(self, there: Sequence[Webhook]) -> float:
        """Start due deliveries; return the seconds until the next delivery is due."""
        now = int(time.time() * 1000)
        pause = LOOK_SECONDS
        if not there:
            return pause
        due = self._store.webhooks.due([one.id for one in there], now, 2 * AT_ONCE)
        for webhook, (ready, following) in zip(there, due, strict=True):
            if following is not None:
                pause = min(pause, max(0.005, (following - now) / 1000))
            for name in ready:
                if self._busy[webhook.id] < AT_ONCE and (webhook.id, name) not in self._on_the_way:
                    self._busy[webhook.id] += 1
                    sending = self._send_line(webhook, name)
                    self._on_the_way[webhook.id, name] = asyncio.get_running_loop().create_task(sending)
        return pause

    async def _has_sent(self, webhook: Webhook, name: str) -> bool:
        came = await self._deliverer.advance(webhook, name)
        if came in _RESULTS:
            with suppress(QueueUnavailable):
                figures.count(self._queue, KIND, _RESULTS[came])
        return came in {"sent", "passed"}

    async def _send_line(self, webhook: Webhook, name: str) -> None:
        """Send the events in a delivery queue one by one for a while. Then other queues have their turn.

        After an internal error, the event stays due and is retried soon.
        """
        until = time.monotonic() + TURN_SECONDS
        try:
            while not self._is_stopping and await self._has_sent(webhook, name) and time.monotonic() < until:
                pass
        except (StoreError, LacksRuleset) as error:
            logger.warning("a webhook has to wait: %s", error, extra={"webhook": webhook.id})
            await asyncio.sleep(LOOK_SECONDS)
        except Exception:
            logger.exception("sending has failed", extra={"webhook": webhook.id})
            await asyncio.sleep(LOOK_SECONDS)
        finally:
            del self._on_the_way[webhook.id, name]
            self._busy -= Counter({webhook.id: 1})
            self._wake()


def role(
    redis_url: str,
    queue_url: str,
    archive: str,
    allowed: Sequence[str],
    *,
    is_open: bool,
    archive_after_days: float = 0.0,
) -> ChildRole:
    """Return a dispatcher that also sends webhooks, as a role of the supervisor.

    One process for both takes less memory than two.

    Args:
        archive: location of archived logs.
        allowed: addresses and networks that are allowed although they are not public.
        is_open: True if the service requires no tokens.
        archive_after_days: see `workers.dispatcher.role`.
    """
    # Import late, so that `driftlog worker` does not load an HTTP client.
    from workers.posting import Poster

    # Create these objects before the child is forked, so that parent and child share their memory.
    store, queue = Store.connect(redis_url, archive), connect(queue_url)
    dispatcher = Dispatcher(store, queue, archive_after=archive_age(archive_after_days))
    lookups = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup")
    deliverer = Deliverer(store, Poster(networks(allowed), lookups), is_open=is_open)

    def run(life: str) -> None:
        tracing.begin()
        with lookups:
            run_until_stopped(dispatcher, WebhookSender(store, queue, deliverer, who=life, is_open=is_open))

    def bury(life: str) -> None:
        with suppress(StoreError):
            store.webhooks.let_go(life)

    return ChildRole(NAME, run, bury)
