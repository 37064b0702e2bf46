"""Wrong entries: an earlier card, tile or place was entered wrong, and with the right one the action is legal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import DEFECTS, EngineError, Unclear
from engine.core.events import Draft, Proposal
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State
from engine.kit.chance import Recorded
from engine.kit.kernel import LegalAction
from engine.play.beliefs.belief import Belief
from engine.play.explanations.table import Refused, is_action
from engine.play.line import Entry, Slot

MOST_PLACES = 6
"""Earlier entries that are read anew."""
MOST_READINGS = 120
"""Other readings that are tried in all."""
MOST_CANDIDATES = 40
"""Other params of one action."""
ALIKE = 3
"""Readings of one entry that are shown."""


def misread(refused: Refused) -> Iterator[tuple[float, Proposal]]:
    """Read each of the last entries anew, the latest first: those with which all that follows is legal."""
    later: list[Slot] = []
    tried = 0
    for slot, before in refused.recent():
        is_seen = not (isinstance(before, Belief) or isinstance(slot.after, Belief))
        if not is_action(slot) or slot.judgement is not None or not is_seen:
            return
        alike = 0
        for reading in _readings(refused, slot.entry, before):
            tried += 1
            if _explains(refused, reading, before, later):
                yield 2 + len(later) / 10 + alike / 4, _proposal(refused, slot, reading, before)
                alike += 1
            if tried >= MOST_READINGS:
                return
            if alike == ALIKE:
                break
        later.insert(0, slot)
        if len(later) == MOST_PLACES:
            return


def _readings(refused: Refused, entry: Any, before: State) -> Iterator[Draft]:
    """What may stand in the place of an entry: another outcome, or the same kind of action with other params."""
    ruleset = refused.ruleset
    draft = Draft(type=entry.type, actor=entry.actor, params=entry.params, outcomes=entry.outcomes)
    if entry.outcomes:
        if len(entry.outcomes) == 1 and refused.rules.header.chance == "observed":
            action = ruleset.parse(entry.type, entry.params)
            point = ruleset.chance_point(before, LegalAction(action, SEAT_INDEX[entry.actor]))
            assert point is not None
            for value in dict.fromkeys(point.options):
                if value != entry.outcomes[0]:
                    yield msgspec.structs.replace(draft, outcomes=(value,))
        return
    kind = ruleset.kind(entry.type)
    assert kind is not None
    if kind.hidden_params:
        return
    seat = SEAT_INDEX[entry.actor]
    for action in itertools.islice(kind.candidates(before, seat), MOST_CANDIDATES):
        params = msgspec.to_builtins(action)
        if params != entry.params and action.refusal(before, seat) is None:
            yield msgspec.structs.replace(draft, params=params)


def _explains(refused: Refused, reading: Draft, before: State, later: Sequence[Slot]) -> bool:
    """Return True if the refused action is legal once `reading` stands there, and so is all between."""
    table: State | None = _played(refused, before, reading)
    for slot in later:
        table = None if table is None else _played(refused, table, slot.entry)
    if table is None:
        return False
    if refused.draft.outcomes:
        return _played(refused, table, refused.draft) is not None
    return refused.is_legal(table, refused.seat)


def _played(refused: Refused, state: State, entry: Entry | Draft | None) -> State | None:
    """The state after a legal entry; None where it is not legal."""
    assert entry is not None
    effort.spend()
    chance = Recorded()
    try:
        action = refused.ruleset.parse(entry.type, entry.params)
        seat = refused.ruleset.judge(state, action, entry.actor)
        chance.begin(1, entry.outcomes)
        after: State = action.apply(state, seat, chance)
        chance.finish()
    except (EngineError, Unclear, *DEFECTS):
        return None
    return after


def _proposal(refused: Refused, slot: Slot, reading: Draft, before: State) -> Proposal:
    ruleset, names = refused.ruleset, refused.rules.header.names
    if reading.outcomes:
        what = ", ".join(ruleset.value_label(value) for value in reading.outcomes if value is not None)
    else:
        what = refused.label_of(ruleset.parse(reading.type, reading.params), before)
    seat = SEAT_INDEX[reading.actor]
    message = say("Entered wrong in turn {turn}: {name}, {what}.", turn=before.turn, name=names[seat], what=what)
    amend = Draft(type="amend", params={"seq": slot.number, "event": msgspec.to_builtins(reading)})
    assert reading.actor is not None
    return Proposal("wrong_result", reading.actor, message, (amend, refused.draft))  # type: ignore[arg-type]  # a seat's id
