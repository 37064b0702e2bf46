"""Facts about a table of Forgotten Waters: valid ones, their words, and impossible ones."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.games.forgotten_waters.scenario.effects import FillStar
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.facts import Tableau, Told
from engine.play.corrections import facts
from tests.engine.games.forgotten_waters.positions import at_table, boxes, having, voyage
from tests.engine.games.forgotten_waters.telling import (
    EVENT_STARS,
    NAMES,
    adjust_to,
    after,
    planning,
    reported_facts,
    there,
    unsound_reason,
    with_pile,
)
from tests.engine.games.playing import rules_of

STATES = (
    voyage(),
    voyage(version="1"),
    at_table(),
    having(voyage(), stars=EVENT_STARS, events=1, event_tokens=1, rerolls=2, misfortune=1, boxes=boxes(aim=2)),
    having(voyage(), treasures=("sextant_of_maybe",), stories=("gull_friend",)),
    voyage(taken=(2,), standees=(2, 0, 0), choosing=(1, 2), has_timer_run_out=True),
    voyage(phase="action", active=1, choosing=(), has_resolved=True, has_stopped=True),
    voyage(agenda=(Step(0, FillStar()),), threat=1, threat_events=1, counts=(("keys", 2),), entries=("watch",)),
    replace(
        with_pile(voyage(), ("b2", "patrol")),
        navigation_pile=voyage().navigation_pile.without("patrol").without("squall").put_at_bottom("squall"),
        face_down=("b3", "c2"),
    ),
    voyage(treasure_discard=("sextant_of_maybe",), treasure_pile=voyage().treasure_pile.without("sextant_of_maybe")),
    replace(at_table(), icons=(("treasure_4", "aim", 2),), names=(("treasure_4", "Spyglass"),)),
    voyage(options={"infamy_order": "frozen"}, phase="action", active=0, choosing=(), order=(0, 2, 1)),
)


@pytest.mark.parametrize("state", STATES)
def test_all__what_it_tells_of_itself_changes_nothing(state: WatersState) -> None:
    rules = rules_of(state)
    assert rules.check_invariants(state) == []
    assert after(state, *there(state)) == state
    for fact in Tableau(rules.facts, state):
        assert fact.put(state, Told([fact])) == state
        for one in (fact, fact.absent or fact):
            assert one.sentence(NAMES).endswith(".")
            assert one.no_longer(NAMES).endswith(".")


@pytest.mark.parametrize("other", [state for state in STATES if state.options == voyage().options])
def test_photograph__makes_the_first_table_into_each(other: WatersState) -> None:
    adjust_to(voyage(), other)
    adjust_to(other, voyage())


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        ({"fact": "page_is", "page": "open_sea"}, "The location book is open at The Open Sea.", None),
        ({"fact": "page_is", "page": None}, "The location book has not been opened yet.", None),
        ({"fact": "page_turned"}, "This round started by turning to its page.", None),
        ({"fact": "page_turned", "yes": False}, "This round started without turning to its page.", None),
        ({"fact": "dial_is", "feature": "lost", "value": 2}, "Lost is at 2.", "Lost is no longer at 2."),
        ({"fact": "locked", "action": 3}, "Action 3 is locked.", None),
        ({"fact": "locked", "action": 3, "yes": False}, "Action 3 is not locked.", None),
        (
            {"fact": "stands_on", "seat": "p1", "action": 3},
            "Ada's standee is on action 3.",
            "Ada's standee is no longer on action 3.",
        ),
        (
            {"fact": "stands_on", "seat": "p1", "action": 0},
            "Ada's standee is not on an action.",
            "Ada's standee is now on an action.",
        ),
        ({"fact": "actions_taken", "actions": [3, 1]}, "Actions chosen this round: 1, 3.", None),
        (
            {"fact": "sheet_of", "seat": "p2", "sheet": "cook"},
            "Bo has the sheet The Cook Who Was Asked to Leave.",
            None,
        ),
        (
            {"fact": "infamy_at", "seat": "p1", "place": 2},
            "Ada is number 2 in infamy.",
            "Ada is no longer number 2 in infamy.",
        ),
        ({"fact": "boxes_filled", "seat": "p1", "skill": "aim", "count": 2}, "Ada has 2 boxes of aim filled in.", None),
        (
            {"fact": "boxes_filled", "seat": "p1", "skill": "aim", "count": 0},
            "Ada has no boxes of aim filled in.",
            None,
        ),
        ({"fact": "stars_filled", "seat": "p1", "stars": ["b1", "a1"]}, "Ada has these stars filled in: a1, b1.", None),
        (
            {"fact": "events_of", "seat": "p1", "checked": 1, "tokens": 2},
            "Ada has checked off 1 events, and has 2 tokens.",
            None,
        ),
        ({"fact": "rerolls_of", "seat": "p1", "count": 0}, "Ada has no re-roll tokens.", None),
        ({"fact": "misfortune_of", "seat": "p1", "count": 2}, "Ada has 2 misfortune tokens.", None),
        ({"fact": "misfortune_of", "seat": "p1", "count": 0}, "Ada has no misfortune tokens.", None),
        ({"fact": "rerolls_of", "seat": "p1", "count": 1}, "Ada has 1 re-roll token.", None),
        (
            {"fact": "treasure_at", "card": "iron_ladle", "at": "p2"},
            "The treasure Iron Ladle is before Bo.",
            "The treasure Iron Ladle is no longer before Bo.",
        ),
        (
            {"fact": "treasure_at", "card": "iron_ladle", "at": "discarded"},
            "The treasure Iron Ladle is discarded.",
            "The treasure Iron Ladle is no longer discarded.",
        ),
        (
            {"fact": "story_at", "card": "gull_friend", "at": "deck"},
            "The story Friend of Gulls is in the deck.",
            "The story Friend of Gulls is no longer in the deck.",
        ),
        ({"fact": "track_ends", "stat": "hull", "value": 14}, "The ship's hull can be 14 at most.", None),
        (
            {"fact": "ship_stat", "stat": "hull", "value": 9},
            "The ship's log has hull at 9.",
            "The ship's log no longer has hull at 9.",
        ),
        (
            {"fact": "cannons_are", "level": 2, "loaded": 1, "unloaded": 0},
            "The ship has 1 loaded and 0 unloaded level-2 cannons.",
            None,
        ),
        ({"fact": "threat", "count": 2}, "The threat is at 2.", None),
        ({"fact": "threat_events_checked", "count": 0}, "Threat events checked off: none.", None),
        ({"fact": "threat_events_checked", "count": 2}, "Threat events checked off: 2.", None),
        (
            {"fact": "objective_is", "objective": "ring_the_bell", "threat_limit": 3},
            "The objective is Ring the Bell Below; its threat limit is 3.",
            None,
        ),
        (
            {"fact": "token_at", "space": "b2", "token": "patrol"},
            "b2 has Tariff patrol.",
            "Tariff patrol is no longer on b2.",
        ),
        (
            {"fact": "token_at", "space": "b2", "token": None},
            "There is nothing face up on b2.",
            "b2 is not empty now.",
        ),
        ({"fact": "face_down", "spaces": ["b3", "b2"]}, "Navigation tokens are face down on: b3, b2.", None),
        ({"fact": "tokens_returned", "token": "patrol"}, "Returned but not yet shuffled in: 1 Tariff patrol.", None),
        (
            {"fact": "tokens_returned", "token": "patrol", "count": 0},
            "Returned but not yet shuffled in: no Tariff patrol.",
            None,
        ),
        ({"fact": "ship_at", "space": "b3"}, "The ship is at b3.", "The ship is no longer at b3."),
        ({"fact": "ship_has_stopped"}, "The ship cannot move any more this round.", None),
        ({"fact": "ship_has_stopped", "yes": False}, "The ship can still move this round.", None),
        ({"fact": "count_is", "counter": "keys", "value": 2}, "The ship's log has: Keys 2.", None),
        ({"fact": "entries_read", "entry": "watch", "count": 2}, "Entry watch was read 2 times.", None),
        ({"fact": "entries_read", "entry": "cast_off", "count": 1}, "Entry cast off was read 1 time.", None),
        ({"fact": "called_so", "of": "treasure_4", "name": "Spyglass"}, "Treasure 4 is called Spyglass.", None),
        ({"fact": "called_so", "of": "treasure_4", "name": None}, "Treasure 4 has no name yet.", None),
        ({"fact": "icon_is", "card": "treasure_4", "skill": "aim", "n": 2}, "Treasure 4 adds 2 to aim.", None),
        ({"fact": "turn_is", "number": 4}, "This is turn 4.", "This is no longer turn 4."),
        ({"fact": "round_is", "number": 4}, "This is round 4.", None),
        ({"fact": "part_is", "number": 2}, "This is part 2 of the scenario.", None),
        ({"fact": "timer_has_run_out"}, "The planning timer of this round has run out.", None),
        (
            {"fact": "timer_has_run_out", "yes": False},
            "The planning timer of this round has not run out.",
            None,
        ),
        (planning("p2", "p3"), "It is the planning phase; still to choose: Bo, Cleo.", None),
        (
            {"fact": "now_is", "phase": "action", "resolving": "p2"},
            "It is the action phase; Bo is next to resolve an action.",
            None,
        ),
        (
            {"fact": "now_is", "phase": "action", "resolving": "p2", "has_begun": True},
            "It is the action phase; Bo resolves an action.",
            None,
        ),
        ({"fact": "now_is", "phase": "end_of_round"}, "It is the end of the round, which has just begun.", None),
        (
            {"fact": "now_is", "phase": "end_of_round", "has_begun": True},
            "It is the end of the round, and it is being resolved.",
            None,
        ),
        (
            {"fact": "order_is", "seats": ["p2", "p1", "p3"]},
            "Actions of a number are resolved in this order: Bo, Ada, Cleo.",
            None,
        ),
        ({"fact": "order_is", "seats": []}, "The order of resolution is not frozen.", None),
        ({"fact": "waiting", "effects": []}, "Nothing is waiting to be resolved.", None),
        (
            {
                "fact": "waiting",
                "effects": [
                    {"seat": "p1", "effect": {"do": "check", "skill": "aim"}, "dice": [3], "due": 2},
                    {"seat": "p2", "effect": {"do": "flip"}},
                ],
            },
            "Waiting to be resolved: Ada must check aim (dice 3); Bo must flip the scouted tokens.",
            None,
        ),
        (
            {"fact": "waiting", "effects": [{"seat": "p1", "effect": {"do": "saved"}}]},
            "Waiting to be resolved: Ada must continue the saved game.",
            None,
        ),
        *(
            (
                {"fact": "waiting", "effects": [{"seat": "p1", "effect": effect}]},
                f"Waiting to be resolved: Ada must {words}.",
                None,
            )
            for effect, words in (
                (
                    {"do": "if", "when": [{"of": "round", "at_least": 2}], "then": [{"do": "stop_ship"}]},
                    "resolve this: under a condition: stop the ship",
                ),
                (
                    {
                        "do": "if",
                        "when": [{"of": "round", "at_least": 2}],
                        "then": [{"do": "read_space"}],
                        "otherwise": [{"do": "check_threat"}],
                    },
                    "resolve this: under a condition: read the entry of the ship’s space; otherwise: check the threat",
                ),
                (
                    {"do": "per", "of": "part", "effects": [{"do": "rerolls", "n": 1}]},
                    "resolve this: once or several times: re-roll tokens +1",
                ),
                ({"do": "keep_four"}, "keep four treasures"),
                ({"do": "check_off_event"}, "check off the next constellation event"),
                ({"do": "ask_box", "skill": "aim"}, "say if the box has a star"),
            )
        ),
    ],
)
def test_words(document: dict[str, Any], sentence: str, no_longer: str | None) -> None:
    (fact,) = reported_facts(voyage(), document)
    assert fact.sentence(NAMES) == sentence
    assert fact.no_longer(NAMES) == (no_longer or f"No longer true: {sentence}")


@pytest.mark.parametrize(
    ("state", "document", "message"),
    [
        (voyage(), {"fact": "page_is", "page": "atlantis"}, "The scenario has no page Atlantis."),
        (
            voyage(),
            {"fact": "page_is", "page": "open_sea", "features": [{"id": "lost", "max": 3}]},
            "Enter the contents of a page only for a table's own book.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": None, "actions": [{"number": 1}]},
            "Enter the contents of a page only for a table's own book.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": "12", "actions": [{"number": 1}, {"number": 1}]},
            "Two actions have the same number, or two dials have the same name.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": "12", "features": [{"id": "x", "max": 1}, {"id": "x", "max": 2}]},
            "Two actions have the same number, or two dials have the same name.",
        ),
        (
            voyage(),
            {"fact": "dial_is", "feature": "lost", "value": 0},
            "The page has no Lost that goes up to 0.",
        ),
        (voyage(), {"fact": "locked", "action": 9}, "There is no action 9 on this page."),
        (voyage(), {"fact": "stands_on", "seat": "p1", "action": 9}, "There is no action 9 on this page."),
        (
            voyage(),
            {"fact": "actions_taken", "actions": [2, 2]},
            "A limited or required action can be chosen only once in a round.",
        ),
        (voyage(), {"fact": "sheet_of", "seat": "p1", "sheet": "judge"}, "The scenario has no sheet Judge."),
        (voyage(), {"fact": "infamy_at", "seat": "p1", "place": 4}, "There are only 3 pirates."),
        (
            voyage(),
            {"fact": "boxes_filled", "seat": "p1", "skill": "aim", "count": 7},
            "That sheet has 6 boxes of aim.",
        ),
        (
            voyage(),
            {"fact": "stars_filled", "seat": "p1", "stars": ["a2"]},
            "Each star must be on that sheet, linked to the start star, and filled in once.",
        ),
        (
            voyage(),
            {"fact": "stars_filled", "seat": "p1", "stars": ["a1", "a1"]},
            "Each star must be on that sheet, linked to the start star, and filled in once.",
        ),
        (
            voyage(),
            {"fact": "events_of", "seat": "p1", "checked": 3, "tokens": 3},
            "A sheet has 5 constellation events.",
        ),
        (
            voyage(),
            {"fact": "events_of", "seat": "p1", "checked": 1},
            "Not enough event stars are filled in for that many events and tokens.",
        ),
        (
            voyage(),
            {"fact": "waiting", "effects": [{"seat": "p1", "effect": {"do": "check_off_event"}}]},
            "Not enough event stars are filled in for that many events and tokens.",
        ),
        (voyage(), {"fact": "rerolls_of", "seat": "p1", "count": 26}, "There are only 25 re-roll tokens."),
        (voyage(), {"fact": "misfortune_of", "seat": "p1", "count": 21}, "There are only 20 misfortune tokens."),
        (
            voyage(),
            {"fact": "treasure_at", "card": "gull_friend", "at": "p1"},
            "The scenario has no treasure Friend of Gulls.",
        ),
        (
            voyage(),
            {"fact": "story_at", "card": "iron_ladle", "at": "p1"},
            "The scenario has no story Iron Ladle.",
        ),
        (voyage(), {"fact": "ship_stat", "stat": "hull", "value": 15}, "The track of hull ends at 14."),
        (
            voyage(),
            {"fact": "cannons_are", "level": 3, "loaded": 1, "unloaded": 1},
            "There are only 1 level-3 cannons.",
        ),
        (
            voyage(),
            {"fact": "cannons_are", "level": 2, "loaded": 1, "unloaded": 2},
            "The Gunner's board has room for 4 cannons.",
        ),
        (voyage(), {"fact": "threat", "count": 6}, "There are only 5 threat tokens."),
        (voyage(), {"fact": "threat_events_checked", "count": 8}, "The ship's log has 7 threat events."),
        (
            voyage(),
            {"fact": "objective_is", "objective": "sleep", "threat_limit": 3},
            "The scenario has no objective Sleep.",
        ),
        (voyage(), {"fact": "token_at", "space": "z9", "token": "patrol"}, "The map has no space z9."),
        (voyage(), {"fact": "token_at", "space": "b2", "token": "kraken"}, "The scenario has no token Kraken."),
        (
            voyage(),
            {"fact": "token_at", "space": "b4", "token": "rocky_waters"},
            "The ship is there, so the space cannot be rocky waters.",
        ),
        (voyage(), {"fact": "face_down", "spaces": ["b2", "b2"]}, "A space can have only one token."),
        (
            voyage(),
            {"fact": "tokens_returned", "token": "patrol"},
            "No token is face down: returned tokens were shuffled in.",
        ),
        (
            voyage(face_down=("b2",)),
            {"fact": "tokens_returned", "token": "patrol", "count": 4},
            "There are not enough Tariff patrol off the map.",
        ),
        (voyage(), {"fact": "ship_at", "space": "d3"}, "Rocky waters are at d3: the ship cannot be there."),
        (voyage(), {"fact": "entries_read", "entry": "nonsense"}, "The scenario has no entry nonsense."),
        (
            voyage(),
            {"fact": "called_so", "of": "iron_ladle", "name": "Spoon"},
            (
                "You can only enter components if you play a scenario from your own copy of the game. This "
                "scenario knows its components."
            ),
        ),
        (at_table(), {"fact": "called_so", "of": "moon", "name": "Cheese"}, "There is no card or space moon."),
        (voyage(), planning("p1", "p1"), "Each player chooses one action."),
        (voyage(), planning("p8"), "There are only 3 players."),
        (
            voyage(),
            {"fact": "now_is", "phase": "action", "choosing": ["p1"]},
            "You can only choose an action in the planning phase.",
        ),
        (
            voyage(),
            {"fact": "now_is", "phase": "planning", "resolving": "p1"},
            "You can only resolve an action in the action phase.",
        ),
        (
            voyage(),
            {"fact": "order_is", "seats": ["p1", "p2", "p3"]},
            "With the options of this game, the order is never frozen.",
        ),
        (
            voyage(options={"infamy_order": "frozen"}),
            {"fact": "order_is", "seats": ["p1", "p2"]},
            "List every player once in the order.",
        ),
        (
            voyage(),
            {"fact": "waiting", "effects": [{"seat": "p1", "effect": {"do": "read", "entry": "nonsense"}}]},
            "That is not possible here: there is no entry 'nonsense'.",
        ),
    ],
)
def test_cannot_be(state: WatersState, document: dict[str, Any], message: str) -> None:
    assert unsound_reason(state, document) == message


def test_turn_of__with_the_phase_that_the_rules_give() -> None:
    def of(state: WatersState, seat: str) -> Any:
        rules, whose = rules_of(state), list(reported_facts(state, {"fact": "turn_of", "seat": seat}))
        return facts.apply_correction(rules, NAMES, state, facts.resolve(rules, NAMES, state, whose))

    state = voyage(phase="action", active=0, choosing=(), standees=(2, 4, 0), has_resolved=True)
    after = of(replace(state, agenda=(Step(0, FillStar()),)), "p2")
    assert (after.turn, after.active, after.has_resolved, after.agenda) == (state.turn + 1, 1, False, ())
    assert of(voyage(), "p3").choosing == (2, *(seat for seat in voyage().choosing if seat != 2))
    assert of(state, "p1") == state
    for seat, table in (("p3", state), ("p2", voyage(phase="action", active=0, choosing=(), standees=(2, 0, 0)))):
        with pytest.raises(UnsoundTable, match="turn"):
            of(table, seat)
