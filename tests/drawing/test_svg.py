"""Scenes as SVG: valid, always the same, safe with any names, and with all that a page needs."""

from __future__ import annotations

import io
import json
import re

import msgspec
import pytest
from svglib.svglib import svg2rlg

import drawing
from drawing.plane import pair_of
from drawing.scenery import WASH
from drawing.symbols import SYMBOLS, outline
from engine.kit import scenes
from engine.kit.default_scene import overview_scene
from engine.kit.ruleset import AnyRuleset
from engine.kit.scene import Scene
from engine.kit.scene.looks import FORMS
from engine.kit.scene.panels import (
    Card,
    CardStack,
    Charts,
    Counters,
    Gauge,
    Legend,
    Level,
    Meter,
    Note,
    Panel,
    PlayerMat,
    Shelf,
    Sign,
    Step,
    Table,
    Track,
)
from engine.kit.scene.planes import Badge, Caption, Path, Piece, Plane, Tile
from engine.kit.vignette import fill, line, oval
from engine.play.registry import rulesets
from tests.drawing.pictures import SVG, Element, attribute_values, by_id, read, size, words
from tests.recorded.games import games, replay
from tests.recorded.games import read as kept

HOSTILE = "</text><script>alert(1)</script>&\"'\x00\x1f\ud800 \u202e 島 " + "W" * 60


def everything(name: str = "Ann") -> Scene:
    """A scene with one element of each kind."""
    shapes = ("square", "rectangle", "hexagon", "flat_hexagon", "circle", "polygon")
    patterns = ("", "hatch", "cross", "dots", "waves", "dunes")
    tiles = tuple(
        Tile(
            id=f"{shape}.{row}",
            x=column + 0.6,
            y=row + 0.6,
            shape=shape,
            height=0.6 if shape == "rectangle" else 1.0,
            points=((-0.4, -0.4), (0.4, -0.4), (0, 0.5)) if shape == "polygon" else (),
            label=("" if row == 4 else f"Tile of {name}"),
            ground="night" if row == 3 else "sand",
            pattern=pattern,
            state="flooded",
            is_gone=row == 5,
            is_strong=row == 2,
            badges=(
                Badge(symbol="flame", text="2", title="two"),
                Badge(form="star", colour="yellow"),
                Badge(text="x"),
                Badge(form="circle"),
            )
            if row < 2
            else (),
            place=f"place.{shape}.{row}",
        )
        for column, shape in enumerate(shapes)
        for row, pattern in enumerate(patterns)
    )
    pieces = (
        *(
            Piece(id=f"pawn.{colour}", on="square.1", form=form, colour=colour, text="Ab", seat="p1", place="p1")
            for colour, form in FORMS.items()
        ),
        *(Piece(id=f"crowd.{at}", on="square.0", form="circle", text="9") for at in range(30)),
        Piece(id="alone", on="circle.4", form="circle", text="A", is_active=True, title=f"{name}'s pawn"),
        Piece(id="canoes", on="rectangle.0", symbol="canoe", colour="yellow", count=3),
        Piece(id="hut", on="rectangle.0", form="square", symbol="hut", colour="blue", is_faint=True, rider="red"),
        Piece(id="ship", x=3, y=3, symbol="ship", text="7", size=2),
        Piece(id="letter", x=4, y=3, text="Q"),
        Piece(id="nobody's", x=5, y=3, form="circle", symbol="skull"),
        Piece(id="nothing", x=5, y=4),
    )
    plane = Plane(
        id="plane",
        title="The map",
        width=6.2,
        height=6.2,
        tiles=tiles,
        paths=(
            Path(id="path", points=((1, 1), (2, 2)), has_arrow=True, is_strong=True, title="a tunnel"),
            Path(id="dashes", points=((1, 2), (2, 3), (3, 3)), dash="dashed"),
        ),
        captions=(Caption(id="caption", x=3, y=0.2, text=name), Caption(id="bold", x=3, y=6, text="S", is_strong=True)),
        pieces=pieces,
    )
    vignette = (fill("c", "M4 4H44V44H4z"), line("m", "M4 24H44", opacity=0.5), oval("e", 24, 24, 4))
    landscape = Plane(
        id="landscape",
        width=6,
        height=2,
        tiles=(
            *(
                Tile(
                    id=f"land.{at}", x=at + 0.5, y=0.5, label=name, vignette=vignette, metal="gold", heap=at,
                    family="gate", is_flooded=at == 1, is_gone=at == 2, pattern="cross" if at == 0 else "",
                    badges=(Badge(symbol="flame", tint="fire"), Badge(symbol="eye")),
                )
                for at in range(3)
            ),
            Tile(id="land.shore", x=0.5, y=1.5, shape="polygon", points=((-0.4, -0.4), (0.4, -0.4), (0, 0.5)),
                 vignette=vignette, family="frog"),
            Tile(id="land.hill", x=1.5, y=1.5, shape="hexagon", vignette=vignette, family="volcano",
                 badges=(Badge(text="2"),)),
            Tile(id="land.river", x=4.5, y=1, shape="hexagon", width=2, label=name,
                 badges=(Badge("log", tint="leaf", pips=(3, 6)),)),
        ),
        pieces=(
            *(Piece(id=f"walker.{at}", on="land.0", form="circle", colour="red", text="A") for at in range(5)),
            Piece(id="walker.alone", on="land.1", form="circle", colour="red", text="A"),
            Piece(id="landed", on="land.shore", symbol="hut", colour="blue", text="A"),
            Piece(id="moored", on="land.hill", symbol="canoe", colour="blue", text="Ab", count=2),
            Piece(id="waiting", x=1, y=1, symbol="cup", tint="ocean", pips=(2, 4)),
            Piece(id="won", x=2, y=1, symbol="cup", tint="ocean", pips=(4, 4), is_done=True),
            Piece(id="plain", x=2, y=1, tint="ocean"),
        ),
    )  # fmt: skip
    quiet = Plane(id="quiet", width=2, height=1, backdrop=None, tiles=(Tile(id="quiet.tile", x=1, y=0.5, label="q"),))
    paper = Plane(id="paper", width=2, height=1, backdrop="paper")
    gone = Plane(id="gone", width=0, height=0)
    return Scene(
        title=f"A game of {name}",
        subtitle=f"Turn 7 · {name}",
        description=f"{name} is there",
        planes=(plane, landscape, quiet, paper, gone),
        panels=panels(name),
    )


def panels(name: str) -> tuple[Panel, ...]:
    cards = tuple(
        Card(id=f"card.{count}", label=name, count=count, symbol="flame", ground="lava", place=f"card{count}")
        for count in (1, 2)
    )
    gauges = (
        Gauge(id="water", label="Water", value=2, of=4, symbol="drop", note="of four"),
        Gauge(id="crew", label="Crew", value=14, of=20, is_grave=True),
        Gauge(id="many", label="Many", value=14, of=7),
        Gauge(id="skill", label="A skill that has quite a long name", value=2, boxes="##.*x"),
        Gauge(id="plain", label="Plain", value=3),
    )
    return (
        PlayerMat(
            id="player.p1", seat="p1", name=name, initials="A", colour="yellow", form="star", role="Navigator",
            is_active=True, is_awaited=True, cards=cards, gauges=gauges, note=f"{name} has 3 actions left",
        ),
        PlayerMat(id="player.p2", seat="p2", name="Bo", initials="B", colour="black", form="circle", is_active=True),
        PlayerMat(id="player.p4", seat="p4", name="Di", initials="D", colour="sky", form="drop"),
        PlayerMat(
            id="player.p3", seat="p3", name="Cy", initials="C", colour="red", form="pentagon", is_out=True, empty=""
        ),
        Meter(
            id="meter", title="Water level", reading="3 cards", at=2,
            levels=(*(Level(str(tick), "Elite" if tick == 2 else "") for tick in range(9)), Level(symbol="skull")),
        ),
        Meter(id="short", title="Volcano", levels=(Level("3"), Level("2", "no room for such a note")), at=0),
        CardStack(
            id="pile", title="Treasure deck", count=5, left=(Card(id="left", label="Left", is_faint=True),),
            discarded=2, discard=(Card(id="night", label="Storm", ground="night"),), top=name, notes=(name, "two"),
        ),
        CardStack(id="empty", title="Empty", count=0),
        Shelf(
            id="shelf", title="Treasures",
            cards=(
                *(Card(id=f"treasure.{at}", label=name, symbol="cup", is_faint=at % 2 == 1) for at in range(5)),
                Card(id="treasure.count", label="Two", count=2),
                Card(id="treasure.die", label="12"),
            ),
        ),
        Shelf(id="bare", title="Nothing", cards=()),
        Counters(id="counters", title="The ship", gauges=gauges_of("ship"), is_vital=True),
        Track(
            id="track", title="Infamy", at=1,
            steps=tuple(
                Step(id=f"step.{at}", label=name, place=f"step{at}",
                     pieces=(Piece(id=f"marker.{at}", form="circle", colour="sky", seat="p1"),) if at else ())
                for at in range(7)
            ),
        ),
        Table(id="table", title="A table", head=("What", "How many", "Where", "Why"), rows=((name, "1", "2", "3"),)),
        Table(id="narrow", title="A table", head=("What",), rows=((name,), ("b",))),
        Charts(
            id="charts", title="Stars",
            planes=tuple(
                Plane(id=f"chart.{at}", title=name, width=2, height=1, tiles=(Tile(id=f"star.{at}", x=1, y=0.5),))
                for at in range(3)
            ),
        ),
        Note(id="note", title=name, text=name * 3),
        Legend(
            id="legend", title="Signs",
            signs=(
                *(Sign(text=pattern or "plain", ground="water", pattern=pattern)
                  for pattern in ("", "hatch", "cross", "dots", "waves", "dunes")),
                Sign(text=name, is_gone=True), Sign(text="skull", symbol="skull"),
                Sign(text="storm", ground="night", symbol="storm"),
            ),
        ),
    )  # fmt: skip


def gauges_of(prefix: str) -> tuple[Gauge, ...]:
    return tuple(Gauge(id=f"{prefix}.{at}", label="Hull", value=at, of=9, symbol="hull") for at in range(3))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("layout", drawing.LAYOUTS)
@pytest.mark.parametrize("name", ["Ann", HOSTILE])
def test_every_picture_is_sound(layout: drawing.Layout, name: str, plain: bool) -> None:
    scene = everything(name)
    picture = drawing.svg(scene, layout=layout, plain=plain)
    root = read(picture)

    assert picture == drawing.svg(everything(name), layout=layout, plain=plain)
    assert root.get("role") == "img"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "g", "rect", "circle", "path", "polygon", "text", "metadata"
    }  # fmt: skip
    assert not attribute_values(root, "id")
    assert not attribute_values(root, "style")
    assert not attribute_values(root, "onload")
    assert (root.find(f"{SVG}style") is None) == plain
    nothing_is_cut_off(root)


def nothing_is_cut_off(root: Element) -> None:
    """Check that all texts are within the picture, and texts of a panel within the panel."""
    width, height = size(root)
    for one in words(root):
        assert one.left >= -0.5, one
        assert one.right <= width + 0.5, one
        assert 0 <= one.base <= height, one
    for panel in root.iter(f"{SVG}g"):
        if "dl-panel" in panel.get("class", ""):
            frame = panel.find(f"{SVG}rect")
            assert frame is not None
            for one in words(panel):
                assert one.left >= 0, one
                assert one.right <= float(str(frame.get("width"))), one
                assert one.base <= float(str(frame.get("height"))), one


@pytest.mark.parametrize("layout", ["wide", "tall"])
def test_everything_is_in_the_picture(layout: drawing.Layout) -> None:
    scene = everything()
    root = read(drawing.svg(scene, layout=layout))
    ids = {element.id for element in scene.elements()}

    assert ids - set(attribute_values(root, "data-id")) == {"caption", "bold"}
    assert sorted(attribute_values(root, "data-place")) == sorted(scene.places())
    assert by_id(root, "square.1").get("data-state") == "flooded"
    assert by_id(root, "square.1").findtext(f"{SVG}title") == "Tile of Ann, flooded"
    assert by_id(root, "pawn.red").get("data-seat") == "p1"
    assert by_id(root, "player.p1").get("data-seat") == "p1"
    assert "A game of Ann. Turn 7 · Ann. Ann is there" in str(root.get("aria-label"))


def test_the_board_alone_has_no_panels__but_tells_what_a_page_shows_round_it() -> None:
    root = read(drawing.svg(everything(), layout="board"))
    told = json.loads(str(root.findtext(f"{SVG}metadata")))

    assert [player["name"] for player in told["players"]] == ["Ann", "Bo", "Di", "Cy"]
    assert [meter["at"] for meter in told["meters"]] == [2, 0]
    assert told["piles"] == [["Treasure deck", 5], ["Empty", 0]]
    assert [counters["title"] for counters in told["vital"]] == ["The ship"]

    assert "player.p1" not in attribute_values(root, "data-id")
    assert "square.1" in attribute_values(root, "data-id")


def test_a_scene_of_panels_alone() -> None:
    scene = overview_scene("A game", "Turn 1", "", {"Hands": "none", "Piles": "two"})
    for layout in drawing.LAYOUTS:
        nothing_is_cut_off(read(drawing.svg(scene, layout=layout)))
    assert set(attribute_values(read(drawing.svg(scene)), "data-id")) == {"note.Hands", "note.Piles"}
    empty = Scene(title="Nothing", subtitle="It is over!", description="Nothing is here")
    nothing_is_cut_off(read(drawing.svg(empty)))
    assert read(drawing.svg(empty)).findtext(f"{SVG}desc") == "It is over! Nothing is here"


@pytest.mark.parametrize("layout", drawing.LAYOUTS)
def test_whatever_differs_is_marked(layout: drawing.Layout) -> None:
    before, after = everything("Ann"), everything("Bob")
    root = read(drawing.svg(after, before, layout=layout))
    marked = {element.get("data-id") for element in root.iter() if element.get("data-changed")}
    shown = set(attribute_values(root, "data-id"))

    assert marked == scenes.changes(before, after) & shown
    assert ("square.1" in marked) == (layout != "panels")
    assert ("note" in marked) == (layout != "board")
    assert not [
        element for element in read(drawing.svg(after, after, layout=layout)).iter() if element.get("data-changed")
    ]
    nothing_is_cut_off(root)


def test_all_that_is_new_is_ringed() -> None:
    scene = everything()
    marked = attribute_values(read(drawing.svg(scene, Scene(title="", description=""))), "data-changed")

    assert len(marked) == sum(not isinstance(element, Caption) for element in scene.elements())


def test_a_pawn_leaves_a_trail() -> None:
    def scene(*, on: str) -> Scene:
        tiles = tuple(Tile(id=str(at), x=at + 0.5, y=0.5) for at in range(3))
        pawn = Piece(id="pawn", on=on, form="circle", colour="red")
        return Scene(
            title="", description="", planes=(Plane(id="plane", width=3, height=1, tiles=tiles, pieces=(pawn,)),)
        )

    moved = drawing.svg(scene(on="2"), scene(on="0")).decode()
    assert moved.count('stroke-dasharray="5 4"') == 2
    assert drawing.svg(scene(on="2"), scene(on="2")).decode().count('stroke-dasharray="5 4"') == 0
    assert drawing.svg(scene(on="2")).decode().count('stroke-dasharray="5 4"') == 0


@pytest.mark.parametrize("layout", drawing.LAYOUTS)
def test_a_plain_picture_becomes_a_drawing_for_pdf(layout: drawing.Layout) -> None:
    picture = drawing.svg(everything(), plain=True, layout=layout)

    drawn = svg2rlg(io.BytesIO(picture))
    assert drawn is not None
    assert drawn.width / drawn.height == pytest.approx(size(read(picture))[0] / size(read(picture))[1])


@pytest.mark.parametrize("plain", [False, True])
def test_a_flooded_tile_has_other_tones(plain: bool) -> None:
    """Dry and flooded tiles differ in shape, not only in colour: there are waves."""
    root = read(drawing.svg(everything(), layout="board", plain=plain))
    dry, flooded = by_id(root, "land.0"), by_id(root, "land.1")

    assert [WASH in attribute_values(tile, "d") for tile in (dry, flooded)] == [False, True]
    colours = ("fill", "class")[not plain]
    assert attribute_values(dry, colours) != attribute_values(flooded, colours)
    assert "land.2" in attribute_values(root, "data-id")
    assert not list(words(by_id(root, "land.2")))


def test_a_space_of_a_chart_shows_its_picture_above_its_label() -> None:
    sea = Tile(id="a1", x=0.5, y=0.5, shape="flat_hexagon", label="a1")
    harbour = msgspec.structs.replace(sea, id="a2", y=1.5, label="a2", vignette=(fill("c", "M4 30h9v-9z"),))
    plane = Plane(id="p", width=1, height=2, tiles=(sea, harbour))
    root = read(drawing.svg(Scene(title="Hex", description="", planes=(plane,)), layout="board"))
    first, second = by_id(root, "a1"), by_id(root, "a2")
    assert [one.text for space in (first, second) for one in words(space)] == ["a1", "a2"]
    (outline,), (other, drawn) = ([one.get("d") for one in space.iter(f"{SVG}path")] for space in (first, second))
    assert (outline.partition("l")[2], drawn) == (other.partition("l")[2], "M4 30h9v-9z")


def test_a_name_without_room_is_two_letters() -> None:
    assert [pair_of(name) for name in ("Coral Palace", "Reef", "The Grey Hen of Hull", "·")] == ["CP", "Re", "TH", "·"]


@pytest.mark.parametrize("rules", [one for one in rulesets() if one.checks_rules], ids=lambda rules: rules.id)
def test_words_on_a_board_can_be_read_from_a_metre(rules: AnyRuleset) -> None:
    """At a width of 360, no letter is smaller than 12, and half of them are larger."""
    state = next(state for state in replay(*kept(games(rules.id)[0])).states[::-1] if state is not None)
    names = ("Mia", "Jonas", "Oma", "Ben", "Eva", "Finn", "Gus", "Hal")[: rules.seats(state)]
    root = read(drawing.svg(rules.board(state, names), layout="board"))
    sizes = [size for plane in planes_of(root) for size in letters(plane)]

    assert sizes
    assert min(sizes) >= 11.9


def planes_of(root: Element) -> list[Element]:
    return [element for element in root.iter() if element.get("data-kind") == "plane"]


def letters(element: Element, scale: float = 1.0) -> list[float]:
    """Return the visible size of each text within an element."""
    found = []
    for child in element:
        moved = re.search(r"scale\(([-\d.]+)\)", child.get("transform", ""))
        by = scale * float(moved[1]) if moved else scale
        found += [float(str(child.get("font-size"))) * by] if child.tag == f"{SVG}text" else letters(child, by)
    return found


def test_every_symbol_and_form_is_drawn() -> None:
    assert all(drawn.fill or drawn.line for drawn in SYMBOLS.values())
    assert outline("circle", 0, 0, 1) == []
    for form in FORMS.values():
        assert all(abs(x) <= 1.5 and abs(y) <= 1.5 for x, y in outline(form, 0, 0, 1))
