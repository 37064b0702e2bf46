"""Changed details: later events follow them, on every possible table."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import GameOver, IllegalAction, Malformed, WouldDiffer
from engine.core.events import Draft, Explanation
from engine.play import snapshots
from engine.play.fold import fold
from engine.play.forks import fork
from engine.play.house_rules import allowed_actions
from engine.play.legality import HOUSE_RULE
from engine.review.audit import audit, verify
from engine.review.turns import narrate
from tests.engine.recording import dealt
from tests.engine.toy import Dice
from tests.installing import installed
from tests.recording import Recording, chained, forged

MOVE: dict[str, Any] = {"text": "Anyone may move.", "allows": [{"type": "move"}]}


def is_sound(recording: Recording) -> None:
    """The record and its snapshot replay to the same state."""
    assert fold(recording.events) == recording.game
    assert snapshots.load(snapshots.dump(recording.game)).state == recording.game.state
    assert not [one for one in audit(recording.events).findings if one.kind in {"verdict", "state", "turn"}]


def test_details_follow_undos_and_amends() -> None:
    recording = dealt()
    recording.add("details_changed", title="One", tags=["a"])
    recording.add("move", "p1", to="howling_garden")
    recording.add("details_changed", title="Two", if_illegal="refuse")
    assert (recording.game.details.title, recording.game.tags, recording.game.if_illegal) == ("Two", ("a",), "refuse")
    recording.add("amend", seq=3, event={"type": "details_changed", "params": {"tags": ["b"]}})
    assert (recording.game.details.title, recording.game.tags) == ("Two", ("b",))
    recording.add("undo", to=4)
    assert (recording.game.details.title, recording.game.if_illegal) == ("One", "ask")
    recording.add("amend", seq=4, insert={"type": "seat_joined", "params": {"seat": "p2", "name": "Dana"}})
    assert recording.game.names[1] == "Dana"
    with pytest.raises(Malformed):
        recording.add(
            "amend", seq=3, event={"type": "details_changed", "params": {"options": {"diver_swim": "as_move"}}}
        )
    is_sound(recording)


def test_details_hold_in_every_possible_table() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("seat_joined", seat="p1", name="Dana")
    recording.add("details_changed", options={"diver_swim": "as_move"})
    recording.add("house_rule", **MOVE)
    recording.add("draw_treasure_card", "p1", [None])
    (event,) = recording.add("move", "p2", to="coral_palace")
    assert (event.verdict, event.rule) == ("legal", HOUSE_RULE)
    recording.add("draw_flood_card", "p1", ["tidal_palace"])
    assert recording.game.options["diver_swim"] == "as_move"
    assert recording.game.names[0] == "Dana"
    is_sound(recording)
    # An unseen result is revealed, and an earlier event amended. Both apply the house rule again.
    recording.add("reveal", seq=3, value="earth_stone")
    recording.add("amend", seq=4, event={"type": "seat_joined", "params": {"seat": "p1", "name": "Eve"}})
    assert recording.game.names[0] == "Eve"
    assert recording.game.details.house_rules
    is_sound(recording)


def test_options_change_only_if_no_event_would_have_been_different() -> None:
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("details_changed", options={"diver_swim": "as_move"})
    recording.add("amend", seq=3, remove=True)
    recording.add("details_changed", options={"diver_swim": "as_move"})
    recording.add("details_changed", options={"diver_swim": "nearest"})
    for options in ({"difficulty": "elite"}, {"first_player": "p2"}):
        with pytest.raises(WouldDiffer) as error:
            recording.add("details_changed", options=options)
        assert error.value.differs_at == 2
    with pytest.raises(Malformed) as malformed:
        recording.add("details_changed", options={"diver_swim": "never"})
    assert malformed.value.pointer == "/params/options/diver_swim"
    recording.add("abandon", reason="dinner")
    recording.add("details_changed", options={"diver_swim": "as_move"})
    is_sound(recording)
    forgery = forged(recording.events[-1], params={"options": {"difficulty": "elite"}})
    (finding,) = audit(chained([*recording.events[:-1], forgery])).findings
    assert (finding.seq, finding.kind) == (recording.game.version, "malformed")
    assert "event 2 would have been different" in finding.message


def test_options_that_allow_what_was_illegal_would_have_made_a_difference() -> None:
    recording = dealt(mode="as_played", lift_rescues_sinking=False)
    recording.add("move", "p2", to="howling_garden")
    with pytest.raises(WouldDiffer) as error:
        recording.add("details_changed", options={"first_player": "p2"})
    assert error.value.differs_at == 2


def test_the_options_of_a_position_that_is_a_document_stay() -> None:
    game = dealt().game
    recording = Recording()
    recording.add("set_up", position=game.ruleset.to_document(game.state))
    with pytest.raises(WouldDiffer) as error:
        recording.add("details_changed", options={"diver_swim": "as_move"})
    assert error.value.differs_at == 2


def test_a_game_whose_tables_keep_no_options_cannot_change_them() -> None:
    with installed(Dice()):
        recording = Recording("dice", goal=100)
        recording.add("set_up")
        with pytest.raises(IllegalAction):
            recording.add("details_changed", options={"goal": 50})
        recording.add("details_changed", title="Dice")
        assert recording.game.options["goal"] == 100


def test_a_fork_has_its_own_tags() -> None:
    recording = dealt()
    recording.add("details_changed", title="One", tags=["a"])
    recording.add("details_changed", title="Two")
    game, log = fork(recording.events, 4, game="parent", seed=None, recorded_at="2026-11-27T10:00:00.000Z", tags=["b"])
    assert (game.tags, game.details.title) == (("b",), "Two")
    assert verify(log).tags == ("b",)
    same, _ = fork(recording.events, 4, game="parent", seed=None, recorded_at="2026-11-27T10:00:00.000Z")
    assert same.tags == ("a",)


def test_seats_change_until_the_game_is_over() -> None:
    recording = dealt()
    recording.add("seat_left", seat="p1")
    with pytest.raises(IllegalAction):
        recording.add("seat_left", seat="p1")
    recording.add("seat_joined", seat="p2", name="Dana")
    recording.add("seat_joined", seat="p1", name="Eve")
    assert recording.game.details.left == ()
    assert recording.game.details.people == (("Ada", "Eve"), ("Bo", "Dana"))
    for type_ in ("seat_left", "seat_joined"):
        with pytest.raises(Malformed) as error:
            recording.add(type_, seat="p3", **({"name": "Flo"} if type_ == "seat_joined" else {}))
        assert error.value.pointer == "/params/seat"
    recording.add("move", "p1", to="howling_garden")
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("seat_left", seat="p1")
    told = [one.sentence for one in narrate(recording.game.header, recording.events)]
    assert told[0].startswith("Ada and Bo")
    assert told[2:5] == ["Ada leaves the table.", "Dana takes over the seat of Bo.", "Eve takes over the seat of Ada."]
    assert told[5].startswith("Eve ")
    is_sound(recording)


def test_every_detail_has_a_sentence() -> None:
    recording = dealt()
    recording.add(
        "details_changed", title="One", tags=["a"], played_at="2026-01-02T03:04:05.000Z", place="Oma's kitchen",
        if_illegal="accept", options={"diver_swim": "as_move"},
    )  # fmt: skip
    recording.add("details_changed", title=None, tags=[], played_at=None, place=None, options={})
    recording.add("details_changed", tags=["b", "c"])
    recording.add("seat_left", seat="p2", reason="The last train.")
    told = [one.sentence for one in narrate(recording.game.header, recording.events)]
    said = (
        "The game is called “One”. Tags: a. It was played on 2 January 2026. "
        "It was played at Oma's kitchen. Illegal actions are recorded. "
        "Options: Where can the Diver swim when her tile sinks? As far as she can move."
    )
    assert told[2:] == [
        said,
        (
            "The game has no title now. Tags: none. The date of play is now taken from the events. "
            "The place of the game was removed. Options: none."
        ),
        "Tags: b, c.",
        "Bo leaves the table. Reason: The last train.",
    ]


def test_a_house_rule_allows_what_it_says_and_no_more() -> None:
    recording = dealt()
    recording.add("house_rule", text="To the gate.", allows=[{"type": "move", "params": {"to": "iron_gate"}}])
    with pytest.raises(IllegalAction):
        recording.add("move", "p1", to="coral_palace")
    (event,) = recording.add("move", "p1", to="iron_gate")
    assert (event.verdict, event.rule, event.reason) == ("legal", HOUSE_RULE, "To the gate.")
    (event,) = recording.add("move", "p2", to="iron_gate")
    assert event.verdict == "legal"
    # p1's turn continues.
    assert recording.game.awaiting == ("p1",)
    report = audit(recording.events)
    assert (report.verdict, report.level.house_rules) == ("clean", 1)
    # An event cannot say so about itself.
    forgery = forged(event, verdict=None, rule=None, reason=None)
    assert audit(chained([*recording.events[:-1], forgery])).findings[0].kind == "verdict"
    # Impossible actions, such as giving a card that a player does not have, are not listed.
    nothing = {"card": "statue_of_the_wind", "to": "p2"}
    allows = [
        {"type": "draw_treasure_card"},
        {"type": "give_card", "params": nothing},
        {"type": "fly", "params": {"to": "iron_gate"}},
    ]
    recording.add("house_rule", text="Any seat draws.", allows=allows)
    rules, state = recording.history.rules, recording.game.state
    assert state is not None
    listed = {(one.action.type, one.actor) for one in allowed_actions(rules, state)}
    assert {("move", "p1"), ("move", "p2"), ("draw_treasure_card", "p2")} <= listed
    assert ("give_card", "p1") not in listed
    recording.add("undo", to=2)
    with pytest.raises(IllegalAction):
        recording.add("move", "p1", to="iron_gate")
    assert not list(allowed_actions(rules, recording.game.state))
    recording.add("house_rule", **MOVE)
    recording.add("abandon", reason="dinner")
    assert not list(allowed_actions(rules, recording.game.state))
    is_sound(recording)


def test_a_house_rule_drops_an_explanation_and_skipped_steps() -> None:
    recording = dealt(mode="as_played")
    recording.add("house_rule", **MOVE)
    explanation = Explanation("one_too_many", "p2")
    events = recording.append(
        Draft(type="move", actor="p2", params={"to": "iron_gate"}, explanation=explanation),
        if_illegal="accept",
    )
    assert [(event.type, event.verdict, event.explanation) for event in events] == [("move", "legal", None)]
    assert (
        recording.history.rules.find_left_out(
            recording.game.state, Draft(type="move", actor="p2", params={"to": "gold_gate"})
        )
        is None
    )


def test_a_house_rule_about_what_a_player_hides() -> None:
    recording = Recording("forever-island", seed="calm")
    recording.add("set_up")
    with pytest.raises(Malformed) as error:
        recording.add("house_rule", text="So.", allows=[{"type": "throw_spears"}])
    assert error.value.pointer == "/params/allows/0/type"


def test_a_house_rule_names_the_rule_that_it_overrides() -> None:
    recording = dealt()
    recording.add("house_rule", text="So.", allows=MOVE["allows"], overrides="Move")
    with pytest.raises(Malformed) as error:
        recording.add("house_rule", text="So.", allows=MOVE["allows"], overrides="Tea")
    assert error.value.pointer == "/params/overrides"


@pytest.mark.parametrize(
    ("allows", "pointer"),
    [
        ([{"type": "undo"}], "/params/allows/0/type"),
        ([{"type": "move"}, {"type": "move", "params": {"from": "x"}}], "/params/allows/1/params/from"),
        ([{"type": "move", "phase": "tea"}], "/params/allows/0/phase"),
    ],
)
def test_a_house_rule_about_what_the_game_does_not_have(allows: list[dict[str, Any]], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        dealt().add("house_rule", text="So.", allows=allows)
    assert error.value.pointer == pointer
