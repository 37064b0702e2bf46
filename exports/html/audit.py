"""The audit of a log, as a part of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from engine.core.language import marked, say
from engine.core.text import visible
from engine.review.audit import audit
from engine.review.findings import account, house_rule, in_order
from engine.review.report import Report
from exports.log import Log

VERDICTS = {"clean": marked("Clean"), "findings": marked("Findings"), "broken": marked("Broken")}


LONGEST = 20_000
"""Maximum number of events of a log whose page contains an audit. A longer audit would need too much memory."""


def section(log: Log) -> Iterator[str]:
    """Audit `log`, and yield the report as HTML."""
    yield f'<section aria-labelledby="audit-title"><h2 id="audit-title">{say("Audit")}</h2>\n'
    if log.fold().version > LONGEST:
        too_long = say(
            "The record is too long to be audited here. Export it as json or ndjson, and check it with "
            "<code>driftlog audit</code>."
        )
        yield f"<p>{too_long}</p>\n"
    else:
        yield from _lines(audit(log.events))
    yield "</section>\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"<p><strong>{say(VERDICTS[report.verdict])}.</strong> {text(report.message)}</p>\n"
    yield from _list_items(marked("Findings"), map(account, in_order(report)))
    yield from _list_items(marked("House rules"), map(house_rule, report.house_rules))
    yield from _list_items(marked("Corrections"), ([one.message] for one in report.corrections))
    yield from _list_items(marked("The game by the rules"), ([one] for one in report.by_the_rules))
    if report.luck is not None:
        yield from _list_items(marked("Cards and dice"), ([one] for one in report.luck.sentences))
    yield from _list_items(marked("Notes"), ([one] for one in (report.determinism.message, *report.notes)))


def _list_items(heading: str, items: Iterable[Iterable[str]]) -> Iterator[str]:
    told = [f"<li>{'<br>'.join(map(text, lines))}</li>\n" for lines in items]
    if told:
        yield f"<h3>{say(heading)}</h3>\n<ul>\n{''.join(told)}</ul>\n"


def text(value: str) -> str:
    """Escape user text as HTML that shows it literally."""
    return escape(visible(value))
