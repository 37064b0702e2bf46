"""Corrections: an earlier place of the line written anew, and the table brought in line with what people see on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import jsonpatch
import jsonpointer
import msgspec

from engine import lifecycle
from engine.beliefs import likeliest, seen, worlds
from engine.canonical import below, check_value
from engine.differences import differences
from engine.errors import BreaksFollowers, IllegalAction, Malformed
from engine.events import SEAT_INDEX, Draft, Header
from engine.lines import Effect, Entry, Impact, Judgement, Line, Slot, index_of
from engine.ruleset import Options, Ruleset, State
from engine.worlds import agreeing

AnyRuleset = Ruleset[Any, Any]

Replayed = tuple[State | None, Judgement | None, Effect]
"""The state after an entry that was played again, what the rules say of it, and how it is broken if it is."""

MOST_PLAYS = 10_000
"""That one request may take: of each event, of those that a correction plays again, and of the operations of a patch,
one for every table that there may be."""

LARGEST = 1 << 17
"""Bytes of a state's document that a patch may make of it."""

DEEPEST = 19
"""Objects and arrays that a document may be nested in one another."""

_NOT_IN_A_LINE = {"undo", "amend", "reveal", lifecycle.GAME_CLOSED}


class Replayer(Protocol):
    """What the rules of a game do with an entry that stands in its line already."""

    ruleset: AnyRuleset

    def replay(self, state: State | None, entry: Entry, seq: int) -> Replayed: ...


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
        raise IllegalAction(lifecycle.RULE, "A player hides something now: correct the record once it is shown.")


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
        raise Malformed("/params/seq", "what closes a game follows from what ended it: amend that")
    where = "/params/event" if amend.event is not None else "/params/insert"
    if draft is not None and draft.type in _NOT_IN_A_LINE:
        raise Malformed(f"{where}/type", f"{draft.type} is no event that an amend can bring")
    if standing is None and amend.remove:
        raise Malformed("/params/seq", f"event {amend.seq} is removed already")
    if index == 0 and (amend.event is None or amend.event.type != lifecycle.SET_UP):
        raise IllegalAction(lifecycle.RULE, "A game begins with its set-up: that can only be set up otherwise.")
    if index == 0 and is_seeded:
        raise IllegalAction(lifecycle.RULE, "The deal of a seeded game stands.")
    if draft is not None and amend.event is not None and standing is not None:
        draft = msgspec.structs.replace(
            draft,
            note=draft.note or getattr(standing, "note", None),
            occurred_at=draft.occurred_at or getattr(standing, "occurred_at", None),
        )
    return index, line[index - 1].after if index else None, draft


def write_anew(
    rules: Replayer, line: list[Slot], followers: Iterable[Slot], seq: int
) -> tuple[Line, tuple[Impact, ...]]:
    """The line that begins as `line`, and goes on with `followers`; and what becomes of each of these.

    What closed the game is left out: whether it is over is seen at the end.
    """
    impact: list[Impact] = []
    state = line[-1].after
    for old in followers:
        if old.entry is None:
            line.append(msgspec.structs.replace(old, after=state))
            continue
        if old.entry.type == lifecycle.GAME_CLOSED:
            continue
        state, judgement, effect = rules.replay(state, old.entry, seq)
        line.append(msgspec.structs.replace(old, after=state, judgement=judgement))
        impact.append(_impact(rules.ruleset, old, state, judgement, effect))
    return line, tuple(impact)


def _impact(ruleset: AnyRuleset, old: Slot, state: State | None, judgement: Judgement | None, effect: Effect) -> Impact:
    changed = () if state == old.after else differences(seen(ruleset, old.after), seen(ruleset, state))
    if judgement is not None and judgement != old.judgement:
        return Impact(old.place, effect, judgement.rule, judgement.reason, changed)
    return Impact(old.place, "state_differs" if changed else "unchanged", differences=changed)


def check_unbroken(impact: tuple[Impact, ...]) -> None:
    """Refuse a correction that breaks what follows.

    Raises:
        BreaksFollowers: with the whole impact.
    """
    broken = [one for one in impact if one.is_broken]
    if broken:
        first = broken[0]
        message = (
            f"This breaks {len(broken)} of the {len(impact)} events that follow, event {first.seq} first: "
            f"{first.reason} With `accept_broken` they stay, marked."
        )
        raise BreaksFollowers(lifecycle.RULE, message, impact)


def adjusted(ruleset: AnyRuleset, header: Header, state: State, adjust: lifecycle.Adjust) -> State:
    """`state` with a patch applied to its document.

    Raises:
        Malformed: the patch does not apply, or what it makes is no state.
        IllegalAction: what it makes breaks an invariant, or changes what no adjustment may.
    """
    check_open(ruleset, state)
    strangers = [seat for seat in adjust.agreed if SEAT_INDEX[seat] >= len(header.seats)]
    if strangers:
        raise Malformed("/params/agreed", f"{strangers[0]} is not a seat of this game")
    check_value(adjust.patch, "/params/patch", DEEPEST)
    found, refused, tables = [], None, worlds(state)
    if len(tables) * len(adjust.patch) > MOST_PLAYS:
        raise Malformed("/params/patch", f"too long while {len(tables)} tables are possible: send it in parts")
    for world in tables:
        try:
            found.append((world.weight, _adjusted(ruleset, world.state, adjust)))
        except (Malformed, IllegalAction) as error:
            # A table that cannot be so is none of those there may be.
            refused = error
    if refused is not None and not found:
        raise refused
    return agreeing(ruleset, found)


def _adjusted(ruleset: AnyRuleset, state: State, adjust: lifecycle.Adjust) -> State:
    patched = msgspec.json.decode(msgspec.json.encode(ruleset.to_document(state)))
    # Read anew: what an operation brings becomes a part of the document, which the next one may change.
    operations: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(adjust.patch))
    for index, operation in enumerate(operations):
        patched = _patched(patched, operation, f"/params/patch/{index}")
    after = _state(ruleset, patched, "/params/patch")
    for field in ("options", "outcome"):
        if getattr(after, field, None) != getattr(state, field, None):
            raise IllegalAction(lifecycle.RULE, f"An adjustment does not change the {field} of a game.")
    if ruleset.seats(after) != ruleset.seats(state):
        raise IllegalAction(lifecycle.RULE, "An adjustment does not change the seats of a game.")
    return after


def _patched(target: Any, operation: dict[str, Any], pointer: str) -> Any:
    try:
        patched = jsonpatch.JsonPatch([operation]).apply(target, in_place=True)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        raise Malformed(pointer, str(error)) from None
    if len(msgspec.json.encode(patched)) > LARGEST:
        raise Malformed(pointer, "it makes the document too large")
    return patched


def positioned(ruleset: AnyRuleset, options: Options, seats: int, position: dict[str, Any]) -> State:
    """The state with which a record begins that starts in the middle of a game.

    Raises:
        Malformed: `position` is no state, or not one of this table.
        IllegalAction: it breaks an invariant, or the game is over there.
    """
    check_value(position, "/params/position", DEEPEST)
    state = _state(ruleset, position, "/params/position")
    if state.outcome is not None:
        raise IllegalAction(lifecycle.RULE, "The game is over there: a record begins before the end.")
    if ruleset.seats(state) != seats:
        raise Malformed("/params/position", f"it has {ruleset.seats(state)} seats, and the game has {seats}")
    if getattr(state, "options", options) != options:
        raise Malformed("/params/position/options", "not the options of the game")
    return state


def check_known(written: Any, known: Any, pointer: str) -> None:
    """Refuse members that the document they were read into, `known`, does not have: a slip of the pen is no change.

    Raises:
        Malformed: with the place.
    """
    if isinstance(written, dict) and isinstance(known, dict):
        for key, value in written.items():
            if key not in known:
                raise Malformed(below(pointer, key), "there is no such part of a table")
            check_known(value, known[key], below(pointer, key))
    elif isinstance(written, list) and isinstance(known, list | tuple):
        for index, (one, other) in enumerate(zip(written, known, strict=False)):
            check_known(one, other, below(pointer, index))


def _state(ruleset: AnyRuleset, written: Any, pointer: str) -> State:
    """The sound state of a document that somebody wrote."""
    try:
        read = ruleset.from_document(written)
        check_known(written, ruleset.to_document(read), pointer)
        state: State = ruleset.tidy(read)
        broken = ruleset.check_invariants(state)
    except Malformed as error:
        raise error if error.pointer.startswith(pointer) else Malformed(pointer, str(error)) from None
    except Exception:  # noqa: BLE001  # a state that no rule ever made may fail whatever looks at it
        raise Malformed(pointer, "no table can look like this") from None
    if broken:
        raise IllegalAction(lifecycle.RULE, f"No table can look like this: {broken[0]}.")
    return state
