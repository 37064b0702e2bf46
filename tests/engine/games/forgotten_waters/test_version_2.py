"""Forgotten Waters: version 2 of the rules, for stored games of the second edition."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Draft
from engine.games.forgotten_waters.scenario.packs import EDITIONS
from engine.games.forgotten_waters.versions import Options2
from engine.play import registry
from engine.review.audit import audit
from engine.review.versions import upcast
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, voyage
from tests.recorded.games import FOLDER, read, replay

OLD, NEW = registry.ruleset(FORGOTTEN_WATERS, "2"), registry.ruleset(FORGOTTEN_WATERS)
KEPT = sorted((FOLDER / "forgotten-waters-2").glob("*.jsonl"))


def test_version_2_has_the_options_that_it_had() -> None:
    assert set(NEW.options.__struct_fields__) - set(Options2.__struct_fields__) == {"difficulty"}
    assert Options2().edition == "second"


def test_a_state_by_version_2_is_read_as_one() -> None:
    state: Any = voyage(version="2", options={"edition": "second"})
    assert OLD.from_document(OLD.to_document(state)) == state
    assert state.pack is EDITIONS["second"]["the_bell_below"]


@pytest.mark.parametrize("edition", ["second", "first"])
def test_upcast__the_opening_says_which_edition_was_read(edition: str) -> None:
    """FW-R31."""
    given = {} if edition == "second" else {"edition": edition}
    opening = Draft(type="game_opened", params={"options": given})
    assert upcast(NEW, "2", opening).params == {"options": {"edition": edition}}
    assert EDITIONS["third"] is not EDITIONS["second"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_version_3_judges_a_record_by_version_2(path: Any) -> None:
    header, lines = read(path)
    comparison = audit(replay(header, lines).events, rules="3").rules
    assert comparison is not None
    assert (comparison.recorded, comparison.replayed) == ("2", "3")
    differs = {operation["path"] for one in comparison.differences for operation in one.patch}
    assert {path for path in differs if not path.startswith("/options")} == set()
