"""The picture of Forever Island shows everything on the table, in its current place."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.values import SEAT_IDS, GameOutcome
from engine.games.forever_island.components import AREAS, TILES, Goods
from engine.games.forever_island.state import Exchange, ForeverState, Raid, replace
from engine.kit.scene import Scene
from engine.kit.scene.panels import Gauge, Meter, Note, PlayerMat
from engine.kit.scene.planes import Piece, Tile
from engine.kit.scenes import changes
from tests.engine.games.forever_island.positions import RULES, atoll
from tests.engine.games.playing import do
from tests.playouts import NAMES


def scene(state: ForeverState, viewer: int | None = None) -> Scene:
    return RULES.board(state, NAMES[: len(state.hands)], viewer)


def element(state: ForeverState, id_: str, viewer: int | None = None) -> Any:
    """Return the element with this id; None if there is none."""
    return next((one for one in scene(state, viewer).elements() if one.id == id_), None)


def pieces(state: ForeverState, on: str) -> list[Piece]:
    (plane,) = scene(state).planes
    return [piece for piece in plane.pieces if piece.on == on]


def test_every_area_and_every_tile_is_on_the_plane() -> None:
    (plane,) = scene(atoll()).planes
    places = [tile.place for tile in plane.tiles]
    assert sorted(places) == sorted({*AREAS, *TILES})


def test_the_islands_lie_within_the_plane_and_none_over_another() -> None:
    # A straight chain is turned, so that it is not too wide or too high to read.
    for step in ((1, 0), (0, 1), (-1, 1)):
        straight = tuple((step[0] * at, step[1] * at) for at in range(7))
        (plane,) = scene(replace(atoll(), coordinates=straight)).planes
        islands = [tile for tile in plane.tiles if tile.shape == "hexagon"]
        assert len({(round(tile.x, 6), round(tile.y, 6)) for tile in islands}) == 7
        assert all(tile.width / 2.01 <= tile.x <= plane.width - tile.width / 2.01 for tile in islands)
        assert plane.height / plane.width < 2


def test_fertility_is_shown_on_the_island_and_beside_it() -> None:
    state = atoll(fertility={"hog_1": 1})
    assert element(state, "island.hog_1").badges[0].text == "1/6"
    gauge = element(state, "fertility.hog_1")
    assert (gauge.value, gauge.of, gauge.is_grave) == (1, 6, True)
    assert not element(state, "fertility.log_2").is_grave


def test_huts_and_canoes_stand_on_their_shores() -> None:
    state = atoll(huts=[["hog_1_a", "log_1_b"], ["hog_1_a"]], canoes=[["log_1_b", "log_1_b"], ["volcano"]])
    assert {piece.place for piece in pieces(state, "shore.hog_1_a")} == {"hog_1_a", "p1_hut_1", "p2_hut_1"}
    (hut, canoes) = pieces(state, "shore.log_1_b")
    assert (hut.symbol, canoes.symbol, canoes.count, canoes.place) == ("hut", "canoe", 2, "log_1_b")
    assert (hut.seat, hut.form) == ("p1", canoes.form)
    assert [piece.title for piece in pieces(state, "tile.volcano")] == ["Bo: 1 canoe on the Volcano"]


def test_players_have_colours_and_forms_of_their_own() -> None:
    players = [panel for panel in scene(atoll(seats=6)).panels if isinstance(panel, PlayerMat)]
    assert [player.seat for player in players] == list(SEAT_IDS[:6])
    assert len({player.colour for player in players}) == len({player.form for player in players}) == 6


def test_a_docked_canoe_is_in_its_hut() -> None:
    state = atoll(huts=[["hog_1_a"], ["hog_1_a"]], docked={"p1_hut_1": "p2"})
    before, after = element(state, "hut.p2_hut_1"), element(state, "hut.p1_hut_1")
    assert before.rider is None
    assert after.rider == element(state, "hut.p2_hut_1").colour
    assert after.title == "Ada's hut 1 on Hog Island 1, shore A, Bo's canoe docked in it"


@pytest.mark.parametrize(
    ("fields", "is_faint", "why"),
    [
        ({}, False, ""),
        ({"new": ["p1_hut_1"]}, True, ", built this turn"),
        ({"harvested": ["p1_hut_1"]}, True, ", harvested this turn"),
        ({"harvested": ["p1_hut_1"], "options": {"harvest_per_hut_per_turn": "unlimited"}}, False, ""),
    ],
)
def test_a_hut_that_cannot_harvest_is_faint(fields: dict[str, Any], is_faint: bool, why: str) -> None:
    hut = element(atoll(huts=[["hog_1_a"]], **fields), "hut.p1_hut_1")
    assert hut.is_faint is is_faint
    assert hut.title == f"Ada's hut 1 on Hog Island 1, shore A{why}"


def test_huts_of_the_placement_are_not_faint() -> None:
    state = replace(atoll(), turn=0, phase="placement")
    assert not element(state, "hut.p1_hut_1").is_faint


def test_a_totem_stands_up_and_grows() -> None:
    fallen, standing = atoll(), atoll(standing=["hog_1_a"], extensions={"hog_1_a": 2})
    assert element(fallen, "totem.hog_1_a").is_faint
    assert element(fallen, "totem.hog_1_a").title == "A fallen totem on Hog Island 1, shore A"
    totem = element(standing, "totem.hog_1_a")
    assert (totem.is_faint, totem.text, totem.place) == (False, "+2", "hog_1_a")
    assert totem.title == "A standing totem on Hog Island 1, shore A, extended by 2"
    assert (element(standing, "standing").value, element(standing, "extensions").value) == (1, 3)


def test_the_totems_that_a_player_holds_are_counted() -> None:
    state = atoll(huts=[["hog_1_a", "log_1_a"], ["log_1_a"]], standing=["hog_1_a", "log_1_a", "frog_1_a"])
    assert element(state, "totems.p1").value == 1
    assert element(state, "totems.p2").value == 0


def test_team_mates_hold_totems_together() -> None:
    state = atoll(
        seats=4, huts=[["hog_1_a"], [], ["hog_1_a"]], standing=["hog_1_a"], options={"teams": 2}, eliminated=(1,)
    )
    assert [element(state, f"totems.p{seat}").value for seat in (1, 2, 3, 4)] == [1, 0, 1, 0]
    assert element(state, "player.p1").role == "Team 1"
    assert element(state, "player.p2").is_out


def test_hands_and_piles_are_counted() -> None:
    state = atoll(hands=[Goods(1, 2, 3)])
    assert [element(state, f"hand.p1.{kind}").value for kind in ("hog", "log", "frog")] == [1, 2, 3]
    pile = element(state, "pile.hog")
    assert (pile.value, pile.of) == (state.piles.hog, 29)


def test_the_volcano_counts_down() -> None:
    meter = element(atoll(volcano=1), "volcano")
    assert isinstance(meter, Meter)
    assert (meter.at, meter.reading) == (2, "It erupts after 1 more six")
    tile = element(atoll(volcano=2), "tile.volcano")
    assert isinstance(tile, Tile)
    assert tile.title == "The Volcano, which erupts after 2 more sixes"


def test_what_is_offered_is_told() -> None:
    state = replace(atoll(), phase="exchange", exchange=Exchange(1, Goods(hog=2), Goods(frog=1)))
    assert element(state, "offer").text == "Ada gives 2 hogs, and gets 1 frog from Bo."
    state = replace(atoll(), phase="double_up", double_up="p2_hut_1")
    assert element(state, "offer").text == "Ada offers Bo to double up in Bo's hut 1."
    assert [player.is_awaited for player in scene(state).panels if isinstance(player, PlayerMat)] == [False, True]
    assert element(atoll(), "offer") is None


def test_the_fist_is_closed_to_all_but_the_raider() -> None:
    guessing = replace(atoll(), phase="guess", raid=Raid(1, "hog_1_a", spears=2, salt="x"))
    seen = [element(guessing, "raid", viewer).text for viewer in (None, 1, 0)]
    assert seen[0] == seen[1] == "Ada raids Bo on Hog Island 1, shore A. The fist is closed."
    assert seen[2] == "Ada raids Bo on Hog Island 1, shore A. In the fist: 2 spears."
    guessed = replace(guessing, phase="losses", raid=Raid(1, "hog_1_a", spears=1, guess=3, loser=1, losses=1))
    assert element(guessed, "raid").text == (
        "Ada raids Bo on Hog Island 1, shore A. In the fist: 1 spear. The guess: 3. Bo loses 1 piece."
    )
    declared = replace(atoll(), phase="throw", raid=Raid(1, "hog_1_a"))
    assert element(declared, "raid") == Note(id="raid", title="Raid", text="Ada raids Bo on Hog Island 1, shore A.")


def test_what_changes_is_what_was_done() -> None:
    before = atoll(huts=[["hog_1_a"]], hands=[Goods(log=1)])
    after = do(before, "p1", "carve", shore="hog_1_a")
    assert changes(scene(before), scene(after)) == {
        "canoes.p1.hog_1_a", "hand.p1.log", "canoes.p1", "pile.log"
    }  # fmt: skip
    assert isinstance(element(after, "canoes.p1"), Gauge)


def test_nobody_is_awaited_once_the_game_is_over() -> None:
    state = replace(atoll(), outcome=GameOutcome("draw", (), "all_eliminated", "Objective"))
    players = [panel for panel in scene(state).panels if isinstance(panel, PlayerMat)]
    assert not any(player.is_active or player.is_awaited for player in players)
