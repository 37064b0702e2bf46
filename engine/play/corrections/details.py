"""Apply changes to the details of a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from engine.core import effort, lifecycle
from engine.core.details import Allowed, Details, HouseRuleInEffect
from engine.core.errors import GameOver, IllegalAction, Malformed, WouldDiffer
from engine.core.events import Draft, Header
from engine.core.language import say
from engine.core.values import SEAT_INDEX, Judgement, State, not_a_seat
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest, map_tables
from engine.play.corrections.amends import Replayer
from engine.play.line import Entry, Line

_ENCODER = msgspec.json.Encoder(order="sorted")

Change = lifecycle.DetailsChanged | lifecycle.SeatLeft | lifecycle.SeatJoined | lifecycle.HouseRule


def apply_change(ruleset: AnyRuleset, header: Header, state: State, change: Change) -> State:
    """Return the state after a change of details.

    Raises:
        Malformed: the change names an unknown seat, option or action.
        GameOver: the game has ended, and the change affects play.
        IllegalAction: the change does not apply to this table.
    """
    if isinstance(change, lifecycle.DetailsChanged):
        return _apply_details(ruleset, header, state, change)
    if state.outcome is not None:
        raise GameOver(state.outcome)
    if isinstance(change, lifecycle.HouseRule):
        if change.overrides is not None and change.overrides not in ruleset.sections:
            raise Malformed("/params/overrides", say("the rulebook has no such heading"))
        rule = HouseRuleInEffect(change.text, tuple(_allowed_actions(ruleset, change.allows)))
        return _with(state, msgspec.structs.replace(state.details, house_rules=(*state.details.house_rules, rule)))
    seat = SEAT_INDEX[change.seat]
    if seat >= len(header.seats):
        raise Malformed("/params/seat", not_a_seat(len(header.seats), change.seat))
    if isinstance(change, lifecycle.SeatJoined):
        return _with(state, state.details.with_player(seat, change.name, header.names))
    if seat in state.details.left:
        name = state.details.names(header.names)[seat]
        raise IllegalAction(lifecycle.RULE, say("{name} has already left the table.", name=name))
    return _with(state, msgspec.structs.replace(state.details, left=(*state.details.left, seat)))


def _apply_details(ruleset: AnyRuleset, header: Header, state: State, change: lifecycle.DetailsChanged) -> State:
    given = {
        name: value
        for name in ("title", "tags", "played_at", "place", "if_illegal")
        if (value := getattr(change, name)) is not UNSET
    }
    after = _with(state, msgspec.structs.replace(state.details, **given))
    if change.options is UNSET:
        return after
    try:
        options = ruleset.parse_options(options_after(state, change.options), len(header.seats))
    except Malformed as error:
        raise Malformed(f"/params{error.pointer}", error.message) from None
    return _each(after, options=options)


def options_at(header: Header, state: State | None) -> dict[str, Any]:
    """Return all options of a game as of `state`."""
    if state is None or not hasattr(likeliest(state), "options"):
        return header.options
    options = likeliest(state).options
    usual = {field.name: field.default for field in msgspec.structs.fields(type(options))}
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(options))
    # Event 1 lists the options that existed then. List a newer option only if it is not at its default.
    shown = (name for name in document if name in header.options or getattr(options, name) != usual[name])
    return {**header.options, **{name: document[name] for name in shown}}


def options_after(state: State, given: dict[str, Any]) -> dict[str, Any]:
    """Return all options of a game after the changes `given`.

    Raises:
        IllegalAction: the states of this game have no options.
    """
    if not hasattr(likeliest(state), "options"):
        raise IllegalAction(lifecycle.RULE, say("The options of this game cannot change."))
    return {**msgspec.to_builtins(likeliest(state).options), **given}


def _allowed_actions(ruleset: AnyRuleset, allows: Sequence[lifecycle.AllowedAction]) -> list[Allowed]:
    found = []
    for index, one in enumerate(allows):
        pointer = f"/params/allows/{index}"
        kind = ruleset.kind(one.type)
        if kind is None:
            raise Malformed(f"{pointer}/type", say("{game} has no such action", game=say(ruleset.name)))
        if kind.hidden_params:
            raise Malformed(f"{pointer}/type", say("a house rule cannot allow a hidden action"))
        unknown = (one.params or {}).keys() - {field.encode_name for field in msgspec.structs.fields(kind)}
        if unknown:
            raise Malformed(f"{pointer}/params/{min(unknown)}", say("this action has no such parameter"))
        if one.phase is not None and one.phase not in ruleset.phases:
            raise Malformed(f"{pointer}/phase", say("{game} has no such phase", game=say(ruleset.name)))
        params = _ENCODER.encode(one.params).decode() if one.params else None
        found.append(Allowed(one.type, params, one.phase, one.own_turn))
    return found


def _with(state: State, details: Details) -> State:
    return _each(state, details=details)


def _each(state: State, **members: Any) -> State:
    """Return a state with these members changed; in a belief, change them in each possible table."""
    after: State = map_tables(state, lambda table: msgspec.structs.replace(table, **members))
    shared = {name: value for name, value in members.items() if name in State.__struct_fields__}
    return msgspec.structs.replace(after, **shared)


def check_change(rules: Replayer, other: Callable[[Header], Replayer], line: Line, states: tuple[State, State]) -> None:
    """Reject a change of options if it would change a recorded event.

    Args:
        rules: the rules of the game.
        other: creates the rules for a different header.
        line: the events in effect before the change.
        states: the states before and after the change.

    Raises:
        WouldDiffer: a recorded event would change; the error names the first such event.
    """
    was, now = (options_at(rules.header, state) for state in states)
    if was != now:
        _compare(rules, other(msgspec.structs.replace(rules.header, options=now)), line)


def _compare(rules: Replayer, other: Replayer, line: Line) -> None:
    was: State | None = None
    now: State | None = None
    for slot in line:
        effort.spend()
        entry = slot.entry
        if entry is None or entry.type == lifecycle.GAME_CLOSED:
            continue
        held = {"sound_only": False, "keeps_turn": slot.keeps_turn}
        was, judged, _ = rules.replay(was, entry, slot.source, **held)
        now, judged_now, _ = other.replay(now, _without_options(entry), slot.source, **held)
        if not _are_alike(was, now, judged, judged_now):
            told = say("With these options, event {seq} would have been different.", seq=slot.number)
            reason = told if judged_now is None else f"{told} {judged_now.reason}"
            raise WouldDiffer(lifecycle.RULE, reason, slot.number)


def _without_options(entry: Entry) -> Entry:
    if entry.type != lifecycle.DETAILS_CHANGED or "options" not in entry.params:
        return entry
    return Draft(type=entry.type, params={**entry.params, "options": {}})


def _are_alike(was: State | None, now: State | None, judged: Judgement | None, judged_now: Judgement | None) -> bool:
    if was is None or now is None:
        return False
    return judged == judged_now and was == _each(now, options=likeliest(was).options)
