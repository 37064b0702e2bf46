"""Forever Island: components, setting up the board, the first turn, the weather, and the order of turns."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.values import Value
from engine.games.forever_island.components import (
    AREAS,
    HUTS_OF,
    ISLANDS,
    SHORES,
    TERRAINS,
    TILES,
    Goods,
)
from engine.games.forever_island.state import ForeverState
from engine.kit.chance import Observed, Sampled
from engine.kit.ruleset import Refusal
from tests.engine.games.forever_island.positions import RULES, atoll, fertility_of, huts_of
from tests.engine.games.playing import do, kinds, offered, refused, said
from tests.playouts import NAMES
from tests.recording import Recording

LINE = [1, 4, 1, 4, 1, 4]
"""Rolls that lay the tiles in a zigzag when the Connect side is 6."""
FACES = ["hog", "log", "frog", "volcano", "frog", "log", "hog"]
TOKENS = ["totem", "totem", "totem", *["spear"] * 7, "totem", "totem"]


def set_up(*outcomes: Value, seats: int = 2, **options: Any) -> ForeverState:
    chance = Observed()
    chance.begin(2, outcomes)
    state: ForeverState = RULES.setup(RULES.parse_options(options, seats), seats, chance)
    chance.finish()
    return state


def standard(*, rolls: list[int] | None = None, faces: list[str] | None = None, first: str = "p1", **more: Any) -> Any:
    return set_up(*(rolls or LINE), *(faces or FACES), *TOKENS, first, **more)


# Components


def test_components__as_in_the_box() -> None:
    box = RULES.components
    assert Counter(TERRAINS) == {"hog": 2, "log": 2, "frog": 2, "volcano": 1}
    assert (box["huts_per_player"] * 6, box["canoes_per_player"] * 6, box["totems"]) == (48, 60, 5)
    assert box["resource_tokens"] == {"hog": 29, "log": 29, "frog": 29}
    assert (box["spear_tokens"], box["totem_tokens"], box["volcano_tokens"], box["dice"]) == (7, 5, 1, 1)


def test_components__six_islands_with_two_shores_and_a_volcano_without() -> None:
    assert len(ISLANDS) == 6
    assert (len(SHORES), len(AREAS), len(TILES)) == (12, 13, 7)
    assert len({hut for huts in HUTS_OF for hut in huts}) == 48


@pytest.mark.parametrize("seats", [1, 7])
def test_players__two_to_six(seats: int) -> None:
    with pytest.raises(Malformed):
        RULES.parse_options({}, seats)


# Setting Up the Board: Tile Placement


def test_tile_placement__the_rolled_side_of_the_tile_before() -> None:
    # The rulebook's example: 1, then 2, then 5.
    state = standard(rolls=[1, 2, 5, 3, 3, 3])
    assert state.coordinates[:4] == ((0, 0), (1, 0), (2, -1), (2, 0))


def test_tile_placement__a_tile_is_turned_by_its_connect_side() -> None:
    # Side 6 of each next tile faces the one before, so its side 3 lies opposite: the chain goes straight on.
    straight = standard(rolls=[3, 3, 3, 3, 3, 3])
    assert straight.coordinates == tuple((-step, step) for step in range(7))


@pytest.mark.parametrize(("side", "onward"), [(1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3)])
def test_tile_placement__option_connect_side(side: int, onward: int) -> None:
    state = standard(rolls=[1, *[onward] * 5], connect_side=side)
    assert state.coordinates == tuple((step, 0) for step in range(7))


def test_tile_placement__rolled_again_where_a_tile_lies() -> None:
    state = standard(rolls=[3, 6, 6, 3, 3, 3, 3, 3])
    assert state.coordinates == tuple((-step, step) for step in range(7))


def test_tile_placement__any_tile_is_in_the_way_not_only_the_one_before() -> None:
    # After 1, 2, 5 the fourth tile's side 5 faces the second tile.
    assert standard(rolls=[1, 2, 5, 5, 3, 3, 3]) == standard(rolls=[1, 2, 5, 3, 3, 3])


def test_tile_placement__islands_of_a_kind_are_numbered_as_they_were_laid() -> None:
    assert standard().tiles == ("hog_1", "log_1", "frog_1", "volcano", "frog_2", "log_2", "hog_2")


def test_tile_placement__seven_tiles_of_which_a_third_hog_cannot_come_up() -> None:
    with pytest.raises(ImpossibleOutcome):
        set_up(*LINE, "hog", "hog", "hog")


def test_tile_placement__the_first_question_is_the_die() -> None:
    point = RULES.setup_point(RULES.parse_options({}, 2), 2)
    assert point is not None
    assert (point.name, point.options) == ("tile_side", (1, 2, 3, 4, 5, 6))


def test_tile_placement__adjacent_tiles_share_an_edge() -> None:
    # FV-R9
    state = standard(rolls=[3, 3, 3, 3, 3, 3])
    assert state.borders("log_1_a") == {"hog_1", "frog_1"}
    assert state.borders("volcano") == {"frog_1", "frog_2"}


# Setting Up the Board: Adding Tokens


def test_adding_tokens__a_totem_lies_on_each_shore_with_a_totem_token() -> None:
    totems = standard().totems
    assert [totem.shore for totem in totems] == ["hog_1_a", "hog_1_b", "hog_2_a", "frog_2_a", "frog_2_b"]
    assert not any(totem.is_standing for totem in totems)


def test_adding_tokens__five_four_or_three_resources() -> None:
    assert standard().fertility == (3, 4, 5, 5, 5, 3)


def test_adding_tokens__the_rest_is_in_the_piles() -> None:
    assert standard().piles == Goods(29 - 7, 29 - 10, 29 - 8)


def test_adding_tokens__the_volcano_token_on_three() -> None:
    assert standard().volcano == 3


def test_adding_tokens__a_sixth_totem_token_cannot_come_up() -> None:
    with pytest.raises(ImpossibleOutcome):
        set_up(*LINE, *FACES, *["totem"] * 6)


# First Turn: Initial Placement


def test_placement__a_roll_says_who_begins() -> None:
    state = standard(first="p2", seats=3)
    assert (state.turn, state.phase, RULES.awaiting(state)) == (0, "placement", (1,))


def test_placement__only_a_player_can_begin() -> None:
    with pytest.raises(ImpossibleOutcome):
        standard(first="p3")


def test_placement__who_begins_has_to_be_reported() -> None:
    with pytest.raises(OutcomeRequired):
        set_up(*LINE, *FACES, *TOKENS)


def test_placement__a_hut_on_any_shore() -> None:
    # FV-R1
    assert offered(standard(), "p1", "place_hut") == sorted(SHORES)


def test_placement__and_one_resource_of_each_kind() -> None:
    # FV-R1
    state = do(standard(), "p1", "place_hut", shore="log_1_b")
    assert huts_of(state, 0) == ["log_1_b"]
    assert state.hands == (Goods(1, 1, 1), Goods())


def test_placement__goes_to_the_left() -> None:
    # FV-R1
    state = do(standard(first="p3", seats=3), "p3", "place_hut", shore="log_1_b")
    assert state.active == 0


def test_placement__a_shore_may_be_shared() -> None:
    # FV-R1
    state = do(standard(), "p1", "place_hut", shore="log_1_b")
    assert "log_1_b" in offered(state, "p2", "place_hut")
    assert huts_of(do(state, "p2", "place_hut", shore="log_1_b"), 1) == ["log_1_b"]


def test_placement__out_of_turn() -> None:
    assert refused(standard(), "p2", "place_hut", shore="log_1_b") == Refusal(
        "Gameplay", "It is another player's turn."
    )


def test_placement__nothing_else_is_done_before() -> None:
    assert kinds(standard(), "p1") == ["place_hut"]
    assert refused(standard(), "p1", "end_turn").rule == "First Turn: Initial Placement"


def test_placement__once_each() -> None:
    refusal = refused(atoll(), "p1", "place_hut", shore="log_1_b")
    assert refusal == Refusal("First Turn: Initial Placement", "The initial placement is over.")


def test_placement__then_the_first_turn_is_who_placed_firsts() -> None:
    state = standard(first="p2")
    for actor in ("p2", "p1"):
        state = do(state, actor, "place_hut", shore="log_1_b")
    assert (state.turn, state.phase, state.active) == (1, "weather", 1)


def test_placement__is_no_elimination() -> None:
    # FV-R19
    assert do(standard(seats=6), "p1", "place_hut", shore="log_1_b").eliminated == ()


def test_placement__told() -> None:
    label, sentence = said(standard(), "p1", "place_hut", shore="log_1_b")
    assert label == "Place a hut on Log Island 1, shore B"
    assert sentence == "Ada places a hut on Log Island 1, shore B."


# Teams


@pytest.mark.parametrize(
    ("seats", "teams", "sides"),
    [(4, 0, [0, 1, 2, 3]), (4, 2, [0, 1, 0, 1]), (6, 2, [0, 1, 0, 1, 0, 1]), (6, 3, [0, 1, 2, 0, 1, 2])],
)
def test_teams__team_mates_do_not_sit_side_by_side(seats: int, teams: int, sides: list[int]) -> None:
    state = atoll(seats=seats, options={"teams": teams})
    assert [state.side(seat) for seat in range(seats)] == sides


@pytest.mark.parametrize(("seats", "teams"), [(2, 2), (3, 2), (5, 2), (4, 3), (3, 3), (5, 3)])
def test_teams__only_of_four_or_six_players(seats: int, teams: int) -> None:
    with pytest.raises(Malformed) as error:
        RULES.parse_options({"teams": teams}, seats)
    assert error.value.pointer == "/options/teams"


# Gameplay


def test_gameplay__a_turn_begins_with_the_weather() -> None:
    # FV-R24
    state = atoll(phase="weather", hands=[Goods(9, 9, 9)])
    assert kinds(state, "p1") == ["roll_for_weather"]
    assert refused(state, "p1", "mobilize", hut="p1_hut_1") == Refusal(
        "Roll for Weather", "The turn begins with the weather."
    )


def test_gameplay__the_weather_comes_once() -> None:
    assert refused(atoll(), "p1", "roll_for_weather").rule == "Roll for Weather"


def test_gameplay__the_weather_is_rolled_by_whose_turn_it_is() -> None:
    assert refused(atoll(phase="weather"), "p2", "roll_for_weather").rule == "Gameplay"


def test_gameplay__only_whose_turn_it_is_acts() -> None:
    # FV-R8 and FV-R9
    assert kinds(atoll(hands=[Goods(9, 9, 9)] * 2), "p2") == []
    assert refused(atoll(), "p2", "end_turn") == Refusal("Gameplay", "It is another player's turn.")


def test_gameplay__the_die_goes_to_the_next_player() -> None:
    # FV-R23
    state = do(atoll(seats=3, active=1), "p2", "end_turn")
    assert (state.turn, state.phase, state.active) == (4, "weather", 2)


def test_gameplay__and_from_the_last_to_the_first() -> None:
    assert do(atoll(seats=3, active=2), "p3", "end_turn").active == 0


def test_gameplay__the_turn_of_an_eliminated_player_is_skipped() -> None:
    state = atoll(seats=4, huts=[["log_1_a"], [], [], ["log_1_b"]], eliminated=(2, 1))
    assert do(state, "p1", "end_turn").active == 3


def test_gameplay__the_end_of_a_turn_told() -> None:
    assert said(atoll(), "p1", "end_turn") == ("Pass the die", "Ada passes the die to Bo.")


def test_gameplay__a_turn_ends_only_when_it_is_declared() -> None:
    # FV-R23: even if nothing else is possible.
    state = atoll(huts=[["hog_1_b"]], canoes=[["volcano"] * 10], harvested=["p1_hut_1"], hands=[Goods(hog=5)])
    state = do(state, "p1", "erect", totem="hog_1_a")
    assert (kinds(state, "p1"), state.phase, state.active) == (["end_turn"], "actions", 0)


def test_gameplay__no_turn_is_the_last() -> None:
    # FV-R35
    state = do(atoll(turn=50_000), "p1", "end_turn")
    assert (state.turn, state.phase, state.outcome) == (50_001, "weather", None)


def test_gameplay__a_table_may_abandon_its_game() -> None:
    # FV-R35
    recording = Recording("forever-island", seed="storm")
    recording.add("set_up")
    recording.add("abandon", reason="dinner")
    assert recording.game.outcome.result == "abandoned"


def test_gameplay__what_is_counted_by_turn_begins_again() -> None:
    state = do(
        atoll(standing=["hog_1_a"], taxed={"hog_1_a": 1}, doubled=("hog_1",), raided=((1, "hog_1_a"),)),
        "p1",
        "end_turn",
    )
    assert (state.doubled, state.raided, [totem.taxed for totem in state.totems]) == ((), (), [0] * 5)


# Roll for Weather


@pytest.mark.parametrize(
    ("rolled", "grown"),
    [
        (1, (2, 3, 4, 5, 6, 6)),
        (2, (1, 3, 4, 5, 6, 6)),
        (3, (1, 2, 4, 5, 6, 6)),
        (4, (1, 2, 3, 5, 6, 6)),
        (5, (1, 2, 3, 4, 6, 6)),
        (6, (1, 2, 3, 4, 5, 6)),
    ],
)
def test_weather__islands_of_at_least_that_fertility_grow_up_to_six(rolled: int, grown: tuple[int, ...]) -> None:
    # FV-R2
    before = dict(zip(ISLANDS, (1, 2, 3, 4, 5, 6), strict=True))
    state = do(atoll(phase="weather", fertility=before), "p1", "roll_for_weather", rolled)
    assert (state.fertility, state.phase) == (grown, "actions")


def test_weather__what_grows_comes_from_the_piles() -> None:
    state = atoll(phase="weather", fertility={"hog_1": 5, "hog_2": 5, "log_1": 5})
    assert do(state, "p1", "roll_for_weather", 5).piles == state.piles - Goods(hog=2, log=1)


@pytest.mark.parametrize(
    ("left", "fertility", "grown"),
    [(0, (3, 3), (3, 3)), (1, (3, 3), (4, 3)), (1, (6, 3), (6, 4)), (1, (3, 6), (4, 6)), (2, (3, 3), (4, 4))],
)
def test_weather__nothing_grows_from_an_empty_pile(
    left: int, fertility: tuple[int, int], grown: tuple[int, int]
) -> None:
    # FV-R3: the first island takes the last token.
    hand = Goods(hog=29 - sum(fertility) - left)
    state = atoll(phase="weather", fertility=dict(zip(ISLANDS, fertility, strict=False)), hands=[hand])
    assert do(state, "p1", "roll_for_weather", 1).fertility[:2] == grown


def test_weather__nothing_grows_on_a_dead_island() -> None:
    state = atoll(phase="weather", fertility={"hog_1": 0})
    assert fertility_of(do(state, "p1", "roll_for_weather", 1), "hog_1") == 0


@pytest.mark.parametrize(("before", "after"), [(3, 2), (2, 1)])
def test_weather__a_six_counts_down_to_the_eruption(before: int, after: int) -> None:
    assert do(atoll(phase="weather", volcano=before), "p1", "roll_for_weather", 6).volcano == after


def test_weather__the_die_has_six_sides() -> None:
    with pytest.raises(ImpossibleOutcome):
        do(atoll(phase="weather"), "p1", "roll_for_weather", 7)


@pytest.mark.parametrize(
    ("rolled", "position", "sentence"),
    [
        (5, {}, "Ada rolls a 5 for weather: 0 islands grow."),
        (5, {"fertility": {"hog_1": 5}}, "Ada rolls a 5 for weather: 1 island grows."),
        (1, {}, "Ada rolls a 1 for weather: 6 islands grow."),
        (6, {}, "Ada rolls a 6 for weather: the volcano counts down to 2."),
        (6, {"volcano": 1}, "Ada rolls a 6 for weather: the volcano erupts!"),
        (
            6,
            {"volcano": 1, "fertility": {"hog_1": 1, "log_2": 1}},
            "Ada rolls a 6 for weather: the volcano erupts! Ecocide on Hog Island 1 and Log Island 2!",
        ),
    ],
)
def test_weather__told(rolled: int, position: dict[str, Any], sentence: str) -> None:
    label, account = said(atoll(phase="weather", **position), "p1", "roll_for_weather", rolled)
    assert (label, account) == ("Roll for weather", sentence)


def test_set_up__told() -> None:
    laid, totems, grown, first = RULES.describe_setup(standard(first="p2"), NAMES)
    assert laid.startswith("Placed in this order: Hog Island 1, Log Island 1, Frog Island 1, the Volcano, ")
    assert totems.startswith("Totems are on Hog Island 1, shore A; Hog Island 1, shore B; ")
    assert grown.startswith("Fertility: Hog Island 1 3, Hog Island 2 4, ")
    assert first == "Bo places first."


def test_set_up__every_chain_is_connected() -> None:
    class Low:
        """A source of random numbers that counts up, so that every side is tried in turn."""

        def __init__(self) -> None:
            self.at = 0

        def randrange(self, stop: int, /) -> int:
            self.at += 1
            return self.at % stop

    chance = Sampled(Low())
    chance.begin(2, ())
    assert RULES.check_invariants(RULES.setup(RULES.parse_options({}, 6), 6, chance)) == []


def test_places__while_the_tiles_are_being_laid() -> None:
    names = ["Ann", "Bob"]
    options = RULES.parse_options({}, 2)

    assert [place.label for place in RULES.setup_prompts(options, names, [1])][:7] == [
        *("first throw", "second throw", "third throw", "fourth throw", "fifth throw", "sixth throw"),
        "first tile",
    ]
    # A number that is not on a die is asked for again.
    assert len(RULES.setup_prompts(options, names, [9])) == len(RULES.setup_prompts(options, names, []))
