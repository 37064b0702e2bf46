"""`driftlog doctor`: the status of the store and the queue, one line per check."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from rich.console import Console
from rich.markup import escape

from api.plumbing.settings import Settings
from engine.review.words import join_words
from exports import FORMATS
from operations import doctor as checks
from operations.doctor import CheckResult, Level
from store import Store
from store.redis.embedded import running_url
from workers import queue

_COLOURS: dict[Level, str] = {"ok": "green", "warn": "yellow", "fail": "bold red"}
_LEVELS: tuple[Level, ...] = ("ok", "warn", "fail")


class DoctorReport(msgspec.Struct, frozen=True):
    """The findings of all checks, after repairs if there were any."""

    level: Level
    """The worst level of the findings."""
    findings: list[CheckResult]
    mended: list[str]


def examine(
    settings: Settings, store: Store, *, is_all: bool, mend: bool, progressed: Callable[[int, int], None]
) -> DoctorReport:
    """Run all checks, after repairs if requested."""
    mended = checks.mend(store) if mend else []
    folder = None if settings.redis_url else settings.data
    findings = [
        *checks.examine(store, folder, sample=None if is_all else checks.SAMPLE, progressed=progressed),
        _queue(settings),
        _formats(),
    ]
    level = max((finding.level for finding in findings), key=_LEVELS.index)
    return DoctorReport(level, findings, mended)


def show(report: DoctorReport, console: Console) -> None:
    """Print a line for each finding."""
    for line in report.mended:
        console.print(f"[cyan]fixed[/] {escape(line)}")
    width = max(len(finding.check) for finding in report.findings)
    for finding in report.findings:
        colour = _COLOURS[finding.level]
        console.print(f"[{colour}]{finding.level:<6}[/] {finding.check:<{width}}  {escape(finding.line)}")


def _formats() -> CheckResult:
    lacking = [kind.name for kind in FORMATS.values() if not kind.is_installed]
    if not lacking:
        return CheckResult("formats", "ok", f"all {len(FORMATS)} can be written")
    extras = ", ".join(f"driftlog[{name}]" for name in lacking)
    return CheckResult("formats", "ok", f"{join_words(lacking)} cannot be written here: install {extras}")


def _queue(settings: Settings) -> CheckResult:
    url = settings.queue_url or running_url(settings.data, "queue")
    if url is None:
        return CheckResult("workers", "ok", "no service is running on this data folder")
    try:
        alive = queue.live_workers(queue.connect(url))
    except queue.QueueUnavailable as error:
        return CheckResult("workers", "fail", f"the queue does not answer: {error}")
    if not alive:
        return CheckResult("workers", "warn", "no worker is running: lists are not updated, and jobs wait")
    return CheckResult("workers", "ok", f"{alive} running, idle or busy")
