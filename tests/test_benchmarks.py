"""The benchmarks run without errors; their figures are not checked."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from benchmarks.__main__ import HEADING, main
from benchmarks.client import UnexpectedStatus, drive, get
from benchmarks.report import COLUMNS, Goal, Row, at_least, at_most, markdown, ratios, show
from benchmarks.serving import FREE, serving

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "fold",
        "replay",
        "memory",
        "posting",
        "answers",
        "pages",
        "slips",
        "overload",
        "guests",
        "swings",
    ],
)
def test_a_quick_run_prints_a_table_and_judges_nothing(name: str) -> None:
    # Run it in a new process, because it pins itself to a core, and Playwright runs only once per process.
    command = [sys.executable, "-m", "benchmarks", "--quick", "--only", name]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert all(column in result.stdout for column in COLUMNS)
    assert "CPython" in result.stdout


@pytest.mark.long
def test_a_run_is_written_below_its_heading(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    document.write_text(f"# Performance\n\n{HEADING}\nan older run\n")
    result = CliRunner().invoke(main, ["--quick", "--only", "fold", "--markdown", str(document)])
    assert result.exit_code == 0, result.output
    text = document.read_text()
    assert text.startswith(f"# Performance\n\n{HEADING}")
    assert "an older run" not in text
    assert "| fold, Forbidden Island" in text
    assert "--quick" in text


def test_a_ratio_that_fell_since_the_last_run_is_marked() -> None:
    def row(ratio: float, goal: Goal, what: str = "p99 of 90 appends") -> Row:
        return Row(what=what, ours="1/s", reference="1/s", ratio=ratio, goal=goal, pinning="core 0")

    more, less = at_least(1, 1), at_most(1, 1)
    before = ratios(markdown([row(1.0, more), row(1.0, more, "a list")]))
    assert before == {row(1.0, more).key: 1.0, row(1.0, more, "a list").key: 1.0}
    assert row(1.0, more, "p99 of 1,235.5 appends").key in before, "counts differ from run to run"
    assert [row(ratio, more).is_worse(1.0) for ratio in (0.9, 0.96, 1.2)] == [True, False, False]
    assert [row(ratio, less).is_worse(1.0) for ratio in (0.9, 1.04, 1.2)] == [False, False, True]
    assert not row(0.5, more).is_worse(None)
    written = io.StringIO()
    show(Console(file=written, width=200), [row(0.5, more), row(1.1, more, "a list")], before)
    assert written.getvalue().count("↓ 1.00") == 1


def test_a_row_says_whether_its_goal_is_met() -> None:
    rows = [
        Row(what="fast", ours="3/s", ratio=3.0, goal=at_least(3.0, 2), pinning="core 0"),
        Row(what="large", ours="9 B", goal=at_most(9, 8, "B"), pinning="core 0"),
    ]
    assert markdown(rows).splitlines()[2:] == [
        "| fast | 3/s | – | 3.00 | ≥ 2 × | yes | core 0 |",
        "| large | 9 B | – | – | ≤ 8 B | no | core 0 |",
    ]


def test_an_answer_that_nobody_asked_for_ends_the_measurement(tmp_path: Path) -> None:
    with (
        serving("bare", tmp_path, FREE, "everysec") as service,
        pytest.raises(UnexpectedStatus, match="404"),
    ):
        drive(service.address, [iter([get("/nowhere")])])
