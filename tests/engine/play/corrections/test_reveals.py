"""Unknown results: outcomes reported as null, possible tables, and reveals that are checked against later events."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    Unclear,
    Undetermined,
)
from engine.core.events import Draft, Event
from engine.kit.chance import Seeded
from engine.kit.kernel import LegalAction
from engine.play import offers, snapshots
from engine.play.beliefs import belief
from engine.play.beliefs.belief import Belief
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.record import record
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.play.telling import state, unseen_card
from tests.engine.recording import DEAL, dealt
from tests.engine.toy import Dice, Roll
from tests.installing import installed
from tests.recording import Recording

PILE = {  # the 24 cards that are left for two after DEAL
    "crystal_of_fire": 4,
    "earth_stone": 4,
    "helicopter_lift": 2,
    "oceans_chalice": 5,
    "sandbags": 1,
    "statue_of_the_wind": 5,
    "waters_rise": 3,
}


def chances(recording: Recording) -> list[tuple[int, int, dict[Any, Fraction]]]:
    line = recording.history.line(recording.game.version)
    return [(one.seq, one.position, one.point.probabilities()) for one in unknowns(recording.history.rules, line)]


def round_trip(recording: Recording) -> None:
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    assert snapshots.load(snapshots.dump(recording.game)) == recording.game
    assert audit(events).verdict == "clean"


# Worlds


def test_a_card_that_nobody_saw_is_one_of_those_that_do_not_show() -> None:
    recording = unseen_card()
    belief = state(recording)
    assert isinstance(belief, Belief)
    weights = {
        next(iter(set(world.state.hands[0]) - {"earth_stone", "sandbags"}), None): world.weight
        for world in belief.worlds
        if len(set(world.state.hands[0])) == 3
    }
    assert weights == {name: PILE[name] for name in PILE if name not in {"earth_stone", "sandbags", "waters_rise"}}
    assert sum(world.weight for world in belief.worlds) == 21
    round_trip(recording)


def test_the_view_holds_one_of_these() -> None:
    recording = unseen_card()
    hand = belief.view(recording.game.ruleset, state(recording), None)["hands"][0]
    assert hand[:2] == ["earth_stone", "sandbags"]
    assert hand[2]["unseen"] == 1
    assert {one["value"][0]: one["p"] for one in hand[2]["one_of"]} == pytest.approx(
        {name: count / 21 for name, count in PILE.items() if name != "waters_rise"}
    )


def test_what_is_seen_later_leaves_fewer_worlds() -> None:
    recording = unseen_card()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    (_, _, after), *_ = chances(recording)
    # The last Sandbags are in the second draw, so they were not in the first.
    assert after["earth_stone"] == Fraction(4, 20)
    assert "sandbags" not in after


def test_probabilities_stay_exact() -> None:
    recording = unseen_card()
    legal = LegalAction(recording.game.ruleset.parse("draw_treasure_card", {}), 0)
    point = offers.point(recording.game.ruleset, state(recording), legal)
    assert point is not None
    # By symmetry: whatever the first card was (not Waters Rise!), the second is any of the other cards.
    assert point.probabilities()["waters_rise"] == Fraction(3, 23)
    assert point.probabilities()["oceans_chalice"] == Fraction(5, 21) * Fraction(4, 23) + Fraction(16, 21) * Fraction(
        5, 23
    )
    assert sum(point.probabilities().values()) == 1


def test_an_outcome_that_is_in_no_world() -> None:
    recording = unseen_card()
    with pytest.raises(ImpossibleOutcome) as error:
        recording.add("draw_treasure_card", "p1", ["pilot"])
    assert error.value.point.probabilities()["sandbags"] == Fraction(20, 21) * Fraction(1, 23)
    with pytest.raises(OutcomeRequired) as required:
        recording.add("draw_treasure_card", "p1")
    assert required.value.point.name == "treasure_card"
    with pytest.raises(Malformed, match="2 given, but the rules need 1 here"):
        recording.add("draw_treasure_card", "p1", ["sandbags", "sandbags"])


def test_one_world_left_is_simply_known() -> None:
    recording = unseen_card()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    recording.add("reveal", seq=3, value="helicopter_lift")
    assert state(recording).hands[0] == ("earth_stone", "helicopter_lift", "sandbags", "sandbags")
    round_trip(recording)


def test_too_many_worlds_have_to_be_found_out() -> None:
    recording = Recording()
    with pytest.raises(IllegalAction, match="tables are possible"):
        recording.add("set_up", outcomes=[None] * len(DEAL))


def test_opening_cards_that_nobody_noted() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=[*DEAL[:-1], None])
    assert isinstance(state(recording), Belief)
    assert [event.sentence for event in narrate(recording.game.header, recording.events)][1].endswith(
        "Everything else is unknown."
    )
    ((seq, at, cards),) = chances(recording)
    assert (seq, at) == (2, len(DEAL) - 1)
    assert cards["helicopter_lift"] == Fraction(3, 22)
    recording.add("reveal", seq=2, position=len(DEAL) - 1, value="helicopter_lift")
    assert state(recording) == dealt().game.state
    round_trip(recording)


# Where the board depends on an unknown card


def test_a_flood_card_shows_on_the_board() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    recording.add("draw_treasure_card", "p1", ["oceans_chalice"])
    with pytest.raises(OutcomeRequired, match="look at the table: flood discard, flood pile, flooded") as error:
        recording.add("draw_flood_card", "p1", [None])
    assert error.value.hints == ("flood_discard", "flood_pile", "flooded")
    assert error.value.point.name == "flood_card"


def test_what_depends_on_it_later_needs_a_look() -> None:
    recording = dealt()
    for card in (None, None):
        recording.add("draw_treasure_card", "p1", [card])
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    patch = [{"op": "test", "path": "/turn", "value": 2}]
    recording.add("adjust", patch=patch, reason="nothing to see")
    with pytest.raises(Malformed, match="no fact describes this change of phase"):
        recording.add("adjust", patch=[{"op": "copy", "from": "/hands/0/3", "path": "/phase"}], reason="it depends")


def test_the_worlds_that_an_adjustment_cannot_be_in_are_none() -> None:
    recording = unseen_card()
    lift = {"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 1}
    recording.add("adjust", facts=[lift], reason="there it lies")
    assert recording.events[-1].params["was"] == (lift,)
    assert state(recording).hands[0] == ("earth_stone", "helicopter_lift", "sandbags")
    with pytest.raises(Malformed):
        recording.add("adjust", patch=[{"op": "test", "path": "/turn", "value": 9}], reason="no")


# Legal on some possible tables


def test_what_may_be_legal_is_offered_with_its_probability() -> None:
    recording = unseen_card()
    offered = {
        (one.legal.action.type, one.legal.seat): one.probability
        for one in offers.offers(recording.game.ruleset, state(recording))
        if one.legal.action.type in {"play_helicopter_lift", "draw_treasure_card"}
    }
    assert offered[("draw_treasure_card", 0)] == 1
    assert offered[("play_helicopter_lift", 0)] == Fraction(2, 21)


def test_what_is_legal_in_no_world_is_refused() -> None:
    with pytest.raises(IllegalAction, match="another player's turn"):
        unseen_card().add("draw_treasure_card", "p2", ["sandbags"])


def test_what_may_have_been_legal_is_taken_as_legal() -> None:
    recording = unseen_card()
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    assert state(recording).pawns[0] == "coral_palace"
    assert chances(recording) == [(3, 0, {"helicopter_lift": Fraction(1)})]
    round_trip(recording)


def test_as_played_says_that_it_cannot_be_known() -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    event = recording.events[-1]
    assert (event.verdict, event.rule) == ("unknowable", "Special Action Cards")
    recording.add("draw_treasure_card", "p2", [None])
    assert recording.events[-1].verdict == "illegal"
    assert len(chances(recording)) == 2
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game


def test_an_actor_and_an_end_are_checked_as_ever() -> None:
    recording = unseen_card()
    with pytest.raises(Malformed, match="not a seat"):
        recording.add("move", "p3", to="watchtower")
    recording.add("abandon", reason="dinner")
    with pytest.raises(GameOver):
        recording.add("move", "p1", to="watchtower")
    round_trip(recording)


def test_the_service_does_not_draw_from_what_nobody_saw() -> None:
    recording = dealt("tides")
    with pytest.raises(Malformed, match="the service draws in this game"):
        recording.add("draw_treasure_card", "p1", [None])


def test_what_was_noted_since_has_no_part_in_it() -> None:
    recording = unseen_card()
    recording.add("annotate", text="which was it?")
    recording.add("amend", seq=4, remove=True)
    recording.add("abandon", reason="dinner")
    ((_, _, cards),) = chances(recording)
    assert cards == {name: Fraction(count, 21) for name, count in PILE.items() if name != "waters_rise"}


def test_a_fork_that_draws_waits_for_the_reveal() -> None:
    recording = unseen_card()
    child, events = fork(recording.events, 3, game="g", seed="what if", recorded_at="2026-11-21T00:00:00.000Z")
    past = history(events)
    draw = Draft(type="draw_treasure_card", actor="p1")
    with pytest.raises(IllegalAction, match="Reveal the unknown results first"):
        record(child, [draw], Seeded("what if"), past, recorded_at="x")
    reveal = Draft(type="reveal", params={"seq": 3, "value": "earth_stone"})
    game, _ = record(child, [reveal, draw], Seeded("what if"), past, recorded_at="x")
    assert game.version == 5


def test_a_broken_follower_tells_nothing() -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_sandbags", "p1", tile="observatory")
    recording.add("amend", seq=4, insert={"type": "discard", "actor": "p1", "params": {"card": "sandbags"}})
    assert chances(recording)[0][2].keys() <= PILE.keys()


# A game that a hidden value may end


class Secretly(Dice):
    """Nobody sees the totals."""

    id = "secret-dice"
    unseen = ("totals/*",)


def test_what_a_hidden_total_decides_has_to_be_looked_up() -> None:
    with installed(Secretly()):
        recording = Recording("secret-dice", goal=8)
        recording.add("set_up")
        recording.add("roll", "p1", [None])
        recording.add("roll", "p2", [1])
        with pytest.raises(Undetermined, match="Look at the table"):
            recording.add("roll", "p1", [4])
        recording.add("reveal", seq=3, value=2)
        recording.add("roll", "p1", [4])
        assert recording.game.outcome is None


def test_a_sentence_where_the_words_fail() -> None:
    class Shy(Roll, frozen=True):
        type = "shy"

        def describe(self, state: Any, seat: int, outcomes: Any, names: Any) -> str:
            raise Unclear

    class Shyly(Secretly):
        id = "shy-dice"
        actions = (Roll, Shy)

    with installed(Shyly()):
        recording = Recording("shy-dice", goal=90, mode="as_played")
        recording.add("set_up")
        recording.add("shy", "p2", [3])
        assert narrate(recording.game.header, recording.events)[-1].sentence == "Bo does this: shy."
        recording.add("shy", "p1", [3])
        with pytest.raises(Unclear):
            narrate(recording.game.header, recording.events)


# Reveal


def test_reveal__is_checked_back_in_time() -> None:
    recording = unseen_card()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    for value in ("sandbags", "waters_rise", "pilot"):
        with pytest.raises(ImpossibleOutcome) as error:
            recording.add("reveal", seq=3, value=value)
        assert error.value.given == value
        assert error.value.point.probabilities()["oceans_chalice"] == Fraction(1, 4)
    recording.add("reveal", seq=3, value="oceans_chalice")
    assert chances(recording) == []
    round_trip(recording)


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ({"seq": 9, "value": "sandbags"}, "/params/seq"),
        ({"seq": 2, "value": "sandbags"}, "/params/position"),
        ({"seq": 3, "position": 1, "value": "sandbags"}, "/params/position"),
        ({"seq": 3}, "/params"),
    ],
)
def test_reveal__only_what_is_not_known(params: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        unseen_card().add("reveal", **params)
    assert error.value.pointer == pointer


def test_reveal__not_before_the_set_up() -> None:
    with pytest.raises(IllegalAction, match="Set up the game first"):
        Recording().add("reveal", seq=1, value="x")


def test_reveal__chance_has_no_part_in_it() -> None:
    with pytest.raises(Malformed) as error:
        unseen_card().add("reveal", None, ["sandbags"], seq=3, value="oceans_chalice")
    assert error.value.pointer == "/outcomes/0"


def test_reveal__after_the_end() -> None:
    recording = unseen_card()
    recording.add("abandon", reason="dinner")
    added = recording.add("reveal", seq=3, value="oceans_chalice")
    assert [event.type for event in added] == ["reveal", "game_closed"]
    round_trip(recording)


def test_reveal__one_of_several() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", [None])
    (_, _, first), (_, _, second) = chances(recording)
    assert first == second
    recording.add("reveal", seq=4, value="sandbags")
    ((seq, _, left),) = chances(recording)
    assert (seq, "sandbags" in left) == (3, False)
    round_trip(recording)


def test_an_unknown_history_is_never_illegal() -> None:
    """Whatever was drawn, the record with the unseen card continues like the one with the seen card."""
    for card in PILE:
        known = dealt()
        known.add("draw_treasure_card", "p1", [card])
        later = [("draw_treasure_card", "p1", ["earth_stone"])]
        unknown = dealt()
        unknown.add("draw_treasure_card", "p1", [card if card == "waters_rise" else None])
        for type_, actor, outcomes in later:
            known.add(type_, actor, outcomes)
            unknown.add(type_, actor, outcomes)
        worlds = belief.worlds(state(unknown))
        assert any(world.state == state(known) for world in worlds)


def test_errors_are_engine_errors() -> None:
    assert issubclass(Undetermined, EngineError)
