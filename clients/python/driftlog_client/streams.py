"""What live streams tell, and how it is read: Server-Sent Events, as WHATWG's HTML has them."""

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
    """What does not stand any more, since event `by` took it back or wrote it anew."""

    by: int
    spans: list[tuple[int, int]]
    """First and last event of each, all that do not stand among them."""
    version: int
    """The game's last event, at that moment."""
    head: str
    """Its hash."""
    turn: int


@dataclass(frozen=True, slots=True)
class Told:
    """An event of any game of the library."""

    place: str
    """Where it stands in the library's order: `watch_library(after=…)` goes on from there."""
    game: types.EventsGame
    event: types.Event
    timestamp: str


@dataclass(frozen=True, slots=True)
class Missed:
    """What came before is not kept any more."""


GameMessage: TypeAlias = Recorded | Superseded
LibraryMessage: TypeAlias = Told | Missed


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a stream, as it came."""

    name: str
    data: str


class Reader:
    """Reads one connection of a stream, and keeps where to go on with the next.

    Args:
        last_id: of the last message that was received; empty for none.
    """

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        self.pause = 1.0
        """Seconds to wait before the next connection, as the service has them."""
        self._rest = b""
        self._name, self._id = "", last_id
        self._data: list[str] = []

    def begin(self) -> None:
        """A new connection: what the last one left unfinished is nothing."""
        self._rest, self._name, self._id, self._data = b"", "", self.last_id, []

    def read(self, chunk: bytes) -> Iterator[Message]:
        """The messages that are whole with it."""
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
    """A message of a game's stream."""
    document: Any = json.loads(message.data)
    if message.name == "superseded":
        spans = [(first, last) for first, last in document["superseded"]]
        return Superseded(document["by"], spans, document["version"], document["head"], document["turn"])
    return Recorded(document)


def of_library(message: Message, place: str) -> LibraryMessage:
    """A message of the library's stream, at its place."""
    if message.name == "missed":
        return Missed()
    document: types.LibraryEvent = json.loads(message.data)
    return Told(place, document["data"]["game"], document["data"]["event"], document["timestamp"])
