"""Rules that change: a record that was made by one version of a ruleset, judged by another.

Stored events stay as they are. Where a newer version knows an action by another shape, it reads the old one through its
upcaster (`Ruleset.upcast`). What the other rules forbid is carried out all the same where that is clear, as the table
did it; else it has no effect, and what follows is judged from there.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.core import lifecycle
from engine.core.differences import differences
from engine.core.errors import EngineError, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.events import Draft, Event, Header
from engine.core.language import say
from engine.core.values import Judgement
from engine.kit.chance import Recorded
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.beliefs import belief
from engine.play.fold import History
from engine.play.rules import Rules
from engine.review.words import called, judged, listed

Said = Literal["legal", "illegal", "unknowable", "impossible"]


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """What rules say of an event."""

    verdict: Said
    """`impossible`: what came up cannot have come up."""
    rule: str | None = None
    """The rulebook's heading, where it is not legal."""
    reason: str | None = None
    """The sentence that a player reads, where it is not legal."""


class Difference(msgspec.Struct, frozen=True, rename={"is_": "is"}):
    """An event of which other rules say something else, or after which they leave another table."""

    seq: int
    turn: int
    was: Ruling
    """What the record's own rules say."""
    is_: Ruling
    """What the other rules say."""
    patch: tuple[dict[str, Any], ...]
    """How the state after it, as everyone may see it, differs: a JSON Patch (RFC 6902) from the one to the other."""
    message: str
    """For people."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A record under other rules."""

    recorded: str
    """The version by which it was recorded."""
    replayed: str
    """The version by which it was replayed."""
    message: str
    """For people."""
    first: Difference | None
    """Where the two part; None where they never do."""
    verdicts: int
    """How many events are judged otherwise."""
    states: int
    """After how many events the table is another one."""
    differences: tuple[Difference, ...]
    """Each event that is judged otherwise, or after which the difference of the tables is not what it was before."""


def reader(header: Header, version: str) -> AnyRuleset:
    """The version of a game's ruleset that is to judge it.

    Raises:
        Malformed: it is not installed, or does not read such records; the pointer is `/rules`.
    """
    id_, own = header.ruleset, header.ruleset_version
    known = [one for one in registry.versions(id_) if one == own or own in registry.ruleset(id_, one).reads_versions]
    if version not in known:
        message = say(
            "no version {version} of {ruleset} reads this record; these do: {known}",
            version=repr(version),
            ruleset=id_,
            known=", ".join(known),
        )
        raise Malformed("/rules", message)
    return registry.ruleset(id_, version)


def upcast(rules: AnyRuleset, version: str, entry: Draft) -> Draft:
    """`entry`, recorded under that version of them, as `rules` know it; what an amend brings is an entry, too."""
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
    """Reads a log beside its own history, and notes where the other rules part from it."""

    def __init__(self, header: Header, version: str) -> None:
        """
        Raises:
            Malformed: the other rules cannot read this record.
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
        """The next event from the second on; `own` has played it already."""
        was = _ruling(own.judgements.get(event.seq))
        is_ = self._judged(event)
        table = belief.seen(own.rules.ruleset, own.states[-1])
        other = belief.seen(self._ruleset, self._history.states[-1])
        patch = differences(*_shared(table, other))
        self._states += bool(patch)
        is_judged_otherwise = (was.verdict, was.rule) != (is_.verdict, is_.rule)
        self._verdicts += is_judged_otherwise
        if is_judged_otherwise or patch != self._patch:
            message = _message(self._ruleset, event, was, is_, patch, is_judged_otherwise=is_judged_otherwise)
            self._found.append(Difference(event.seq, event.turn, was, is_, patch, message))
        self._patch = patch

    def finish(self) -> Comparison:
        """Where the two part."""
        own, other = self._own.ruleset_version, self._ruleset.version
        message = say("By version {other} of the rules {parts}", other=other, parts=self._parts(own))
        message += say("; event {seq} is the first.", seq=self._found[0].seq) if self._found else "."
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
            parts.append(say("{events} judged otherwise than by version {own}", events=events, own=own))
        if self._states:
            parts.append(say("{events} followed by another table", events=_events(self._states)))
        return listed(parts) or say("every event is judged as by version {own}", own=own)

    def _judged(self, event: Event) -> Ruling:
        """Play the event by the other rules, come what may."""
        draft = Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes)
        history, chance = self._history, Recorded()
        state = history.states[-1]
        judgement: Judgement | None
        try:
            draft = upcast(self._ruleset, self._own.ruleset_version, draft)
            after, _, judgement = history.rules.play(state, draft, event.seq, chance, history)
            chance.finish()
        except EngineError as error:
            ruling, after = _refused(self._ruleset, error), state
            judgement = Judgement("illegal", ruling.rule or "", ruling.reason or "", has_effect=False)
        else:
            ruling = _ruling(judgement)
        history.add(draft, after, judgement)
        return ruling


def _shared(table: dict[str, Any] | None, other: dict[str, Any] | None) -> tuple[Any, Any]:
    """Of two states what both versions know: not what one of them keeps besides, nor what was chosen before."""
    if table is None or other is None:
        return table, other
    shared = (table.keys() & other.keys()) - {"options"}
    return {name: table[name] for name in shared}, {name: other[name] for name in shared}


def _events(count: int) -> str:
    return say("one event is") if count == 1 else say("{count} events are", count=count)


def _ruling(judgement: Judgement | None) -> Ruling:
    return Ruling("legal") if judgement is None else Ruling(judgement.verdict, judgement.rule, judgement.reason)


def _refused(ruleset: AnyRuleset, error: EngineError) -> Ruling:
    match error:
        case IllegalAction():
            return Ruling("illegal", error.rule, error.message)
        case ImpossibleOutcome() | OutcomeRequired():
            return Ruling("impossible", lifecycle.RULE, sentence(ruleset.account(error)))
        case _:
            return Ruling("illegal", lifecycle.RULE, sentence(str(error)))


def sentence(text: str) -> str:
    """`text` with a capital at its beginning and a mark at its end."""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")


def _message(
    ruleset: AnyRuleset,
    event: Event,
    was: Ruling,
    is_: Ruling,
    patch: tuple[dict[str, Any], ...],
    *,
    is_judged_otherwise: bool,
) -> str:
    named = say("Event {seq} ({type})", seq=event.seq, type=called(ruleset, event.type))
    if is_judged_otherwise:
        told = say("{event} was {was}, and is {now}", event=named, was=judged(was.verdict), now=judged(is_.verdict))
        told += f": {is_.reason} ({say(is_.rule or '')})" if is_.reason is not None else ""
    else:
        told = say("{event} is judged the same", event=named)
    told = told.rstrip(".")
    if not patch:
        return say("{told}; the table is the same.", told=told)
    if not patch[0]["path"]:
        return say("{told}; only by one of them the table is set up.", told=told)
    places = ", ".join(dict.fromkeys(operation["path"].split("/")[1] for operation in patch))
    return say("{told}; the table differs in {places}.", told=told, places=places)
