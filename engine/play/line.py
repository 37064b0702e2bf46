"""The line: the entries of a log that stand, once all that was undone and amended is taken into account.

The log keeps every event for ever; what is played is the line. An undo makes the line what it was after an earlier
event. An amend writes one place of it anew and plays on from there. The line after the last event is the mainline.
Every place keeps its number, so that it can be named again: the `seq` of the event that first stood there, and of an
inserted one that of its amend.
"""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, overload

import msgspec

from engine.core import lifecycle
from engine.core.errors import Malformed
from engine.core.events import Explanation
from engine.core.language import say
from engine.core.values import Effect, Judgement, State, Value


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
    @property
    def note(self) -> str | None: ...
    @property
    def occurred_at(self) -> str | None: ...
    @property
    def explanation(self) -> Explanation | msgspec.UnsetType | None: ...


def happened_anyway(entry: Entry) -> bool:
    """Whether `entry` says itself that the table did it against the rules: it stands then in a strict record, too."""
    return bool(entry.explanation) or getattr(entry, "verdict", None) == "illegal"


class Slot(msgspec.Struct, frozen=True):
    """A place of the line."""

    number: int
    """Its number: the `seq` of the event that first stood here."""
    source: int
    """The `seq` of the event that wrote what stands here now: `place`, or that of a later amend or reveal."""
    entry: Entry | None
    """What stands here; None where it was removed."""
    after: State | None
    """The state after it."""
    judgement: Judgement | None = None
    """None where it is legal."""
    broken: Effect | None = None
    """How a correction broke it, where none has mended it since."""

    @property
    def effect(self) -> Effect | None:
        """`broken` as it is reported: what the rules forbid is illegal, whatever came up in it."""
        is_forbidden = self.judgement is not None and self.judgement.rule != lifecycle.RULE
        return "now_illegal" if self.broken == "outcome_impossible" and is_forbidden else self.broken


Line = Sequence[Slot]
"""From the set-up on, in the order of play."""

CHUNK = 256
"""Slots that two lines share, or do not."""


class Chunk(tuple[Slot, ...]):
    """Slots that follow each other."""

    @functools.cached_property
    def indexes(self) -> dict[int, int]:
        """The index of each place by its number. Lines that share a chunk share this, too."""
        return {slot.number: index for index, slot in enumerate(self)}

    @functools.cached_property
    def standing(self) -> int:
        """The number of places that are not empty."""
        return sum(slot.entry is not None for slot in self)


class Chain(Sequence[Slot]):
    """A line that shares with the one that it was made from whatever they have in common."""

    def __init__(self, chunks: tuple[Chunk, ...]) -> None:
        self._chunks = chunks
        self._ends = tuple(itertools.accumulate(map(len, chunks)))

    @classmethod
    def of(cls, slots: Iterable[Slot]) -> Chain:
        """The same line as a chain."""
        return slots if isinstance(slots, Chain) else cls(_cut(tuple(slots)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Slot: ...
    @overload
    def __getitem__(self, index: slice) -> list[Slot]: ...
    def __getitem__(self, index: int | slice) -> Slot | list[Slot]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        place = index if index >= 0 else index + len(self)
        if not 0 <= place < len(self):
            raise IndexError(index)
        chunk = bisect_right(self._ends, place)
        return self._chunks[chunk][place - self._ends[chunk]]

    def __iter__(self) -> Iterator[Slot]:
        return itertools.chain.from_iterable(self._chunks)

    def __reversed__(self) -> Iterator[Slot]:
        return itertools.chain.from_iterable(map(reversed, reversed(self._chunks)))

    def index_of(self, number: int) -> int | None:
        """Return the index of the place with this number; None if there is none."""
        for chunk, end in zip(reversed(self._chunks), reversed(self._ends), strict=True):
            index = chunk.indexes.get(number)
            if index is not None:
                return end - len(chunk) + index
        return None

    def standing_since(self, start: int) -> int:
        """Return the number of places from `start` on that are not empty."""
        chunk = bisect_right(self._ends, start)
        rest = sum(one.standing for one in self._chunks[chunk + 1 :])
        end = self._ends[chunk] if chunk < len(self._ends) else start
        return rest + sum(slot.entry is not None for slot in itertools.islice(self.since(start), end - start))

    def since(self, start: int) -> Iterator[Slot]:
        """Its slots from `start` on."""
        chunk = bisect_right(self._ends, start)
        begin = self._ends[chunk - 1] if chunk else 0
        return itertools.islice(itertools.chain.from_iterable(self._chunks[chunk:]), start - begin, None)

    def spliced(self, start: int, stop: int, slots: Sequence[Slot]) -> Chain:
        """This line with `slots` in the place of those from `start` to before `stop`."""
        chunks = self._chunks or (Chunk(),)
        ends = self._ends or (0,)
        first = min(bisect_right(ends, start), len(chunks) - 1)
        last = max(bisect_left(ends, stop), first)
        before, after = chunks[first], chunks[last]
        kept = before[: start - ends[first] + len(before)]
        left = after[stop - ends[last] + len(after) :]
        return Chain((*chunks[:first], *_cut((*kept, *slots, *left)), *chunks[last + 1 :]))


def _cut(slots: tuple[Slot, ...]) -> tuple[Chunk, ...]:
    """`slots` in chunks, none much shorter than the others: what is put in later finds room."""
    count = -(-len(slots) // CHUNK)
    size = -(-len(slots) // max(count, 1))
    return tuple(Chunk(slots[begin : begin + size]) for begin in range(0, len(slots), max(size, 1)))


def index_of(line: Line, seq: int) -> int:
    """Where in `line` the place `seq` is.

    Raises:
        Malformed: it does not stand there.
    """
    index = Chain.of(line).index_of(seq)
    if index is None:
        raise Malformed("/params/seq", say("no event {seq} stands", seq=seq))
    return index
