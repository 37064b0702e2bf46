"""Facts about a table of Forever Island: valid ones, their words, and impossible ones."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forever_island.components import NOTHING, Goods
from engine.games.forever_island.facts.players import HutIs
from engine.games.forever_island.state import Hut
from engine.kit.facts import Told
from engine.play import registry
from engine.play.corrections import facts
from tests.engine.games.forever_island.positions import RICH, RULES, atoll, hut, totem
from tests.engine.games.forever_island.telling import NAMES, THREE, after, fact, reported_facts, unsound_reason


def test_facts__both_versions_tell_the_same() -> None:
    assert registry.ruleset("forever-island", "1").facts == RULES.facts


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        (
            fact("lies_at", tile="volcano", q=0, r=-1),
            "The Volcano is at 0, -1.",
            "The Volcano is no longer at 0, -1.",
        ),
        (
            fact("fertility_is", island="log_1", count=4),
            "The fertility of Log Island 1 is 4.",
            "The fertility of Log Island 1 is no longer 4.",
        ),
        (
            fact("totem_is", shore="hog_1_a", totem="none"),
            "There is no totem on Hog Island 1, shore A.",
            "There is a totem on Hog Island 1, shore A now.",
        ),
        (
            fact("totem_is", shore="hog_1_a", totem="fallen"),
            "The totem on Hog Island 1, shore A is fallen.",
            "The totem on Hog Island 1, shore A is no longer fallen.",
        ),
        (
            fact("totem_is", shore="hog_1_a", totem="standing"),
            "The totem on Hog Island 1, shore A is standing.",
            "The totem on Hog Island 1, shore A is no longer standing.",
        ),
        (
            fact("totem_is", shore="hog_1_a", totem="standing", extensions=2),
            "The totem on Hog Island 1, shore A is standing, extended by 2.",
            "The totem on Hog Island 1, shore A is no longer standing, extended by 2.",
        ),
        (fact("totem_erected"), "A totem has been erected in this game.", None),
        (fact("totem_erected", yes=False), "No totem has been erected in this game.", None),
        (fact("volcano_is", number=2), "The volcano is at 2.", "The volcano is no longer at 2."),
        (fact("pile_is", resource="hog", count=3), "The pile of hogs has 3.", None),
        (
            fact("hut_is", hut="p1_hut_3", shore="hog_1_a"),
            "Ada's hut 3 stands on Hog Island 1, shore A.",
            "Ada's hut 3 no longer stands on Hog Island 1, shore A.",
        ),
        (
            fact("hut_is", hut="p3_hut_3", shore="not_built"),
            "p3's hut 3 is not on the board.",
            "p3's hut 3 is on the board now.",
        ),
        (
            fact("canoes_at", seat="p2", area="volcano"),
            "Bo has 1 undocked canoe on the Volcano.",
            "Bo no longer has 1 undocked canoe on the Volcano.",
        ),
        (
            fact("canoes_at", seat="p2", area="volcano", count=2),
            "Bo has 2 undocked canoes on the Volcano.",
            "Bo no longer has 2 undocked canoes on the Volcano.",
        ),
        (
            fact("canoes_at", seat="p2", area="volcano", count=0),
            "Bo has no undocked canoes on the Volcano.",
            "Bo has a canoe on the Volcano now.",
        ),
        (
            fact("docked_in", hut="p1_hut_1", seat="p2"),
            "Bo's canoe is docked in Ada's hut 1.",
            "Bo's canoe is no longer docked in Ada's hut 1.",
        ),
        (
            fact("docked_in", hut="p1_hut_1", seat=None),
            "No canoe is docked in Ada's hut 1.",
            "A canoe is docked in Ada's hut 1 now.",
        ),
        (fact("has_goods", seat="p1", resource="frog", count=2), "Ada has 2 frogs.", "Ada no longer has 2 frogs."),
        (fact("has_goods", seat="p1", resource="frog", count=0), "Ada has no frogs.", "Ada has frogs now."),
        (fact("is_out", seat="p1"), "Ada is eliminated.", None),
        (fact("is_out", seat="p1", yes=False), "Ada is not eliminated.", None),
        (fact("placed_first", seat="p2"), "Bo places first.", None),
        (fact("turn_is", number=4), "This is turn 4.", "This is no longer turn 4."),
        (fact("turn_is", number=0), "This is the initial placement.", "The initial placement is over."),
        (fact("turn_of", seat="p2"), "It is Bo's turn.", "It is no longer Bo's turn."),
        (fact("weather_rolled"), "The weather has been rolled this turn.", None),
        (fact("weather_rolled", yes=False), "The weather has not been rolled this turn.", None),
        (fact("hut_is_new", hut="p1_hut_1"), "Ada's hut 1 was built this turn.", None),
        (fact("hut_is_new", hut="p1_hut_1", yes=False), "Ada's hut 1 was not built this turn.", None),
        (fact("hut_harvested", hut="p1_hut_1"), "Ada's hut 1 has harvested this turn.", None),
        (fact("hut_harvested", hut="p1_hut_1", yes=False), "Ada's hut 1 has not harvested this turn.", None),
        (
            fact("taxes_collected", shore="hog_1_a", count=2),
            "2 taxes were collected this turn for the totem on Hog Island 1, shore A.",
            None,
        ),
        (
            fact("taxes_collected", shore="hog_1_a", count=1),
            "1 tax was collected this turn for the totem on Hog Island 1, shore A.",
            None,
        ),
        (
            fact("taxes_collected", shore="hog_1_a", count=0),
            "No taxes were collected this turn for the totem on Hog Island 1, shore A.",
            None,
        ),
        (fact("doubled_up", island="hog_1"), "Hog Island 1 was used to double up this turn.", None),
        (fact("doubled_up", island="hog_1", yes=False), "Hog Island 1 was not used to double up this turn.", None),
        (fact("raided", defender="p2", area="volcano"), "Bo was raided on the Volcano this turn.", None),
        (
            fact("raided", defender="p2", area="volcano", yes=False),
            "Bo was not raided on the Volcano this turn.",
            None,
        ),
        (fact("double_up_offered", hut=None), "There is no offer to double up.", None),
        (fact("double_up_offered", hut="p2_hut_1"), "There is an offer to double up in Bo's hut 1.", None),
        (fact("exchange_offered", partner=None), "There is no offered exchange.", None),
        (fact("exchange_offered", partner="p2", give={"hog": 1}), "Bo is offered 1 hog for nothing.", None),
        (fact("raid_is", defender=None), "There is no raid.", None),
        (fact("raid_is", defender="p2", area="volcano"), "Bo is being raided on the Volcano.", None),
        (
            fact("raid_is", defender="p2", area="volcano", spears=1, guess=2),
            "Bo is being raided on the Volcano, with a guess of 2, with 1 in the fist.",
            None,
        ),
        (
            fact("phase_is", phase="open_fist"),
            "The phase is: opening the fist.",
            "The phase is no longer: opening the fist.",
        ),
    ],
)  # fmt: skip
def test_facts__in_words(document: dict[str, Any], sentence: str, no_longer: str | None) -> None:
    (one,) = reported_facts(document)
    assert (one.sentence(NAMES), one.no_longer(NAMES)) == (sentence, no_longer or f"No longer true: {sentence}")


# The atoll


def test_lies_at__two_tiles_change_places() -> None:
    state = after(atoll(), fact("lies_at", tile="hog_1", q=0, r=0))
    assert state.coordinates[:2] == ((1, 0), (0, 0))


def test_lies_at__an_empty_place() -> None:
    assert after(atoll(), fact("lies_at", tile="hog_1", q=-2, r=1)).coordinates[1] == (-2, 1)


def test_lies_at__no_tile_lies_apart() -> None:
    message = unsound_reason(atoll(), fact("lies_at", tile="hog_1", q=6, r=6))
    assert message == "This violates “every tile borders on another”."


def test_fertility_is__comes_from_the_pile() -> None:
    state = atoll()
    more, less = (after(state, fact("fertility_is", island="log_2", count=count)) for count in (5, 1))
    assert (more.fertility[3], more.piles) == (5, Goods(23, 21, 23))
    assert (less.fertility[3], less.piles) == (1, Goods(23, 25, 23))


def test_goods__there_are_29_of_each() -> None:
    state = atoll(hands=(Goods(hog=20),))
    message = "There are 29 hogs, 3 of them in the pile. Also report who has fewer."
    assert unsound_reason(state, fact("has_goods", seat="p2", resource="hog", count=4)) == message
    moved = after(
        state,
        fact("has_goods", seat="p2", resource="hog", count=4),
        fact("has_goods", seat="p1", resource="hog", count=19),
    )
    assert (moved.hands, moved.piles.hog) == ((Goods(hog=19), Goods(hog=4)), 0)


def test_pile_is__follows_from_the_rest() -> None:
    message = (
        "This is impossible: “The pile of hogs has 3.” "
        "With the other facts, this is possible: “The pile of hogs has 23.”"
    )
    assert unsound_reason(atoll(), fact("pile_is", resource="hog", count=3)) == message


def test_totem_is__standing_opens_the_raids() -> None:
    state = after(atoll(), fact("totem_is", shore="hog_1_a", totem="standing", extensions=2))
    assert totem(state, "hog_1_a").is_standing
    assert totem(state, "hog_1_a").extensions == 2
    assert state.has_erected
    assert unsound_reason(state, fact("totem_erected", yes=False)).startswith(
        "This is impossible: “No totem has been erected"
    )


def test_totem_is__no_longer_erected() -> None:
    assert not after(atoll(has_erected=True), fact("totem_erected", yes=False)).has_erected
    assert after(atoll(), fact("totem_erected")).has_erected


def test_totem_is__only_a_standing_one_is_extended() -> None:
    state = atoll()
    message = "Only a standing totem can be extended."
    assert unsound_reason(state, fact("totem_is", shore="hog_1_a", totem="fallen", extensions=1)) == message


@pytest.mark.parametrize("others", [(), (fact("volcano_is", number=2),)])
def test_totem_is__on_another_shore(others: tuple[Any, ...]) -> None:
    state = atoll(standing=["hog_1_a"])
    gone, there = fact("totem_is", shore="hog_1_a", totem="none"), fact("totem_is", shore="frog_2_a", totem="standing")
    for order in ((gone, there), (there, gone)):
        moved = after(state, *others, *order)
        assert [one.shore for one in moved.totems] == ["hog_2_a", "log_1_a", "log_2_a", "frog_1_a", "frog_2_a"]
        assert totem(moved, "frog_2_a").is_standing


def test_totem_is__there_are_five() -> None:
    state = atoll()
    less, more = fact("totem_is", shore="hog_1_a", totem="none"), fact("totem_is", shore="hog_1_b", totem="fallen")
    assert unsound_reason(state, less) == "There are 5 totems. Also report the shore that now has the totem."
    assert unsound_reason(state, more) == "There are 5 totems. Also report the shore that has lost one."
    another = fact("totem_is", shore="hog_2_a", totem="standing")
    assert unsound_reason(state, less, another) == "There are 5 totems. Also report the shore that now has the totem."


def test_volcano_is__put() -> None:
    assert after(atoll(), fact("volcano_is", number=1)).volcano == 1


# Players' pieces and goods


def test_hut_is__built_moved_and_gone() -> None:
    state = atoll(huts=[["hog_1_a"]], docked={"p1_hut_1": "p2"})
    built = after(state, fact("hut_is", hut="p1_hut_3", shore="log_1_a"))
    assert built.huts[0][1] == Hut("p1_hut_3", "log_1_a", 0)
    moved = after(state, fact("hut_is", hut="p1_hut_1", shore="log_1_a"))
    assert hut(moved, "p1_hut_1") == Hut("p1_hut_1", "log_1_a", 0, docked=1)
    gone = after(built, fact("hut_is", hut="p1_hut_1", shore="not_built"))
    assert (hut(gone, "p1_hut_1"), gone.canoes[1]) == (None, ("hog_1_a",))
    assert after(built, fact("hut_is", hut="p1_hut_5", shore="not_built")) == built


def test_hut_is__with_the_canoe_that_was_docked_in_it() -> None:
    state = atoll(huts=[["hog_1_a", "log_1_a"]], docked={"p1_hut_1": "p2"})
    gone = fact("hut_is", hut="p1_hut_1", shore="not_built")
    assert after(state, gone, fact("canoes_at", seat="p2", area="hog_1_a", count=0)).canoes[1] == ()
    assert HutIs("p1_hut_8", "not_built").put(state, Told()) == state


def test_hut_is__of_a_colour_that_plays() -> None:
    message = "No player owns the huts of that colour."
    assert unsound_reason(atoll(), fact("hut_is", hut="p3_hut_1", shore="hog_1_a")) == message


def test_canoes_at__put() -> None:
    state = atoll(canoes=[["volcano"]])
    assert after(state, fact("canoes_at", seat="p1", area="volcano", count=3)).canoes[0] == ("volcano",) * 3
    assert after(state, fact("canoes_at", seat="p1", area="volcano", count=0)).canoes[0] == ()


def test_canoes_at__there_are_ten() -> None:
    state = atoll(canoes=[["volcano"] * 10])
    message = "All 10 canoes of that colour are on the board. Also report where there are fewer."
    assert unsound_reason(state, fact("canoes_at", seat="p1", area="hog_1_a")) == message
    moved = after(
        state, fact("canoes_at", seat="p1", area="hog_1_a"), fact("canoes_at", seat="p1", area="volcano", count=9)
    )
    assert moved.canoes[0] == ("hog_1_a", *["volcano"] * 9)


def test_docked_in__a_canoe_of_the_shore() -> None:
    state = atoll(huts=[["hog_1_a"]], canoes=[(), ["hog_1_a", "volcano"]])
    docked = after(state, fact("docked_in", hut="p1_hut_1", seat="p2"))
    assert (hut(docked, "p1_hut_1").docked, docked.canoes[1]) == (1, ("volcano",))
    one_more = after(state, fact("docked_in", hut="p1_hut_1", seat="p2"), fact("canoes_at", seat="p2", area="hog_1_a"))
    assert (hut(one_more, "p1_hut_1").docked, one_more.canoes[1]) == (1, ("hog_1_a", "volcano"))


def test_docked_in__no_canoe_or_another() -> None:
    state = atoll(huts=[["hog_1_a"]], docked={"p1_hut_1": "p2"})
    free = after(state, fact("docked_in", hut="p1_hut_1", seat=None))
    assert (hut(free, "p1_hut_1").docked, free.canoes[1]) == (None, ("hog_1_a",))
    own = after(state, fact("docked_in", hut="p1_hut_1", seat="p1"))
    assert (hut(own, "p1_hut_1").docked, own.canoes) == (0, ((), ("hog_1_a",)))
    assert unsound_reason(state, fact("docked_in", hut="p1_hut_2", seat="p1")) == "That hut is not on the board."


def test_settled__who_has_nothing_is_out_and_returns() -> None:
    state = atoll(seats=3, hands=(RICH, RICH, RICH))
    names = ("Ada", "Bo", "Cleo")
    out = facts.whole(RULES, names, state, reported_facts(fact("hut_is", hut="p1_hut_1", shore="not_built")))
    assert (out.eliminated, out.hands[0], out.active, out.turn, out.phase) == ((0,), NOTHING, 1, 4, "weather")
    assert out.outcome is None
    back = facts.whole(RULES, names, out, reported_facts(fact("canoes_at", seat="p1", area="volcano")))
    assert (back.eliminated, back.active) == ((), 1)


def test_settled__the_last_survivor_has_won() -> None:
    state = after(atoll(), fact("hut_is", hut="p2_hut_1", shore="not_built"))
    assert state.outcome.reason == "last_survivor"


def test_settled__three_totems_have_won() -> None:
    state = atoll(huts=[THREE], standing=THREE[:2])
    assert after(state, fact("totem_is", shore="log_1_a", totem="standing")).outcome.reason == "three_totems"


def test_settled__in_the_placement_too() -> None:
    state = atoll(turn=0, phase="placement", active=1, huts=[THREE, []], standing=THREE[:2])
    assert after(state, fact("totem_is", shore="log_1_a", totem="standing")).outcome.reason == "three_totems"
