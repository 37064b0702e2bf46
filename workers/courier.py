"""The courier: has the feed told of what is appended, and sends webhooks what is owed to them.

One process of a service sends, as it holds the lease; others stand by. What is owed stands in the store, so nothing is
lost with the process, and what was on its way when it died is sent again: at least once, and within a game in order.
Each receiver is sent to by itself: a slow one holds up nobody else.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import FrameType

from service.destinations import networks
from store import Store
from store.errors import Corrupt, Damaged, LacksRuleset, StoreError, UnknownGame
from store.log.feed import Entry, place
from store.work.webhooks import Webhook
from telemetry import tracing
from workers import figures
from workers.delivering import Deliverer
from workers.figures import Result
from workers.queue import Queue, QueueUnavailable, connect
from workers.supervisor import Role

logger = logging.getLogger(__name__)

NAME = "courier"
KIND = "webhook"
"""As what deliveries are counted among the work that came to an end."""
AT_ONCE = 4
"""Messages on the way to one receiver, each of another game."""
TURN_SECONDS = 0.25
"""How long events of one game are sent before it is the turn of another one."""
LOOKUPS = 64
"""Hosts that are looked up at a time."""
LEASE_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""How often it looks by itself."""
PARTING_SECONDS = 2.0
"""How long what is on its way has to arrive when the courier ends; else it is sent again."""
_PAGE = 200
_RESULTS: dict[str, Result] = {"sent": "done", "later": "waits", "given_up": "failed", "ended": "failed"}


class Courier:
    """Sends, from `run` to `stop`.

    Args:
        queue: beside which it counts what came of what it sent.
        who: no other courier's name.
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
        """Games that were appended to, each with its version."""
        self._is_stopping = False
        self._wake: Callable[[], object] = bool
        self._on_the_way: dict[tuple[str, str], asyncio.Task[None]] = {}
        """By webhook and line."""
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
        listener = threading.Thread(target=self._listen, name="courier-hints", daemon=True)
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
        """Tell the feed, note what is owed, begin to send what is due; how many seconds there is time then."""
        pause = LOOK_SECONDS
        try:
            self._push()
            if self._holds():
                pause = self._begin(self._noted())
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
        """Whether it is this one that sends."""
        now = time.monotonic()
        if now >= self._next_hold:
            if not self._store.webhooks.hold(self._who, LEASE_SECONDS):
                return False
            self._next_hold = now + LEASE_SECONDS / 3
        return True

    def _noted(self) -> list[Webhook]:
        """Note for whom what the feed tells since the last time is; all to whom anything may be sent."""
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
                # Another courier has: this one asks for the lease again.
                self._next_hold = 0.0
                break
            read = at
        return there

    def _in_force(self, found: Sequence[Webhook]) -> list[Webhook]:
        """Those that were not made by a token which has ended; with a token that was withdrawn its webhooks go."""
        makers = {one.made_by for one in found if one.made_by is not None}
        in_force: set[str | None] = {None} if self._is_open else set()
        in_force |= self._store.tokens.in_force(sorted(makers))
        for one in found:
            if one.made_by is not None and one.made_by not in in_force and self._store.tokens.get(one.made_by) is None:
                self._store.webhooks.remove(one.id)
        return [one for one in found if one.made_by in in_force]

    def _is_asked(self, webhook: Webhook, entry: Entry) -> bool:
        """Whether a webhook is for what an entry of the feed tells."""
        try:
            return place(entry.id) > place(webhook.since) and self._deliverer.letters.is_for(webhook, entry.game)
        except (UnknownGame, Damaged):
            return False

    def _begin(self, there: Sequence[Webhook]) -> float:
        """Begin to send what is due; how many seconds until the next is."""
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
                    sending = self._sent(webhook, name)
                    self._on_the_way[webhook.id, name] = asyncio.get_running_loop().create_task(sending)
        return pause

    async def _has_sent(self, webhook: Webhook, name: str) -> bool:
        """Send the next event of a line; whether another one may follow at once."""
        came = await self._deliverer.advance(webhook, name)
        if came in _RESULTS:
            with suppress(QueueUnavailable):
                figures.count(self._queue, KIND, _RESULTS[came])
        return came in {"sent", "passed"}

    async def _sent(self, webhook: Webhook, name: str) -> None:
        """Send the next events of a line, one after the other for a while: then it is the turn of others.

        What fails by our own fault stays due, and is tried again in a moment.
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


def role(redis_url: str, queue_url: str, archive: str, allowed: Sequence[str], *, is_open: bool) -> Role:
    """The courier, for a supervisor.

    Args:
        archive: where archived logs are.
        allowed: addresses and networks that may be sent to although they are not public.
        is_open: whether the service asks for no tokens.
    """

    def run(life: str) -> None:
        # Here, so that no other process of the service loads an HTTP client.
        from workers.posting import Poster

        tracing.begin()
        with ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup") as lookups:
            store = Store.connect(redis_url, archive)
            deliverer = Deliverer(store, Poster(networks(allowed), lookups), is_open=is_open)
            courier = Courier(store, connect(queue_url), deliverer, who=life, is_open=is_open)

            def stop(_number: int, _frame: FrameType | None) -> None:
                courier.stop()

            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, stop)
            courier.run()

    def bury(life: str) -> None:
        with suppress(StoreError):
            Store.connect(redis_url, archive).webhooks.let_go(life)

    return Role(NAME, run, bury)
