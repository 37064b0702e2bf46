"""The account of a slip: the table beside the rules, the consequences, and the evening by the rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.events import Draft, Explanation
from engine.kit.kernel import Kernel
from engine.kit.steps import DueStep
from engine.play.beliefs.belief import Belief
from engine.play.record import record
from engine.review import accounts, effects, skipped
from engine.review.audit import audit
from engine.review.findings import explain_finding as in_words
from engine.review.findings import in_order
from engine.review.report import EventRef, Finding, Report
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forever_island.raiding import declare_raid
from tests.engine.games.forgotten_waters.positions import SHEETS, resolving
from tests.engine.play.explaining import BO_MOVES, CARDS, chosen, deal_game, drawn_late, explanations_of, flood, report
from tests.engine.play.explanations.test_missed import RISE, after_the_end, begin_game, play_on_after_end, storm
from tests.playouts import clock
from tests.recording import Recording

BO_STAYS_NEAR = msgspec.structs.replace(BO_MOVES, params={"to": "copper_gate"})
NO_EFFECT = "No effect: the game went on as if Ada had done it."
NO_EFFECT_IN_TIME = "No effect: done in time, it would have led to the same position."
NOBODY_KNOWS = "Nobody can know how the game would have gone on otherwise."
UNKNOWN = "From turn {} on, nobody knows how the game would have gone by the rules."
SAME_POSITION = "By the rules, the game would have come to the same position at the end of the record."
ONE_MISSING = "The missing card was never drawn. 1 later move followed without it, up to the end of the record."


def audit_with_findings(recording: Recording) -> Report:
    found = audit(recording.events)
    assert found.verdict == "findings"
    return found


def only(recording: Recording) -> Finding:
    (finding,) = audit_with_findings(recording).findings
    return finding


def messages_of(facts: Any) -> list[str]:
    return [fact.message for fact in facts]


def test_a_skipped_step_that_is_made_up_for_is_one_mark() -> None:
    """Ada's Flood cards are drawn in Bo's turn: they have no mark of their own, and hers says how late they were."""
    recording = drawn_late()
    finding = only(recording)
    assert (finding.kind, finding.message) == ("left_out", "Ada drew 2 Flood cards 1 turn late.")
    assert finding.changed == (NO_EFFECT_IN_TIME,)
    assert (finding.noticed_at.seq, finding.noticed_at.turn) == (7, 2)  # type: ignore[union-attr]
    assert messages_of(finding.happened) == [
        "Ada drew 0 of 2 Flood cards in time.",
        "Next came, in turn 2: “Bo moves to Cliffs of Abandon.”",
        "Came late, in turn 2: “Bronze Gate floods.”",
        "Came late, in turn 2: “Breakers Bridge floods.”",
    ]
    assert messages_of(finding.expected) == ["Ada had to draw 2 Flood cards. Only then could the game go on."]
    assert audit_with_findings(recording).level.slips == 1
    assert audit_with_findings(recording).by_the_rules == (SAME_POSITION,)


def test_cards_drawn_late_in_part_are_not_told_as_the_whole() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    chosen(recording, flood("bronze_gate")[0], "late_step")
    finding = only(recording)
    assert in_words(finding) == "Ada drew only 1 of the 2 Flood cards, and even that too late."
    assert finding.changed == (ONE_MISSING, NOBODY_KNOWS)
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(1),)


def skipped_storm(storm_tick: int) -> tuple[Recording, Draft]:
    """In the Desert, a turn without its storm cards, and a storm card drawn in the next turn."""
    recording = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=storm_tick))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "storm_cards"}))
    explanation = Explanation("late_step", "p1", (recording.game.version,))
    return recording, msgspec.structs.replace(storm("wind_north_1"), explanation=explanation)


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (1, "Ada drew only 1 of the 3 storm cards, and even that too late."),
        (2, "Ada drew only 2 of the 3 storm cards, and even that too late."),
    ],
)
def test_of_several_storm_cards_some_were_drawn_late(drawn: int, said: str) -> None:
    recording, late = skipped_storm(storm_tick=4)
    report(recording, *[late] * drawn)
    finding = only(recording)
    assert finding.message == said
    assert [(one.message, one.number) for one in finding.expected] == [("Ada had to draw 3 storm cards.", 3)]


def test_a_skipped_step_was_noticed_with_the_first_action_without_it() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    finding = only(recording)
    assert (finding.turn, finding.noticed_at.turn) == (1, 2)  # type: ignore[union-attr]


def test_a_swap_that_is_made_up_for_in_the_same_turn() -> None:
    recording = deal_game()
    first, second = flood("bronze_gate", "breakers_bridge")
    chosen(recording, first, "swapped_steps")
    report(recording, second)
    for card, message in zip(
        CARDS,
        (
            "Ada drew only 1 of the 2 Treasure deck cards, and even that too late.",
            "Ada drew 2 Treasure deck cards too late.",
        ),
        strict=True,
    ):
        chosen(recording, card, "swapped_steps")
        assert only(recording).message == message
    assert messages_of(only(recording).happened)[:2] == [
        "Ada drew 0 of 2 Treasure deck cards in time.",
        "Next came: “Bronze Gate floods.”",
    ]
    assert messages_of(only(recording).expected) == [
        "Ada had to draw 2 Treasure deck cards. Only then could the game go on."
    ]
    assert only(recording).changed == (NO_EFFECT_IN_TIME,)


def test_a_skipped_draw_that_nobody_makes_up_for_is_unknown() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    missing = "The 2 missing cards were never drawn. 1 later move followed without them, up to the end of the record."
    assert only(recording).changed == (missing, NOBODY_KNOWS)
    assert [messages_of(side) for side in (only(recording).happened, only(recording).expected)] == [
        ["Ada drew neither of the 2 Flood cards.", "Next came, in turn 2: “Bo moves to Cliffs of Abandon.”"],
        ["Ada had to draw 2 Flood cards. Only then could the game go on."],
    ]
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(1),)


def test_a_card_that_was_drawn_in_time_is_not_missing() -> None:
    recording = deal_game()
    report(recording, CARDS[0])
    chosen(recording, BO_MOVES, "skipped_step")
    cards, flooding = audit_with_findings(recording).findings
    assert cards.message == "Ada drew only 1 of the 2 Treasure deck cards."
    assert [(one.message, one.number) for one in cards.happened][:1] == [
        ("Ada drew 1 of 2 Treasure deck cards in time.", 1)
    ]
    assert cards.changed == (ONE_MISSING, NOBODY_KNOWS)
    assert flooding.message == "Ada drew neither of the 2 Flood cards."


def test_cards_that_needed_a_discard_first_are_put_in_place_with_it() -> None:
    """Ada's second card fills her hand, and she discards it only after her first Flood card."""
    recording = begin_game(phase="draw_treasure", treasure_draws_left=1, hands=[["earth_stone"] * 4 + ["sandbags"]])
    chosen(recording, flood("bronze_gate")[0], "swapped_steps")
    chosen(recording, CARDS[1], "swapped_steps")
    discard = Draft(type="discard", actor="p1", params={"card": "sandbags"})
    report(recording, discard)
    assert only(recording).changed == (NO_EFFECT_IN_TIME,)


def test_one_card_too_many_says_how_many_and_what_became_of_it() -> None:
    recording = begin_game(phase="draw_treasure", treasure_draws_left=2, flooded=["bronze_gate"])
    sandbags = msgspec.structs.replace(CARDS[0], outcomes=("sandbags",))
    report(recording, *CARDS)
    chosen(recording, sandbags, "one_too_many")
    report(recording, Draft(type="play_sandbags", actor="p1", params={"tile": "bronze_gate"}))
    finding = only(recording)
    begins = "Ada drew one Treasure deck card too many (Sandbags). At that moment, Ada's turn was in"
    assert in_words(finding).startswith(begins)
    assert [(side[0].message, side[0].number) for side in (finding.happened, finding.expected)] == [
        ("Ada drew 3 Treasure deck cards. The last one: “Ada draws Sandbags.”", 3),
        ("Ada had to draw 2 Treasure deck cards, in turn 1.", 2),
    ]
    (followed,) = finding.changed
    assert followed.startswith(
        "Turn 1: “Ada plays Sandbags on Bronze Gate.” By the rules, this would not have been possible: “There is no "
        "Sandbags in that hand.”"
    )
    assert "After this move, at the table: Bronze Gate is dry." in followed
    assert "By the rules: Bronze Gate is flooded." in followed


def test_a_roll_too_many_names_the_roll() -> None:
    recording = begin_game("forever-island", atoll(huts=[["frog_1_a"], ["frog_2_b"]], phase="weather"))
    roll = Draft(type="roll_for_weather", actor="p1", outcomes=(3,))
    report(recording, roll)
    chosen(recording, roll, "one_too_many")
    finding = only(recording)
    assert finding.message == "Ada made one weather roll too many."
    assert messages_of(finding.happened)[0].startswith("“Ada rolls a 3 for weather: ")
    assert messages_of(finding.expected)[0] == "There is no second weather roll."


def test_a_skipped_step_that_decides_nothing_has_no_effect() -> None:
    """Passing the die is neither a draw nor a choice, so nothing about it is unknown."""
    recording = begin_game("forever-island", atoll(huts=[["frog_1_a"], ["frog_2_b"]]))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "end_turn"}))
    finding = only(recording)
    assert finding.message == "Ada did not pass the die to the next player."
    assert finding.changed == (NO_EFFECT,)
    assert audit_with_findings(recording).by_the_rules == (SAME_POSITION,)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({"do": "check", "skill": "aim", "results": [{}]}, "Ada did not make the skill check."),
        ({"do": "roll", "results": [{}]}, "Ada did not roll the die."),
        ({"do": "swap_infamy"}, "Ada did not resolve a game effect."),
    ],
)
def test_a_skipped_effect_is_named(effect: dict[str, Any], message: str) -> None:
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    recording.add("set_up", position=recording.game.ruleset.to_document(resolving(effect)))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "effect"}))
    finding = only(recording)
    assert finding.message == message
    assert finding.changed == ("This step was not made up for later.", NOBODY_KNOWS)


def test_a_skipped_step_keeps_its_reason() -> None:
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    position = recording.game.ruleset.to_document(resolving({"do": "roll", "results": [{}]}))
    recording.add("set_up", position=position)
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "effect", "reason": "The die was lost."}))
    assert only(recording).told == "Ada did not resolve a game effect: The die was lost."


def test_a_long_action_in_place_of_a_step_is_only_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "LONGEST", 9)
    assert messages_of(only(drawn_late()).happened)[1] == "Next came, in turn 2: “Bo does this: move.”"


def test_of_a_long_action_only_the_first_sentence_is_told() -> None:
    """Bo rolls for Ada, and a long text follows from the roll."""
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    text = "It was not small. " * 9
    effect = {"do": "roll", "results": [{"from": 1, "text": text.strip()}]}
    recording.add("set_up", position=recording.game.ruleset.to_document(resolving(effect)))
    by_bo = Draft(type="roll_die", actor="p1", outcomes=(5,), explanation=Explanation("other_player", "p2"))
    report(recording, by_bo)
    assert messages_of(only(recording).happened) == ["“Ada rolls 5: It was not small.” But it was Bo who did this."]


def test_a_later_move_that_depended_on_it_is_named() -> None:
    """Ada flies over two tiles, and continues from there."""
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), if_illegal="accept")
    report(recording, Draft(type="move", actor="p1", params={"to": "howling_garden"}))
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}))
    finding = only(recording)
    assert messages_of(finding.happened) == ["Ada stands on Gold Gate."]
    assert messages_of(finding.expected) == ["Ada stands on Silver Gate."]
    assert finding.happened[0].about is None
    assert finding.changed == (
        "The difference did not last: at the end of the record, the position is the same either way.",
    )
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "watchtower"}), if_illegal="accept")
    report(recording, Draft(type="move", actor="p1", params={"to": "twilight_hollow"}), if_illegal="accept")
    first = audit_with_findings(recording).findings[0]
    assert first.changed[0].startswith(("Turn 1: ", "The difference did not last: "))


def test_a_missed_rise_has_the_level_beside_the_one_by_the_rules() -> None:
    recording = deal_game()
    report(recording, RISE, CARDS[0])
    chosen(recording, flood("bronze_gate")[0], "missed_reshuffle")
    finding = only(recording)
    assert (finding.happened[0].number, finding.expected[0].number) == (1, 2)
    (changed,) = finding.changed
    assert changed.endswith(
        "By the rules, this would not have been possible: a different result was due, and nobody knows which."
    )
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(1),)


def test_a_step_that_was_still_to_do_is_named_in_place_of_what_came_after_it() -> None:
    """By the rules the storm had picked up and Bo drew three cards, so it was still his turn."""
    recording = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=1))
    report(recording, storm("storm_picks_up"), Draft(type="left_out", params={"seat": "p1", "step": "storm_level"}))
    report(recording, storm("wind_north_1"), *[storm("wind_south_1", "p2")] * 2)
    (move, *_) = recording.game.ruleset.legal_actions(recording.game.state)
    report(recording, Draft(type=move.action.type, actor="p1", params=msgspec.to_builtins(move.action)))
    early, beside, followed, nobody_knows = only(recording).changed
    assert early == (
        "Turn 3: “Ada moves to row 1, column 2.” By the rules, this was not possible yet: Bo had to draw 1 storm card."
    )
    assert beside.startswith("Before this move, at the table: The storm is at tick 1 of its meter. ")
    assert " This is turn 3. And 3 more facts. By the rules: The storm is at tick 2 of its meter. " in beside
    assert (followed, nobody_knows) == ("1 move followed without that step.", NOBODY_KNOWS)
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(3),)


def test_what_follows_an_impossible_result_is_counted() -> None:
    """By the rules the pile was renewed, so nobody knows which Flood card was on top."""
    recording = deal_game()
    report(recording, RISE, CARDS[0])
    chosen(recording, flood("bronze_gate")[0], "missed_reshuffle")
    report(recording, *flood("breakers_bridge"), BO_MOVES)
    finding = only(recording)
    (changed,) = finding.changed
    assert changed == (
        "Turn 1: “Bronze Gate floods.” By the rules, this would not have been possible: a different result was due, "
        f"and nobody knows which. 2 later moves followed. {NOBODY_KNOWS}"
    )
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(1),)
    assert [messages_of(side)[-1] for side in (finding.happened, finding.expected)] == ["And 4 more facts."] * 2


def test_a_card_too_many_after_the_turn_is_told_as_such() -> None:
    recording = deal_game()
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"))
    chosen(recording, *flood("copper_gate"), "one_too_many")
    finding = only(recording)
    assert finding.message == "Ada drew one Flood card too many (Copper Gate)."
    assert [messages_of(side)[0] for side in (finding.happened, finding.expected)] == [
        "Ada drew 3 Flood cards. The last one: “Copper Gate floods.”",
        "Ada had to draw 2 Flood cards, in turn 1.",
    ]
    shifted = "But this card would have stayed on its pile, so the later draws would have been different."
    assert shifted not in finding.changed
    drawn = [msgspec.structs.replace(card, actor="p2") for card in (*CARDS, *flood("dunes_of_deception"))]
    report(recording, *drawn)
    assert only(recording).changed[-1] == shifted


@pytest.mark.parametrize("is_third", [False, True])
def test_a_result_after_a_skipped_draw_may_be_different(is_third: bool) -> None:
    recording = deal_game()
    report(recording, *CARDS, *flood("fools_landing"))
    chosen(recording, BO_MOVES, "skipped_step")
    cards = [msgspec.structs.replace(card, actor="p2") for card in (CARDS[1], RISE, CARDS[1])]
    report(recording, *cards[:2])
    if is_third:
        chosen(recording, cards[2], "one_too_many")
    report(recording, *flood("fools_landing", actor="p2"))
    assert audit_with_findings(recording).by_the_rules == (
        UNKNOWN.format(1),
        "By the rules, the game may have ended differently.",
    )


def test_a_list_that_is_cut_says_how_much_is_left_out() -> None:
    for tick, count, more in ((5, 4, "And one more."), (9, 5, "And 2 more.")):
        recording, north = skipped_storm(storm_tick=tick)
        south = msgspec.structs.replace(north, outcomes=("wind_south_1",))
        report(recording, *[north, south, north, south, north][:count])
        finding = only(recording)
        assert finding.message == f"Ada drew {count} storm cards 1 turn late."
        assert messages_of(finding.happened)[-1] == more


def test_the_same_loss_follows_by_the_rules() -> None:
    """Ada flies over a tile, and moves on from there; the end of the game depends on neither."""
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "watchtower"}), if_illegal="accept")
    report(recording, Draft(type="move", actor="p1", params={"to": "whispering_garden"}))
    recording.add("abandon", reason="It has become late.")
    assert (
        audit_with_findings(recording).by_the_rules[-1]
        == "With the moves that were possible, the game still ends in the same way."
    )


def test_by_the_rules_the_game_was_over() -> None:
    recording = play_on_after_end()
    finding = only(recording)
    assert messages_of(finding.expected) == ["Fools' Landing has sunk: the game is lost."]
    assert finding.message == (
        "Nobody noticed that the game had ended. It ended in turn 1 (Ada's turn): “Fools' Landing sinks.”"
    )
    moves = (
        "Recorded after the end: 1 move. By the rules, nothing after the end counts. "
        "The audit still checks these moves, as if the game had gone on."
    )
    assert messages_of(finding.happened) == ["Play went on.", "The last move was made in turn 1: “Bronze Gate floods.”"]
    assert finding.changed == (moves,)
    assert finding.noticed_at is None
    ending = "the game ends in turn 1: Fools' Landing has sunk: the game is lost."
    assert audit_with_findings(recording).by_the_rules == (f"By the rules, {ending}",)


def test_an_adjustment_has_its_facts_and_what_depended_on_it() -> None:
    """An adjustment puts both players on Fools' Landing, and Ada then moves from there."""
    recording = deal_game()
    facts = [
        *({"fact": "stands_on", "seat": seat, "tile": "fools_landing"} for seat in ("p1", "p2")),
        {"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 1},
        *({"fact": "captured", "treasure": one, "is_so": True} for one in ()),
    ]
    report(recording, Draft(type="adjust", params={"facts": facts, "reason": "So it was."}))
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), if_illegal="accept")
    (adjustment,) = audit_with_findings(recording).adjustments
    assert "Ada stands on Silver Gate." in messages_of(adjustment.before)
    assert "Ada stands on Fools' Landing." in messages_of(adjustment.after)
    assert adjustment.recorded_at is not None
    assert adjustment.changed


def test_what_another_player_did_leaves_the_table_as_the_rules_have_it() -> None:
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, flood("bronze_gate", actor="p2")[0], "other_player")
    finding = only(recording)
    assert messages_of(finding.happened) == ["“Bronze Gate floods.” But it was Bo who did this."]
    assert messages_of(finding.expected) == ["Ada had to do it."]
    assert finding.changed == (NO_EFFECT,)
    assert (finding.actor, finding.told) == ("p2", "Bo drew one Flood card that Ada had to draw.")
    assert finding.due == "It was Ada's turn."


def test_another_player_rolls_or_acts_in_a_players_place() -> None:
    recording = begin_game("forever-island", atoll(huts=[["frog_1_a"], ["frog_2_b"]], phase="weather"))
    by_bo = Explanation("other_player", "p2")
    report(recording, Draft(type="roll_for_weather", actor="p1", outcomes=(3,), explanation=by_bo))
    assert in_words(only(recording)) == "Bo acted in Ada's place. Ada had to roll for weather. It was Ada's turn."
    report(recording, Draft(type="harvest", actor="p1", params={"hut": "p1_hut_1"}, explanation=by_bo))
    assert audit_with_findings(recording).findings[1].message == "Bo acted in Ada's place: Harvest."


def test_a_step_that_is_not_a_draw_is_told_with_the_moves_around_it() -> None:
    recording = begin_game("forever-island", atoll(huts=[["frog_1_a"], ["frog_2_b"]]))
    report(recording, Draft(type="harvest", actor="p1", params={"hut": "p1_hut_1"}))
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "end_turn"}))
    report(recording, Draft(type="roll_for_weather", actor="p2", outcomes=(3,)))
    finding = only(recording)
    before, after = messages_of(finding.happened)
    assert before.startswith("Just before: “Ada harvests ")
    assert after.startswith("Next came, in turn 4: “Bo rolls a 3 for weather: ")
    assert messages_of(finding.expected) == [
        "Ada had to pass the die to the next player. Only then could the game go on."
    ]


def test_a_hidden_action_before_a_skipped_step_is_only_named() -> None:
    recording = begin_game("forever-island", declare_raid())
    recording.add("throw_spears", "p1", spears=1, salt="a" * 32)
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "raid"}))
    assert messages_of(only(recording).happened) == ["Just before: “Ada does this: throw spears.”"]


def test_a_game_that_ended_with_another_players_card_would_have_ended_anyway() -> None:
    recording = begin_game(phase="draw_flood", flooded=["fools_landing"], flood_draws_left=1)
    chosen(recording, flood("fools_landing", actor="p2")[0], "other_player")
    (followed,) = audit_with_findings(recording).findings[0].changed
    assert followed.startswith("No effect: done by Ada, it would have ended the game in the same way. Fools' Landing")


def test_of_a_table_that_is_not_known_no_facts_are_told() -> None:
    recording = deal_game()
    report(recording, Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    report(recording, CARDS[0])
    third = msgspec.structs.replace(CARDS[0], outcomes=("oceans_chalice",))
    recording.game, added = record(
        recording.game, [third], recording.chance, recording.history, recorded_at=clock(9), if_illegal="accept"
    )
    recording.events += added
    recording.history.fold(added)
    finding = only(recording)
    assert (finding.happened, finding.changed) == ((), ())
    assert audit_with_findings(recording).by_the_rules == ()


def test_a_result_that_depends_on_nothing_and_one_that_an_adjustment_made() -> None:
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), if_illegal="accept")
    report(recording, Draft(type="annotate", params={"text": "A long way."}))
    recording.add("abandon", reason="It has become late.")
    assert audit_with_findings(recording).by_the_rules == (
        "The result does not depend on a slip or on a change by hand.",
    )
    treasures = ("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice")
    won = begin_game(captured=treasures, hands=[["helicopter_lift"]])
    places = [{"fact": "stands_on", "seat": seat, "tile": "fools_landing"} for seat in ("p1", "p2")]
    report(won, Draft(type="adjust", params={"facts": places, "reason": "So it was."}))
    report(won, Draft(type="lift_off", actor="p1"))
    assert won.game.outcome is not None
    found = audit_with_findings(won)
    assert found.by_the_rules[-1] == (
        "At the table the game ended in turn 1: The team lifts off Fools' Landing with all four treasures: the game is "
        "won! Without the slips and changes by hand, the recorded moves do not end the game. Nobody knows how it "
        "would have ended."
    )
    assert "” Without this change, this would not have been possible: " in found.adjustments[0].changed[0]


def test_facts_that_cannot_be_told_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any function may fail on a table that rules did not make. A table with unknown cards has no facts to compare."""
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), if_illegal="accept")

    def failing(*_: object) -> None:
        raise LookupError

    assert only(recording).due is None
    with monkeypatch.context() as patch:
        patch.setattr(effects, "Tableau", failing)
        patch.setattr(Kernel, "legal", failing)
        assert only(recording).happened == ()
        assert only(recording).due == "At that moment, Ada's turn was in this phase: taking actions."
    unseen = deal_game()
    report(unseen, Draft(type="draw_treasure_card", actor="p1", outcomes=(None,)))
    level = {"fact": "water_level", "level": 4}
    report(unseen, Draft(type="adjust", params={"facts": [level], "reason": "We moved the marker twice."}))
    assert audit_with_findings(unseen).adjustments[0].before == ()


def test_an_account_names_who_sat_there_then() -> None:
    """Dana takes over Bo's seat: later sentences name Dana, also in explanations."""
    recording = deal_game()
    report(recording, Draft(type="seat_joined", params={"seat": "p2", "name": "Dana"}))
    report(recording, *CARDS, if_illegal="accept")
    chosen(recording, BO_MOVES, "skipped_step")
    moved = msgspec.structs.replace(BO_MOVES, actor="p1", params={"to": "fools_landing"})
    (wrong,) = [one.message for one in explanations_of(recording, moved) if one.kind == "wrong_player"]
    assert wrong == "It was Dana, not Ada: Move to Fools' Landing."
    place = {"fact": "stands_on", "seat": "p2", "tile": "gold_gate"}
    report(recording, Draft(type="adjust", params={"facts": [place], "reason": "So it was.", "agreed_by": ["p2"]}))
    found = audit(recording.events)
    (adjustment,) = found.adjustments
    assert (messages_of(adjustment.after), adjustment.agreed) == (["Dana stands on Gold Gate."], ("Dana",))


def test_a_step_that_was_skipped_by_a_correction_was_noticed_with_the_correction() -> None:
    recording = deal_game()
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"), BO_MOVES)
    skip = {"type": "left_out", "params": {"seat": "p1", "step": "flood_cards"}}
    recording.add("amend", seq=5, insert=skip, accept_broken=True)
    (finding,) = [one for one in audit_with_findings(recording).findings if one.kind == "left_out"]
    assert (finding.turn, finding.noticed_at.turn) == (1, 2)  # type: ignore[union-attr]
    last = deal_game()
    report(last, *CARDS, Draft(type="left_out", params={"seat": "p1", "step": "flood_cards"}))
    assert only(last).noticed_at == EventRef(5, 1, "turn 1")


def test_findings_are_in_the_order_of_the_game_also_after_an_inserted_slip() -> None:
    recording = deal_game()
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"), BO_MOVES)
    flooded = recording.game.version - 2
    report(recording, Draft(type="draw_treasure_card", actor="p1", outcomes=("sandbags",)), if_illegal="accept")
    skipped = {"type": "left_out", "params": {"seat": "p1", "step": "flood_cards"}}
    report(recording, Draft(type="amend", params={"seq": flooded, "insert": skipped, "accept_broken": True}))
    found = in_order(audit_with_findings(recording))
    assert [one.turn for one in found] == sorted(one.turn for one in found)
    assert [one.seq for one in found] != sorted(one.seq for one in found)


def test_an_end_that_nobodys_act_brought_and_nobody_played_after() -> None:
    recording = begin_game(flooded=["fools_landing"])
    sunk = [{"fact": "tile_is", "tile": "fools_landing", "state": "sunk"}]
    report(recording, Draft(type="adjust", params={"facts": sunk, "reason": "We saw it."}))
    assert recording.game.outcome is not None
    report(recording, Draft(type="left_out", params={"seat": "p1", "step": "ending"}))
    finding = audit_with_findings(recording).findings[0]
    assert "It ended in turn 1 (Ada's turn): “" in finding.message
    assert messages_of(finding.expected) == ["Fools' Landing has sunk: the game is lost."]
    assert finding.changed == ()


def test_an_end_that_a_correction_takes_away_is_no_unnoticed_end() -> None:
    recording = play_on_after_end()
    number = recording.game.version - 3
    assert recording.events[number - 1].type == "draw_flood_card"
    report(recording, Draft(type="amend", params={"seq": number, "remove": True, "accept_broken": True}))
    finding = next(one for one in audit_with_findings(recording).findings if one.rule == "Keeping the record")
    assert finding.message.startswith("The record says: Nobody noticed that the game had ended. After a correction,")
    assert (finding.actor, finding.played_until) == (None, None)


def test_without_a_correction_by_hand_the_game_ends() -> None:
    recording = begin_game(phase="draw_flood", flooded=["fools_landing"], flood_draws_left=2)
    dry = [{"fact": "tile_is", "tile": "fools_landing", "state": "dry"}]
    report(recording, Draft(type="adjust", params={"facts": dry, "reason": "We saw it."}), *flood("fools_landing"))
    (adjustment,) = audit_with_findings(recording).adjustments
    assert adjustment.changed == (
        "Without this change, the game ends in turn 1: Fools' Landing has sunk: the game is lost.",
    )


def test_several_moves_that_were_not_possible() -> None:
    """By the rules Ada has no Sandbags, but she plays two."""
    recording = begin_game(flooded=["bronze_gate", "breakers_bridge"])
    cards = [{"fact": "has_cards", "seat": "p1", "card": "sandbags", "count": 2}]
    report(recording, Draft(type="adjust", params={"facts": cards, "reason": "We saw it."}))
    for tile in ("bronze_gate", "breakers_bridge"):
        report(recording, Draft(type="play_sandbags", actor="p1", params={"tile": tile}))
    (adjustment,) = audit_with_findings(recording).adjustments
    first, second, end = adjustment.changed
    assert (first[:8], second[:8]) == ("Turn 1: ", "Turn 1: ")
    assert end.startswith(
        "Without this change, these moves would not have been possible. The reason for the first move: “There is no "
    )


def test_what_was_not_followed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = deal_game()
    report(recording, Draft(type="move", actor="p1", params={"to": "gold_gate"}), if_illegal="accept")
    report(recording, Draft(type="move", actor="p1", params={"to": "howling_garden"}))
    with monkeypatch.context() as patch:
        patch.setattr(accounts, "MOST_PLAYED", 0)
        assert only(recording).changed == ("Only the next 0 events were checked for effects.",)
    monkeypatch.setattr(accounts, "MOST_ACCOUNTS", 0)
    assert only(recording).changed == ("Driftlog traces the effects of the first 0 findings only.",)


def test_no_sentence_is_told_twice() -> None:
    message = "Ada did not draw the Flood cards that were due."
    finding = Finding(4, 1, "left_out", "3. Draw Flood Cards", message, told=f"{message[:-1]}: We forgot.")
    assert in_words(finding) == finding.told
    assert in_words(msgspec.structs.replace(finding, told=message)) == message
    assert in_words(msgspec.structs.replace(finding, told=None)) == message


@pytest.mark.parametrize(
    ("turns", "told"),
    [((2, 2), "Mia's raid came 2 turns late."), ((0, 0), "Mia's raid came too late.")],
)
def test_a_step_without_cards_is_told_as_a_whole(turns: tuple[int, int], told: str) -> None:
    raid = DueStep("raid", "raid", "Raid")
    assert skipped.SkippedDraws(raid, 1, 0, 1).describe("Mia", turns) == told
    assert (
        skipped.SkippedDraws(raid, 1, 0, 0).without(1)
        == "This step was not made up for later. 1 later move followed without it, up to the end of the record."
    )
    assert raid.left_out("Mia") == "Mia skipped this step: raid"
    assert raid.due("Mia", 1) == "Mia had to take this step: raid"


def test_one_card_that_was_due_is_told_in_the_singular() -> None:
    step = DueStep("card", "card", "Draw", cards=lambda count: "card" if count == 1 else "cards")
    assert skipped.SkippedDraws(step, 2, 0, 2).describe("Mia", (1, 3)) == "Mia drew 2 cards up to 3 turns late."
    assert skipped.SkippedDraws(step, 3, 1, 2).describe("Mia", (1, 1)) == "Mia drew 2 of the 3 cards 1 turn late."
    assert (
        skipped.SkippedDraws(step, 3, 1, 1).describe("Mia", (1, 1))
        == "Mia drew only 2 of the 3 cards, 1 of them too late."
    )
    assert [step.not_drawn("Mia", count) for count in (1, 2, 3)] == [
        "Mia did not draw the card.",
        "Mia drew neither of the 2 cards.",
        "Mia drew none of the 3 cards.",
    ]


def test_an_unnoticed_end_after_an_unknown_step_is_the_end_of_the_recorded_moves() -> None:
    """Ada draws no Treasure deck cards, Fools' Landing sinks, and the game continues."""
    recording = begin_game(phase="draw_treasure", treasure_draws_left=2, flooded=["fools_landing"])
    chosen(recording, flood("fools_landing")[0], "skipped_step")
    (found,) = after_the_end(recording, flood("bronze_gate")[0])
    report(recording, *found.drafts)
    ending = "With the recorded moves, the game ends in turn 1: Fools' Landing has sunk: the game is lost."
    assert audit_with_findings(recording).by_the_rules == (UNKNOWN.format(1), ending)


def test_a_late_roll_is_followed_to_the_end_of_the_record() -> None:
    """Ada harvests before the weather, which would have made the island grow first."""
    recording = begin_game("forever-island", atoll(huts=[["frog_1_a"], ["frog_2_b"]], phase="weather"))
    chosen(recording, Draft(type="harvest", actor="p1", params={"hut": "p1_hut_1"}), "swapped_steps")
    chosen(recording, Draft(type="roll_for_weather", actor="p1", outcomes=(3,)), "swapped_steps")
    report(recording, Draft(type="end_turn", actor="p1"))
    beside = (
        "After this move, at the table: The fertility of Frog Island 1 is 2. "
        "By the rules: The fertility of Frog Island 1 is 3."
    )
    lasting = "The facts above were still different at the end of the record."
    assert only(recording).changed == (beside, "By the rules, every later move would have been possible, too.", lasting)


def test_a_move_that_a_change_made_possible_names_the_step_without_it() -> None:
    """An adjustment makes the storm stronger, and Ada draws a third card."""
    recording = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=1))
    tick = {"fact": "storm_tick", "tick": 2}
    report(recording, Draft(type="adjust", params={"facts": [tick], "reason": "We saw it."}))
    report(recording, *[storm("wind_south_1")] * 3)
    (adjustment,) = audit_with_findings(recording).adjustments
    assert adjustment.changed[0] == (
        "Turn 1: “Wind Blows 1 South: no tiles moved.” Without this change, this was not possible yet: "
        "Bo had to draw 2 storm cards."
    )


def test_a_turn_of_a_skipped_step_only_is_a_turn_of_the_record() -> None:
    recording = begin_game("forbidden-desert", table("archeologist", "explorer", storm_tick=1))
    report(recording, *[storm("wind_south_1")] * 2)
    report(recording, Draft(type="left_out", params={"seat": "p2", "step": "storm_cards"}), storm("wind_north_1"))
    assert [one.name for one in audit_with_findings(recording).periods] == ["turn 1", "turn 2", "turn 3"]


def test_a_partly_unknown_table_is_not_compared() -> None:
    recording = deal_game()
    known = recording.game.state
    recording.add("draw_treasure_card", "p1", [None])
    unknown = recording.game.state
    assert isinstance(unknown, Belief)
    replays = effects.Replays(recording.history.rules, [], {}, str)
    assert replays.differing(known, unknown) == replays.differing(unknown, known) == ((), ())
