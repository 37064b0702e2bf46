"""The live stream: one thread per process listens for hints of appends, and wakes those who watch that game.

A hint only says that there is more: what is sent is read from the log, from where the listener stands. So a lost hint
costs a listener the time to the next heartbeat, never an event.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator

import msgspec
from flask import current_app
from store.hints import Hints

from api.problems import RETRY_AFTER, Problem
from engine import lifecycle
from engine.events import Event
from store import Store
from store.errors import StoreError

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

    def __init__(self, hints: Hints, *, most: int, heartbeat: float = HEARTBEAT) -> None:
        self._hints = hints
        self._most = most
        self._heartbeat = heartbeat
        self._changed = threading.Condition()
        self._versions: defaultdict[str, int] = defaultdict(int)
        self._listeners: defaultdict[str, int] = defaultdict(int)
        self._thread: threading.Thread | None = None
        self._is_stopping = False

    def follow(self, store: Store, game_id: str, after: int) -> Iterator[bytes]:
        """The events of a game after `after`, as Server-Sent Events, until it ends or the process stops.

        Raises:
            Problem: this process holds as many listeners as it can.
        """
        with self._changed:
            if sum(self._listeners.values()) >= self._most:
                raise Problem(
                    "too-many-streams", "Too many live streams are open.", headers={"Retry-After": RETRY_AFTER}
                )
            self._listeners[game_id] += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="live-hub", daemon=True)
                self._thread.start()
        return self._events(store, game_id, after)

    def _events(self, store: Store, game_id: str, after: int) -> Iterator[bytes]:
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
            while not self._is_stopping:
                try:
                    events = store.events.read(game_id, after=after, limit=PAGE)
                except StoreError:
                    return
                for event in events:
                    yield _message(event)
                if events:
                    after = events[-1].seq
                    if events[-1].type == lifecycle.GAME_CLOSED:
                        return
                if len(events) < PAGE and not self._wait(game_id, after):
                    yield b": still here\n\n"
        finally:
            with self._changed:
                self._listeners[game_id] -= 1
                if not self._listeners[game_id]:
                    del self._listeners[game_id]
                    self._versions.pop(game_id, None)

    def _wait(self, game_id: str, after: int) -> bool:
        """Until there is more than `after`, or the next heartbeat; whether there is more."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_stopping or self._versions[game_id] > after, self._heartbeat)

    def _listen(self) -> None:
        for game_id, version in self._hints.listen():
            with self._changed:
                if self._listeners.get(game_id):
                    self._versions[game_id] = max(version, self._versions[game_id])
                    self._changed.notify_all()

    def stop(self) -> None:
        """End every stream; their listeners come back, to whoever serves then."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()
        self._hints.stop()


def _message(event: Event) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event.seq, msgspec.json.encode(event))


def hub() -> Hub:
    """The app's hub."""
    found: Hub = current_app.extensions["hub"]
    return found
