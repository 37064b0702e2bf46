"""Illegal acts out of turn, in records that keep the turn and in earlier ones, which do not."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.errors import UnclearEffect
from engine.core.events import Draft
from engine.core.values import State
from engine.kit.chance import Observed, Recorded
from engine.play.fold import fold
from engine.play.forks import fork
from engine.play.past import Known
from engine.play.rules import Rules
from tests.engine.recording import dealt
from tests.recording import Recording


def drawn(recording: Recording, *, keeps_turn: bool, card: str | None = "oceans_chalice") -> State | None:
    """The table after Bo has drawn a card in Ada's turn."""
    header = msgspec.structs.replace(recording.game.header, keeps_turn=keeps_turn)
    draft = Draft(type="draw_treasure_card", actor="p2", outcomes=(card,))
    after, _, judgement = Rules(header).play(recording.game.state, draft, 3, Observed(), Known())
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
    assert turn(drawn(recording, keeps_turn=True))[1:] == ("actions", 0, 3, 2)
    assert turn(drawn(recording, keeps_turn=False))[1:] == ("draw_treasure", 0, 0, 1)
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
    after, _, _ = Rules(recording.game.header).play(before, earlier, 3, Recorded(), Known())
    assert turn(after)[1:] == ("draw_treasure", 0, 0, 1)
    copy, _ = fork(recording.events, 3, game="g", seed=None, recorded_at=event.recorded_at)
    assert copy.state == recording.game.state
    (own,) = recording.append(Draft(type="move", actor="p1", params={"to": "lost_lagoon"}), accept_illegal=True)
    assert (own.verdict, own.keeps_turn) == ("illegal", None)


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
