"""Sections of an audit besides its findings: corrections, adjustments, verdicts by rule, states, luck, notes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import LogDoesNotVerify
from engine.core.events import Event
from engine.kit.chance import Recorded
from engine.play.fold import History, fold
from engine.review.audit import audit, verify
from engine.review.report import EventRef, Finding, Report, RuleVerdicts, ShownFact, Verdicts
from tests.engine.games.forever_island.raiding import declare_raid
from tests.engine.games.forgotten_waters.positions import SHEETS, resolving
from tests.engine.play.explanations.test_missed import begin_game
from tests.engine.recording import DEAL, dealt, ended, played
from tests.engine.toy import Dice
from tests.playouts import playout
from tests.recording import Recording, chained, forged

UNREACHABLE = "Watchtower is more than one move from Howling Garden."


def as_played() -> Recording:
    """Event 4 is an illegal move, and still in effect."""
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="watchtower")
    return recording


def replace_event(log: list[Event], seq: int, **changes: Any) -> list[Event]:
    return chained([forged(event, **changes) if event.seq == seq else event for event in log])


def corrections(recording: Recording) -> list[str]:
    return [one.message for one in audit(recording.events).corrections]


# Corrections: a corrected game with no open problem is clean


def test_undo_and_redo() -> None:
    recording = played()
    recording.add("undo", to=3)
    recording.add("undo", to=5)
    report = audit(recording.events)

    assert report.verdict == "clean"
    undo, redo = report.corrections
    assert (undo.seq, undo.turn, undo.type, undo.took_off, undo.brought_back) == (6, 1, "undo", (4, 5), ())
    assert (redo.took_off, redo.brought_back) == ((), (4, 5))
    assert undo.message == "Undone in turn 1: “Ada moves to Gold Gate” and “Ada draws Earth Stone”."
    assert redo.message == "Redone in turn 1: “Ada moves to Gold Gate” and “Ada draws Earth Stone”."


def test_undo__of_a_long_range() -> None:
    recording = played()
    recording.add("annotate", text="well")
    recording.add("undo", to=2)
    assert corrections(recording) == [
        (
            "Undone in turn 1: “Ada moves to Howling Garden”, “Ada moves to Gold Gate”, “Ada draws Earth Stone” "
            "and 1 more."
        )
    ]


def test_undo__of_one_event_and_of_an_undo() -> None:
    recording = played()
    recording.add("undo", to=4)
    recording.add("move", "p1", to="howling_garden")
    recording.add("undo", to=5)
    assert corrections(recording)[1] == (
        "Undone in turn 1: “Ada moves to Howling Garden”. Redone: “Ada draws Earth Stone”."
    )


def test_undo__of_an_undo_that_was_made_good() -> None:
    recording = played()
    recording.add("undo", to=4)
    recording.add("undo", to=5)
    recording.add("undo", to=5)
    assert corrections(recording)[2] == "Undone in turn 1. This does not change the game."


def test_amend__replaces() -> None:
    recording = played()
    recording.add("amend", seq=4, event={"type": "shore_up", "actor": "p1", "params": {"tiles": ["gold_gate"]}})
    report = audit(recording.events)
    assert (report.verdict, report.corrections[0].impact) == ("clean", {"state_differs": 1})
    assert report.corrections[0].message == (
        "Corrected in turn 1: “Ada moves to Gold Gate” was replaced by “Ada shores up Gold Gate”. "
        "This made no later event illegal."
    )


def test_amend__removes_inserts_and_puts_back() -> None:
    recording = played()
    recording.add("amend", seq=4, remove=True)
    recording.add("amend", seq=5, insert={"type": "move", "actor": "p1", "params": {"to": "gold_gate"}})
    recording.add("amend", seq=4, event={"type": "annotate", "params": {"text": "hm"}})
    removed, inserted, put_back = audit(recording.events).corrections
    assert removed.took_off == (4,)
    assert removed.message.startswith("Corrected in turn 1: “Ada moves to Gold Gate” did not happen.")
    assert inserted.message.startswith(
        "Corrected in turn 1: “Ada moves to Gold Gate” was missing before “Ada draws Earth Stone”."
    )
    assert (inserted.took_off, inserted.brought_back, put_back.brought_back) == ((), (), (4,))
    assert put_back.message == (
        "Corrected in turn 1: nothing was replaced by “Note: hm”. This made no later event illegal."
    )


def test_amend__of_the_last_event_has_no_followers() -> None:
    recording = played()
    recording.add("amend", seq=5, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]})
    assert corrections(recording) == [
        "Corrected in turn 1: “Ada draws Earth Stone” was replaced by “Ada draws Sandbags”."
    ]


def test_amend__of_the_deal() -> None:
    recording = played()
    deal = (*DEAL[:-4], "sandbags", "earth_stone", *DEAL[-2:])
    recording.add("amend", seq=2, event={"type": "set_up", "outcomes": deal})
    report = audit(recording.events)
    assert report.verdict == "clean"
    assert report.corrections[0].message.startswith("Corrected in turn 1: “")


def test_amend__that_breaks_what_follows_leaves_a_finding() -> None:
    recording = played()
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    report = audit(recording.events)
    assert report.verdict == "findings"
    assert [(finding.seq, finding.kind, finding.rule) for finding in report.findings] == [(4, "illegal_action", "Move")]
    assert verify(recording.events) == fold(recording.events)


def test_amend__that_makes_an_outcome_impossible_leaves_a_finding() -> None:
    """There are two Sandbags: one was dealt, and the other cannot be drawn twice."""
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    drawn = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]}
    recording.add("amend", seq=3, event=drawn, accept_broken=True)
    report = audit(recording.events)
    assert report.verdict == "findings"
    assert [(finding.seq, finding.turn, finding.kind) for finding in report.findings] == [(4, 1, "impossible_outcome")]
    assert report.corrections[0].impact == {"outcome_impossible": 1}
    assert report.corrections[0].message == (
        "Corrected in turn 1: “Ada draws Earth Stone” was replaced by “Ada draws Sandbags”. "
        "Of the later events: 1 has a result that is now impossible."
    )


def test_amend__of_a_long_action_quotes_the_first_sentence() -> None:
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    effect = {"do": "roll", "results": [{"from": 1, "text": "It was not small. " * 9}]}
    recording.add("set_up", position=recording.game.ruleset.to_document(resolving(effect)))
    recording.add("roll_die", "p1", [5])
    recording.add("amend", seq=3, event={"type": "roll_die", "actor": "p1", "outcomes": [4]})
    assert corrections(recording) == [
        "Corrected in round 1: “Ada rolls 5: It was not small” was replaced by “Ada rolls 4: It was not small”."
    ]


# Adjustments


def test_adjustments__are_listed_whether_they_stand_or_not() -> None:
    recording = played()
    recording.add("adjust", patch=[{"op": "replace", "path": "/water_level", "value": 4}], reason="we forgot")
    recording.add("undo", to=5)
    patch = [{"op": "replace", "path": "/water_level", "value": 5}]
    recording.add("adjust", patch=patch, reason="We forgot it twice!", agreed=["p1", "p2"])
    report = audit(recording.events)

    assert (report.verdict, report.findings) == ("findings", ())
    undone, stands = report.adjustments
    assert (undone.seq, undone.stands, undone.agreed) == (6, False, ())
    assert undone.message == "Event 6 changes the table by hand: We forgot. It is no longer in effect."
    assert (stands.seq, stands.turn, stands.stands) == (8, 1, True)
    assert (stands.facts, stands.patch) == (({"fact": "water_level", "level": 5},), [])
    assert stands.agreed == ("Ada", "Bo")
    assert stands.message == "Event 8 changes the table by hand: We forgot it twice!"
    assert report.message == (
        "The record is valid: 8 events, and every move is legal. See below how the record was made."
    )
    assert "The position was changed by hand once." in report.notes


def test_adjustments__that_an_amend_brought() -> None:
    recording = played()
    patch = [{"op": "replace", "path": "/water_level", "value": 4}]
    recording.add("amend", seq=4, insert={"type": "adjust", "params": {"patch": patch, "reason": "late"}})
    assert [(one.seq, one.stands) for one in audit(recording.events).adjustments] == [(6, True)]


# Verdicts


def test_verdicts__by_rule() -> None:
    report = audit(played().events)
    assert report.events_by_verdict == Verdicts(legal=4, illegal=0, unknowable=0)
    assert report.rules_applied == (
        RuleVerdicts("Move", 2, 0, 0),
        RuleVerdicts("2. Draw 2 Treasure Deck Cards", 1, 0, 0),
    )
    assert report.message == "The record is valid: 5 events, all by the rules."


def test_as_played__what_the_rules_forbid_is_a_finding_with_its_rule() -> None:
    report = audit(as_played().events)
    assert report.verdict == "findings"
    assert report.findings == (
        Finding(
            4,
            1,
            "illegal_action",
            "Move",
            UNREACHABLE,
            actor="p1",
            player="Ada",
            told="Ada moves to Watchtower.",
            rule_text="Moving to an adjacent tile that has not sunk is an action; some adventurers can go farther.",
            happened=(ShownFact("Ada stands on Watchtower."),),
            expected=(ShownFact("Ada stands on Howling Garden."),),
            changed=("Nothing was recorded after it.",),
            period="turn 1",
            noticed_at=EventRef(4, 1, "turn 1"),
        ),
    )
    assert report.events_by_verdict == Verdicts(legal=2, illegal=1, unknowable=0)
    assert report.message == "The record can be replayed to its end, with 1 slip."
    assert "Recorded as played: illegal actions stay in the record, each with its verdict." in report.notes


def test_as_played__such_a_log_verifies() -> None:
    log = as_played().events
    assert verify(log) == fold(log)


def test_as_played__what_was_undone_is_no_finding() -> None:
    recording = as_played()
    recording.add("undo", to=3)
    assert audit(recording.events).verdict == "clean"


@pytest.mark.parametrize(
    ("seq", "changes", "message"),
    [
        (
            4,
            {"verdict": "legal", "rule": None, "reason": None},
            f"the event says legal, but it is illegal: {UNREACHABLE}",
        ),
        (3, {"verdict": "illegal", "rule": "Move", "reason": "x"}, "the event says illegal, but it is legal"),
        (3, {"verdict": None}, "the event says not judged, but it is legal"),
    ],
)
def test_as_played__a_forged_verdict_is_found(seq: int, changes: dict[str, Any], message: str) -> None:
    log = replace_event(as_played().events, seq, **changes)
    found = [finding for finding in audit(log).findings if finding.kind == "verdict"]
    assert [(finding.seq, finding.message) for finding in found] == [(seq, message)]
    with pytest.raises(LogDoesNotVerify):
        verify(log)


def test_as_played__a_forged_rule_is_found() -> None:
    log = replace_event(as_played().events, 4, rule="Shore Up")
    assert {finding.kind for finding in audit(log).findings} == {"verdict", "illegal_action"}


def test_strict__a_verdict_does_not_belong_there() -> None:
    report = audit(replace_event(played().events, 5, verdict="legal"))
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(5, "verdict")]


# The states as recorded


def test_determinism__each_state_is_the_same_now() -> None:
    report = audit(playout("forbidden-island", 3, 3))
    assert report.determinism.recorded == report.determinism.equal > 3
    assert report.determinism.message == (
        f"The record contains a fingerprint of the whole table {report.determinism.recorded} times. "
        "Replayed, the game matches each of them."
    )


def test_determinism__a_forged_state_is_found() -> None:
    report = audit(replace_event(played().events, 2, state_hash="0" * 64))
    assert report.findings == (
        Finding(
            2,
            0,
            "state",
            "The state as recorded",
            "the state after this event differs from the recorded one",
            period="before the first turn",
        ),
    )
    assert [(one.seq, one.turn) for one in report.determinism.differences] == [(2, 0)]
    assert report.determinism.message == (
        "The record contains a fingerprint of the whole table once. "
        "Replayed, the game differs once, first after event 2."
    )


def test_determinism__of_several_differences_the_first_is_the_finding() -> None:
    log = ended().events
    report = audit(replace_event(replace_event(log, 2, state_hash="0" * 64), 6, state_hash="0" * 64))
    assert [finding.seq for finding in report.findings] == [2]
    assert [one.seq for one in report.determinism.differences] == [2, 6]


def test_determinism__where_nothing_was_recorded() -> None:
    report = audit(replace_event(played().events, 2, state_hash=None))
    assert report.verdict == "clean"
    assert report.determinism.message == "The record contains no states to compare."


# Notes and luck


def notes(report: Report) -> str:
    return " ".join(report.notes)


def test_notes__on_chance() -> None:
    assert "own cards and dice" in notes(audit(played().events))
    assert "The seed is revealed when the game ends" in notes(audit(dealt("tides").events))
    assert "The seed is revealed" in notes(audit(playout("forbidden-island", 3, chance="seeded")))


def test_notes__on_a_record_that_begins_in_the_middle() -> None:
    earlier = played()
    recording = Recording()
    recording.add("set_up", position=earlier.game.ruleset.to_document(earlier.states[-1]))
    told = "The record begins in the middle of a game. Nothing before that can be checked."
    assert told in audit(recording.events).notes


def test_notes__on_who_left_and_who_joined() -> None:
    recording = dealt()
    recording.add("seat_left", seat="p2", reason="The last train.")
    recording.add("seat_joined", seat="p2", name="Dana")
    report = audit(recording.events)
    assert report.notes[-2:] == (
        "Turn 1: Bo leaves the table. Reason: The last train.",
        "Turn 1: Dana takes over the seat of Bo.",
    )
    assert report.verdict == "clean"


def test_notes__on_what_nobody_saw() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", pawns=["p1"], to="watchtower")
    recording.add("draw_treasure_card", "p1", [None])
    report = audit(recording.events)

    assert report.verdict == "clean"
    assert report.events_by_verdict == Verdicts(legal=3, illegal=0, unknowable=1)
    assert report.rules_applied[1] == RuleVerdicts("Special Action Cards", 0, 0, 1)
    assert report.notes[-2] == "Unknown results: 2."
    assert report.notes[-1] == (
        "Turn 1: “Ada plays Helicopter Lift: Ada to Watchtower.” An unknown result decides if this was legal: "
        "There is no Helicopter Lift in that hand. (Special Action Cards)"
    )


def test_reveal__is_a_correction_with_its_impact() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    assert "Unknown results: one." in audit(recording.events).notes
    recording.add("reveal", seq=3, value="sandbags")
    report = audit(recording.events)

    assert report.verdict == "clean"
    (reveal,) = report.corrections
    assert (reveal.seq, reveal.type, reveal.took_off, reveal.brought_back) == (5, "reveal", (), ())
    assert reveal.message.startswith(
        "Revealed in turn 1: the unknown result of “Ada does this: draw treasure card. Nobody saw the result” "
        "(in turn 1) was Sandbags. This made no later event illegal."
    )
    assert "Unknown results" not in notes(report)


def test_luck__leaves_out_what_nobody_saw() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    luck = audit(recording.events).luck
    assert luck is not None
    assert "treasure_card" not in {kind.name for kind in luck.kinds}
    recording.add("reveal", seq=3, value="sandbags")
    luck = audit(recording.events).luck
    assert luck is not None
    assert [kind.draws for kind in luck.kinds if kind.name == "treasure_card"] == [1]


def test_as_played__an_event_that_nobody_can_judge_is_no_finding() -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", pawns=["p1"], to="watchtower")
    log = recording.events
    assert audit(log).verdict == "clean"
    assert verify(log) == fold(log)
    (finding,) = audit(replace_event(log, 4, verdict="legal", rule=None, reason=None)).findings
    assert (finding.seq, finding.kind) == (4, "verdict")
    assert finding.message.startswith("the event says legal, but it is unknowable: ")


def test_luck__counts_what_stands_and_not_what_was_taken_back() -> None:
    recording = dealt()
    for _ in range(3):
        recording.add("draw_treasure_card", "p1", ["earth_stone"])
        recording.add("undo", to=2)
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    luck = audit(recording.events).luck
    assert luck is not None
    (cards,) = [kind for kind in luck.kinds if kind.name == "treasure_card"]
    assert [(value.value, value.count) for value in cards.values if value.count] == [("sandbags", 1)]
    assert cards.values[0].label == "Crystal of Fire"


def test_luck__counts_what_an_amend_made_of_it() -> None:
    recording = played()
    recording.add("amend", seq=5, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]})
    luck = audit(recording.events).luck
    assert luck is not None
    drawn = {value.value: value.count for kind in luck.kinds for value in kind.values if kind.name == "treasure_card"}
    assert (drawn["sandbags"], drawn["earth_stone"]) == (1, 0)


def test_luck__however_rare_is_no_finding(dice: Dice) -> None:
    recording = Recording("dice", seats=2, goal=100)
    recording.add("set_up")
    for turn in range(60):
        recording.add("roll", ("p1", "p2")[turn % 2], [1])
    report = audit(recording.events)
    assert (report.verdict, report.findings) == ("clean", ())
    assert report.luck is not None
    assert "1 occurred 60 times; 10.0 times is average." in report.luck.kinds[0].message


def test_luck__of_no_game() -> None:
    assert audit([]).luck is None


def test_report__of_a_broken_log_tells_of_what_is_sound() -> None:
    recording = played()
    recording.add("undo", to=3)
    recording.add("annotate", text="so")
    report = audit(chained([*recording.events[:6], forged(recording.events[6], type="teleport")]))
    assert (report.verdict, len(report.corrections)) == ("broken", 1)
    assert report.message == "The record is broken: event 7 is the first wrong one."


def test_history__of_the_service_audits_as_it_was_recorded() -> None:
    recording = as_played()
    history = History(recording.game.header)
    history.fold(recording.events[1:], Recorded())
    assert history.judgements[4].rule == "Move"


def test_undo__of_the_deal_and_of_what_a_player_hides() -> None:
    recording = dealt()
    recording.add("undo", to=1)
    assert corrections(recording)[0] == "Undone in turn 1: the setup."
    raid = begin_game("forever-island", declare_raid())
    raid.add("throw_spears", "p1", spears=1, salt="a" * 32)
    raid.add("undo", to=2)
    (message,) = corrections(raid)
    assert "Ada does this: throw spears" in message
    assert "1" not in message.replace("turn 1", "")
