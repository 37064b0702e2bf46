"""The setup page in pictures offers what its prompts ask for: each value once, each place with a name."""

from __future__ import annotations

import pytest

from engine.core.values import SEAT_IDS
from engine.kit.ruleset import AnyRuleset
from engine.kit.setup_page import SetupPage
from engine.play import registry
from engine.play.setting_up import plan
from tests.playouts import NAMES

DECLARED = ("forbidden-island", "forbidden-island-archaens", "forbidden-desert", "forever-island", "forgotten-waters")
TABLES = [
    (rules, seats)
    for rules in map(registry.ruleset, DECLARED)
    for seats in (2, 3, 4, 7)
    if rules.players[0] <= seats <= rules.players[1]
]
tables = pytest.mark.parametrize(("rules", "seats"), TABLES, ids=[f"{rules.id}-{seats}" for rules, seats in TABLES])


def page_of(rules: AnyRuleset, seats: int) -> SetupPage:
    shown = rules.setup_page(rules.parse_options({}, seats), NAMES[:seats])
    assert shown is not None
    return shown


def test_what_is_not_declared_is_asked_prompt_by_prompt() -> None:
    rules = registry.ruleset("forgotten-waters")
    pirates = [{"sheet": "cook"}, {"sheet": "ghost"}, {"standee": "red"}]
    assert rules.setup_page(rules.parse_options({"pirates": pirates}, 3), NAMES[:3]) is None
    pirates[2]["sheet"] = "taxman"
    shown = rules.setup_page(rules.parse_options({"pirates": pirates}, 3), NAMES[:3])
    assert shown is not None
    assert [step.title for step in shown.steps] == ["Infamy"]
    assert shown.steps[0].parts[0].choices[2].colour == "red"


def test_stars_without_known_links_are_drawn_alone() -> None:
    rules = registry.ruleset("forgotten-waters")
    shown = rules.setup_page(rules.parse_options({"scenario": "table"}, 3), NAMES[:3])
    assert shown is not None
    assert all(tile.vignette[0].d == "" for tile in shown.pictures.values())


@tables
def test_every_place_of_the_set_up_is_named_once(rules: AnyRuleset, seats: int) -> None:
    prompts = rules.setup_prompts(rules.parse_options({}, seats), NAMES[:seats], ())
    groups = [prompt.group for prompt in prompts]
    parts = [part for step in page_of(rules, seats).steps for part in step.parts]
    assert {part.group for part in parts} == set(groups)
    for part in parts:
        found = plan(rules, rules.parse_options({}, seats), NAMES[:seats], ())
        pile = found.piles[found.pile_of[groups.index(part.group)] or 0]
        count = pile.options.count(part.value) if part.kind == "find" else groups.count(part.group)
        assert len(part.names) == count == len(set(part.names))
        assert "{what}" in part.ask
        assert part.kind != "deal" or len(part.names) == seats * part.each
        assert part.slots == () or len(part.slots) == len(part.pictures) == len(part.names)


@tables
def test_everything_that_can_come_up_is_offered(rules: AnyRuleset, seats: int) -> None:
    """Only cards that would be drawn again are not offered: an opening card cannot raise the water."""
    shown = page_of(rules, seats)
    found = plan(rules, rules.parse_options({}, seats), NAMES[:seats], ())
    for part in (part for step in shown.steps for part in step.parts):
        place = next(at for at, prompt in enumerate(found.prompts) if prompt.group == part.group)
        pile = found.piles[found.pile_of[place] or 0]
        values = set(pile.options) - set(pile.more)
        offered = [one.value for family in part.families for one in family.choices]
        offered += [one.value for one in part.choices]
        if part.kind == "find":
            assert part.value in values
            values = set(offered)
            assert len(offered) == sum(prompt.group == part.group for prompt in found.prompts)
        if part.kind == "walk":
            offered = sorted(values)
        if part.kind == "mark":
            offered = [cell.value for cell in shown.cells if cell.value is not None] or sorted(values)
        assert len(offered) == len(set(offered))
        assert set(offered) == values


@tables
def test_every_tile_has_its_pictures(rules: AnyRuleset, seats: int) -> None:
    shown = page_of(rules, seats)
    parts = [part for step in shown.steps for part in step.parts]
    is_marked = any(part.kind == "mark" for part in parts)
    tiles = [one for part in parts if part.kind == "lay" for family in part.families for one in family.choices]
    for one in tiles:
        assert not shown.pictures[str(one.value)].is_flooded
        assert not is_marked or shown.pictures[f"{one.value}.marked"].is_flooded
        assert one.short
    assert {cell.picture for cell in shown.cells} <= set(shown.pictures)
    starts = {one.start for step in shown.steps for part in step.parts for one in part.choices} - {None}
    assert starts <= {one.value for one in tiles}


@pytest.mark.parametrize("id_", DECLARED[:3])
def test_who_begins_is_said(id_: str) -> None:
    rules = registry.ruleset(id_)
    options = rules.parse_options({"first_player": SEAT_IDS[1]}, 2)
    shown = rules.setup_page(options, ("Ann", "Bob"))
    assert shown is not None
    assert shown.ready == "Ready. Bob begins."
