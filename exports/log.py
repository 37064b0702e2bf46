"""The types for exports: the format, and the log that it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Protocol

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event, Header
from engine.core.plays import PastPlay
from engine.play.fold import fold
from engine.play.game import Game, parse_header
from proofs.dsse import Envelope

CHUNK = 1 << 16


class Unsuitable(Exception):
    """A valid log that cannot be written as requested; `pointer` (RFC 6901) names the part of the request at fault."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


class Rereadable(msgspec.Struct, frozen=True):
    """Events that each iteration reads again, by calling `read`."""

    read: Callable[[], Iterator[Event]]

    def __iter__(self) -> Iterator[Event]:
        return self.read()


Columns = Literal["game", "all"]
"""`game`: only columns with values in this game. `all`: the columns of all rulesets, so that files can be concatenated.
"""
Chances = tuple[float | None, float | None, float | None, float | None, float | None]
"""The win chance of the acting side after an event, the ends of its 95 % interval, its change by luck, and by skill.

A value is None if unknown.
"""
NO_CHANCES: Chances = (None, None, None, None, None)


class Animation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The options of an animation of a game."""

    first: int = 1
    """The first event shown."""
    each: Literal["turn", "event"] = "turn"
    """The unit that is shown in one frame."""
    delay: int = 1000
    """The duration of a frame in milliseconds."""
    hold: int = 5000
    """The duration of the last frame in milliseconds."""


class Log(msgspec.Struct, frozen=True):
    """A game's log from event 1 on, as the engine recorded it."""

    game_id: str
    events: Iterable[Event]
    """All events in order: a list or `Rereadable`, but no iterator, because they are read more than once."""
    show: Callable[[Event], Event] = lambda event: event
    """Returns an event as the reader may see it (see `engine.play.visibility`). By default everything is visible."""
    seat: int | None = None
    """The viewing seat, for pictures; None for the public."""
    proof: Envelope | None = None
    """The signed head of these events (see `proofs.heads`), for formats that include one."""
    game: Game | None = None
    """The game after the events, if known."""
    opening: Header | None = None
    """The header in event 1, if known."""
    is_one_of_many: bool = False
    """True if the file contains many games, so that each row needs the id of its game."""
    animation: Animation = Animation()
    """The options, if the format is an animation."""
    columns: Columns = "all"
    """The columns, if the format offers a choice."""
    chances: Mapping[int, Chances] = MappingProxyType({})
    """The results of an analysis by event."""
    turning_point: str | None = None
    """A sentence about the turning point that an analysis found; None if there is none."""

    def __post_init__(self) -> None:
        if isinstance(self.events, Iterator):
            raise TypeError("the events must be a list or Rereadable, because a log reads them more than once")

    def header(self) -> Header:
        """The constant facts about the game.

        Raises:
            Malformed: event 1 is missing, or is not a `game_opened`.
        """
        if self.opening is not None:
            return self.opening
        first = next(iter(self.events), None)
        if first is None:
            raise Malformed("", "a log must begin with game_opened")
        return parse_header(first)

    def fold(self) -> Game:
        """Return the game after these events.

        Raises:
            EngineError: the log cannot be replayed.
        """
        return fold(self.events) if self.game is None else self.game


class ExportedFile(msgspec.Struct, frozen=True):
    """The contents of an exported file that can be imported."""

    events: list[Event]
    game_id: str | None = None
    """The game's id in the file, if it has one."""
    proof: Envelope | None = None
    """The signed head in the file, unchecked."""
    flaw: Malformed | None = None
    """The error, if other data in the file contradicts the events: the file was truncated or edited."""

    def whole(self) -> list[Event]:
        """Return the events.

        Raises:
            Malformed: the file has a flaw.
        """
        if self.flaw is not None:
            raise self.flaw
        return self.events


class Gathering(Protocol):
    """Writes many games to a file, or to a few files that belong together."""

    def add(self, log: Log) -> None:
        """Add a whole game, or nothing if the game cannot be written.

        Raises:
            EngineError: the log was not recorded by the engine.
        """

    def finish(self) -> None:
        """Complete all files in the folder, after the last game."""

    def close(self) -> None:
        """Close the files, even if they are incomplete. Repeated calls do nothing."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """An export format, as its module declares it.

    The API, the command line, the contract and the exports of many games use the formats in `FORMATS`.
    """

    name: str
    media_type: str
    """The value of Content-Type, with parameters."""
    extension: str
    """The file extension, without the dot."""
    loses: str
    """A sentence about the parts of the log that the format omits; empty if it omits none."""
    write: Callable[[Log], Iterator[bytes]]
    """Yields the log in this format. In `FORMATS`, the chunks have about 64 KiB.

    Raises an EngineError, at once or later, if the log cannot be replayed.
    """
    read: Callable[[bytes], ExportedFile] | None = None
    """Returns the contents of a file of this format. None if the format cannot be imported.

    The function raises only Malformed, because `engine.review.audit` checks the events.
    """
    many: bool = True
    """True if exports of many games offer the format."""
    gather: Callable[[Path], Gathering] | None = None
    """Starts files for many games in an empty folder. None if each game has a file of its own."""
    write_past: Callable[[Iterable[PastPlay]], Iterator[bytes]] | None = None
    """Writes logged plays, which have no log. None if the format needs a log."""
    instead: str | None = None
    """The name of a format with the same contents that needs no extra package, if there is one."""
    is_whole: bool = False
    """True if the file is completed before it is sent, so that clients can request ranges (RFC 9110, 14).

    This applies to binary formats. Other formats are streamed, and compressed if the client accepts that.
    """
    by_worker: bool = False
    """True if a worker must write the file and store it for download, because a request would take too long.

    For other formats with `is_whole`, a worker writes long games only.
    """
    check: Callable[[Log], None] | None = None
    """Checks that the log can be written, before a job is queued. Raises Unsuitable if not."""
    is_as_stored: bool = False
    """True if the format contains only the events: if nothing is hidden, the game need not be replayed."""
    needs_rules: bool = True
    """True if the export replays the game; False if it works without the ruleset."""
    has_choice_of_columns: bool = False
    """True if `Log.columns` selects the columns of the file."""
    is_animated: bool = False
    """True if the file is an animation, with the options in `Log.animation`."""
    needs: str | None = None
    """The package that writes the format, if it is optional: install `driftlog[<name of the format>]`."""

    is_said: bool = False
    """True if the format is for people, in the current language. Formats for programs are always in English."""

    is_retold: bool = False
    """True if an import records a new game and judges each event while reading (see `exports.notation`)."""

    @property
    def comes_back(self) -> bool:
        """True if files of this format can be imported."""
        return self.read is not None or self.is_retold

    @property
    def is_installed(self) -> bool:
        """True if the package that this format needs is installed."""
        return self.needs is None or find_spec(self.needs) is not None


def filename(game_id: str, kind: Format) -> str:
    """Return the name under which a browser saves an export, for Content-Disposition."""
    return f"{game_id}.{kind.extension}"


def chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join `pieces` into larger chunks. An empty piece flushes the current chunk, because the next piece takes time."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        if len(buffer) >= CHUNK or (buffer and not piece):
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)
