"""Counting requests: how many one caller may make in a time, over all web processes of a service.

By the sliding window counter of `limits`: two small counters a caller, on one hash tag, aged by Redis' own clock, so
that no host's clock matters. A process counts by itself and settles with Redis once a caller has made a fiftieth of
what it may: most requests ask Redis nothing, and callers who make few leave no key there. So a caller may get by with
a fiftieth more for each process, and for each request that is being settled at that moment. Where Redis does not
answer, each process goes by its own count.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from typing import Any

import limits
import msgspec
import redis
from limits.errors import ConfigurationError
from limits.storage import MemoryStorage, RedisClusterStorage, RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from store.redis import sentinels

logger = logging.getLogger(__name__)

SLACK = 50
"""A process settles after this part of what a caller may."""
MOST_KNOWN = 20_000
"""Callers that a process remembers; whoever was not seen for the longest is forgotten first."""
ANSWER_SECONDS = 0.5
"""How long Redis may take: a count is not worth waiting for."""
AWAY_SECONDS = 5.0
"""How long Redis is left alone after it did not answer."""
PREFIX = "driftlog:rates"

_AWAY = (redis.RedisError, RedisClusterException, ConfigurationError)
"""The last is what `limits` makes of a cluster of which no node answers."""

Storage = RedisStorage | MemoryStorage


class Standing(msgspec.Struct, frozen=True):
    """How a caller stands after a request."""

    left: int
    """Requests that may follow now; as far as is known here."""
    wait: int = 0
    """Seconds until one may follow; 0: the request itself may pass."""


class _Caller(msgspec.Struct):
    """What a process knows of a caller; times are of the monotonic clock."""

    left: int
    """As it was told at the last settling."""
    since: float
    pending: int = 0
    """Counted since then."""
    closed_until: float = 0.0


class Tallies:
    """Where all processes count together. Nothing is sent before the first count.

    Args:
        url: a Redis: `redis://`, `rediss://`, `unix://` or `redis+cluster://`, or one behind `redis+sentinel://`.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._shared: Storage | None = None
        self._own: Storage | None = None
        self._away_until = -math.inf

    def add(self, rate: limits.RateLimitItem, who: str, cost: int) -> Standing:
        """Count `cost` requests of `who`, unless they are too many."""
        if time.monotonic() >= self._away_until:
            try:
                return _added(self._together(), rate, who, cost)
            except _AWAY as error:
                self._away_until = time.monotonic() + AWAY_SECONDS
                logger.warning("requests are counted by each process alone: Redis does not answer (%s)", error)
        return _added(self._alone(), rate, who, cost)

    def _together(self) -> Storage:
        with self._lock:
            if self._shared is None:
                options: dict[str, Any] = {
                    "socket_timeout": ANSWER_SECONDS,
                    "socket_connect_timeout": ANSWER_SECONDS,
                    "retry": Retry(NoBackoff(), 0),
                    "maint_notifications_config": MaintNotificationsConfig(enabled=False),
                }
                self._shared = _storage(self._url, options)
            return self._shared

    def _alone(self) -> Storage:
        with self._lock:
            if self._own is None:
                self._own = MemoryStorage()
            return self._own


class Rate:
    """How many requests a caller may make in a time, and who has made how many.

    Args:
        name: of the policy, such as `address`.
        allowed: such as `30000/minute`.
    """

    def __init__(self, name: str, allowed: str, tallies: Tallies) -> None:
        self.name = name
        self._rate = limits.parse(allowed)
        self._tallies = tallies
        self.amount = self._rate.amount
        """Requests in `seconds`."""
        self.seconds = self._rate.get_expiry()
        """Of the window."""
        self._slack = self.amount // SLACK
        self._lock = threading.Lock()
        self._callers: OrderedDict[str, _Caller] = OrderedDict()

    def count(self, who: str) -> Standing:
        """Count a request of `who`."""
        now = time.monotonic()
        with self._lock:
            caller = self._known(who, now)
            if now < caller.closed_until:
                return Standing(0, math.ceil(caller.closed_until - now))
            caller.pending += 1
            if caller.pending <= self._slack:
                return Standing(max(0, caller.left - caller.pending))
            # Taken out, so that nobody else settles the same.
            cost, caller.pending = caller.pending, 0
        standing = self._tallies.add(self._rate, f"{self.name}:{who}", cost)
        now = time.monotonic()
        with self._lock:
            caller.left, caller.since = standing.left, now
            if standing.wait:
                # This one is refused, those before it were not.
                caller.pending += cost - 1
                caller.closed_until = now + standing.wait
        return standing

    def _known(self, who: str, now: float) -> _Caller:
        caller = self._callers.get(who)
        if caller is None:
            caller = self._callers[who] = _Caller(self.amount, now)
            if len(self._callers) > MOST_KNOWN:
                self._callers.popitem(last=False)
        elif now - caller.since > self.seconds and now >= caller.closed_until:
            caller.left, caller.since, caller.pending = self.amount, now, 0
        self._callers.move_to_end(who)
        return caller


def _storage(url: str, options: dict[str, Any]) -> Storage:
    if url.startswith("redis+cluster:"):
        return RedisClusterStorage(url, key_prefix=PREFIX, **options)
    if sentinels.is_address(url):
        # By the client that follows a failover, and knows the passwords of sentinels.
        return RedisStorage("redis://", sentinels.connect(url, **options).connection_pool, key_prefix=PREFIX)
    return RedisStorage(url, key_prefix=PREFIX, **options)


def _added(storage: Storage, rate: limits.RateLimitItem, who: str, cost: int) -> Standing:
    is_taken = SlidingWindowCounterRateLimiter(storage).hit(rate, who, cost=cost)
    window = rate.get_expiry()
    before, before_seconds, now, now_seconds = storage.get_sliding_window(rate.key_for(who), window)
    weighed = math.floor(before * before_seconds / window)
    left = max(0, rate.amount - weighed - now)
    if is_taken:
        return Standing(left)
    # What the window before still weighs fades evenly; what this one holds begins to when it ends.
    lacking = cost - left
    wait = lacking * window / before if before and lacking <= weighed else now_seconds - window
    return Standing(left, max(1, math.ceil(wait)))
