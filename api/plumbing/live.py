"""Live streams: one thread per process listens for hints of appends, and wakes the listeners of the game.

A hint only says that there are more events. Each listener reads them from the log, starting after the last one that it
sent. So no events are lost with a hint: they arrive by the next heartbeat.
"""

from __future__ import annotations

import itertools
import threading
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec
from flask import current_app

from api.plumbing.metrics import LISTENERS
from api.plumbing.problems import RETRY_AFTER, Problem
from engine.core.errors import EngineError
from engine.core.events import Event
from engine.play.corrections.undo import SUPERSEDING, Ways
from engine.play.game import Game
from store import Store
from store.errors import StoreError
from store.log.hints import FeedGrown, Hint, Hints

HEARTBEAT = 15.0
"""Seconds between heartbeats on a quiet stream, and the maximum delay after a lost hint."""
RETRY_MILLISECONDS = 2000
PAGE = 500
_WHOSE = {"service": "This service", "per_address": "Your address", "per_token": "Your token"}
MANY = 64
"""Above this number of corrections, the list of superseded events is sent once, at the end.

With fewer corrections, the list is sent after each one. It is always sent as a whole, so the total size would grow with
the square of the log's length.
"""


LIBRARY = "*"
"""The topic of listeners to all games."""
Holder = tuple[str, str]
"""A quota (`per_address` or `per_token`), with the limited address or token."""


class Hub:
    """Wakes the listeners of this process.

    Args:
        hints: the source of hints, used once there is a listener.
        most: maximum number of listeners of this process.
        quotas: for each quota, the maximum number of listeners of one address or token; 0: unlimited.
    """

    def __init__(self, hints: Hints, *, most: int, quotas: Mapping[str, int] = MappingProxyType({})) -> None:
        self.most = most
        self._quotas = quotas
        self._held: Counter[Holder] = Counter()
        self._hints = hints
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Ear]] = {}
        self._count = 0
        self._thread: threading.Thread | None = None
        self._is_stopping = False

    def admit(self, listener: Ear) -> None:
        """Register a listener until it is closed, so that the hub wakes it; raise a `Problem` if a limit is reached."""
        with self._lock:
            if self._count >= self.most:
                raise _too_many("service", self.most)
            for quota, who in listener.holders:
                most = self._quotas.get(quota, 0)
                if most and self._held[quota, who] >= most:
                    raise _too_many(quota, most)
            self._count += 1
            LISTENERS.inc()
            self._held.update(listener.holders)
            self._listeners.setdefault(listener.game_id, set()).add(listener)
            if self._is_stopping:
                listener.is_ending = True
            elif self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="live-hub", daemon=True)
                self._thread.start()

    def leave(self, listener: Ear) -> None:
        """Unregister a listener, if it is still registered."""
        with self._lock:
            watching = self._listeners.get(listener.game_id, set())
            if listener in watching:
                watching.remove(listener)
                self._count -= 1
                LISTENERS.dec()
                self._held -= Counter(listener.holders)
                if not watching:
                    del self._listeners[listener.game_id]

    def stop(self) -> None:
        """End every stream. The clients then reconnect, to another process."""
        with self._lock:
            self._is_stopping = True
            for listener in self._all():
                listener.is_ending = True
                listener.wake.set()
        self._hints.stop()

    def _listen(self) -> None:
        for hint in self._hints.listen():
            with self._lock:
                for listener in self._listeners_to_wake(hint):
                    listener.wake.set()

    def _listeners_to_wake(self, hint: Hint | None) -> Iterable[Ear]:
        """Return the listeners that a hint wakes. None stands for missed hints, and wakes all of them."""
        if hint is None:
            return self._all()
        if isinstance(hint, tuple):
            return self._listeners.get(hint[0], ())
        if isinstance(hint, FeedGrown):
            return self._listeners.get(LIBRARY, ())
        return [one for one in self._all() if one.leave is not None and one.leave.token == hint.token]

    def _all(self) -> list[Ear]:
        return [listener for watching in self._listeners.values() for listener in watching]


class Leave(msgspec.Struct, frozen=True):
    """A token's permission to listen."""

    token: str
    """The id of the token that grants the permission."""
    is_in_force: Callable[[], bool]


class Ear:
    """A listener that the hub wakes when its game may have more events.

    Args:
        game_id: the game, or `LIBRARY`.
        leave: the permission, which may be revoked; None: no permission is required.
        holders: the quotas that this listener counts against.
    """

    def __init__(self, hub: Hub, game_id: str, leave: Leave | None, holders: Sequence[Holder]) -> None:
        self.leave = leave
        self.game_id = game_id
        self.holders = holders
        self.wake = threading.Event()
        self.is_ending = False
        self._hub = hub

    @property
    def may_listen(self) -> bool:
        """True if the listener's permission is still valid."""
        return self.leave is None or self.leave.is_in_force()

    def close(self) -> None:
        """Unregister the listener, because the client is gone or the stream is complete."""
        self._hub.leave(self)


class MessageListener(Ear):
    """A stream of messages; iterate it for the bytes to send. A read error ends the stream."""

    def __iter__(self) -> Iterator[bytes]:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        try:
            yield from self._messages()
        except (StoreError, EngineError):
            return

    @abstractmethod
    def _messages(self) -> Iterator[bytes]:
        pass


class Listener(MessageListener):
    """The stream of a game's events after `after`, up to `until`, masked by `show`. Iterate it for the bytes to send.

    Args:
        game: the current game.
    """

    def __init__(
        self,
        hub: Hub,
        store: Store,
        game_id: str,
        game: Game,
        show: Callable[[Event], Event],
        *,
        after: int,
        until: int | None,
        leave: Leave | None = None,
        holders: Sequence[Holder] = (),
    ) -> None:
        super().__init__(hub, game_id, leave, holders)
        self._store = store
        self._after = after
        self._show = show
        self._until = until
        self._is_seeded = game.header.chance == "seeded"
        self._owed: tuple[Event, Event | None] | None = None
        """A correction whose superseded events must still be sent, with the event after it."""

    def _messages(self) -> Iterator[bytes]:
        yield from self._lost_message()
        while True:
            self.wake.clear()
            if self.is_ending:
                return
            events = self._store.events.read(self.game_id, after=self._after, until=self._until, limit=PAGE)
            # Check the permission after reading, so that nothing is sent that was appended after the permission ended.
            if not self.may_listen:
                return
            yield from self._event_messages(events)
            if self._owed is not None and len(events) < PAGE:
                yield self._superseded_message(*self._owed)
            if self._after == self._until or (not events and self._is_over()):
                return
            if not events and not self.wake.wait(HEARTBEAT):
                yield b": still here\n\n"

    def _event_messages(self, events: Sequence[Event]) -> Iterator[bytes]:
        """Yield messages with these events. After each correction, add a message with the events that it superseded."""
        ways = self._ways(events[-1].seq) if any(event.type in SUPERSEDING for event in events) else None
        for event, following in itertools.zip_longest(events, events[1:]):
            yield b"id: %d\ndata: %b\n\n" % (event.seq, msgspec.json.encode(self._show(event)))
            self._after = event.seq
            if ways is not None and event.type in SUPERSEDING:
                self._owed = event, following
                if ways.length(event.seq) <= MANY:
                    yield self._superseded_message(event, following, ways)

    def _lost_message(self) -> Iterator[bytes]:
        """Yield the message about superseded events again if a reconnecting client may have missed it: it has no id.

        If there are many corrections, yield only the message after the last one, even if the client has received it.
        """
        if self._after > 0:
            ways = self._ways(self._after)
            last = next((one.seq for one in ways.back(self._after) if one.type in SUPERSEDING), 0)
            if last == self._after or (last > 0 and ways.length(self._after) > MANY):
                (event,) = self._store.events.read(self.game_id, after=last - 1, limit=1)
                yield self._superseded_message(event)

    def _superseded_message(self, correction: Event, following: Event | None = None, ways: Ways | None = None) -> bytes:
        """Return a message with the events that `correction` superseded, and the status of the game after it.

        Args:
            following: the event after the correction, if known.
            ways: the targets of all corrections, if already loaded.
        """
        self._owed = None
        seq = correction.seq
        turn = following.turn if following is not None else self._store.games.get(self.game_id, at=seq).turn
        document = {
            "by": seq,
            "superseded": [(one.first, one.last) for one in (ways or self._ways(seq)).superseded_events(seq)],
            "version": seq,
            "head": correction.hash,
            "turn": turn,
        }
        return b"event: superseded\ndata: %b\n\n" % msgspec.json.encode(document)

    def _ways(self, version: int) -> Ways:
        return self._store.corrections.ways(self.game_id, version)

    def _is_over(self) -> bool:
        if not self._is_seeded:
            return False
        game = self._store.games.latest(self.game_id)
        return is_over_for_good(game) and game.version <= self._after


def _too_many(quota: str, limit: int) -> Problem:
    detail = f"{_WHOSE[quota]} has reached its limit of {limit} live streams. Close one, or try again later."
    return Problem("too-many-streams", detail, headers={"Retry-After": RETRY_AFTER}, quota=quota, limit=limit)


def is_over_for_good(game: Game) -> bool:
    """Return True if no more events can follow; an observed game may be reopened."""
    return game.outcome is not None and game.header.chance == "seeded"


def hub() -> Hub:
    """Return the app's hub."""
    found: Hub = current_app.extensions["hub"]
    return found
