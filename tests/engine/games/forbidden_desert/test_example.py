"""Forbidden Desert: the complete observed game under examples/ replays."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import msgspec
import pytest

from engine.core.errors import OutcomeRequired
from engine.core.events import Draft, Event, Seat
from engine.kit.chance import Observed
from engine.play.fold import fold, history
from engine.play.game import Game
from engine.play.past import KnownPast
from engine.play.record import open_game, record
from engine.review.audit import audit
from engine.review.turns import narrate

EXAMPLE = Path(__file__).parents[4] / "examples" / "forbidden-desert.ndjson"


@cache
def replay_example() -> tuple[Game, list[Event]]:
    """Return the recorded example and its log."""
    opening, *bodies = map(json.loads, EXAMPLE.read_text(encoding="utf-8").splitlines())
    game, first = open_game(
        ruleset=opening["ruleset"],
        seats=msgspec.convert(opening["seats"], list[Seat]),
        options=opening["options"],
        tags=opening["tags"],
        seed=None,
        recorded_at="2026-11-14T23:00:00.000Z",
    )
    events = [first]
    for body in bodies:
        for draft in msgspec.convert(body if isinstance(body, list) else [body], list[Draft]):
            game, added = record(game, [draft], Observed(), history(events), recorded_at="2026-11-14T23:00:00.000Z")
            events += added
    return game, events


def test_example__the_team_takes_off() -> None:
    game, _ = replay_example()
    assert game.outcome is not None
    assert game.outcome.reason == "took_off"


def test_example__is_clean_and_folds_to_the_same_game() -> None:
    game, events = replay_example()
    assert audit(events).verdict == "clean"
    assert fold(events) == game


def test_example__every_event_is_told() -> None:
    game, events = replay_example()
    sentences = [told.sentence for told in narrate(game.header, events)]
    assert sentences[0] == "Ines, Jonas, Mila and Theo start a game of Forbidden Desert."
    assert sentences[-1] == game.ruleset.endings["took_off"]


def test_example__says_what_came_up() -> None:
    _, events = replay_example()
    game, _ = open_game(
        ruleset="forbidden-desert",
        seats=[Seat("Ada"), Seat("Bo")],
        options={},
        seed=None,
        recorded_at=events[0].recorded_at,
    )
    with pytest.raises(OutcomeRequired):
        record(game, [Draft(type="set_up")], Observed(), KnownPast(), recorded_at=events[0].recorded_at)
