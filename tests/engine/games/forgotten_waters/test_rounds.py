"""Forgotten Waters: 2. Action Phase, 3. End of Round Phase, Turning to a New Page."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import page_name
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import resolving, voyage
from tests.engine.games.playing import do, kinds, offered, refused, said

ACTION = "2. Action Phase"
END = "3. End of Round Phase"
RULES = registry.ruleset("forgotten-waters")


def chosen(*numbers: int, infamy: tuple[int, ...] = (0, 1, 2), order: str = "live") -> WatersState:
    """Everyone has chosen."""
    state: WatersState = voyage(options={"infamy_order": order}, infamy=infamy, choosing=infamy)
    by_seat = dict(enumerate(numbers))
    for seat in infamy:
        state = do(state, f"p{seat + 1}", "choose_action", number=by_seat[seat])
    return state


def test_action_phase__in_number_order() -> None:
    assert chosen(6, 5, 1).active == 2


def test_action_phase__within_a_number_from_most_infamy() -> None:
    state = chosen(7, 1, 7, infamy=(2, 1, 0))
    state = replace(state, standees=(7, 0, 7), active=1, has_resolved=True)
    assert do(state, "p2", "remove_standee").active == 2


def test_action_phase__infamy_is_looked_up_anew() -> None:
    """FW-R5, infamy_order live."""
    state = replace(chosen(7, 1, 7), has_resolved=True, agenda=(), infamy=(2, 0, 1), active=1, standees=(7, 1, 7))
    assert do(state, "p2", "remove_standee").active == 2


def test_action_phase__infamy_order_frozen() -> None:
    """FW-R5, infamy_order frozen: the order at the start of the phase."""
    state = chosen(7, 1, 7, order="frozen")
    state = replace(state, has_resolved=True, agenda=(), infamy=(2, 0, 1), active=1, standees=(7, 1, 7))
    assert do(state, "p2", "remove_standee").active == 0


def test_action_phase__resolve_follows_the_instructions() -> None:
    state = do(chosen(6, 3, 1), "p3", "resolve_action")
    assert kinds(state, "p3")[0] == "roll_die"


def test_action_phase__only_whose_turn_it_is() -> None:
    assert refused(chosen(6, 3, 1), "p1", "resolve_action") == Refusal(
        ACTION, "Another player resolves next. Actions are resolved by number, then by infamy."
    )


def test_action_phase__resolved_once() -> None:
    state = do(chosen(6, 3, 1), "p3", "resolve_action")
    assert refused(state, "p3", "resolve_action") == Refusal(ACTION, "This action is already being resolved.")


def test_action_phase__not_while_planning() -> None:
    assert refused(voyage(), "p1", "resolve_action") == Refusal(ACTION, "This is not the action phase.")


def test_action_phase__is_told() -> None:
    label, sentence = said(voyage(phase="action", active=2, standees=(6, 1, 2), choosing=()), "p3", "resolve_action")
    assert (label, sentence) == (
        "Resolve action 2: Sign on deckhands",
        "Cleo resolves action 2: Sign on deckhands. Cleo gains brawn (1 filled in).",
    )


def test_action_phase__then_the_standee_leaves_the_page() -> None:
    """FW-R6."""
    state = do(resolving(state=chosen(6, 3, 1), seat=2), "p3", "remove_standee")
    assert (state.standees, state.active, state.taken) == ((6, 3, 0), 1, (6, 3, 1))


def test_action_phase__the_standee_stays_until_the_action_is_resolved() -> None:
    assert refused(chosen(6, 3, 1), "p3", "remove_standee") == Refusal(ACTION, "The action must be resolved first.")
    assert refused(chosen(6, 3, 1), "p1", "remove_standee") == Refusal(
        ACTION, "That player is not resolving an action now."
    )


def test_action_phase__removing_is_told() -> None:
    assert said(resolving(state=chosen(6, 3, 1), seat=2), "p3", "remove_standee") == (
        "Remove your standee from the page",
        "Cleo is done.",
    )


def over() -> WatersState:
    """Every action is resolved."""
    state: WatersState = replace(resolving(state=chosen(6, 3, 1), seat=0), standees=(6, 0, 0))
    after: WatersState = do(state, "p1", "remove_standee")
    return after


def test_turns__planning_each_pirates_resolving_and_the_end_of_the_round() -> None:
    """FW-R27."""
    state = voyage()
    turns = [(state.turn, state.phase, state.active)]
    state = chosen(6, 3, 1)
    for seat in ("p3", "p2", "p1"):
        turns.append((state.turn, state.phase, state.active))
        state = do(replace(state, has_resolved=True), seat, "remove_standee")
    turns.append((state.turn, state.phase, state.active))
    state = do(state, "p1", "read_round_end")
    turns.append((state.turn, state.phase, state.active))
    assert turns == [
        (1, "planning", None),
        (2, "action", 2),
        (3, "action", 1),
        (4, "action", 0),
        (5, "end_of_round", None),
        (6, "planning", None),
    ]


def test_end_of_round__follows_the_last_action() -> None:
    state = over()
    assert (state.phase, state.turn, RULES.awaiting(state)) == ("end_of_round", 3, (0,))


def test_end_of_round__the_scribe_reads_it() -> None:
    """FW-R23."""
    assert refused(over(), "p2", "read_round_end") == Refusal(
        END, "Only the Ship Scribe can read the Round End section."
    )


def test_end_of_round__not_before() -> None:
    assert refused(voyage(), "p1", "read_round_end") == Refusal(END, "You cannot read the Round End section now.")


def test_end_of_round__the_entry_of_the_page() -> None:
    state = do(over(), "p1", "read_round_end")
    assert (state.entries, state.page, state.round, state.turn) == (("watch", "cast_off"), "open_sea", 2, 4)


def test_a_page_without_a_name() -> None:
    assert page_name(voyage(), "") == "the page"
    assert page_name(voyage(), "99") == "page 99"


def test_end_of_round__is_told() -> None:
    label, sentence = said(over(), "p1", "read_round_end")
    assert label == "Read the Round End section of Gullet Harbour"
    assert sentence.startswith("Ada reads how the round ends on Gullet Harbour. The Mermaid's Elbow empties")
    assert sentence.endswith(
        "Round 2 begins on The Open Sea. Warning: Every day at sea eats a barrel. Lanterns have been seen astern."
    )


def test_end_of_round__a_page_that_turns_nowhere_begins_again() -> None:
    state = replace(resolving(), phase="end_of_round", active=None)
    assert (settle(state).round, settle(state).phase) == (2, "planning")


# Turning to a new page


def sentence_about(state: WatersState, effect: dict[str, Any]) -> str:
    """Return the sentence of an event that resolves this effect."""
    state = resolving({"do": "choose", "options": [{"name": "On", "effects": [effect]}]}, state=state)
    return said(state, "p1", "choose_option", option=1)[1]


WARNING = "Warning: In here the ship is only as big as a voice carries."


def test_turning__reads_the_warning() -> None:
    assert sentence_about(voyage(), {"do": "turn_page", "page": "unlit_fog"}).endswith(WARNING)


def test_turning__to_the_present_page_reads_its_warning_again() -> None:
    """FW-R21."""
    foggy = resolving({"do": "turn_page", "page": "unlit_fog"})
    assert sentence_about(foggy, {"do": "turn_page", "page": "unlit_fog"}).endswith(WARNING)


def test_turning__a_new_round_on_the_page_does_not() -> None:
    """FW-R21."""
    foggy = resolving({"do": "turn_page", "page": "unlit_fog"})
    assert sentence_about(foggy, {"do": "new_round"}).endswith("Round 3 begins on The Unlit Fog.")


def test_turning__removes_all_tokens_from_the_page() -> None:
    """FW-R21."""
    state = resolving({"do": "turn_page", "page": "unlit_fog"}, state=voyage(locked=(2, 3)))
    assert (state.page, state.locked, state.standees, state.taken, state.dials) == (
        "unlit_fog",
        (),
        (0, 0, 0),
        (),
        (3,),
    )


def test_turning__to_the_same_page_removes_them_too() -> None:
    """FW-R21."""
    state = resolving({"do": "turn_page", "page": "gullet_harbour"}, state=voyage(locked=(2,)))
    assert (state.page, state.locked, state.round) == ("gullet_harbour", (), 2)


def test_turning__a_locked_action_of_the_page_is_locked() -> None:
    assert resolving({"do": "turn_page", "page": "the_bell_rings"}).locked == (5, 6)


def test_turning__goes_immediately_into_planning() -> None:
    state = resolving({"do": "turn_page", "page": "open_sea"}, state=voyage(5, infamy=(4, 3, 2, 1, 0)))
    assert (state.phase, state.choosing, offered(state, "p5", "choose_action")[0]) == ("planning", (4, 3, 2, 1, 0), 1)


def test_new_round_on_this_page__keeps_the_tokens() -> None:
    """FW-R21."""
    state = resolving({"do": "new_round"}, state=voyage(locked=(2,)))
    assert (state.locked, state.phase, state.round) == ((2,), "planning", 2)


@pytest.mark.parametrize("ends", [{"do": "new_round"}, {"do": "turn_page", "page": "open_sea"}])
def test_new_round__ends_what_was_being_resolved(ends: dict[str, Any]) -> None:
    """FW-R21."""
    state = resolving(ends, {"do": "ship", "stat": "hull", "n": -3}, state=voyage(5))
    assert (state.hull, state.agenda, state.active) == (voyage(5).hull, (), None)


def test_lock__and_unlock() -> None:
    state = resolving({"do": "lock", "action": 3}, {"do": "lock", "action": 2}, {"do": "lock", "action": 3})
    assert state.locked == (2, 3)
    assert resolving({"do": "unlock", "action": 3}, state=state).locked == (2,)


def test_lock__only_actions_of_the_page() -> None:
    assert resolving({"do": "lock", "action": 9}).locked == ()


def test_lock__as_many_as_there_are_tokens() -> None:
    places = tuple(replace(voyage().places[0], number=number) for number in range(1, 12))
    full = voyage(places=places, locked=tuple(range(1, 10)))
    assert resolving({"do": "lock", "action": 10}, state=full).locked == tuple(range(1, 10))


def test_masked_pirate__acts_as_each_round_begins() -> None:
    state = resolving({"do": "new_round"})
    assert RULES.awaiting(state) == (1,)
    assert do(state, "p2", "roll_die", 5).hull == 11
