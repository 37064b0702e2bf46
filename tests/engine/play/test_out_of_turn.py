"""Illegal actions out of turn, in records that keep the turn and in earlier ones, which do not."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.errors import UnclearEffect
from engine.core.events import Draft, Mode
from engine.core.values import SEAT_INDEX, State
from engine.kit.chance import Observed, Recorded
from engine.play.beliefs.belief import likeliest
from engine.play.fold import fold
from engine.play.forks import fork
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.review.audit import audit
from tests.engine.play.beliefs.test_looking import look_unseen
from tests.engine.play.explaining import offer_hog, report
from tests.engine.recording import dealt
from tests.recording import Recording, chained


def draw_out_of_turn(recording: Recording, *, keeps_turn: bool, card: str | None = "oceans_chalice") -> State | None:
    """Return the table after Bo has drawn a card in Ada's turn."""
    header = msgspec.structs.replace(recording.game.header, keeps_turn=keeps_turn)
    draft = Draft(type="draw_treasure_card", actor="p2", outcomes=(card,))
    after, _, judgement = Rules(header).play(recording.game.state, draft, 3, Observed(), KnownPast())
    assert judgement is not None
    assert judgement.verdict == "illegal"
    return after


def turn(state: object) -> tuple[object, ...]:
    return tuple(getattr(state, name) for name in ("turn", "phase", "active", "actions_left", "treasure_draws_left"))


@pytest.mark.parametrize("card", ["oceans_chalice", None])
def test_a_draw_out_of_turn_moves_a_card_and_nothing_else(card: str | None) -> None:
    recording = dealt(mode="as_played")
    before = recording.game.state
    recording.add("draw_treasure_card", "p2", [card])
    assert recording.events[-1].verdict == "illegal"
    after = recording.game.state
    tables = [world.state for world in after.worlds] if card is None else [after]
    for table in tables:
        assert turn(table) == turn(before)
        assert len(table.hands[1]) == 3
    recording.add("move", "p1", to="howling_garden")
    assert recording.events[-1].verdict == "legal"
    recording.add("amend", seq=3, remove=True)
    assert turn(recording.game.state)[3] == 2


def test_an_earlier_record_replays_as_it_was_recorded() -> None:
    recording = dealt(mode="as_played")
    assert recording.game.header.keeps_turn
    assert turn(draw_out_of_turn(recording, keeps_turn=True))[1:] == ("actions", 0, 3, 2)
    assert turn(draw_out_of_turn(recording, keeps_turn=False))[1:] == ("draw_treasure", 0, 0, 1)
    assert not dealt().game.header.keeps_turn


def test_a_strict_record_keeps_the_turn_where_the_event_says_so() -> None:
    recording = dealt()
    before = recording.game.state
    draft = Draft(type="draw_treasure_card", actor="p2", outcomes=("oceans_chalice",))
    (event,) = recording.append(draft, accept_illegal=True)
    assert (event.verdict, event.keeps_turn) == ("illegal", True)
    assert turn(recording.game.state) == turn(before)
    assert fold(recording.events) == recording.game
    earlier = msgspec.structs.replace(event, keeps_turn=None)
    after, _, _ = Rules(recording.game.header).play(before, earlier, 3, Recorded(), KnownPast())
    assert turn(after)[1:] == ("draw_treasure", 0, 0, 1)
    copy, _ = fork(recording.events, 3, game="g", seed=None, recorded_at=event.recorded_at)
    assert copy.state == recording.game.state
    (own,) = recording.append(Draft(type="move", actor="p1", params={"to": "lost_lagoon"}), accept_illegal=True)
    assert (own.verdict, own.keeps_turn) == ("illegal", None)


def two_flood_steps(mode: Mode) -> Recording:
    """Return two turns without actions, each with two Treasure cards and two Flood cards, from event 3 on."""
    recording = dealt(mode=mode)
    cards = iter(("coral_palace", "dunes_of_deception", "breakers_bridge", "bronze_gate"))
    for seat in ("p1", "p2"):
        recording.add("draw_treasure_card", seat, ["earth_stone" if seat == "p1" else "oceans_chalice"])
        recording.add("draw_treasure_card", seat, ["crystal_of_fire"])
        for _ in range(2):
            recording.add("draw_flood_card", seat, [next(cards)])
    return recording


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_a_draw_that_a_correction_puts_out_of_turn_keeps_the_turn(mode: Mode) -> None:
    recording = two_flood_steps(mode)
    recording.add("amend", seq=5, remove=True, accept_broken=True)
    state = recording.game.state
    assert (state.turn, state.active, state.flood_draws_left) == (1, 0, 1)  # type: ignore[union-attr]  # of an island
    assert recording.events[-1].params.get("keeps_turn") == (True if mode == "strict" else None)
    assert fold(recording.events) == recording.game
    assert {one.kind for one in audit(recording.events).findings} == {"illegal_action"}


def test_a_correction_that_an_earlier_release_recorded_replays_as_it_did() -> None:
    recording = two_flood_steps("strict")
    recording.add("amend", seq=5, remove=True, accept_broken=True)
    *before, amend = recording.events
    params = {name: value for name, value in amend.params.items() if name != "keeps_turn"}
    earlier = chained([*before, msgspec.structs.replace(amend, params=params)])
    assert fold(earlier).turn == 2


def test_a_correction_that_breaks_nothing_is_stored_as_before() -> None:
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="gold_gate")
    recording.add("amend", seq=4, remove=True, keeps_turn=True)
    assert "keeps_turn" not in recording.events[-1].params


@pytest.mark.parametrize("card", ["sun_beats_down", None])
def test_a_look_out_of_turn_uses_up_no_look_of_another_player(card: str | None) -> None:
    recording = look_unseen(0, "storm_picks_up")
    actor = recording.events[-1].actor
    other = "p1" if actor == "p2" else "p2"
    recording.append(Draft(type="look_at_storm_card", actor=other, outcomes=(card,)), accept_illegal=True)
    for seen in (card, "wind_north_1", "wind_east_1", "wind_south_1", "wind_west_1"):
        recording.add("look_at_storm_card", actor, [seen])
    recording.append(Draft(type="place_storm_cards", actor=other, params={"bottom": 1}), accept_illegal=True)
    state = likeliest(recording.game.state)
    assert (state.watcher, state.phase, state.actions_left) == (None, "actions", 3)
    assert state.storm_pile.layers[-1] == ("storm_picks_up",)
    assert {event.verdict for event in recording.events[-7:]} == {None, "illegal"}
    assert fold(recording.events) == recording.game
    # An illegal look begins, and can be finished.
    recording.append(Draft(type="forecast", actor=other), accept_illegal=True)
    recording.add("look_at_storm_card", other, [None])
    assert likeliest(recording.game.state).watcher == SEAT_INDEX[other]


def test_a_sixth_card_out_of_turn_has_to_go_first() -> None:
    recording = dealt(mode="as_played")
    for card in ("oceans_chalice", "oceans_chalice", "oceans_chalice", "oceans_chalice"):
        recording.add("draw_treasure_card", "p2", [card])
    state = recording.game.state
    assert turn(state) == (1, "discard", 0, 3, 2)
    recording.add("discard", "p2", card="oceans_chalice")
    assert turn(recording.game.state) == (1, "actions", 0, 3, 2)


def test_what_the_rules_cannot_go_on_from_is_unclear() -> None:
    recording = dealt(mode="as_played")
    swim = [
        {"fact": "tile_is", "tile": "gold_gate", "state": "sunk"},
        {"fact": "stands_on", "seat": "p1", "tile": "gold_gate"},
    ]
    hand = [{"fact": "has_cards", "seat": "p2", "card": "statue_of_the_wind", "count": 3}]
    recording.add("adjust", facts=[*swim, *hand], reason="as it lies")
    assert recording.game.phase == "swim"
    with pytest.raises(UnclearEffect):
        recording.add("draw_treasure_card", "p2", ["oceans_chalice"])


@pytest.mark.parametrize("is_allowed", [False, True])
def test_only_a_house_rule_lets_a_player_take_the_step_of_another(is_allowed: bool) -> None:
    """Cleo, whose turn it is, declines her own offer to Bo. The event replays as it was recorded."""
    recording = offer_hog()
    if is_allowed:
        recording.add("house_rule", text="both at once", allows=[{"type": "decline_exchange"}])
    before = recording.game.state
    (event,) = report(recording, Draft(type="decline_exchange", actor="p3"), if_illegal="accept")
    assert (event.verdict, event.keeps_turn) == (("legal", None) if is_allowed else ("illegal", True))
    again = fold(recording.events)
    asked, answered = ("exchange", ("p2",)), ("actions", ("p3",))
    assert (again.phase, again.awaiting) == (answered if is_allowed else asked)
    for keeps_turn, expected in ((True, "exchange"), (None, "actions")):
        earlier = msgspec.structs.replace(event, keeps_turn=keeps_turn)
        after, _, _ = Rules(again.header).play(before, earlier, event.seq, Recorded(), KnownPast())
        assert after.phase == expected
