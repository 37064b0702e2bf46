"""Explanations: the slip behind an illegal action, and the evening after it is recorded."""

from __future__ import annotations

import msgspec
import pytest

from engine.core import effort
from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed
from engine.core.events import Draft, Explanation, Mode
from engine.play.explanations.table import RefusedAction
from engine.play.fold import fold
from engine.play.past import KnownPast
from engine.play.record import record
from tests.engine.play.explaining import (
    BO_MOVES,
    CARDS,
    NOTHING,
    chosen,
    deal_game,
    explanations_of,
    flood,
    kinds,
    offer_hog,
    read_back,
    report,
)
from tests.playouts import clock
from tests.recording import Recording, forged


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_forgotten_cards_are_one_slip_and_what_follows_is_legal(mode: Mode) -> None:
    recording = deal_game(mode)
    report(recording, *CARDS)
    found = explanations_of(recording, BO_MOVES)
    assert (found[0].kind, found[0].seat, found[0].message) == (
        "skipped_step",
        "p1",
        "Ada did not draw the Flood cards that were due.",
    )
    report(recording, *found[0].drafts)
    report(recording, msgspec.structs.replace(BO_MOVES, params={"to": "copper_gate"}))
    assert read_back(recording) == ["left_out"]


def test_it_is_recorded_with_the_first_explanation_where_nobody_is_asked() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    left_out, move = report(recording, BO_MOVES, if_illegal="accept")
    assert (left_out.type, left_out.verdict, move.verdict) == ("left_out", "illegal", None)


def test_what_nothing_explains_is_recorded_as_it_is() -> None:
    recording = deal_game()
    far = Draft(type="move", actor="p1", params={"to": "gold_gate"})
    assert explanations_of(recording, far) == []
    (event,) = report(recording, far, if_illegal="accept")
    assert (event.verdict, event.explanation) == ("illegal", None)


def test_a_step_is_made_up_for_late() -> None:
    """The two forgotten Flood cards are drawn in the next turn, so no third one is late."""
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    for card in flood("bronze_gate", "breakers_bridge"):
        late = chosen(recording, card, "late_step")
        assert late.message == "Ada did this late: Draw a Flood card."
    assert recording.events[-1].explanation == Explanation("late_step", "p1", (5,))
    assert "late_step" not in kinds(explanations_of(recording, flood("copper_gate")[0]))
    state = recording.game.state
    assert state is not None
    assert (state.turn, recording.game.awaiting) == (2, ("p2",))
    assert {"bronze_gate", "breakers_bridge"} <= state.flooded  # type: ignore[attr-defined]  # a state of this game
    report(recording, msgspec.structs.replace(BO_MOVES, params={"to": "copper_gate"}))


def test_two_steps_are_swapped() -> None:
    """The Flood cards are drawn before the Treasure deck cards: both explanations are offered for the first of them."""
    recording = deal_game()
    first, second = flood("bronze_gate", "breakers_bridge")
    swapped = chosen(recording, first, "swapped_steps")
    assert swapped.message == "Wrong order: Ada did “Draw a Flood card” before “Ada's Treasure deck cards”."
    report(recording, second)
    for card in CARDS:
        message = "Ada did this in the wrong order: Draw a Treasure deck card."
        assert chosen(recording, card, "swapped_steps").message == message
    report(recording, BO_MOVES)
    hands = recording.game.state.hands  # type: ignore[union-attr]
    assert hands[0].count("earth_stone") == 3


def test_an_action_behind_the_draw_is_in_the_wrong_order() -> None:
    recording = deal_game()
    report(recording, CARDS[0])
    (event,) = [
        report(recording, *one.drafts)[0]
        for one in explanations_of(recording, Draft(type="move", actor="p1", params={"to": "howling_garden"}))
        if one.kind == "swapped_steps"
    ]
    assert event.explanation == Explanation("swapped_steps", "p1", (3,))
    report(recording, CARDS[1])
    assert read_back(recording) == ["illegal_action"]


def test_a_third_card_is_one_too_many() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    third = Draft(type="draw_treasure_card", actor="p1", outcomes=("ocean_chalice",))
    third = msgspec.structs.replace(third, outcomes=("oceans_chalice",))
    found = chosen(recording, third, "one_too_many")
    assert found.message == "Ada did this once too often: Draw a Treasure deck card."
    report(recording, *flood("bronze_gate", "breakers_bridge"), BO_MOVES)
    assert read_back(recording) == ["illegal_action"]
    assert [event.verdict for event in recording.events[5:]] == [None] * 3


def test_the_hand_of_another_is_told_from_a_wrong_entry() -> None:
    """Bo draws Ada's Flood card, or it was entered under his name without a slip of the table."""
    by_hand, entered = deal_game(), deal_game()
    for recording in (by_hand, entered):
        report(recording, *CARDS)
    card = flood("bronze_gate", actor="p2")[0]
    assert chosen(by_hand, card, "other_player").message == "Bo did this for Ada: Draw a Flood card."
    assert chosen(entered, card, "wrong_player").message == "It was Ada, not Bo: Draw a Flood card."
    assert by_hand.events[-1].actor == entered.events[-1].actor == "p1"
    assert by_hand.events[-1].reason == "Bo did this for Ada: Draw flood card."
    assert read_back(by_hand) == ["illegal_action"]
    assert read_back(entered) == []


def test_a_card_that_was_entered_wrong() -> None:
    """Ada draws the same Flood card twice, so the first entry was wrong."""
    recording = deal_game(mode="strict")
    report(recording, *CARDS, *flood("bronze_gate"))
    found = explanations_of(recording, flood("bronze_gate")[0])
    assert kinds(found) == ["wrong_result"] * 3
    assert found[0].message.startswith("Entered incorrectly in turn 1: Ada, ")
    report(recording, *found[0].drafts)
    assert read_back(recording) == []


def test_a_place_that_was_entered_wrong() -> None:
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "howling_garden"}))
    tiles = [one.drafts[0].params["event"]["params"] for one in explanations_of(recording, _unreachable(recording))]
    assert tiles
    assert all(params["to"] != "howling_garden" for params in tiles)


def _unreachable(recording: Recording) -> Draft:
    """The move is legal from another tile to which Ada could have moved, but not from the entered one."""
    rules, states = recording.game.ruleset, recording.states
    before, after = states[2], states[3]
    here = {msgspec.to_builtins(one.action)["to"] for one in rules.legal_actions(after, 0) if one.action.type == "move"}
    for one in rules.legal_actions(before, 0):
        if one.action.type != "move":
            continue
        there = one.action.apply(before, 0, recording.chance)
        for two in rules.legal_actions(there, 0):
            if two.action.type == "move" and two.action.to not in here:
                return Draft(type="move", actor="p1", params={"to": two.action.to})
    raise AssertionError


def test_a_legal_action_needs_none() -> None:
    recording = deal_game()
    move = Draft(
        type="move", actor="p1", params={"to": "howling_garden"}, explanation=Explanation("one_too_many", "p1")
    )
    (event,) = report(recording, move)
    assert (event.verdict, event.explanation) == (None, None)


@pytest.mark.parametrize(
    ("explanation", "where"),
    [
        (Explanation("late_step", "p3"), "/seat"),
        (Explanation("one_too_many", "p2"), "/seat"),
        (Explanation("other_player", "p1"), "/seat"),
        (Explanation("late_step", "p1", (99,)), "/events/0"),
        (Explanation("late_step", "p1", (3, 1)), "/events/1"),
        (Explanation("late_step", "p1", (3, 3)), "/events/1"),
        (Explanation("late_step", "p1", (6,)), "/events/0"),
    ],
)
@pytest.mark.parametrize("how", ["", "insert", "event"])
def test_an_explanation_speaks_of_this_game(how: str, explanation: Explanation, where: str) -> None:
    recording = deal_game()
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"), Draft(type="undo", params={"to": 5}))
    third = msgspec.structs.replace(CARDS[0], outcomes=("oceans_chalice",), explanation=explanation)
    if how:
        third = Draft(type="amend", params={"seq": 5, how: msgspec.to_builtins(third)})
    with pytest.raises(Malformed) as refused:
        report(recording, third, if_illegal="accept")
    assert refused.value.pointer == (f"/params/{how}" if how else "") + "/explanation" + where


def test_an_event_without_effect_cannot_be_explained() -> None:
    with pytest.raises(Malformed) as refused:
        report(deal_game(), Draft(type="annotate", params={"text": "!"}, explanation=Explanation("late_step", "p1")))
    assert refused.value.pointer == "/explanation"


def test_an_explanation_of_a_forged_log_must_name_a_seat() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    third = msgspec.structs.replace(CARDS[0], outcomes=("oceans_chalice",), explanation=Explanation("late_step", "p1"))
    report(recording, third)
    (*events, last) = recording.events
    with pytest.raises(Malformed, match="not a seat of this game"):
        fold([*events, forged(last, explanation=Explanation("late_step", "p4"))])


def test_nothing_is_searched_where_an_older_parameter_says_what_to_do() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    with pytest.raises(IllegalAction) as refused:
        report(recording, BO_MOVES, if_illegal=None)
    assert refused.value.explanations is None


def test_of_a_log_of_which_only_the_state_is_known_the_table_alone_explains() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    with pytest.raises(IllegalAction) as refused:
        record(recording.game, [BO_MOVES], recording.chance, KnownPast(), recorded_at=clock(9), if_illegal="ask")
    assert kinds(list(refused.value.explanations or ())) == ["skipped_step", "house_rule"]


def test_what_was_found_until_the_work_ended_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = deal_game()
    report(recording, *CARDS)

    def spent(*_: object) -> None:
        raise effort.Exhausted

    monkeypatch.setattr(RefusedAction, "is_legal", spent)
    assert kinds(explanations_of(recording, BO_MOVES)) == ["skipped_step"]
    monkeypatch.setattr(RefusedAction, "recent", spent)
    with pytest.raises(ImpossibleOutcome) as refused:
        report(recording, *flood("bronze_gate", "bronze_gate"))
    assert refused.value.explanations == ()


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_the_event_of_an_amend_is_explained(mode: Mode) -> None:
    """Ada's second Flood card was really Bo's move: she forgot the card."""
    recording = deal_game(mode)
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"))

    def move_amend(to: str) -> Draft:
        event = {"type": "move", "actor": "p2", "params": {"to": to}}
        return Draft(type="amend", params={"seq": 6, "event": event})

    with pytest.raises(IllegalAction) as refused:
        report(recording, move_amend("cliffs_of_abandon"))
    first, *others = refused.value.explanations or ()
    assert (first.kind, first.message) == ("skipped_step", "Ada did not draw the Flood cards that were due.")
    assert [list(one.params)[:2] for one in first.drafts] == [["seq", "insert"], ["seq", "event"]]
    assert others[-1].kind == "house_rule"
    report(recording, *others[-1].drafts)
    assert read_back(recording) == []
    report(recording, Draft(type="undo", params={"to": 6}))

    removal = Draft(type="amend", params={"seq": 6, "remove": True})
    explained = move_amend("cliffs_of_abandon").params["event"] | {
        "explanation": {"kind": "one_too_many", "seat": "p2"}
    }
    report(recording, removal, Draft(type="amend", params={"seq": 6, "event": explained}), as_played=True)
    report(recording, Draft(type="undo", params={"to": 6}))

    # Accepted with an explanation that needs no other event. Without one, a strict record cannot mark it.
    third = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["crystal_of_fire"]}
    (event,) = report(recording, Draft(type="amend", params={"seq": 5, "insert": third}), if_illegal="accept")
    assert event.params["insert"]["explanation"] == {"kind": "one_too_many", "seat": "p1"}
    if mode == "as_played":
        (event,) = report(recording, move_amend("cliffs_of_abandon"), if_illegal="accept")
        assert event.verdict == "illegal"
        return
    with pytest.raises(IllegalAction) as refused:
        report(recording, move_amend("cliffs_of_abandon"), if_illegal="accept")
    assert kinds(list(refused.value.explanations or ()))[0] == "skipped_step"


def test_an_amend_asks_first_in_every_mode() -> None:
    for mode in ("strict", "as_played"):
        recording = deal_game(mode)
        report(recording, Draft(type="move", actor="p1", params={"to": "howling_garden"}))
        report(recording, Draft(type="move", actor="p1", params={"to": "silver_gate"}))
        stay = Draft(type="amend", params={"seq": 3, "remove": True})
        with pytest.raises(IllegalAction, match="repeat the request with `if_illegal=accept`"):
            report(recording, stay, as_played=False)
        (event,) = report(recording, stay, as_played=True)
        assert event.params["accept_broken"] is True


def test_the_last_explanation_is_a_house_rule() -> None:
    """Ada flies over the island. A house rule allows this in a player's own turn, but not out of turn or after the
    actions.
    """
    recording = deal_game()
    far = Draft(type="move", actor="p1", params={"to": "gold_gate"})
    with pytest.raises(IllegalAction) as refused:
        report(recording, far)
    (rule,) = refused.value.explanations or ()
    assert (rule.kind, rule.seat) == ("house_rule", "p1")
    assert rule.message == "From now on a house rule allows this in a player's own turn: Move."
    report(recording, *rule.drafts)
    assert rule.drafts[0].params["allows"] == [{"type": "move", "phase": "actions", "own_turn": True}]
    assert rule.drafts[0].params["overrides"] == "Move"
    back = msgspec.structs.replace(far, params={"to": "iron_gate"})
    report(recording, back)
    assert explanations_of(recording, msgspec.structs.replace(far, actor="p2"))
    report(recording, *CARDS)
    explanations_of(recording, far)
    assert read_back(recording) == []


def test_a_house_rule_is_not_offered_for_an_action_with_an_unclear_effect() -> None:
    """No house rule takes Sandbags out of a hand without Sandbags."""
    recording = deal_game()
    with pytest.raises(IllegalAction) as refused:
        report(recording, Draft(type="play_sandbags", actor="p2", params={"tile": "observatory"}))
    assert kinds(list(refused.value.explanations or ())) == ["wrong_player", "other_player"]


def test_a_late_step_has_to_do_what_was_due() -> None:
    recording = offer_hog()
    report(recording, Draft(type="left_out", params={"seat": "p2", "step": "answer"}), if_illegal="accept")
    assert "swapped_steps" in kinds(explanations_of(recording, Draft(type="decline_exchange", actor="p2")))
    recording = offer_hog()
    recording.add("decline_exchange", "p2")
    report(recording, Draft(type="left_out", params={"seat": "p3", "step": "end_turn"}), if_illegal="accept")
    again = Draft(type="offer_exchange", actor="p3", params={"partner": "p1", "give": NOTHING, "take": NOTHING})
    assert not {"late_step", "swapped_steps"} & set(kinds(explanations_of(recording, again)))


def test_a_skipped_step_and_a_wrong_player_are_explained_together() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    entered = msgspec.structs.replace(BO_MOVES, actor="p1")
    told = "Ada did not draw the Flood cards that were due. It was Bo, not Ada: Move to Cliffs of Abandon."
    (found,) = (one for one in explanations_of(recording, entered) if one.message == told)
    assert (found.kind, found.seat) == ("skipped_step", "p1")
    report(recording, *found.drafts)
    assert read_back(recording) == ["left_out"]
