"""The way on which a game comes to stand as it does after an event: a snapshot to begin with, and what to fold onto it.

What was undone lies beside the way, and is neither read nor played.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec

from engine.core.events import GENESIS, Event
from engine.core.values import State
from engine.play.fold import History, steps
from engine.play.game import Game, opened
from engine.play.past import Known
from engine.play.rules import Rules
from store.errors import replaying
from store.log import codec, snapshots
from store.log.codec import Entry

Range = tuple[int, int]
"""Events from the first `seq` to the last, it included."""


class Outline(msgspec.Struct):
    """What is known of how a game came to stand as it does after event `until`."""

    until: int
    known: int
    """How far it is projected."""
    undos: list[tuple[int, int]]
    kept: list[int]
    """The events after which there is a snapshot."""
    entries: dict[int, Entry]
    """Those after `known`."""
    played: History | None = None
    """The whole log up to `until`, once it had to be played."""
    heads: list[str] = []

    def newer(self, *ranges: Range) -> dict[int, Entry]:
        """The entries of `ranges` that are not projected yet."""
        return {
            seq: self.entries[seq]
            for first, last in ranges
            for seq in range(max(first, self.known + 1), last + 1)
            if seq in self.entries
        }


def route(at: int, undos: Sequence[tuple[int, int]], kept: Sequence[int]) -> tuple[int | None, list[Range]] | None:
    """How the game comes to stand as it does after event `at`: by which snapshot, and which events after it.

    None where an event that writes the line anew lies on the way, which only the whole log can play.

    Args:
        undos: the undos up to `at`, in order: the `seq` of each, and the event that it goes back to; see
            `codec.UNDOS`.
        kept: the events after which there is a snapshot, in order.

    Returns:
        The snapshot to begin with, None for the beginning of the log; and the ranges to fold onto it, in order.
    """
    ranges: list[Range] = []
    end = at
    while True:
        found = bisect_right(undos, end, key=lambda undo: undo[0])
        undo, to = undos[found - 1] if found else (0, 0)
        nearest = bisect_right(kept, end)
        base = kept[nearest - 1] if nearest else 0
        start = max(undo, base)
        if start < end:
            ranges.append((start + 1, end))
        if start == base:
            return base or None, ranges[::-1]
        if to == codec.REWRITES:
            return None
        end = to


def of_snapshot(base: int, document: bytes | None, entries: Mapping[int, Entry]) -> Game | None:
    """The game of a snapshot after event `base`; None where it is none of this log, or another engine wrote it."""
    game = snapshots.parse(document)
    if game is None or base not in entries or codec.hash_of(entries[base]) != game.head:
        return None
    return game


def folded(at: int, start: Game | None, ranges: Sequence[Range], entries: dict[int, Entry]) -> Game | None:
    """The game after event `at`, at the end of its route; None where the route is none for this log.

    Args:
        start: where the route begins; None: at the beginning of the log.
    """
    path = [seq for first, last in ranges for seq in range(first, last + 1)]
    before = [first - 1 for first, _ in ranges if first > 1]
    if not entries.keys() >= {*path, *before, at}:
        return None
    events = list(itertools.chain.from_iterable(_sound(first, last, entries) for first, last in ranges))
    head = codec.hash_of(entries[at])
    with replaying():
        if start is None:
            header = opened(events[0])
            state: State | None = None
            path, events = path[1:], events[1:]
        else:
            header, state = start.header, start.state
        # Nothing on a route leads back.
        for _, after, _ in steps(Rules(header), zip(path, events, strict=True), state, Known({})):
            state = after
    return Game(header=header, version=at, head=head, state=state)


def _sound(first: int, last: int, entries: Mapping[int, Entry]) -> list[Event]:
    """The events from `first` to `last`, which have the hashes that they carry."""
    prev = GENESIS if first == 1 else codec.hash_of(entries[first - 1])
    return codec.decode_sound([entries[seq] for seq in range(first, last + 1)], first, prev)
