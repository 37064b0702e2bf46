"""Forbidden Island: Hand Limit (FI-R12, FI-R23, FI-R29)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.ruleset import Refusal
from tests.engine.games.forbidden_island.positions import ALL_CAPTURED, island
from tests.engine.games.playing import do, kinds, offered, refused, rules_of, said

FULL = ["crystal_of_fire"] * 3 + ["earth_stone"] * 2
"""A hand of five cards."""

# Hand Limit, FI-R12


def test_hand_limit__five_cards_are_fine() -> None:
    state = do(island(hands=[FULL[:4]]), "p1", "draw_treasure_card", "sandbags")
    assert state.phase == "draw_treasure"


def test_hand_limit__a_sixth_card_drawn_goes_at_once() -> None:
    state = do(island(hands=[FULL]), "p1", "draw_treasure_card", "oceans_chalice")
    assert (state.phase, rules_of(state).awaiting(state)) == ("discard", (0,))
    assert kinds(state, "p1") == ["discard"]
    state = do(state, "p1", "discard", card="earth_stone")
    assert (state.phase, state.treasure_draws_left, len(state.hands[0])) == ("draw_treasure", 1, 5)


def test_hand_limit__only_the_player_with_too_many() -> None:
    state = island(active=1, hands=[FULL, ["oceans_chalice"] * 5])
    state = do(state, "p2", "draw_treasure_card", "sandbags")
    assert rules_of(state).awaiting(state) == (1,)
    assert refused(state, "p1", "discard", card="earth_stone").message == "Another player's hand is over the limit."


def test_hand_limit__after_the_second_draw_the_floods_are_next() -> None:
    state = island(phase="draw_treasure", treasure_draws_left=1, hands=[FULL])
    state = do(state, "p1", "draw_treasure_card", "oceans_chalice")
    assert do(state, "p1", "discard", card="oceans_chalice").phase == "draw_flood"


def test_hand_limit__any_card_may_go() -> None:
    state = do(island(hands=[FULL]), "p1", "draw_treasure_card", "helicopter_lift")
    assert offered(state, "p1", "discard") == ["crystal_of_fire", "earth_stone", "helicopter_lift"]


def test_hand_limit__the_card_goes_to_the_treasure_discard_pile() -> None:
    state = do(island(hands=[FULL]), "p1", "draw_treasure_card", "sandbags")
    assert do(state, "p1", "discard", card="sandbags").treasure_discard == ("sandbags",)


def test_hand_limit__a_card_received_counts() -> None:
    state = island(hands=[["earth_stone"] * 2, ["crystal_of_fire"] * 5])
    state = do(state, "p1", "give_card", to="p2", card="earth_stone")
    assert (state.phase, rules_of(state).awaiting(state)) == ("discard", (1,))
    state = do(state, "p2", "discard", card="earth_stone")
    assert (state.phase, state.actions_left, state.active) == ("actions", 2, 0)


def test_hand_limit__a_card_received_with_the_last_action() -> None:
    state = island(actions_left=1, hands=[["earth_stone"], ["crystal_of_fire"] * 5])
    state = do(state, "p1", "give_card", to="p2", card="earth_stone")
    assert do(state, "p2", "discard", card="earth_stone").phase == "draw_treasure"


def test_hand_limit__a_special_card_may_be_played_instead() -> None:
    state = island(hands=[FULL], flooded=["watchtower"])
    state = do(state, "p1", "draw_treasure_card", "sandbags")
    assert kinds(state, "p1") == ["play_sandbags", "discard"]
    state = do(state, "p1", "play_sandbags", tile="watchtower")
    assert (state.phase, state.flooded) == ("draw_treasure", set())


def test_hand_limit__a_lift_may_be_played_instead() -> None:
    state = do(island(hands=[FULL]), "p1", "draw_treasure_card", "helicopter_lift")
    state = do(state, "p1", "play_helicopter_lift", pawns=["p2"], to="watchtower")
    assert (state.phase, state.pawns[1]) == ("draw_treasure", "watchtower")


@pytest.mark.parametrize(
    ("type_", "params"),
    [
        ("play_sandbags", {"tile": "watchtower"}),
        ("play_helicopter_lift", {"pawns": ["p1"], "to": "watchtower"}),
        ("lift_off", {}),
    ],
)
def test_hand_limit__meanwhile_nobody_else_plays(type_: str, params: dict[str, Any]) -> None:
    """FI-R29."""
    state = island(
        phase="discard",
        flooded=["watchtower"],
        pawns=["fools_landing"] * 2,
        captured=ALL_CAPTURED,
        hands=[[*FULL, "earth_stone"], ["helicopter_lift", "sandbags"]],
    )
    assert refused(state, "p2", type_, **params) == Refusal(
        "Hand Limit", "A player has too many cards and must discard down to 5 first."
    )


def test_hand_limit__the_draws_wait() -> None:
    state = island(phase="discard", hands=[[*FULL, "earth_stone"]])
    assert refused(state, "p1", "draw_treasure_card") == Refusal(
        "2. Draw 2 Treasure Deck Cards", "You cannot draw a Treasure deck card now."
    )


def test_discard__not_by_choice() -> None:
    """FI-R23."""
    assert refused(island(hands=[FULL]), "p1", "discard", card="earth_stone") == Refusal(
        "Hand Limit", "Nobody has more than 5 cards."
    )


def test_discard__by_the_player_with_too_many() -> None:
    state = island(phase="discard", hands=[[*FULL, "earth_stone"], ["sandbags"]])
    assert refused(state, "p2", "discard", card="sandbags") == Refusal(
        "Hand Limit", "Another player's hand is over the limit."
    )


def test_discard__a_card_that_is_there() -> None:
    state = island(phase="discard", hands=[[*FULL, "earth_stone"]])
    assert refused(state, "p1", "discard", card="waters_rise") == Refusal(
        "Hand Limit", "There is no Waters Rise in that hand."
    )
    assert refused(state, "p1", "discard", card="watchtower") == Refusal("Hand Limit", "There is no such card.")


def test_discard__is_told() -> None:
    state = island(phase="discard", hands=[[*FULL, "earth_stone"]])
    assert said(state, "p1", "discard", card="earth_stone") == ("Discard Earth Stone", "Ada discards Earth Stone.")


# The option hand_limit_timing: after_both_draws, FI-R12


def test_hand_limit__option_after_both_draws__six_cards_wait_for_the_second() -> None:
    state = island(hands=[FULL], options={"hand_limit_timing": "after_both_draws"})
    state = do(state, "p1", "draw_treasure_card", "oceans_chalice")
    assert state.phase == "draw_treasure"
    state = do(state, "p1", "draw_treasure_card", "oceans_chalice")
    assert state.phase == "discard"


def test_hand_limit__option_after_both_draws__back_to_five() -> None:
    state = island(
        phase="discard",
        treasure_draws_left=0,
        flood_draws_left=2,
        hands=[[*FULL, "sandbags", "oceans_chalice"]],
        options={"hand_limit_timing": "after_both_draws"},
    )
    state = do(state, "p1", "discard", card="sandbags")
    assert state.phase == "discard"
    assert do(state, "p1", "discard", card="oceans_chalice").phase == "draw_flood"


def test_hand_limit__option_after_both_draws__a_gift_counts_at_once() -> None:
    state = island(hands=[["earth_stone"], ["crystal_of_fire"] * 5], options={"hand_limit_timing": "after_both_draws"})
    assert do(state, "p1", "give_card", to="p2", card="earth_stone").phase == "discard"
