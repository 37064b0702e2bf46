"""A game of four players without a noted Treasure card: recorded, exported, read and undone."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from driftlog import Game
from engine.play.beliefs import belief
from engine.play.beliefs.belief import Pooled
from tests.recording import Recording

SEED = 9
OFTEN = {
    "draw_treasure_card": 2,
    "discard": 6,
    "give_card": 6,
    "capture_treasure": 30,
    "shore_up": 3,
    "move": 0.2,
    "fly": 0.02,
    "navigate": 0.02,
    "play_helicopter_lift": 0.01,
    "play_sandbags": 0.3,
}
"""The frequency of each kind of action."""


def evening(seed: int) -> list[dict[str, Any]]:
    """Return the reports of a table of four, up to the first reshuffle. Drawn cards except Waters Rise! are unknown."""
    rng, real = random.Random(seed), Recording(seats=4, seed=str(seed))
    real.add("set_up")
    found = [{"type_": "set_up", "outcomes": real.events[-1].outcomes}]
    table: Any = real.game.state
    left = len(table.treasure_pile)
    while len(table.treasure_pile) <= left and table.outcome is None:
        left = len(table.treasure_pile)
        legal = list(real.game.ruleset.legal_actions(table))
        one = rng.choices(legal, [OFTEN.get(one.action.type, 1) for one in legal])[0]
        event, *_ = real.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
        outcomes = event.outcomes
        if event.type == "draw_treasure_card" and outcomes[0] != "waters_rise":
            outcomes = (None,)
        found.append({"type_": event.type, "actor": event.actor, "outcomes": outcomes, **event.params})
        table = real.game.state
    return found


@pytest.mark.long
def test_an_evening_of_unseen_cards(tmp_path: Path) -> None:
    game = Game.open("forbidden-island", seats=["Ada", "Bo", "Cy", "Di"], observed=True)
    times, drafts = [], evening(SEED)
    for draft in drafts:
        more = dict(draft)
        type_, actor, outcomes = more.pop("type_"), more.pop("actor", None), more.pop("outcomes")
        start = time.process_time()
        game.append(type_, actor, outcomes=outcomes, **more)
        times.append(time.process_time() - start)
    assert sum(draft["outcomes"] == (None,) for draft in drafts) >= 17
    assert statistics.median(times) < 0.1
    state = game._game.state
    assert isinstance(state, Pooled)
    assert game.audit().verdict == "clean"
    game.write(tmp_path / "evening.ndjson")
    for other in ("html", "playthrough"):
        game.write(tmp_path / other, other)
    again = Game.read(tmp_path / "evening.ndjson")
    assert again.head == game.head
    assert again._game == game._game
    hands = belief.view(again._game.ruleset, state, None)["hands"]
    assert all(hand[-1]["unseen"] for hand in hands if isinstance(hand[-1], dict))
    assert any(0 < action.p < 1 for action in again.legal_actions())
    # The new pile is known, so its cards must be reported.
    assert [len(layer) for layer in state.worlds[0].state.treasure_pile.layers] == [14]
    game.append("undo", to=20)
    assert game.version == len(drafts) + 2
    assert game._game.state == game._history.state(20)
