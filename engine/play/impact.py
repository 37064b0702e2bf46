"""The impact of a correction on later events, computed on demand because most callers do not need it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.differences import differences
from engine.core.values import Effect, Impact, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, public_document
from engine.play.line import Chain, Slot
from engine.play.tables import differing_facts


class FollowedEntry(msgspec.Struct, frozen=True):
    """An entry that was replayed after a correction."""

    old: Slot
    """The slot as it was before the correction."""
    new: Slot
    """The slot as it is after the correction."""

    @property
    def is_newly_broken(self) -> bool:
        """True if the correction broke the entry, or broke it in a different way."""
        return self.new.broken is not None and self.new.judgement != self.old.judgement

    def effect(self, *, is_changed: bool) -> Effect:
        """Return the effect on an entry that is not broken; `is_changed` is True if the state after it differs."""
        if _is_illegal(self.old.judgement) and not _is_illegal(self.new.judgement):
            return "now_legal"
        return "state_differs" if is_changed else "unchanged"


def _is_illegal(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.verdict == "illegal"


def follow_entry(
    old: Slot, after: State | None, judgement: Judgement | None, effect: Effect, *, keeps_turn: bool = False
) -> FollowedEntry:
    """Return a replayed entry with its new judgement and, if the entry is broken, the new effect on it."""
    broken: Effect | None = None
    is_illegal = _is_illegal(judgement)
    if is_illegal:
        broken = old.broken if judgement == old.judgement else effect
    new = msgspec.structs.replace(
        old, after=after, judgement=judgement, broken=broken, keeps_turn=is_illegal and keeps_turn
    )
    return FollowedEntry(old, new)


class Impacts(Sequence[Impact]):
    """The impact on each later event, in the order of play: first the replayed events, then the rest.

    Args:
        names: the players' names in event 1.
        played: the replayed slots, each before and after the correction.
        line: the rewritten line.
        rest: the index in `line` of the first event that needed no replay, because the table before it is unchanged.
    """

    def __init__(
        self, ruleset: AnyRuleset, names: Sequence[str], played: Sequence[FollowedEntry], line: Chain, rest: int
    ) -> None:
        self._ruleset = ruleset
        self._names = names
        self._played = played
        self._line = line
        self._rest = rest

    def __len__(self) -> int:
        return len(self._played) + self._line.standing_since(self._rest)

    def __getitem__(self, index: int | slice) -> Impact | tuple[Impact, ...]:  # type: ignore[override]  # one for both, as tuples have it
        return tuple(self)[index]

    def __iter__(self) -> Iterator[Impact]:
        is_told = False
        for one in self._played:
            changed = self._changes(one)
            # List facts only for the first event after which the table differs; later differences follow from it.
            facts = self._facts(one) if changed and not is_told else ()
            is_told = is_told or bool(changed)
            yield _impact_of(one.new, changed, facts) or Impact(
                one.old.number, one.effect(is_changed=bool(changed)), differences=changed, facts=facts
            )
        for slot in self._unchanged_slots():
            yield _impact_of(slot) or Impact(slot.number, "unchanged")

    def effects(self) -> Iterator[Effect]:
        """Yield the effect on each later event, without computing differences."""
        for one in self._played:
            yield one.new.effect or one.effect(is_changed=self._differs(one))
        for slot in self._unchanged_slots():
            yield slot.effect or "unchanged"

    def newly_broken(self) -> list[Impact]:
        """Return the impact on later events that are newly broken, without computing differences."""
        found = (_impact_of(one.new) for one in self._played if one.is_newly_broken)
        return [one for one in found if one is not None]

    @property
    def keeps_turn(self) -> bool:
        """True if any event that was replayed with `keeps_turn` is illegal."""
        return any(one.new.keeps_turn for one in self._played)

    def _unchanged_slots(self) -> Iterator[Slot]:
        return (slot for slot in self._line.since(self._rest) if slot.entry is not None)

    def _differs(self, one: FollowedEntry) -> bool:
        old, new = one.old.after, one.new.after
        if new == old:
            return False
        is_all_seen = not (self._ruleset.has_secrets or isinstance(old, Belief) or isinstance(new, Belief))
        return is_all_seen or public_document(self._ruleset, old) != public_document(self._ruleset, new)

    def _changes(self, one: FollowedEntry) -> tuple[dict[str, Any], ...]:
        old, new = one.old.after, one.new.after
        return (
            () if new == old else differences(public_document(self._ruleset, old), public_document(self._ruleset, new))
        )

    def _facts(self, one: FollowedEntry) -> tuple[str, ...]:
        old, new = one.old.after, one.new.after
        if old is None or new is None or isinstance(old, Belief) or isinstance(new, Belief):
            return ()
        return differing_facts(self._ruleset, old, new, new.details.names(self._names))


def _impact_of(slot: Slot, changed: tuple[dict[str, Any], ...] = (), facts: tuple[str, ...] = ()) -> Impact | None:
    """Return the impact on a broken entry; None if it is not broken."""
    if slot.effect is None or slot.judgement is None:
        return None
    return Impact(slot.number, slot.effect, slot.judgement.rule, slot.judgement.reason, changed, facts)
