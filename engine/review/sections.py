"""The sections of an audit other than findings: corrections, verdicts and luck, computed from a replayed log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, get_args

import msgspec

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Judgement, State, Value, Verdict
from engine.kit.chance import Recorded, V
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.adjusting import changes
from engine.play.fold import History
from engine.play.judge import SPENT
from engine.play.legality import HOUSE_RULE
from engine.play.line import Entry, Line, with_before
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.review import findings, skipped
from engine.review.accounts import Accounts
from engine.review.luck import Luck, RecordedDraw, luck
from engine.review.report import Adjustment, Finding, HouseRuleUsed, Period, Quote, RuleVerdicts, Verdicts
from engine.review.words import capital, recorder

_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class RecordingChance(Recorded):
    """Source of chance that replays outcomes, and stores the options of each draw."""

    __slots__ = ("drawn", "seq")

    def __init__(self) -> None:
        super().__init__()
        self.seq = 0
        self.drawn: list[tuple[int, int, RecordedDraw]] = []
        """Each draw, with the number of the event and the index in the event. Unknown results are omitted."""

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None:
        super().begin(seq, reported)
        self.seq = seq

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        position = self._position
        value = super().draw(name, options)
        self.drawn.append((self.seq, position, RecordedDraw(name, tuple(options), value)))
        return value


def verdicts(history: History, line: Line, closed: Collection[int]) -> tuple[Verdicts, tuple[RuleVerdicts, ...]]:
    """Count the verdicts on the events of `line`, in total and by rule.

    Args:
        closed: the events that still hide something. They are ignored, because a verdict would reveal what they hide.
    """
    ruleset = history.rules.ruleset
    total: Counter[Verdict] = Counter()
    by_rule: dict[str, Counter[Verdict]] = {rule: Counter() for rule in ruleset.sections}
    for slot in line:
        if slot.entry is not None and slot.source not in closed:
            verdict: Verdict = slot.judgement.verdict if slot.judgement is not None else "legal"
            total[verdict] += 1
            rule = _rule(ruleset, slot.entry, slot.judgement)
            if rule is not None:
                by_rule.setdefault(rule, Counter())[verdict] += 1
    applied = (RuleVerdicts(rule, *map(counts.__getitem__, _VERDICTS)) for rule, counts in by_rule.items() if counts)
    return Verdicts(*map(total.__getitem__, _VERDICTS)), tuple(applied)


def _rule(ruleset: AnyRuleset, entry: Entry, judgement: Judgement | None) -> str | None:
    """Return the rulebook heading of an entry; None if the entry is only about the record."""
    if skipped.is_unnoticed_end(entry) and judgement is not None:
        return judgement.rule
    if entry.type == lifecycle.LEFT_OUT:
        return ruleset.step(entry.params["step"]).rule
    kind = ruleset.kind(entry.type)
    return None if kind is None else kind.rule


def adjustments(history: History, events: Sequence[Event], line: Line, accounts: Accounts) -> tuple[Adjustment, ...]:
    """Return every adjustment of a replayed log: the adjustments in `line`, and superseded adjustments."""
    found = [
        _with_account(_adjustment(history, slot.number, before, slot.entry.params, stands=True), accounts, events)
        for before, slot in with_before(line)
        if slot.entry is not None and slot.entry.type == "adjust"
    ]
    standing = {slot.source for slot in line}
    found += [
        _adjustment(history, event.seq, history.states[event.seq - 1], event.params, stands=False)
        for event in events
        if event.type == "adjust" and event.seq not in standing
    ]
    return tuple(sorted(found, key=lambda one: one.seq))


def _adjustment(history: History, seq: int, before: Any, params: dict[str, Any], *, stands: bool) -> Adjustment:
    names = history.rules.header.names_at(before)
    adjust = msgspec.convert(params, lifecycle.Adjust)
    agreed = tuple(names[SEAT_INDEX[seat]] for seat in adjust.agreeing)
    message = findings.describe_adjustment(seq, params)
    if not stands:
        message += " " + say("It is no longer in effect.")
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
        period=period_of(history, before),
    )


def _with_account(adjustment: Adjustment, accounts: Accounts, events: Sequence[Event]) -> Adjustment:
    event = events[accounts.source(adjustment.seq) - 1]
    before, after, changed = accounts.adjustment(adjustment.seq)
    return msgspec.structs.replace(
        adjustment,
        before=before,
        after=after,
        changed=changed,
        recorded_at=event.recorded_at,
        recorded_by=recorder(event),
    )


MOST_REMARKS = 100
"""Maximum number of notes in a report, and of moves listed for a house rule."""


def house_rules(line: Line, closed: Collection[int], accounts: Accounts) -> tuple[HouseRuleUsed, ...]:
    """Return each house rule of a line, with the moves that it made legal.

    Args:
        closed: the events that still hide something. They are ignored.
    """
    used: dict[str, list[Quote]] = {}
    for _, slot in with_before(line):
        judgement = slot.judgement
        if judgement is not None and judgement.rule == HOUSE_RULE and slot.source not in closed:
            moves = used.setdefault(judgement.reason, [])
            moves += [accounts.quote(slot.number)] if len(moves) < MOST_REMARKS else []
    agreed = [slot for slot in line if slot.entry is not None and slot.entry.type == lifecycle.HOUSE_RULE]
    found = []
    for slot in agreed:
        assert slot.entry is not None
        text = slot.entry.params["text"]
        at = accounts.quote(slot.number, text)
        allowed, overrides = tuple(used.pop(text, ())), slot.entry.params.get("overrides")
        rule_text = None if overrides is None else accounts.rule_text(overrides)
        found.append(HouseRuleUsed(text, at.seq, at.turn, at.period, allowed, overrides, rule_text))
    return tuple(found)


def remarks(line: Line, closed: Collection[int], accounts: Accounts) -> tuple[Quote, ...]:
    """Return all notes that the players wrote, including notes on other events."""
    found: list[Quote] = []
    for slot in line:
        entry = slot.entry
        if entry is None or slot.source in closed or len(found) == MOST_REMARKS:
            continue
        text = entry.params.get("text") if entry.type == "annotate" else entry.note
        if text and text != SPENT:
            found.append(accounts.quote(slot.number, text))
    return tuple(found)


def seats_changed(line: Line, accounts: Accounts) -> Iterator[str]:
    """Yield a note on each player who left or joined, so that readers know every name."""
    for slot in line:
        if slot.entry is not None and slot.entry.type in {lifecycle.SEAT_LEFT, lifecycle.SEAT_JOINED}:
            quote = accounts.quote(slot.number)
            yield f"{capital(quote.period)}: {quote.message}"


def periods(ruleset: AnyRuleset, line: Line, found: Sequence[Finding]) -> tuple[Period, ...]:
    """Return the turns of a line, or the rounds if its players count rounds."""
    ended = min((one.seq for one in found if one.played_until is not None), default=None)
    periods: list[Period] = []
    for before, slot in with_before(line):
        if before is None or slot.entry is None:
            continue
        # A turn can consist of a skipped step only.
        if not (skipped.is_move(slot) or skipped.is_skip(slot) or slot.entry.type == "adjust"):
            continue
        table = likeliest(before)
        number = getattr(table, ruleset.period)
        if number and (not periods or periods[-1].number != number):
            seat = SEAT_IDS[ruleset.active(table)] if ruleset.period == "turn" else None
            is_after = ended is not None and slot.number > ended
            periods.append(Period(ruleset.period_of(table), number, seat, slot.number, is_after))
    return tuple(periods)


def add_periods(history: History, line: Line, found: Sequence[Finding]) -> Sequence[Finding]:
    """Return findings with their turn or round, as far as the log can be replayed."""
    tables = {slot.number: before for before, slot in with_before(line)}
    told = []
    for one in found:
        if one.seq in tables or 0 < one.seq <= len(history.states):
            table = tables[one.seq] if one.seq in tables else history.states[one.seq - 1]
            one = msgspec.structs.replace(one, period=period_of(history, table))  # noqa: PLW2901
        told.append(one)
    return told


def period_of(history: History, table: State | None) -> str:
    """Return the turn or round of a table, which can be partly unknown."""
    return history.rules.ruleset.period_of(likeliest(table))


def fortune(history: History, line: Line) -> Luck:
    """Compare the results on `line` with their probabilities."""
    witness, header = RecordingChance(), history.rules.header
    rules, keeping = (Rules(header, is_lenient=True, keeps_turn=keeps_turn) for keeps_turn in (False, True))
    for before, slot in with_before(line):
        has_effect = slot.judgement is None or slot.judgement.has_effect
        # Most entries need no result.
        if slot.entry is not None and slot.entry.outcomes and has_effect:
            (keeping if slot.keeps_turn else rules).play(before, slot.entry, slot.number, witness, KnownPast())
    return luck([draw for _, _, draw in witness.drawn], history.rules.ruleset.value_label)


def unseen(line: Line, accounts: Accounts) -> Iterator[str]:
    """Yield the notes on unknown results in `line`, and on events that cannot be judged because of them."""
    count = sum(slot.entry.outcomes.count(None) for slot in line if slot.entry is not None)
    if count:
        yield say("Unknown results: {count}.", count=say("one") if count == 1 else count)
    for slot in line:
        judgement = slot.judgement
        if judgement is not None and judgement.verdict == "unknowable":
            quote = accounts.quote(slot.number)
            yield say(
                "{period}: “{told}” An unknown result decides if this was legal: {reason} ({rule})",
                period=capital(quote.period),
                told=quote.message,
                reason=judgement.reason,
                rule=say(judgement.rule),
            )
