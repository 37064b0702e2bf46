"""Rate limits: count each caller's requests across all web processes of a service.

The sliding window counter of the package `limits` uses two small counters per caller, with one hash tag. They expire by
the clock of Redis, so the clocks of hosts do not matter. A process counts in memory first, and adds its count to Redis
each time the count reaches 1/50 of the limit. So most requests need no call to Redis. A caller can exceed the limit by
1/50 for each process, and by another 1/50 for each request that is updating Redis at that moment.
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
"""A process updates Redis when it has counted 1/50 of a caller's limit."""
MOST_KNOWN = 20_000
"""Maximum number of callers that a process remembers. The caller whose last request is oldest is forgotten first."""
ANSWER_SECONDS = 0.5
"""Timeout for Redis in seconds. It is short, because requests wait for the count."""
AWAY_SECONDS = 5.0
"""Seconds until the next call after Redis did not answer."""
PREFIX = "driftlog:rates"

_AWAY = (redis.RedisError, RedisClusterException, ConfigurationError)
"""Errors that a call raises if Redis does not answer. ConfigurationError: no node of a cluster can be reached."""

Storage = RedisStorage | MemoryStorage


class Standing(msgspec.Struct, frozen=True):
    """The quota of a caller after a request."""

    left: int
    """Number of requests still allowed, as far as this process knows."""
    wait: int = 0
    """Seconds until the next request is allowed; 0 if the current request is allowed."""


class _Caller(msgspec.Struct):
    """The count of a caller's requests in one process. Times are from the monotonic clock."""

    left: int
    """Remaining requests as of the last answer from Redis."""
    since: float
    pending: int = 0
    """Requests counted since that answer."""
    closed_until: float = 0.0


class Tallies:
    """The counters in Redis, shared by all processes. While Redis does not answer, each process counts separately.

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
        """Count `cost` requests of the caller `who`, unless the limit would be exceeded. Return the remaining quota."""
        if time.monotonic() >= self._away_until:
            try:
                return _add(self._together(), rate, who, cost)
            except _AWAY as error:
                self._away_until = time.monotonic() + AWAY_SECONDS
                logger.warning("Redis does not answer (%s): each process counts requests separately", error)
        return _add(self._alone(), rate, who, cost)

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
    """A rate limit, with the count of each caller.

    Args:
        name: the name of the policy, such as `address`.
        allowed: the limit, such as `30000/minute`.
    """

    def __init__(self, name: str, allowed: str, tallies: Tallies) -> None:
        self.name = name
        self._rate = limits.parse(allowed)
        self._tallies = tallies
        self.amount = self._rate.amount
        """Maximum number of requests in `seconds`."""
        self.seconds = self._rate.get_expiry()
        """Length of the window in seconds."""
        self._slack = self.amount // SLACK
        self._lock = threading.Lock()
        self._callers: OrderedDict[str, _Caller] = OrderedDict()

    def count(self, who: str) -> Standing:
        """Count a request of the caller `who`; return the remaining quota."""
        now = time.monotonic()
        with self._lock:
            caller = self._find_caller(who, now)
            if now < caller.closed_until:
                return Standing(0, math.ceil(caller.closed_until - now))
            caller.pending += 1
            if caller.pending <= self._slack:
                return Standing(max(0, caller.left - caller.pending))
            # Reset the count first, so that no other thread adds the same requests to Redis.
            cost, caller.pending = caller.pending, 0
        standing = self._tallies.add(self._rate, f"{self.name}:{who}", cost)
        now = time.monotonic()
        with self._lock:
            caller.left, caller.since = standing.left, now
            if standing.wait:
                # Redis counted none of these requests. Refuse only the current one, and add the earlier ones to the
                # next count.
                caller.pending += cost - 1
                caller.closed_until = now + standing.wait
        return standing

    def _find_caller(self, who: str, now: float) -> _Caller:
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
        # Use our client, because it follows a failover and has the passwords of the sentinels.
        return RedisStorage("redis://", sentinels.connect(url, **options).connection_pool, key_prefix=PREFIX)
    return RedisStorage(url, key_prefix=PREFIX, **options)


def _add(storage: Storage, rate: limits.RateLimitItem, who: str, cost: int) -> Standing:
    is_taken = SlidingWindowCounterRateLimiter(storage).hit(rate, who, cost=cost)
    window = rate.get_expiry()
    before, before_seconds, now, now_seconds = storage.get_sliding_window(rate.key_for(who), window)
    weighed = math.floor(before * before_seconds / window)
    left = max(0, rate.amount - weighed - now)
    if is_taken:
        return Standing(left)
    # The weight of the previous window falls steadily. The current window counts fully until it ends.
    lacking = cost - left
    wait = lacking * window / before if before and lacking <= weighed else now_seconds - window
    return Standing(left, max(1, math.ceil(wait)))
