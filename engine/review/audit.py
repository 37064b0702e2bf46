"""The audit: replay a log and judge each event; bad data is a finding, never an exception."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Literal

import msgspec

from engine.core.errors import LogDoesNotVerify
from engine.core.events import Event
from engine.core.language import say
from engine.kit.words import counted
from engine.play.fold import History
from engine.play.game import Game
from engine.play.line import Line, with_before
from engine.play.visibility import unrevealed_events
from engine.review import corrected, findings, sections
from engine.review.accounts import Accounts
from engine.review.levels import SLIPS, is_clean, level_notes
from engine.review.redraws import find_redraws
from engine.review.report import Adjustment, Determinism, Finding, Level, Report
from engine.review.verifying import Verifier
from engine.review.versions import Replay
from engine.review.words import join_words, recorder, times


class Auditor(Verifier):
    """Reads a log event by event, and reports its findings.

    There are two kinds of findings. `failures` are errors in the log: a log with failures does not verify. Illegal
    events that were recorded with their verdict are only findings of the report.
    """

    def __init__(self, rules: str | None = None, *, imported: int = 0) -> None:
        """Start before the first event.

        Args:
            rules: the version of the rules to compare with; None: no comparison.
            imported: the number of events that were imported, not recorded here.
        """
        super().__init__()
        self._rules = rules
        self._imported = imported
        self._replayed: Replay | None = None

    def read(self, event: Event) -> None:
        """Judge the next event. If an earlier event could not be replayed, check only the hash chain.

        Raises:
            Malformed: the version of the rules to compare with cannot read this record.
        """
        count = len(self._events)
        super().read(event)
        if self._rules is None or self._history is None or len(self._events) == count:
            return
        if self._replayed is None:
            self._replayed = Replay(self._history.rules.header, self._rules)
        else:
            self._replayed.read(event, self._history)

    def finish(self) -> Report:
        """Return the report on all events read."""
        self.close()
        history, events = self._history, self._events
        if history is None:
            return self._summary(sorted(self.failures, key=_seq), self._level((), (), ()), has_late_steps=False)
        ruleset, line = history.rules.ruleset, history.mainline
        hidden = set(unrevealed_events(ruleset, events))
        accounts = Accounts(history, events, line)
        adjustments = sections.adjustments(history, events, line, accounts)
        told = (
            *_against_the_rules(history, events, line, hidden, accounts),
            *_unsound(history, line),
            *_redraw_findings(history, events),
        )
        level = self._level(line, told, adjustments)
        found = sections.add_periods(history, line, sorted([*self.failures, *told], key=_seq))
        verdicts, by_rule = sections.verdicts(history, line, hidden)
        return msgspec.structs.replace(
            self._summary(found, level, has_late_steps=accounts.has_late_steps),
            notes=(*self._notes(history, line, accounts), *level_notes(level, self.game)),
            events_by_verdict=verdicts,
            rules_applied=by_rule,
            by_the_rules=tuple(accounts.by_the_rules([one.seq for one in told if one.kind in SLIPS])),
            corrections=corrected.corrections(history, events),
            house_rules=sections.house_rules(line, hidden, accounts),
            remarks=sections.remarks(line, hidden, accounts),
            periods=sections.periods(ruleset, line, found),
            adjustments=adjustments,
            luck=sections.fortune(history, line),
            rules=None if self._replayed is None else self._replayed.finish(),
        )

    def _level(self, line: Line, told: Sequence[Finding], adjustments: Sequence[Adjustment]) -> Level:
        adjusted = sum(one.stands and one.changes for one in adjustments)
        return Level(
            by_the_rules=not (told or self.failures or adjusted),
            # An error in the log does not count as a slip, whatever its kind.
            slips=sum(one.kind in SLIPS for one in told),
            adjusted=adjusted,
            begun_mid_game=bool(line and line[0].entry is not None and line[0].entry.params.get("position")),
            imported=self._imported,
            broken=self._is_broken,
            house_rules=0 if self.game is None else len(self.game.details.house_rules),
            rules_checked=self._history is None or self._history.rules.ruleset.checks_rules,
        )

    def _summary(self, found: Sequence[Finding], level: Level, *, has_late_steps: bool) -> Report:
        """Return the report without the sections that need a replayed game."""
        verdict: Literal["clean", "findings"] = "clean" if is_clean(level) else "findings"
        return Report(
            verdict="broken" if self._is_broken else verdict,
            findings=tuple(found),
            head=self._head,
            events=self._read,
            message=self._message(found, level, has_late_steps=has_late_steps),
            determinism=self._determinism(),
            level=level,
        )

    def _message(self, found: Sequence[Finding], level: Level, *, has_late_steps: bool) -> str:
        if self._is_broken:
            first = min(self.failures, key=_seq)
            return say("The record is broken: event {seq} is the first wrong one.", seq=first.seq)
        read = {"events": self._read}
        if self._lacks_ruleset:
            return say(
                "The hash chain of {events} events is intact. The rules of this game are not installed "
                "here, so nothing else was checked.",
                **read,
            )
        if not found and not level.rules_checked:
            return say(
                "The record is valid: {events} events, and all are possible with the components of this game. "
                "No rules were checked.",
                **read,
            )
        if not found and not is_clean(level):
            return say(
                "The record is valid: {events} events, and every move is legal. See below how the record was made.",
                **read,
            )
        if not found and level.house_rules:
            return say("The record is valid: {events} events, all by the rules or by a house rule.", **read)
        if not found:
            return say("The record is valid: {events} events, all by the rules.", **read)
        others = len(found) - level.slips - sum(one.kind == "adjusted" for one in found)
        counts = [
            counted(level.slips, "slip") if level.slips else "",
            counted(level.adjusted, "change by hand", "changes by hand") if level.adjusted else "",
            counted(others, "thing to check", "things to check") if others else "",
        ]
        told = join_words([one for one in counts if one])
        message = say("The record can be replayed to its end, with {findings}.", findings=told)
        if has_late_steps:
            message += " " + say(
                "A late step is one slip, but two illegal events: it was skipped, and then made up for."
            )
        return message

    def _notes(self, history: History, line: Line, accounts: Accounts) -> Iterable[str]:
        header, ruleset = history.rules.header, history.rules.ruleset
        yield say(
            "Replayed by version {version} of the rules of {game}.", version=ruleset.version, game=say(ruleset.name)
        )
        if header.chance == "observed":
            yield say(
                "The players used their own cards and dice. The audit checks that every reported result was "
                "possible. It cannot prove that the results are real."
            )
        elif self.game is not None and self.game.outcome is not None and header.fork is not None:
            yield say(
                "The seed is revealed, and every draw after event {at} is checked against it. Earlier draws are not "
                "checked: they belong to an earlier game that this record claims to continue.",
                at=header.fork.at,
            )
        elif self.game is not None and self.game.outcome is not None:
            yield say("The seed is revealed, and every draw is checked against it.")
        else:
            yield say(
                "The seed is revealed when the game ends. Until then, the audit can only check that each "
                "result was possible."
            )
        if header.seed_chosen:
            by = recorder(self._events[0]) or say("the person who opened the game")
            yield say("The seed was chosen by {name}, who could know every draw.", name=by)
        if header.seed_shares:
            yield say(
                "The seed is mixed from {number} shares. Everyone who contributed a share can be sure that "
                "nobody else chose the seed.",
                number=len(header.seed_shares),
            )
        if header.mode == "as_played":
            yield say("Recorded as played: illegal actions stay in the record, each with its verdict.")
        yield from sections.seats_changed(line, accounts)
        yield from sections.unseen(line, accounts)

    def _determinism(self) -> Determinism:
        recorded, others = self._recorded_states, tuple(self._other_states)
        if not recorded:
            message = say("The record contains no states to compare.")
        elif not others:
            message = say(
                "The record contains a fingerprint of the whole table {times}. "
                "Replayed, the game matches each of them.",
                times=times(recorded),
            )
        else:
            message = say(
                "The record contains a fingerprint of the whole table {times}. "
                "Replayed, the game differs {other_times}, first after event {seq}.",
                times=times(recorded),
                other_times=times(len(others)),
                seq=others[0].seq,
            )
        return Determinism(recorded, recorded - len(others), others, message)


_seq = attrgetter("seq")


def _against_the_rules(
    history: History, events: Sequence[Event], line: Line, hidden: Collection[int], accounts: Accounts
) -> Iterable[Finding]:
    rules = history.rules
    for before, slot in with_before(line):
        type_ = slot.entry.type if slot.entry is not None else None
        if slot.entry is not None and type_ == "adjust":
            yield from findings.adjustment_findings(rules.header, slot.number, before, slot.entry.params)
        finding = findings.against_the_rules(slot.number, type_, before, slot.judgement, slot.effect)
        if finding is not None and slot.source not in hidden and not accounts.is_made_up(slot.number):
            yield accounts.of(findings.attribute_finding(rules, events, finding, slot, before))


def _unsound(history: History, line: Line) -> Iterable[Finding]:
    soundness = findings.Soundness(history.rules.ruleset)
    for before, slot in with_before(line):
        yield from soundness.read(slot.number, before, slot.after)


def _redraw_findings(history: History, events: Sequence[Event]) -> Iterable[Finding]:
    for one in find_redraws(history.rules.header, events):
        yield findings.redraw_finding(history.rules.ruleset, one, events[one.first - 1], events[one.again - 1])


def audit(events: Iterable[Event], rules: str | None = None) -> Report:
    """Replay a whole log: check the hash chain, the rules, the outcomes, and the seed once it has been revealed.

    Args:
        rules: the version of the rules to compare with; None: no comparison.

    Raises:
        Malformed: the version of the rules to compare with cannot read this record.
    """
    auditor = Auditor(rules)
    for event in events:
        auditor.read(event)
    return auditor.finish()


def verify(events: Iterable[Event]) -> Game:
    """Replay a whole log and return its game.

    Raises:
        LogDoesNotVerify: an event fails; the error has the `seq` of the first one.
    """
    verifier = Verifier()
    for event in events:
        verifier.read(event)
    verifier.close()
    if verifier.failures:
        first = min(verifier.failures, key=_seq)
        raise LogDoesNotVerify(first.seq, first.message)
    assert verifier.game is not None
    return verifier.game
