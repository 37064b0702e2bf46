"""Amends: another event at an earlier position, and the impact on later events."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import BreaksFollowers, GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.events import Draft
from engine.kit.chance import Seeded
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.past import KnownPast
from engine.play.record import record
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.play.correcting import effects, entry, line, pawn, round_trip
from tests.engine.recording import DEAL, dealt, ended, played
from tests.recording import Recording

# Amending with another action


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
    assert broken.reason == "Gold Gate is more than one move from Silver Gate."
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
    assert broken.reason == "Sandbags is not a possible result for treasure card"
    assert "repeat the request with `if_illegal=accept`." in error.value.message
    assert recording.game.version == 6


@pytest.mark.parametrize("first", ["earth_stone", None])
def test_amend__a_draw_too_many_is_illegal_whatever_came_up(first: str | None) -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [first])
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    inserted = entry("draw_treasure_card", "p1", ("sandbags",))
    with pytest.raises(BreaksFollowers) as error:
        recording.add("amend", seq=3, insert=inserted)
    _, broken = error.value.impact
    assert (broken.effect, broken.rule) == ("now_illegal", "2. Draw 2 Treasure Deck Cards")
    assert broken.reason == "You cannot draw a Treasure deck card now."
    recording.add("amend", seq=3, insert=inserted, accept_broken=True)
    assert [finding.kind for finding in audit(recording.events).findings if finding.seq == 4] == ["illegal_action"]
    assert fold(recording.events) == recording.game


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


# Amending with one more or one fewer


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
    with pytest.raises(Malformed, match="is already removed"):
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
        ({"seq": 99, "remove": True}, Malformed, "event 99 is not in effect"),
        ({"seq": 1, "remove": True}, Malformed, "event 1 is not in effect"),
        ({"seq": 2, "remove": True}, IllegalAction, "begins with its setup"),
        ({"seq": 2, "insert": entry("annotate", text="x")}, IllegalAction, "begins with its setup"),
        ({"seq": 2, "event": entry("annotate", text="x")}, IllegalAction, "begins with its setup"),
        ({"seq": 3}, Malformed, "must have exactly one of `event`, `insert` and `remove`"),
        ({"seq": 3, "remove": True, "event": entry("annotate", text="x")}, Malformed, "one of"),
        ({"seq": 3, "event": entry("undo", to=2)}, Malformed, "undo is not an event that an amend can contain"),
        ({"seq": 3, "insert": entry("amend", seq=2)}, Malformed, "amend is not an event that an amend can contain"),
        ({"seq": 3, "event": entry("set_up")}, IllegalAction, "already set up"),
        ({"seq": 3, "event": entry("move", "p2", to="phantom_rock")}, IllegalAction, "another player's turn"),
        ({"seq": 3, "event": entry("move", "p1", to="nowhere")}, Malformed, "'nowhere' is not one of the 24"),
        ({"seq": 5, "event": entry("draw_treasure_card", "p1")}, OutcomeRequired, "is missing"),
        ({"seq": 5, "event": entry("draw_treasure_card", "p1", ("pilot",))}, ImpossibleOutcome, "not a possible"),
        ({"seq": 3, "event": entry("move", "p1", ("pilot",), to="phantom_rock")}, Malformed, "need none here"),
    ],
)
def test_amend__what_it_cannot_do(params: dict[str, Any], error: type[Exception], message: str) -> None:
    recording = played()
    with pytest.raises(error, match=message):
        recording.add("amend", **params)
    assert recording.game.version == 5


def test_amend__chance_stands_in_the_event_that_it_brings() -> None:
    with pytest.raises(Malformed, match="put them into the event") as error:
        played().add("amend", None, ["sandbags"], seq=5, event=entry("draw_treasure_card", "p1"))
    assert error.value.pointer == "/outcomes/0"


def test_amend__not_before_the_set_up() -> None:
    with pytest.raises(IllegalAction, match="Set up the game first"):
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
    assert sentence == "Ada does this against the rules: play sandbags. There is no Sandbags in that hand."
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
    with pytest.raises(Malformed, match="the service appends the closing itself"):
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
        with pytest.raises(BreaksFollowers, match="draws a new result") as refused:
            recording.add("amend", seq=3, **change)
        assert refused.value.impact is None
    recording.add("amend", seq=3, event=draw, accept_broken=True)
    recording.add("amend", seq=3, remove=True)
    round_trip(recording, drawn_again=(5,))


def test_amend__the_deal_of_a_seeded_game_stands() -> None:
    with pytest.raises(IllegalAction, match="setup of a seeded game"):
        dealt("tides").add("amend", seq=2, event={"type": "set_up"})


def test_fork__of_an_amended_game_has_the_amended_line() -> None:
    recording = played()
    recording.add("amend", seq=3, event=entry("move", "p1", to="phantom_rock"), accept_broken=True)
    child, events = fork(recording.events, 6, game="g", seed="what if", recorded_at="2026-11-21T00:00:00.000Z")
    assert child.state == recording.game.state
    _, added = record(
        child, [Draft(type="annotate", params={"mark": "!"})], Seeded("what if"), KnownPast(), recorded_at="x"
    )
    assert added[0].params == {"mark": "!"}
    assert len(events) == 6


# Annotate


def test_annotate__a_text_a_mark_a_bookmark() -> None:
    recording = played()
    recording.add("annotate", seq=4, mark="?!", bookmark="the turn")
    assert recording.events[-1].params == {"seq": 4, "mark": "?!", "bookmark": "the turn"}
    with pytest.raises(Malformed, match="must have a `text`, a `mark` or a `bookmark`"):
        recording.add("annotate", seq=4)
