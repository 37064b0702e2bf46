"""What a format is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event, Header
from engine.core.plays import PastPlay
from engine.play.fold import fold
from engine.play.game import Game, opened
from proofs.dsse import Envelope

CHUNK = 1 << 16


class Unsuitable(Exception):
    """A log that replays, and cannot be written as it was asked for; `pointer` is the RFC 6901 path to what is in the
    way of it, among what was asked.
    """

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


class Rereadable(msgspec.Struct, frozen=True):
    """Events that `read` reads anew from where they are kept, each time that they are iterated."""

    read: Callable[[], Iterator[Event]]

    def __iter__(self) -> Iterator[Event]:
        return self.read()


Columns = Literal["game", "all"]
"""Those in which this game has a value, or those of all rulesets, so that files can be put below each other."""


class Animation(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game is shown as a picture that moves."""

    first: int = 1
    """The event that it begins with."""
    each: Literal["turn", "event"] = "turn"
    """What has a frame."""
    delay: int = 1000
    """Milliseconds that a frame is shown for."""
    hold: int = 5000
    """The same, of the last one."""


class Log(msgspec.Struct, frozen=True):
    """A game's log from event 1 on, as the engine recorded it."""

    game_id: str
    events: Iterable[Event]
    """In order, and the same ones each time that they are iterated, for they are read more than once: a list, or
    `Rereadable`; not an iterator."""
    show: Callable[[Event], Event] = lambda event: event
    """An event as the reader may see it (see `engine.play.secrets`): what is written of it. By default all."""
    seat: int | None = None
    """The seat that looks; None: the public. For pictures, which show what that seat may see."""
    proof: Envelope | None = None
    """The signed head of these events (see `proofs.heads`), for a format that carries one."""
    game: Game | None = None
    """The game after them, where it is known."""
    opening: Header | None = None
    """What its event 1 says, where that is known."""
    is_one_of_many: bool = False
    """Whether it is written beside others: then each of its rows says whose it is."""
    animation: Animation = Animation()
    """How it moves, in a format that does."""
    columns: Columns = "all"
    """Which columns it has, in a format that offers a choice."""

    def __post_init__(self) -> None:
        if isinstance(self.events, Iterator):
            raise TypeError("the events of a log are read more than once: give it a list, or Rereadable")

    def header(self) -> Header:
        """All that never changes about the game.

        Raises:
            Malformed: event 1 is not there, or is not a `game_opened`.
        """
        if self.opening is not None:
            return self.opening
        first = next(iter(self.events), None)
        if first is None:
            raise Malformed("", "a log begins with game_opened")
        return opened(first)

    def folded(self) -> Game:
        """The game after these events.

        Raises:
            EngineError: the log does not replay.
        """
        return fold(self.events) if self.game is None else self.game


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


class Gathering(Protocol):
    """Many games in one file, or in a few that belong together."""

    def add(self, log: Log) -> None:
        """Take in a game, all of it or nothing.

        Raises:
            EngineError: the log is not one that the engine recorded.
        """

    def finish(self) -> None:
        """Have all files in the folder, whole: no game comes after that."""

    def close(self) -> None:
        """Let go of the files, whole or not; done twice, it is done."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format that a log leaves in, as its module declares it: `FORMATS` has them all, and the API, the command line,
    the contract and the exports of many games take them from there.
    """

    name: str
    media_type: str
    """With its parameters, as it stands in Content-Type."""
    extension: str
    """Of a file, without the dot."""
    loses: str
    """What of the log is not in it, in a sentence; empty where all is."""
    write: Callable[[Log], Iterator[bytes]]
    """The log in this format, in chunks of some 64 KiB. Raises an EngineError, at once or at a chunk, where the log is
    not one that the engine recorded."""
    read: Callable[[bytes], list[Event]] | None = None
    """The events of a file of this format; None where it does not come back. Raises Malformed, and nothing else:
    whether the events follow from each other is for `engine.review.audit` to say."""
    many: bool = True
    """Whether an export of many games can be ordered in it."""
    gather: Callable[[Path], Gathering] | None = None
    """Begins files of many games in an empty folder; None where each game has a file of its own."""
    write_past: Callable[[Iterable[PastPlay]], Iterator[bytes]] | None = None
    """Writes plays of which there is no log; None where it takes one to tell anything."""
    is_whole: bool = False
    """Whether it is made before any of it is sent, so that it can be asked for in parts (RFC 9110, 14): binary formats
    are. One that is not is sent as it is made, packed where the caller can unpack it."""
    by_worker: bool = False
    """Whether a request may not take as long as it takes: a worker makes it, and it is kept to be fetched. Others that
    are whole are made so where the game is long."""
    check: Callable[[Log], None] | None = None
    """Looks, before a worker is asked to write it, whether that can be done. Raises Unsuitable where not."""
    is_as_stored: bool = False
    """Whether it is the events and nothing else: where nobody hides anything, the game need not be played for it."""
    needs_rules: bool = True
    """Whether the game has to be played for it; else a log can be written whose rules are not installed."""
    has_choice_of_columns: bool = False
    """Whether `Log.columns` says which it has."""
    is_animated: bool = False
    """Whether it moves, as `Log.animation` says."""
    needs: str | None = None
    """The library that writes it, where that is an extra: `driftlog[<name of the format>]`."""

    is_said: bool = False
    """Whether it is for people, in the language that is spoken; what programs read is English whatever is."""

    is_retold: bool = False
    """Whether an import takes it, and makes a new record of it: it is judged as it is read (see `exports.notation`)."""

    @property
    def comes_back(self) -> bool:
        """Whether an import takes it."""
        return self.read is not None or self.is_retold

    @property
    def is_installed(self) -> bool:
        """Whether what it needs is there."""
        return self.needs is None or find_spec(self.needs) is not None


def filename(game_id: str, kind: Format) -> str:
    """What a downloaded export is called, for Content-Disposition."""
    return f"{game_id}.{kind.extension}"


def chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """`pieces` put together, so that whoever sends them does not send one line at a time; at an empty one what there is
    is sent, as the next will take its time.
    """
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        if len(buffer) >= CHUNK or (buffer and not piece):
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)
