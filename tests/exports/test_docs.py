"""docs/formats.md shows real output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.core.events import Draft, Event, Seat
from engine.kit.chance import Seeded
from engine.play.fold import history
from engine.play.record import open_game, record
from exports import FORMATS
from tests.exports.logs import export

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
SEED = "neap tide"
PLAYED = [
    Draft(type="set_up", occurred_at="2026-11-20T19:02:00.000Z"),
    Draft(type="shore_up", actor="p1", params={"tiles": ["misty_marsh"]}, note='Ben: "at least one dry foot"'),
    Draft(type="move", actor="p1", params={"to": "cave_of_embers"}),
    Draft(type="undo", params={"to": 3}),
    Draft(type="move", actor="p1", params={"to": "misty_marsh"}),
    *[Draft(type="draw_treasure_card", actor="p1")] * 2,
    *[Draft(type="draw_flood_card", actor="p1")] * 2,
    Draft(type="abandon", params={"reason": "The last bus leaves."}),
]


def small_game() -> list[Event]:
    """The game that docs/formats.md shows."""
    game, first = open_game(
        ruleset="forbidden-island",
        seats=[Seat("Ann"), Seat("Ben")],
        options={"difficulty": "normal"},
        seed=SEED,
        recorded_at="2026-11-20T19:00:00.000Z",
    )
    events = [first]
    for minute, draft in enumerate(PLAYED, 1):
        at = f"2026-11-20T19:{minute:02}:00.000Z"
        game, added = record(game, [draft], Seeded(SEED), history(events), recorded_at=at, recorded_by="Ann")
        events += added
    return events


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if not kind.is_whole])
def test_the_example_is_what_the_code_produces(name: str) -> None:
    (example,) = re.findall(rf"^```{name}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    produced = export(name, small_game()).decode().replace("\r\n", "\n")
    pattern = ".*?".join(map(re.escape, example.split("…")))
    assert re.fullmatch(pattern, produced, re.DOTALL), produced


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_described(name: str) -> None:
    kind = FORMATS[name]
    heading = f"## {name}"
    section = PAGE[PAGE.index(f"\n{heading}\n") :].split("\n## ")[1]
    assert f"`{kind.media_type}`" in section
    assert f"`.{kind.extension}`" in section
