"""Pictures: every state has a valid one, always the same, with the targets of actions and without hidden data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle, pairwise
from typing import Any

import msgspec
import pytest

import drawing
from driftlog.testing.pictures import alter_masked
from driftlog.testing.play import playouts_of
from driftlog.testing.tables import TableSetup, each_choice
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.kit.scene import Scene
from engine.kit.scenes import changes
from engine.play.registry import rulesets
from tests.drawing.pictures import attribute_values, read
from tests.drawing.test_svg import HOSTILE, nothing_is_cut_off
from tests.recorded.games import games, replay
from tests.recorded.games import read as kept

TABLES = each_choice()
"""Few tables, because pictures take long and pairs of options seldom affect them."""
NOT_PLACES = {("convert", "give"), ("convert", "take"), ("choose_skill", "skill"), ("read_out", "effects")}
"""Params whose values are not on the table: a kind of token, a skill, the contents of a table's own book."""


NAMES = ("Ann", "Maximiliane von und zu Hohenstein-Wittgenstein", "Bo", "Ann", HOSTILE[:80], "F", "Gus", "Hal")
"""Realistic and hostile names, short and long."""


def states_of(table: TableSetup) -> list[State]:
    """Return states of a random game; with default options also of recorded games, in which players get far."""
    states = [state for _, steps in playouts_of(table, 1) for state in some([state for state, _ in steps])]
    for path in games(table.ruleset) if not table.options else ():
        states += some([state for state in replay(*kept(path)).states if state is not None])
    return states


def some(states: list[State]) -> list[State]:
    """Return about four of the states, including the last."""
    return [*states[:: max(1, len(states) // 3)], states[-1]]


def names_of(table: TableSetup, state: State) -> tuple[str, ...]:
    return NAMES[: table.rules.seats(state)]


@pytest.mark.long
def test_every_state_has_a_picture(table: TableSetup) -> None:
    before: Scene | None = None
    for state, layout in zip(states_of(table), cycle(drawing.LAYOUTS), strict=False):
        names = names_of(table, state)
        scene = table.rules.board(state, names)
        ids = Counter(element.id for element in scene.elements())
        assert [id_ for id_, count in ids.items() if count > 1] == []
        for plane in scene.planes:
            places = Counter(tile.place for tile in plane.tiles if tile.place)
            assert [place for place, count in places.items() if count > 1] == []
        assert scene == table.rules.board(state, names)
        assert scene.description
        picture = drawing.svg(scene, before, layout=layout)
        assert picture == drawing.svg(scene, before, layout=layout)
        nothing_is_cut_off(read(picture))
        before = scene


@pytest.mark.rules
def test_what_actions_mean_is_in_the_picture(table: TableSetup) -> None:
    rules = table.rules
    for _, steps in playouts_of(table, 1):
        for state, legal in steps[:: max(1, len(steps) // 6)]:
            places = set(attribute_values(read(drawing.svg(rules.board(state, names_of(table, state)))), "data-place"))
            for one in legal:
                for param, value in msgspec.to_builtins(one.action).items():
                    if (one.action.type, param) not in NOT_PLACES:
                        assert all(is_there(places, *word) for word in words(param, value)), one


def is_there(places: set[str], param: str, value: str) -> bool:
    """Return True if a place has the value: plainly, or for named params, such as `to,space:b5`."""
    return value in places or any(
        place.endswith(f":{value}") and param in place.rpartition(":")[0].split(",") for place in places
    )


def words(param: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield each text in a param, with the nearest name around it."""
    if isinstance(value, str):
        yield param, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from words(key, part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from words(param, part)


def test_an_action_changes_the_picture(table: TableSetup) -> None:
    rules = table.rules
    for _, steps in playouts_of(table, 1):
        scenes = [rules.board(state, names_of(table, state)) for state, _ in steps[:40]]
        marked = [changes(one, other) for one, other in pairwise(scenes)]
        assert any(marked)
        for scene, found in zip(scenes[1:], marked, strict=True):
            assert found <= {element.id for element in scene.elements()}


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_the_picture_hides_what_the_view_hides(rules: AnyRuleset) -> None:
    hidden = 0
    for state in (state for path in games(rules.id) for state in replay(*kept(path)).states):
        view = None if state is None else rules.view(state, None)
        if state is None or view is None or view == rules.to_document(state):
            continue
        hidden += 1
        names = NAMES[: rules.seats(state)]
        other = rules.from_document(alter_masked(rules.to_document(state), view))
        assert other != state
        assert rules.board(other, names) == rules.board(state, names)
    assert bool(hidden) == rules.has_secrets
