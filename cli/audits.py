"""The audit of an exported log, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import msgspec
from rich.console import Console
from rich.markup import escape

from cli.terminal import Negative, WrongUsage
from cli.verifying import describe_deletion, judge, masked_events
from engine.core.errors import EngineError, Malformed
from engine.core.events import Event
from engine.play.game import parse_header
from engine.review.audit import Auditor
from engine.review.findings import account, house_rule, in_order
from engine.review.report import Report, RuleVerdicts, Verdicts
from engine.review.versions import reader
from engine.review.words import capital
from exports import read_any

STYLES = {"clean": "green", "findings": "yellow", "broken": "bold red"}
EXIT_CODES = {"clean": 0, "findings": Negative.exit_code, "broken": WrongUsage.exit_code}


def examine(data: bytes, rules: str | None, advance: Callable[[int, int], None]) -> Report:
    """Audit a log in any importable format.

    Args:
        rules: a version of the rules to compare with.
        advance: called periodically with the number of events judged so far and the total number of events.

    Raises:
        Failure: the data is not a log, or the version `rules` cannot read it.
    """
    try:
        events = read_any(data)
    except Malformed as error:
        gone = describe_deletion(data)
        raise WrongUsage(f"not a log: {error if gone is None else gone}") from None
    if rules is not None:
        _check_rules(events[0], rules)
    hidden = min(masked_events(events), default=None)
    auditor = Auditor(rules)
    judge(auditor, events, hidden, advance)
    report = auditor.finish()
    if hidden is None:
        return report
    note = f"Event {hidden} has hidden data that is not in this file: the audit judges only the events before it."
    return msgspec.structs.replace(report, notes=(*report.notes, note))


def show(name: str, report: Report, console: Console) -> None:
    """Print the report of a file in sentences."""
    console.print(f"{escape(name)}: [{STYLES[report.verdict]}]{report.verdict}[/]")
    console.print(escape(report.message))
    _section(
        console,
        "Findings",
        (f"{'  ' if place else ''}{line}" for one in in_order(report) for place, line in enumerate(account(one))),
    )
    _section(
        console,
        "House rules",
        (f"{'  ' if place else ''}{line}" for one in report.house_rules for place, line in enumerate(house_rule(one))),
    )
    _section(console, "Notes of the players", (f"{capital(one.period)}: {one.message}" for one in report.remarks))
    _section(console, "Corrections", (one.message for one in report.corrections))
    _section(console, "The game by the rules", report.by_the_rules)
    if report.luck is not None:
        _section(console, "Luck", report.luck.sentences)
    if report.rules is not None:
        told = [report.rules.message, *(one.message for one in report.rules.differences)]
        _section(console, f"By version {report.rules.replayed} of the rules", told)
    _section(console, "Rule usage", _usage(report))
    _section(console, "Notes", [report.determinism.message, *report.notes])


def _check_rules(first: Event, rules: str) -> None:
    """Raise `WrongUsage` if the version `rules` cannot read the log. The audit judges the log itself."""
    with suppress(EngineError):
        header = parse_header(first)
        try:
            reader(header, rules)
        except Malformed as error:
            raise WrongUsage(f"--rules: {error.message}") from None


def _counts(counted: Verdicts | RuleVerdicts) -> str:
    told = [f"{counted.legal} legal"]
    if counted.illegal:
        told.append(f"{counted.illegal} illegal")
    if counted.unknowable:
        told.append(f"{counted.unknowable} unknown")
    return ", ".join(told)


def _usage(report: Report) -> Iterator[str]:
    """Yield lines that count verdicts: one line for all events, one for each rule, one for events without a rule."""
    total, rules = report.events_by_verdict, report.rules_applied
    yield _counts(total)
    for one in rules:
        yield f"{one.rule}: {_counts(one)}"
    rest = Verdicts(
        total.legal - sum(one.legal for one in rules),
        total.illegal - sum(one.illegal for one in rules),
        total.unknowable - sum(one.unknowable for one in rules),
    )
    if rest != Verdicts(0, 0, 0):
        yield f"Setup and record: {_counts(rest)}"


def _section(console: Console, heading: str, lines: Iterable[str]) -> None:
    told = list(lines)
    if told:
        console.print(f"\n[bold]{heading}[/]")
        for line in told:
            console.print(f"  {escape(line)}")
