"""Forgotten Waters: Performing Skill Checks, Misfortune Tokens, Re-roll Tokens, and other die rolls."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.state import WatersState
from engine.kit.ruleset import Refusal
from tests.engine.games.forgotten_waters.positions import boxes, having, resolving, voyage
from tests.engine.games.playing import do, kinds, may_come_up, offered, refused, said

PERFORMING = "Performing Skill Checks"
REROLL = "Re-roll Tokens"
TREASURE = "Treasure Cards"

CHECK: dict[str, Any] = {
    "do": "check",
    "skill": "aim",
    "results": [
        {"from": 1, "text": "Missed.", "effects": [{"do": "count", "counter": "low", "n": 1}]},
        {"from": 6, "text": "Hit.", "effects": [{"do": "count", "counter": "middle", "n": 1}]},
        {"from": 10, "effects": [{"do": "count", "counter": "high", "n": 1}]},
    ],
}


def checking(state: WatersState | None = None, **pirate: Any) -> WatersState:
    """Ada performs a check of aim."""
    return resolving(CHECK, state=having(state or voyage(), **pirate))


def result(state: WatersState) -> str | None:
    """Return which of the results was resolved."""
    return state.counts[0][0] if state.counts else None


def test_check__rolls_a_12_sided_die() -> None:
    assert list(may_come_up(checking(), "p1", "roll_die")) == list(range(1, 13))


@pytest.mark.parametrize(
    ("die", "expected"), [(1, "low"), (5, "low"), (6, "middle"), (9, "middle"), (10, "high"), (12, "high")]
)
def test_check__resolves_the_option_of_the_total(die: int, expected: str) -> None:
    assert result(do(checking(), "p1", "roll_die", die)) == expected


def test_check__adds_filled_boxes_of_that_skill() -> None:
    assert result(do(checking(boxes=boxes(aim=2, brawn=5)), "p1", "roll_die", 5)) == "middle"
    assert result(do(checking(boxes=boxes(brawn=5)), "p1", "roll_die", 5)) == "low"


def test_check__adds_icons_of_treasures_and_stories() -> None:
    state = checking(treasures=("eyeglass_of_the_owl", "anchor_brooch"), stories=("powder_nose",))
    assert result(do(state, "p1", "roll_die", 3)) == "middle"


def test_check__adds_loaded_cannons_where_it_says_so() -> None:
    state = resolving({**CHECK, "cannons": True, "bonus": -1})
    assert result(do(state, "p1", "roll_die", 6)) == "middle"


def test_check__by_who_resolves() -> None:
    assert refused(checking(), "p2", "roll_die") == Refusal(PERFORMING, "Only another player can decide that.")


def test_check__no_die_otherwise() -> None:
    assert refused(voyage(), "p1", "roll_die") == Refusal(PERFORMING, "You cannot roll a die now.")
    assert refused(voyage(), "p1", "consult_check") == Refusal(PERFORMING, "There is no skill check.")


def test_check__is_told() -> None:
    assert said(checking(), "p1", "roll_die", 4) == ("Roll a die", "Ada rolls 4 for aim, 4 in total: Missed.")


# Misfortune


def test_misfortune__a_second_die() -> None:
    """FW-R7."""
    state = do(checking(misfortune=2), "p1", "roll_die", 8)
    assert (state.agenda[0].dice, kinds(state, "p1")) == ((8,), ["roll_die"])


def test_misfortune__the_lower_die_counts() -> None:
    state = do(do(checking(misfortune=2), "p1", "roll_die", 8), "p1", "roll_die", 3)
    assert result(state) == "low"


def test_misfortune__one_token_is_discarded() -> None:
    """FW-R7."""
    state = do(do(checking(misfortune=2), "p1", "roll_die", 8), "p1", "roll_die", 3)
    assert state.pirates[0].misfortune == 1


def test_misfortune__not_for_other_rolls() -> None:
    state = resolving({"do": "roll", "results": CHECK["results"]}, state=having(voyage(), misfortune=1))
    state = do(state, "p1", "roll_die", 8)
    assert (result(state), state.pirates[0].misfortune) == ("middle", 1)


def test_misfortune__is_told() -> None:
    state = checking(misfortune=1)
    assert said(state, "p1", "roll_die", 8)[1] == "Ada rolls 8 for aim."
    assert said(do(state, "p1", "roll_die", 8), "p1", "roll_die", 7) == (
        "Roll a second die for misfortune",
        "Ada rolls 7 for aim, 7 in total: Hit. Ada has 0 misfortune tokens.",
    )


# Re-rolls


def test_reroll__waits_for_the_pirate() -> None:
    state = do(checking(rerolls=1), "p1", "roll_die", 2)
    assert (result(state), kinds(state, "p1")) == (None, ["reroll", "consult_check"])


def test_reroll__a_token_for_another_roll() -> None:
    state = do(do(checking(rerolls=1), "p1", "roll_die", 2), "p1", "reroll", 11, die=1)
    assert (result(state), state.pirates[0].rerolls) == ("high", 0)


def test_reroll__several_times_in_a_check() -> None:
    """FW-R7."""
    state = do(do(checking(rerolls=2), "p1", "roll_die", 2), "p1", "reroll", 3, die=1)
    assert offered(state, "p1", "reroll") == [1]


def test_reroll__one_of_the_dice_of_misfortune() -> None:
    """FW-R7: the lower of the two final results counts."""
    state = do(do(checking(rerolls=1, misfortune=1), "p1", "roll_die", 2), "p1", "roll_die", 7)
    assert result(do(state, "p1", "reroll", 10, die=1)) == "middle"
    assert result(do(state, "p1", "reroll", 10, die=2)) == "low"


def test_reroll__or_the_dice_stay() -> None:
    state = do(do(checking(rerolls=1), "p1", "roll_die", 2), "p1", "consult_check")
    assert (result(state), state.pirates[0].rerolls) == ("low", 1)


def test_reroll__only_with_a_token() -> None:
    state = do(checking(treasures=("second_wind",)), "p1", "roll_die", 2)
    assert refused(state, "p1", "reroll", die=1) == Refusal(REROLL, "That pirate has no re-roll token.")


def test_reroll__only_what_was_rolled() -> None:
    assert refused(checking(rerolls=1), "p1", "reroll", die=1) == Refusal(REROLL, "That die has not been rolled.")


def test_reroll__only_by_who_checks() -> None:
    state = do(checking(rerolls=1), "p1", "roll_die", 2)
    assert refused(state, "p2", "reroll", die=1) == Refusal(REROLL, "Only another player can decide that.")
    assert refused(state, "p2", "consult_check") == Refusal(PERFORMING, "Only another player can decide that.")
    assert refused(state, "p1", "roll_die") == Refusal(PERFORMING, "The dice are already rolled.")


def test_reroll__not_for_other_rolls() -> None:
    state = resolving({"do": "roll", "results": CHECK["results"]}, state=having(voyage(), rerolls=1))
    assert refused(state, "p1", "reroll", die=1) == Refusal(REROLL, "You can only re-roll a die of a skill check.")
    assert refused(state, "p1", "consult_check") == Refusal(PERFORMING, "There is no skill check.")


def test_reroll__not_before_the_die() -> None:
    assert refused(checking(rerolls=1), "p1", "consult_check") == Refusal(PERFORMING, "Roll the die first.")


def test_reroll__is_told() -> None:
    state = do(checking(rerolls=1), "p1", "roll_die", 2)
    assert said(state, "p1", "reroll", 11, die=1) == (
        "Roll the 2 again for a re-roll token",
        "Ada rolls the 2 again: 11 for aim, 11 in total. Ada has 0 re-roll tokens.",
    )
    assert said(state, "p1", "consult_check") == ("Keep the total of 2", "Ada keeps the total of 2: Missed.")
    two = do(do(checking(rerolls=1, misfortune=1), "p1", "roll_die", 2), "p1", "roll_die", 7)
    assert said(two, "p1", "reroll", 11, die=1)[0] == "Roll the first 2 again for a re-roll token"
    assert said(two, "p1", "reroll", 11, die=2)[0] == "Roll the second 7 again for a re-roll token"


def test_other_rolls__are_told() -> None:
    state = resolving({"do": "roll", "results": CHECK["results"]})
    assert said(state, "p1", "roll_die", 6) == ("Roll a die", "Ada rolls 6: Hit.")
    assert said(resolving({"do": "roll", "results": [{"from": 3}]}), "p1", "roll_die", 2)[1] == "Ada rolls 2."


# Treasures in checks


def test_set_die__instead_of_rolling() -> None:
    """FW-R7."""
    state = do(checking(treasures=("weighted_die",), misfortune=1), "p1", "use_treasure", treasure="weighted_die")
    assert (result(state), state.pirates[0].misfortune, state.treasure_discard) == ("middle", 1, ("weighted_die",))


def test_set_die__re_roll_tokens_do_not_touch_it() -> None:
    """FW-R7."""
    state = checking(treasures=("weighted_die", "second_wind"), rerolls=1)
    state = do(state, "p1", "use_treasure", treasure="weighted_die")
    assert refused(state, "p1", "reroll", die=1) == Refusal(REROLL, "That die has not been rolled.")


def test_set_die__re_roll_tokens_do_not_keep_the_check_open() -> None:
    """FW-R7."""
    state = do(checking(treasures=("weighted_die",), rerolls=1), "p1", "use_treasure", treasure="weighted_die")
    assert (result(state), state.pirates[0].rerolls) == ("middle", 1)


def test_set_die__not_once_it_is_rolled() -> None:
    state = do(checking(treasures=("weighted_die", "second_wind")), "p1", "roll_die", 2)
    assert refused(state, "p1", "use_treasure", treasure="weighted_die") == Refusal(
        TREASURE, "You can only set a die before it is rolled."
    )


def test_add_to_check__once_the_die_is_rolled() -> None:
    state = do(checking(treasures=("second_wind",)), "p1", "roll_die", 2)
    assert result(do(state, "p1", "use_treasure", treasure="second_wind")) == "middle"


def test_add_to_check__before_it_is_rolled() -> None:
    state = do(checking(treasures=("second_wind",)), "p1", "use_treasure", treasure="second_wind")
    assert result(do(state, "p1", "roll_die", 2)) == "middle"


def test_add_to_check__not_between_two_dice() -> None:
    state = do(checking(treasures=("second_wind",), misfortune=1), "p1", "roll_die", 2)
    assert refused(state, "p1", "use_treasure", treasure="second_wind") == Refusal(TREASURE, "Roll both dice first.")


def test_add_to_check__only_in_ones_own_check() -> None:
    own = Refusal(TREASURE, "You can only use that in your own skill checks.")
    state = having(checking(), 1, treasures=("second_wind",))
    assert refused(state, "p2", "use_treasure", treasure="second_wind") == own
    assert refused(having(voyage(), treasures=("second_wind",)), "p1", "use_treasure", treasure="second_wind") == own


# Other treasures during a roll: oak_heart is for one's own turn, false_flag for any time


@pytest.mark.parametrize("treasure", ["oak_heart", "false_flag"])
def test_other_treasures__while_the_dice_lie(treasure: str) -> None:
    """FW-R25: the check waits for the treasure, then continues."""
    state = do(checking(treasures=(treasure,)), "p1", "roll_die", 6)
    assert (result(state), kinds(state, "p1")) == (None, ["consult_check", "use_treasure"])
    state = do(state, "p1", "use_treasure", treasure=treasure)
    assert (result(state), state.agenda) == ("middle", ())


def test_other_treasures__a_check_ends_when_its_pirate_says_so() -> None:
    """FW-R25, FW-R7."""
    state = do(do(checking(treasures=("oak_heart",)), "p1", "roll_die", 6), "p1", "consult_check")
    assert (result(state), state.pirates[0].treasures) == ("middle", ("oak_heart",))


@pytest.mark.parametrize("treasure", ["anchor_brooch", "weighted_die"])
def test_other_treasures__a_check_ends_where_none_is_of_use(treasure: str) -> None:
    """FW-R7: a treasure whose discarding does nothing, and a die that is set instead of rolled."""
    assert result(do(checking(treasures=(treasure,)), "p1", "roll_die", 6)) == "middle"


def test_other_treasures__what_they_bring_counts() -> None:
    """FW-R25, FW-R7: re-roll tokens for the rolled die."""
    state = do(checking(treasures=("jar_of_pickled_luck",)), "p1", "roll_die", 2)
    state = do(state, "p1", "use_treasure", treasure="jar_of_pickled_luck")
    assert result(do(do(state, "p1", "reroll", 3, die=1), "p1", "reroll", 11, die=1)) == "high"


def test_other_treasures__and_what_goes_with_them_counts_no_more() -> None:
    """FW-R25: the almanac has an icon of aim."""
    state = do(checking(treasures=("gunners_almanac",)), "p1", "roll_die", 5)
    state = do(state, "p1", "use_treasure", treasure="gunners_almanac")
    assert result(do(state, "p3", "stop")) == "low"


def test_other_treasures__not_between_two_dice() -> None:
    """FW-R25: misfortune rolls both dice at once."""
    state = do(checking(treasures=("oak_heart",), misfortune=1), "p1", "roll_die", 2)
    assert refused(state, "p1", "use_treasure", treasure="oak_heart") == Refusal(TREASURE, "Roll both dice first.")


def test_other_treasures__in_anothers_check_those_for_any_time() -> None:
    """FW-R25: Bo checks in Ada's turn."""
    check = {"do": "for_players", "who": "lowest", "of": "infamy", "effects": [CHECK]}
    state = having(having(voyage(infamy=(0, 2, 1)), 1, treasures=("oak_heart",)), treasures=("false_flag",))
    ended = do(resolving(check, state=state), "p2", "roll_die", 6)
    assert result(ended) == "middle"
    waits = do(resolving(check, state=having(state, 1, treasures=("oak_heart",), rerolls=1)), "p2", "roll_die", 6)
    assert refused(waits, "p2", "use_treasure", treasure="oak_heart") == Refusal(
        TREASURE, "You can only discard Oak Heart on your own turn."
    )
    after = do(waits, "p1", "use_treasure", treasure="false_flag")
    assert kinds(after, "p2") == ["reroll", "consult_check"]


def test_other_treasures__or_not_while_the_dice_lie() -> None:
    """FW-R25, with the option that allows discards only before the roll."""
    state = voyage(options={"check_discards": "before_the_roll"})
    assert result(do(checking(state, treasures=("oak_heart",)), "p1", "roll_die", 6)) == "middle"
    state = do(checking(state, treasures=("oak_heart",), rerolls=1), "p1", "roll_die", 2)
    assert refused(state, "p1", "use_treasure", treasure="oak_heart") == Refusal(
        TREASURE, "A skill check must be resolved first."
    )
