"""Scenes: their elements, the changes between two, and the signs of players."""

from __future__ import annotations

from math import dist, isclose

import msgspec
import pytest

from engine.kit.default_scene import empty_scene, initials, overview_scene
from engine.kit.scene import Scene
from engine.kit.scene.panels import Card, CardStack, Charts, Counters, Gauge, Note, Panel, PlayerMat, Shelf, Step, Track
from engine.kit.scene.planes import Caption, Path, Piece, Plane, Tile, hexagon
from engine.kit.scene.trees import between, tree
from engine.kit.scenes import blend_scenes, changes

ANN = PlayerMat(id="player.p1", seat="p1", name="Ann", initials="A", colour="black", form="circle")


def scene(*panels: Panel, pieces: tuple[Piece, ...] = ()) -> Scene:
    plane = Plane(
        id="plane",
        width=2,
        height=1,
        tiles=(Tile(id="here", x=0, y=0, place="here"), Tile(id="there", x=1, y=0)),
        paths=(Path(id="path", points=((0, 0), (1, 0))),),
        captions=(Caption(id="caption", x=0, y=0, text="x"),),
        pieces=pieces,
    )
    return Scene(title="A game", description="", planes=(plane,), panels=panels)


def all_panels() -> tuple[Panel, ...]:
    chart = Plane(id="chart", width=1, height=1, tiles=(Tile(id="star", x=0, y=0),))
    return (
        msgspec.structs.replace(
            ANN,
            cards=(Card(id="p1.flame", label="Flame", place="flame"),),
            gauges=(Gauge(id="p1.water", label="Water", value=2),),
        ),
        CardStack(
            id="pile",
            title="Deck",
            count=3,
            left=(Card(id="left", label="L"),),
            discard=(Card(id="gone", label="G"),),
        ),
        Shelf(id="shelf", title="Treasures", cards=(Card(id="cup", label="Cup"),)),
        Counters(id="counters", title="Ship", gauges=(Gauge(id="hull", label="Hull", value=1),)),
        Track(
            id="track", title="Infamy", steps=(Step(id="first", label="1", place="1", pieces=(Piece(id="marker"),)),)
        ),
        Charts(id="charts", title="Stars", planes=(chart,)),
        Note(id="note", title="Note", text="said"),
    )


def test_every_element_is_found_with_its_parts() -> None:
    found = [
        element.id for element in scene(*all_panels(), pieces=(Piece(id="pawn", on="here", place="p1"),)).elements()
    ]

    assert found == [
        "here", "there", "path", "caption", "pawn", "player.p1", "p1.water", "p1.flame", "pile", "left", "gone",
        "shelf", "cup", "counters", "hull", "track", "first", "marker", "charts", "star", "note",
    ]  # fmt: skip


def test_places() -> None:
    assert scene(*all_panels(), pieces=(Piece(id="pawn", on="here", place="p1"),)).places() == [
        "here", "p1", "p1", "flame", "1",
    ]  # fmt: skip


def test_nothing_has_changed_in_the_same_scene() -> None:
    assert changes(scene(*all_panels()), scene(*all_panels())) == set()


@pytest.mark.parametrize("number", range(7))
def test_a_panel_that_is_new_has_changed_with_its_parts(number: int) -> None:
    panel = all_panels()[number]
    new = scene(panel)

    assert changes(scene(), new) == {element.id for element in new.elements()} - {"here", "there", "path", "caption"}


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        (0, '"label":"Flame"', '"label":"Frost"'),
        (0, '"value":2', '"value":1'),
        (1, '"label":"L"', '"label":"M"'),
        (2, '"label":"Cup"', '"label":"Crown"'),
        (3, '"value":1', '"value":2'),
        (4, '"label":"1"', '"label":"2"'),
        (4, '"colour":null', '"colour":"red"'),
        (5, '"label":""', '"label":"lit"'),
    ],
)
def test_a_part_that_has_changed_does_not_change_its_panel(number: int, old: str, new: str) -> None:
    panel = all_panels()[number]
    other = msgspec.json.decode(msgspec.json.encode(panel).decode().replace(old, new), type=type(panel))

    (changed,) = changes(scene(panel), scene(other))
    assert changed != panel.id


def test_a_panel_says_what_has_gone_from_it() -> None:
    with_card = msgspec.structs.replace(ANN, cards=(Card(id="p1.flame", label="Flame"),))

    assert changes(scene(with_card), scene(ANN)) == {"player.p1"}
    assert changes(scene(with_card), scene()) == set()


def test_whose_turn_it_is_changes_nobody() -> None:
    active = msgspec.structs.replace(ANN, is_active=True, is_awaited=True, note="3 actions left")
    pawn = Piece(id="pawn", on="here")

    assert changes(scene(ANN), scene(active)) == set()
    assert changes(scene(ANN), scene(msgspec.structs.replace(ANN, is_out=True))) == {"player.p1"}
    assert changes(scene(pieces=(pawn,)), scene(pieces=(msgspec.structs.replace(pawn, is_active=True),))) == set()


def test_a_piece_that_moves_or_goes() -> None:
    here, there = Piece(id="pawn", on="here"), Piece(id="pawn", on="there")
    free = Piece(id="ship", x=1, y=1)

    assert changes(scene(pieces=(here,)), scene(pieces=(there,))) == {"pawn"}
    assert changes(scene(pieces=(here,)), scene()) == {"here"}
    assert changes(scene(pieces=(free,)), scene()) == set()
    assert changes(scene(), scene(pieces=(here,))) == {"pawn"}


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (("Ann", "Bob"), ("A", "B")),
        (("ann", "Éva"), ("A", "É")),
        (("Ann", "Alf"), ("An", "Al")),
        (("Ann Lee", "Ann Moe"), ("AL", "AM")),
        (("Ann", "Annabel", "Bo"), ("A1", "A2", "B")),
        (("!!", "Bob"), ("1", "B")),
        (("...", "???"), ("1", "2")),
        ((), ()),
    ],
)
def test_initials(names: tuple[str, ...], signs: tuple[str, ...]) -> None:
    assert initials(names) == signs


def test_hexagons_touch() -> None:
    for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        assert isclose(dist(hexagon(3, 4), hexagon(3 + q, 4 + r)), 1)


def test_a_game_has_a_picture_for_nothing() -> None:
    found = overview_scene("A game", "Turn 1", "All of it", {"Hands": "none", "Piles": "two"})

    assert [(note.title, note.text) for note in found.panels if isinstance(note, Note)] == [
        ("Hands", "none"),
        ("Piles", "two"),
    ]


def test_before_the_set_up() -> None:
    found = empty_scene("A game", ("Ann", "Bob"))

    assert [panel.name for panel in found.panels if isinstance(panel, PlayerMat)] == ["Ann", "Bob"]
    assert found.description == "The game is not set up yet. At the table: Ann, Bob."


def deal(*cards: tuple[str, int]) -> tuple[Card, ...]:
    return tuple(Card(id=f"p1.{label}", label=label, count=count) for label, count in cards)


def test_what_may_be_is_told_as_far_as_it_is_sure() -> None:
    def scene_with(cards: tuple[Card, ...], left: tuple[Card, ...], note: str) -> Scene:
        player = msgspec.structs.replace(ANN, cards=cards, note=note)
        pile = CardStack(id="pile", title="Deck", count=3, left=left, notes=("sure", note))
        found = scene(player, pile, Note(id="note", title="Note", text="sure"))
        return msgspec.structs.replace(found, description=f"Sure. Ann has {note}. Sure, too.")

    one = scene_with(deal(("flame", 2), ("cup", 1)), deal(("stone", 1)), "flames")
    other = scene_with(deal(("flame", 1), ("stone", 2)), deal(("cup", 1)), "stones")
    blend = blend_scenes((one, other))

    player, pile, note = blend.panels
    assert isinstance(player, PlayerMat)
    assert isinstance(pile, CardStack)
    assert [(card.label, card.count) for card in player.cards] == [("flame", 1), ("not seen", 2)]
    assert [(card.label, card.count) for card in pile.left] == [("not seen", 1)]
    assert (player.note, pile.notes, pile.count) == ("", ("sure",), 3)
    assert note == one.panels[2]
    assert blend.description == "Sure. Sure, too. Some of it was not seen."
    assert blend_scenes((one, one)) == one


def test_a_panel_of_which_nothing_is_sure_says_so() -> None:
    first = scene(Note(id="note", title="Note", text="this"), ANN)
    second = scene(Note(id="note", title="Note", text="that"), msgspec.structs.replace(ANN, role="Pilot"))

    assert [panel for panel in blend_scenes((first, second)).panels if isinstance(panel, Note)] == [
        Note(id="note", title="Note", text="Some of it was not seen."),
        Note(id="player.p1", title="Ann", text="Some of it was not seen."),
    ]


def test_tree__each_branch_has_its_own_row() -> None:
    links = {"a": {"start"}, "b": {"a"}, "c": {"a", "d"}, "d": {"c"}}
    places = {"start": (0.5, 1.0), "a": (1.5, 1.0), "b": (2.5, 0.5), "c": (2.5, 1.5), "d": (3.5, 1.5)}
    assert tree(links, "start") == places


def test_between__a_line_ends_at_the_rims_and_bends_around_circles() -> None:
    assert between((0.5, 0.5), (1.5, 0.5), 0.8) == ((0.9, 0.5), (1.1, 0.5))
    _, corner, _ = between((0.5, 0.5), (0.5, 2.5), 0.8)
    assert corner == (1.0, 1.5)
