"""The page for a game that is already under way: its facts suffice to begin a record, whatever is left out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kit.setup_page import Report, SetupPage
from engine.play.registry import ruleset
from service.late import late_plan
from tests.playouts import NAMES
from tests.recording import Recording

RULESETS = ("forbidden-island", "forbidden-island-archaens")


def page_of(id_: str, seats: int) -> SetupPage:
    rules = ruleset(id_)
    shown = rules.late_page(rules.parse_options({}, seats), NAMES[:seats])
    assert shown is not None
    return shown


def reports(id_: str, seats: int) -> list[Report]:
    parts = (part for step in page_of(id_, seats).steps for part in step.parts)
    return [part.report for part in parts if part.report is not None]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("id_", RULESETS)
def test_a_page_without_optional_parts_begins_a_record(id_: str, seats: int) -> None:
    told: list[Any] = []
    for report in reports(id_, seats):
        if not report.is_optional:
            told += [{**fact, report.member: value} for fact, value in zip(report.facts, report.stock, strict=False)]
        told += [report.rest] if report.rest else []
    recording = Recording(id_, seats)
    recording.add("set_up", position={"facts": told})
    state: Any = recording.game.state
    assert (state.flooded, state.sunk, state.flood_discard) == (frozenset(), frozenset(), ())
    assert state.active == 0


@pytest.mark.parametrize("id_", RULESETS)
def test_every_optional_fact_is_one_of_the_game(id_: str) -> None:
    rules = ruleset(id_)
    for report in reports(id_, 3):
        known = [value for value in report.stock if value != report.unknown]
        for fact in report.facts:
            assert rules.parse_facts([{**fact, report.member: known[-1]}], "")
        assert not report.size or report.size in {kind.tag() for kind in rules.facts}


@pytest.mark.parametrize("id_", RULESETS)
def test_the_plan_has_a_place_for_each_fact_and_a_pile_for_each_part(id_: str) -> None:
    shown = page_of(id_, 4)
    plan = late_plan(ruleset(id_), shown)
    parts = [part for step in shown.steps for part in step.parts]
    assert len(plan["piles"]) == len(parts) == len({part.group for part in parts})
    for number, part in enumerate(parts):
        assert part.report is not None
        places = [place for place in plan["places"] if place["pile"] == number]
        assert {place["group"] for place in places} == {part.group}
        assert len(places) == len(part.report.facts) == len(part.names)
        assert sum(one["count"] for one in plan["piles"][number]["outcomes"]) == len(part.report.stock)


def test_other_games_have_no_such_page() -> None:
    rules = ruleset("forgotten-waters")
    assert rules.late_page(rules.parse_options({}, 3), NAMES[:3]) is None
