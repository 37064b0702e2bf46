"""Scenes: descriptions of a table from which a renderer draws the picture.

`Ruleset.board` describes the contents; the package `drawing` determines their appearance. A `Scene` has planes and
panels. A plane has positioned elements: a map, a grid of tiles, the page of a book. The renderer places the panels
beside or below the planes: players, piles, meters, counters.

- The unit of length on a plane is the width of a tile. x grows to the right and y downwards. The position of an element
  is its centre. `hexagon(q, r)` returns the centre of an axial coordinate, and `trees.tree` lays out linked points.
- Every element has an `id`, which is unique in the scene and stays the same from event to event. The picture draws a
  ring around each element that differs from the previous element with the same id (`engine.kit.scenes.changes`).
- `place` is the value that represents the element in the params of actions (a tile's id, a seat, a card). A page
  highlights the elements whose place is in the params of a legal action. Tiles of one plane have different places. If a
  param is a number, or its values have other meanings in other params, the place includes its name: `number:3`. If
  several params have the same meaning, the place includes all their names: `to,space:b5`.
- Colour is never the only sign: a tile also has a pattern, a pawn also has a shape.
- A scene contains only information that its viewer may know.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.kit.scene.panels import (
    Card,
    CardStack,
    Charts,
    Counters,
    Dial,
    Gauge,
    Panel,
    Passage,
    PlayerMat,
    Shelf,
    Spot,
    Step,
    Track,
)
from engine.kit.scene.planes import Caption, Path, Piece, Plane, Tile

Element = Tile | Path | Caption | Piece | Card | Gauge | Step | Panel
"""An element with an id."""


class Scene(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The picture of a table."""

    title: str
    """The game's name."""
    subtitle: str = ""
    """Status of the game, such as 'Turn 7 · Ann · 2 actions left'."""
    description: str
    """The table in words, for people who cannot see the picture."""
    planes: tuple[Plane, ...] = ()
    panels: tuple[Panel, ...] = ()
    spots: tuple[Spot, ...] = ()
    """For games without rules for moves: the places between which players can move things."""
    dials: tuple[Dial, ...] = ()
    """The meters that players set to any value."""
    passage: Passage | None = None
    """The prose that the players read now; pages show it below the picture."""

    def elements(self) -> Iterator[Element]:
        """Yield all elements with an id. Each element is followed by the elements inside it."""
        for plane in self.planes:
            yield from on_plane(plane)
        for panel in self.panels:
            yield panel
            yield from parts(panel)

    def places(self) -> list[str]:
        """Return the places of all elements that have one, in the order of `elements`."""
        return [place for element in self.elements() if (place := place_of(element)) is not None]


def on_plane(plane: Plane) -> tuple[Element, ...]:
    """Return the elements on a plane."""
    return (*plane.tiles, *plane.paths, *plane.captions, *plane.pieces)


def parts(panel: Panel) -> tuple[Element, ...]:
    """Return the elements inside a panel."""
    match panel:
        case PlayerMat():
            return (*panel.gauges, *panel.cards)
        case CardStack():
            return (*panel.left, *panel.discard)
        case Shelf():
            return panel.cards
        case Counters():
            return panel.gauges
        case Track():
            return (*panel.steps, *(piece for step in panel.steps for piece in step.pieces))
        case Charts():
            return tuple(element for plane in panel.planes for element in on_plane(plane))
        case _:
            return ()


def place_of(element: Element) -> str | None:
    """Return the place of an element, or None."""
    if isinstance(element, PlayerMat):
        return element.seat
    return element.place if isinstance(element, Tile | Piece | Card | Step) else None
