"""What a correction does to the events that follow it: worked out where it is asked for, and mostly it is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.differences import differences
from engine.core.values import Effect, Impact, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, seen
from engine.play.line import Chain, Slot


class Followed(msgspec.Struct, frozen=True):
    """An entry that was played again behind a correction."""

    old: Slot
    """Its slot as it was."""
    new: Slot
    """Its slot as it is."""

    @property
    def is_newly_broken(self) -> bool:
        """Whether it is broken, and was not before, or not in this way."""
        return self.new.broken is not None and self.new.judgement != self.old.judgement


def followed(old: Slot, after: State | None, judgement: Judgement | None, effect: Effect) -> Followed:
    """An entry that was played again: what the rules say of it now, and how it is broken if that is new."""
    broken: Effect | None = None
    if judgement is not None and judgement.verdict == "illegal":
        broken = old.broken if judgement == old.judgement else effect
    return Followed(old, msgspec.structs.replace(old, after=after, judgement=judgement, broken=broken))


class Impacts(Sequence[Impact]):
    """The impact on each follower, in the order of play: first on those that were played again, then on the rest.

    Args:
        line: as it was written anew.
        rest: where the followers begin in it that stand as they stood, for the table before them is what it was.
    """

    def __init__(self, ruleset: AnyRuleset, played: Sequence[Followed], line: Chain, rest: int) -> None:
        self._ruleset = ruleset
        self._played = played
        self._line = line
        self._rest = rest

    def __len__(self) -> int:
        return len(self._played) + self._line.standing_since(self._rest)

    def __getitem__(self, index: int | slice) -> Impact | tuple[Impact, ...]:  # type: ignore[override]  # one for both, as tuples have it
        return tuple(self)[index]

    def __iter__(self) -> Iterator[Impact]:
        for one in self._played:
            changed = self._changes(one)
            yield _broken(one.new, changed) or Impact(
                one.old.number, "state_differs" if changed else "unchanged", differences=changed
            )
        for slot in self._unchanged():
            yield _broken(slot) or Impact(slot.number, "unchanged")

    def effects(self) -> Iterator[Effect]:
        """What becomes of each follower, without what differs after it."""
        for one in self._played:
            yield one.new.effect or ("state_differs" if self._differs(one) else "unchanged")
        for slot in self._unchanged():
            yield slot.effect or "unchanged"

    def newly_broken(self) -> list[Impact]:
        """The impact on those that do not follow any more, and did before."""
        found = (_broken(one.new, self._changes(one)) for one in self._played if one.is_newly_broken)
        return [one for one in found if one is not None]

    def _unchanged(self) -> Iterator[Slot]:
        return (slot for slot in self._line.since(self._rest) if slot.entry is not None)

    def _differs(self, one: Followed) -> bool:
        old, new = one.old.after, one.new.after
        if new == old:
            return False
        is_all_seen = not (self._ruleset.has_secrets or isinstance(old, Belief) or isinstance(new, Belief))
        return is_all_seen or seen(self._ruleset, old) != seen(self._ruleset, new)

    def _changes(self, one: Followed) -> tuple[dict[str, Any], ...]:
        old, new = one.old.after, one.new.after
        return () if new == old else differences(seen(self._ruleset, old), seen(self._ruleset, new))


def _broken(slot: Slot, changed: tuple[dict[str, Any], ...] = ()) -> Impact | None:
    """The impact on an entry that is broken; None on one that is not."""
    if slot.effect is None or slot.judgement is None:
        return None
    return Impact(slot.number, slot.effect, slot.judgement.rule, slot.judgement.reason, changed)
