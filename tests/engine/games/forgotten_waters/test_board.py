"""The picture of Forgotten Waters shows everything on the table, in its current place."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import GameOutcome
from engine.games.forgotten_waters.ruleset import ForgottenWaters
from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.scenario.values import Feature, Place
from engine.games.forgotten_waters.state import PirateChoice, WatersState, replace
from engine.games.forgotten_waters.view.vignettes import SIGHTS
from engine.kit.scene import Scene
from engine.kit.scene.panels import Charts, Counters, PlayerMat, Track
from engine.kit.scene.planes import Badge
from engine.kit.scenes import changes
from tests.engine.games.forgotten_waters.positions import BELL, TABLE_SHEETS, at_table, boxes, having, resolving, voyage

RULES = ForgottenWaters()
NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus")


def scene(state: WatersState) -> Scene:
    return RULES.board(state, NAMES[: len(state.pirates)])


def element(state: WatersState, id_: str) -> Any:
    """Return the element with this id; None if there is none."""
    return next((one for one in scene(state).elements() if one.id == id_), None)


def test_every_space_of_the_map_is_there() -> None:
    for state in (voyage(), at_table()):
        (map_, *_) = scene(state).planes
        assert {tile.place for tile in map_.tiles} == {f"to,space:{space}" for space in state.map.spaces()}
        for tile in map_.tiles:
            assert 0.5 <= tile.x <= map_.width - 0.49
            assert 0.43 <= tile.y <= map_.height - 0.43


def test_spaces_next_to_each_other_touch() -> None:
    state = voyage()
    (map_, _) = scene(state).planes
    at = {tile.id.removeprefix("space."): (tile.x, tile.y) for tile in map_.tiles}
    for space, near in state.map.spaces().items():
        for other in near:
            (x, y), (u, v) = at[space], at[other]
            assert ((u - x) ** 2 + (v - y) ** 2) ** 0.5 == pytest.approx(3**0.5 / 2)


def test_a_map_of_one_column() -> None:
    state = at_table(map={"columns": 1, "rows": 2})
    (map_,) = scene(state).planes
    assert (map_.width, map_.height) == (1, pytest.approx(3**0.5))


def test_the_tokens_of_the_map() -> None:
    state = voyage(face_down=("a3",), tokens=(("b3", "calm_water"), ("b4", "gullet_harbour"), ("d3", "rocky_waters")))
    looks = {space: element(state, f"space.{space}") for space in ("a2", "a3", "b3", "b4", "d3")}
    assert [one.label for one in looks.values()] == list(looks)
    assert [one.state for one in looks.values()] == ["empty", "face down", "", "the ship stops", "rocky"]
    # They differ in their pictures, not only in colour.
    assert len({one.vignette for one in looks.values()}) == len(looks)


def test_every_location_and_token_has_a_picture() -> None:
    for pack in (voyage().pack, at_table().pack):
        named = [one.id for one in (*pack.locations, *pack.navigation) if one.id not in {"rocky_waters", "navigation"}]
        assert {one for one in named if one not in SIGHTS} == set()


def test_a_token_that_the_pack_does_not_know() -> None:
    state = at_table(placed=[{"space": "c3", "token": "whirlpool"}])
    assert element(state, "space.c3").title == "c3: Whirlpool"


def test_the_ship_sails() -> None:
    assert element(voyage(), "ship").on == "space.b4"
    moved = voyage(ship="b5")
    assert element(moved, "ship").place == "to,space:b5"
    assert changes(scene(voyage()), scene(moved)) == {"ship"}


def test_the_actions_of_the_page() -> None:
    first, second = voyage().places[:2]
    places = (
        first,
        second,
        replace(first, number=3, kind="unlimited"),
        replace(first, number=4, kind="limited"),
        replace(first, number=5),
    )
    state = voyage(places=places, taken=(2,), locked=(5,), standees=(0, 2, 0))
    actions = [element(state, f"action.{number}") for number in range(1, 6)]
    assert [one.state for one in actions] == ["required", "taken", "any number", "one only", "locked"]
    assert (actions[0].label, actions[0].title) == (
        "Square the harbour master",
        "1: Square the harbour master, required",
    )
    assert actions[0].is_strong
    assert [(badge.symbol, badge.text) for badge in actions[0].badges] == [(None, "1"), ("crown", "?"), ("flame", "")]
    assert [one.place for one in actions] == [f"number:{number}" for number in range(1, 6)]
    assert element(state, "standee.p1") is None
    assert element(state, "standee.p2").on == "action.2"


def test_the_page_of_a_tables_own_book_has_numbers() -> None:
    state = replace(at_table(), page="12", places=(Place(number=1, kind="limited", is_locked=False),))
    (_, page) = scene(state).planes
    assert page.title == "Page 12"
    assert [(tile.label, tile.badges) for tile in page.tiles] == [("Page 12", ()), ("", (Badge(text="1"),))]
    assert [plane.id for plane in scene(at_table()).planes] == ["map"]
    assert [plane.height > 0 for plane in scene(replace(state, places=())).planes] == [True, True]


def test_dials_and_warning_of_the_location() -> None:
    state = voyage(page="unlit_fog", features=(Feature(id="lost", start=3, max=6),), dials=(2,))
    dial = element(state, "dial.lost")
    assert (dial.label, dial.value, dial.of) == ("Lost", 2, 6)
    page = BELL.page["unlit_fog"]
    assert element(state, "warning").text == page.warning
    assert element(voyage(page="nowhere", places=()), "warning") is None


def test_the_ships_boards() -> None:
    state = voyage(hull=2, crew=9, discontent=7, cannons=(Cannon(1, is_loaded=True),))
    assert [element(state, f"ship.{stat}").value for stat in ("hull", "crew", "discontent")] == [2, 9, 7]
    grave = [element(state, f"ship.{stat}").is_grave for stat in ("hull", "supplies", "crew", "discontent")]
    assert grave == [True, False, True, True]
    assert not element(voyage(), "ship.crew").is_grave
    cannons = [element(state, f"cannon.{number}") for number in (1, 2)]
    assert [cannon.label for cannon in cannons] == ["Level 1, loaded", "No cannon"]
    assert [(cannon.is_faint, cannon.place) for cannon in cannons] == [(False, "level:1"), (True, None)]
    assert element(voyage(cannons=(Cannon(2),)), "cannon.1").label == "Level 2, unloaded"


def test_objective_and_threat() -> None:
    state = voyage(threat=5, threat_events=6)
    assert element(state, "objective").title == "Objective: Rope, Clapper, Song"
    threat, events = element(state, "threat"), element(state, "threat_events")
    assert (threat.value, threat.is_grave, events.value, events.is_grave) == (5, True, 6, True)
    assert not element(voyage(), "threat").is_grave
    assert element(at_table(), "objective").text == "See the card for the goal."


def test_infamy_is_an_order_of_markers() -> None:
    track = element(voyage(infamy=(2, 0, 1)), "infamy")
    assert isinstance(track, Track)
    assert [step.pieces[0].seat for step in track.steps] == ["p3", "p1", "p2"]


@pytest.mark.parametrize(
    ("fields", "title", "at"),
    [
        ({}, "Round 1, part 1 · timer 90 s", 0),
        ({"has_timer_run_out": True}, "Round 1, part 1 · the timer has run out", 0),
        ({"phase": "action", "round": 3, "part": 2}, "Round 3, part 2", 1),
        ({"phase": "end_of_round"}, "Round 1, part 1", 2),
    ],
)
def test_the_phases_of_the_round(fields: dict[str, Any], title: str, at: int) -> None:
    track = element(voyage(**fields), "round")
    assert (track.title, track.at) == (title, at)


def test_a_book_without_a_timer_shows_none() -> None:
    assert element(replace(at_table(), phase="planning", choosing=(0,)), "round").title == "Round 0, part 1"


def test_what_lies_before_a_pirate() -> None:
    treasure, story = "sextant_of_maybe", BELL.stories[0]
    state = having(
        voyage(),
        boxes=boxes(aim=2),
        treasures=(treasure,),
        stories=(story.id,),
        rerolls=1,
        misfortune=2,
        event_tokens=1,
        events=3,
        stars=("a1",),
    )
    panel = element(state, "player.p1")
    assert isinstance(panel, PlayerMat)
    assert (panel.colour, panel.form, panel.role) == ("black", "circle", "The Bellringer's Child")
    assert panel.note == "Ship scribe, Boatswain, Lookout"
    gauges = {gauge.id.removesuffix(".p1"): gauge for gauge in panel.gauges}
    # The sheet has `o**oo*x` here.
    assert gauges["aim"].boxes == "##*..*x"
    assert gauges["brawn"].boxes == "*..*.*x"
    assert [gauges[name].value for name in ("stars", "events", "event_tokens", "rerolls", "misfortune")] == [
        1, 3, 1, 1, 2
    ]  # fmt: skip
    assert [card.place for card in panel.cards] == [treasure, story.id]
    assert panel.cards[0].label == "Sextant of Maybe (navigation +2)"


def test_boxes_that_are_printed_over_are_skipped() -> None:
    # The sheet has `x*oo*o*` here.
    state = having(voyage(), boxes=boxes(navigation=1))
    assert element(state, "navigation.p1").boxes == "x#..*.*"
    assert element(at_table(), "aim.p1").boxes == "......."


def test_a_pirates_own_name() -> None:
    sheets = TABLE_SHEETS[:3]
    pirates = [{"sheet": sheet, "name": name} for sheet, name in zip(sheets, ("Ruth", "Bo", "Cleo"), strict=True)]
    state = voyage(options={"scenario": "table", "pirates": pirates})
    assert isinstance(state.options.pirates[0], PirateChoice)
    assert element(state, "player.p1").role == "Ruth, Alchemist"
    assert element(state, "player.p2").role == "Assassin"


def test_a_card_without_icons_has_its_name_alone() -> None:
    state = having(at_table(), treasures=("treasure_1",))
    assert element(state, "card.treasure_1").label == "Treasure 1"


def test_the_dice_of_a_skill_check() -> None:
    check = {"do": "check", "skill": "aim"}
    rolled = resolving(check, state=having(voyage(), rerolls=1))
    assert element(rolled, "effect").text == "Ada must check aim."
    assert element(rolled, "dice") is None
    (step,) = rolled.agenda
    half = replace(rolled, agenda=(replace(step, dice=(7,), due=2),))
    assert element(half, "dice").title == "Aim check: a second die for misfortune"
    whole = replace(rolled, agenda=(replace(step, dice=(7, 3), due=2),))
    assert element(whole, "dice").title == "Aim check: 3 in total"
    assert [(die.label, die.place) for die in element(whole, "dice").cards] == [("7", "die:1"), ("3", "die:2")]


def test_what_can_be_chosen() -> None:
    waiting = resolving({"do": "fill_star"})
    assert element(waiting, "effect").text == "Ada must fill in 1 star."
    assert element(resolving({"do": "fill_star", "n": 2}), "effect").text == "Ada must fill in 2 stars."
    options = [{"name": "Sing"}, {"name": "Drown", "when": [{"of": "hull", "at_least": 99}]}]
    state = resolving({"do": "choose", "options": options})
    assert element(state, "effect").text == "Ada must choose: Sing or Drown."
    cards = element(state, "options").cards
    assert [(card.label, card.is_faint, card.place) for card in cards] == [
        ("1. Sing", False, "option:1"), ("2. Drown", True, "option:2")
    ]  # fmt: skip


def test_constellations_are_drawn_from_their_links() -> None:
    state = voyage(7)
    charts = element(state, "sky")
    assert isinstance(charts, Charts)
    for seat, plane in enumerate(charts.planes):
        sheet = state.sheet(seat)
        stars = [(tile.x, tile.y) for tile in plane.tiles]
        assert len(stars) == len(sheet.constellation) + 1
        assert all(0.5 <= x <= plane.width - 0.5 and 0.5 <= y <= plane.height - 0.5 for x, y in stars)
        apart = [(x - u) ** 2 + (y - v) ** 2 for x, y in stars for u, v in stars if (x, y) != (u, v)]
        assert len(set(stars)) == len(stars)
        assert min(apart) ** 0.5 > 0.8
        assert len(plane.paths) == sum(len(star.links) for star in sheet.constellation)


def test_stars_of_which_no_links_are_known_are_in_rows() -> None:
    plane = element(at_table(), "sky").planes[0]
    assert plane.paths == ()
    assert len({(tile.x, tile.y) for tile in plane.tiles}) == len(plane.tiles) == 18


def test_a_star_that_is_filled_in() -> None:
    state = having(voyage(), stars=("a1", "a2", "e1"))
    looks = {star: element(state, f"star.p1.{star}") for star in ("start", "a1", "e1", "e2", "b1")}
    assert [one.state for one in looks.values()] == ["filled", "filled", "filled", "", ""]
    assert [one.label for one in looks.values()] == ["S", "", "", "!", ""]
    assert [[badge.text for badge in one.badges] for one in looks.values()] == [[], [""], ["!"], [], []]
    assert looks["e1"].title == "Event star e1, filled in"
    assert looks["b1"].title == "Star b1, not filled in"
    assert changes(scene(voyage()), scene(having(voyage(), stars=("a1",)))) == {"star.p1.a1", "stars.p1"}


def test_stars_are_meant_only_where_one_is_to_be_filled_in() -> None:
    assert element(voyage(), "star.p1.a1").place is None
    state = resolving({"do": "fill_star"}, seat=1)
    assert element(state, "star.p1.a1").place is None
    assert element(state, "star.p2.a1").place == "star:a1"
    assert element(state, "star.p2.start").place is None
    # That constellation is on the board, the others are beside it.
    assert [plane.id for plane in scene(state).planes] == ["map", "page", "sky.p2"]
    assert "sky.p2" not in [plane.id for plane in element(state, "sky").planes]
    # The word "star" for this box does not change the table.
    assert "star.p2.a1" not in changes(scene(voyage()), scene(state))


def test_piles_and_log() -> None:
    pile = element(voyage(), "navigation")
    assert (pile.count, pile.notes) == (30, ())
    scouted = element(voyage(face_down=("a3",)), "navigation")
    assert (scouted.count, scouted.notes) == (29, ("1 of these are face down on the map.",))
    state = voyage(treasure_discard=("sextant_of_maybe",), counts=(("zeal", 2),))
    assert (element(state, "treasures").discarded, element(state, "treasures").top) == (1, "Sextant of Maybe")
    assert element(voyage(), "treasures").top == ""
    log = element(state, "log")
    assert isinstance(log, Counters)
    assert [(gauge.label, gauge.value) for gauge in log.gauges] == [("Zeal", 2)]
    assert element(voyage(), "log") is None


def test_special_rules_in_play() -> None:
    assert element(voyage(3), "rule.hungry_pirates").title == "Hungry Pirates"
    assert element(voyage(7), "rule.hungry_pirates") is None
    assert element(at_table(), "rule.hungry_pirates").text == "In play"


def test_once_the_game_is_over_nobody_acts() -> None:
    state = resolving({"do": "fill_star"})
    assert element(state, "player.p1").is_awaited
    over = replace(state, outcome=GameOutcome("lost", (), "mutiny", "End of the Game"))
    assert not any(panel.is_active or panel.is_awaited for panel in scene(over).panels if isinstance(panel, PlayerMat))
    assert element(over, "effect") is None


def test_the_ship_bears_its_name() -> None:
    named = voyage(options={"ship_name": "Merry Widow"})
    assert (element(named, "stats").title, element(named, "ship").title) == ("Merry Widow", "Merry Widow on b4")
    assert (element(voyage(), "stats").title, element(voyage(), "ship").title) == ("The ship", "The ship on b4")


def test_the_timer_is_as_long_as_the_table_says() -> None:
    """FW-R4."""

    def title(**options: Any) -> str:
        return str(element(voyage(options=options), "round").title)

    assert title().endswith("timer 90 s")
    assert title(timer_seconds=45).endswith("timer 45 s")
    assert "timer" not in title(timer_seconds=0)
