"""`if_illegal=accept` records the first explanation that needs no answer, and marks only the player who slipped."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.events import Draft, Event, Explanation, Mode
from tests.engine.play.explaining import CARDS, deal_game, explanations_of, flood, offer_hog, read_back, report
from tests.planting import Honest
from tests.playouts import NAMES
from tests.recording import Recording


def illegal(events: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.actor) for event in events if event.verdict == "illegal"]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_the_hand_of_another_is_accepted(mode: Mode) -> None:
    """Bo draws Ada's first Flood card, and she draws the second."""
    recording = deal_game(mode)
    report(recording, *CARDS)
    (card,) = report(recording, *flood("bronze_gate", actor="p2"), if_illegal="accept")
    assert (card.actor, card.explanation) == ("p1", Explanation("other_player", "p2"))
    report(recording, *flood("breakers_bridge"))
    assert read_back(recording) == ["illegal_action"]


def test_a_wrong_player_is_a_question_for_the_recorder() -> None:
    recording = deal_game()
    move = Draft(type="move", actor="p2", params={"to": "howling_garden"})
    assert explanations_of(recording, move)[0].kind == "wrong_player"
    (event,) = report(recording, move, if_illegal="accept")
    assert (event.actor, event.verdict, event.explanation) == ("p2", "illegal", None)


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_a_missed_rise_of_the_water_is_accepted(mode: Mode) -> None:
    recording = deal_game(mode)
    report(recording, msgspec.structs.replace(CARDS[0], outcomes=("waters_rise",)), CARDS[1])
    missed, _ = report(recording, *flood("bronze_gate"), if_illegal="accept")
    assert (missed.type, missed.params["step"], missed.verdict) == ("left_out", "rise", "illegal")
    report(recording, *flood("breakers_bridge"))
    assert read_back(recording) == ["left_out"]


def test_an_action_before_the_steps_of_others_is_one_slip() -> None:
    """Forever Island: Ada harvests in Cleo's turn, which is likelier than two forgotten steps."""
    recording = offer_hog()
    recording.add("decline_exchange", "p2")
    (early,) = report(recording, Draft(type="harvest", actor="p1", params={"hut": "p1_hut_1"}), if_illegal="accept")
    assert early.explanation == Explanation("swapped_steps", "p1")
    report(recording, Draft(type="end_turn", actor="p3"), Draft(type="roll_for_weather", actor="p1", outcomes=(2,)))
    assert read_back(recording) == ["illegal_action"]


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_who_chooses_before_others_does_not_choose_again(mode: Mode) -> None:
    """Forgotten Waters: the last of three chooses first, and then the others in their order."""
    recording = Recording("forgotten-waters", 3, mode=mode)
    played = Honest("forgotten-waters", "14")
    while not getattr(played.state, "choosing", ()) or getattr(played.state, "agenda", ()):
        played.report(played.play() or pytest.fail("the game is over"))
    for event in played.events[1:]:
        recording.add(event.type, event.actor, event.outcomes, **event.params)
    first, second, third = recording.game.state.choosing  # type: ignore[union-attr]  # of this game
    for seat, number in ((third, 1), (first, 2), (second, 3)):
        draft = Draft(type="choose_action", actor=f"p{seat + 1}", params={"number": number})
        report(recording, draft, if_illegal="accept")
    assert recording.game.phase == "action"
    assert illegal(recording.events) == [("choose_action", f"p{third + 1}")]
    assert recording.events[-3].reason == f"{NAMES[third]} did this in the wrong order: Choose action."
    assert read_back(recording) == ["illegal_action"]
