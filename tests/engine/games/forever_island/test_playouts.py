"""Whole games of Forever Island: every state is sound, every list exact, and every replay ends the same."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.core.events import Draft, Event, Seat
from engine.core.values import SEAT_IDS, GameOutcome
from engine.kit.chance import Sampled
from engine.kit.kernel import LegalAction
from engine.play.game import parse_header
from engine.play.past import KnownPast
from engine.play.record import chance_for, open_game, record
from engine.review.audit import audit
from engine.review.turns import index, narrate
from tests.engine.games.forever_island.positions import RULES
from tests.playouts import NAMES, clock, playout
from tests.ranges import sample

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"erect_requires_hut": True, "connect_side": 1}),
    (4, {"teams": 2, "team_shared_control": "all"}),
    (5, {"harvest_per_hut_per_turn": "unlimited", "volcano_raids": True}),
    (6, {"teams": 3, "raid_min_throw": 0}),
    (6, {"teams": 2}),
]
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(("seats", "options"), TABLES)
@pytest.mark.parametrize("seed", [1])
def test_playout__every_state_is_sound_and_every_list_exact(seed: int, seats: int, options: dict[str, Any]) -> None:
    rng = random.Random(seed)
    chance = Sampled(rng)
    chance.begin(2, ())
    state = RULES.at_table(RULES.setup(RULES.parse_options(options, seats), seats, chance))
    for _ in range(400):
        assert RULES.check_invariants(state) == []
        if state.outcome is not None:
            break
        legal = list(RULES.legal_actions(state))
        assert {one.seat for one in legal} == set(RULES.awaiting(state))
        labels = [(one.seat, one.action.label(state, NAMES)) for one in legal]
        assert len(set(labels)) == len(labels)
        ranged = check_ranges(state, legal, rng) if rng.random() < 0.3 else []
        chosen = rng.choice(ranged) if ranged else rng.choice(legal)
        chance.begin(3, ())
        state = chosen.action.apply(state, chosen.seat, chance)
    assert RULES.from_document(RULES.to_document(state)) == state


def check_ranges(state: Any, legal: list[LegalAction[Any]], rng: random.Random) -> list[LegalAction[Any]]:
    """Check that the listed actions fit the ranges, and return random legal actions within the ranges."""
    more = []
    for one in RULES.legal_ranges(state):
        fits = Draft202012Validator(one.params).is_valid
        examples = [each.action for each in legal if each.seat == one.seat and isinstance(each.action, one.kind)]
        assert examples
        assert all(fits(json.loads(msgspec.json.encode(example))) for example in examples)
        action = RULES.parse(one.kind.type, sample(one.params, rng))
        assert RULES.judge(state, action, SEAT_IDS[one.seat]) == one.seat
        more.append(LegalAction(action, one.seat))
    return more


@pytest.mark.parametrize(("seats", "options"), TABLES)
@pytest.mark.parametrize("chance", ["seeded", "observed"])
def test_playout__audits_clean(chance: Any, seats: int, options: dict[str, Any]) -> None:
    events = playout("forever-island", 7, seats, options, chance=chance, limit=600)
    if events[-1].type == "game_closed":
        assert audit(events).verdict == "clean"
    told = narrate(parse_header(events[0]), events)
    turns = index(told, RULES)
    assert [turn.turn for turn in turns] == list(range(len(turns)))
    assert turns[1].seat == told[2].event.actor


# A whole recorded game


def test_example__a_scoresheet_replays_to_its_end() -> None:
    opening, *lines = map(json.loads, (ROOT / "examples" / "forever-island.ndjson").read_text("utf-8").splitlines())
    assert opening.pop("chance") == "observed"
    seats = [Seat(**seat) for seat in opening.pop("seats")]
    game, first = open_game(seats=seats, seed=None, recorded_at=clock(1), **opening)
    events = [first]
    for line in lines:
        bodies = line if isinstance(line, list) else [line]
        drafts = [msgspec.convert(body, Draft) for body in bodies]
        game, added = record(
            game, drafts, chance_for(game.header, None), KnownPast(), recorded_at=clock(game.version + 1)
        )
        events += added
    assert game.outcome == GameOutcome("won", ("p1", "p3"), "three_totems", "Teams")
    assert audit(msgspec.json.decode(msgspec.json.encode(events), type=list[Event])).verdict == "clean"
