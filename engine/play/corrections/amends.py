"""Amends: rewrite one place of the line, and replay the later ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import BreaksFollowers, IllegalAction, Malformed
from engine.core.events import Draft, Header
from engine.core.language import say
from engine.core.values import State
from engine.kit.chance import Chance, Recorded
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest
from engine.play.beliefs.presuming import Replayed
from engine.play.impact import FollowedEntry, Impacts, follow_entry
from engine.play.line import Chain, Entry, Line, Slot, index_of
from engine.play.past import Past

MOST_PLAYS = 10_000
"""Maximum work of one request.

A unit of work is, on each possible table: a new event, an event that a correction replays, or an operation of a patch.
"""

_NOT_IN_A_LINE = {"undo", "amend", "reveal", lifecycle.GAME_CLOSED}


C = TypeVar("C", lifecycle.Amend, lifecycle.Reveal)


class Replayer(Protocol):
    """Replays entries of a line by the rules of its game."""

    header: Header
    ruleset: AnyRuleset

    def replay(
        self, state: State | None, entry: Entry, seq: int, *, sound_only: bool, keeps_turn: bool = False
    ) -> Replayed: ...


def is_hiding(ruleset: AnyRuleset, state: State) -> bool:
    """Return True if a player's choice is hidden at this table."""
    table = likeliest(state)
    return ruleset.has_secrets and ruleset.view(table, None) != ruleset.to_document(table)


def check_open(ruleset: AnyRuleset, state: State) -> None:
    """Reject a correction while a player's choice is hidden, because its impact would reveal the choice.

    Raises:
        IllegalAction: a choice is hidden.
    """
    if is_hiding(ruleset, state):
        message = say("A player's choice is still hidden. Correct the record after it is revealed.")
        raise IllegalAction(lifecycle.RULE, message)


def place(line: Line, amend: lifecycle.Amend, *, is_seeded: bool) -> tuple[int, State | None, Draft | None]:
    """Return the index in `line` that an amend rewrites, the state before that place, and the new entry.

    Raises:
        Malformed: the place does not exist, or an entry of this type is not allowed there.
        IllegalAction: the amend would remove the setup, or change the setup of a seeded game.
    """
    index = index_of(line, amend.seq)
    draft = amend.draft
    standing = line[index].entry
    if standing is not None and standing.type == lifecycle.GAME_CLOSED:
        message = say("the service appends the closing itself: amend the event that ended the game")
        raise Malformed("/params/seq", message)
    where = "/params/event" if amend.event is not None else "/params/insert"
    if draft is not None and draft.type in _NOT_IN_A_LINE:
        raise Malformed(f"{where}/type", f"{draft.type} is not an event that an amend can contain")
    if draft is not None and draft.type == lifecycle.DETAILS_CHANGED and "options" in draft.params:
        raise Malformed(
            f"{where}/params/options",
            say(
                "changed options apply only from now on, so an amend cannot set them: append `details_changed` instead"
            ),
        )
    if standing is None and amend.remove:
        raise Malformed("/params/seq", say("event {seq} is already removed", seq=amend.seq))
    if index == 0 and (amend.event is None or amend.event.type != lifecycle.SET_UP):
        message = say("Every game begins with its setup. You can replace it, but not remove it.")
        raise IllegalAction(lifecycle.RULE, message)
    if index == 0 and is_seeded:
        raise IllegalAction(lifecycle.RULE, say("The setup of a seeded game cannot be changed."))
    if draft is not None and amend.event is not None and standing is not None:
        draft = msgspec.structs.replace(
            draft,
            note=draft.note or standing.note,
            occurred_at=draft.occurred_at or standing.occurred_at,
        )
    return index, line[index - 1].after if index else None, draft


def as_stored(correction: C, chance: Chance) -> C:
    """Return a correction in its stored form: a new correction gets `sound_only`, a stored correction is unchanged."""
    return correction if isinstance(chance, Recorded) else msgspec.structs.replace(correction, sound_only=True)


def is_unchanged(past: Past, seq: int, amend: lifecycle.Amend, draft: Draft) -> bool:
    """Return True if `draft`, the new entry of amend `seq`, equals the current or original entry of the place."""
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
    rules: Replayer, line: Line, index: int, start: int, slot: Slot, *, sound_only: bool, keeps_turn: bool = False
) -> tuple[Chain, Impacts]:
    """Replace `line[index:start]` by `slot`; return the new line and the impact on each later slot.

    Later slots are replayed until the table is the same as before the amend; the slots after that are unchanged.
    `game_closed` is skipped, because only the replay shows if the game has ended.

    Args:
        sound_only, keeps_turn: as in `Amend`.
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
            is_kept = keeps_turn or follower.keeps_turn
            state, judgement, effect = rules.replay(
                state, follower.entry, slot.source, sound_only=sound_only, keeps_turn=is_kept
            )
            played.append(follow_entry(follower, state, judgement, effect, keeps_turn=is_kept))
            slots.append(played[-1].new)
    return rewrite(rules, old, index, start, slots=slots, played=played)


def rewrite(
    rules: Replayer, line: Chain, start: int, stop: int, *, slots: Sequence[Slot], played: Sequence[FollowedEntry]
) -> tuple[Chain, Impacts]:
    """Replace `line[start:stop]` by `slots`; return the new line and the impact on each later slot.

    Remove each `game_closed` at the end of the new line.

    Args:
        played: the replayed slots.
    """
    anew = line.splice(start, stop, slots)
    rest = start + len(slots)
    for closing in _closings(anew, rest):
        anew = anew.splice(closing, closing + 1, ())
    return anew, Impacts(rules.ruleset, rules.header.names, played, anew, rest)


def _closings(line: Chain, start: int) -> list[int]:
    """Return the index of each `game_closed` after the end of the game, from index `start` on, last first."""
    found = []
    for index, slot in zip(range(len(line) - 1, start - 1, -1), reversed(line), strict=False):
        if slot.after is None or slot.after.outcome is None:
            break
        if slot.entry is not None and slot.entry.type == lifecycle.GAME_CLOSED:
            found.append(index)
    return found


def check_unbroken(impact: Impacts) -> None:
    """Reject a correction that breaks later events.

    Raises:
        BreaksFollowers: the correction breaks a later event.
    """
    broken = impact.newly_broken()
    if broken:
        first = broken[0]
        message = say(
            "This breaks {broken} of the {events} later events, beginning with event {seq}: {reason} To keep "
            "them, marked as illegal, repeat the request with `if_illegal=accept`.",
            broken=len(broken),
            events=len(impact),
            seq=first.seq,
            reason=first.reason,
        )
        raise BreaksFollowers(lifecycle.RULE, message, impact)
