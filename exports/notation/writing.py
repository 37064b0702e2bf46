"""Writing: a log in the notation, a turn a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.values import SEAT_INDEX, Value
from engine.kit.options import RULING, TITLES
from engine.play.line import Entry
from engine.review.playing_time import began_at
from exports.log import Log, chunks
from exports.notation import language
from exports.notation.spelling import Speller
from exports.notation.words import HAPPENED, Names, joined

_ESCAPES = str.maketrans({"\\": "\\\\", "}": "\\}", "{": "\\{", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write(log: Log) -> Iterator[bytes]:
    """`log` in the notation.

    Raises:
        EngineError: the log does not begin with `game_opened`, or does not replay.
    """
    return chunks(piece.encode() for piece in _Writer(log).pieces())


class _Known(msgspec.Struct):
    """What has to be known of a log before its first line is written."""

    named: set[int]
    """The events that others name."""
    first: Event
    last: Event
    seed: str | None


class _Writer:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._header = log.header()
        self._known = _look(log)
        self._ruleset = log.folded().ruleset
        self._language = language.of(self._ruleset)
        self._names = Names(self._header.names)
        self._speller = Speller(self._language, self._names)

    def pieces(self) -> Iterator[str]:
        for name, value in self._tags():
            yield f"[{name} {_tag_value(value)}]\n"
        before: Event | None = None
        """The one before, where what follows may go on in its line."""
        act = 0
        actor: str | None = None
        for event in map(self._log.show, self._log.events):
            if event.type in {lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED}:
                continue
            if _is_mark(event, act) and event.seq not in self._known.named:
                yield f" {event.params['mark']}"
                before = before and event
                continue
            if _is_remark(event):
                yield f"\n{_comment(event.params['text'])}{self._suffix(event)}"
                before = None
                continue
            if before is not None and _goes_on(before, event, self._known.named):
                # What came up twice running is told in one breath.
                yield f" & {self._outcomes(event)}"
            else:
                is_new = before is None or event.turn != before.turn or before.type == lifecycle.SET_UP
                if is_new:
                    yield f"\n{event.turn}. " if event.turn else "\n"
                    actor = None
                is_plain = _is_of_last(event, act) and event.seq not in self._known.named
                text = "undo" if is_plain else self._act(event, named=event.actor != actor)
                yield f"{'' if is_new else '; '}{text}"
            yield self._suffix(event)
            actor = event.actor or actor
            act, before = event.seq, event
        yield "\n"

    def _tags(self) -> Iterator[tuple[str, str]]:
        header, known = self._header, self._known
        outcome = self._log.folded().outcome
        yield "Game", self._ruleset.name
        yield "Rules", f"{header.ruleset} {header.ruleset_version}"
        yield "Event", "?"
        yield "Site", "?"
        yield "Date", began_at(self._log.events)[:10].replace("-", ".")
        yield "Players", joined(header.names)
        yield "Result", "*" if outcome is None else outcome.result
        if outcome is not None and outcome.result != "abandoned":
            yield "Ending", outcome.reason.replace("_", " ")
            if outcome.winners:
                yield "Winners", joined(self._names.spelled(SEAT_INDEX[seat]) for seat in outcome.winners)
        yield from self._options(header.options)
        yield "Chance", header.chance
        if known.seed is not None:
            yield "Seed", known.seed
        elif header.seed_commitment is not None:
            yield "SeedCommitment", header.seed_commitment
        yield "Mode", header.mode.replace("_", " ")
        if header.corrections is not None:
            yield "Corrections", header.corrections
        if header.tags:
            yield "Tags", joined(header.tags)
        if header.fork is not None:
            yield "Fork", json.dumps(msgspec.to_builtins(header.fork), ensure_ascii=False)
        if known.first.recorded_by is not None:
            yield "Recorder", known.first.recorded_by
        yield "Hash", known.last.hash

    def _options(self, options: dict[str, Any]) -> Iterator[tuple[str, str]]:
        root = self._language.options
        for name, value in options.items():
            schema = root["properties"].get(name, {})
            is_usual = schema.get("default") == value and (TITLES not in schema or RULING in schema)
            if not is_usual:
                yield camel(name), self._speller.value(schema, root, value)

    def _act(self, entry: Entry, *, named: bool) -> str:
        """An event as it is written, without what was noted of it."""
        who = f"{self._names.spelled(SEAT_INDEX[entry.actor])}: " if named and entry.actor else ""
        if entry.type == "amend":
            return who + self._amend(entry.params)
        verb = self._language.verbs[entry.type]
        text = " ".join(verb.words)
        if entry.type == lifecycle.SET_UP:
            text = "Set up"
        text += self._speller.params(verb, entry.params)
        if not entry.outcomes:
            return who + text
        said = self._set_up(entry) if entry.type == lifecycle.SET_UP else self._outcomes(entry)
        return f"{who}{text} = {said}"

    def _outcomes(self, entry: Entry) -> str:
        return ", ".join(map(self._speller.outcome, entry.outcomes))

    def _set_up(self, entry: Entry) -> str:
        """The outcomes of a set-up, each group of them on a line of its own."""
        said = list(map(self._speller.outcome, entry.outcomes))
        if entry.params:
            return ", ".join(said)
        lines: list[tuple[str, list[str]]] = []
        for group, one in zip(groups(self._log, entry.outcomes), said, strict=True):
            if not lines or lines[-1][0] != group:
                lines.append((group, []))
            lines[-1][1].append(one)
        return "\n/ ".join(f"{group}: {', '.join(ones)}" if group else ", ".join(ones) for group, ones in lines)

    def _amend(self, params: dict[str, Any]) -> str:
        amend = msgspec.convert(params, lifecycle.Amend)
        if amend.remove:
            text = f"remove #{amend.seq}"
        else:
            assert amend.draft is not None
            # Within brackets a line does not end.
            inner = self._act(amend.draft, named=True).replace("\n/ ", ", ") + self._notes(amend.draft)
            text = f"{'insert before' if amend.insert is not None else 'amend'} #{amend.seq} ({inner})"
        return f"{text} accept broken" if amend.accept_broken else text

    def _suffix(self, event: Event) -> str:
        """What stands after an act: that it happened all the same, its label, when it was, what was noted."""
        text = ""
        if self._language.verbs[event.type].is_action:
            text += f" {HAPPENED}" if event.verdict in {"illegal", "unknowable"} else ""
        if event.seq in self._known.named:
            text += f" #{event.seq}"
        return text + self._notes(event)

    def _notes(self, entry: Entry) -> str:
        text = f" @{entry.occurred_at}" if entry.occurred_at is not None else ""
        return text + (f" {_comment(entry.note)}" if entry.note is not None else "")


def groups(log: Log, outcomes: tuple[Value | None, ...]) -> list[str]:
    """What each outcome of a set-up belongs to: 'The island'."""
    header, ruleset = log.header(), log.folded().ruleset
    prompts = set_up_groups(header, ruleset, outcomes)
    return [prompts[index] if index < len(prompts) else "" for index in range(len(outcomes))]


def set_up_groups(header: Header, ruleset: Any, given: tuple[Value | None, ...]) -> list[str]:
    """The groups of what the set-up asks, as far as it can be foreseen once `given` came up."""
    options = ruleset.parse_options(header.options, len(header.seats))
    return [prompt.group for prompt in ruleset.setup_prompts(options, header.names, given)]


def camel(name: str) -> str:
    """An option's name as that of a tag: `ExtraTime`."""
    return "".join(part.capitalize() for part in name.split("_"))


def _look(log: Log) -> _Known:
    labels: set[int] = set()
    while True:
        known, plain = _look_once(log, labels)
        if known.named.isdisjoint(plain):
            return known
        # With a label it is an act of its own, which changes what the acts after it say.
        labels = known.named


def _look_once(log: Log, labels: Set[int]) -> tuple[_Known, set[int]]:
    """Return what has a label where at least `labels` have one; and the marks and undos that say no more than that."""
    named, plain = set(labels), set[int]()
    seed: str | None = None
    first = last = next(iter(log.events))
    act = 0
    for event in log.events:
        last = event
        if event.type == lifecycle.GAME_CLOSED:
            seed = event.params.get("seed")
        elif _is_mark(event, act) and event.seq not in labels:
            plain.add(event.seq)
        else:
            if _is_of_last(event, act) and event.seq not in labels:
                plain.add(event.seq)
            else:
                named.update(_names(event))
            act = act if _is_remark(event) else event.seq
    # Event 1 is nobody's to label: it is #1.
    return _Known(named - {1}, first, last, seed), plain


def _names(event: Event) -> Iterator[int]:
    """The events that an event names, itself or in what it brings."""
    brought = event.params.get("event") or event.params.get("insert") or {} if event.type == "amend" else {}
    for type_, params in ((event.type, event.params), (brought.get("type"), brought.get("params", {}))):
        match type_:
            case "undo":
                yield params["to"]
            case "amend" | "reveal" | "annotate" if "seq" in params:
                yield params["seq"]


def _is_mark(event: Event, last: int) -> bool:
    """Whether it says no more than what is thought of the act before it."""
    is_of_last = event.type == "annotate" and event.params.keys() == {"mark", "seq"} and event.params["seq"] == last
    return is_of_last and event.note is None and event.occurred_at is None


def _is_remark(event: Event) -> bool:
    is_text = event.type == "annotate" and event.params.keys() == {"text"}
    return is_text and event.note is None and event.occurred_at is None


def _is_of_last(event: Event, last: int) -> bool:
    """Whether it takes back the act before it, and no more."""
    return event.type == "undo" and event.params["to"] == last - 1 and last > 1


def _goes_on(before: Event, event: Event, named: set[int]) -> bool:
    """Whether it is the same as the act before it, and nothing is told of that one."""
    return (
        (before.type, before.actor, before.params, before.verdict)
        == (event.type, event.actor, event.params, event.verdict)
        and bool(before.outcomes and event.outcomes)
        and before.note is None
        and before.occurred_at is None
        and before.seq not in named
        and before.verdict in {None, "legal"}
    )


def _comment(text: str) -> str:
    escaped = text.translate(_ESCAPES)
    for end in (0, -1):
        if escaped[end:][:1] == " ":
            escaped = f"\\_{escaped[1:]}" if end == 0 else f"{escaped[:-1]}\\_"
    return f"{{{escaped}}}"


def _tag_value(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
