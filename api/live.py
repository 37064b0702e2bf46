"""The live stream: one thread per process listens for hints of appends, and wakes those who watch that game.

A hint only says that there is more: what is sent is read from the log, from where the listener stands. So a lost hint
costs a listener the time to the next heartbeat, never an event.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import msgspec
from flask import current_app

from api.problems import RETRY_AFTER, Problem
from engine import lifecycle
from engine.errors import EngineError
from engine.events import Event
from engine.fold import Game
from engine.superseded import SUPERSEDING
from store import Store
from store.errors import StoreError
from store.hints import Hints

HEARTBEAT = 15.0
"""Seconds between signs of life on a quiet stream, and the longest that a lost hint can cost."""
RETRY_MILLISECONDS = 2000
PAGE = 500


class Hub:
    """Wakes the listeners of this process.

    Args:
        hints: where appends are hinted at; listened to once somebody watches.
        most: how many listeners this process holds.
    """

    def __init__(self, hints: Hints, *, most: int) -> None:
        self.most = most
        self._hints = hints
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Listener]] = {}
        self._count = 0
        self._thread: threading.Thread | None = None
        self._is_stopping = False

    def follow(
        self, store: Store, game_id: str, game: Game, show: Callable[[Event], Event], *, after: int, until: int | None
    ) -> Listener:
        """Listen to a game from the event after `after` to `until`, shown by `show`; the listener has to be closed.

        Args:
            game: as it stands now.

        Raises:
            Problem: this process holds as many listeners as it can.
        """
        with self._lock:
            if self._count >= self.most:
                raise Problem(
                    "too-many-streams", "Too many live streams are open.", headers={"Retry-After": RETRY_AFTER}
                )
            self._count += 1
            listener = Listener(self, store, game_id, game, show, after=after, until=until)
            self._listeners.setdefault(game_id, set()).add(listener)
            if self._is_stopping:
                listener.is_ending = True
            elif self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="live-hub", daemon=True)
                self._thread.start()
        return listener

    def leave(self, listener: Listener) -> None:
        """Forget a listener; harmless where it is forgotten already."""
        with self._lock:
            watching = self._listeners.get(listener.game_id, set())
            if listener in watching:
                watching.remove(listener)
                self._count -= 1
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
                # Where hints may have been missed, everybody looks.
                for listener in self._all() if hint is None else self._listeners.get(hint[0], ()):
                    listener.wake.set()

    def _all(self) -> list[Listener]:
        return [listener for watching in self._listeners.values() for listener in watching]


class Listener:
    """One stream: iterate it for the bytes to send."""

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
    ) -> None:
        self.game_id = game_id
        self.wake = threading.Event()
        self.is_ending = False
        self._hub = hub
        self._store = store
        self._after = after
        self._show = show
        self._until = until
        self._is_seeded = game.header.chance == "seeded"
        self._is_closed = game.outcome is not None

    def __iter__(self) -> Iterator[bytes]:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        try:
            yield from self._messages()
        except (StoreError, EngineError):
            return

    def _messages(self) -> Iterator[bytes]:
        yield from self._missed()
        while True:
            self.wake.clear()
            if self.is_ending:
                return
            events = self._store.events.read(self.game_id, after=self._after, until=self._until, limit=PAGE)
            for event in events:
                yield _message(self._show(event))
                self._after = event.seq
                if event.type in SUPERSEDING:
                    yield self._superseded(event)
                elif event.type == lifecycle.GAME_CLOSED:
                    self._is_closed = True
            if self._after == self._until or (not events and self._is_seeded and self._is_closed):
                return
            if not events and not self.wake.wait(HEARTBEAT):
                yield b": still here\n\n"

    def _missed(self) -> Iterator[bytes]:
        """What belongs to the last event that was received: it has no id, so it may have been lost with the line."""
        if self._after > 0:
            for event in self._store.events.read(self.game_id, after=self._after - 1, limit=1):
                if event.type in SUPERSEDING:
                    yield self._superseded(event)

    def _superseded(self, correction: Event) -> bytes:
        """What does not stand since `correction`, and where the game was then."""
        seq = correction.seq
        game = self._store.games.get(self.game_id, at=seq)
        self._is_closed = game.outcome is not None
        document = {
            "by": seq,
            "superseded": [(one.first, one.last) for one in self._store.corrections.superseded(self.game_id, seq)],
            "version": seq,
            "head": correction.hash,
            "turn": game.turn,
        }
        return b"event: superseded\ndata: %b\n\n" % msgspec.json.encode(document)

    def close(self) -> None:
        """The client is gone, or all is said."""
        self._hub.leave(self)


def is_over_for_good(game: Game) -> bool:
    """Whether nothing is played in it any more: a closed game that was observed may be opened again."""
    return game.outcome is not None and game.header.chance == "seeded"


def _message(event: Event) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event.seq, msgspec.json.encode(event))


def hub() -> Hub:
    """The app's hub."""
    found: Hub = current_app.extensions["hub"]
    return found
