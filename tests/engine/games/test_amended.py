"""After a correction, broken events have an effect only if the game can continue, like new events."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import UnclearEffect
from engine.core.events import Event
from engine.play.fold import fold, history
from engine.play.line import Slot
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, voyage
from tests.engine.games.playing import rules_of
from tests.engine.recording import dealt
from tests.recording import Recording, chained


def begin_at(state: Any, mode: Any = "as_played") -> Recording:
    """Return a record that begins with the position `state`."""
    rules = rules_of(state)
    recording = Recording(rules.id, rules.seats(state), mode=mode, **msgspec.to_builtins(state.options))
    recording.add("set_up", position=rules.to_document(state))
    assert recording.game.state == state
    return recording


def an_offer_of_what_is_gone(mode: Any = "as_played") -> Recording:
    """Forever Island: Ada offers a hog that she has not harvested after all."""
    recording = begin_at(atoll(huts=[["hog_1_b"], ["log_2_b"]]), mode)
    recording.add("harvest", "p1", hut="p1_hut_1")
    recording.add("offer_exchange", "p1", partner="p2", give={"hog": 1}, take={})
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    return recording


def a_look_that_nobody_began(mode: Any = "as_played") -> Recording:
    """Forbidden Desert: Bo looks at a storm card without having begun to look."""
    recording = begin_at(table("meteorologist", "explorer"), mode)
    recording.add("forecast", "p1")
    recording.add("look_at_storm_card", "p1", ["sun_beats_down"])
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    return recording


CASES = [an_offer_of_what_is_gone, a_look_that_nobody_began]


def unsound(recording: Recording) -> list[str]:
    rules = recording.game.ruleset
    return [one for slot in recording.history.mainline for one in rules.check_invariants(slot.after)]


def last(line: Any) -> Slot:
    slot: Slot = line[-1]
    return slot


@pytest.mark.parametrize("mode", ["as_played", "strict"])
@pytest.mark.parametrize("case", CASES)
def test_what_leads_to_no_table_has_no_effect(case: Any, mode: Any) -> None:
    recording = case(mode)
    assert recording.events[-1].params["sound_only"] is True
    slot = last(recording.history.mainline)
    assert (slot.broken, slot.judgement.has_effect) == ("now_illegal", False)  # type: ignore[union-attr]  # it is judged
    assert slot.after == recording.states[2]
    assert unsound(recording) == []
    assert fold(recording.events) == recording.game
    assert [one.kind for one in audit(recording.events).findings] == ["illegal_action"]


@pytest.mark.parametrize("case", CASES)
def test_what_stands_in_an_earlier_record_is_carried_out_as_it_was_then(case: Any) -> None:
    events = case().events
    *before, amend = events
    params = {name: value for name, value in amend.params.items() if name != "sound_only"}
    log = chained([*before, msgspec.structs.replace(amend, params=params)])
    played = history(log)
    slot = last(played.mainline)
    assert slot.judgement is not None
    assert (slot.broken, slot.judgement.has_effect) == ("now_illegal", True)
    assert played.rules.ruleset.check_invariants(played.states[-1]) != []
    assert {one.kind for one in audit(log).findings} == {"illegal_action", "unsound"}


def test_whoever_asks_for_less_gets_no_less() -> None:
    recording = dealt(mode="as_played")
    recording.add("move", "p1", to="howling_garden")
    recording.add("amend", seq=3, remove=True, sound_only=False)
    assert recording.events[-1].params == {"seq": 3, "remove": True, "sound_only": True}


def test_what_names_somebody_who_is_not_there_is_not_clear() -> None:
    recording = dealt(mode="as_played")
    with pytest.raises(UnclearEffect, match="List each pawn of this game"):
        recording.add("play_helicopter_lift", "p2", pawns=["p2", "p4"], to="gold_gate")


def test_an_earlier_record_of_somebody_who_is_not_there_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = dealt(mode="as_played")
    with monkeypatch.context() as patched:
        patched.setattr(type(recording.game.ruleset), "has_clear_effect", lambda *_: True)
        recording.add("play_helicopter_lift", "p2", pawns=["p2", "p4"], to="gold_gate")
    log = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    narrated = [one.sentence for one in narrate(recording.game.header, log)]
    assert narrated[-1].startswith("Bo plays Helicopter Lift: Bo, p4 to Gold Gate.")


def test_waters__what_is_in_no_book_is_not_read_out() -> None:
    recording = begin_at(voyage())
    assert recording.game.ruleset.id == FORGOTTEN_WATERS
    off_the_map = {"do": "place_token", "space": "layers", "token": "rows"}
    with pytest.raises(UnclearEffect):
        recording.add("read_out", "p1", effects=[off_the_map])


def test_desert__a_storm_that_is_weakened_out_of_turn_stays_as_strong_as_it_was() -> None:
    state = table("explorer", "meteorologist")
    recording = begin_at(state)
    for _ in range(8):
        recording.add("weaken_storm", "p2")
    after: Any = recording.game.state
    assert after.weakened == 0
    assert unsound(recording) == []
