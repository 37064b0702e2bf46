"""The player of Forgotten Waters: its actions in positions, and its rate of wins."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.values import GameOutcome
from engine.games.forgotten_waters.scenario.effects import Effect
from engine.kit.chance import Observed, Stream
from engine.play import registry
from engine.players.forgotten_waters.reading import WatersReading
from engine.players.forgotten_waters.worth import worth
from engine.players.protocol import NotPlayable
from engine.players.registry import player_of
from engine.players.simulation import simulate
from engine.players.value import Valuer
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, having, resolving, voyage

RULES = registry.ruleset(FORGOTTEN_WATERS)
PLAYER = player_of(RULES)


def best(state: Any) -> str:
    """Return the player's first action in a position."""
    action, seat = PLAYER.propose(state, Stream(0))[0]
    assert action.refusal(state, seat) is None
    return action.label(state, ["Ann", "Ben", "Cyd"])


def choice(*options: list[dict[str, Any]]) -> dict[str, Any]:
    """An effect with options, named by letters."""
    named = [{"name": chr(ord("A") + at), "effects": effects} for at, effects in enumerate(options)]
    return {"do": "choose", "options": named}


def win_rate(seats: int, games: int) -> float:
    found = simulate(Valuer(PLAYER, RULES, 1), {}, seats, games)
    return next(row for row in found if row is not None).win_rate


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ([{"do": "infamy", "n": 1}], [{"do": "ship", "stat": "hull", "n": 2}]),
        ([{"do": "misfortune", "n": 1}], [{"do": "rerolls", "n": 1}]),
        ([{"do": "threat", "n": 2}], [{"do": "gain_treasure", "n": 1}]),
        ([{"do": "ship", "stat": "hull", "to": 0}], [{"do": "lose_treasure", "n": 1}]),
    ],
)
def test_it_takes_the_better_option(worse: Any, better: Any) -> None:
    assert best(resolving(choice(worse, better))) == "2. B"
    assert best(resolving(choice(better, worse))) == "1. A"


@pytest.mark.parametrize(
    ("effect", "value"),
    [
        ({"do": "count", "counter": "pieces", "n": 1}, 3.0),
        ({"do": "reach_goal"}, -20.0),
        ({"do": "dial", "feature": "bids"}, 0.0),
    ],
)
def test_the_value_of_an_effect(effect: dict[str, Any], value: float) -> None:
    assert worth(WatersReading(voyage()), 0, [msgspec.convert(effect, Effect)]) == value


@pytest.mark.parametrize("edition", ["first", "second"])
def test_it_plays_earlier_editions(edition: str) -> None:
    valuer = Valuer(PLAYER, RULES, 2)
    assert len([row for row in simulate(valuer, {"edition": edition}, 4, 2) if row is not None]) > 4


def test_a_table_s_own_book_is_refused() -> None:
    assert PLAYER.can_be_played(voyage()) is None
    with pytest.raises(NotPlayable, match="The effects in a table's own book are unknown"):
        next(simulate(Valuer(PLAYER, RULES), {"scenario": "table"}, 3, 1))


def test_the_table_wins_together() -> None:
    assert PLAYER.sides(voyage()) == ()
    outcome = GameOutcome("won", ("p2",), "goal_reached", "End of the Game")
    assert PLAYER.reward(outcome, 0) == 1
    assert win_rate(3, 3) > 0


def test_it_rolls_a_bad_die_again() -> None:
    check = {"do": "check", "skill": "aim", "results": [{"from": 8, "effects": [{"do": "fill_star", "n": 2}]}]}
    state = having(resolving(check), rerolls=1)
    assert best(state) == "Roll a die"
    for value, told in ((1, "Roll the 1 again for a re-roll token"), (12, "Keep")):
        rolled = registry.ruleset(FORGOTTEN_WATERS).parse("roll_die", {}).apply(state, 0, fixed_chance(value))
        assert best(rolled).startswith(told)


def fixed_chance(value: int) -> Any:
    chance = Observed()
    chance.begin(3, (value,))
    return chance


@pytest.mark.parametrize("seats", [3, 5, 7])
@pytest.mark.long
def test_it_often_wins(seats: int) -> None:
    assert win_rate(seats, 30) > 0.6
