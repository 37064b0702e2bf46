"""The audit: replay a log and judge each event; bad data is a finding, never an exception."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

from engine.core import lifecycle
from engine.core.digests import is_digest_of
from engine.core.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    LogDoesNotVerify,
    Malformed,
    OutcomeRequired,
    UnknownRuleset,
    WouldDiffer,
)
from engine.core.events import GENESIS, Event, event_hash
from engine.core.language import marked, say
from engine.kit.chance import is_mixed_from, seed_commitment, seeded_index
from engine.kit.words import counted
from engine.play.corrections.details import check_change
from engine.play.fold import History
from engine.play.game import Game, opened
from engine.play.line import Line, happened_anyway
from engine.play.past import is_ending
from engine.play.rules import Rules
from engine.play.visibility import closed
from engine.review import corrected, findings, sections
from engine.review.accounts import Accounts
from engine.review.levels import SLIPS, is_clean, level_of, told_of
from engine.review.redraws import redrawn
from engine.review.report import Determinism, EventRef, Finding, Kind, Level, Report
from engine.review.versions import Replay
from engine.review.words import judged, listed, recorder, times

CHAIN_RULE = marked("The hash chain")
SEED_RULE = marked("Seeded chance")
STATE_RULE = marked("The state as recorded")


class Auditor:
    """Reads a log event by event, and collects findings. `game` is the game up to the first error.

    There are two kinds of findings. `failures` are errors in the log: a log with failures does not verify. Illegal
    events that were recorded with their verdict are only findings of the report.
    """

    def __init__(self, rules: str | None = None, *, imported: int = 0) -> None:
        """Start before the first event.

        Args:
            rules: the version of the rules to compare with; None: no comparison.
            imported: the number of events that were imported, not recorded here.
        """
        self.failures: list[Finding] = []
        self.game: Game | None = None
        self._is_broken = False
        self._lacks_ruleset = False
        self._events: list[Event] = []
        self._read = 0
        self._seq = 0
        self._head = GENESIS
        self._history: History | None = None
        self._rules = rules
        self._imported = imported
        self._replayed: Replay | None = None
        self._chance = sections.Witness()
        self._is_ending = False
        self._recorded_states = 0
        self._other_states: list[EventRef] = []
        """The events after which the replayed state differs from the recorded digest."""

    def read(self, event: Event) -> None:
        """Judge the next event. If an earlier event could not be replayed, check only the hash chain.

        Raises:
            Malformed: the version of the rules to compare with cannot read this record.
        """
        turn = self._turn()
        self._check_chain(event, turn)
        if self._is_broken or self._lacks_ruleset:
            return
        if event.turn != turn:
            message = say("the event says turn {said}, but happened in turn {turn}", said=event.turn, turn=turn)
            self._find(event.seq, turn, "turn", lifecycle.RULE, message)
        self._check_closing(event)
        try:
            self._replay(event)
        except UnknownRuleset as error:
            self._lacks_ruleset = True
            self._find(event.seq, turn, "no_ruleset", lifecycle.RULE, _not_installed(error))
            return
        except EngineError as error:
            message = str(error) if self._history is None else self._history.rules.ruleset.account(error)
            self._break(event.seq, turn, *_told(error, message))
            return
        self._events.append(event)
        self._compare(event)

    def lost(self, message: str) -> None:
        """Record that the rest of the log cannot be read; `message` gives the reason."""
        self._break(self._seq + 1, self._turn(), "malformed", CHAIN_RULE, message)

    def close(self) -> None:
        """Finish reading the log; add a failure if the end of the log is incomplete."""
        if self._is_broken:
            return
        if self._read == 0:
            self._break(0, 0, "malformed", lifecycle.RULE, say("a log must begin with game_opened"))
        elif self._is_ending:
            message = say("the game ends here, but is not closed")
            self._find(self._seq, self._turn(), "closing", lifecycle.RULE, message)
        if self.game is not None and self._history is not None:
            self.game = msgspec.structs.replace(self.game, by_hand=self._history.by_hand)

    def finish(self) -> Report:
        """Return the report on all events read."""
        self.close()
        history = self._history
        line: Line = history.mainline if history is not None else ()
        hidden = set() if history is None else set(closed(history.rules.ruleset, self._events))
        accounts = None if history is None else Accounts(history, self._events, line)
        adjustments = (
            () if history is None or accounts is None else sections.adjustments(history, self._events, line, accounts)
        )
        told = (
            *_against_the_rules(history, self._events, line, hidden, accounts),
            *_unsound(history, line),
            *_drawn_again(history, self._events),
        )
        found: Sequence[Finding] = sorted([*self.failures, *told], key=lambda finding: finding.seq)
        if history is not None:
            found = sections.timed(history, line, found)
        level = level_of(
            line,
            told,
            self.failures,
            adjustments,
            is_broken=self._is_broken,
            imported=self._imported,
            house_rules=0 if self.game is None else len(self.game.details.house_rules),
            rules_checked=history is None or history.rules.ruleset.checks_rules,
        )
        verdict: Literal["clean", "findings"] = "clean" if is_clean(level) else "findings"
        report = Report(
            verdict="broken" if self._is_broken else verdict,
            findings=tuple(found),
            head=self._head,
            events=self._read,
            message=self._message(found, level, accounts),
            determinism=self._determinism(),
            level=level,
        )
        if history is None:
            return report
        assert accounts is not None
        verdicts, by_rule = sections.verdicts(history, line, hidden)
        return msgspec.structs.replace(
            report,
            notes=(*self._notes(history, line, accounts), *told_of(level, self.game)),
            events_by_verdict=verdicts,
            rules_applied=by_rule,
            by_the_rules=tuple(accounts.by_the_rules([one.seq for one in told if one.kind in SLIPS])),
            corrections=corrected.corrections(history, self._events),
            house_rules=sections.house_rules(line, hidden, accounts),
            remarks=sections.remarks(line, hidden, accounts),
            periods=sections.periods(history.rules.ruleset, line, found),
            adjustments=adjustments,
            luck=sections.fortune(history, line),
            rules=None if self._replayed is None else self._replayed.finish(),
        )

    def _replay(self, event: Event) -> None:
        if self._history is None:
            header = opened(event)
            self._history = History(header)
            self.game = Game(header=header, version=event.seq, head=event.hash, state=None)
            return
        before = self._history.states[-1]
        self._history.fold((event,), self._chance)
        state = self._history.states[-1]
        self._is_ending = is_ending(event, before, state, self._history)
        assert self.game is not None
        self.game = Game(header=self.game.header, version=event.seq, head=event.hash, state=state)
        self._check_verdict(event, self._history)
        self._check_options(event, self._history)
        self._check_state(event, self._history)
        if event.type == lifecycle.GAME_CLOSED:
            self._check_seed(event, self._history)

    def _compare(self, event: Event) -> None:
        assert self._history is not None
        if self._replayed is not None:
            self._replayed.read(event, self._history)
        elif self._rules is not None:
            self._replayed = Replay(self._history.rules.header, self._rules)

    def _check_chain(self, event: Event, turn: int) -> None:
        expected, self._seq = self._seq + 1, event.seq
        prev, self._head = self._head, event.hash
        self._read += 1
        if event.seq != expected:
            message = say("event {seq} is missing here", seq=expected)
            self._break(event.seq, turn, "sequence", CHAIN_RULE, message)
        if event.prev != prev:
            message = say("`prev` is not the hash of the previous event")
            self._break(event.seq, turn, "chain", CHAIN_RULE, message)
        try:
            is_intact = event_hash(event) == event.hash
        except Malformed as error:
            self._break(event.seq, turn, "malformed", CHAIN_RULE, error.message)
            return
        if not is_intact:
            message = say("the hash does not match the contents of the event")
            self._break(event.seq, turn, "chain", CHAIN_RULE, message)

    def _check_closing(self, event: Event) -> None:
        is_closing = event.type == lifecycle.GAME_CLOSED
        if self._is_ending and not is_closing:
            message = say("the game had ended, but was not closed")
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, message)
        elif is_closing and not self._is_ending:
            message = say("the game is closed, but has not ended")
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, message)
        self._is_ending = False

    def _check_verdict(self, event: Event, history: History) -> None:
        judgement = history.judgements.get(event.seq)
        is_cited = judgement is not None and judgement.verdict == "legal"
        is_judged = history.rules.header.mode == "as_played" or is_cited
        if not is_judged and (judgement is None or not happened_anyway(event)):
            if event.verdict is not None:
                message = say("the event has a verdict, but in a strict record only illegal events can have one")
                self._find(event.seq, event.turn, "verdict", lifecycle.RULE, message)
            return
        rule = judgement.rule if judgement is not None else None
        verdict = judgement.verdict if judgement is not None else "legal"
        if (event.verdict, event.rule) != (verdict, rule):
            message = say(
                "the event says {said}, but it is {verdict}",
                said=judged(event.verdict or "not judged"),
                verdict=judged(verdict),
            )
            message += f": {judgement.reason}" if judgement is not None else ""
            self._find(event.seq, event.turn, "verdict", rule or lifecycle.RULE, message)

    def _check_options(self, event: Event, history: History) -> None:
        """Add a failure if `event` changes options in a way that would have changed an earlier event."""
        if event.type != lifecycle.DETAILS_CHANGED or "options" not in event.params:
            return
        try:
            before, after = (history.states[event.seq - back] for back in (1, 0))
            assert before is not None
            assert after is not None
            check_change(history.rules, Rules, history.line(event.seq - 1), (before, after))
        except WouldDiffer as error:
            self._find(event.seq, event.turn, "malformed", error.rule, error.message)

    def _check_state(self, event: Event, history: History) -> None:
        if event.state_hash is None:
            return
        self._recorded_states += 1
        state = history.states[-1]
        if state is not None and is_digest_of(event.state_hash, state, history.rules.header.options):
            return
        if not self._other_states:
            # Report only the first difference: later ones follow from it.
            message = say("the state after this event differs from the recorded one")
            self._find(event.seq, event.turn, "state", STATE_RULE, message)
        self._other_states.append(EventRef(event.seq, event.turn))

    def _check_seed(self, closed: Event, history: History) -> None:
        header = history.rules.header
        own = header.fork.at if header.fork is not None else 0
        if closed.seq <= own:
            # The parent was closed there and reopened: the fork's own seed is not affected.
            return
        seed = closed.params.get("seed")
        if header.seed_commitment is None:
            if seed is not None:
                self._wrong_seed(closed, say("an observed game has no seed to reveal"))
            return
        if seed is None:
            self._wrong_seed(closed, say("the seed is not revealed"))
            return
        if seed_commitment(seed) != header.seed_commitment:
            self._wrong_seed(closed, say("the revealed seed does not match its commitment"))
            return
        if header.seed_shares and not is_mixed_from(seed, header.seed_shares):
            self._wrong_seed(closed, say("the revealed seed does not consist of the committed shares"))
            return
        key = seed.encode()
        for seq, position, draw in self._chance.drawn:
            if seq > own and draw.options[seeded_index(key, seq, position, len(draw.options))] != draw.value:
                value = history.rules.ruleset.value_label(draw.value)
                message = say(
                    "result {number} is {value}, but the seed draws something else", number=position + 1, value=value
                )
                self._find(seq, self._turn(seq - 1), "seed", SEED_RULE, message)

    def _wrong_seed(self, closed: Event, message: str) -> None:
        self._find(closed.seq, closed.turn, "seed", SEED_RULE, message)

    def _message(self, found: Sequence[Finding], level: Level, accounts: Accounts | None) -> str:
        if self._is_broken:
            first = min(self.failures, key=lambda finding: finding.seq)
            return say("The record is broken: event {seq} is the first wrong one.", seq=first.seq)
        if self._lacks_ruleset:
            return say(
                "The hash chain of {events} events is intact. The rules of this game are not installed "
                "here, so nothing else was checked.",
                events=self._read,
            )
        if not found and not level.rules_checked:
            return say(
                "The record is valid: {events} events, and all fit the box. No rules were checked.", events=self._read
            )
        if not found:
            if level.house_rules and is_clean(level):
                return say(
                    "The record is valid: {events} events, all by the rules or by a house rule.", events=self._read
                )
            if not is_clean(level):
                return say(
                    "The record is valid: {events} events, and every move is legal. See below how the record was made.",
                    events=self._read,
                )
            return say(
                "The record is valid: {events} events, all by the rules.",
                events=self._read,
            )
        others = len(found) - level.slips - sum(one.kind == "adjusted" for one in found)
        counts = [
            counted(level.slips, "slip") if level.slips else "",
            counted(level.adjusted, "change by hand", "changes by hand") if level.adjusted else "",
            counted(others, "thing to check", "things to check") if others else "",
        ]
        told = listed([one for one in counts if one])
        message = say("The record can be replayed to its end, with {findings}.", findings=told)
        if accounts is not None and accounts.has_late_steps:
            message += " " + say("A step that came late counts as one slip.")
        return message

    def _notes(self, history: History, line: Line, accounts: Accounts) -> Iterable[str]:
        header, ruleset = history.rules.header, history.rules.ruleset
        yield say(
            "Replayed by version {version} of the rules of {game}.", version=ruleset.version, game=say(ruleset.name)
        )
        if header.chance == "observed":
            yield say(
                "The table used its own cards and dice. The audit checks that every reported result was "
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

    def _turn(self, after: int = -1) -> int:
        """Return the turn after event `after` (default: the last replayed event)."""
        state = self._history.states[after] if self._history is not None else None
        return state.turn if state is not None else 0

    def _find(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self.failures.append(Finding(seq, turn, kind, rule, message))

    def _break(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self._is_broken = True
        self._find(seq, turn, kind, rule, message)


def _against_the_rules(
    history: History | None, events: Sequence[Event], line: Line, hidden: Collection[int], accounts: Accounts | None
) -> Iterable[Finding]:
    """Yield the findings on slips of the record, without events that are still `hidden`."""
    if history is None or accounts is None:
        return
    rules, before = history.rules, None
    for slot in line:
        type_ = slot.entry.type if slot.entry is not None else None
        if slot.entry is not None and type_ == "adjust":
            yield from findings.changed_by_hand(rules.header, slot.number, before, slot.entry.params)
        finding = findings.against_the_rules(slot.number, type_, before, slot.judgement, slot.effect)
        if finding is not None and slot.source not in hidden and not accounts.is_made_up(slot.number):
            yield accounts.of(findings.attributed(rules, events, finding, slot, before))
        before = slot.after


def _unsound(history: History | None, line: Line) -> Iterable[Finding]:
    """Yield the findings on impossible tables."""
    if history is None:
        return
    soundness, before = findings.Soundness(history.rules.ruleset), None
    for slot in line:
        yield from soundness.read(slot.number, before, slot.after)
        before = slot.after


def _drawn_again(history: History | None, events: Sequence[Event]) -> Iterable[Finding]:
    """Yield the findings on draws of the service that were undone and drawn again."""
    if history is None:
        return
    for one in redrawn(history.rules.header, events):
        yield findings.drawn_again(history.rules.ruleset, one, events[one.first - 1], events[one.again - 1])


def _not_installed(error: UnknownRuleset) -> str:
    told = {"ruleset": error.ruleset, "version": error.version}
    return say("the rules of {ruleset}, version {version}, are not installed here", **told)


def _told(error: EngineError, message: str) -> tuple[Kind, str, str]:
    """Return the kind, rule and message of the finding about an event that the rules reject."""
    match error:
        case IllegalAction():
            return "illegal_action", error.rule, error.message
        case GameOver():
            return "illegal_action", lifecycle.RULE, message
        case OutcomeRequired():
            return "missing_outcome", lifecycle.RULE, message
        case ImpossibleOutcome():
            return "impossible_outcome", lifecycle.RULE, message
        case _:
            return "malformed", lifecycle.RULE, message


def audit(events: Iterable[Event], rules: str | None = None) -> Report:
    """Replay a whole log, and judge its hash chain, rules, outcomes, and the seed once that is revealed.

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
        LogDoesNotVerify: with the first event (by `seq`) that fails.
    """
    auditor = Auditor()
    for event in events:
        auditor.read(event)
    auditor.close()
    if auditor.failures:
        first = min(auditor.failures, key=lambda finding: finding.seq)
        raise LogDoesNotVerify(first.seq, first.message)
    assert auditor.game is not None
    return auditor.game
