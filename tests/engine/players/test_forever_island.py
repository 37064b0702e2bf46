"""The player of Forever Island: its actions in positions, and the ends of its games."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forever_island.components import Goods
from engine.kit.chance import Stream
from engine.play import registry
from engine.players.registry import player_of
from engine.players.simulation import simulate
from engine.players.value import Valuer
from tests.engine.games.forever_island.positions import RULES, atoll
from tests.engine.games.forever_island.raiding import HERE, declare_raid, fought, war
from tests.engine.games.playing import do

PLAYER = player_of(RULES)
TOTEM = "hog_1_a"
POOR = {"fertility": dict.fromkeys(("hog_1", "hog_2", "log_1", "log_2", "frog_1", "frog_2"), 2)}


def best(state: Any) -> tuple[str, int]:
    """Return the player's first action in a position, with its seat."""
    action, seat = PLAYER.propose(state, Stream(0))[0]
    assert action.refusal(state, seat) is None
    return action.label(state, ["Ann", "Ben", "Cyd", "Dee", "Eve", "Fay"]), seat


def plan(**position: Any) -> str:
    label, seat = best(atoll(**{**POOR, **position}))
    assert seat == 0
    return label


def test_it_places_huts_near_totems() -> None:
    totems = [[totem.shore] for totem in atoll().totems]
    # The last totem that is left; if none is left, an island between several.
    assert best(atoll(seats=6, phase="placement", turn=0, active=4, huts=[*totems[:4], [], []])) == (
        "Place a hut on Frog Island 1, shore A",
        4,
    )
    assert best(atoll(seats=6, phase="placement", turn=0, active=5, huts=[*totems, []])) == (
        "Place a hut on Log Island 1, shore B",
        5,
    )


def test_it_erects_a_totem_that_it_alone_would_control() -> None:
    rich = {"huts": [[TOTEM], ["frog_2_b"]], "hands": [Goods(hog=5)]}
    assert plan(**rich) == "Erect the totem on Hog Island 1, shore A"
    assert "Erect" not in plan(**{**rich, "huts": [[TOTEM], [TOTEM]]})
    assert plan(huts=[[TOTEM]], hands=[Goods(hog=4, log=3)]) == "Convert 2 logs into a hog"


def test_it_leaves_resources_on_islands() -> None:
    assert plan(fertility={"frog_2": 3}).startswith("Harvest with hut 1")
    assert plan(fertility={"frog_2": 2}) == "Pass the die"
    # An eruption would take one more.
    assert plan(fertility={"frog_2": 3}, volcano=1) == "Pass the die"
    assert plan(fertility={"frog_2": 3}, harvested=["p1_hut_1"]) == "Pass the die"


def test_it_taxes_what_it_needs() -> None:
    stands = {"huts": [[TOTEM, "log_1_a"], ["hog_2_b"]], "standing": [TOTEM], "new": ["p1_hut_1", "p1_hut_2"]}
    fertile = {"fertility": {"log_1": 4, "hog_2": 4}}
    assert plan(**{**POOR, **stands, **fertile}).startswith("Tax Hog Island 1")


def test_it_settles_beside_the_next_totem() -> None:
    build = {"huts": [["hog_1_b"]]}
    assert plan(**build, hands=[Goods(log=1)]) == "Carve a canoe on Hog Island 1, shore B"
    assert plan(**build, canoes=[["hog_1_b"]]) == "Send a canoe on Hog Island 1, shore B to Hog Island 1, shore A"
    assert plan(**build, canoes=[[TOTEM]], hands=[Goods(hog=1, frog=1)]) == "Settle a canoe on Hog Island 1, shore A"
    far = {"huts": [["frog_2_b"]], "canoes": [["frog_2_b"]], "hands": [Goods(frog=1)]}
    assert plan(**far).startswith("Send a canoe on Frog Island 2, shore B to ")


def test_canoes_travel_by_tiles() -> None:
    everyone = [["frog_2_b"], ["log_2_a"], ["hog_1_a"], ["log_1_a"]]
    taken = {"huts": everyone, "seats": 4, "hands": [Goods(frog=3)], "canoes": [["frog_2_b"]]}
    assert plan(**taken).startswith("Send a canoe on Frog Island 2, shore B to ")


def test_it_builds_huts_at_home() -> None:
    home = {"huts": [["frog_2_b"]], "fertility": {"frog_2": 4}, "harvested": ["p1_hut_1"]}
    assert plan(**home, canoes=[["frog_2_b"]], hands=[Goods(hog=1, frog=1)]).startswith(("Settle", "Send"))
    five = {**home, "huts": [["frog_2_b"] * 5, ["hog_2_b"]], "harvested": [f"p1_hut_{hut}" for hut in range(1, 6)]}
    assert "Settle" not in plan(**five, hands=[Goods(hog=1, frog=1)])


def test_it_raids_beside_a_totem_with_two_pieces() -> None:
    raid = {"huts": [["frog_2_b"], [TOTEM]], "has_erected": True}
    rivals = {"seats": 2, "canoes": [[TOTEM, TOTEM]]}
    others = {"huts": [["log_1_a", "log_2_a", "hog_2_a", "frog_1_a"], [TOTEM]]}
    assert plan(**{**raid, **rivals, **others}) == "Raid Ben on Hog Island 1, shore A"
    assert "Raid" not in plan(**{**raid, **others, "canoes": [[TOTEM]]})


def test_raids() -> None:
    assert best(declare_raid())[0].startswith("Hide ")
    observed = RULES.at_table(declare_raid())
    assert best(observed)[1] == 0
    # The guessing player does not know the raider's number.
    thrown = [do(declare_raid(), "p1", "throw_spears", spears=spears, salt=str(spears)) for spears in (1, 2)]
    guesses = {best(state) for state in thrown}
    assert len(guesses) == 1
    assert guesses.pop()[0].startswith("Guess ")
    opened = do(observed, "p2", "guess_spears", spears=1)
    assert best(opened)[0].startswith("Open the fist: ")
    assert best(fought(1, 2, canoes=[[], [HERE]])) == ("Lose 1 undocked canoe", 1)


def test_offers() -> None:
    for fertility, told in ((3, "Double up with Ann"), (2, "Do not double up with Ann")):
        docked = {"huts": [["hog_1_b"], ["hog_2_b"]], "docked": {"p2_hut_1": "p1"}, "fertility": {"hog_2": fertility}}
        assert best(do(atoll(**docked), "p1", "offer_double_up", hut="p2_hut_1")) == (told, 1)
    state = atoll(hands=[Goods(hog=1), Goods(log=1)])
    for take, told in (({}, "Take 1 hog from Ann for nothing"), ({"log": 1}, "Decline Ann's exchange")):
        assert best(do(state, "p1", "offer_exchange", partner="p2", give={"hog": 1}, take=take)) == (told, 1)


def test_its_sides_are_teams() -> None:
    assert list(PLAYER.sides(war())) == [(0,), (1,)]
    assert list(PLAYER.sides(atoll(seats=4, options={"teams": 2}))) == [(0, 2), (1, 3)]


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, {"teams": 2}), (5, {"raid_min_throw": 0})])
def test_few_games_are_drawn(seats: int, options: dict[str, Any]) -> None:
    found = list(simulate(Valuer(PLAYER, registry.ruleset("forever-island"), 1), options, seats, 10))
    rows = [row for row in found if row is not None]
    assert [row.role for row in rows] == ["", *(f"p{seat + 1}" for seat in range(seats))]
    assert rows[0].other <= 2
    assert sum(row.won for row in rows[1:]) >= rows[0].won
