"""The search: what it compares, what it must not see, and how the chance to win is trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from driftlog.testing.players import reverse_layers
from engine.games.forbidden_island.components import TREASURES
from engine.kit.chance import Keyed, RandomSource, Stream
from engine.players import forbidden_island
from engine.players.forbidden_island.player import IslandPlayer, outlook_of
from engine.players.protocol import Proposal
from engine.players.registry import player_of
from engine.players.search import SearchPlayer
from engine.players.training import fit_weights, play_game
from engine.players.value import Valuer, estimate
from tests.engine.games.forbidden_island.positions import ARCHAENS, FORBIDDEN_ISLAND, island
from tests.engine.games.forever_island.positions import RULES as FOREVER
from tests.engine.games.forever_island.raiding import declare_raid
from tests.engine.games.playing import do, rules_of
from tests.engine.players.dice import Picky, Rival, Roller, Undecided
from tests.engine.toy import Dice, DiceState, Roll

LIFT, OCEAN = "helicopter_lift", "oceans_chalice"


class Ahead(Undecided):
    """Expects to win if it is ahead."""

    @property
    def outlook(self) -> Mapping[str, float]:
        return {"always": 0.0, "lead": 0.1}


class Repetitive(Undecided):
    """Proposes the same action twice."""

    def ideas(self, state: DiceState, rng: RandomSource) -> Sequence[Proposal]:
        return [(Roll(2), state.active)] * 2


class Late(Undecided):
    """Knows who is ahead only after two turns."""

    @property
    def outlook(self) -> Mapping[str, float]:
        return {"lead": 0.1}

    def features(self, state: DiceState, seat: int) -> Mapping[str, float]:
        return {"lead": super().features(state, seat)["lead"] * (state.turn > 2)}


class Calm(Ahead):
    """Expects a lead to gain less than `LEAST_GAIN`."""

    @property
    def outlook(self) -> Mapping[str, float]:
        return {"always": 0.0, "lead": 0.001}


def dice(goal: int = 10) -> DiceState:
    return DiceState(turn=1, phase="rolling", goal=goal, totals=(0, 0), active=0)


def best(state: Any, effort: int = 400) -> str:
    rules = rules_of(state)
    action, seat = SearchPlayer(player_of(rules), rules, effort).propose(state, Stream(1))[0]
    assert action.refusal(state, seat) is None
    return str(action.label(state, ["Ann", "Ben", "Cyd", "Dee"]))


@pytest.mark.parametrize("player", [Undecided(), Ahead()])
def test_it_takes_the_idea_that_wins_most_often(player: Roller) -> None:
    search = SearchPlayer(player, Dice())
    proposals = search.propose(dice(), Stream(0))
    assert [action.dice for action, _ in proposals[:1]] == [3]
    assert sorted(action.dice for action, _ in proposals) == [0, 1, 2, 3]
    assert proposals == search.propose(dice(), Stream(0))


def test_the_player_s_choice_stays_if_no_idea_is_clearly_better() -> None:
    assert [action.dice for action, _ in SearchPlayer(Calm(), Dice()).propose(dice(99), Stream(0))[:1]] == [1]


def test_it_looks_further_ahead_than_one_turn() -> None:
    assert [action.dice for action, _ in SearchPlayer(Late(), Dice()).propose(dice(99), Stream(0))[:1]] == [3]


def test_it_tries_no_idea_without_another() -> None:
    for player in (Roller(2), Repetitive()):
        assert SearchPlayer(player, Dice()).propose(dice(), Stream(0)) == [(Roll(2), 0)]


def test_it_plays_where_the_other_player_can() -> None:
    search = SearchPlayer(Picky(), Dice())
    assert search.can_be_played(dice()) == "It plays to 1000 only."
    assert SearchPlayer(Rival(), Dice()).sides(dice()) == [(0,), (1,)]
    assert search.features(dice(), 0) == {}
    state = Valuer(search, Dice()).play(dice(), 1, Keyed(1))
    assert state.outcome is not None
    assert {search.reward(state.outcome, seat) for seat in (0, 1)} == {0.0, 1.0}


def test_it_uses_no_secret() -> None:
    thrown = [do(declare_raid(), "p1", "throw_spears", spears=spears, salt=str(spears)) for spears in (1, 2)]
    search = SearchPlayer(player_of(FOREVER), FOREVER)
    assert len({search.propose(state, Stream(0))[0] for state in thrown}) == 1


@pytest.mark.parametrize("ruleset", [FORBIDDEN_ISLAND, ARCHAENS])
def test_it_depends_on_no_order_of_a_pile(ruleset: str) -> None:
    state = island(ruleset, hands=[[OCEAN] * 3, [OCEAN]], flooded=["observatory"], water_level=5)
    search = SearchPlayer(player_of(rules_of(state)), rules_of(state), 300)
    assert search.propose(state, Stream(2)) == search.propose(reverse_layers(state), Stream(2))


def test_it_tries_legal_actions_that_the_player_does_not_propose() -> None:
    position = {"hands": [[LIFT], ["sandbags"]], "flooded": ["observatory"]}
    for phase, skipped in (("actions", None), ("draw_flood", "play_helicopter_lift")):
        state = island(phase=phase, **position)
        legal = {(one.action, one.seat) for one in rules_of(state).legal_actions(state) if one.action.type != skipped}
        assert set(player_of(rules_of(state)).ideas(state, Stream(0))) == legal


def test_draws_need_no_search() -> None:
    assert best(island(phase="draw_treasure")) == "Draw a Treasure deck card"


def test_it_wins_when_it_can() -> None:
    home = {"captured": TREASURES, "pawns": ["fools_landing"] * 2}
    assert best(island(hands=[[LIFT]], **home)) == "Helicopter Lift: lift off Fools' Landing"
    full = {"phase": "discard", "captured": [*TREASURES[1:]]}
    assert best(island(hands=[[TREASURES[0]] * 4 + [LIFT] * 2], **full)).startswith(
        ("Discard Helicopter", "Helicopter")
    )


def test_weights_are_fitted() -> None:
    samples = [
        ({"always": 1.0, "up": float(up)}, float(n < won)) for up, won in ((0, 5), (1, 8)) for n in range(10)
    ] * 40
    weights = fit_weights(samples)
    assert estimate(weights, {"always": 1.0, "up": 0.0}) == pytest.approx(0.5, abs=0.01)
    assert estimate(weights, {"always": 1.0, "up": 1.0}) == pytest.approx(0.8, abs=0.01)


def test_a_game_is_a_sample_for_each_turn() -> None:
    samples = play_game(Valuer(Ahead(), Dice(), 3), 1)
    assert samples == play_game(Valuer(Ahead(), Dice(), 3), 1)
    assert samples[-1] == ({"always": 1.0, "lead": samples[-1][0]["lead"]}, 1.0)


@pytest.mark.parametrize("ruleset", [FORBIDDEN_ISLAND, ARCHAENS])
def test_the_shipped_weights_fit_the_features(ruleset: str) -> None:
    state = island(ruleset)
    player = player_of(rules_of(state))
    assert isinstance(player, IslandPlayer)
    weights = outlook_of(ruleset)
    assert weights.keys() == player.features(state, 0).keys()
    assert len(weights) <= 40
    for file in Path(forbidden_island.__file__).parent.glob("*.json"):
        assert file.stat().st_size <= 20_000
