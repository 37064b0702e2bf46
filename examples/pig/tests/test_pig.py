"""The rules of Pig, one by one. The laws of all rulesets run beside them: see `addopts` in pyproject.toml."""

from __future__ import annotations

import pytest

from driftlog import Game


def open_game() -> Game:
    game = Game.open("pig", seats=["Ann", "Bob"], options={"goal": 10}, observed=True)
    game.append("set_up")
    return game


def test_a_one_loses_the_points_of_the_turn() -> None:
    game = open_game()
    game.append("roll", "p1", outcomes=[6])
    game.append("roll", "p1", outcomes=[1])
    assert (game.turn, game.state.scores) == (2, (0, 0))


def test_the_goal_wins() -> None:
    game = open_game()
    for points in (6, 4):
        game.append("roll", "p1", outcomes=[points])
    game.append("hold", "p1")
    assert game.outcome.winners == ("p1",)


def test_nobody_holds_before_a_roll() -> None:
    with pytest.raises(Exception, match="Roll at least once"):
        open_game().append("hold", "p1")
