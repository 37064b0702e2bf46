"""Replay plans: the snapshot to start from and the events to fold, to get the game after a given event.

A plan omits undone events, which are neither read nor replayed.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec

from engine.core.events import GENESIS
from engine.core.values import State
from engine.play.fold import History, steps
from engine.play.game import Game, parse_header
from engine.play.past import KnownPast
from engine.play.rules import Rules
from store.errors import replaying
from store.log import codec, snapshots
from store.log.codec import Entry, EventRow

Range = tuple[int, int]
"""The first and last `seq` of consecutive events."""


class Outline(msgspec.Struct):
    """The stored data about a game up to event `until`, used to plan a replay."""

    until: int
    known: int
    """The projected version."""
    undos: list[tuple[int, int]]
    kept: list[int]
    """The events after which there is a snapshot, in order."""
    entries: dict[int, Entry]
    """The events after `known`."""
    played: History | None = None
    """The replayed log up to `until`, if it had to be replayed."""
    heads: list[str] = []

    def newer(self, *ranges: Range) -> dict[int, Entry]:
        """Return the entries in `ranges` that are not projected yet."""
        return {
            seq: self.entries[seq]
            for first, last in ranges
            for seq in range(max(first, self.known + 1), last + 1)
            if seq in self.entries
        }


def replay_plan(
    at: int, undos: Sequence[tuple[int, int]], kept: Sequence[int]
) -> tuple[int | None, list[Range]] | None:
    """Return a plan to replay the game up to event `at`: a snapshot, and the events to fold onto it.

    Return None if an event before `at` rewrites an earlier event: then the whole log must be replayed.

    Args:
        undos: the undos up to `at`, in order: the `seq` of each, and the event that it goes back to; see `codec.UNDOS`.
        kept: the events after which there is a snapshot, in order.

    Returns:
        The event of the snapshot (None: start at the beginning of the log), and the ranges of events, in order.
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
    """Return the game in a snapshot after event `base`; None if the snapshot is from another log or another engine."""
    game = snapshots.parse(document)
    if game is None or base not in entries or codec.hash_of(entries[base]) != game.head:
        return None
    return game


def follow(at: int, start: Game | None, ranges: Sequence[Range], entries: dict[int, Entry]) -> Game | None:
    """Follow a plan to compute the game after event `at`. Return None if the plan does not fit the log.

    Args:
        start: the game in the plan's snapshot; None to start at the beginning of the log.
        ranges: the events to fold onto `start`.
    """
    path = [seq for first, last in ranges for seq in range(first, last + 1)]
    before = [first - 1 for first, _ in ranges if first > 1]
    if not entries.keys() >= {*path, *before, at}:
        return None
    rows = list(itertools.chain.from_iterable(_sound(first, last, entries) for first, last in ranges))
    head = codec.hash_of(entries[at])
    with replaying():
        if start is None:
            header = parse_header(rows[0])
            state: State | None = None
            path, rows = path[1:], rows[1:]
        else:
            header, state = start.header, start.state
        # A plan contains no event that goes back to an earlier one.
        for _, after, _ in steps(Rules(header), zip(path, rows, strict=True), state, KnownPast({})):
            state = after
    return Game(header=header, version=at, head=head, state=state)


def _sound(first: int, last: int, entries: Mapping[int, Entry]) -> list[EventRow]:
    prev = GENESIS if first == 1 else codec.hash_of(entries[first - 1])
    return codec.decode_sound([entries[seq] for seq in range(first, last + 1)], first, prev)
