"""draws: a finished game is drawn again from its seed, without Driftlog."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from engine.core.events import Draft, Event
from engine.kit.chance import Seeded
from engine.play import registry
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.record import record
from exports import Log, draws
from tests.exports.logs import export
from tests.playouts import clock
from tests.recorded.games import games, read, replay

SCRIPT = Path(__file__).parents[2] / "examples" / "redraw.py"
PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text("utf-8")
FIRST = [games(rules.id)[0] for rules in registry.rulesets() if "seeded" in rules.sources]


def recorded_events(path: Path) -> list[Event]:
    return list(replay(*read(path)).events)


def draws_document(events: list[Event]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(export("draws", events))
    return document


def again(document: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script with the standard library alone, and return its output."""
    file = folder / "game.draws.json"
    file.write_text(json.dumps(document))
    return subprocess.run([sys.executable, "-I", "-S", SCRIPT, file], capture_output=True, text=True, check=False)


def by_event(document: dict[str, Any]) -> dict[int, list[Any]]:
    return {
        seq: [draw["outcome"] for draw in found] for seq, found in groupby(document["draws"], lambda draw: draw["seq"])
    }


def follow(events: list[Event], *drafts: Draft, seed: str) -> list[Event]:
    game = fold(events)
    for draft in drafts:
        game, added = record(
            game, [draft], Seeded(seed), history(events), recorded_at=clock(len(events) + 1), recorded_by=None
        )
        events = [*events, *added]
    return events


@pytest.mark.parametrize("path", FIRST, ids=[path.parent.name for path in FIRST])
def test_a_finished_game_is_drawn_again_from_its_export(path: Path, tmp_path: Path) -> None:
    events = recorded_events(path)
    document = draws_document(events)

    assert by_event(document) == {event.seq: list(event.outcomes) for event in events if event.outcomes}
    assert (document["head"], document["version"]) == (events[-1].hash, events[-1].seq)
    done = again(document, tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, str(len(document["draws"]))), done.stderr


def test_a_draw_that_was_changed_does_not_come_up_again(tmp_path: Path) -> None:
    document = draws_document(recorded_events(FIRST[0]))
    first = document["draws"][0]
    first["outcome"] = next(option for option in first["options"] if option != first["outcome"])

    assert "AssertionError: event 2" in again(document, tmp_path).stderr


def test_what_was_taken_back_and_written_anew_was_drawn_too(tmp_path: Path) -> None:
    path = games("forbidden-island")[0]
    header, _ = read(path)
    events = recorded_events(path)
    at = next(event.seq for event in events if event.type == "draw_treasure_card")
    events = follow(
        events[:at],
        Draft(type="undo", params={"to": at - 1}),
        Draft(type="draw_treasure_card", actor=events[at - 1].actor),
        Draft(
            type="amend",
            params={"seq": at + 2, "event": {"type": "annotate", "params": {"text": "No."}}, "accept_broken": True},
        ),
        Draft(type="abandon", params={"reason": "The bus."}),
        seed=header.seed,
    )
    document = draws_document(events)

    assert by_event(document) == {event.seq: list(event.outcomes) for event in events if event.outcomes}
    assert again(document, tmp_path).returncode == 0


def test_a_fork_draws_by_its_own_seed_from_where_it_begins(tmp_path: Path) -> None:
    parent = recorded_events(FIRST[0])
    _, events = fork(parent, 2, game="01PARENT", seed="low water", recorded_at=clock(0), tags=None)
    events = follow(events, Draft(type="abandon", params={"reason": "The bus."}), seed="low water")
    document = draws_document(events)

    assert document["seeded_after"] == 2
    assert again(document, tmp_path).stdout.startswith("0 draws")


def test_a_game_that_goes_on_keeps_its_seed() -> None:
    document = draws_document(recorded_events(FIRST[0])[:5])

    assert document["seed"] is None
    assert document["seed_commitment"]


def test_it_ends_before_what_is_hidden() -> None:
    events = recorded_events(FIRST[0])
    hidden = {event.seq: event for event in events[:4]}
    log = Log("g", events, show=lambda event: hidden.get(event.seq) or Event(**{**_members(event), "note": "hidden"}))

    assert json.loads(b"".join(draws.write(log)))["version"] == 4


def _members(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


@pytest.mark.parametrize("path", FIRST, ids=[path.parent.name for path in FIRST])
def test_the_page_names_what_a_set_up_draws_in_its_order(path: Path) -> None:
    document = draws_document(recorded_events(path))
    names = [name for name, _ in groupby(draw["name"] for draw in document["draws"] if draw["seq"] == 2)]
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{path.parent.name}` |"))

    assert re.findall("`([a-z_]+)`", row.split("|")[2]) == names


def test_the_page_names_every_draw() -> None:
    names = {
        draw["name"]
        for rules in registry.rulesets()
        for path in games(rules.id)
        for draw in draws_document(recorded_events(path))["draws"]
    }

    assert [name for name in names if f"`{name}`" not in PAGE] == []
