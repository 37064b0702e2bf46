"""Judge a record by another version of its ruleset.

Stored events do not change. If the other version has another format for an action, its upcaster converts the stored
action (`Ruleset.upcast`). An action that is illegal under the other version still takes effect, as at the table, if its
effect is clear. Otherwise the action has no effect, and later events are judged on the unchanged table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.core import lifecycle
from engine.core.differences import differences
from engine.core.errors import EngineError, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.events import Draft, Event, Header
from engine.core.language import say
from engine.core.values import Judgement, State
from engine.kit.chance import Recorded
from engine.kit.ruleset import AnyRuleset
from engine.kit.words import counted
from engine.play import registry
from engine.play.beliefs import belief
from engine.play.fold import History
from engine.play.rules import Rules
from engine.play.tables import differing_facts, in_short
from engine.review.words import describe_verdict, event_name, join_words

Said = Literal["legal", "illegal", "unknowable", "impossible"]


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """The verdict of one version of the rules on an event."""

    verdict: Said
    """The verdict; `impossible` if the result of the event was impossible."""
    rule: str | None = None
    """The rulebook heading, if the event is illegal."""
    reason: str | None = None
    """The sentence for players, if the event is illegal."""


class Difference(msgspec.Struct, frozen=True, rename={"is_": "is"}):
    """An event for which the two versions of the rules give different verdicts or different tables."""

    seq: int
    turn: int
    was: Ruling
    """The verdict of the record's own version of the rules."""
    is_: Ruling
    """The verdict of the other version of the rules."""
    patch: tuple[dict[str, Any], ...]
    """Differences in the public state after the event: a JSON Patch (RFC 6902) from the recorded to the other state."""
    facts: tuple[str, ...]
    """The facts that differ, as sentences about the other version's table."""
    message: str
    """The difference as a sentence for people."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A record, judged by another version of the rules."""

    recorded: str
    """The recorded version."""
    replayed: str
    """The other version."""
    message: str
    """The comparison as a sentence for people."""
    first: Difference | None
    """The first difference; None if there is none."""
    verdicts: int
    """The number of events with different verdicts."""
    states: int
    """The number of events after which the tables differ."""
    differences: tuple[Difference, ...]
    """Each event with different verdicts, or after which the tables differ in another way than before the event."""


def reader(header: Header, version: str) -> AnyRuleset:
    """Return the ruleset in the version that must judge the game.

    Raises:
        Malformed: the version is not installed, or cannot read records of the game's version. The pointer is `/rules`.
    """
    id_, own = header.ruleset, header.ruleset_version
    known = [one for one in registry.versions(id_) if one == own or own in registry.ruleset(id_, one).reads_versions]
    if version not in known:
        message = say(
            "version {version} of {ruleset} cannot read this record; use one of: {known}",
            version=repr(version),
            ruleset=id_,
            known=", ".join(known),
        )
        raise Malformed("/rules", message)
    return registry.ruleset(id_, version).at(header.options)


def upcast(rules: AnyRuleset, version: str, entry: Draft) -> Draft:
    """Return `entry`, recorded under `version`, in the format of `rules`. An event in an amend is converted, too."""
    if version == rules.version:
        return entry
    if entry.type == "amend":
        params = dict(entry.params)
        for key in ("event", "insert"):
            if params.get(key) is not None:
                params[key] = msgspec.to_builtins(upcast(rules, version, msgspec.convert(params[key], Draft)))
        entry = msgspec.structs.replace(entry, params=params)
    return rules.upcast(version, entry)


class Replay:
    """Replays a log under another version, in parallel with the log's own history, and collects the differences."""

    def __init__(self, header: Header, version: str) -> None:
        """Start with event 1.

        Raises:
            Malformed: the other version cannot read this record.
        """
        self._own = header
        self._ruleset = reader(header, version)
        opening = Draft(type=lifecycle.GAME_OPENED, params=msgspec.to_builtins(header))
        params = upcast(self._ruleset, header.ruleset_version, opening).params
        other = msgspec.convert({**params, "ruleset_version": version}, Header)
        self._history = History(other)
        self._history.rules = Rules(other, is_lenient=True)
        self._found: list[Difference] = []
        self._verdicts = self._states = 0
        self._patch: tuple[dict[str, Any], ...] = ()

    def read(self, event: Event, own: History) -> None:
        """Compare the next event, beginning with event 2. `own` must already have replayed the event."""
        was = _ruling(own.judgements.get(event.seq))
        is_ = self._judge_event(event)
        table = belief.public_document(own.rules.ruleset, own.states[-1])
        other = belief.public_document(self._ruleset, self._history.states[-1])
        patch = differences(*_shared_members(table, other))
        self._states += bool(patch)
        is_judged_otherwise = (was.verdict, was.rule) != (is_.verdict, is_.rule)
        self._verdicts += is_judged_otherwise
        if is_judged_otherwise or patch != self._patch:
            states = own.states[-1], self._history.states[-1]
            told = self._differing(*states) if patch else ()
            ruling = _message(self._ruleset, event, was, is_, is_judged_otherwise=is_judged_otherwise)
            message = _describe_difference(ruling, told, is_same=not patch, is_set_up=None not in states)
            self._found.append(Difference(event.seq, event.turn, was, is_, patch, told, message))
        self._patch = patch

    def _differing(self, table: State | None, other: State | None) -> tuple[str, ...]:
        if table is None or other is None:
            return ()
        return differing_facts(self._ruleset, table, other, self._own.names_at(table))

    def finish(self) -> Comparison:
        """Return the comparison."""
        own, other = self._own.ruleset_version, self._ruleset.version
        message = say("Under version {other} of the rules, {parts}", other=other, parts=self._parts(own))
        message += say("; the first is in turn {turn}.", turn=self._found[0].turn) if self._found else "."
        return Comparison(
            recorded=own,
            replayed=other,
            message=message,
            first=self._found[0] if self._found else None,
            verdicts=self._verdicts,
            states=self._states,
            differences=tuple(self._found),
        )

    def _parts(self, own: str) -> str:
        parts = []
        if self._verdicts:
            events = _events(self._verdicts)
            parts.append(say("{events} judged differently from version {own}", events=events, own=own))
        if self._states:
            parts.append(say("the table is different after {events}", events=counted(self._states, "event")))
        return join_words(parts) or say("every event has the same verdict as under version {own}", own=own)

    def _judge_event(self, event: Event) -> Ruling:
        """Apply the event by the other version of the rules. Return that version's verdict, also for an error."""
        draft = Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes)
        history, chance = self._history, Recorded()
        state = history.states[-1]
        judgement: Judgement | None
        try:
            draft = upcast(self._ruleset, self._own.ruleset_version, draft)
            after, _, judgement = history.rules.play(state, draft, event.seq, chance, history)
            chance.finish()
        except EngineError as error:
            ruling, after = _refusal_ruling(self._ruleset, error), state
            judgement = Judgement("illegal", ruling.rule or "", ruling.reason or "", has_effect=False)
        else:
            ruling = _ruling(judgement)
        history.add(draft, after, judgement)
        return ruling


def _shared_members(table: dict[str, Any] | None, other: dict[str, Any] | None) -> tuple[Any, Any]:
    """Reduce two states of different versions to their common members, without the options; return both."""
    if table is None or other is None:
        return table, other
    shared = (table.keys() & other.keys()) - {"options"}
    return {name: table[name] for name in shared}, {name: other[name] for name in shared}


def _events(count: int) -> str:
    return say("one event is") if count == 1 else say("{count} events are", count=count)


def _ruling(judgement: Judgement | None) -> Ruling:
    return Ruling("legal") if judgement is None else Ruling(judgement.verdict, judgement.rule, judgement.reason)


def _refusal_ruling(ruleset: AnyRuleset, error: EngineError) -> Ruling:
    match error:
        case IllegalAction():
            return Ruling("illegal", error.rule, error.message)
        case ImpossibleOutcome() | OutcomeRequired():
            return Ruling("impossible", lifecycle.RULE, sentence(ruleset.account(error)))
        case _:
            return Ruling("illegal", lifecycle.RULE, sentence(str(error)))


def sentence(text: str) -> str:
    """Return `text`, capitalized and ending with a punctuation mark."""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")


def _message(
    ruleset: AnyRuleset,
    event: Event,
    was: Ruling,
    is_: Ruling,
    *,
    is_judged_otherwise: bool,
) -> str:
    named = say(
        "Turn {turn}, event {seq} ({type})", turn=event.turn, seq=event.seq, type=event_name(ruleset, event.type)
    )
    if is_judged_otherwise:
        told = say(
            "{event} was {was} and is now {now}",
            event=named,
            was=describe_verdict(was.verdict),
            now=describe_verdict(is_.verdict),
        )
        told += f": {is_.reason} ({say(is_.rule or '')})" if is_.reason is not None else ""
    else:
        told = say("{event} has the same verdict", event=named)
    return told.rstrip(".")


def _describe_difference(ruling: str, facts: Sequence[str], *, is_same: bool, is_set_up: bool) -> str:
    """Return the sentence about the verdicts on an event, and about the difference between the tables after it."""
    if is_same:
        return say("{told}; the table is the same.", told=ruling)
    if not is_set_up:
        return say("{told}; only one of the two versions can set up the table.", told=ruling)
    return f"{say('{told}; the table differs.', told=ruling)} {in_short(facts)}".rstrip()
