"""The level of an audit: the reliability of a record, independent of the winner."""

from __future__ import annotations

import msgspec
import pytest

from engine.play.registry import ruleset
from engine.review.audit import Auditor, audit
from engine.review.findings import explain_finding
from engine.review.report import Level
from tests.engine.recording import dealt, ended, played
from tests.recording import Recording, chained, forged

TREASURES = ("earth_stone", "statue_of_the_wind", "crystal_of_fire", "oceans_chalice")


NOTHING = Level(by_the_rules=False, slips=0, adjusted=0, begun_mid_game=False, imported=0, broken=False)
BY_THE_RULES = msgspec.structs.replace(NOTHING, by_the_rules=True)


def level(**members: int) -> Level:
    return msgspec.structs.replace(NOTHING, **members)


def win_by_hand(**options: str) -> Recording:
    recording = dealt(**options)
    facts = [{"fact": "captured", "treasure": one} for one in TREASURES]
    facts.append({"fact": "stands_on", "seat": "p1", "tile": "fools_landing"})
    recording.add("adjust", facts=facts, reason="We had them all.")
    return recording


def test_a_game_by_the_rules() -> None:
    assert audit(played().events).level == BY_THE_RULES


def test_a_win_that_rests_on_a_change_by_hand_says_so() -> None:
    recording = win_by_hand()
    recording.add("lift_off", "p2")
    report = audit(recording.events)
    assert recording.game.outcome is not None
    assert (report.verdict, report.findings, report.level) == ("findings", (), level(adjusted=1))
    assert report.message == (
        f"The record is valid: {len(recording.events)} events, and every move is legal. See below how the "
        "record was made."
    )
    assert report.notes[-1] == "The position was changed by hand once. This decided the result."


def test_a_win_that_needs_no_change_by_hand_says_so() -> None:
    position = win_by_hand().game.state
    assert position is not None
    recording = Recording()
    recording.add("set_up", position=ruleset("forbidden-island").to_document(position))
    recording.add("adjust", facts=[{"fact": "water_level", "level": 3}], reason="It was at 3.")
    recording.add("lift_off", "p2")
    report = audit(recording.events)
    assert report.level == level(adjusted=1, begun_mid_game=True)
    assert report.notes[-2] == (
        "The position was changed by hand once. The game ends the same way without these changes."
    )


def test_a_change_by_hand_that_was_undone_is_none() -> None:
    recording = win_by_hand()
    recording.add("undo", to=2)
    assert audit(recording.events).level == BY_THE_RULES


def test_facts_that_confirm_the_table_are_no_change() -> None:
    recording = played()
    recording.add("adjust", facts=[{"fact": "water_level", "level": 1}], reason="Looked.")
    report = audit(recording.events)
    assert (report.verdict, report.level) == ("clean", BY_THE_RULES)


def test_in_a_seeded_game_a_change_by_hand_is_a_finding() -> None:
    """The service dealt, and every move was legal, so no table can differ from the record."""
    recording = dealt("1")
    recording.add("adjust", facts=[{"fact": "water_level", "level": 2}], reason="so be it")
    report = audit(recording.events)
    assert report.verdict == "findings"
    assert [(one.seq, one.kind) for one in report.findings] == [(3, "adjusted")]
    assert report.findings[0].message == "The position was changed by hand: So be it."
    assert report.level == level(adjusted=1)
    assert report.notes[-1] == "The position was changed by hand once."


def test_a_slip_names_who_what_and_whose_turn_it_was() -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=dealt().events[1].outcomes)
    recording.add("shore_up", "p2", tiles=["watchtower"])
    report = audit(recording.events)
    assert report.level == level(slips=1)
    (finding,) = report.findings
    assert (finding.actor, finding.due) == ("p2", "It was Ada's turn (taking actions).")
    assert finding.told is not None
    assert finding.told.startswith("Bo")
    assert explain_finding(finding) == f"“{finding.told}” By the rules, this was not possible: {finding.due}"


def test_a_slip_names_whom_the_game_was_waiting_for() -> None:
    """Bo has seven cards and must discard, but Ada shores up a tile first."""
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=dealt().events[1].outcomes)
    cards = [{"fact": "has_cards", "seat": "p2", "card": "earth_stone", "count": 5}]
    recording.add("adjust", facts=[*cards, {"fact": "hand_is", "seat": "p2", "count": 7}], reason="Counted.")
    recording.add("shore_up", "p1", tiles=["watchtower"])
    (finding,) = audit(recording.events).findings
    assert (finding.actor, finding.due) == (
        "p1",
        "The game was waiting for Bo: discarding down to the limit.",
    )


def test_what_was_done_after_the_end_was_nobodys_turn() -> None:
    recording = played()
    abandon = {"type": "abandon", "params": {"reason": "Dinner."}}
    recording.add("amend", seq=4, insert=abandon, accept_broken=True)
    findings = audit(recording.events).findings
    assert [(one.seq, one.actor, one.told, one.due) for one in findings] == [
        (4, "p1", "Ada does this: move.", None),
        (5, "p1", "Ada does this: draw treasure card.", None),
    ]


def test_what_came_from_elsewhere_was_not_witnessed() -> None:
    auditor = Auditor(imported=5)
    for event in ended().events:
        auditor.read(event)
    report = auditor.finish()
    assert (report.verdict, report.findings) == ("findings", ())
    assert report.level == level(by_the_rules=True, imported=5)
    assert report.notes[-1] == "Imported, and not recorded by this service: 5 events."


def test_an_outcome_that_was_forged_is_no_slip_of_the_table() -> None:
    events = ended().events
    outcome = {**events[-1].params["outcome"], "result": "won", "winners": ["p1", "p2"]}
    closed = forged(events[-1], params={**events[-1].params, "outcome": outcome})
    report = audit(chained([*events[:-1], closed]))
    assert [finding.kind for finding in report.findings] == ["illegal_action"]
    assert report.level == level(broken=True)


@pytest.mark.parametrize("count", [0, 3])
def test_a_broken_record(count: int) -> None:
    auditor = Auditor(imported=count)
    auditor.stop_reading("an entry does not decode")
    assert auditor.finish().level == level(broken=True, imported=count)


def test_a_record_that_begins_in_mid_game() -> None:
    recording = Recording()
    position = win_by_hand().game.state
    assert position is not None
    recording.add("set_up", position=ruleset("forbidden-island").to_document(position))
    report = audit(recording.events)
    assert (report.verdict, report.findings) == ("findings", ())
    assert report.level == level(by_the_rules=True, begun_mid_game=True)
    told = "The record begins in the middle of a game. Nothing before that can be checked."
    assert report.notes[-1] == told
