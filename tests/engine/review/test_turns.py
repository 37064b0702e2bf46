"""The turn index, and its sentences."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Draft, Event
from engine.core.values import SEAT_IDS
from engine.games.forbidden_island.components import TILES
from engine.play.rules import Rules
from engine.review.turns import Turn, index, narrate, sentence
from tests.engine.games.forgotten_waters.positions import SHEETS, resolving
from tests.engine.play.explaining import drawn_late
from tests.engine.play.telling import photograph
from tests.engine.recording import DEAL, dealt, ended, played
from tests.playouts import playout
from tests.recording import Recording, forged


def seqs(events: list[Event]) -> list[int]:
    return [event.seq for event in events]


def sentences(recording: Recording) -> list[str]:
    return [one.sentence for one in narrate(recording.game.header, recording.events)]


def turns(recording: Recording) -> list[Turn]:
    header = recording.game.header
    return index(narrate(header, recording.events), Rules(header).ruleset)


# Sentences


def test_tell__the_line_that_stands() -> None:
    recording = played()
    recording.add("undo", to=4)
    recording.add("annotate", text="better so")
    assert sentences(recording)[0] == "Ada and Bo start a game of Forbidden Island."
    assert sentences(recording)[1].startswith("Flooded from the start: Observatory, Watchtower")
    assert sentences(recording)[2:] == [
        "Ada moves to Howling Garden.",
        "Ada moves to Gold Gate.",
        "Note: better so",
    ]


def test_tell__with_the_states_around_each_event() -> None:
    recording = played()
    for one in narrate(recording.game.header, recording.events):
        assert one.before == recording.states[one.event.seq - 1]
        assert one.after == recording.states[one.event.seq]


def test_tell__how_it_ended() -> None:
    assert sentences(ended())[-2:] == ["The game is abandoned: dinner", "The game was abandoned."]


def test_tell__how_the_rules_ended_it() -> None:
    log = playout(seed=11)
    recording = Recording()
    recording.events = log
    assert sentences(recording)[-1] == Rules(recording.game.header).ruleset.endings[log[-1].params["outcome"]["reason"]]


def test_sentence__an_undo() -> None:
    recording = played()
    (undo,) = recording.add("undo", to=3)
    rules = Rules(recording.game.header)
    text = sentence(rules, recording.game.header, undo, recording.states[5], recording.states[6])
    assert text == "Back to the table as it was after event 3."


@pytest.mark.parametrize(("seats", "who"), [(2, "Ada and Bo start"), (4, "Ada, Bo, Cleo and Dov start")])
def test_sentence__who_starts(seats: int, who: str) -> None:
    assert sentences(Recording(seats=seats))[0].startswith(who)


@pytest.mark.parametrize("reason", ["skull", "drowned", "lifted_off"])
def test_ending__is_the_rulesets_sentence(reason: str) -> None:
    ruleset = dealt().game.ruleset
    assert ruleset.ending(reason) == ruleset.endings[reason]


def test_ending__abandoned_whatever_the_ruleset() -> None:
    assert dealt().game.ruleset.ending("abandoned") == "The game was abandoned."


# Turns


def two_turns() -> Recording:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    recording.add("draw_treasure_card", "p1", ["waters_rise"])
    recording.add("draw_flood_card", "p1", ["watchtower"])
    recording.add("draw_flood_card", "p1", ["observatory"])
    recording.add("fly", "p2", to="bronze_gate")
    return recording


def test_index__per_turn_whose_and_what() -> None:
    setting_up, first, second = turns(two_turns())
    assert (setting_up.turn, setting_up.seat, setting_up.first, setting_up.last) == (0, None, 1, 2)
    assert first == Turn(
        turn=1,
        seat="p1",
        first=3,
        last=6,
        summary="Ada draws Earth Stone. Ada draws Waters Rise! – the water is at 2. Watchtower sinks. "
        "Observatory sinks.",
        level=22,
        deeds={"p1": {"draw_treasure_card": 2, "draw_flood_card": 2}},
    )
    assert second == Turn(
        turn=2,
        seat="p2",
        first=7,
        last=7,
        summary="Bo flies to Bronze Gate.",
        level=22,
        deeds={"p2": {"fly": 1}},
    )
    assert (setting_up.level, setting_up.deeds) == (24, {})


def test_index__a_late_step_counts_for_the_turn_in_which_it_was_due() -> None:
    recording = drawn_late()
    *_, first, second = turns(recording)
    assert [turn.deeds.get("p1", {}).get("draw_flood_card") for turn in (first, second)] == [2, None]
    assert "This was done late, for an earlier turn." in second.summary


def test_index__a_turn_that_was_undone_is_not_in_it() -> None:
    recording = two_turns()
    recording.add("undo", to=4)
    assert [(turn.turn, turn.first, turn.last) for turn in turns(recording)] == [(0, 1, 2), (1, 3, 4)]


def test_index__before_the_set_up() -> None:
    assert [turn.turn for turn in turns(Recording())] == [0]


def test_index__back_to_before_the_set_up_and_dealt_again() -> None:
    recording = played()
    recording.add("undo", to=1)
    recording.add("set_up", outcomes=DEAL)
    assert [(turn.turn, turn.first, turn.last) for turn in turns(recording)] == [(0, 1, 7)]


def test_index__turns_follow_one_another() -> None:
    recording = Recording(seats=4)
    log: list[Any] = playout(seed=11, seats=4)
    recording.events = log
    numbers = [turn.turn for turn in turns(recording)]
    assert numbers == list(range(len(numbers)))
    assert [turn.seat for turn in turns(recording)][1:] == [SEAT_IDS[n % 4] for n in range(len(numbers) - 1)]


def test_tell__a_log_that_does_not_replay() -> None:
    recording = played()
    recording.events[3] = forged(recording.events[3], params={"to": "watchtower"})
    with pytest.raises(Exception, match="Watchtower is more than one move"):
        sentences(recording)


@pytest.mark.parametrize(
    ("type_", "params", "words"),
    [
        ("amend", {"seq": 4, "remove": True, "accept_broken": True}, "Correction: event 4 did not happen."),
        (
            "amend",
            {"seq": 4, "event": {"type": "annotate", "params": {"text": "x"}}},
            "Correction: event 4 was recorded wrongly.",
        ),
        (
            "amend",
            {"seq": 4, "insert": {"type": "annotate", "params": {"text": "x"}}},
            "Correction: something happened before event 4.",
        ),
        (
            "adjust",
            {"patch": [{"op": "replace", "path": "/water_level", "value": 3}], "reason": "as it lies"},
            "Adjusted: The water is at 3. Reason: as it lies",
        ),
        (
            "adjust",
            {"facts": [{"fact": "has_cards", "seat": "p2", "card": "helicopter_lift", "count": 0}], "reason": "a slip"},
            "Adjusted: Bo has no Helicopter Lift card. Reason: a slip",
        ),
        (
            "adjust",
            {"facts": [{"fact": "water_level", "level": 1}], "reason": "so we looked"},
            "Confirmed: The water is at 1. Reason: so we looked",
        ),
        ("annotate", {"mark": "!?", "bookmark": "here", "text": "so"}, "Note: !? [here] so"),
    ],
)
def test_sentence__of_a_correction(type_: str, params: dict[str, Any], words: str) -> None:
    recording = played()
    recording.add(type_, **params)
    event, header = recording.events[-1], recording.game.header
    assert sentence(Rules(header), header, event, recording.states[5], recording.states[6]) == words


def test_sentence__of_a_photograph_says_some_of_what_it_confirms() -> None:
    recording = played()
    told = photograph(recording)
    recording.add("adjust", facts=told, whole=True, reason="so it lies")
    event, header = recording.events[-1], recording.game.header
    said = sentence(Rules(header), header, event, recording.states[5], recording.states[6])
    assert said.startswith("Confirmed: Breakers Bridge lies in column")
    assert said.endswith(f"And {len(told) - 8} more facts. Reason: so it lies")


def test_sentence__of_many_changes_says_some_of_them() -> None:
    recording = played()
    facts = [{"fact": "tile_is", "tile": tile, "state": "flooded"} for tile in TILES[:9]]
    recording.add("adjust", facts=facts, reason="so it lies")
    event, header = recording.events[-1], recording.game.header
    said = sentence(Rules(header), header, event, recording.states[5], recording.states[6])
    assert (said.count(" is flooded."), said.count("And one more fact.")) == (8, 1)


def test_sentence__of_a_reveal() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("reveal", seq=3, value="helicopter_lift")
    event, header = recording.events[-1], recording.game.header
    words = "The unknown result of event 3 was Helicopter Lift."
    assert sentence(Rules(header), header, event, recording.states[3], recording.states[4]) == words


def test_sentence__of_an_action_out_of_turn_has_no_later_step() -> None:
    """Bo chooses a skill in Ada's place. Her re-roll token, which is due next, does not come."""
    recording = Recording("forgotten-waters", 3, pirates=[{"sheet": sheet} for sheet in SHEETS[:3]], edition="first")
    due = resolving({"do": "gain_skill", "skill": "any"}, {"do": "rerolls", "n": 1})
    recording.add("set_up", position=recording.game.ruleset.to_document(due))
    for actor in ("p2", "p1"):
        recording.append(Draft(type="choose_skill", actor=actor, params={"skill": "aim"}), accept_illegal=True)
    by_bo, by_ada = sentences(recording)[-2:]
    assert (by_bo.count("re-roll"), by_ada.count("re-roll")) == (0, 1), (by_bo, by_ada)
