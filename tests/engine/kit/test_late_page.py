"""The page for a game that is already under way: its facts suffice to begin a record, whatever is left out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import UnsoundTable
from engine.kit.first_tables import first_table
from engine.kit.late_page import UNKNOWN
from engine.kit.setup_page import Report, SetupPage
from engine.play.beliefs.belief import worlds
from engine.play.registry import ruleset
from service.late import late_plan
from tests.engine.kit.test_parts import RULES, Varied
from tests.installing import installed
from tests.late import Given, answers, begun, facts_of, position
from tests.playouts import NAMES
from tests.recording import Recording

RULESETS = ("forbidden-island", "forbidden-island-archaens", "forbidden-desert", "forever-island")
UNSEEN = {"flood_pile_is", "storm_pile_is", "turn_is"}
"""Facts that nobody can see on the table: the order of piles, and the number of the turn."""


def seen(facts: list[dict[str, Any]]) -> list[bytes]:
    """Return the facts that players see on the table. A tile that lies face down shows its desert side only."""
    found = (fact if fact.get("is_excavated", True) else fact | {"city_side": None} for fact in facts)
    return sorted(msgspec.json.encode(fact) for fact in found if fact["fact"] not in UNSEEN)


def page_of(id_: str, seats: int) -> SetupPage:
    rules = ruleset(id_)
    shown = rules.late_page(rules.parse_options({}, seats), NAMES[:seats])
    assert shown is not None
    return shown


def reports(id_: str, seats: int) -> list[Report]:
    parts = (part for step in page_of(id_, seats).steps for part in step.parts)
    return [part.report for part in parts if part.report is not None]


def at_setup(id_: str, seats: int, *, with_optional: bool) -> dict[str, Any]:
    """Return what the page reports about a table after a setup."""
    rules = ruleset(id_)
    table = first_table(lambda chance: rules.setup(rules.parse_options({}, seats), seats, chance))
    facts, page = facts_of(id_, table), page_of(id_, seats)
    given: list[Given] = answers(page, facts)
    parts = [part for step in page.steps for part in step.parts]
    for number, part in enumerate(parts):
        if part.report is not None and part.report.is_optional and not with_optional:
            given[number] = [None] * len(part.names)
    return position(page, given, facts)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("id_", RULESETS[:3])
def test_a_page_without_optional_parts_begins_a_record(id_: str, seats: int) -> None:
    recording = Recording(id_, seats)
    recording.add("set_up", position=at_setup(id_, seats, with_optional=False))
    state: Any = recording.game.state
    assert not any(getattr(state, name, ()) for name in ("flooded", "sunk", "flood_discard", "storm_discard"))
    assert state.active == 0
    assert not any(state.hands if hasattr(state, "hands") else state.equipment)


def test_an_island_without_totems_or_players_is_refused() -> None:
    with pytest.raises(UnsoundTable) as refused:
        Recording("forever-island", 2).add("set_up", position=at_setup("forever-island", 2, with_optional=False))
    assert "There are 5 totems" in str(refused.value)


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("id_", RULESETS)
def test_the_page_can_describe_any_table_at_the_start_of_a_turn(id_: str, seats: int, seed: int) -> None:
    facts = facts_of(id_, begun(id_, seats, seed))
    page = page_of(id_, seats)
    recording = Recording(id_, seats)
    recording.add("set_up", position=position(page, answers(page, facts), facts))

    assert seen(facts_of(id_, recording.game.state)) == seen(facts)


@pytest.mark.parametrize(("id_", "hands"), [("forbidden-island", "hands"), ("forbidden-desert", "equipment")])
def test_cards_that_nobody_names_stay_unknown(id_: str, hands: str) -> None:
    told = at_setup(id_, 2, with_optional=False)
    (report,) = (report for report in reports(id_, 2) if report.unknown == UNKNOWN)
    told["facts"] = [fact for fact in told["facts"] if fact["fact"] != report.size]
    told["facts"] += [{"fact": report.size, "seat": seat, "count": count} for seat, count in (("p1", 2), ("p2", 0))]
    recording = Recording(id_, 2)
    recording.add("set_up", None, [None, None], position=told)
    state = recording.game.state
    assert state is not None
    assert len({getattr(world.state, hands) for world in worlds(state)}) > 1
    assert all(list(map(len, getattr(world.state, hands))) == [2, 0] for world in worlds(state))


@pytest.mark.parametrize("id_", RULESETS)
def test_every_fact_is_one_of_the_game(id_: str) -> None:
    rules = ruleset(id_)
    for report in reports(id_, 3):
        known = [value for value in report.stock if value != report.unknown]
        for fact in report.facts:
            members = report.means.get(known[-1], ({report.member: known[-1]},))
            assert rules.parse_facts([fact | members[0]], "")
        assert not report.size or report.size in {kind.tag() for kind in rules.facts}


@pytest.mark.parametrize("id_", RULESETS)
def test_the_plan_has_a_place_for_each_fact_and_a_pile_for_each_part(id_: str) -> None:
    shown = page_of(id_, 4)
    plan = late_plan(ruleset(id_), shown)
    parts = [part for step in shown.steps for part in step.parts]
    assert len(plan["piles"]) == len(parts) == len({part.group for part in parts})
    for number, part in enumerate(parts):
        places = [place for place in plan["places"] if place["pile"] == number]
        assert {place["group"] for place in places} == {part.group}
        assert len(places) == len(part.names)
        if part.kind == "walk":
            # The tiles that are laid at its places report them.
            continue
        assert part.report is not None
        assert len(places) == len(part.report.facts)
        assert sum(one["count"] for one in plan["piles"][number]["outcomes"]) == len(part.report.stock)


def test_numbers_that_end_the_game_are_not_offered() -> None:
    stocks = {report.member: report.stock for report in reports("forbidden-desert", 2)}
    assert stocks["tick"] == tuple(range(1, 14))
    assert min(stocks["level"]) == 0
    assert {report.member: report.stock for report in reports("forbidden-island", 2)}["level"] == tuple(range(1, 10))


def test_a_game_of_parts_has_a_page() -> None:
    with installed(*RULES):
        page = page_of("varied", 2)
        parts = {part.group: part for step in page.steps for part in step.parts}
        assert {part.kind for part in parts.values()} == {"deal", "pick"}
        assert [choice.label for choice in parts["Pawn"].choices] == ["Start", "Reef", "Goal"]
        assert parts["Tide"].report is not None
        assert parts["Tide"].report.stock == (-1, 0, 1, 2, 3)
        assert page_of("pig", 2).steps[0].parts[0].range == (0, 1_000_000)
        table = Varied().setup(Varied.options(), 2, None)  # type: ignore[arg-type]  # nothing is drawn
        table = msgspec.structs.replace(table, lamp="off", tide=-1, score=(3, 0), pawns=("reef", "start"))
        facts = facts_of("varied", table)
        recording = Recording("varied", 2)
        recording.add("set_up", position=position(page, answers(page, facts)))
        assert recording.game.state == table


def test_some_games_have_no_such_page() -> None:
    # Waters: stars, cards and tokens are too many to enter, and without them the record would find slips that are none.
    rules = ruleset("forgotten-waters")
    assert rules.late_page(rules.parse_options({}, 3), NAMES[:3]) is None
    with installed(*RULES):
        for hidden in (ruleset("secretive"), ruleset("bare")):
            assert hidden.late_page(hidden.parse_options({}, 2), NAMES[:2]) is None


def test_without_a_title_for_a_fact_that_begins_by_chance_there_is_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("forbidden-island")
    (kind,) = (one for one in rules.facts if one.__name__ == "StandsOn")
    monkeypatch.setattr(kind, "title", "")
    assert rules.late_page(rules.parse_options({}, 2), NAMES[:2]) is None
