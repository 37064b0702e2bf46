"""Adjustments by a patch of the state, and positions at the beginning of a record."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import GameOver, IllegalAction, Malformed
from engine.games.forbidden_island.components import ROLES
from tests.engine.play.correcting import round_trip
from tests.engine.recording import dealt, ended, played
from tests.recording import Recording

# Adjust


def adjust(recording: Recording, *patch: dict[str, Any], **more: Any) -> None:
    recording.add("adjust", patch=list(patch), reason="as it lies on the table", **more)


def test_adjust__puts_the_table_right() -> None:
    recording = played()
    adjust(recording, {"op": "replace", "path": "/water_level", "value": 4}, agreed=["p1", "p2"])
    assert recording.game.state.water_level == 4  # type: ignore[union-attr]
    assert recording.events[-1].params["agreed"] == ("p1", "p2")
    round_trip(recording)


def test_adjust__a_card_comes_into_a_hand_in_any_place() -> None:
    recording = played()
    pile = recording.game.ruleset.to_document(recording.game.state)["treasure_pile"]["layers"][0]
    adjust(
        recording,
        {"op": "test", "path": f"/treasure_pile/layers/0/{pile.index('sandbags')}", "value": "sandbags"},
        {"op": "move", "from": f"/treasure_pile/layers/0/{pile.index('sandbags')}", "path": "/hands/1/0"},
    )
    assert recording.game.state.hands[1] == ("crystal_of_fire", "helicopter_lift", "sandbags")  # type: ignore[union-attr]
    round_trip(recording)


def test_adjust__nobody_sits_down() -> None:
    recording = played()
    roles = set(ROLES) - set(recording.game.state.roles)
    newcomer = [
        {"op": "add", "path": f"/{field}/-", "value": value}
        for field, value in (("roles", min(roles)), ("pawns", "fools_landing"), ("hands", []))
    ]
    with pytest.raises(IllegalAction, match="seats"):
        adjust(recording, *newcomer)


def test_adjust__no_seventh_card() -> None:
    with pytest.raises(IllegalAction, match="28 treasure cards"):
        adjust(played(), {"op": "add", "path": "/hands/1/-", "value": "sandbags"})


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        ({"op": "test", "path": "/water_level", "value": 9}, Malformed, "9"),
        ({"op": "replace", "path": "/nothing/here", "value": 1}, Malformed, "nothing"),
        ({"op": "dance", "path": "/water_level"}, Malformed, "Unknown operation"),
        ({"path": "/water_level"}, Malformed, "does not contain 'op'"),
        ({"op": ["add"], "path": "/x", "value": 1}, Malformed, "op must be a string"),
        ({"op": "replace", "path": 5, "value": 1}, Malformed, "Invalid 'path'"),
        (
            {"op": "replace", "path": "/water_level", "value": "high"},
            Malformed,
            "must be a whole number, not a text",
        ),
        ({"op": "replace", "path": "/water_level", "value": 1.5}, Malformed, "must be whole"),
        ({"op": "replace", "path": "/water_level", "value": 2**53}, Malformed, "must be whole"),
        ({"op": "replace", "path": "/hands", "value": [[], []]}, IllegalAction, "28 treasure cards"),
        ({"op": "replace", "path": "", "value": []}, Malformed, "must be an object, not a list"),
        ({"op": "replace", "path": "/turn", "value": 3}, None, ""),
        ({"op": "add", "path": "/watr_level", "value": 3}, Malformed, "the table has no such member"),
        ({"op": "add", "path": "/flood_pile/cards", "value": 3}, Malformed, "the table has no such member"),
        ({"op": "replace", "path": "/options/difficulty", "value": "elite"}, IllegalAction, "options"),
        (
            {
                "op": "replace",
                "path": "/outcome",
                "value": {"result": "won", "winners": ["p1", "p2"], "reason": "lifted_off", "rule": "Winning the Game"},
            },
            IllegalAction,
            "outcome",
        ),
    ],
)
def test_adjust__what_it_can_and_cannot(operation: dict[str, Any], error: type[Exception] | None, message: str) -> None:
    recording = played()
    if error is None:
        adjust(recording, operation)
        assert recording.game.version == 6
        return
    with pytest.raises(error, match=message):
        adjust(recording, operation)
    assert recording.game.version == 5


def test_adjust__no_patch_is_too_deep_or_too_large() -> None:
    deep: Any = 1
    for _ in range(30):
        deep = [deep]
    with pytest.raises(Malformed, match="nested too deeply"):
        adjust(played(), {"op": "add", "path": "/x", "value": deep})
    doubling = [{"op": "copy", "from": "", "path": f"/x{number}"} for number in range(40)]
    with pytest.raises(Malformed, match="too large"):
        adjust(played(), *doubling)


JSON = st.recursive(st.none() | st.booleans() | st.integers(0, 9) | st.text(max_size=4), st.lists, max_leaves=4)
PATHS = st.sampled_from(
    ["", "/", "/turn", "/hands", "/hands/0", "/hands/-", "/hands/0/9", "/hands/x", "~2", "/no/such"]
)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]) | JSON,
            "path": PATHS | JSON,
            "from": PATHS | JSON,
            "value": JSON,
        },
    )
)
def test_adjust__whatever_is_sent_is_taken_or_told(operation: dict[str, Any]) -> None:
    recording = played()
    with suppress(Malformed, IllegalAction):
        adjust(recording, operation)


def test_adjust__not_at_length_while_the_table_may_be_any_of_many() -> None:
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    for tile in ("breakers_bridge", "bronze_gate"):
        recording.add("draw_flood_card", "p1", [tile])
    recording.add("draw_treasure_card", "p2", [None])
    operation = {"op": "replace", "path": "/water_level", "value": 3}
    with pytest.raises(Malformed, match="114 tables are possible: send fewer facts at a time") as refused:
        recording.add("adjust", patch=[operation] * 100, reason="as it lies")
    assert refused.value.pointer == "/params/patch"
    recording.add("adjust", patch=[operation] * 80, reason="as it lies")
    round_trip(recording)


def test_adjust__the_patch_stays_as_it_was_sent() -> None:
    recording = played()
    hand = ["sandbags", "sandbags", "earth_stone", "earth_stone"]
    patch = [
        {"op": "test", "path": "/hands/0", "value": recording.states[-1].hands[0]},
        {"op": "add", "path": "/hands/0", "value": list(hand)},
        {"op": "remove", "path": "/hands/0/0"},
        {"op": "add", "path": "/hands/0/0", "value": "sandbags"},
    ]
    with suppress(IllegalAction):
        recording.add("adjust", patch=patch, reason="as it lies")
    assert patch[1]["value"] == hand


def test_adjust__agreed_by_who_sits_there() -> None:
    with pytest.raises(Malformed, match="p4 is not a seat"):
        adjust(played(), {"op": "replace", "path": "/water_level", "value": 4}, agreed=["p4"])


def test_adjust__not_once_it_is_over() -> None:
    with pytest.raises(GameOver):
        adjust(ended(), {"op": "replace", "path": "/water_level", "value": 4})


# A record that begins in the middle


def position(recording: Recording) -> dict[str, Any]:
    found = recording.game.ruleset.to_document(recording.game.state)
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))
    return document


def test_position__the_record_begins_there() -> None:
    middle = played()
    recording = Recording()
    recording.add("set_up", position=position(middle))
    assert recording.game.state == middle.game.state
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    round_trip(recording)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"water_level": 99}, IllegalAction, "the water level is on the meter"),
        ({"water_level": "high"}, Malformed, "must be a whole number"),
        ({"hands": []}, IllegalAction, "it violates “28 treasure cards”"),
        ({"options": {"difficulty": "elite"}}, Malformed, "must be the same as the options of the game"),
    ],
)
def test_position__what_is_none(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    recording = Recording()
    with pytest.raises(error, match=message):
        recording.add("set_up", position={**position(played()), **changes})


def test_position__of_another_table() -> None:
    with pytest.raises(Malformed, match="the position has 2 seats, and the game has 3"):
        Recording(seats=3).add("set_up", position=position(played()))


def test_position__not_after_the_end() -> None:
    with pytest.raises(IllegalAction, match="The game is already over"):
        Recording().add("set_up", position=position(ended()))
