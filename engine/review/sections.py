"""What an audit tells besides its findings, worked out from a log that was played: corrections, verdicts, luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, cast, get_args

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import marked, plural, say
from engine.core.values import SEAT_INDEX, Value, Verdict
from engine.kit.chance import Recorded, V
from engine.kit.ruleset import AnyRuleset
from engine.kit.words import counted
from engine.play.corrections.adjusting import changes
from engine.play.fold import History
from engine.play.line import Entry, Line, Slot
from engine.play.past import Known
from engine.play.rules import Rules
from engine.review import findings
from engine.review.luck import Draw, Luck, luck
from engine.review.report import Adjustment, Correcting, Correction, RuleVerdicts, Verdicts
from engine.review.turns import narrate_line
from engine.review.words import listed

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Witness(Recorded):
    """Replays outcomes and remembers among what they came up."""

    __slots__ = ("drawn", "seq")

    def __init__(self) -> None:
        super().__init__()
        self.seq = 0
        self.drawn: list[tuple[int, int, Draw]] = []
        """Each draw, after the event that it is of and its position there; none where something is unseen."""

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        super().begin(seq, reported)
        self.seq = seq

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        position = self._position
        value = super().draw(name, options)
        self.drawn.append((self.seq, position, Draw(name, tuple(options), value)))
        return value


def verdicts(history: History, line: Line, closed: Collection[int]) -> tuple[Verdicts, tuple[RuleVerdicts, ...]]:
    """How the events of `line` were judged, in all and by rule.

    Args:
        closed: the events that hide something still: what the rules say of these would tell it.
    """
    ruleset = history.rules.ruleset
    total: Counter[Verdict] = Counter()
    by_rule: dict[str, Counter[Verdict]] = {rule: Counter() for rule in ruleset.sections}
    for slot in line:
        if slot.entry is not None and slot.source not in closed:
            verdict: Verdict = slot.judgement.verdict if slot.judgement is not None else "legal"
            total[verdict] += 1
            rule = _rule(ruleset, slot.entry)
            if rule is not None:
                by_rule.setdefault(rule, Counter())[verdict] += 1
    applied = (RuleVerdicts(rule, *map(counts.__getitem__, _VERDICTS)) for rule, counts in by_rule.items() if counts)
    return Verdicts(*map(total.__getitem__, _VERDICTS)), tuple(applied)


def _rule(ruleset: AnyRuleset, entry: Entry) -> str | None:
    """The rulebook's heading that governs an entry; None where it is a matter of the record alone."""
    if entry.type == lifecycle.LEFT_OUT:
        return ruleset.step(entry.params["step"]).rule
    kind = ruleset.kind(entry.type)
    return None if kind is None else kind.rule


def corrections(history: History, events: Sequence[Event]) -> tuple[Correction, ...]:
    """Every undo, amend and reveal of a log that was played, in order."""
    return tuple(_correction(history, events, event) for event in events if event.type in lifecycle.CORRECTING)


def _correction(history: History, events: Sequence[Event], event: Event) -> Correction:
    before, after = history.line(event.seq - 1), history.line(event.seq)
    # Dicts, for their order.
    stood = dict.fromkeys(slot.number for slot in before if slot.entry is not None)
    stands = dict.fromkeys(slot.number for slot in after if slot.entry is not None)
    took_off = tuple(place for place in stood if place not in stands)
    brought_back = tuple(place for place in stands if place not in stood and place != event.seq)
    impacts = history.impacts.get(event.seq)
    impact = Counter(() if impacts is None else impacts.effects())
    if event.type == "undo":
        message = _undo(event, before, took_off, brought_back)
    elif event.type == "amend":
        message = _amend(history, events, event, before, after)
    else:
        message = say(
            "Event {seq} says what nobody saw in event {about}: {value}.",
            seq=event.seq,
            about=event.params["seq"],
            value=_label(history, event),
        )
    if impact:
        effects = ", ".join(f"{count} {say(_EFFECTS[effect])}" for effect, count in impact.items())
        message += " " + say("Of what follows: {effects}.", effects=effects)
    type_ = cast("Correcting", event.type)
    return Correction(event.seq, event.turn, type_, took_off, brought_back, dict(impact), message)


_EFFECTS = {
    "unchanged": marked("unchanged"),
    "state_differs": marked("with another table after it"),
    "now_illegal": marked("now illegal"),
    "outcome_impossible": marked("with outcomes that are impossible now"),
}


def _undo(event: Event, before: Line, took_off: tuple[int, ...], brought_back: tuple[int, ...]) -> str:
    if not (took_off or brought_back):
        return say("Event {seq} takes back what changed nothing.", seq=event.seq)
    drawn = sum(len(slot.entry.outcomes) for slot in before if slot.entry is not None and slot.number in took_off)
    taken, brought = _listed(took_off), _listed(brought_back)
    if drawn:
        taken += " " + say("({outcomes} of chance among them)", outcomes=counted(drawn, "outcome"))
    if not brought_back:
        return say("Event {seq} takes back {taken}.", seq=event.seq, taken=taken)
    if not took_off:
        return say("Event {seq} brings back {brought}.", seq=event.seq, brought=brought)
    return say("Event {seq} takes back {taken} and brings back {brought}.", seq=event.seq, taken=taken, brought=brought)


def _amend(history: History, events: Sequence[Event], event: Event, before: Line, after: Line) -> str:
    place = event.params["seq"]
    was = _quoted(history, events, before, place)
    if event.params.get("remove"):
        return say("Event {seq} takes event {place} out: {was}.", seq=event.seq, place=place, was=was)
    if event.params.get("insert") is not None:
        quoted = _quoted(history, events, after, event.seq)
        return say("Event {seq} puts in, before event {place}: {told}.", seq=event.seq, place=place, told=quoted)
    return say(
        "Event {seq} writes event {place} anew: it was {was}, and is {now}.",
        seq=event.seq,
        place=place,
        was=was,
        now=_quoted(history, events, after, place),
    )


def _quoted(history: History, events: Sequence[Event], line: Line, place: int) -> str:
    """The sentence of the event that stands at `place` in `line`, as a part of one."""
    index = next(index for index, slot in enumerate(line) if slot.number == place)
    before = line[index - 1].after if index else None
    narrated = narrate_line(history.rules, history.rules.header, events, line[index : index + 1], before)
    if line[index].entry is None:
        return say("nothing")
    return say("“{sentence}”", sentence=narrated[-1].sentence.rstrip("."))


def _label(history: History, reveal: Event) -> str:
    return history.rules.ruleset.value_label(reveal.params["value"])


def adjustments(history: History, events: Sequence[Event], line: Line) -> tuple[Adjustment, ...]:
    """Every adjustment of a log that was played: those of `line`, and those that do not stand any more."""
    names = history.rules.header.names
    found = [
        _adjustment(slot.number, before, slot.entry.params, names, stands=True)
        for before, slot in _steps(line)
        if slot.entry is not None and slot.entry.type == "adjust"
    ]
    standing = {slot.source for slot in line}
    found += [
        _adjustment(event.seq, history.states[event.seq - 1], event.params, names, stands=False)
        for event in events
        if event.type == "adjust" and event.seq not in standing
    ]
    return tuple(sorted(found, key=lambda one: one.seq))


def _adjustment(seq: int, before: Any, params: dict[str, Any], names: Sequence[str], *, stands: bool) -> Adjustment:
    adjust = msgspec.convert(params, lifecycle.Adjust)
    agreed = tuple(names[SEAT_INDEX[seat]] for seat in adjust.agreeing)
    message = findings.adjusted(seq, params)
    if not stands:
        message += " " + say("It does not stand any more.")
    return Adjustment(
        seq,
        before.turn,
        adjust.reason,
        agreed,
        adjust.facts or (),
        adjust.patch or [],
        stands,
        message,
        changes=changes(params),
    )


def fortune(history: History, line: Line) -> Luck:
    """What came up on `line`, against its probabilities."""
    witness, rules = Witness(), Rules(history.rules.header, is_lenient=True)
    for before, slot in _steps(line):
        has_effect = slot.judgement is None or slot.judgement.has_effect
        # Most of what is done asks chance nothing.
        if slot.entry is not None and slot.entry.outcomes and has_effect:
            rules.play(before, slot.entry, slot.number, witness, Known())
    return luck([draw for _, _, draw in witness.drawn], history.rules.ruleset.value_label)


def unseen(line: Line) -> Iterator[str]:
    """What nobody saw in `line`, and what cannot be judged for it."""
    count = sum(slot.entry.outcomes.count(None) for slot in line if slot.entry is not None)
    if count:
        yield say("Nobody saw {count} of the outcomes.", count=say("one") if count == 1 else count)
    for slot in line:
        judgement = slot.judgement
        if judgement is not None and judgement.verdict == "unknowable":
            yield say(
                "Whether event {seq} was legal depends on what nobody saw: {reason} ({rule})",
                seq=slot.number,
                reason=judgement.reason,
                rule=say(judgement.rule),
            )


def _steps(line: Line) -> Iterator[tuple[Any, Slot]]:
    """Each place of `line`, after the state before it."""
    before = None
    for slot in line:
        yield before, slot
        before = slot.after


def _listed(places: Sequence[int]) -> str:
    """Places in words, those without a gap as a range."""
    ranges: list[list[int]] = []
    for place in places:
        if ranges and place == ranges[-1][-1] + 1:
            ranges[-1].append(place)
        else:
            ranges.append([place])
    words = [word for one in ranges for word in (map(str, one) if len(one) < 3 else [_range(one)])]
    return f"{plural(len(places), 'event', 'events')} {listed(words)}"


def _range(places: Sequence[int]) -> str:
    return say("{first} to {last}", first=places[0], last=places[-1])
