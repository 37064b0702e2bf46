"""Several harvests, canoe steps or taxes as one event, judged in order; and version 1 of the rules."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.core.errors import IllegalAction, Unclear
from engine.games.forever_island.components import AREAS, ISLANDS, Goods
from engine.kit.chance import Observed
from engine.kit.ruleset import Refusal
from engine.play import registry
from engine.review.audit import audit
from tests.engine.games.forever_island.positions import RULES, atoll
from tests.engine.games.playing import do, offered, refused, said
from tests.recorded.games import FOLDER, read, replay

KEPT = sorted((FOLDER / "forever-island-1").glob("*.jsonl"))


def ranges(state: Any, type_: str) -> list[Any]:
    """Return the schemas of an action for p1."""
    return [one.params for one in RULES.legal_ranges(state) if one.kind.type == type_ and "p1" in one.actors]


def is_legal(state: Any, type_: str, **params: Any) -> bool:
    try:
        RULES.judge(state, RULES.parse(type_, params), "p1")
    except IllegalAction:
        return False
    return True


# Harvests


def farm(**position: Any) -> Any:
    """p1 has three huts on two islands, p2 has one."""
    return atoll(**{"huts": [["hog_1_a", "hog_1_b", "log_1_b"], ["log_1_b"]], **position})


def test_harvest_several__is_the_harvests_one_after_the_other() -> None:
    """FV-R4."""
    state = farm()
    together = do(state, "p1", "harvest_several", huts=["p1_hut_3", "p1_hut_1", "p1_hut_2"])
    for hut in ("p1_hut_1", "p1_hut_2", "p1_hut_3"):
        state = do(state, "p1", "harvest", hut=hut)
    assert together == state
    assert together.hands[0] == Goods(hog=2, log=1)


def test_harvest_several__in_words() -> None:
    assert said(farm(), "p1", "harvest_several", huts=["p1_hut_2", "p1_hut_1", "p1_hut_3"]) == (
        "Harvest with huts 1, 2 and 3",
        "Ada harvests 2 hogs from Hog Island 1 and 1 log from Log Island 1.",
    )
    state = farm(fertility={"hog_1": 2})
    assert said(state, "p1", "harvest_several", huts=["p1_hut_1", "p1_hut_2"])[1] == (
        "Ada harvests 2 hogs from Hog Island 1. Ecocide on Hog Island 1!"
    )


def test_harvest_several__all_that_can_is_listed_and_the_rest_is_in_the_range() -> None:
    state = farm(harvested=["p1_hut_3"])
    assert offered(state, "p1", "harvest_several") == [("p1_hut_1", "p1_hut_2")]
    assert offered(farm(), "p1", "harvest_several") == [("p1_hut_1", "p1_hut_2", "p1_hut_3")]
    assert ranges(farm(huts=[["hog_1_a"]]), "harvest_several") == []
    assert ranges(farm(fertility={"hog_1": 0, "log_1": 0}), "harvest_several") == []


@pytest.mark.parametrize("fertility", [{}, {"hog_1": 1}, {"hog_1": 2}, {"hog_1": 2, "log_1": 1}])
def test_harvest_several__the_range_is_exact(fertility: dict[str, int]) -> None:
    state = farm(fertility=fertility)
    (schema,) = ranges(state, "harvest_several")
    fits = Draft202012Validator(schema).is_valid
    huts = [f"p1_hut_{number}" for number in range(1, 5)]
    for size in (2, 3):
        for way in (order for some in combinations(huts, size) for order in permutations(some)):
            assert fits({"huts": list(way)}) == is_legal(state, "harvest_several", huts=list(way)), way


def test_harvest_several__the_refusal_is_that_of_the_step() -> None:
    state = farm(fertility={"hog_1": 1})
    assert refused(state, "p1", "harvest_several", huts=["p1_hut_1", "p1_hut_2"]) == Refusal(
        "Harvest", "There is no such hut on the board."
    )
    assert refused(farm(), "p1", "harvest_several", huts=["p1_hut_1", "p1_hut_1"]) == Refusal(
        "Harvest", "Choose each hut only once."
    )


def ending() -> Any:
    """p1's harvest on Log Island 1 destroys p2's only hut, which ends the game."""
    return farm(huts=[["log_1_a", "hog_1_b", "hog_2_b"], ["log_1_b"]], fertility={"log_1": 1})


def test_harvest_several__nothing_is_harvested_after_the_end() -> None:
    huts = ["p1_hut_1", "p1_hut_2"]
    assert refused(ending(), "p1", "harvest_several", huts=huts) == Refusal(
        "Objective", "The game ends before the last of these losses."
    )
    with pytest.raises(Unclear):
        RULES.parse("harvest_several", {"huts": huts}).apply(ending(), 0, Observed())
    assert offered(ending(), "p1", "harvest_several") == [("p1_hut_2", "p1_hut_3")]
    (schema,) = ranges(ending(), "harvest_several")
    assert not Draft202012Validator(schema).is_valid({"huts": huts})


# Steps of a canoe


def test_travel_far__costs_a_frog_for_each_step() -> None:
    """FV-R30."""
    state = atoll(canoes=[["hog_1_a"]], hands=[Goods(frog=2)], huts=[["hog_1_a"]])
    after = do(state, "p1", "travel_far", canoe="hog_1_a", to="hog_2_b")
    by_steps = do(
        do(state, "p1", "travel", canoe="hog_1_a", to="volcano"), "p1", "travel", canoe="volcano", to="hog_2_b"
    )
    assert after == by_steps
    assert said(state, "p1", "travel_far", canoe="hog_1_a", to="hog_2_b") == (
        "Send a canoe on Hog Island 1, shore A all the way to Hog Island 2, shore B",
        "Ada sends a canoe on Hog Island 1, shore A all the way to Hog Island 2, shore B for 2 frogs.",
    )


def test_travel_far__not_without_the_frogs_nor_for_a_step() -> None:
    state = atoll(canoes=[["hog_1_a"]], hands=[Goods(frog=1)], huts=[["hog_1_a"]])
    far = {"canoe": "hog_1_a", "to": "hog_2_b"}
    assert refused(state, "p1", "travel_far", **far) == Refusal("Travel", "It costs 2 frogs to travel that far.")
    near = Refusal("Travel", "That tile is only one step away. Travel there in a single step.")
    for to in ("hog_1_a", "hog_1_b", "volcano"):
        assert refused(state, "p1", "travel_far", canoe="hog_1_a", to=to) == near
    assert refused(state, "p1", "travel_far", canoe="log_1_a", to="hog_2_b").message == "You have no canoe there."
    assert refused(state, "p2", "travel_far", **far).message == "It is another player's turn."


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(AREAS), st.integers(0, 4))
def test_travel_far__reaches_what_steps_reach(start: str, frogs: int) -> None:
    """The action reaches exactly the tiles within as many steps as there are frogs, each by the fewest steps."""
    state = atoll(canoes=[[start]], hands=[Goods(frog=frogs)], huts=[["frog_2_a"]])
    best, queue = {start: frogs}, [state]
    for known in queue:
        for canoe, to in offered(known, "p1", "travel"):
            after = do(known, "p1", "travel", canoe=canoe, to=to)
            if after.hands[0].frog > best.get(to, -1):
                best[to] = after.hands[0].frog
                queue.append(after)
    far = {to: do(state, "p1", "travel_far", canoe=start, to=to) for _, to in offered(state, "p1", "travel_far")}
    assert {to: after.hands[0].frog for to, after in far.items()} == {
        to: left for to, left in best.items() if frogs - left > 1
    }


# Taxes


def ruled_table(extensions: int = 2, **position: Any) -> Any:
    """p1 controls the totem on Hog Island 1, extended; p2 has a hut on Log Island 1."""
    return atoll(
        **{
            "huts": [["hog_1_a"], ["log_1_b"]],
            "standing": ["hog_1_a"],
            "extensions": {"hog_1_a": extensions},
            **position,
        }
    )


def test_tax_several__is_the_taxes_one_after_the_other() -> None:
    """FV-R14."""
    state = ruled_table(fertility={"hog_1": 5, "log_1": 5})
    together = do(state, "p1", "tax_several", totem="hog_1_a", islands=["log_1", "hog_1", "log_1"])
    for island in ("hog_1", "log_1", "log_1"):
        state = do(state, "p1", "tax", totem="hog_1_a", island=island)
    assert together == state
    assert said(ruled_table(), "p1", "tax_several", totem="hog_1_a", islands=["log_1", "hog_1", "log_1"]) == (
        "Tax Hog Island 1 and Log Island 1 2 times with the totem on Hog Island 1, shore A",
        "Ada collects 1 hog from Hog Island 1 and 2 logs from Log Island 1 with the totem on Hog Island 1, shore A.",
    )


def test_tax_several__no_more_than_there_are() -> None:
    assert refused(ruled_table(1), "p1", "tax_several", totem="hog_1_a", islands=["log_1"] * 3) == Refusal(
        "Tax", "All taxes of that totem were collected this turn."
    )
    assert ranges(ruled_table(0), "tax_several") == []
    assert ranges(ruled_table(2, taxed={"hog_1_a": 2}), "tax_several") == []
    assert ranges(ruled_table(2, fertility={"hog_1": 0, "log_1": 0}), "tax_several") == []
    assert refused(ruled_table(), "p2", "tax_several", totem="hog_1_a", islands=["log_1"] * 2).rule == "Gameplay"


@pytest.mark.parametrize("fertility", [{"hog_1": 5, "log_1": 5}, {}, {"hog_1": 1}, {"log_1": 2}, {"log_1": 1}])
def test_tax_several__the_range_is_exact(fertility: dict[str, int]) -> None:
    state = ruled_table(fertility=fertility)
    schemas = ranges(state, "tax_several")
    for size in (2, 3, 4):
        for way in combinations_with_replacement(("hog_1", "log_1", "frog_1"), size):
            fits = any(
                Draft202012Validator(schema).is_valid({"totem": "hog_1_a", "islands": list(reversed(way))})
                for schema in schemas
            )
            assert fits == is_legal(state, "tax_several", totem="hog_1_a", islands=list(way)), way
    for totem, islands in offered(state, "p1", "tax_several"):
        assert Draft202012Validator(schemas[0]).is_valid({"totem": totem, "islands": list(islands)})
        assert list(islands) == sorted(islands, key=ISLANDS.index)


# Version 1


def test_version_1__knows_single_actions_alone() -> None:
    assert registry.versions("forever-island") == ["1", "2"]
    old = registry.ruleset("forever-island", "1")
    added = {"harvest_several", "travel_far", "tax_several"}
    assert {kind.type for kind in RULES.actions} - {kind.type for kind in old.actions} == added
    assert (old.reads_versions, RULES.reads_versions) == ((), ("1",))


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_version_2__judges_a_record_by_version_1_as_it_was(kept: Any) -> None:
    comparison = audit(replay(*read(kept)).events, "2").rules
    assert comparison is not None
    assert comparison.first is None
