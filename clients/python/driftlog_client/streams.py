"""Parse live streams: Server-Sent Events (WHATWG HTML)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from driftlog_client import types


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event of the game."""

    event: types.Event


@dataclass(frozen=True, slots=True)
class Superseded:
    """Events are no longer in effect, because event `by` undid or rewrote them."""

    by: int
    spans: list[tuple[int, int]]
    """The ranges of superseded events: the first and last event of each."""
    version: int
    """The number of the game's last event at that moment."""
    head: str
    """The hash of the game's last event at that moment."""
    turn: int


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event of any game in the library's stream."""

    place: str
    """The position in the library's stream, from which `watch_library(after=…)` continues."""
    game: types.EventsGame
    event: types.Event
    timestamp: str


@dataclass(frozen=True, slots=True)
class Missed:
    """Earlier events are no longer available."""


GameMessage: TypeAlias = Recorded | Superseded
LibraryMessage: TypeAlias = FeedEvent | Missed


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a stream, as it was received."""

    name: str
    data: str


class Reader:
    """Parses the connections of a stream. Remembers the position after which the next connection continues.

    Args:
        last_id: the id of the last received message; empty if there is none.
    """

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        self.pause = 1.0
        """Seconds to wait before the next connection, as set by the service."""
        self._rest = b""
        self._name, self._id = "", last_id
        self._data: list[str] = []

    def begin(self) -> None:
        """Start a new connection. Drop an incomplete message of the previous one."""
        self._rest, self._name, self._id, self._data = b"", "", self.last_id, []

    def read(self, chunk: bytes) -> Iterator[Message]:
        """Yield the messages that `chunk` completes."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            message = self._line(line.removesuffix(b"\r").decode())
            if message is not None:
                yield message

    def _line(self, line: str) -> Message | None:
        if not line:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        elif field == "id":
            self._id = value
        elif field == "retry" and value.isdecimal():
            self.pause = int(value) / 1000
        return None

    def _dispatch(self) -> Message | None:
        self.last_id = self._id
        message = Message(self._name, "\n".join(self._data)) if self._data else None
        self._name, self._data = "", []
        return message


def of_game(message: Message) -> GameMessage:
    """Parse a message of a game's stream."""
    document: Any = json.loads(message.data)
    if message.name == "superseded":
        spans = [(first, last) for first, last in document["superseded"]]
        return Superseded(document["by"], spans, document["version"], document["head"], document["turn"])
    return Recorded(document)


def of_library(message: Message, place: str) -> LibraryMessage:
    """Parse a message of the library's stream. `place` is the position of the message in the stream."""
    if message.name == "missed":
        return Missed()
    document: types.LibraryEvent = json.loads(message.data)
    return FeedEvent(place, document["data"]["game"], document["data"]["event"], document["timestamp"])
