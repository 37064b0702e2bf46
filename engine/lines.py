"""The line: the entries of a log that stand, once all that was undone and amended is taken into account.

The log keeps every event for ever; what is played is the line. An undo makes the line what it was after an earlier
event. An amend writes one place of it anew and plays on from there. Every place keeps its number, so that it can be
named again: the `seq` of the event that first stood there, and of an inserted one that of its amend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, Protocol

import msgspec

from engine import lifecycle
from engine.errors import Malformed
from engine.events import Value, Verdict
from engine.ruleset import State


class Entry(Protocol):
    """What the fold reads of an event, or of a draft."""

    @property
    def type(self) -> str: ...
    @property
    def actor(self) -> str | None: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def outcomes(self) -> tuple[Value | None, ...]: ...


class Judgement(msgspec.Struct, frozen=True):
    """What the rules say of an entry that is not simply legal."""

    verdict: Verdict
    rule: str
    """The rulebook's heading."""
    reason: str
    """The sentence that a player reads."""
    has_effect: bool = True
    """Whether it was carried out all the same; else the state after it is the one before."""


class Slot(msgspec.Struct, frozen=True):
    """A place of the line."""

    place: int
    """Its number: the `seq` of the event that first stood here."""
    source: int
    """The `seq` of the event that wrote what stands here now: `place`, or that of a later amend or reveal."""
    entry: Entry | None
    """What stands here; None where it was removed."""
    after: State | None
    """The state after it."""
    judgement: Judgement | None = None
    """None where it is legal."""


Line = Sequence[Slot]
"""From the set-up on, in the order of play."""

Effect = Literal["unchanged", "state_differs", "now_illegal", "outcome_impossible"]


class Impact(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a correction does to a later event of the line."""

    seq: int
    """The place of that event."""
    effect: Effect
    rule: str | None = None
    """The rulebook's heading, where the event is broken: now illegal, or its outcome impossible."""
    reason: str | None = None
    """The sentence that a player reads, where the event is broken."""
    differences: tuple[dict[str, Any], ...] = ()
    """How the state after the event differs from what it was, as everyone may see it: a JSON Patch (RFC 6902)."""

    @property
    def is_broken(self) -> bool:
        """Whether the event does not follow any more."""
        return self.effect in {"now_illegal", "outcome_impossible"}


class Past(ABC):
    """What came before in a game's log: asked when something is undone or amended."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        """The line after each event that wrote it anew."""
        self.impacts: dict[int, tuple[Impact, ...]] = {}
        """What each of those events did to those that follow."""

    @abstractmethod
    def state(self, at: int) -> State | None:
        """The state after event `at`; None where the game was not set up yet."""

    @abstractmethod
    def line(self, at: int) -> Line:
        """The line after event `at`."""

    def remember(self, seq: int, line: Line, impact: tuple[Impact, ...]) -> None:
        """Event `seq` has written the line anew."""
        self.lines[seq] = line
        self.impacts[seq] = impact


class NoPast(Past):
    """That of a game of which nothing can be undone or amended yet."""

    def state(self, at: int) -> State | None:
        return None

    def line(self, at: int) -> Line:
        return ()


def is_ending(entry: Entry, before: State | None, after: State | None, past: Past) -> bool:
    """Whether an entry, which led from `before` to `after`, has to be followed by the game's closing."""
    if after is None or after.outcome is None:
        return False
    if before is None or before.outcome is None or entry.type in lifecycle.REWRITING:
        return True
    if entry.type != "undo":
        return False
    # Back to the event that ended the game is not back to the one that closed it.
    line = past.line(entry.params["to"])
    return all(slot.entry is None or slot.entry.type != lifecycle.GAME_CLOSED for slot in line)


def index_of(line: Line, seq: int) -> int:
    """Where in `line` the place `seq` is.

    Raises:
        Malformed: it does not stand there.
    """
    for index in range(len(line) - 1, -1, -1):
        if line[index].place == seq:
            return index
    raise Malformed("/params/seq", f"no event {seq} stands")
