"""Facts about the turn of a Forever Island table, and open questions."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.games.forever_island.components import NOTHING, Goods
from engine.games.forever_island.facts.turn import RaidIs
from engine.games.forever_island.state import Exchange, Raid
from engine.kit.chance import Chosen
from engine.kit.facts import Tableau
from engine.play.corrections import beginning, facts
from tests.engine.games.forever_island.positions import RICH, RULES, atoll, hut
from tests.engine.games.forever_island.telling import NAMES, after, fact, placing, reported_facts, unsound_reason

# The turn


def test_turn_is__what_was_done_in_it_still_was() -> None:
    state = atoll(huts=[["hog_1_a", "hog_1_b", "log_1_a"]], new=["p1_hut_1"], harvested=["p1_hut_2"])
    for number in (9, 2):
        later = after(state, fact("turn_is", number=number))
        assert (later.turn, hut(later, "p1_hut_1").built, hut(later, "p1_hut_2").harvested) == (number,) * 3
        assert (hut(later, "p1_hut_3").built, later.phase) == (0, "actions")


def test_turn_is__the_placement_again() -> None:
    state = atoll(phase="weather", active=0)
    again = after(state, fact("turn_is", number=0), fact("hut_is", hut="p1_hut_1", shore="not_built"),
                  fact("hut_is", hut="p2_hut_1", shore="not_built"))  # fmt: skip
    assert (again.phase, again.eliminated) == ("placement", ())
    offered = atoll(phase="exchange", exchange=Exchange(1, NOTHING, NOTHING))
    assert after(offered, fact("turn_is", number=0)).exchange is None


def test_turn_is__every_player_places_first() -> None:
    state = placing()
    assert unsound_reason(state, fact("turn_is", number=1)) == "Every player must first place a hut."
    huts = [fact("hut_is", hut=f"{seat}_hut_1", shore="hog_1_a") for seat in ("p1", "p2")]
    begun = after(state, fact("turn_is", number=1), *huts)
    assert (begun.turn, begun.phase) == (1, "weather")


def test_turn_is__a_photograph_from_the_placement() -> None:
    state = atoll(seats=3, huts=[["hog_1_a"], ["hog_1_a"], []], canoes=[(), (), ["volcano"]])
    out = facts.whole(RULES, ("Ada", "Bo", "Cleo"), state, reported_facts(fact("canoes_at", seat="p1", area="volcano")))
    photograph = list(Tableau(RULES.facts, out))
    here = atoll(seats=3, turn=0, phase="placement", huts=[[], [], []])
    made = facts.carry_out(RULES, ("Ada", "Bo", "Cleo"), here, photograph)[1]
    assert set(Tableau(RULES.facts, made)) == set(photograph)


def test_turn_of__put() -> None:
    state = atoll(raided=((1, "frog_2_b"),))
    other = after(state, fact("turn_of", seat="p2"))
    assert (other.active, other.raided) == (1, ())
    assert after(state, fact("placed_first", seat="p2")).first == 1


def test_weather_rolled__put() -> None:
    state = atoll(phase="exchange", exchange=Exchange(1, NOTHING, NOTHING))
    before = after(state, fact("weather_rolled", yes=False))
    assert (before.phase, before.exchange) == ("weather", None)
    assert after(before, fact("weather_rolled")).phase == "actions"
    assert unsound_reason(placing(), fact("weather_rolled")) == "There are no turns in the initial placement."


@pytest.mark.parametrize(("kind", "field"), [("hut_is_new", "built"), ("hut_harvested", "harvested")])
def test_huts__in_this_turn(kind: str, field: str) -> None:
    state = after(atoll(), fact(kind, hut="p1_hut_1"))
    assert getattr(hut(state, "p1_hut_1"), field) == 3
    assert getattr(hut(after(state, fact(kind, hut="p1_hut_1", yes=False)), "p1_hut_1"), field) == 0


def test_taxes_collected__put() -> None:
    state = after(atoll(), fact("taxes_collected", shore="hog_1_a", count=2))
    assert [one.taxed for one in state.totems] == [2, 0, 0, 0, 0]
    assert unsound_reason(state, fact("taxes_collected", shore="hog_1_b")) == "There is no totem on that shore."


def test_doubled_up_and_raided__put() -> None:
    state = after(atoll(), fact("doubled_up", island="hog_1"), fact("raided", defender="p2", area="hog_1_a"))
    assert (state.doubled, state.raided) == (("hog_1",), ((1, "hog_1_a"),))
    again = after(
        state,
        fact("doubled_up", island="hog_1", yes=False),
        fact("raided", defender="p2", area="hog_1_a", yes=False),
    )
    assert (again.doubled, again.raided) == ((), ())


# Open decisions


def test_offers__one_at_a_time() -> None:
    state = atoll(hands=(RICH, RICH))
    double = after(state, fact("double_up_offered", hut="p2_hut_1"))
    assert (double.phase, double.double_up) == ("double_up", "p2_hut_1")
    exchange = after(double, fact("exchange_offered", partner="p2", give={"hog": 1}, take={"log": 2}))
    assert (exchange.phase, exchange.double_up) == ("exchange", None)
    assert exchange.exchange == Exchange(1, Goods(hog=1), Goods(log=2))
    raid = after(exchange, fact("raid_is", defender="p2", area="frog_2_b"))
    assert (raid.phase, raid.exchange, raid.raid) == ("throw", None, Raid(1, "frog_2_b"))
    assert raid.raided == ((1, "frog_2_b"),)
    for one, none in (
        (double, fact("double_up_offered", hut=None)),
        (exchange, fact("exchange_offered", partner=None)),
        (raid, fact("raid_is", defender=None)),
    ):
        assert after(one, none).phase == "actions"


def test_offers__what_cannot_be_answered_is_over() -> None:
    state = atoll(hands=(RICH, RICH), phase="exchange", exchange=Exchange(1, Goods(hog=5), NOTHING))
    assert after(state, fact("has_goods", seat="p1", resource="hog", count=4)).phase == "actions"
    message = unsound_reason(state, fact("exchange_offered", partner="p2", give={"hog": 6}))
    assert message.startswith("This is impossible: “Bo is offered 6 hogs for nothing.")


def test_raid_is__as_far_as_it_was_fought() -> None:
    state = atoll(huts=[["frog_2_b"] * 2, ["frog_2_b"] * 3])
    guessed = after(state, fact("raid_is", defender="p2", area="frog_2_b", guess=1))
    assert (guessed.phase, guessed.raid) == ("open_fist", Raid(1, "frog_2_b", guess=1))
    lost = after(state, fact("raid_is", defender="p2", area="frog_2_b", guess=1, spears=2))
    assert (lost.phase, lost.raid) == ("losses", Raid(1, "frog_2_b", 2, guess=1, loser=1, losses=2))
    caught = after(state, fact("raid_is", defender="p2", area="frog_2_b", guess=1, spears=1))
    assert (caught.raid.loser, caught.raid.losses) == (0, 1)


def test_raid_is__broken_off_where_it_cannot_go_on() -> None:
    state = atoll(huts=[["frog_2_b", "hog_1_a"]], phase="throw", raid=Raid(1, "frog_2_b"), raided=((1, "frog_2_b"),))
    assert after(state, fact("hut_is", hut="p1_hut_1", shore="hog_1_b")).raid is None


def test_raid_is__what_cannot_be() -> None:
    state = atoll()
    message = unsound_reason(state, fact("raid_is", defender="p2", area="frog_2_b", spears=1))
    assert message == "The spears in the fist are shown only after the guess."
    assert unsound_reason(state, fact("raid_is", defender="p2")) == "A raid needs a Defender and a place."


def test_raid_is__the_fist_is_the_raiders_secret() -> None:
    state = atoll(phase="guess", raid=Raid(1, "frog_2_b", spears=1, salt="x"), raided=((1, "frog_2_b"),))
    (own,), (open_,) = RaidIs.shown(state, 0), RaidIs.shown(state, None)
    assert (own.spears, open_.spears) == (1, None)
    assert [raid.spears for raid in RaidIs.shown(state, 1)] == [None]
    assert list(RaidIs.shown(atoll(), None)) == []


# A record that begins with facts


def begin_table(*known: Any) -> Any:
    chance = Chosen()
    chance.begin(0, ())
    options = RULES.parse_options({}, 2)
    return beginning.begin(RULES, NAMES, lambda drawn: RULES.setup(options, 2, drawn), known, chance)


def test_position__is_told() -> None:
    there = atoll(
        huts=[["hog_1_a"]], canoes=[["volcano"]], docked={"p1_hut_1": "p2"}, standing=["hog_1_a"], hands=(RICH,)
    )
    photograph = list(Tableau(RULES.facts, there))
    assert set(Tableau(RULES.facts, begin_table(*photograph))) == set(photograph)


@pytest.mark.parametrize("kind", ["lies_at", "fertility_is", "placed_first", "turn_of"])
def test_position__what_the_set_up_leaves_to_chance_has_to_be_told(kind: str) -> None:
    with pytest.raises(UnsoundTable) as error:
        begin_table(*(one for one in Tableau(RULES.facts, atoll()) if one.tag() != kind))
    assert [one.message.split("`")[1] for one in error.value.violations] == [kind]
