"""All players: their values, their limits, and the choice of a player for a game."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from statistics import fmean, pvariance

import pytest

from engine.core.values import GameOutcome
from engine.kit.chance import Keyed, RandomSource, Stream
from engine.play import registry as rulesets
from engine.players import registry
from engine.players.protocol import NotPlayable, PlayerFailed, Proposal
from engine.players.simulation import simulate
from engine.players.value import Value, Valuer
from tests.engine.games.forbidden_island.positions import island
from tests.engine.players.dice import Broken, Cheat, Empty, Forger, Greedy, Moody, Quitter, Roller, Stranger, Torn
from tests.engine.toy import Dice, DiceState, Roll


def start(totals: tuple[int, int] = (0, 0), goal: int = 30) -> DiceState:
    return DiceState(turn=1, phase="rolling", goal=goal, totals=totals, active=0)


def test_the_same_seed_gives_the_same_playouts() -> None:
    whole = Valuer(Roller(), Dice(), 4).rewards([(1, start())], range(40))
    parts = [Valuer(Roller(), Dice(), 4).rewards([(1, start())], range(at, at + 10)) for at in (0, 10, 20, 30)]
    assert whole == [[reward for (part,) in parts for reward in part]]
    assert 0 < sum(whole[0]) < 40


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sorted(registry.players()))
def test_a_settled_table_has_the_same_rewards(ruleset: str) -> None:
    rules = rulesets.ruleset(ruleset)
    valuer, rng, chance = Valuer(registry.player_of(rules), rules), Stream(5), Keyed(5)
    seats = rules.players[0]
    chance.begin(0, ())
    state = rules.setup(rules.parse_options({}, seats), seats, chance)
    moved = 0
    for number in range(50):
        if state.outcome is not None:
            break
        legal = list(rules.legal_actions(state))
        some = legal[rng.randrange(len(legal))]
        own = valuer.proposals(state, Stream(0))[0]
        first = [None, own, (some.action, some.seat)][number % 3]
        if number % 10 < 3:
            table, begin = valuer.settle(state, first)
            moved += table is not state or begin is not first
            expected = valuer.rewards([(1, state)], range(2), first)
            assert valuer.rewards([(1, table)], range(2), begin) == expected
        chance.begin(number, ())
        state = own[0].apply(state, own[1], chance)
    assert moved


def test_a_table_settles_before_random_numbers() -> None:
    class Random(Roller):
        def propose(self, state: DiceState, rng: RandomSource) -> list[Proposal]:
            return [(Roll(rng.randrange(3) + 1), state.active)]

    assert Valuer(Roller(), Dice()).settle(start(), (Roll(3), 0)) == (start(), None)
    assert Valuer(Roller(), Dice()).settle(start(), (Roll(2), 0)) == (start(), (Roll(2), 0))
    assert Valuer(Random(), Dice()).settle(start()) == (start(), None)
    assert Valuer(Random(), Dice()).settle(start(), (Roll(2), 0)) == (start(), (Roll(2), 0))
    passed = Valuer(Roller(), Dice()).settle(start(), (Roll(0), 0))
    assert passed == (Valuer(Roller(), Dice()).play(start(), 0, Keyed(0), (Roll(0), 0), 1), None)


def test_an_endless_game_settles() -> None:
    table, first = Valuer(Roller(0), Dice()).settle(start())
    assert (table.outcome, first) == (None, None)


def test_the_first_action_is_given() -> None:
    valuer = Valuer(Roller(), Dice())
    assert valuer.rewards([(1, start((27, 29)))], range(20), (Roll(3), 0), (0, 1)) == [[1.0] * 20, [0.0] * 20]
    assert valuer.rewards([(1, start((0, 29)))], range(20), (Roll(0), 0)) == [[0.0] * 20]


def test_tables_are_drawn_by_weight() -> None:
    won, lost = (start(totals) for totals in ((29, 0), (0, 29)))
    (rewards,) = Valuer(Roller(1), Dice()).rewards([(3, won), (1, lost)], range(400))
    assert 0.69 < fmean(rewards) < 0.81


def test_a_value() -> None:
    half = Value.of(50, 100)
    assert (half.p, round(half.low, 3), round(half.high, 3), half.words) == (0.5, 0.404, 0.596, "50 %")
    assert (Value.of(0, 80).words, Value.of(80, 80).words) == ("under 5 %", "over 95 %")
    assert (Value.exact(0).words, Value.exact(1).words) == ("0 %", "100 %")


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        (Empty(), "it proposed no action"),
        (Cheat(), "It is another player's turn."),
        (Broken(), "KeyError: 'lost'"),
        (Quitter(), "SystemExit: enough"),
        (Forger(), "it proposed an action that this game does not have"),
        (Stranger(), "it proposed an action that this game does not have"),
        (Greedy(), "it gave a reward that is not between 0 and 1"),
        (Roller(0), "its game has not ended after 1000 actions"),
    ],
)
def test_a_bad_player_is_stopped_and_named(player: Roller, reason: str) -> None:
    with pytest.raises(PlayerFailed) as error:
        Valuer(player, Dice()).rewards([(1, start())], range(1))
    assert str(error.value) == f"The computer player Roller failed: {reason}"


def test_a_bad_player_is_named_before_it_plays() -> None:
    with pytest.raises(PlayerFailed, match="it did not assign each seat to exactly one side"):
        Valuer(Torn(), Dice()).sides(start())
    with pytest.raises(PlayerFailed, match="KeyError: 'lost'"):
        next(simulate(Valuer(Moody(), Dice()), {}, 2, 1))


def test_common_cards_lessen_the_noise_of_a_difference() -> None:
    valuer = Valuer(registry.player_of(rulesets.ruleset("forbidden-island")), rulesets.ruleset("forbidden-island"))
    half_won = {
        "water_level": 6,
        "captured": ("oceans_chalice", "earth_stone"),
        "hands": [["crystal_of_fire"] * 3, ["statue_of_the_wind"] * 2],
    }
    before, after = (
        valuer.rewards([(1, island(flooded=flooded, roles=("pilot", "engineer"), **half_won))], range(60))[0]
        for flooded in ((), ("cave_of_embers",))
    )
    assert 0 < sum(before) < 60
    together = pvariance([two - one for one, two in zip(before, after, strict=True)])
    assert together <= 0.65 * (pvariance(before) + pvariance(after))


def test_cards_are_drawn_alike_from_unlike_piles() -> None:
    pile = ("a", "b", "b", "c", "d", "e")
    drawn = [(Keyed(seed).draw("card", pile), Keyed(seed).draw("card", pile[:-1])) for seed in range(2000)]
    assert all(one == two for one, two in drawn if one != "e")
    assert 0.28 < fmean(one == "b" for one, _ in drawn) < 0.39


def test_random_numbers_are_uniform() -> None:
    stream = Stream(1)
    drawn = [stream.randrange(5) for _ in range(5000)]
    assert all(920 < drawn.count(value) < 1080 for value in range(5))


def test_games_without_a_player() -> None:
    with pytest.raises(NotPlayable, match=r"Forbidden Desert has no computer player yet\."):
        registry.player_of(rulesets.ruleset("forbidden-desert"))


def test_rewards() -> None:
    draw, won = (GameOutcome(result, winners, "x", "x") for result, winners in (("draw", ()), ("won", ("p2",))))  # type: ignore[arg-type]
    assert [Roller().reward(outcome, seat) for outcome in (draw, won) for seat in (0, 1)] == [0.0, 0.0, 0.0, 1.0]
    assert Roller().can_be_played(start()) is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            "engine.players:PLAYERS",
            f"another package already has a computer player for {', '.join(sorted(registry.players()))}",
        ),
        ("engine.players:NOTHING", "module 'engine.players' has no attribute 'NOTHING'"),
    ],
)
def test_a_package_that_is_not_loaded(value: str, told: str) -> None:
    assert list(registry.load([EntryPoint("strange", value, registry.GROUP)])) == [
        f"the players of strange are not loaded: {told}"
    ]


def test_one_player_may_be_an_entry_point() -> None:
    try:
        assert (
            list(registry.load([EntryPoint("dice", "tests.engine.players.test_players:PLAYER", registry.GROUP)])) == []
        )
        assert registry.players()["dice"].name == "Roller"
    finally:
        registry._BY_RULESET.pop("dice", None)
    assert registry.other_entry_points() == []


PLAYER = Roller()


class Sided(Dice):
    """A game whose seats have roles."""

    def role(self, state: DiceState, seat: int) -> dict[str, str]:
        return {"Side": ("Left", "Right")[seat]}


def test_a_simulation_counts_by_role() -> None:
    found = list(simulate(Valuer(Roller(), Sided()), {"goal": 20}, 2, 30))
    everything, left, right = (row for row in found[30:] if row is not None)
    assert (everything.players, everything.games, everything.won, everything.lost, everything.other) == (
        2,
        30,
        30,
        0,
        0,
    )
    assert (left.role, right.role, left.won + right.won, left.lost) == ("Left", "Right", 30, right.won)
