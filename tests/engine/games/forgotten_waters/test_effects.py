"""Forgotten Waters: Resolving Game Effects: choices, conditions, who has most, threat, ship stats, infamy, stories."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.rules.measures import measure
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import boxes, having, resolving, voyage
from tests.engine.games.playing import do, offered, refused, said

EFFECTS = "Resolving Game Effects"
RULES = registry.ruleset("forgotten-waters")
Document = dict[str, Any]
REROLL: Document = {"do": "rerolls", "n": 1}


def rerolls(state: WatersState) -> list[int]:
    return [pirate.rerolls for pirate in state.pirates]


# Choosing

CHOICE: Document = {
    "do": "choose",
    "options": [
        {
            "name": "Pay",
            "when": [{"of": "supplies", "at_least": 7}],
            "effects": [{"do": "ship", "stat": "supplies", "n": -7}],
        },
        {"name": "Wave", "effects": [REROLL]},
    ],
}


def test_choose__one_of_the_options() -> None:
    assert rerolls(do(resolving(CHOICE), "p1", "choose_option", option=2)) == [1, 0, 0]


def test_choose__not_what_cannot_be_met() -> None:
    """FW-R11."""
    state = resolving(CHOICE)
    assert offered(state, "p1", "choose_option") == [2]
    assert refused(state, "p1", "choose_option", option=1) == Refusal(EFFECTS, "Option 1 is not possible now.")


def test_choose__what_can_be_met() -> None:
    assert do(resolving(CHOICE, state=voyage(supplies=8)), "p1", "choose_option", option=1).supplies == 1


def test_choose__only_what_is_there() -> None:
    assert refused(resolving(CHOICE), "p1", "choose_option", option=3) == Refusal(EFFECTS, "There are only 2 options.")


def test_choose__only_who_resolves() -> None:
    assert refused(resolving(CHOICE), "p2", "choose_option", option=2) == Refusal(
        EFFECTS, "Only another player can decide that."
    )


def test_choose__the_group_through_its_scribe() -> None:
    """FW-R23."""
    state = resolving({**CHOICE, "by": "group"}, seat=1)
    assert RULES.awaiting(state) == (0,)
    assert rerolls(do(state, "p1", "choose_option", option=2)) == [0, 1, 0]
    assert said(state, "p1", "choose_option", option=2)[1].startswith("Ada enters the group's choice: Wave.")


def test_choose__nothing_to_choose() -> None:
    assert refused(voyage(), "p1", "choose_option", option=1) == Refusal(EFFECTS, "You have nothing to choose now.")


def test_choose__where_nothing_can_be_met_nothing_happens() -> None:
    state = resolving({"do": "choose", "options": [CHOICE["options"][0]]})
    assert state.agenda == ()


def test_choose__is_told() -> None:
    assert said(resolving(CHOICE), "p1", "choose_option", option=2) == (
        "2. Wave",
        "Ada chooses: Wave. Ada has 1 re-roll token.",
    )


# Conditions, and numbers on the table


def test_if__then() -> None:
    effect = {"do": "if", "when": [{"of": "hull", "at_least": 10, "at_most": 10}], "then": [REROLL]}
    assert rerolls(resolving(effect)) == [1, 0, 0]


@pytest.mark.parametrize("bound", [{"at_least": 11}, {"at_most": 9}])
def test_if__otherwise(bound: Document) -> None:
    effect = {"do": "if", "when": [{"of": "hull", **bound}], "then": [], "otherwise": [REROLL]}
    assert rerolls(resolving(effect)) == [1, 0, 0]


def test_per__as_often_as_the_number_says() -> None:
    assert rerolls(resolving({"do": "per", "of": "cannons", "effects": [REROLL]})) == [2, 0, 0]


@pytest.mark.parametrize(
    ("of", "value"),
    [
        ("crew", 14),
        ("discontent", 3),
        ("hull", 10),
        ("supplies", 6),
        ("cannons", 2),
        ("loaded_cannons", 1),
        ("threat", 0),
        ("threat_limit", 4),
        ("players", 3),
        ("round", 1),
        ("part", 1),
        ("infamy", 3),
        ("treasures", 1),
        ("stories", 1),
        ("rerolls", 2),
        ("misfortune", 3),
        ("stars", 2),
        ("event_tokens", 1),
        ("events", 4),
        ("skill:aim", 2),
        ("dial:bids", 0),
        ("count:rope", 0),
        ("story:gull_friend", 1),
        ("objective:find_the_pieces", 1),
        ("token:gullet_harbour", 1),
        ("entry:watch", 0),
    ],
)
def test_numbers_on_the_table(of: str, value: int) -> None:
    state = having(
        voyage(),
        treasures=("ring_of_kelp",),
        stories=("gull_friend",),
        rerolls=2,
        misfortune=3,
        stars=("a1", "b1"),
        event_tokens=1,
        events=4,
        boxes=boxes(aim=2),
    )
    assert measure(state, 0, of) == value


def test_numbers_on_the_table__dials() -> None:
    state = resolving({"do": "turn_page", "page": "lantern_market"}, {"do": "threat", "n": 1})
    state = resolving({"do": "dial", "feature": "bids", "n": 9}, state=replace(state, agenda=()))
    assert (measure(state, 0, "dial:bids"), measure(state, 0, "dial:planks")) == (6, 0)


def test_dial__set() -> None:
    state = replace(resolving({"do": "turn_page", "page": "unlit_fog"}), agenda=())
    assert resolving(
        {"do": "dial", "feature": "lost", "to": 5}, {"do": "dial", "feature": "bids", "to": 5}, state=state
    ).dials == (5,)


def test_count__of_the_log() -> None:
    state = resolving({"do": "count", "counter": "rope", "n": 2}, {"do": "count", "counter": "song", "to": 1})
    assert state.counts == (("rope", 2), ("song", 1))
    assert resolving({"do": "count", "counter": "rope", "n": -5}, state=state).counts == (("song", 1),)


def test_count__ends_at_99() -> None:
    """FW-R30."""
    state = resolving(*[{"do": "count", "counter": "rope", "n": 20}] * 6)
    assert state.counts == (("rope", 99),)
    assert resolving({"do": "count", "counter": "rope", "n": -1}, state=state).counts == (("rope", 98),)


# For other players


@pytest.mark.parametrize(
    ("who", "of", "expected"),
    [
        ("all", "infamy", [1, 1, 1]),
        ("others", "infamy", [0, 1, 1]),
        ("highest", "infamy", [1, 0, 0]),
        ("lowest", "infamy", [0, 0, 1]),
        ("highest", "skill:aim", [0, 1, 0]),
        ("lowest", "skill:aim", [0, 0, 1]),
    ],
)
def test_for_players(who: str, of: str, expected: list[int]) -> None:
    """Breaking Ties: the player higher in infamy order has the higher result (FW-R19)."""
    state = having(voyage(), 1, boxes=boxes(aim=1))
    assert rerolls(resolving({"do": "for_players", "who": who, "of": of, "effects": [REROLL]}, state=state)) == expected


def test_highest_skill__counts_filled_boxes_only() -> None:
    """FW-R20: icons do not count."""
    state = having(having(voyage(), 1, boxes=boxes(aim=1)), 2, treasures=("eyeglass_of_the_owl",))
    effect = {"do": "for_players", "who": "highest", "of": "skill:aim", "effects": [REROLL]}
    assert rerolls(resolving(effect, state=state)) == [0, 1, 0]


def test_ties__go_to_higher_infamy() -> None:
    """FW-R19."""
    effect = {"do": "for_players", "who": "highest", "of": "stars", "effects": [REROLL]}
    assert rerolls(resolving(effect, state=voyage(infamy=(2, 1, 0)))) == [0, 0, 1]


CHOSEN: Document = {"do": "for_players", "who": "chosen", "effects": [REROLL]}


def test_chosen_player() -> None:
    state = resolving(CHOSEN)
    assert offered(state, "p1", "choose_player") == ["p2", "p3"]
    assert rerolls(do(state, "p1", "choose_player", player="p3")) == [0, 0, 1]


@pytest.mark.parametrize("player", ["p1", "p8"])
def test_chosen_player__is_another_one(player: str) -> None:
    assert refused(resolving(CHOSEN), "p1", "choose_player", player=player) == Refusal(
        EFFECTS, "Choose a player other than yourself."
    )


def test_chosen_player__by_who_resolves() -> None:
    assert refused(resolving(CHOSEN), "p2", "choose_player", player="p3") == Refusal(
        EFFECTS, "Only another player can decide that."
    )


def test_chosen_player__nobody_to_choose() -> None:
    assert refused(voyage(), "p1", "choose_player", player="p3") == Refusal(EFFECTS, "You cannot choose a player now.")


def test_chosen_player__is_told() -> None:
    assert said(resolving(CHOSEN), "p1", "choose_player", player="p3") == (
        "Choose Cleo",
        "Ada chooses Cleo. Cleo has 1 re-roll token.",
    )


# Gaining/Losing/Checking Threat


def test_threat__tokens() -> None:
    assert resolving({"do": "threat", "n": 2}).threat == 2


def test_threat__no_more_than_there_are_tokens() -> None:
    assert resolving({"do": "threat", "n": 9}).threat == 5


def test_threat__not_below_0() -> None:
    assert resolving({"do": "threat", "n": -2}, state=voyage(threat=1)).threat == 0


def test_check_threat__below_the_limit_nothing_happens() -> None:
    assert resolving({"do": "check_threat"}, state=voyage(threat=3)).threat_events == 0


def test_check_threat__at_the_limit_checks_off_an_event() -> None:
    state = resolving({"do": "check_threat"}, state=voyage(threat=4))
    assert (state.threat_events, state.threat, state.discontent) == (1, 0, 4)


def test_check_threat__tokens_stay_unless_the_entry_says_otherwise() -> None:
    """FW-R13."""
    state = voyage(options={"scenario": "table"}, threat=5)
    assert resolving({"do": "check_threat"}, state=state).threat == 5


def test_check_threat__only_when_directed() -> None:
    """FW-R13."""
    assert resolving({"do": "threat", "n": 5}).threat_events == 0


# Gaining/Losing Ship Stats


@pytest.mark.parametrize(
    ("stat", "n", "value"),
    [("hull", 2, 12), ("hull", 9, 14), ("supplies", -9, 0), ("crew", 9, 20), ("discontent", -9, 0)],
)
def test_ship_stats__within_their_limits(stat: str, n: int, value: int) -> None:
    """FW-R11."""
    assert getattr(resolving({"do": "ship", "stat": stat, "n": n}), stat) == value


def test_ship_stats__set() -> None:
    assert resolving({"do": "ship", "stat": "hull", "to": 3}).hull == 3


# Gaining/Losing Infamy


@pytest.mark.parametrize(
    ("seat", "n", "order"),
    [
        (2, 1, (0, 2, 1)),
        (2, 2, (2, 0, 1)),
        (2, 9, (2, 0, 1)),
        (0, -1, (1, 0, 2)),
        (0, -9, (1, 2, 0)),
        (1, 0, (0, 1, 2)),
    ],
)
def test_infamy__others_make_room(seat: int, n: int, order: tuple[int, ...]) -> None:
    """FW-R1."""
    assert resolving({"do": "infamy", "n": n}, seat=seat).infamy == order


def test_infamy__to_an_end_of_the_track() -> None:
    """FW-R1."""
    assert resolving({"do": "infamy_to", "place": "top"}, seat=2).infamy == (2, 0, 1)
    assert resolving({"do": "infamy_to", "place": "bottom"}).infamy == (1, 2, 0)


def test_infamy__swap() -> None:
    state = do(resolving({"do": "swap_infamy"}), "p1", "choose_player", player="p3")
    assert state.infamy == (2, 1, 0)


# Objective Cards


def test_objective__exactly_one() -> None:
    state = resolving({"do": "objective", "objective": "ring_the_bell"})
    assert (state.objective, state.threat_limit) == ("ring_the_bell", 3)


# Story Cards


def test_story__from_the_deck() -> None:
    """FW-R18."""
    assert resolving({"do": "take_story", "story": "gull_friend"}).pirates[0].stories == ("gull_friend",)


def test_story__or_else_from_whoever_has_it() -> None:
    """FW-R18."""
    state = resolving({"do": "take_story", "story": "gull_friend"}, state=having(voyage(), 2, stories=("gull_friend",)))
    assert [pirate.stories for pirate in state.pirates] == [("gull_friend",), (), ()]


def test_story__back_into_the_deck() -> None:
    state = having(voyage(), 2, stories=("gull_friend",))
    assert resolving({"do": "return_story", "story": "gull_friend"}, state=state).pirates[2].stories == ()


def test_story__no_limit() -> None:
    stories = ("gull_friend", "powder_nose", "debt_to_the_eel", "haunted_compass", "the_undersong")
    state = resolving({"do": "take_story", "story": "the_clerks_respect"}, state=having(voyage(), stories=stories))
    assert len(state.pirates[0].stories) == 6


def test_story__is_no_treasure() -> None:
    state = resolving(
        {"do": "lose_treasure"}, {"do": "bury_treasure", "up_to": 1}, state=having(voyage(), stories=("gull_friend",))
    )
    assert (state.agenda, state.pirates[0].stories) == ((), ("gull_friend",))


# Tokens


def test_tokens__not_below_0() -> None:
    """FW-R34."""
    assert rerolls(resolving({"do": "rerolls", "n": -1})) == [0, 0, 0]


def test_tokens__no_more_than_there_are() -> None:
    """FW-R34."""
    state = having(having(voyage(), 1, rerolls=24, misfortune=19), 2)
    state = resolving({"do": "rerolls", "n": 3}, {"do": "misfortune", "n": 3}, state=state)
    assert (state.pirates[0].rerolls, state.pirates[0].misfortune) == (1, 1)


def test_tokens__that_are_lost_go_back_to_the_supply() -> None:
    """FW-R34."""
    state = having(having(voyage(), rerolls=1, misfortune=1), 1, rerolls=24, misfortune=19)
    lost = resolving({"do": "rerolls", "n": -1}, {"do": "misfortune", "n": -1}, state=state)
    assert (lost.pirates[0].rerolls, lost.pirates[0].misfortune) == (0, 0)
    back = resolving({"do": "rerolls", "n": 2}, {"do": "misfortune", "n": 2}, state=lost)
    assert (back.pirates[0].rerolls, back.pirates[0].misfortune) == (1, 1)


# Entries


def test_read__an_entry() -> None:
    state = resolving({"do": "read", "entry": "flotsam"}, state=voyage(ship="c3"))
    assert (state.entries, state.supplies) == (("flotsam",), 8)


# Stopping


def test_stop__only_what_is_up_to_so_many_times() -> None:
    assert refused(resolving(CHOICE), "p1", "stop") == Refusal(EFFECTS, "That effect cannot be skipped.")
    assert refused(voyage(), "p1", "stop") == Refusal(EFFECTS, "Nothing is waiting to be resolved.")


def test_stop__is_told() -> None:
    assert said(resolving({"do": "load_cannon"}), "p3", "stop") == ("Stop here", "Cleo stops there.")
