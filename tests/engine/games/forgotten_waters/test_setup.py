"""Forgotten Waters: Setup, and the special rules of small tables."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Malformed, OutcomeRequired
from engine.games.forgotten_waters.scenario.pack import MASKED
from engine.kit.chance import Observed
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import BELL, FORGOTTEN_WATERS, at_table, voyage
from tests.engine.games.playing import do, offered

RULES: Any = registry.ruleset(FORGOTTEN_WATERS)
NAMES = ("Ada", "Bo", "Cleo")


def set_up(seats: int, *outcomes: str, **options: Any) -> Any:
    chance = Observed()
    chance.begin(2, outcomes)
    state = RULES.setup(RULES.parse_options(options, seats), seats, chance)
    chance.finish()
    return state


def malformed_options(seats: int, **options: Any) -> tuple[str, str]:
    with pytest.raises(Malformed) as caught:
        RULES.parse_options(options, seats)
    return caught.value.pointer, caught.value.message


def test_setup__scenario_begins_on_its_first_page() -> None:
    state = voyage(5)
    assert (state.page, state.round, state.turn, state.phase) == ("gullet_harbour", 1, 1, "planning")


def test_setup_2__hungry_pirates_with_4_or_fewer() -> None:
    assert [rule.id for rule in BELL.rules_for(4)] == ["hungry_pirates"]
    assert BELL.rules_for(5) == ()


def test_setup_2__masked_pirate_with_3() -> None:
    assert [rule.id for rule in BELL.rules_for(3)] == ["hungry_pirates", "masked_pirate"]


def test_setup_2__what_hungry_pirates_do_comes_before_the_first_page() -> None:
    pirates = [{"sheet": sheet.id} for sheet in BELL.sheets[:4]]
    state = set_up(4, "p1", "p2", "p3", "p4", pirates=pirates)
    assert (state.turn, state.page, RULES.awaiting(state)) == (1, "", (0,))
    for seat in ("p1", "p2", "p3", "p4"):
        state = do(state, seat, "choose_skill", skill="hunting")
        for star in offered(state, seat, "fill_star")[:1]:
            state = do(state, seat, "fill_star", star=star)
    assert state.page == "gullet_harbour"
    assert [pirate.rerolls for pirate in state.pirates] == [1, 1, 1, 1]


def test_setup_12__the_ship_is_named() -> None:
    state = voyage(options={"ship_name": "Merry Widow"})
    assert "The ship is called Merry Widow." in RULES.describe_setup(state, NAMES)
    assert RULES.overview(state, NAMES)["Ship's name"] == "Merry Widow"


def test_setup_12__or_has_no_name_yet() -> None:
    assert not [line for line in RULES.describe_setup(voyage(), NAMES) if "called" in line]
    assert "Ship's name" not in RULES.overview(voyage(), NAMES)


def test_setup_4__ship_and_special_locations() -> None:
    state = voyage()
    assert (state.ship, state.token_on("b4"), state.token_on("d3")) == ("b4", "gullet_harbour", "rocky_waters")


def test_setup_5__treasure_deck() -> None:
    assert len(voyage().treasure_pile) == len(BELL.treasures) >= 30


def test_setup_6__navigation_tokens() -> None:
    assert len(voyage().navigation_pile) == 30


def test_setup_8__standees_by_seat() -> None:
    assert [pirate.standee for pirate in voyage(4).pirates] == ["black", "blue", "green", "orange"]


def test_setup_8__standee_of_ones_choice() -> None:
    state = set_up(
        5,
        *["bellringer", "taxman", "cook", "ghost", "prodigy", "p1", "p2", "p3", "p4", "p5"],
        pirates=[{"standee": "red"}, *[{}] * 4],
    )
    assert [pirate.standee for pirate in state.pirates] == ["red", "black", "blue", "green", "orange"]


def test_setup_8__nobody_is_the_masked_pirate_with_3() -> None:
    assert MASKED not in {pirate.standee for pirate in voyage(3).pirates}
    assert malformed_options(3, pirates=[{"standee": "orange"}, {}, {}]) == (
        "/options/pirates/0/standee",
        "with 3 players nobody is the masked pirate",
    )


def test_setup_8__each_standee_once() -> None:
    assert malformed_options(3, pirates=[{"standee": "red"}, {"standee": "red"}, {}]) == (
        "/options/pirates/1/standee",
        "another pirate has that standee",
    )


def test_setup_9__sheets_are_dealt_where_nobody_chose() -> None:
    with pytest.raises(OutcomeRequired) as caught:
        set_up(5)
    assert (caught.value.point.name, caught.value.point.options) == (
        "player_sheet",
        ("bellringer", "cartographer", "cook", "duellist", "ghost", "prodigy", "taxman"),
    )


def test_setup_9__a_dealt_sheet_is_not_dealt_again() -> None:
    with pytest.raises(OutcomeRequired) as caught:
        set_up(5, "cook")
    assert "cook" not in caught.value.point.options


def test_setup_9__each_sheet_has_a_different_title() -> None:
    assert malformed_options(3, pirates=[{"sheet": "cook"}, {}, {"sheet": "cook"}]) == (
        "/options/pirates/2/sheet",
        "each player's sheet has a different title",
    )


def test_setup_9__sheets_of_the_scenario() -> None:
    assert malformed_options(3, pirates=[{"sheet": "alchemist"}, {}, {}]) == (
        "/options/pirates/0/sheet",
        "the scenario has no sheet 'alchemist'",
    )


def test_setup_9__a_pirate_for_each_player() -> None:
    assert malformed_options(3, pirates=[{}]) == ("/options/pirates", "there are 3 players")


def test_setup_9__a_name_for_the_pirate() -> None:
    state = voyage(
        5, {"pirates": [{"sheet": sheet.id, "name": f"Salty {n}"} for n, sheet in enumerate(BELL.sheets[:5])]}
    )
    assert (
        "Ada is Salty 0 (The Bellringer's Child, black)"
        in RULES.describe_setup(state, ["Ada", "Bo", "Cleo", "Dov", "Eli"])[1]
    )


def test_setup_11__roles_go_round_the_table() -> None:
    """FW-R23."""
    assert voyage(3).roles == (0, 1, 2, 0, 1, 2, 0)


def test_setup_11__roles_of_ones_choice() -> None:
    """FW-R23."""
    assert voyage(3, {"roles": ["p3", "p1", "p1", "p2", "p2", "p1", "p1"]}).roles == (2, 0, 0, 1, 1, 0, 0)


def test_setup_11__each_player_has_at_least_one_role() -> None:
    """FW-R23."""
    assert malformed_options(3, roles=["p1", "p2", "p1", "p1", "p1", "p1", "p1"]) == (
        "/options/roles",
        "each player has at least one role",
    )


def test_setup_11__roles_are_for_those_who_play() -> None:
    assert malformed_options(3, roles=["p4", "p2", "p3", "p1", "p1", "p1", "p1"]) == (
        "/options/roles/0",
        "there are only 3 players",
    )


def test_setup_13__infamy_in_random_order() -> None:
    state = set_up(5, *["bellringer", "taxman", "cook", "ghost", "prodigy", "p3", "p1", "p5", "p2", "p4"])
    assert state.infamy == (2, 0, 4, 1, 3)


def test_setup_14_to_17__markers_and_cannons_as_the_scenario_says() -> None:
    state = voyage(5)
    assert (state.crew, state.discontent, state.hull, state.supplies) == (14, 3, 10, 6)
    assert [(cannon.level, cannon.is_loaded) for cannon in state.cannons] == [(1, False), (1, True)]


def test_setup_18__objective_and_no_threat() -> None:
    state = voyage()
    assert (state.objective, state.threat_limit, state.threat) == ("find_the_pieces", 4, 0)


def test_setup__is_told() -> None:
    lines = RULES.describe_setup(voyage(3), ("Ada", "Bo", "Cleo"))
    assert lines[:2] == ["The scenario is The Bell Below.", "Rulings in use: Hungry Pirates, Masked Pirate."]
    assert lines[-1] == "The first page is Gullet Harbour."


def test_setup__own_book_is_told() -> None:
    state = at_table(title="Ours")
    assert RULES.describe_setup(state, ("Ada", "Bo", "Cleo"))[0] == "The scenario is Ours."
    assert RULES.describe_setup(state, ("Ada", "Bo", "Cleo"))[-1] == "The location book is still closed."


@pytest.mark.parametrize(
    ("book", "pointer"),
    [
        ({"start": {"hull": 0, "supplies": 1, "crew": 9, "discontent": 1}}, "/start"),
        ({"start": {"hull": 3, "supplies": 1, "crew": 4, "discontent": 4}}, "/start"),
        ({"start": {"hull": 13, "supplies": 1, "crew": 9, "discontent": 1}}, "/start/hull"),
        ({"space": "z9"}, "/space"),
        ({"placed": [{"space": "z9", "token": "fog"}]}, "/placed/0/space"),
        ({"placed": [{"space": "b2", "token": "fog"}, {"space": "b2", "token": "fog"}]}, "/placed/1/space"),
        ({"placed": [{"space": "a1", "token": "rocky_waters"}]}, "/placed/0/space"),
        ({"cannons": [{"level": 9}]}, "/cannons/0"),
    ],
)
def test_setup__own_book_has_to_fit(book: dict[str, Any], pointer: str) -> None:
    assert malformed_options(3, scenario="table", book=book)[0] == f"/options/book{pointer}"


def test_setup__own_book_says_how_things_start() -> None:
    state = at_table(space="c3", threat_limit=2, cannons=[{"level": 1, "is_loaded": True}], objective="objective_7")
    assert (state.ship, state.threat_limit, state.objective, len(state.cannons)) == ("c3", 2, "objective_7", 1)


@pytest.mark.parametrize("seats", [2, 8])
def test_setup__3_to_7_players(seats: int) -> None:
    assert malformed_options(seats)[0] == "/seats"


def test_places__no_sheet_is_dealt_to_who_has_chosen_one() -> None:
    names = ["Ann", "Bob", "Cleo"]
    sheets = [{"sheet": BELL.sheets[0].id}, {}, {}]

    def labels(**options: Any) -> list[str]:
        return [place.label for place in RULES.setup_prompts(RULES.parse_options(options, 3), names, ())]

    ranks = ["first from the top", "second from the top", "third from the top"]
    assert labels() == [*names, *ranks]
    assert labels(pirates=sheets) == ["Bob", "Cleo", *ranks]


def test_setup__difficulty_is_how_well_the_ship_is_found() -> None:
    """FW-R32."""
    pirates = [{"sheet": sheet.id} for sheet in BELL.sheets[:5]]
    ships = [
        set_up(5, "p1", "p2", "p3", "p4", "p5", pirates=pirates, difficulty=difficulty)
        for difficulty in ("landlubbers", "deckhands", "old_salts")
    ]
    assert [(ship.hull, ship.supplies, ship.crew, ship.discontent, ship.threat) for ship in ships] == [
        (14, 10, 19, 2, 0),
        (13, 8, 16, 3, 0),
        (11, 7, 15, 3, 2),
    ]


@pytest.mark.parametrize("options", [{"scenario": "table"}, {"edition": "second"}, {"edition": "first"}])
def test_setup__difficulty_is_of_the_third_edition(options: dict[str, Any]) -> None:
    """FW-R32."""
    pointer, message = malformed_options(3, difficulty="old_salts", **options)
    assert (pointer, message) == (
        "/options/difficulty",
        "only the third edition of The Bell Below has other difficulties",
    )
