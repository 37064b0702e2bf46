"""`python -m tests.examples.evenings`: run examples/evenings.ipynb on games of random players.

It writes the output of the cells into the notebook.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from engine.core.events import Event
from exports import Log
from exports.sqlite import Database
from schemas.times import rfc3339
from tests.playouts import playout

NOTEBOOK = Path(__file__).parents[2] / "examples" / "evenings.ipynb"
GAMES = 300
A_NIGHT = 3
"""Number of games in an evening."""
_FIRST = datetime(2026, 1, 2, 18, 30, tzinfo=UTC)


def play_evenings(count: int) -> list[list[Event]]:
    """Return games of Forbidden Island, three per evening and one evening per week; an event takes half a minute."""
    found = []
    for number in range(count):
        week, place = divmod(number, A_NIGHT)
        began = _FIRST + timedelta(weeks=week, hours=1.5 * place)
        found.append(
            [
                msgspec.structs.replace(event, recorded_at=rfc3339(began + timedelta(seconds=30 * event.seq)))
                for event in playout(seed=number, seats=2 + number % 3)
            ]
        )
    return found


def export_games(logs: Sequence[list[Event]], folder: Path) -> None:
    """Write the games to `folder`, as the service exports them."""
    dataset = Database(folder)
    with closing(dataset):
        for number, events in enumerate(logs):
            dataset.add(Log(f"game-{number}", events))
        dataset.finish()


def run(folder: Path) -> list[str]:
    """Return the output of each cell of the notebook, for the export in `folder`."""
    names: dict[str, Any] = {}
    told = []
    before = os.environ.get("EXPORT")
    os.environ["EXPORT"] = str(folder)
    try:
        for cell in _cells(json.loads(NOTEBOOK.read_text("utf-8"))):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
            told.append(out.getvalue())
    finally:
        del os.environ["EXPORT"]
        if before is not None:
            os.environ["EXPORT"] = before
        if "db" in names:
            names["db"].close()
    return told


def _cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def main() -> None:
    """Write the output into the notebook."""
    with tempfile.TemporaryDirectory() as folder:
        export_games(play_evenings(GAMES), Path(folder))
        told = run(Path(folder))
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    for number, (cell, text) in enumerate(zip(_cells(notebook), told, strict=True), 1):
        cell["execution_count"] = number
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}]
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
