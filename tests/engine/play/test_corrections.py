"""Corrections: an earlier place of the line written anew, the table put right, records that begin in the middle."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import BreaksFollowers, GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.events import Draft, Event
from engine.games.forbidden_island.components import ROLES
from engine.kit.chance import Seeded
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.line import Known
from engine.play.record import record
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.recording import DEAL, dealt, ended, played
from tests.recording import Recording


def entry(type_: str, actor: str | None = None, outcomes: tuple[Any, ...] = (), **params: Any) -> dict[str, Any]:
    return {"type": type_, "actor": actor, "params": params, "outcomes": list(outcomes)}


def line(recording: Recording) -> list[tuple[int, int, str | None]]:
    return [(slot.number, slot.source, slot.entry and slot.entry.type) for slot in history(recording.events).mainline]


def effects(recording: Recording) -> list[tuple[int, str]]:
    return [(one.seq, one.effect) for one in recording.history.impacts[recording.game.version]]


def pawn(recording: Recording, seat: int = 0) -> Any:
    return recording.game.state.pawns[seat]  # type: ignore[union-attr]


def round_trip(recording: Recording, *, drawn_again: tuple[int, ...] = ()) -> None:
    """The log says it all: read back, it leads to the same game and audits clean, but for what was drawn again."""
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    report = audit(events)
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(seq, "drawn_again") for seq in drawn_again]
    assert report.verdict == ("findings" if drawn_again else "clean")


# Amending: another action in its place


def test_amend__replaces_an_action_and_keeps_the_rest() -> None:
    recording = played()
    before = recording.game.state
    recording.add("amend", seq=4, event=entry("move", "p1", to="silver_gate"))
    assert line(recording) == [(2, 2, "set_up"), (3, 3, "move"), (4, 6, "move"), (5, 5, "draw_treasure_card")]
    assert recording.game.state != before
    assert pawn(recording) == "silver_gate"
    round_trip(recording)


def test_amend__then_back_is_the_first_state() -> None:
    recording = played()
    before = recording.game.state
    recording.add("amend", seq=5, event=entry("draw_treasure_card", "p1", ("sandbags",)))
    assert recording.game.state != before
    recording.add("amend", seq=5, event=entry("draw_treasure_card", "p1", ("earth_stone",)))
    assert recording.game.state == before
    round_trip(recording)


def test_amend__tells_what_becomes_of_each_follower() -> None:
    recording = played()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    assert effects(recording) == [(4, "now_illegal"), (5, "unchanged"), (6, "unchanged")]
    broken = recording.history.impacts[7][0]
    assert broken.reason == "Gold Gate cannot be reached from Silver Gate in one move."
    assert broken.differences == ({"op": "replace", "path": "/actions_left", "value": 2},)
    assert pawn(recording) == "gold_gate"


def test_amend__tells_how_the_state_differs() -> None:
    recording = played()
    recording.add("amend", seq=4, event=entry("move", "p1", to="silver_gate"))
    (differs,) = recording.history.impacts[6]
    assert differs.effect == "state_differs"
    assert differs.differences == ({"op": "replace", "path": "/pawns/0", "value": "silver_gate"},)


def test_amend__nothing_changes_where_it_says_the_same() -> None:
    recording = played()
    recording.add("amend", seq=4, event=entry("move", "p1", to="gold_gate"))
    assert effects(recording) == [(5, "unchanged")]


def test_amend__of_what_was_seen_takes_the_card_from_whoever_draws_it_later() -> None:
    recording = played()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    with pytest.raises(BreaksFollowers) as error:
        recording.add("amend", seq=5, event=entry("draw_treasure_card", "p1", ("sandbags",)))
    (broken,) = error.value.impact
    assert broken.effect == "outcome_impossible"
    assert broken.reason == "'sandbags' cannot have come up for treasure_card"
    assert "With `accept_broken` they stay, marked." in error.value.message
    assert recording.game.version == 6


def test_amend__broken_followers_stay_in_the_record_marked() -> None:
    recording = played()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    recording.add("amend", seq=5, event=entry("draw_treasure_card", "p1", ("sandbags",)), accept_broken=True)
    last = history(recording.events).mainline[-1]
    assert last.number == 6
    assert last.judgement is not None
    assert (last.judgement.verdict, last.judgement.has_effect) == ("illegal", False)
    recording.add("amend", seq=6, event=entry("draw_treasure_card", "p1", ("helicopter_lift",)))
    assert history(recording.events).mainline[-1].judgement is None
    round_trip(recording)


def test_amend__a_follower_that_asks_for_nothing_now_is_broken() -> None:
    recording = played()
    recording.add("draw_treasure_card", "p1", ["helicopter_lift"])
    with pytest.raises(BreaksFollowers) as error:
        recording.add("amend", seq=6, insert=entry("abandon", reason="dinner"))
    assert error.value.impact[0].effect == "now_illegal"
    assert "has ended" in (error.value.impact[0].reason or "")


def test_amend__keeps_note_and_time_of_what_it_replaces() -> None:
    recording = dealt()
    recording.append(
        Draft(
            type="move",
            actor="p1",
            params={"to": "howling_garden"},
            note="a slip",
            occurred_at="2026-11-20T19:00:00.000Z",
        )
    )
    recording.add("amend", seq=3, event=entry("move", "p1", to="phantom_rock"))
    stands = history(recording.events).mainline[-1].entry
    assert isinstance(stands, Draft)
    assert (stands.note, stands.occurred_at) == ("a slip", "2026-11-20T19:00:00.000Z")


def test_amend__what_it_brings_is_stored_in_one_spelling() -> None:
    recording = dealt(seed="tides")
    tiles = sorted(recording.game.state.flooded & (recording.game.state.tiles_near(0)))  # type: ignore[union-attr]
    recording.add("draw_treasure_card", "p1")
    recording.add("amend", seq=3, insert={"type": "annotate", "params": {"text": f"{len(tiles)} near"}})
    assert recording.events[-1].params["insert"] == {
        "type": "annotate",
        "actor": None,
        "params": {"text": f"{len(tiles)} near"},
        "outcomes": (),
        "occurred_at": None,
        "note": None,
    }


# Amending: one more, one less


def test_amend__inserts_before_the_place_and_is_known_by_its_own_number() -> None:
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("amend", seq=3, insert=entry("annotate", text="forgotten"))
    assert line(recording) == [(2, 2, "set_up"), (4, 4, "annotate"), (3, 3, "move")]
    recording.add("amend", seq=4, event=entry("annotate", text="remembered"))
    assert line(recording) == [(2, 2, "set_up"), (4, 5, "annotate"), (3, 3, "move")]
    round_trip(recording)


def test_amend__removes_and_puts_back() -> None:
    recording = played()
    before = recording.game.state
    recording.add("amend", seq=4, remove=True)
    assert line(recording)[2] == (4, 6, None)
    assert pawn(recording) == "howling_garden"
    with pytest.raises(Malformed, match="is removed already"):
        recording.add("amend", seq=4, remove=True)
    recording.add("amend", seq=4, event=entry("move", "p1", to="gold_gate"))
    assert recording.game.state == before
    round_trip(recording)


def test_amend__a_removed_place_stays_removed_under_further_ones() -> None:
    recording = played()
    recording.add("amend", seq=4, remove=True)
    recording.add("amend", seq=3, event=entry("move", "p1", to="phantom_rock"))
    assert line(recording)[1:3] == [(3, 7, "move"), (4, 6, None)]
    round_trip(recording)


def test_amend__of_the_set_up() -> None:
    recording = played()
    deal = list(DEAL)
    deal[-2], deal[-1] = deal[-1], deal[-2]
    recording.add("amend", seq=2, event=entry("set_up", outcomes=tuple(deal)))
    assert recording.game.state.hands[1] == ("crystal_of_fire", "helicopter_lift")  # type: ignore[union-attr]
    round_trip(recording)


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"seq": 99, "remove": True}, Malformed, "no event 99 stands"),
        ({"seq": 1, "remove": True}, Malformed, "no event 1 stands"),
        ({"seq": 2, "remove": True}, IllegalAction, "begins with its set-up"),
        ({"seq": 2, "insert": entry("annotate", text="x")}, IllegalAction, "begins with its set-up"),
        ({"seq": 2, "event": entry("annotate", text="x")}, IllegalAction, "begins with its set-up"),
        ({"seq": 3}, Malformed, "one of `event`, `insert` and `remove`"),
        ({"seq": 3, "remove": True, "event": entry("annotate", text="x")}, Malformed, "one of"),
        ({"seq": 3, "event": entry("undo", to=2)}, Malformed, "undo is no event that an amend can bring"),
        ({"seq": 3, "insert": entry("amend", seq=2)}, Malformed, "amend is no event that an amend can bring"),
        ({"seq": 3, "event": entry("set_up")}, IllegalAction, "set up already"),
        ({"seq": 3, "event": entry("move", "p2", to="phantom_rock")}, IllegalAction, "another player's turn"),
        ({"seq": 3, "event": entry("move", "p1", to="nowhere")}, Malformed, "'nowhere' is none of the 24"),
        ({"seq": 5, "event": entry("draw_treasure_card", "p1")}, OutcomeRequired, "what came up"),
        ({"seq": 5, "event": entry("draw_treasure_card", "p1", ("pilot",))}, ImpossibleOutcome, "cannot have come up"),
        ({"seq": 3, "event": entry("move", "p1", ("pilot",), to="phantom_rock")}, Malformed, "ask for none here"),
    ],
)
def test_amend__what_it_cannot_do(params: dict[str, Any], error: type[Exception], message: str) -> None:
    recording = played()
    with pytest.raises(error, match=message):
        recording.add("amend", **params)
    assert recording.game.version == 5


def test_amend__chance_stands_in_the_event_that_it_brings() -> None:
    with pytest.raises(Malformed, match="stands in the event") as error:
        played().add("amend", None, ["sandbags"], seq=5, event=entry("draw_treasure_card", "p1"))
    assert error.value.pointer == "/outcomes/0"


def test_amend__not_before_the_set_up() -> None:
    with pytest.raises(IllegalAction, match="set up first"):
        Recording().add("amend", seq=1, remove=True)


def test_amend__a_follower_whose_effect_is_not_clear_has_none() -> None:
    recording = dealt()
    recording.add("play_sandbags", "p1", tile="observatory")
    recording.add("amend", seq=3, insert=entry("play_sandbags", "p1", tile="watchtower"), accept_broken=True)
    assert effects(recording) == [(3, "now_illegal")]
    last = history(recording.events).mainline[-1]
    assert last.judgement is not None
    assert not last.judgement.has_effect
    sentence = narrate(recording.game.header, recording.events)[-1].sentence
    assert sentence == "Ada: play sandbags, which could not be: There is no Sandbags in that hand."
    assert fold(recording.events) == recording.game


# Amend and undo


def test_undo__of_an_amend_is_the_line_before_it() -> None:
    recording = played()
    before, was = recording.game.state, line(recording)
    recording.add("amend", seq=3, event=entry("move", "p1", to="phantom_rock"), accept_broken=True)
    recording.add("undo", to=5)
    assert (recording.game.state, line(recording)) == (before, was)
    recording.add("undo", to=6)
    assert line(recording)[1] == (3, 6, "move")
    round_trip(recording)


def test_amend__several_in_one_request_after_other_events() -> None:
    recording = dealt()
    recording.append(
        Draft(type="move", actor="p1", params={"to": "howling_garden"}),
        Draft(type="amend", params={"seq": 3, "event": entry("move", "p1", to="phantom_rock")}),
        Draft(type="undo", params={"to": 2}),
        Draft(type="move", actor="p1", params={"to": "phantom_rock"}),
        Draft(type="amend", params={"seq": 6, "remove": True}),
    )
    assert line(recording) == [(2, 2, "set_up"), (6, 7, None)]
    round_trip(recording)


# The end of a game


def test_amend__opens_a_closed_game_again() -> None:
    recording = ended()
    assert recording.game.status == "abandoned"
    recording.add("amend", seq=6, remove=True)
    assert recording.game.status == "in_progress"
    assert line(recording)[-1] == (6, 8, None)
    recording.add("draw_treasure_card", "p1", ["helicopter_lift"])
    round_trip(recording)


def test_amend__that_leaves_it_over_closes_it_anew() -> None:
    recording = ended()
    added = recording.add("amend", seq=6, event=entry("abandon", reason="the last bus"))
    assert [event.type for event in added] == ["amend", "game_closed"]
    assert recording.game.status == "abandoned"
    round_trip(recording)


def test_amend__that_ends_the_game_closes_it() -> None:
    recording = played()
    added = recording.add("amend", seq=5, event=entry("abandon", reason="the last bus"))
    assert [event.type for event in added] == ["amend", "game_closed"]
    round_trip(recording)


def test_amend__what_closes_a_game_is_the_services() -> None:
    with pytest.raises(Malformed, match="what closes a game"):
        ended().add("amend", seq=7, remove=True)


def test_amend__a_closed_seeded_game_goes_on_only_as_a_fork() -> None:
    recording = dealt("tides")
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("amend", seq=3, remove=True)


def test_amend__a_seeded_game_draws_by_the_number_of_the_amend() -> None:
    recording = dealt("tides")
    recording.add("draw_treasure_card", "p1")
    recording.add("amend", seq=3, event={"type": "draw_treasure_card", "actor": "p1"})
    drawn = recording.events[-1].params["event"]["outcomes"]
    assert len(drawn) == 1
    assert recording.events[-1].outcomes == ()
    recording.add("amend", seq=3, insert=entry("annotate", text="so"))
    recording.add("abandon", reason="dinner")
    round_trip(recording, drawn_again=(4,))


def test_amend__what_a_seeded_game_draws_may_break_what_follows() -> None:
    recording = dealt("tides")
    recording.add("draw_treasure_card", "p1")
    recording.add("annotate", text="oh")
    draw = {"type": "draw_treasure_card", "actor": "p1"}
    for change in ({"event": draw}, {"insert": draw}):
        with pytest.raises(BreaksFollowers, match="drawn with it") as refused:
            recording.add("amend", seq=3, **change)
        assert refused.value.impact is None
    recording.add("amend", seq=3, event=draw, accept_broken=True)
    recording.add("amend", seq=3, remove=True)
    round_trip(recording, drawn_again=(5,))


def test_amend__the_deal_of_a_seeded_game_stands() -> None:
    with pytest.raises(IllegalAction, match="deal of a seeded game"):
        dealt("tides").add("amend", seq=2, event={"type": "set_up"})


def test_fork__of_an_amended_game_has_the_amended_line() -> None:
    recording = played()
    recording.add("amend", seq=3, event=entry("move", "p1", to="phantom_rock"), accept_broken=True)
    child, events = fork(recording.events, 6, game="g", seed="what if", recorded_at="2026-11-21T00:00:00.000Z")
    assert child.state == recording.game.state
    _, added = record(
        child, [Draft(type="annotate", params={"mark": "!"})], Seeded("what if"), Known(), recorded_at="x"
    )
    assert added[0].params == {"mark": "!"}
    assert len(events) == 6


# Adjust


def adjust(recording: Recording, *patch: dict[str, Any], **more: Any) -> None:
    recording.add("adjust", patch=list(patch), reason="as it lies on the table", **more)


def test_adjust__puts_the_table_right() -> None:
    recording = played()
    adjust(recording, {"op": "replace", "path": "/water_level", "value": 4}, agreed=["p1", "p2"])
    assert recording.game.state.water_level == 4  # type: ignore[union-attr]
    assert recording.events[-1].params["agreed"] == ("p1", "p2")
    round_trip(recording)


def test_adjust__a_card_comes_into_a_hand_in_any_place() -> None:
    recording = played()
    pile = recording.game.ruleset.to_document(recording.game.state)["treasure_pile"]["layers"][0]
    adjust(
        recording,
        {"op": "test", "path": f"/treasure_pile/layers/0/{pile.index('sandbags')}", "value": "sandbags"},
        {"op": "move", "from": f"/treasure_pile/layers/0/{pile.index('sandbags')}", "path": "/hands/1/0"},
    )
    assert recording.game.state.hands[1] == ("crystal_of_fire", "helicopter_lift", "sandbags")  # type: ignore[union-attr]
    round_trip(recording)


def test_adjust__nobody_sits_down() -> None:
    recording = played()
    roles = set(ROLES) - set(recording.game.state.roles)
    newcomer = [
        {"op": "add", "path": f"/{field}/-", "value": value}
        for field, value in (("roles", min(roles)), ("pawns", "fools_landing"), ("hands", []))
    ]
    with pytest.raises(IllegalAction, match="seats"):
        adjust(recording, *newcomer)


def test_adjust__no_seventh_card() -> None:
    with pytest.raises(IllegalAction, match="28 treasure cards"):
        adjust(played(), {"op": "add", "path": "/hands/1/-", "value": "sandbags"})


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        ({"op": "test", "path": "/water_level", "value": 9}, Malformed, "9"),
        ({"op": "replace", "path": "/nothing/here", "value": 1}, Malformed, "nothing"),
        ({"op": "dance", "path": "/water_level"}, Malformed, "Unknown operation"),
        ({"path": "/water_level"}, Malformed, "does not contain 'op'"),
        ({"op": ["add"], "path": "/x", "value": 1}, Malformed, "op must be a string"),
        ({"op": "replace", "path": 5, "value": 1}, Malformed, "Invalid 'path'"),
        (
            {"op": "replace", "path": "/water_level", "value": "high"},
            Malformed,
            "it has to be a whole number, not a text",
        ),
        ({"op": "replace", "path": "/water_level", "value": 1.5}, Malformed, "has to be whole"),
        ({"op": "replace", "path": "/water_level", "value": 2**53}, Malformed, "has to be whole"),
        ({"op": "replace", "path": "/hands", "value": [[], []]}, IllegalAction, "28 treasure cards"),
        ({"op": "replace", "path": "", "value": []}, Malformed, "it has to be an object, not a list"),
        ({"op": "replace", "path": "/turn", "value": 3}, None, ""),
        ({"op": "add", "path": "/watr_level", "value": 3}, Malformed, "no such part of a table"),
        ({"op": "add", "path": "/flood_pile/cards", "value": 3}, Malformed, "no such part of a table"),
        ({"op": "replace", "path": "/options/difficulty", "value": "elite"}, IllegalAction, "options"),
        (
            {
                "op": "replace",
                "path": "/outcome",
                "value": {"result": "won", "winners": ["p1", "p2"], "reason": "lifted_off", "rule": "Winning the Game"},
            },
            IllegalAction,
            "outcome",
        ),
    ],
)
def test_adjust__what_it_can_and_cannot(operation: dict[str, Any], error: type[Exception] | None, message: str) -> None:
    recording = played()
    if error is None:
        adjust(recording, operation)
        assert recording.game.version == 6
        return
    with pytest.raises(error, match=message):
        adjust(recording, operation)
    assert recording.game.version == 5


def test_adjust__no_patch_is_too_deep_or_too_large() -> None:
    deep: Any = 1
    for _ in range(30):
        deep = [deep]
    with pytest.raises(Malformed, match="nested deeper"):
        adjust(played(), {"op": "add", "path": "/x", "value": deep})
    doubling = [{"op": "copy", "from": "", "path": f"/x{number}"} for number in range(40)]
    with pytest.raises(Malformed, match="too large"):
        adjust(played(), *doubling)


JSON = st.recursive(st.none() | st.booleans() | st.integers(0, 9) | st.text(max_size=4), st.lists, max_leaves=4)
PATHS = st.sampled_from(
    ["", "/", "/turn", "/hands", "/hands/0", "/hands/-", "/hands/0/9", "/hands/x", "~2", "/no/such"]
)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]) | JSON,
            "path": PATHS | JSON,
            "from": PATHS | JSON,
            "value": JSON,
        },
    )
)
def test_adjust__whatever_is_sent_is_taken_or_told(operation: dict[str, Any]) -> None:
    recording = played()
    with suppress(Malformed, IllegalAction):
        adjust(recording, operation)


def test_adjust__not_at_length_while_the_table_may_be_any_of_many() -> None:
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    recording.add("draw_treasure_card", "p2", [None])
    operation = {"op": "replace", "path": "/water_level", "value": 3}
    with pytest.raises(Malformed, match="114 tables are possible: send it in parts") as refused:
        recording.add("adjust", patch=[operation] * 100, reason="as it lies")
    assert refused.value.pointer == "/params/patch"
    recording.add("adjust", patch=[operation] * 80, reason="as it lies")
    round_trip(recording)


def test_adjust__the_patch_stays_as_it_was_sent() -> None:
    recording = played()
    hand = ["sandbags", "sandbags", "earth_stone", "earth_stone"]
    patch = [
        {"op": "test", "path": "/hands/0", "value": recording.states[-1].hands[0]},
        {"op": "add", "path": "/hands/0", "value": list(hand)},
        {"op": "remove", "path": "/hands/0/0"},
        {"op": "add", "path": "/hands/0/0", "value": "sandbags"},
    ]
    with suppress(IllegalAction):
        recording.add("adjust", patch=patch, reason="as it lies")
    assert patch[1]["value"] == hand


def test_adjust__agreed_by_who_sits_there() -> None:
    with pytest.raises(Malformed, match="p4 is not a seat"):
        adjust(played(), {"op": "replace", "path": "/water_level", "value": 4}, agreed=["p4"])


def test_adjust__not_once_it_is_over() -> None:
    with pytest.raises(GameOver):
        adjust(ended(), {"op": "replace", "path": "/water_level", "value": 4})


# A record that begins in the middle


def position(recording: Recording) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(recording.game.state, order="sorted"))
    return document


def test_position__the_record_begins_there() -> None:
    middle = played()
    recording = Recording()
    recording.add("set_up", position=position(middle))
    assert recording.game.state == middle.game.state
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    round_trip(recording)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"water_level": 99}, IllegalAction, "the water is on the meter"),
        ({"water_level": "high"}, Malformed, "has to be a whole number"),
        ({"hands": []}, Malformed, "no table can look like this"),
        ({"options": {"difficulty": "elite"}}, Malformed, "not the options of the game"),
    ],
)
def test_position__what_is_none(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    recording = Recording()
    with pytest.raises(error, match=message):
        recording.add("set_up", position={**position(played()), **changes})


def test_position__of_another_table() -> None:
    with pytest.raises(Malformed, match="it has 2 seats, and the game has 3"):
        Recording(seats=3).add("set_up", position=position(played()))


def test_position__not_after_the_end() -> None:
    with pytest.raises(IllegalAction, match="The game is over there"):
        Recording().add("set_up", position=position(ended()))


# Annotate


def test_annotate__a_text_a_mark_a_bookmark() -> None:
    recording = played()
    recording.add("annotate", seq=4, mark="?!", bookmark="the turn")
    assert recording.events[-1].params == {"seq": 4, "mark": "?!", "bookmark": "the turn"}
    with pytest.raises(Malformed, match="a `text`, a `mark` or a `bookmark`"):
        recording.add("annotate", seq=4)
