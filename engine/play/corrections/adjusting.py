"""Adjustments by facts or by a JSON Patch, and positions with which a record begins."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import jsonpatch
import jsonpointer
import msgspec

from engine.core import effort, lifecycle
from engine.core.canonical import below, check_value
from engine.core.errors import DEFECTS, EngineError, IllegalAction, Malformed
from engine.core.events import Header
from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, State, not_a_seat
from engine.kit.chance import Chance
from engine.kit.facts import AnyFact
from engine.kit.first_tables import Start
from engine.kit.options import Options
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest, view, worlds
from engine.play.beliefs.looks import look
from engine.play.beliefs.telling import agreeing
from engine.play.corrections import beginning, facts, rest
from engine.play.corrections.amends import MOST_PLAYS, check_open

LARGEST = 1 << 17
"""Maximum size of a patched state's document, in bytes."""

DEEPEST = 19
"""Maximum depth of nested objects and arrays in a document."""


Check = Callable[[Any], list[str]]
"""Function that returns the problems of a state."""


def changes(params: Mapping[str, Any]) -> bool:
    """Return False if an adjustment only confirms the table. Earlier releases did not store confirming facts."""
    return bool(params.get("patch")) or (params.get("facts") or ()) != (params.get("was") or ())


def apply_adjustment(
    ruleset: AnyRuleset, header: Header, state: State, adjust: lifecycle.Adjust, *, is_new: bool, sound_only: bool
) -> tuple[State, lifecycle.Adjust]:
    """Return the state after an adjustment, and the adjustment as stored.

    Args:
        is_new: True for a new adjustment. False for a stored adjustment, which is applied in the same way as when it
            was recorded.
        sound_only: True to check a patched table like a new one; False for the weaker checks of earlier releases.

    Raises:
        Malformed: the adjustment is malformed, or its patch cannot be applied.
        IllegalAction: the table is impossible, or the adjustment changes options, outcome or seats.
    """
    check_open(ruleset, state)
    seats, names = len(header.seats), header.names_at(state)
    agreeing, pointer = adjust.agreeing, f"/params/{'agreed_by' if adjust.agreed_by else 'agreed'}"
    strangers = [seat for seat in agreeing if SEAT_INDEX[seat] >= seats]
    if strangers:
        raise Malformed(pointer, not_a_seat(seats, strangers[0]))
    if is_new and len(set(agreeing)) < len(agreeing):
        raise Malformed(pointer, "must not list a seat twice")
    if adjust.patch is not None:
        check_value(adjust.patch, "/params/patch", DEEPEST)
        tables = len(worlds(state))
        if tables * len(adjust.patch) > MOST_PLAYS:
            raise Malformed(
                "/params/patch",
                say(
                    "this takes too long, because {tables} tables are possible: send fewer facts at a time",
                    tables=tables,
                ),
            )
        if not (is_new and ruleset.facts):
            check = ruleset.check_invariants if sound_only else ruleset.check_components
            return _patched_tables(ruleset, state, adjust.patch, check), adjust
    # Ignore `was` in a request: the previous facts are always computed.
    told = msgspec.structs.replace(adjust, was=None) if is_new else adjust
    correction = _correction(ruleset, names, state, told)
    after = facts.apply_correction(ruleset, names, state, correction)
    documents = tuple(map(facts.document, correction.facts))
    # Check that the stored facts can be parsed.
    facts.read(ruleset, documents, seats, "/params/facts")
    was = tuple(facts.as_stored(ruleset, fact, seats) for fact in correction.was)
    return after, msgspec.structs.replace(adjust, patch=None, whole=False, facts=documents, was=was)


def _correction(
    ruleset: AnyRuleset, names: Sequence[str], state: State, adjust: lifecycle.Adjust
) -> facts.FactCorrection:
    """Resolve the facts of an adjustment against `state`; for a stored adjustment, return its stored facts."""
    seats = len(names)
    if adjust.patch is not None:
        return facts.resolve(ruleset, names, state, _changed_facts(ruleset, names, state, adjust.patch))
    check_value(list(adjust.facts or ()), "/params/facts", DEEPEST)
    if adjust.was is None:
        if not adjust.facts:
            raise Malformed("/params/facts", say("list at least one fact"))
        told, rests = rest.read(ruleset, adjust.facts, seats, "/params/facts")
        others = partial(rest.spell_out, ruleset, rests)
        return facts.resolve(ruleset, names, state, told, others=others, is_whole=adjust.whole)
    return facts.parse_stored(ruleset, adjust.facts or (), adjust.was, seats)


def _changed_facts(
    ruleset: AnyRuleset, names: Sequence[str], state: State, patch: Sequence[dict[str, Any]]
) -> tuple[AnyFact, ...]:
    """Return the facts that `patch` changes. The patch is relative to the document of `state` that clients get.

    Raises:
        Malformed, IllegalAction: facts cannot express the whole change, the change depends on an unknown result, or the
            changed table is impossible.
    """
    table = likeliest(state)
    patched = _apply_patch(
        ruleset, table, patch, served=_arrange_lists(view(ruleset, state, None), ruleset.to_document(table))
    )
    try:
        told = facts.differing(ruleset, table, patched, "/params/patch")
        if told:
            _check_said(ruleset, patched, facts.carry_out(ruleset, names, table, told), _pieces)
        else:
            _check_said(ruleset, patched, (ruleset.tidy(table),), lambda part: part)
    except Malformed:
        broken = _broken_components(ruleset, patched)
        if broken:
            raise _unsound(broken[0]) from None
        raise
    for fact in told:
        if len({tableau.now(fact) for tableau in facts.tableaux(ruleset, state)}) > 1:
            example = msgspec.json.encode(facts.document(fact)).decode()
            raise Malformed("/params/patch", f"this patch depends on unknown results: send facts, such as {example}")
    return told


def _unsound(broken: str) -> IllegalAction:
    message = say("This table is impossible: it violates “{broken}”.", broken=broken)
    return IllegalAction(lifecycle.RULE, message)


def _broken_components(ruleset: AnyRuleset, state: State) -> list[str]:
    try:
        return ruleset.check_components(state)
    except DEFECTS:
        # Rules can fail on a state that they did not produce.
        return []


def _arrange_lists(served: Any, document: Any) -> Any:
    """Return `document`, the document of one possible table, with lists in the order of `served`, which clients get."""
    if isinstance(served, dict) and isinstance(document, dict):
        return {key: _arrange_lists(served.get(key), value) for key, value in document.items()}
    if isinstance(served, list | tuple) and isinstance(document, list | tuple):
        *known, last = served or [None]
        if isinstance(last, dict) and "unseen" in last:
            return [*known, *sorted((Counter(document) - Counter(known)).elements())]
        return list(map(_arrange_lists, served, document))
    return document


def _check_said(ruleset: AnyRuleset, patched: State, found: Sequence[State], compared: Callable[[Any], object]) -> None:
    """Reject a patch with changes that facts cannot express.

    Args:
        patched: the table after the patch.
        found: two tables with the changed facts applied instead of the patch: before and after the rules
            complete the table.
        compared: function that returns the value that must be equal on both tables, for a member of the document.

    Raises:
        Malformed: a member of the document differs.
    """
    documents = list(map(ruleset.to_document, found))
    for key, value in ruleset.to_document(patched).items():
        if all(compared(value) != compared(document[key]) for document in documents):
            raise Malformed(
                "/params/patch", f"no fact describes this change of {key}: send facts about the table instead"
            )


def _pieces(part: Any) -> Counter[Any]:
    """Count the values in a part of a document, regardless of order."""
    if isinstance(part, dict):
        return Counter(piece for value in part.values() for piece in _pieces(value).elements())
    if isinstance(part, list | tuple):
        return Counter(piece for value in part for piece in _pieces(value).elements())
    return Counter([part])


def _patched_tables(ruleset: AnyRuleset, state: State, patch: Sequence[dict[str, Any]], check: Check) -> State:
    """Return the state in which `patch` is applied to every possible table."""
    found, refused = [], None
    for world in worlds(state):
        try:
            found.append((world.weight, _apply_patch(ruleset, world.state, patch, check=check)))
        except (Malformed, IllegalAction) as error:
            # The patch rules this table out.
            refused = error
    if refused is not None and not found:
        raise refused
    return agreeing(ruleset, state, found)


def _apply_patch(
    ruleset: AnyRuleset,
    state: State,
    patch: Sequence[dict[str, Any]],
    *,
    served: Any = None,
    check: Check | None = None,
) -> State:
    """Return `state` after a patch of its document, or of `served`, the document that clients get."""
    patched = msgspec.json.decode(msgspec.json.encode(ruleset.to_document(state) if served is None else served))
    # Copied, because an operation's value becomes part of the document, and the next operation can change it.
    operations: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(list(patch)))
    for index, operation in enumerate(operations):
        effort.spend()
        patched = _apply_operation(patched, operation, f"/params/patch/{index}")
    after = msgspec.structs.replace(_state(ruleset, patched, "/params/patch", check), details=state.details)
    for field, message in (
        ("options", marked("An adjustment cannot change the options of a game.")),
        ("outcome", marked("An adjustment cannot change the outcome of a game.")),
    ):
        if getattr(after, field, None) != getattr(state, field, None):
            raise IllegalAction(lifecycle.RULE, say(message))
    if ruleset.seats(after) != ruleset.seats(state):
        raise IllegalAction(lifecycle.RULE, say("An adjustment cannot change the seats of a game."))
    return after


def _apply_operation(target: Any, operation: dict[str, Any], pointer: str) -> Any:
    try:
        patched = jsonpatch.JsonPatch([operation]).apply(target, in_place=True)
    except jsonpatch.InvalidJsonPatch as error:
        raise Malformed(pointer, str(error)) from None
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        # Do not use the library's message: it quotes the document, which may contain hidden information.
        where, value = (reprlib.repr(operation.get(name)) for name in ("path", "value"))
        if isinstance(error, jsonpatch.JsonPatchTestFailed):
            raise Malformed(pointer, f"{where} is not {value}") from None
        raise Malformed(pointer, f"the table has no member {where}") from None
    if len(msgspec.json.encode(patched)) > LARGEST:
        raise Malformed(pointer, "this operation makes the document too large")
    return patched


def in_full(ruleset: AnyRuleset, seats: int, position: dict[str, Any], start: Start) -> dict[str, Any]:
    """Return a position as events store it: facts about the rest are replaced by facts about single subjects.

    Raises:
        Malformed: the position is malformed.
    """
    check_value(position, "/params/position", DEEPEST)
    if not is_told(position):
        return position
    pointer = "/params/position/facts"
    return {"facts": beginning.in_full(ruleset, seats, start, _list(position["facts"]), pointer)}


def state_at_position(
    ruleset: AnyRuleset,
    header: Header,
    options: Options,
    position: dict[str, Any],
    *,
    start: Start,
    chance: Chance,
    is_new: bool,
) -> State:
    """Return the first state of a record that begins in the middle of a game.

    Args:
        position: `{"facts": […]}` or a state's document.
        start: function that sets up the game.
        is_new: as in `apply_adjustment`.

    Raises:
        Malformed: `position` is not a valid state, or its seats or options differ from the game's.
        IllegalAction: the position violates an invariant, or the game is over there.
        OutcomeRequired, ImpossibleOutcome: raised by `chance`, for components that the position only counts.
    """
    check_value(position, "/params/position", DEEPEST)
    seats = len(header.seats)
    if is_told(position):
        told = facts.read(ruleset, _list(position["facts"]), seats, "/params/position/facts")
        state = beginning.begin(ruleset, header.names, start, told, chance)
    else:
        check = ruleset.check_invariants if is_new else ruleset.check_components
        state = _state(ruleset, position, "/params/position", check)
    if state.outcome is not None:
        raise IllegalAction(
            lifecycle.RULE, say("The game is already over in this position. Start the record at an earlier one.")
        )
    if ruleset.seats(state) != seats:
        raise Malformed("/params/position", f"the position has {ruleset.seats(state)} seats, and the game has {seats}")
    if getattr(state, "options", options) != options:
        raise Malformed("/params/position/options", "must be the same as the options of the game")
    return state


def is_told(position: Mapping[str, Any]) -> bool:
    """Return True if `position` contains facts; False if it is the JSON document of a state."""
    return position.keys() == {"facts"}


def _list(written: Any) -> Sequence[Any]:
    if not isinstance(written, list | tuple):
        raise Malformed("/params/position/facts", "must be a list")
    if len(written) > lifecycle.MOST_FACTS:
        raise Malformed("/params/position/facts", say("must have at most {count} facts", count=lifecycle.MOST_FACTS))
    return written


def check_known(written: Any, known: Any, pointer: str) -> None:
    """Reject members of `written` that are missing in its parsed form `known`: they may be misspelt.

    Raises:
        Malformed: a member is unknown; the error has the pointer to it.
    """
    if isinstance(written, dict) and isinstance(known, dict):
        for key, value in written.items():
            if key not in known:
                raise Malformed(below(pointer, key), "the table has no such member")
            check_known(value, known[key], below(pointer, key))
    elif isinstance(written, list) and isinstance(known, list | tuple):
        for index, (one, other) in enumerate(zip(written, known, strict=False)):
            check_known(one, other, below(pointer, index))


def _state(ruleset: AnyRuleset, written: Any, pointer: str, check: Check | None) -> State:
    """Parse a state from a client's document, and reject it if `check` finds a problem."""
    try:
        read = ruleset.from_document(written)
        check_known(written, ruleset.to_document(read), pointer)
        state: State = ruleset.tidy(read)
        broken = [] if check is None else check(state)
        if not broken:
            look(ruleset, state)
    except Malformed as error:
        raise error if error.pointer.startswith(pointer) else Malformed(pointer, str(error)) from None
    except (EngineError, *DEFECTS):
        # Rules can fail on a state that they did not produce.
        raise Malformed(pointer, say("this table is impossible")) from None
    if broken:
        raise _unsound(broken[0])
    return state
