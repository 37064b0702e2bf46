"""What does not stand: the events of a log that were taken back, or written anew.

Found from the corrections alone, without playing a single event, so that it can be told with every part of a log.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine import lifecycle
from engine.events import Event

SUPERSEDING = frozenset({"undo", "amend"})
"""The types of event because of which others do not stand."""

READ = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
"""The types of event from which it is found: what closed a game does not close it any more once it is written anew."""


class Superseded(msgspec.Struct, frozen=True):
    """Events that do not stand: those from `first` to `last`, because of event `by`."""

    first: int
    last: int
    by: int


def superseded(corrections: Iterable[Event], version: int) -> list[Superseded]:
    """Which events do not stand after event `version`, in their order; of an undo that was undone nothing is left.

    Args:
        corrections: the events of the types `READ` of the log, in order; later ones and others have no part in it.
    """
    found: list[Superseded] = []
    written: dict[int, int] = {}
    """The last amend of each place."""
    rewrites: list[tuple[int, int]] = []
    """What wrote the line anew, latest first: the event, and the place from which it did."""
    at = version
    for event in reversed([event for event in corrections if event.type in READ]):
        seq = event.seq
        if seq > at:
            # Not on the way back from the end: it was taken back itself, or came later.
            continue
        if event.type == "undo":
            at = event.params["to"]
            if at + 1 < seq:
                found.append(Superseded(at + 1, seq - 1, seq))
        elif event.type == lifecycle.GAME_CLOSED:
            by = next((rewrite for rewrite, place in reversed(rewrites) if place <= seq), None)
            if by is not None:
                found.append(Superseded(seq, seq, by))
        else:
            place = event.params["seq"]
            rewrites.append((seq, place))
            if event.type == "amend" and event.params.get("insert") is None:
                last = seq if place in written else place
                found.append(Superseded(last, last, written.setdefault(place, seq)))
    return sorted(found, key=lambda one: one.first)
