"""Recording: drafts become events, all of them or none."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import GameOver, IllegalAction, Malformed, OutcomeRequired, UnknownRuleset
from engine.core.events import GENESIS, Draft, Fork, Seat
from engine.kit.chance import Observed, Seeded, UnknownSeed, seed_commitment
from engine.play import registry
from engine.play.fold import fold, history
from engine.play.past import KnownPast
from engine.play.record import chance_for, open_game, record
from tests.engine.recording import DEAL, dealt, ended, played
from tests.engine.toy import Dice
from tests.playouts import clock
from tests.recording import Recording

SEATS = (Seat("Ada"), Seat("Bo"))


def opening(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "ruleset": "forbidden-island",
        "seats": SEATS,
        "options": {},
        "seed": None,
        "recorded_at": clock(1),
    }
    return open_game(**{**arguments, **changes})


# game_opened


def test_open__is_event_1() -> None:
    game, event = opening(recorded_by="desk")
    assert (event.seq, event.type, event.actor, event.outcomes, event.turn) == (1, "game_opened", None, (), 0)
    assert (event.prev, event.recorded_at, event.recorded_by) == (GENESIS, clock(1), "desk")
    assert (game.version, game.head, game.state) == (1, event.hash, None)


def test_open__names_every_option() -> None:
    _, event = opening(options={"difficulty": "elite"})
    rules = registry.ruleset("forbidden-island")
    assert event.params["options"] == msgspec.to_builtins(rules.parse_options({"difficulty": "elite"}, 2))


def test_open__an_observed_game_is_committed_to_nothing() -> None:
    _, event = opening(tags=["club night"])
    assert event.params["chance"] == "observed"
    assert event.params["tags"] == ("club night",)
    assert not {"seed_commitment", "fork"} & event.params.keys()


def test_open__a_seeded_game_tells_only_its_commitment() -> None:
    _, event = opening(seed="tides")
    assert event.params["chance"] == "seeded"
    assert event.params["seed_commitment"] == seed_commitment("tides")
    assert "tides" not in str(event)


def test_open__a_fork_says_where_it_comes_from() -> None:
    _, event = opening(fork=Fork(game="g", at=7, hash="ab" * 32))
    assert event.params["fork"] == {"game": "g", "at": 7, "hash": "ab" * 32}


def test_open__an_unknown_ruleset() -> None:
    with pytest.raises(UnknownRuleset) as error:
        opening(ruleset="chess")
    assert error.value.ruleset == "chess"
    assert str(error.value).startswith("no ruleset 'chess' (known: forbidden-island, ")


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"seats": SEATS[:1]}, "/seats"),
        ({"options": {"difficulty": "easy"}}, "/options/difficulty"),
        ({"options": {"first_player": "p4"}}, "/options/first_player"),
        ({"options": {"weather": "fine"}}, "/options"),
        ({"seed": "\ud800"}, "/seed"),
        ({"seats": [Seat("Ada"), Seat("\ud800")]}, ""),
    ],
)
def test_open__malformed(changes: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        opening(**changes)
    assert error.value.pointer == pointer


# chance_for


def test_chance__of_an_observed_game() -> None:
    assert type(chance_for(opening()[0].header, None)) is Observed


def test_chance__of_a_seeded_game() -> None:
    chance = chance_for(opening(seed="tides")[0].header, "tides")
    assert isinstance(chance, Seeded)
    assert chance.seed == "tides"


def test_chance__of_a_seeded_game_whose_seed_is_not_known() -> None:
    assert type(chance_for(opening(seed="tides")[0].header, None)) is UnknownSeed


# set_up


def test_set_up__is_event_2() -> None:
    recording = Recording()
    (event,) = recording.add("set_up", outcomes=DEAL)
    assert (event.seq, event.type, event.actor, event.params, event.turn) == (2, "set_up", None, {}, 0)
    assert event.outcomes == DEAL


def test_set_up__draws_by_itself_in_a_seeded_game() -> None:
    (event,) = Recording(seed="tides").add("set_up")
    assert sorted(event.outcomes[:24]) == list(DEAL[:24])


def test_set_up__takes_no_outcomes_in_a_seeded_game() -> None:
    with pytest.raises(Malformed, match="the service draws in this game"):
        Recording(seed="tides").add("set_up", outcomes=DEAL)


def test_set_up__asks_for_what_is_missing() -> None:
    with pytest.raises(OutcomeRequired) as error:
        Recording().add("set_up", outcomes=DEAL[:30])
    assert (error.value.point.name, error.value.point.position) == ("adventurer", 30)


def test_set_up__once() -> None:
    with pytest.raises(IllegalAction, match="The game is already set up"):
        dealt().add("set_up", outcomes=DEAL)


# record


def test_record__an_event_says_all_that_its_draft_said() -> None:
    draft = Draft(
        type="move", actor="p1", params={"to": "howling_garden"}, occurred_at="2026-11-20T19:04:11Z", note="bravely"
    )
    (event,) = dealt().append(draft)
    assert (event.seq, event.type, event.actor, event.params) == (3, "move", "p1", {"to": "howling_garden"})
    assert (event.occurred_at, event.note, event.turn) == ("2026-11-20T19:04:11Z", "bravely", 1)


def test_record__params_are_stored_in_one_spelling() -> None:
    recording = dealt()
    recording.append(Draft(type="play_helicopter_lift", actor="p2", params={"pawns": ["p1"], "to": "fools_landing"}))
    (event,) = recording.add("undo", to=2)
    assert event.params == {"to": 2}
    (event,) = recording.add("annotate", text="hm", seq=None)
    assert event.params == {"text": "hm"}


def test_record__the_turn_is_the_one_in_which_it_happened() -> None:
    recording = dealt()
    for type_, card in (
        ("draw_treasure_card", "earth_stone"),
        ("draw_treasure_card", "earth_stone"),
        ("draw_flood_card", "bronze_gate"),
        ("draw_flood_card", "copper_gate"),
    ):
        recording.add(type_, "p1", [card])
    assert recording.game.turn == 2
    assert {event.turn for event in recording.events[2:]} == {1}
    assert recording.add("draw_treasure_card", "p2", ["earth_stone"])[0].turn == 2


def test_record__a_batch_is_chained() -> None:
    recording = dealt()
    added = recording.append(
        Draft(type="move", actor="p1", params={"to": "howling_garden"}),
        Draft(type="move", actor="p1", params={"to": "gold_gate"}),
    )
    assert [event.seq for event in added] == [3, 4]
    assert added[1].prev == added[0].hash == recording.events[2].hash
    assert fold(recording.events) == recording.game


def test_record__nothing_is_no_event() -> None:
    recording = dealt()
    assert recording.append() == []
    assert recording.game.version == 2


@pytest.mark.parametrize("place", [0, 1, 2])
def test_record__a_batch_is_all_or_nothing(place: int) -> None:
    recording = dealt()
    drafts = [
        Draft(type="move", actor="p1", params={"to": "howling_garden"}),
        Draft(type="move", actor="p1", params={"to": "gold_gate"}),
    ]
    drafts.insert(place, Draft(type="move", actor="p2", params={"to": "observatory"}))
    before = recording.game
    with pytest.raises(IllegalAction) as error:
        recording.append(*drafts)
    assert error.value.index == place
    assert (recording.game, len(recording.events)) == (before, 2)


def test_record__an_error_outside_of_a_list_has_no_place_in_it() -> None:
    with pytest.raises(UnknownRuleset) as error:
        opening(ruleset="chess")
    assert error.value.index is None


def test_record__what_was_reported_beyond_what_is_asked_is_refused_in_its_place() -> None:
    drafts = [
        Draft(type="move", actor="p1", params={"to": "howling_garden"}),
        Draft(type="draw_treasure_card", actor="p1", outcomes=("earth_stone", "earth_stone")),
    ]
    with pytest.raises(Malformed) as error:
        dealt().append(*drafts)
    assert (error.value.index, error.value.pointer) == (1, "/outcomes/1")


def test_record__a_text_that_is_not_unicode_is_refused_in_its_place() -> None:
    recording = dealt()
    with pytest.raises(Malformed) as error:
        recording.append(
            Draft(type="annotate", params={"text": "?"}), Draft(type="annotate", params={"text": "\ud800"})
        )
    assert error.value.index == 1
    assert recording.game.version == 2


def test_record__an_undo_in_a_batch_may_go_back_into_it() -> None:
    recording = dealt()
    recording.append(
        Draft(type="move", actor="p1", params={"to": "howling_garden"}),
        Draft(type="move", actor="p1", params={"to": "gold_gate"}),
        Draft(type="undo", params={"to": 3}),
    )
    assert recording.game.state == recording.states[3]


# game_closed


def test_closing__follows_the_event_that_ends_the_game() -> None:
    recording = played()
    abandoned, closed = recording.add("abandon", reason="dinner")
    assert (abandoned.type, closed.type, closed.actor, closed.outcomes) == ("abandon", "game_closed", None, ())
    assert closed.prev == abandoned.hash
    assert closed.params == {
        "outcome": {"result": "abandoned", "winners": (), "reason": "abandoned", "rule": "Keeping the record"}
    }


def test_closing__reveals_the_seed_of_a_seeded_game() -> None:
    recording = dealt("tides")
    _, closed = recording.add("abandon", reason="dinner")
    assert closed.params["seed"] == "tides"
    assert "tides" not in str(recording.events[:-1])


def test_closing__reveals_no_seed_that_is_not_known() -> None:
    recording = dealt("tides")
    recording.chance = UnknownSeed()
    _, closed = recording.add("abandon", reason="dinner")
    assert "seed" not in closed.params


def test_closing__again_by_an_undo_from_its_end_to_the_event_that_ended_the_game() -> None:
    recording = ended()
    undo, closed = recording.add("undo", to=6)
    assert (undo.type, closed.type) == ("undo", "game_closed")
    assert [slot.number for slot in history(recording.events).mainline] == [2, 3, 4, 5, 6, 9]


def test_closing__not_twice() -> None:
    recording = ended()
    recording.add("annotate", text="good night")
    assert [event.type for event in recording.add("undo", to=7)] == ["undo"]
    assert [slot.number for slot in history(recording.events).mainline] == [2, 3, 4, 5, 6, 7]


def test_closing__is_the_services_own() -> None:
    with pytest.raises(Malformed) as error:
        dealt().add("game_closed", outcome={"result": "won", "winners": ["p1"], "reason": "", "rule": ""})
    assert (error.value.pointer, error.value.index) == ("/type", 0)


def test_closing__nothing_comes_after_the_end() -> None:
    with pytest.raises(GameOver) as error:
        ended().add("draw_treasure_card", "p1", ["earth_stone"])
    assert error.value.outcome.reason == "abandoned"
    assert str(error.value) == "the game has ended: abandoned"


def test_closing__a_batch_that_goes_on_after_the_end_is_refused() -> None:
    recording = played()
    with pytest.raises(GameOver) as error:
        recording.append(
            Draft(type="abandon", params={"reason": "dinner"}), Draft(type="abandon", params={"reason": "again"})
        )
    assert error.value.index == 1
    assert recording.game.version == 5


def test_closing__stands_in_the_turn_in_which_the_game_ended(dice: Dice) -> None:
    recording = Recording("dice", seats=1, goal=6)
    recording.add("set_up")
    rolled, closed = recording.add("roll", "p1", [6])
    assert (rolled.turn, closed.turn) == (1, 2)


def test_record__needs_no_earlier_state_without_an_undo() -> None:
    game, _ = opening()
    game, _ = record(game, [Draft(type="set_up", outcomes=DEAL)], Observed(), KnownPast(), recorded_at=clock(2))
    assert game.status == "in_progress"


def test_record__a_list_that_takes_too_long_to_judge_is_sent_in_parts() -> None:
    recording = dealt()
    for _ in range(100):
        recording.add("annotate", text="so")
    again = Draft(type="amend", params={"seq": 3, "insert": {"type": "annotate", "params": {"text": "first"}}})
    with pytest.raises(Malformed, match="in another request") as refused:
        recording.append(*[again] * 150)
    assert refused.value.index is not None
    assert 50 < refused.value.index < 150
    recording.append(*[again] * refused.value.index)


def test_record__a_list_goes_on_behind_a_draw() -> None:
    recording = dealt("tides")
    draw = Draft(type="draw_treasure_card", actor="p1")
    recording.append(draw, draw)
    assert recording.game.phase == "draw_flood"
