"""The table put right: by facts, by a patch that means facts, and as a position with which a record begins."""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
from engine.kit.options import Options
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest, view, worlds
from engine.play.beliefs.looks import look
from engine.play.beliefs.telling import agreeing
from engine.play.corrections import facts
from engine.play.corrections.amends import MOST_PLAYS, check_open

LARGEST = 1 << 17
"""Bytes of a state's document that a patch may make of it."""

DEEPEST = 19
"""Objects and arrays that a document may be nested in one another."""


Check = Callable[[Any], list[str]]
"""What is wrong with a state."""


def changes(params: Mapping[str, Any]) -> bool:
    """Return False if the facts of an adjustment confirm the table. Earlier records did not keep such facts."""
    return bool(params.get("patch")) or (params.get("facts") or ()) != (params.get("was") or ())


def adjusted(
    ruleset: AnyRuleset, header: Header, state: State, adjust: lifecycle.Adjust, *, is_new: bool, sound_only: bool
) -> tuple[State, lifecycle.Adjust]:
    """The state after an adjustment, and the adjustment as it is stored.

    Args:
        is_new: whether somebody asks for it now; else it stands in a log, and is carried out as it was then.
        sound_only: whether a patch is held to all that a table is held to now.

    Raises:
        Malformed: it tells what cannot be read, or the patch does not apply.
        IllegalAction: no table is like that, or it changes what no adjustment may.
    """
    check_open(ruleset, state)
    seats, names = len(header.seats), header.names
    agreeing, pointer = adjust.agreeing, f"/params/{'agreed_by' if adjust.agreed_by else 'agreed'}"
    strangers = [seat for seat in agreeing if SEAT_INDEX[seat] >= seats]
    if strangers:
        raise Malformed(pointer, not_a_seat(seats, strangers[0]))
    if is_new and len(set(agreeing)) < len(agreeing):
        raise Malformed(pointer, "each of them agrees once")
    if adjust.patch is not None:
        check_value(adjust.patch, "/params/patch", DEEPEST)
        tables = len(worlds(state))
        if tables * len(adjust.patch) > MOST_PLAYS:
            raise Malformed(
                "/params/patch", say("too long while {tables} tables are possible: send it in parts", tables=tables)
            )
        if not (is_new and ruleset.facts):
            check = ruleset.check_invariants if sound_only else ruleset.check_components
            return _patched_tables(ruleset, state, adjust.patch, check), adjust
    # What was there is found out, whatever somebody says of it.
    told = msgspec.structs.replace(adjust, was=None) if is_new else adjust
    correction = _correction(ruleset, names, state, told)
    after = facts.corrected(ruleset, names, state, correction)
    documents = tuple(map(facts.document, correction.facts))
    # What is stored can be read again.
    facts.read(ruleset, documents, seats, "/params/facts")
    was = tuple(facts.kept(ruleset, fact, seats) for fact in correction.was)
    return after, msgspec.structs.replace(adjust, patch=None, whole=False, facts=documents, was=was)


def _correction(ruleset: AnyRuleset, names: Sequence[str], state: State, adjust: lifecycle.Adjust) -> facts.Correction:
    """What is told, resolved against `state`; as it was resolved then, where the adjustment says so."""
    seats = len(names)
    if adjust.patch is not None:
        return facts.resolve(ruleset, names, state, _meant(ruleset, names, state, adjust.patch))
    check_value(list(adjust.facts or ()), "/params/facts", DEEPEST)
    if adjust.was is None:
        if not adjust.facts:
            raise Malformed("/params/facts", say("nothing is told"))
        told = facts.read(ruleset, adjust.facts, seats, "/params/facts")
        return facts.resolve(ruleset, names, state, told, is_whole=adjust.whole)
    return facts.stored(ruleset, adjust.facts or (), adjust.was, seats)


def _meant(
    ruleset: AnyRuleset, names: Sequence[str], state: State, patch: Sequence[dict[str, Any]]
) -> tuple[AnyFact, ...]:
    """The facts that a patch of the document changes that is served of `state`.

    Raises:
        Malformed, IllegalAction: no facts say all that it changes, it depends on what nobody saw, or no table is like
            that.
    """
    table = likeliest(state)
    patched = _adjusted(ruleset, table, patch, served=_arranged(view(ruleset, state, None), ruleset.to_document(table)))
    try:
        told = facts.differing(ruleset, table, patched, "/params/patch")
        if told:
            _check_said(ruleset, patched, facts.carried_out(ruleset, names, table, told), _pieces)
        else:
            _check_said(ruleset, patched, (ruleset.tidy(table),), _as_it_is)
    except Malformed:
        broken = _broken_components(ruleset, patched)
        if broken:
            raise _unsound(broken[0]) from None
        raise
    for fact in told:
        if len({tableau.now(fact) for tableau in facts.tableaux(ruleset, state)}) > 1:
            example = msgspec.json.encode(facts.document(fact)).decode()
            raise Malformed("/params/patch", f"this depends on what nobody saw: tell the facts, such as {example}")
    return told


def _unsound(broken: str) -> IllegalAction:
    message = say("No table can look like this: “{broken}” would not hold.", broken=broken)
    return IllegalAction(lifecycle.RULE, message)


def _broken_components(ruleset: AnyRuleset, state: State) -> list[str]:
    try:
        return ruleset.check_components(state)
    except DEFECTS:
        # A state that no rule ever made may fail whatever looks at it.
        return []


def _arranged(served: Any, document: Any) -> Any:
    """The document of one of the tables that there may be, in the order of the one that is served of all of them."""
    if isinstance(served, dict) and isinstance(document, dict):
        return {key: _arranged(served.get(key), value) for key, value in document.items()}
    if isinstance(served, list | tuple) and isinstance(document, list | tuple):
        *known, last = served or [None]
        if isinstance(last, dict) and "unseen" in last:
            return [*known, *sorted((Counter(document) - Counter(known)).elements())]
        return list(map(_arranged, served, document))
    return document


def _check_said(ruleset: AnyRuleset, patched: State, found: Sequence[State], compared: Callable[[Any], object]) -> None:
    """Refuse a patch that changes what no fact says.

    Args:
        compared: what of a part of the document has to be the same.
        found: the table with the facts put that it changes, and as the rules go on from there.

    Raises:
        Malformed: the part of the document that is another one there.
    """
    documents = list(map(ruleset.to_document, found))
    for key, value in ruleset.to_document(patched).items():
        if all(compared(value) != compared(document[key]) for document in documents):
            raise Malformed("/params/patch", f"no fact says what this makes of {key}: tell what the table looks like")


def _as_it_is(part: Any) -> object:
    return part


def _pieces(part: Any) -> Counter[Any]:
    """What lies in a part of a document, in whatever order."""
    if isinstance(part, dict):
        return Counter(piece for value in part.values() for piece in _pieces(value).elements())
    if isinstance(part, list | tuple):
        return Counter(piece for value in part for piece in _pieces(value).elements())
    return Counter([part])


def _patched_tables(ruleset: AnyRuleset, state: State, patch: Sequence[dict[str, Any]], check: Check) -> State:
    """Every table that there may be with a patch applied to it."""
    found, refused = [], None
    for world in worlds(state):
        try:
            found.append((world.weight, _adjusted(ruleset, world.state, patch, check=check)))
        except (Malformed, IllegalAction) as error:
            # A table that cannot be so is none of those there may be.
            refused = error
    if refused is not None and not found:
        raise refused
    return agreeing(ruleset, state, found)


def _adjusted(
    ruleset: AnyRuleset,
    state: State,
    patch: Sequence[dict[str, Any]],
    *,
    served: Any = None,
    check: Check | None = None,
) -> State:
    """`state` patched: its document, or the one that is `served` of it."""
    patched = msgspec.json.decode(msgspec.json.encode(ruleset.to_document(state) if served is None else served))
    # Read anew: what an operation brings becomes a part of the document, which the next one may change.
    operations: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(list(patch)))
    for index, operation in enumerate(operations):
        effort.spend()
        patched = _patched(patched, operation, f"/params/patch/{index}")
    after = _state(ruleset, patched, "/params/patch", check)
    for field, message in (
        ("options", marked("An adjustment does not change the options of a game.")),
        ("outcome", marked("An adjustment does not change the outcome of a game.")),
    ):
        if getattr(after, field, None) != getattr(state, field, None):
            raise IllegalAction(lifecycle.RULE, say(message))
    if ruleset.seats(after) != ruleset.seats(state):
        raise IllegalAction(lifecycle.RULE, say("An adjustment does not change the seats of a game."))
    return after


def _patched(target: Any, operation: dict[str, Any], pointer: str) -> Any:
    try:
        patched = jsonpatch.JsonPatch([operation]).apply(target, in_place=True)
    except jsonpatch.InvalidJsonPatch as error:
        raise Malformed(pointer, str(error)) from None
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        # What the library says of these tells what it found there: a state that may be nobody's to read.
        where, value = (reprlib.repr(operation.get(name)) for name in ("path", "value"))
        if isinstance(error, jsonpatch.JsonPatchTestFailed):
            raise Malformed(pointer, f"{where} is not {value}") from None
        raise Malformed(pointer, f"the table's document has no place {where} for this") from None
    if len(msgspec.json.encode(patched)) > LARGEST:
        raise Malformed(pointer, "it makes the document too large")
    return patched


def positioned(
    ruleset: AnyRuleset,
    header: Header,
    options: Options,
    position: dict[str, Any],
    *,
    start: Callable[[Chance], State],
    chance: Chance,
    is_new: bool,
) -> State:
    """The state with which a record begins that starts in the middle of a game.

    Args:
        position: `{"facts": […]}`, or the document of a state.
        start: sets the game up.
        is_new: as in `adjusted`.

    Raises:
        Malformed: `position` is no state, or not one of this table.
        IllegalAction: it breaks an invariant, or the game is over there.
        OutcomeRequired, ImpossibleOutcome: as `chance` says, for what is told to be there and not what.
    """
    check_value(position, "/params/position", DEEPEST)
    seats = len(header.seats)
    if is_told(position):
        told = facts.read(ruleset, _list(position["facts"]), seats, "/params/position/facts")
        state = facts.begun(ruleset, header.names, start, told, chance)
    else:
        check = ruleset.check_invariants if is_new else ruleset.check_components
        state = _state(ruleset, position, "/params/position", check)
    if state.outcome is not None:
        raise IllegalAction(lifecycle.RULE, say("The game is over there: a record begins before the end."))
    if ruleset.seats(state) != seats:
        raise Malformed("/params/position", f"it has {ruleset.seats(state)} seats, and the game has {seats}")
    if getattr(state, "options", options) != options:
        raise Malformed("/params/position/options", "not the options of the game")
    return state


def is_told(position: Mapping[str, Any]) -> bool:
    """Whether a position is told by facts, and is no document of a state."""
    return position.keys() == {"facts"}


def _list(written: Any) -> Sequence[Any]:
    if not isinstance(written, list | tuple):
        raise Malformed("/params/position/facts", "it has to be a list")
    if len(written) > lifecycle.MOST_FACTS:
        raise Malformed("/params/position/facts", f"at most {lifecycle.MOST_FACTS} facts")
    return written


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


def _state(ruleset: AnyRuleset, written: Any, pointer: str, check: Check | None) -> State:
    """The state of a document that somebody wrote, sound as far as `check` says."""
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
        # A state that no rule ever made may fail whatever looks at it.
        raise Malformed(pointer, say("no table can look like this")) from None
    if broken:
        raise _unsound(broken[0])
    return state
