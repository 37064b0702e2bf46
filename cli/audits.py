"""The audit of an exported log, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec
from rich.console import Console
from rich.markup import escape

from cli.terminal import Negative, WrongUsage
from cli.verifying import deleted, judge, withheld
from engine.core.errors import EngineError, Malformed
from engine.core.events import Event
from engine.play.game import opened
from engine.review.audit import Auditor
from engine.review.findings import explained
from engine.review.report import Report, RuleVerdicts, Verdicts
from engine.review.versions import reader
from exports import read_any

STYLES = {"clean": "green", "findings": "yellow", "broken": "bold red"}
EXIT_CODES = {"clean": 0, "findings": Negative.exit_code, "broken": WrongUsage.exit_code}


def examine(data: bytes, rules: str | None, advance: Callable[[int, int], None]) -> Report:
    """The report on a log of any format that can be read back.

    Args:
        rules: a version of the rules to compare with.
        advance: told now and then how many of how many events have been judged.

    Raises:
        Failure: it is no log, or those rules cannot read it.
    """
    try:
        events = read_any(data)
    except Malformed as error:
        gone = deleted(data)
        raise WrongUsage(f"not a log: {error if gone is None else gone}") from None
    if rules is not None:
        _check_rules(events[0], rules)
    hidden = min(withheld(events), default=None)
    auditor = Auditor(rules)
    judge(auditor, events, hidden, advance)
    report = auditor.finish()
    if hidden is None:
        return report
    note = f"Event {hidden} hides something that this file does not tell: from there on nothing is judged."
    return msgspec.structs.replace(report, notes=(*report.notes, note))


def show(name: str, report: Report, console: Console) -> None:
    """Tell the report of a file as a player reads it."""
    console.print(f"{escape(name)}: [{STYLES[report.verdict]}]{report.verdict}[/]")
    console.print(escape(report.message))
    _section(
        console,
        "Findings",
        (f"Event {one.seq}, turn {one.turn}: {explained(one)} [{one.rule}]" for one in report.findings),
    )
    if report.rules is not None:
        told = [report.rules.message, *(one.message for one in report.rules.differences)]
        _section(console, f"By version {report.rules.replayed} of the rules", told)
    _section(console, "Corrections", (one.message for one in report.corrections))
    _section(
        console,
        "Adjustments",
        (f"{one.message}{_agreed(one.agreed)}" for one in report.adjustments),
    )
    judged = [_counts(report.events_by_verdict), *(f"{one.rule}: {_counts(one)}" for one in report.rules_applied)]
    _section(console, "What stands in the record, by rule", judged)
    if report.luck is not None:
        _section(console, "Luck", [report.luck.message, *(kind.message for kind in report.luck.kinds)])
    _section(console, "Besides", [report.determinism.message, *report.notes])


def _check_rules(first: Event, rules: str) -> None:
    """Refuse rules that cannot read the log; whether it is one is the audit's to say.

    Raises:
        WrongUsage: they cannot.
    """
    with suppress(EngineError):
        header = opened(first)
        try:
            reader(header, rules)
        except Malformed as error:
            raise WrongUsage(f"--rules: {error.message}") from None


def _counts(counted: Verdicts | RuleVerdicts) -> str:
    told = [f"{counted.legal} legal"]
    if counted.illegal:
        told.append(f"{counted.illegal} illegal")
    if counted.unknowable:
        told.append(f"{counted.unknowable} that nobody can judge")
    return ", ".join(told)


def _agreed(names: tuple[str, ...]) -> str:
    return f" Agreed by {', '.join(names)}." if names else ""


def _section(console: Console, heading: str, lines: Iterable[str]) -> None:
    told = list(lines)
    if told:
        console.print(f"\n[bold]{heading}[/]")
        for line in told:
            console.print(f"  {escape(line)}")
