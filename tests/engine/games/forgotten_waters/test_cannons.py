"""Forgotten Waters: Cannons: gained, upgraded, loaded, fired and lost."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.state import WatersState
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import resolving, voyage
from tests.engine.games.playing import do, offered, refused, said

EFFECTS = "Resolving Game Effects"
RULES = registry.ruleset("forgotten-waters")
Document = dict[str, Any]
CANNONS = "Cannons"


def cannons(state: WatersState) -> list[tuple[int, bool]]:
    return [(cannon.level, cannon.is_loaded) for cannon in state.cannons]


def test_cannon__gained_from_the_supply() -> None:
    assert cannons(resolving({"do": "gain_cannon", "level": 2})) == [(1, False), (1, True), (2, False)]


def test_cannon__none_left() -> None:
    state = voyage(cannons=(Cannon(3, is_loaded=True),))
    assert cannons(resolving({"do": "gain_cannon", "level": 3}, state=state)) == [(3, True)]


def test_cannon__at_most_4() -> None:
    """FW-R16."""
    state = resolving({"do": "gain_cannon", "level": 2}, state=voyage(cannons=(Cannon(1),) * 4))
    assert len(state.agenda) == 1
    assert RULES.awaiting(state) == (2,)


def test_cannon__discarded_to_make_room() -> None:
    """FW-R16."""
    state = resolving({"do": "gain_cannon", "level": 2}, state=voyage(cannons=(Cannon(1),) * 4))
    assert cannons(do(state, "p3", "discard_cannon", level=1, is_loaded=False)) == [(1, False)] * 3 + [(2, False)]


def test_cannon__or_left_in_the_supply() -> None:
    """FW-R16."""
    state = resolving({"do": "gain_cannon", "level": 2}, state=voyage(cannons=(Cannon(1),) * 4))
    assert cannons(do(state, "p3", "stop")) == [(1, False)] * 4
    assert refused(state, "p1", "stop") == Refusal(EFFECTS, "Only the Gunner can decide that.")


def test_cannon__discarded_at_any_time() -> None:
    assert cannons(do(voyage(), "p3", "discard_cannon", level=1, is_loaded=True)) == [(1, False)]


def test_cannon__discarded_by_the_gunner() -> None:
    """FW-R23."""
    assert refused(voyage(), "p1", "discard_cannon", level=1, is_loaded=True) == Refusal(
        CANNONS, "Only the Gunner can change the cannons."
    )


def test_cannon__only_one_that_is_there() -> None:
    assert refused(voyage(), "p3", "discard_cannon", level=2, is_loaded=True) == Refusal(
        CANNONS, "There is no loaded level-2 cannon on the ship."
    )


def test_cannon__upgraded_in_the_same_state() -> None:
    """FW-R16."""
    state = resolving({"do": "upgrade_cannon", "n": 2})
    state = do(state, "p3", "upgrade_cannon", level=1, is_loaded=True)
    assert cannons(state) == [(1, False), (2, True)]
    assert cannons(do(state, "p3", "upgrade_cannon", level=1, is_loaded=False)) == [(2, False), (2, True)]


def test_cannon__upgraded_by_the_gunner() -> None:
    """FW-R16."""
    state = resolving({"do": "upgrade_cannon"})
    assert refused(state, "p1", "upgrade_cannon", level=1, is_loaded=True) == refused(
        state, "p1", "discard_cannon", level=1, is_loaded=True
    )


def test_cannon__upgraded_by_1() -> None:
    """FW-R16."""
    state = resolving({"do": "upgrade_cannon"}, state=voyage(cannons=(Cannon(1), Cannon(3))))
    assert refused(state, "p3", "upgrade_cannon", level=3, is_loaded=False) == Refusal(
        CANNONS, "The supply has no level-4 cannon."
    )


def test_cannon__not_upgraded_where_the_supply_has_no_next_level() -> None:
    """FW-R16."""
    assert resolving({"do": "upgrade_cannon"}, state=voyage(cannons=(Cannon(2), Cannon(3)))).agenda == ()


def test_cannon__may_be_left_as_it_is() -> None:
    """FW-R16."""
    assert do(resolving({"do": "upgrade_cannon"}), "p3", "stop").agenda == ()


def test_cannon__nothing_to_upgrade() -> None:
    assert resolving({"do": "upgrade_cannon"}, state=voyage(cannons=())).agenda == ()
    assert refused(voyage(), "p3", "upgrade_cannon", level=1, is_loaded=True) == Refusal(
        CANNONS, "You cannot upgrade a cannon now."
    )


def test_cannon__loaded() -> None:
    state = resolving({"do": "load_cannon", "n": 2})
    assert offered(state, "p3", "load_cannon") == [1]
    assert cannons(do(state, "p3", "load_cannon", level=1)) == [(1, True), (1, True)]
    assert refused(voyage(), "p3", "load_cannon", level=1) == Refusal(CANNONS, "You cannot load a cannon now.")


def test_cannon__unloaded() -> None:
    state = resolving({"do": "unload_cannon"})
    assert cannons(do(state, "p3", "unload_cannon", level=1)) == [(1, False), (1, False)]
    assert refused(state, "p3", "unload_cannon", level=2) == Refusal(
        CANNONS, "There is no loaded level-2 cannon on the ship."
    )
    assert refused(voyage(), "p3", "unload_cannon", level=1) == Refusal(CANNONS, "You cannot unload a cannon now.")


def test_cannon__lost() -> None:
    state = resolving({"do": "lose_cannon", "n": 5})
    state = do(state, "p3", "discard_cannon", level=1, is_loaded=True)
    assert cannons(do(state, "p3", "discard_cannon", level=1, is_loaded=False)) == []


@pytest.mark.parametrize(
    ("effect", "type_", "params", "label", "sentence"),
    [
        (
            "upgrade_cannon",
            "upgrade_cannon",
            {"level": 1, "is_loaded": True},
            "Upgrade the loaded level-1 cannon",
            "upgrades the loaded level-1 cannon",
        ),
        ("load_cannon", "load_cannon", {"level": 1}, "Load a level-1 cannon", "loads a level-1 cannon"),
        ("unload_cannon", "unload_cannon", {"level": 1}, "Unload a level-1 cannon", "unloads a level-1 cannon"),
        (
            "lose_cannon",
            "discard_cannon",
            {"level": 1, "is_loaded": False},
            "Discard the unloaded level-1 cannon",
            "discards the unloaded level-1 cannon",
        ),
    ],
)
def test_cannon__is_told(effect: str, type_: str, params: Document, label: str, sentence: str) -> None:
    its_label, its_sentence = said(resolving({"do": effect}), "p3", type_, **params)
    assert its_label == label
    assert its_sentence.startswith(f"Cleo {sentence}. Cannons: ")
