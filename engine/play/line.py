"""The line: the entries of a log that are in effect, after all undos and amends.

The log keeps every event; the line contains the entries in effect. An undo restores the line after an earlier event. An
amend rewrites one place and replays the rest. The line after the last event is the mainline. Other events refer to a
place by its constant number: the `seq` of the original event, or of the amend that inserted the place.
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
    """The members of an event or draft that the rules read."""

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


def is_recorded_anyway(entry: Entry) -> bool:
    """Return True if `entry` is marked as illegal or has an explanation, so that a strict record accepts it, too."""
    return bool(entry.explanation) or getattr(entry, "verdict", None) == "illegal"


class Slot(msgspec.Struct, frozen=True):
    """A place in the line."""

    number: int
    """The number: the `seq` of the original event, or of the amend that inserted the place."""
    source: int
    """The `seq` of the event that contains the current entry: `number`, or the `seq` of a later amend or reveal."""
    entry: Entry | None
    """The current entry; None if it was removed."""
    after: State | None
    """The state after the slot."""
    judgement: Judgement | None = None
    """The judgement on the entry; None if it is simply legal."""
    broken: Effect | None = None
    """The fault that a correction caused in the entry; None if it caused none."""
    keeps_turn: bool = False
    """True if the correction that broke the entry has `keeps_turn` (see `engine.core.lifecycle.Amend`)."""

    @property
    def effect(self) -> Effect | None:
        """The effect to report. An illegal action is always `now_illegal`, even if its result is impossible, too."""
        is_forbidden = self.judgement is not None and self.judgement.rule != lifecycle.RULE
        return "now_illegal" if self.broken == "outcome_impossible" and is_forbidden else self.broken


Line = Sequence[Slot]
"""The slots from the setup on, in the order of play."""

CHUNK = 256
"""Number of slots in a chunk. Lines share whole chunks."""


class Chunk(tuple[Slot, ...]):
    """Consecutive slots of a line."""

    @functools.cached_property
    def indexes(self) -> dict[int, int]:
        """The index of each place in this chunk, by the place's number. Lines with this chunk share the dictionary."""
        return {slot.number: index for index, slot in enumerate(self)}

    @functools.cached_property
    def standing(self) -> int:
        """The number of non-empty places."""
        return sum(slot.entry is not None for slot in self)


class Chain(Sequence[Slot]):
    """A line that shares unchanged chunks with the line from which it was made."""

    def __init__(self, chunks: tuple[Chunk, ...]) -> None:
        self._chunks = chunks
        self._ends = tuple(itertools.accumulate(map(len, chunks)))

    @classmethod
    def of(cls, slots: Iterable[Slot]) -> Chain:
        """Return a chain of these slots. If `slots` is a chain already, return it unchanged."""
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
        """Return the number of non-empty places from index `start` on."""
        chunk = bisect_right(self._ends, start)
        rest = sum(one.standing for one in self._chunks[chunk + 1 :])
        end = self._ends[chunk] if chunk < len(self._ends) else start
        return rest + sum(slot.entry is not None for slot in itertools.islice(self.since(start), end - start))

    def since(self, start: int) -> Iterator[Slot]:
        """Yield the slots from index `start` on."""
        chunk = bisect_right(self._ends, start)
        begin = self._ends[chunk - 1] if chunk else 0
        return itertools.islice(itertools.chain.from_iterable(self._chunks[chunk:]), start - begin, None)

    def splice(self, start: int, stop: int, slots: Sequence[Slot]) -> Chain:
        """Return this line with the slots `start:stop` replaced by `slots`."""
        chunks = self._chunks or (Chunk(),)
        ends = self._ends or (0,)
        first = min(bisect_right(ends, start), len(chunks) - 1)
        last = max(bisect_left(ends, stop), first)
        before, after = chunks[first], chunks[last]
        kept = before[: start - ends[first] + len(before)]
        left = after[stop - ends[last] + len(after) :]
        return Chain((*chunks[:first], *_cut((*kept, *slots, *left)), *chunks[last + 1 :]))


def _cut(slots: tuple[Slot, ...]) -> tuple[Chunk, ...]:
    """Divide `slots` into chunks of similar length, none longer than `CHUNK`."""
    count = -(-len(slots) // CHUNK)
    size = -(-len(slots) // max(count, 1))
    return tuple(Chunk(slots[begin : begin + size]) for begin in range(0, len(slots), max(size, 1)))


def index_of(line: Line, seq: int) -> int:
    """Return the index in `line` of the place with the number `seq`.

    Raises:
        Malformed: there is no such place.
    """
    index = Chain.of(line).index_of(seq)
    if index is None:
        raise Malformed("/params/seq", say("event {seq} is not in effect", seq=seq))
    return index


def with_before(line: Iterable[Slot], before: State | None = None) -> Iterator[tuple[State | None, Slot]]:
    """Yield each slot with the state before it; `before` is the state before the first slot."""
    for slot in line:
        yield before, slot
        before = slot.after
