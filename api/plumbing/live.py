"""The live stream: one thread per process listens for hints of appends, and wakes those who watch that game.

A hint only says that there is more: what is sent is read from the log, from where the listener stands. So a lost hint
costs a listener the time to the next heartbeat, never an event.
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
from engine.play.corrections.superseded import SUPERSEDING, Ways
from engine.play.game import Game
from store import Store
from store.errors import StoreError
from store.log.hints import Grown, Hint, Hints

HEARTBEAT = 15.0
"""Seconds between signs of life on a quiet stream, and the longest that a lost hint can cost."""
RETRY_MILLISECONDS = 2000
PAGE = 500
_WHOSE = {"service": "here", "per_address": "of your address", "per_token": "of your token"}
MANY = 64
"""Where more corrections than these are in force, what does not stand is told once the listener has all events, not
after each of them: it is told whole each time, which would grow with the square of the log."""


LIBRARY = "*"
"""In place of a game, for those who listen to all of them."""
Holder = tuple[str, str]
"""Of which quota (`per_address`, `per_token`), and who."""


class Hub:
    """Wakes the listeners of this process.

    Args:
        hints: where appends are hinted at; listened to once somebody watches.
        most: how many listeners this process holds.
        quotas: how many of them one holder has at most, by its quota; 0: all.
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
        """Wake a listener from now on, until it is closed.

        Raises:
            Problem: this process, or one of its holders, has as many listeners as it may.
        """
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
        """Forget a listener; harmless where it is forgotten already."""
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
        """End every stream; their listeners come back, to whoever serves then."""
        with self._lock:
            self._is_stopping = True
            for listener in self._all():
                listener.is_ending = True
                listener.wake.set()
        self._hints.stop()

    def _listen(self) -> None:
        for hint in self._hints.listen():
            with self._lock:
                for listener in self._meant(hint):
                    listener.wake.set()

    def _meant(self, hint: Hint | None) -> Iterable[Ear]:
        """Who is to look: everybody where hints may have been missed."""
        if hint is None:
            return self._all()
        if isinstance(hint, tuple):
            return self._listeners.get(hint[0], ())
        if isinstance(hint, Grown):
            return self._listeners.get(LIBRARY, ())
        return [one for one in self._all() if one.leave is not None and one.leave.token == hint.token]

    def _all(self) -> list[Ear]:
        return [listener for watching in self._listeners.values() for listener in watching]


class Leave(msgspec.Struct, frozen=True):
    """That somebody may listen."""

    token: str
    """The id of the token by which."""
    is_in_force: Callable[[], bool]


class Ear:
    """Whoever the hub wakes when there is more of a game.

    Args:
        game_id: which, or `LIBRARY`.
        leave: to listen, as long as it is in force; None: for good.
        holders: for whom it counts.
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
        """Whether its leave is still in force."""
        return self.leave is None or self.leave.is_in_force()

    def close(self) -> None:
        """The client is gone, or all is said."""
        self._hub.leave(self)


class Told(Ear):
    """One that is sent messages: iterate it for the bytes; where they cannot be read any more, they end."""

    def __iter__(self) -> Iterator[bytes]:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        try:
            yield from self._messages()
        except (StoreError, EngineError):
            return

    @abstractmethod
    def _messages(self) -> Iterator[bytes]:
        """What is sent, as it comes."""


class Listener(Told):
    """The stream of a game from the event after `after` to `until`, shown by `show`: iterate it for the bytes to send.

    Args:
        game: as it stands now.
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
        """The correction of which it has still to be told what it took off the line, and the event after it."""

    def _messages(self) -> Iterator[bytes]:
        yield from self._missed()
        while True:
            self.wake.clear()
            if self.is_ending:
                return
            events = self._store.events.read(self.game_id, after=self._after, until=self._until, limit=PAGE)
            # Asked after they were read: what was appended after the end of a token is not sent by it.
            if not self.may_listen:
                return
            yield from self._told(events)
            if self._owed is not None and len(events) < PAGE:
                yield self._superseded(*self._owed)
            if self._after == self._until or (not events and self._is_over()):
                return
            if not events and not self.wake.wait(HEARTBEAT):
                yield b": still here\n\n"

    def _told(self, events: Sequence[Event]) -> Iterator[bytes]:
        """The next events of the game; and after those that take others off the line, which."""
        ways = self._ways(events[-1].seq) if any(event.type in SUPERSEDING for event in events) else None
        for event, following in itertools.zip_longest(events, events[1:]):
            yield _message(self._show(event))
            self._after = event.seq
            if ways is not None and event.type in SUPERSEDING:
                self._owed = event, following
                if ways.length(event.seq) <= MANY:
                    yield self._superseded(event, following, ways)

    def _missed(self) -> Iterator[bytes]:
        """What belongs to the last event that was received: it has no id, so it may have been lost with the line.

        Where it is not told after each correction, nobody knows whether it was told.
        """
        if self._after > 0:
            ways = self._ways(self._after)
            last = next((one.seq for one in ways.back(self._after) if one.type in SUPERSEDING), 0)
            if last == self._after or (last > 0 and ways.length(self._after) > MANY):
                (event,) = self._store.events.read(self.game_id, after=last - 1, limit=1)
                yield self._superseded(event)

    def _superseded(self, correction: Event, following: Event | None = None, ways: Ways | None = None) -> bytes:
        """What does not stand since `correction`, and where the game was then.

        Args:
            following: the event after it, if that is known.
            ways: the ways back from it, where they are read already: to read them is a call to the store.
        """
        self._owed = None
        seq = correction.seq
        turn = following.turn if following is not None else self._store.games.get(self.game_id, at=seq).turn
        document = {
            "by": seq,
            "superseded": [(one.first, one.last) for one in (ways or self._ways(seq)).superseded(seq)],
            "version": seq,
            "head": correction.hash,
            "turn": turn,
        }
        return b"event: superseded\ndata: %b\n\n" % msgspec.json.encode(document)

    def _ways(self, version: int) -> Ways:
        return self._store.corrections.ways(self.game_id, version)

    def _is_over(self) -> bool:
        """Whether all of a game that has ended for good was sent."""
        if not self._is_seeded:
            return False
        game = self._store.games.latest(self.game_id)
        return is_over_for_good(game) and game.version <= self._after


def _too_many(quota: str, limit: int) -> Problem:
    detail = f"There are {limit} live streams {_WHOSE[quota]}, and may be no more."
    return Problem("too-many-streams", detail, headers={"Retry-After": RETRY_AFTER}, quota=quota, limit=limit)


def is_over_for_good(game: Game) -> bool:
    """Whether nothing is played in it any more: a closed game that was observed may be opened again."""
    return game.outcome is not None and game.header.chance == "seeded"


def _message(event: Event) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event.seq, msgspec.json.encode(event))


def hub() -> Hub:
    """The app's hub."""
    found: Hub = current_app.extensions["hub"]
    return found
