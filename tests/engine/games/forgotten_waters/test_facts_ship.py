"""Facts about the ship, the sea and the log, and their consequences."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.state import replace
from engine.kit.piles import Pile
from engine.play.corrections import facts
from tests.engine.games.forgotten_waters.positions import at_table, voyage
from tests.engine.games.forgotten_waters.telling import (
    after,
    reported_facts,
    unsound_reason,
    with_pile,
)


def test_ship__a_lower_track_lowers_its_marker() -> None:
    state = after(voyage(), {"fact": "track_ends", "stat": "hull", "value": 8})
    assert (state.hull, state.maxima.hull) == (8, 8)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"fact": "ship_stat", "stat": "hull", "value": 0}, "drowned"),
        ({"fact": "ship_stat", "stat": "discontent", "value": 14}, "mutiny"),
        ({"fact": "threat_events_checked", "count": 7}, "threat"),
    ],
)
def test_ship__what_is_lost_is_lost(document: dict[str, Any], reason: str) -> None:
    outcome = after(voyage(), document).outcome
    assert (outcome.result, outcome.reason) == ("lost", reason)


def test_cannons__of_a_level() -> None:
    state = after(voyage(), {"fact": "cannons_are", "level": 1, "loaded": 3, "unloaded": 1})
    assert state.cannons == (Cannon(1), *(Cannon(1, is_loaded=True),) * 3)


def test_token__is_drawn_from_the_supply_or_from_where_nothing_is_told() -> None:
    patrols = (("b2", "patrol"), ("b3", "patrol"), ("c2", "patrol"))
    state = with_pile(voyage(), *patrols)
    moved = after(state, {"fact": "token_at", "space": "c3", "token": "patrol"})
    assert [space for space, token in moved.tokens if token == "patrol"] == ["b3", "c2", "c3"]
    lying = [{"fact": "token_at", "space": space, "token": token} for space, token in patrols]
    fourth = {"fact": "token_at", "space": "c3", "token": "patrol"}
    assert unsound_reason(state, *lying, fourth) == "There are only 3 Tariff patrol."


def test_token__lies_face_up_or_face_down() -> None:
    state = voyage(face_down=("b2", "b3"))
    up = after(state, {"fact": "token_at", "space": "b2", "token": "patrol"})
    assert (up.face_down, up.token_on("b2")) == (("b3",), "patrol")
    down = after(up, {"fact": "face_down", "spaces": ["b3", "b2"]})
    assert (down.face_down, down.token_on("b2")) == (("b3", "b2"), None)
    assert down.navigation_pile.cards() == voyage().navigation_pile.cards()
    face_up, face_down = {"fact": "token_at", "space": "b2", "token": "patrol"}, {"fact": "face_down", "spaces": ["b2"]}
    assert unsound_reason(voyage(), face_up, face_down) == "b2 has a face-up token."
    assert unsound_reason(voyage(face_down=("b2",)), face_up, face_down) == "b2 has a face-down navigation token."


def test_token__goes_back_to_the_others() -> None:
    state = with_pile(voyage(), ("b2", "patrol"))
    assert after(state, {"fact": "token_at", "space": "b2", "token": None}) == voyage()
    (patrol,) = state.pack.navigation[4:5]
    alone = replace(state, navigation_pile=Pile())
    lifted = reported_facts(alone, {"fact": "token_at", "space": "b2", "token": None})
    assert facts.put(alone, lifted).navigation_pile == Pile((("patrol",),))
    assert patrol.id == "patrol"


def test_token__a_location_comes_from_outside() -> None:
    state = after(voyage(), {"fact": "token_at", "space": "c3", "token": "weeping_wreck"})
    assert state.token_on("c3") == "weeping_wreck"


def test_tokens_returned__wait_until_none_lies_face_down() -> None:
    state = after(voyage(face_down=("b2",)), {"fact": "tokens_returned", "token": "patrol", "count": 2})
    assert state.navigation_pile.layers[1:] == (("patrol", "patrol"),)
    back = after(state, {"fact": "face_down", "spaces": []})
    assert back.navigation_pile == voyage().navigation_pile


def test_log__numbers_and_entries() -> None:
    state = voyage(counts=(("keys", 2),), entries=("watch", "cast_off", "watch"))
    assert after(state, {"fact": "count_is", "counter": "keys", "value": 0}).counts == ()
    assert after(state, {"fact": "entries_read", "entry": "watch", "count": 1}).entries == ("watch", "cast_off")
    read = after(state, {"fact": "entries_read", "entry": "cast_off", "count": 2}).entries
    assert read == ("watch", "cast_off", "watch", "cast_off")


def test_notes__on_a_table_s_own_box() -> None:
    state = after(
        at_table(),
        {"fact": "called_so", "of": "treasure_4", "name": "Spyglass"},
        {"fact": "called_so", "of": "a2", "name": "Reef"},
        {"fact": "icon_is", "card": "treasure_4", "skill": "aim", "n": 3},
        {"fact": "token_at", "space": "a2", "token": "shoal"},
    )
    assert (state.given_name("treasure_4"), state.given_name("a2"), state.icon("treasure_4", "aim")) == (
        "Spyglass",
        "Reef",
        3,
    )
    lifted = after(state, {"fact": "token_at", "space": "a2", "token": None})
    assert (lifted.given_name("treasure_4"), lifted.given_name("a2")) == ("Spyglass", None)
