"""Corrections: an earlier place of the line written anew, and the table brought in line with what people see on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import BreaksFollowers, IllegalAction, Malformed
from engine.core.events import Draft
from engine.core.language import say
from engine.core.values import State
from engine.kit.chance import Chance, Recorded
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest
from engine.play.beliefs.presuming import Replayed
from engine.play.impact import Followed, Impacts, followed
from engine.play.line import Chain, Entry, Line, Slot, index_of
from engine.play.past import Past

MOST_PLAYS = 10_000
"""That one request may take: of each event, of those that a correction plays again, and of the operations of a patch,
one for every table that there may be."""

_NOT_IN_A_LINE = {"undo", "amend", "reveal", lifecycle.GAME_CLOSED}


C = TypeVar("C", lifecycle.Amend, lifecycle.Reveal)


class Replayer(Protocol):
    """What the rules of a game do with an entry that stands in its line already."""

    ruleset: AnyRuleset

    def replay(self, state: State | None, entry: Entry, seq: int, *, sound_only: bool) -> Replayed: ...


def is_hiding(ruleset: AnyRuleset, state: State) -> bool:
    """Whether a player hides something from the table."""
    table = likeliest(state)
    return ruleset.has_secrets and ruleset.view(table, None) != ruleset.to_document(table)


def check_open(ruleset: AnyRuleset, state: State) -> None:
    """Refuse a correction while a player hides something: what it breaks would tell what that is.

    Raises:
        IllegalAction: something is hidden.
    """
    if is_hiding(ruleset, state):
        message = say("A player hides something now: correct the record once it is shown.")
        raise IllegalAction(lifecycle.RULE, message)


def place(line: Line, amend: lifecycle.Amend, *, is_seeded: bool) -> tuple[int, State | None, Draft | None]:
    """Where in `line` an amend writes, the state before that, and the entry that it brings.

    Raises:
        Malformed: there is no such place, or nothing of that kind can stand in a line.
        IllegalAction: a game begins with its set-up, and the deal of a seeded game stands.
    """
    index = index_of(line, amend.seq)
    draft = amend.draft
    standing = line[index].entry
    if standing is not None and standing.type == lifecycle.GAME_CLOSED:
        raise Malformed("/params/seq", say("what closes a game follows from what ended it: amend that"))
    where = "/params/event" if amend.event is not None else "/params/insert"
    if draft is not None and draft.type in _NOT_IN_A_LINE:
        raise Malformed(f"{where}/type", f"{draft.type} is no event that an amend can bring")
    if standing is None and amend.remove:
        raise Malformed("/params/seq", say("event {seq} is removed already", seq=amend.seq))
    if index == 0 and (amend.event is None or amend.event.type != lifecycle.SET_UP):
        message = say("A game begins with its set-up: that can only be set up otherwise.")
        raise IllegalAction(lifecycle.RULE, message)
    if index == 0 and is_seeded:
        raise IllegalAction(lifecycle.RULE, say("The deal of a seeded game stands."))
    if draft is not None and amend.event is not None and standing is not None:
        draft = msgspec.structs.replace(
            draft,
            note=draft.note or standing.note,
            occurred_at=draft.occurred_at or standing.occurred_at,
        )
    return index, line[index - 1].after if index else None, draft


def kept(correction: C, chance: Chance) -> C:
    """A correction as it is stored: what is recorded now asks for sound tables, and what stands in a log says itself
    whether it did.
    """
    return correction if isinstance(chance, Recorded) else msgspec.structs.replace(correction, sound_only=True)


def stood(past: Past, seq: int, amend: lifecycle.Amend, draft: Draft) -> bool:
    """Whether the amend `seq` brings what stands in its place, or stood there at first."""
    if amend.event is None:
        return False
    lines = past.line(seq - 1), past.line(amend.seq)
    entries = (line[index_of(line, amend.seq)].entry for line in lines)
    return any(
        entry is not None
        and (entry.type, entry.actor, entry.params, entry.outcomes)
        == (draft.type, draft.actor, draft.params, draft.outcomes)
        for entry in entries
    )


def write_anew(
    rules: Replayer, line: Line, index: int, start: int, slot: Slot, *, sound_only: bool
) -> tuple[Chain, Impacts]:
    """`line` with `slot` in the place of those from `index` to before `start`; and what becomes of each that follows.

    These are played again until the table is what it was at that place: from there on all is as it was. What closed
    the game is left out: whether it is over is seen at the end.

    Args:
        sound_only: as that of the amend.
    """
    old = Chain.of(line)
    state, stood = slot.after, old[start - 1].after
    slots, played = [slot], []
    for follower in old.since(start):
        if state == stood:
            break
        effort.spend()
        start, stood = start + 1, follower.after
        if follower.entry is None:
            slots.append(msgspec.structs.replace(follower, after=state))
        elif follower.entry.type != lifecycle.GAME_CLOSED:
            state, judgement, effect = rules.replay(state, follower.entry, slot.source, sound_only=sound_only)
            played.append(followed(follower, state, judgement, effect))
            slots.append(played[-1].new)
    return written(rules.ruleset, old, index, start, slots=slots, played=played)


def written(
    ruleset: AnyRuleset, line: Chain, start: int, stop: int, *, slots: Sequence[Slot], played: Sequence[Followed]
) -> tuple[Chain, Impacts]:
    """`line` with `slots` in the place of those from `start` to before `stop`; and what becomes of each that follows.

    What closed the game is left out: whether it is over is seen at the end.

    Args:
        played: those that were played again.
    """
    anew = line.spliced(start, stop, slots)
    rest = start + len(slots)
    for closing in _closings(anew, rest):
        anew = anew.spliced(closing, closing + 1, ())
    return anew, Impacts(ruleset, played, anew, rest)


def _closings(line: Chain, start: int) -> list[int]:
    """Where from `start` on a game was closed, the last first: only behind what ended it."""
    found = []
    for index, slot in zip(range(len(line) - 1, start - 1, -1), reversed(line), strict=False):
        if slot.after is None or slot.after.outcome is None:
            break
        if slot.entry is not None and slot.entry.type == lifecycle.GAME_CLOSED:
            found.append(index)
    return found


def check_unbroken(impact: Impacts) -> None:
    """Refuse a correction that breaks what follows.

    Raises:
        BreaksFollowers: with the whole impact.
    """
    broken = impact.newly_broken()
    if broken:
        first = broken[0]
        message = say(
            "This breaks {broken} of the {events} events that follow, event {seq} first: {reason} With "
            "`if_illegal=accept` they stay, marked.",
            broken=len(broken),
            events=len(impact),
            seq=first.seq,
            reason=first.reason,
        )
        raise BreaksFollowers(lifecycle.RULE, message, impact)
