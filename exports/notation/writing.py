"""Write a log in the notation, one turn per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.values import SEAT_INDEX, Value
from engine.kit.options import RULING, TITLES
from engine.kit.part_facts import camel
from engine.play.line import Entry
from engine.review.playing_time import began_at, retime_events
from exports.log import Log
from exports.notation import language
from exports.notation.spelling import Speller, quote
from exports.notation.words import BECAUSE, HAPPENED, Names, join_list

_ESCAPES = str.maketrans({"\\": "\\\\", "}": "\\}", "{": "\\{", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write(log: Log) -> Iterator[bytes]:
    """Write `log` in the notation.

    Raises:
        EngineError: the log does not begin with `game_opened`, or cannot be replayed.
    """
    return (piece.encode() for piece in _Writer(log).pieces())


class _LogFacts(msgspec.Struct):
    """Facts about a log that must be known before its first line is written."""

    named: set[int]
    """The events to which other events refer, so that they need labels."""
    first: Event
    last: Event
    seed: str | None


class _Writer:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._header = log.header()
        self._known = _look(log)
        self._ruleset = log.fold().ruleset
        self._language = language.of(self._ruleset)
        self._names = Names(self._header.names)
        self._acts = Acts(self._language, self._header)

    def pieces(self) -> Iterator[str]:
        for name, value in self._tags():
            yield f"[{name} {quote(value)}]\n"
        before: Event | None = None
        """The previous event, if the next action can be written on the same line."""
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
                yield f"\n{comment(event.params['text'])}{self._suffix(event)}"
                before = None
                continue
            if before is not None and _goes_on(before, event, self._known.named):
                # If the same action is taken twice in a row, write it once, with the results of both.
                yield f" & {self._acts.outcomes(event)}"
            else:
                is_new = before is None or event.turn != before.turn or before.type == lifecycle.SET_UP
                if is_new:
                    yield f"\n{event.turn}. " if event.turn else "\n"
                    actor = None
                is_plain = _is_of_last(event, act) and event.seq not in self._known.named
                # Without the name, an illegal action could be read as a legal action of another player.
                is_named = event.actor != actor or event.rule is not None
                text = "undo" if is_plain else self._acts.act(event, named=is_named)
                yield f"{'' if is_new else '; '}{text}"
            yield self._suffix(event)
            actor = event.actor or actor
            act, before = event.seq, event
        yield "\n"

    def _seed(self) -> Iterator[tuple[str, str]]:
        header, known = self._header, self._known
        if known.seed is not None:
            yield "Seed", known.seed
        elif header.seed_commitment is not None:
            yield "SeedCommitment", header.seed_commitment
        if header.seed_chosen:
            yield "SeedChosen", "yes"
        if header.seed_shares:
            yield "SeedShares", join_list(header.seed_shares)

    def _tags(self) -> Iterator[tuple[str, str]]:
        header, known = self._header, self._known
        game = self._log.fold()
        outcome, played_at = game.outcome, game.details.played_at or began_at(retime_events(self._log.events))
        yield "Game", self._ruleset.name
        yield "Rules", f"{header.ruleset} {header.ruleset_version}"
        yield "Event", game.details.title or "?"
        yield "Site", game.details.place or "?"
        yield "Date", played_at[:10].replace("-", ".")
        yield "Players", join_list(header.names)
        yield "Result", "*" if outcome is None else outcome.result
        if outcome is not None and outcome.result != "abandoned":
            yield "Ending", outcome.reason.replace("_", " ")
            if outcome.winners:
                yield "Winners", join_list(self._names.spell(SEAT_INDEX[seat]) for seat in outcome.winners)
            if outcome.by_hand:
                yield "ByHand", "yes"
        yield from self._options(header.options)
        yield "Chance", header.chance
        yield from self._seed()
        yield "Mode", header.mode.replace("_", " ")
        if header.corrections is not None:
            yield "Corrections", header.corrections
        if header.tags:
            yield "Tags", join_list(header.tags)
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
                yield camel(name), self._acts.speller.value(schema, root, value)

    def _suffix(self, event: Event) -> str:
        """Return the text after an action: `anyway`, its label, its time and its note."""
        text = ""
        if self._language.verbs[event.type].is_action:
            text += f" {HAPPENED}" if event.verdict in {"illegal", "unknowable"} else ""
        text += self._acts.because(event)
        if event.seq in self._known.named:
            text += f" #{event.seq}"
        return text + notes(event)


class Acts:
    """Writes the actions and corrections of a game."""

    def __init__(self, own: language.Language, header: Header) -> None:
        names = Names(header.names)
        self.speller = Speller(own, names)
        self._language = own
        self._names = names
        self._header = header

    def act(self, entry: Entry, *, named: bool = True) -> str:
        """Return the text of an event, without its note."""
        who = f"{self._names.spell(SEAT_INDEX[entry.actor])}: " if named and entry.actor else ""
        if entry.type == "amend":
            return who + self._amend(entry.params)
        verb = self._language.verbs[entry.type]
        text = "Set up" if entry.type == lifecycle.SET_UP else " ".join(verb.words)
        text += self.speller.params(verb, entry.params)
        if not entry.outcomes:
            return who + text
        is_grouped = entry.type == lifecycle.SET_UP and not entry.params
        return f"{who}{text} = {self._parts(entry) if is_grouped else self.outcomes(entry)}"

    def _parts(self, entry: Entry) -> str:
        """Return the results of a setup. Each part of the setup is on its own line."""
        names = set_up_groups(self._header, self._language.ruleset, entry.outcomes)
        lines: list[tuple[str, list[str]]] = []
        for index, one in enumerate(entry.outcomes):
            name = names[index] if index < len(names) else ""
            if not lines or lines[-1][0] != name:
                lines.append((name, []))
            lines[-1][1].append(self.speller.outcome(one))
        return "\n/ ".join(f"{name}: {', '.join(ones)}" if name else ", ".join(ones) for name, ones in lines)

    def outcomes(self, entry: Entry) -> str:
        """Return the results of an event."""
        return ", ".join(map(self.speller.outcome, entry.outcomes))

    def _amend(self, params: dict[str, Any]) -> str:
        amend = msgspec.convert(params, lifecycle.Amend)
        if amend.remove:
            text = f"remove #{amend.seq}"
        else:
            assert amend.draft is not None
            # A line cannot end within brackets.
            inner = self.act(amend.draft).replace("\n/ ", ", ") + self.because(amend.draft) + notes(amend.draft)
            text = f"{'insert before' if amend.insert is not None else 'amend'} #{amend.seq} ({inner})"
        return f"{text} accept broken" if amend.accept_broken else text

    def because(self, entry: Entry) -> str:
        """Return the text of an event's explanation, if it has one."""
        if not entry.explanation:
            return ""
        return f" {BECAUSE}{self.speller.params(language.explanation(), msgspec.to_builtins(entry.explanation))}"


def notes(entry: Entry) -> str:
    """Return the text of an event's time and note, which follows the action."""
    text = f" @{entry.occurred_at}" if entry.occurred_at is not None else ""
    return text + (f" {comment(entry.note)}" if entry.note is not None else "")


def set_up_groups(header: Header, ruleset: Any, given: tuple[Value | None, ...]) -> list[str]:
    """Return the group of each result of the setup, as far as the results in `given` determine it."""
    options = ruleset.parse_options(header.options, len(header.seats))
    return [prompt.group for prompt in ruleset.setup_prompts(options, header.names, given)]


def _look(log: Log) -> _LogFacts:
    labels: set[int] = set()
    while True:
        known, plain = _look_once(log, labels)
        if known.named.isdisjoint(plain):
            return known
        # Events that need labels are written in full. This can change the text of later events, so read again.
        labels = known.named


def _look_once(log: Log, labels: Set[int]) -> tuple[_LogFacts, set[int]]:
    """Read a log once. Return the facts about it, and the events that need no text of their own.

    Marks, and undos of the previous action, need no text unless they have a label. `labels` are the labels known so
    far; this function may find more.
    """
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
    # The label of event 1 is always #1.
    return _LogFacts(named - {1}, first, last, seed), plain


def _names(event: Event) -> Iterator[int]:
    """Yield the events to which an event refers: in its params, in a draft within it, or in an explanation."""
    yield from event.explanation.events if event.explanation else ()
    brought = event.params.get("event") or event.params.get("insert") or {} if event.type == "amend" else {}
    for type_, params in ((event.type, event.params), (brought.get("type"), brought.get("params", {}))):
        match type_:
            case "undo":
                yield params["to"]
            case "amend" | "reveal" | "annotate" if "seq" in params:
                yield params["seq"]
    yield from brought.get("explanation", {}).get("events", ())


def _is_mark(event: Event, last: int) -> bool:
    """Return True if the event only marks the previous action."""
    is_of_last = event.type == "annotate" and event.params.keys() == {"mark", "seq"} and event.params["seq"] == last
    return is_of_last and event.note is None and event.occurred_at is None


def _is_remark(event: Event) -> bool:
    is_text = event.type == "annotate" and event.params.keys() == {"text"}
    return is_text and event.note is None and event.occurred_at is None


def _is_of_last(event: Event, last: int) -> bool:
    """Return True if the event only undoes the previous action."""
    return event.type == "undo" and event.params["to"] == last - 1 and last > 1


def _goes_on(before: Event, event: Event, named: set[int]) -> bool:
    """Return True if `event` can continue the line of `before`.

    It must repeat the same action, without other text in between.
    """
    return (
        (before.type, before.actor, before.params, before.verdict, before.explanation, event.explanation)
        == (event.type, event.actor, event.params, event.verdict, None, None)
        and bool(before.outcomes and event.outcomes)
        and before.note is None
        and before.occurred_at is None
        and before.seq not in named
        and before.verdict in {None, "legal"}
    )


def comment(text: str) -> str:
    """Return a text as a comment of the notation, with special characters escaped."""
    escaped = text.translate(_ESCAPES)
    for end in (0, -1):
        if escaped[end:][:1] == " ":
            escaped = f"\\_{escaped[1:]}" if end == 0 else f"{escaped[:-1]}\\_"
    return f"{{{escaped}}}"
