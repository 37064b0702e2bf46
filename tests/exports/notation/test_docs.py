"""The evening of docs/notation.md is read as the page says."""

import re
from pathlib import Path

from exports.notation import read

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")


def test_the_evening_on_paper_becomes_a_record() -> None:
    (text,) = re.findall(r"^```notation-by-hand\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    reading = read(text, recorded_at="2026-11-14T09:00:00.000Z")
    assert reading.game is not None
    assert (reading.problem, reading.game.status, reading.game.turn) == (None, "abandoned", 4)
    told = {item.text: item for item in reading.items}
    assert told["Treasure: Chalice, ??"].problem == "the result is unknown: treasure card"
    assert told["move to Lost Lagoon anyway {nobody noticed}"].status == "irregular"
    assert {item.status for item in reading.items} == {"understood", "incomplete", "irregular"}
    assert (reading.game.details.place, reading.events[1].occurred_at) == ("Oma's kitchen", "2026-11-13T12:00:00Z")
