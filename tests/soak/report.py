"""The report of a run: its requests, their cost, and its faults."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.soak.ledger import Fault, Ledger
from tests.soak.plan import Plan
from tests.soak.service import Death, Process

SHOWN = 3
"""Maximum faults of a kind in the report; the file has all of them."""
SILENCE = 15.0
"""Seconds without an acknowledged append that count as a fault, unless something was killed just before."""
RECOVERY = 10.0
"""Seconds of silence that a kill explains."""


class Result(msgspec.Struct, kw_only=True):
    """The result of a run."""

    plan: Plan
    ledger: Ledger
    killed: Counter[str]
    missed: Counter[str]
    kill_moments: list[float]
    deaths: list[Death]
    processes: list[Process]
    """All processes of the run."""
    played: float
    """Seconds of play, without the time in which open requests were finished."""
    games: int = 0
    events: int = 0
    verdicts: Counter[str]

    @property
    def faults(self) -> list[Fault]:
        """Return all faults."""
        died = [Fault("unplanned death", f"{one.at:.1f} s: {one.role} {one.pid}: {one.reason}") for one in self.deaths]
        return [*died, *self.ledger.faults]


def note_silence(ledger: Ledger, kills: Sequence[float], until: float) -> float:
    """Return the longest time without an acknowledged append, in seconds; record a fault if no kill explains it."""
    moments = [0.0, *sorted(moment for moment in ledger.acknowledged_at if moment < until), until]
    longest = 0.0
    for before, after in itertools.pairwise(moments):
        longest = max(longest, after - before)
        unexplained = after - max([before, *(kill + RECOVERY for kill in kills if before - RECOVERY < kill < after)])
        if unexplained > SILENCE:
            ledger.fault("nothing was acknowledged", f"from {before:.1f} to {after:.1f} s")
    return longest


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that `share` of the values do not exceed; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def text(result: Result, silence: float) -> str:
    """Return the report as text."""
    return "\n".join(_lines(result, silence)) + "\n"


def _lines(result: Result, silence: float) -> Iterator[str]:
    ledger, plan = result.ledger, result.plan
    requests = ledger.statuses.total()
    times = ledger.append_seconds
    yield f"soak: {plan.seconds / 60:g} min, seed {plan.seed}, {plan.clients} clients"
    yield f"requests      {requests:,} ({requests / result.played:,.0f}/s): {_format_counts(ledger.statuses)}"
    yield (
        f"appends       {len(times):,} acknowledged ({len(times) / result.played:,.0f}/s), "
        f"p50 {percentile(times, 0.5) * 1000:.0f} ms, p99 {percentile(times, 0.99) * 1000:.0f} ms, "
        f"slowest {max(times, default=0.0):.1f} s; longest time without one {silence:.1f} s"
    )
    fates = Counter(write.fate for write in ledger.writes)
    yield f"writes        {_format_counts(fates)}"
    yield f"heard         {sum(len(one.events) for one in ledger.heard):,} events by {len(ledger.heard)} listenings"
    yield f"killed        {_format_counts(result.killed)}" + (
        f"; not there: {_format_counts(result.missed)}" * bool(result.missed)
    )
    broken = {status: n for status, n in ledger.statuses.items() if status.startswith("5")}
    yield f"5xx           {_format_counts(broken)}"
    yield f"deaths        {len(result.deaths)} unplanned"
    yield from _hostile(ledger)
    yield from _memory(result.processes)
    yield f"checked       {result.games} games, {result.events:,} events; audits: {_format_counts(result.verdicts)}"
    yield from _verdict(result.faults)


def _format_counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "none"


def _hostile(ledger: Ledger) -> Iterator[str]:
    yield "hostile"
    kinds: dict[str, dict[str, int]] = defaultdict(dict)
    for (kind, outcome), count in ledger.hostile.items():
        kinds[kind][outcome] = count
    for kind, outcomes in sorted(kinds.items()):
        yield f"  {kind:28} slowest {ledger.slowest[kind]:5.1f} s: {_format_counts(outcomes)}"


def _memory(processes: Iterable[Process]) -> Iterator[str]:
    yield "memory        first / last / most of the longest life, MiB"
    longest: dict[str, Process] = {}
    lives: Counter[str] = Counter()
    for process in processes:
        lives[process.role] += 1
        kept = longest.get(process.role)
        if kept is None or process.seen > kept.seen:
            longest[process.role] = process
    for role, process in sorted(longest.items()):
        if role and process.most:
            figures = " / ".join(f"{kib / 1024:.0f}" for kib in (process.first, process.last, process.most))
            yield f"  {role:28} {figures} ({process.seen:.0f} s; {lives[role]} lives)"


def _verdict(faults: Sequence[Fault]) -> Iterator[str]:
    if not faults:
        yield "verdict       nothing lost, nothing doubled, nothing died but what was killed"
        return
    kinds: dict[str, list[Fault]] = defaultdict(list)
    for fault in faults:
        kinds[fault.kind].append(fault)
    yield f"verdict       {len(faults)} faults"
    for kind, found in sorted(kinds.items()):
        yield f"  {len(found)} × {kind}"
        yield from (f"      {fault.what}" for fault in found[:SHOWN])


def write(result: Result, told: str, folder: Path) -> None:
    """Write the report, and every fault with all writes, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.txt").write_text(told)
    (folder / "faults.txt").write_text("".join(f"{fault.kind}: {fault.what}\n" for fault in result.faults))
    (folder / "plan.json").write_bytes(msgspec.json.encode(result.plan))
    lines = (msgspec.json.encode(write) for write in result.ledger.writes)
    (folder / "writes.ndjson").write_bytes(b"\n".join(lines))
