"""What a format is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from engine.errors import Malformed
from engine.events import Event, Header
from engine.fold import opened
from proofs.dsse import Envelope

CHUNK = 1 << 16


class Rereadable(msgspec.Struct, frozen=True):
    """Events that `read` reads anew from where they are kept, each time that they are iterated."""

    read: Callable[[], Iterator[Event]]

    def __iter__(self) -> Iterator[Event]:
        return self.read()


class Log(msgspec.Struct, frozen=True):
    """A game's log from event 1 on, as the engine recorded it."""

    game_id: str
    events: Iterable[Event]
    """In order, and the same ones each time that they are iterated, for they are read more than once: a list, or
    `Rereadable`; not an iterator."""
    show: Callable[[Event], Event] = lambda event: event
    """An event as the reader may see it (see `engine.secrets`): what is written of it. By default all."""
    proof: Envelope | None = None
    """The signed head of these events (see `proofs.heads`), for a format that carries one."""

    def __post_init__(self) -> None:
        if isinstance(self.events, Iterator):
            raise TypeError("the events of a log are read more than once: give it a list, or Rereadable")

    def header(self) -> Header:
        """All that never changes about the game.

        Raises:
            Malformed: event 1 is not there, or is not a `game_opened`.
        """
        first = next(iter(self.events), None)
        if first is None:
            raise Malformed("", "a log begins with game_opened")
        return opened(first)


class File(msgspec.Struct, frozen=True):
    """What is in an exported file that can be read back."""

    events: list[Event]
    game_id: str | None = None
    """As the file says it, where it does."""
    proof: Envelope | None = None
    """The signed head that it carries; nothing of it has been checked."""
    flaw: Malformed | None = None
    """What else is in it does not fit its events: it was cut short, or mended by hand."""

    def whole(self) -> list[Event]:
        """The events of a file that has no flaw.

        Raises:
            Malformed: the flaw.
        """
        if self.flaw is not None:
            raise self.flaw
        return self.events


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format that a log leaves in; where `read` is not None, one that it comes back from too."""

    name: str
    media_type: str
    """With its parameters, as it stands in Content-Type."""
    extension: str
    """Of a file, without the dot."""
    write: Callable[[Log], Iterator[bytes]]
    """The log in this format, in chunks of some 64 KiB. Raises an EngineError, at once or at a chunk, where the log is
    not one that the engine recorded."""
    read: Callable[[bytes], list[Event]] | None
    """The events of a file of this format. Raises Malformed, and nothing else: whether the events follow from each
    other is for `engine.audit` to say."""


def filename(game_id: str, kind: Format) -> str:
    """What a downloaded export is called, for Content-Disposition."""
    return f"{game_id}.{kind.extension}"


def chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """`pieces` put together, so that whoever sends them does not send one line at a time."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        if len(buffer) >= CHUNK:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)
