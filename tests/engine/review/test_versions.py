"""Changed rules: the verdicts of other rules about a record, which stays unchanged."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import Malformed
from engine.core.events import Draft, Event
from engine.kit.chance import Chance
from engine.play.registry import ruleset, versions
from engine.review.audit import Auditor, audit
from engine.review.report import Report
from engine.review.versions import Comparison, Ruling, reader, upcast
from tests.engine.recording import dealt
from tests.engine.toy import Dice, DiceOptions, DiceState
from tests.installing import installed
from tests.recording import Recording, chained, forged

pytestmark = pytest.mark.usefixtures("rulings")

LEGAL = Ruling("legal")


def record_six() -> Recording:
    """By version 2: event 4 is a six, after which event 5 is the other player's; event 6 is three dice."""
    recording = Recording("dice", seats=2, goal=100)
    recording.add("set_up")
    recording.add("roll", "p1", [2])
    recording.add("roll", "p2", [6])
    recording.add("roll", "p1", [3])
    recording.add("roll", "p2", [1, 1, 1], dice=3)
    return recording


def compare_rules(events: list[Event], rules: str = "3") -> Comparison:
    comparison = audit(events, rules).rules
    assert comparison is not None
    return comparison


def test_versions__stand_side_by_side() -> None:
    assert versions("dice") == ["1", "2", "3"]
    assert ruleset("dice").version == "2"


def test_audit__without_other_rules_says_nothing_of_them() -> None:
    assert audit(record_six().events).rules is None


def test_audit__where_verdict_and_state_differ() -> None:
    comparison = compare_rules(record_six().events)

    six, turn, three = comparison.differences
    assert comparison.first == six
    assert (six.seq, six.turn, six.was, six.is_) == (4, 2, LEGAL, LEGAL)
    assert six.patch == ({"op": "replace", "path": "/active", "value": 1},)
    assert six.message == "Turn 2, event 4 (roll) has the same verdict; the table differs."
    assert (turn.seq, turn.was, turn.is_) == (5, LEGAL, Ruling("illegal", "Rolling", "It is another player's turn."))
    assert turn.patch == ()
    assert turn.message == (
        "Turn 3, event 5 (roll) was legal and is now illegal: "
        "It is another player's turn. (Rolling); the table is the same."
    )
    assert (three.seq, three.is_.reason) == (6, "At most two dice are rolled at once.")
    assert (comparison.recorded, comparison.replayed) == ("2", "3")
    assert (comparison.verdicts, comparison.states) == (2, 1)
    assert comparison.message == (
        "Under version 3 of the rules, 2 events are judged differently from version 2 and the table is "
        "different after 1 event; the first is in turn 2."
    )


def test_audit__the_record_is_still_judged_by_its_own_rules() -> None:
    log = record_six().events
    report = audit(log, "3")
    assert (report.verdict, report.findings, report.head) == ("clean", (), log[-1].hash)


def test_audit__the_stored_events_stay_as_they_are() -> None:
    log = record_six().events
    before = msgspec.json.encode(log)
    audit(log, "3")
    assert msgspec.json.encode(log) == before


def test_audit__by_its_own_rules_nothing_differs() -> None:
    comparison = compare_rules(record_six().events, "2")
    assert (comparison.first, comparison.differences, comparison.verdicts, comparison.states) == (None, (), 0, 0)
    assert comparison.message == "Under version 2 of the rules, every event has the same verdict as under version 2."


def test_audit__as_json_names_the_two_rulings_was_and_is() -> None:
    first = msgspec.to_builtins(compare_rules(record_six().events))["differences"][1]
    assert first["was"] == {"verdict": "legal"}
    assert first["is"] == {"verdict": "illegal", "rule": "Rolling", "reason": "It is another player's turn."}


def test_audit__corrections_are_read_by_the_other_rules_too() -> None:
    recording = record_six()
    recording.add("undo", to=4)
    recording.add("amend", seq=4, event={"type": "roll", "actor": "p2", "params": {"dice": 1}, "outcomes": [5]})
    recording.add("amend", seq=4, insert={"type": "annotate", "params": {"text": "a five"}})
    recording.add("amend", seq=4, remove=True, accept_broken=True)
    found = compare_rules(recording.events).differences
    # The undo restores the difference of event 4, and the amend ends it by changing the six into a five.
    assert [(one.seq, one.is_.verdict, bool(one.patch)) for one in found[3:]] == [
        (7, "legal", True),
        (8, "legal", False),
    ]


def test_audit__what_came_up_that_the_other_rules_do_not_ask_for() -> None:
    """An upcaster cannot add what an event lacks."""

    class Generous(Dice):
        version = "4"
        reads_versions = ("2",)

        def upcast(self, version: str, entry: Draft) -> Draft:
            return msgspec.structs.replace(entry, params={"dice": 2}) if entry.type == "roll" else entry

    with installed(Generous(), ruleset("dice")):
        found = compare_rules(record_six().events, "4").differences
    assert found[0].is_ == Ruling("impossible", "Keeping the record", "The result for die is missing.")
    assert found[0].patch


def test_audit__a_game_that_other_rules_end_sooner() -> None:
    class Short(Dice):
        version = "4"
        reads_versions = ("2",)

        def upcast(self, version: str, entry: Draft) -> Draft:
            if entry.type != "game_opened":
                return entry
            return msgspec.structs.replace(entry, params={**entry.params, "options": {"goal": 5, "first": "p1"}})

    with installed(Short(), ruleset("dice")):
        found = compare_rules(record_six().events, "4").differences
    assert found[-1].is_ == Ruling("illegal", "Keeping the record", "The game has ended: goal.")


def test_audit__a_game_that_other_rules_do_not_end() -> None:
    class Long(Dice):
        version = "4"
        reads_versions = ("2",)

        def upcast(self, version: str, entry: Draft) -> Draft:
            if entry.type != "game_opened":
                return entry
            return msgspec.structs.replace(entry, params={**entry.params, "options": {"goal": 50, "first": "p1"}})

    recording = Recording("dice", seats=1, goal=5)
    recording.add("set_up")
    recording.add("roll", "p1", [5])
    with installed(Long(), ruleset("dice")):
        comparison = compare_rules(recording.events, "4")
    reason = "You cannot set the ending of a game: it follows from its events."
    assert comparison.differences[-1].is_ == Ruling("illegal", "Keeping the record", reason)


def test_audit__what_the_other_rules_do_not_know() -> None:
    class Silent(Dice):
        version = "4"
        reads_versions = ("2",)
        actions = ()

    with installed(Silent(), ruleset("dice")):
        found = compare_rules(record_six().events, "4").differences
    assert (found[0].is_.verdict, found[0].is_.rule) == ("illegal", "Keeping the record")
    assert found[0].is_.reason.startswith("/type: Dice has no action 'roll'")


def test_audit__a_table_that_other_rules_cannot_set_up() -> None:
    class Shuffled(Dice):
        version = "4"
        reads_versions = ("2",)

        def setup(self, options: DiceOptions, seats: int, chance: Chance) -> DiceState:
            chance.draw("starter", ("p1", "p2"))
            return super().setup(options, seats, chance)

    with installed(Shuffled(), ruleset("dice")):
        found = compare_rules(record_six().events, "4").differences
    assert found[0].is_ == Ruling("impossible", "Keeping the record", "The result for starter is missing.")
    assert found[0].message.endswith("; only one of the two versions can set up the table.")


def test_audit__what_only_one_version_keeps_is_no_difference_of_the_table() -> None:
    class Keeping(DiceState, frozen=True, kw_only=True):
        options: DiceOptions
        is_kept: bool = True

    class Kept(Dice):
        version = "4"
        reads_versions = ("2",)
        state = Keeping

        def setup(self, options: DiceOptions, seats: int, chance: Chance) -> DiceState:
            plain = super().setup(options, seats, chance)
            return Keeping(**msgspec.structs.asdict(plain), options=options)

    with installed(Kept(), ruleset("dice")):
        comparison = compare_rules(record_six().events, "4")
    assert (comparison.verdicts, comparison.states) == (0, 0)


def test_audit__what_nobody_saw_is_compared_as_everyone_sees_it() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    comparison = compare_rules(recording.events, "1")
    assert (comparison.verdicts, comparison.differences) == (0, ())


def test_audit__a_broken_log_is_compared_as_far_as_it_is_sound() -> None:
    log = record_six().events
    report: Report = audit(chained([*log[:4], forged(log[4], actor="p2"), log[5]]), "3")
    assert report.verdict == "broken"
    assert report.rules is not None
    assert [one.seq for one in report.rules.differences] == [4]


def test_audit__of_no_log_compares_nothing() -> None:
    assert audit(record_six().events[1:], "3").rules is None


@pytest.mark.parametrize("version", ["9", "1"])
def test_audit__by_rules_that_do_not_read_it(version: str) -> None:
    log = record_six().events
    auditor = Auditor(version)
    with pytest.raises(Malformed) as error:
        auditor.read(log[0])
    assert error.value.pointer == "/rules"
    assert error.value.message == f"version {version!r} of dice cannot read this record; use one of: 2, 3"


def test_reader__every_record_is_read_by_its_own_rules() -> None:
    game = dealt().game
    assert reader(game.header, "1") is game.ruleset


def test_upcast__a_record_of_the_same_version_is_left_alone() -> None:
    entry: Any = Draft(type="roll", params={"dice": 2})
    assert upcast(ruleset("dice", "2"), "2", entry) is entry


def test_upcast__by_default_shapes_are_the_same() -> None:
    entry = Draft(type="roll", params={"dice": 2})
    assert ruleset("dice", "2").upcast("1", entry) == entry
