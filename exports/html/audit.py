"""The audit of a log, as a part of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from engine.core.text import visible
from engine.review.audit import Auditor
from engine.review.report import Report
from exports.log import Log

VERDICTS = {"clean": "Clean", "findings": "There is something to look at", "broken": "Broken"}


LONGEST = 20_000
"""Events of a log that is audited in its page: of a longer one, what was found would have to be held for too long."""


def section(log: Log) -> Iterator[str]:
    """The audit of `log`: every event is played once more, and judged."""
    if log.folded().version > LONGEST:
        yield '<section aria-labelledby="audit-title"><h2 id="audit-title">Audit</h2>\n'
        yield "<p>The record is too long to be audited here; as json or ndjson, <code>driftlog audit</code> can.</p>\n"
        yield "</section>\n"
        return
    auditor = Auditor()
    for event in log.events:
        auditor.read(event)
    yield '<section aria-labelledby="audit-title"><h2 id="audit-title">Audit</h2>\n'
    yield from _told(auditor.finish())
    yield "</section>\n"


def _told(report: Report) -> Iterator[str]:
    yield f"<p><strong>{VERDICTS[report.verdict]}.</strong> {_text(report.message)}</p>\n"
    yield from _listed(
        "Findings", (f"Event {one.seq}, turn {one.turn}: {one.message} [{one.rule}]" for one in report.findings)
    )
    yield from _listed("Corrections", (one.message for one in report.corrections))
    yield from _listed("Brought in line by hand", (one.message for one in report.adjustments))
    if report.luck is not None:
        yield from _listed("Cards and dice", (report.luck.message, *(kind.message for kind in report.luck.kinds)))
    yield from _listed("Besides", (report.determinism.message, *report.notes))


def _listed(heading: str, lines: Iterable[str]) -> Iterator[str]:
    told = [f"<li>{_text(line)}</li>\n" for line in lines if line]
    if told:
        yield f"<h3>{heading}</h3>\n<ul>\n{''.join(told)}</ul>\n"


def _text(value: str) -> str:
    return escape(visible(value))
