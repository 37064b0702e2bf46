"""`python -m benchmarks`: measure, and print a table. The exit code is 0 even if a goal is not met."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console

from benchmarks import (
    answers,
    fold,
    guests,
    length,
    load,
    memory,
    overload,
    pages,
    posting,
    replay,
    slips,
    swings,
    taps,
)
from benchmarks.measure import Settings, machine
from benchmarks.report import Row, markdown, ratios, show

TOPICS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "fold": fold.measure,
    "replay": replay.measure,
    "load": load.measure,
    "posting": posting.measure,
    "overload": overload.measure,
    "length": length.measure,
    "memory": memory.measure,
    "answers": answers.measure,
    "pages": pages.measure,
    "taps": taps.measure,
    "guests": guests.measure,
    "slips": slips.measure,
    "swings": swings.measure,
}
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
"""The document with the figures of an earlier run."""
HEADING = "## One run\n"
"""The heading of the part of a document that `--markdown` writes."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", "names", multiple=True, type=click.Choice(list(TOPICS)), help="Measure this alone; repeatable.")
@click.option("--quick", is_flag=True, help="See that it works: the figures mean nothing.")
@click.option(
    "--markdown",
    "document",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Write the rows with a goal into this document, below its heading 'One run'.",
)
def main(names: tuple[str, ...], quick: bool, document: Path | None) -> None:  # noqa: FBT001  # click passes by name
    """Measure every figure and its reference in one run. Print their ratio beside the ratio in docs/performance.md."""
    console = Console(width=None if sys.stdout.isatty() else 200)
    began = datetime.now(UTC)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="driftlog-bench-") as folder:
        settings = Settings(quick=quick, folder=Path(folder))
        for name in names or TOPICS:
            with console.status(f"measuring {name} …"):
                rows += TOPICS[name](settings)
    facts = [f"{began:%Y-%m-%d %H:%M} UTC", *machine()]
    show(console, rows, ratios(DOCUMENT.read_text()))
    console.print("\n".join(facts), highlight=False)
    if document is not None:
        command = " ".join(["python -m benchmarks", *(f"--only {name}" for name in names), *(["--quick"] * quick)])
        told = "".join(f"- {fact}\n" for fact in [*facts, f"`{command}`"])
        before, heading, _ = document.read_text().partition(HEADING)
        document.write_text(f"{before}{heading or HEADING}\n{told}\n{markdown(row for row in rows if row.goal)}")


if __name__ == "__main__":
    # On SIGTERM, exit normally, so that the servers are stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    main()
