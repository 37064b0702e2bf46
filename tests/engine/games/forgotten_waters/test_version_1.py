"""Version 1 of the rules: its games continue unchanged, and version 2 can judge them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Draft
from engine.games.forgotten_waters.scenario.packs import EDITIONS, PACKS
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.versions import Options1
from engine.play import registry
from engine.review.audit import audit
from engine.review.versions import upcast
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, having, resolving, voyage
from tests.engine.games.playing import do
from tests.recorded.games import FOLDER, read, replay

OLD, NEW = registry.ruleset(FORGOTTEN_WATERS, "1"), registry.ruleset(FORGOTTEN_WATERS)
SCOUT = {"do": "scout", "n": 3}
KEPT = sorted((FOLDER / "forgotten-waters-1").glob("*.jsonl"))


def test_all_versions_are_installed_and_new_games_are_by_the_third() -> None:
    assert registry.versions(FORGOTTEN_WATERS) == ["1", "2", "3"]
    assert (NEW.version, NEW.reads_versions) == ("3", ("1", "2"))


def test_version_1_has_the_options_that_it_had() -> None:
    """Otherwise its openings, and so its hashes, would change."""
    fields = ("scenario", "infamy_order", "roles", "pirates", "book")
    assert Options1.__struct_fields__ == fields
    assert set(NEW.options.__struct_fields__) - set(fields) == {
        "check_discards",
        "ship_name",
        "timer_seconds",
        "edition",
        "difficulty",
    }


def test_a_state_by_version_1_is_read_as_one() -> None:
    state: Any = replay(*read(KEPT[0])).states[2]
    assert OLD.from_document(OLD.to_document(state)) == state
    assert state.is_version_1
    assert state.pack is not PACKS[state.options.scenario]


def test_upcast__the_opening_says_how_checks_ended_and_which_edition_was_read() -> None:
    """FW-R31."""
    opening = Draft(type="game_opened", params={"options": {"scenario": "table"}})
    added = {"check_discards": "before_the_roll", "edition": "first"}
    assert upcast(NEW, "1", opening).params == {"options": {"scenario": "table", **added}}
    other = Draft(type="read_round_end", actor="p1")
    assert upcast(NEW, "1", other) is other


@pytest.mark.parametrize(("edition", "page"), [("third", "fair_wind"), ("second", "fair_wind"), ("first", "open_sea")])
def test_edition__says_what_is_read(edition: str, page: str) -> None:
    """FW-R31."""
    state = voyage(options={"edition": edition})
    assert page in state.pack.page
    assert state.pack is EDITIONS[edition]["the_bell_below"]
    assert voyage(version="1").pack is EDITIONS["first"]["the_bell_below"]


# Differences


def test_event_stars__give_no_token_once_the_box_is_empty() -> None:
    state = voyage(7, version="1")
    for seat in (1, 2, 3):
        state = having(state, seat, event_tokens=5, stars=())
    state = resolving({"do": "fill_star"}, state=having(state, stars=("a1", "a2")))
    assert do(state, "p1", "fill_star", star="e1").pirates[0].event_tokens == 0
    state = resolving({"do": "fill_star"}, state=having(voyage(version="1"), stars=("a1", "a2")))
    assert do(state, "p1", "fill_star", star="e1").pirates[0].event_tokens == 1


def test_a_fifth_treasure__may_be_used() -> None:
    four = ("anchor_brooch", "gull_whistle", "iron_ladle", "ring_of_kelp")
    state = resolving({"do": "gain_treasure"}, state=having(voyage(version="1"), treasures=four))
    state = do(state, "p1", "draw_treasure", "rain_cloud")
    assert do(state, "p1", "use_treasure", treasure="rain_cloud").pirates[0].treasures == four


def test_checks__end_before_a_treasure_can_be_used() -> None:
    check = {"do": "check", "skill": "aim", "results": [{"effects": [{"do": "count", "counter": "read", "n": 1}]}]}
    state = do(resolving(check, state=having(voyage(version="1"), treasures=("false_flag",))), "p1", "roll_die", 6)
    assert state.counts == (("read", 1),)


def test_events__are_checked_off_before_the_first_is_read() -> None:
    state = resolving({"do": "resolve_events"}, state=having(voyage(version="1"), 2, event_tokens=3), seat=2)
    assert (state.pirates[2].event_tokens, state.pirates[2].events) == (0, 3)


def hidden() -> WatersState:
    """Two of three spaces are scouted (c4 and d4)."""
    state: WatersState = do(resolving(SCOUT, state=voyage(version="1")), "p1", "scout_space", space="c4")
    after: WatersState = do(state, "p1", "scout_space", space="d4")
    return after


def test_scouted_tokens__are_sailed_over() -> None:
    state = do(resolving({"do": "move_ship"}, state=hidden()), "p1", "move_ship", to="c4")
    assert (state.ship, state.face_down) == ("c4", ("c4", "d4"))


def test_tokens_taken_off__are_shuffled_in_at_once() -> None:
    state = do(resolving({"do": "move_ship"}, state=hidden()), "p1", "move_ship", "bottle", to="b3")
    state = resolving({"do": "remove_token"}, state=state)
    assert (len(state.navigation_pile.layers), state.face_down) == (1, ("c4", "d4"))


def test_the_winners_are_all_alike() -> None:
    state = resolving({"do": "reach_goal"}, state=having(voyage(version="1"), events=5))
    assert (state.outcome and state.outcome.superior) == ()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_version_2_judges_a_record_by_version_1(path: Any) -> None:
    """Version 1 differs in constellation events (FW-R10) and superior wins (FW-R22)."""
    header, lines = read(path)
    comparison = audit(replay(header, lines).events, rules="2").rules
    assert comparison is not None
    assert (comparison.recorded, comparison.replayed) == ("1", "2")
    differs = {operation["path"].split("/")[1] for one in comparison.differences for operation in one.patch}
    assert differs <= {"agenda", "pirates", "outcome"}
    assert comparison.verdicts == (header.reason == "superior_victory")
