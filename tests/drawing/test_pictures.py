"""Pictures of single tiles: by name, with all pieces on them."""

from __future__ import annotations

import drawing
from engine.kit.scene.planes import Badge, Tile
from engine.kit.vignette import fill
from tests.drawing.pictures import SVG, read


def test_each_tile_is_a_picture_of_its_own() -> None:
    tile = Tile(id="a", x=0.5, y=0.5, vignette=(fill("c", "M0 0H9V9H0z"),), badges=(Badge(symbol="drop", tint="blue"),))
    sandy = Tile(id="b", x=0.5, y=0.5, vignette=tile.vignette, heap=1)
    for backdrop in ("water", "sand", "paper"):
        root = read(drawing.pictures({"a": tile, "b & c": sandy}, backdrop))
        found = {one.get("data-picture"): one for one in root.iter(f"{SVG}svg") if one.get("data-picture")}
        assert list(found) == ["a", "b & c"]
        assert all(one.get("viewBox") == "0 0 64 64" for one in found.values())
        assert [text.text for text in found["b & c"].iter(f"{SVG}text")] == ["1"]
        assert len(list(root.iter(f"{SVG}style"))) == 1


def test_a_tile_that_is_gone_is_an_outline() -> None:
    tile = Tile(id="a", x=0.5, y=0.5, vignette=(fill("c", "M0 0H9V9H0z"),), is_gone=True)
    root = read(drawing.pictures({"a": tile}, "water"))
    (picture,) = (one for one in root.iter(f"{SVG}svg") if one.get("data-picture"))
    assert [one.tag.removeprefix(SVG) for one in picture.iter()][1:] == ["rect"]
