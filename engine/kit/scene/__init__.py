"""The picture's vocabulary: what lies on a table, said in a few words that a renderer draws.

A game says *what* is there, in `Ruleset.board`; package `drawing` says how it looks. A `Scene` has planes, on which
things have a position (a map, a grid of tiles, the page of a book), and panels, which the renderer lays out beside or
below the planes by itself (players, piles, meters, counters).

- Lengths on a plane are in units, one of them a tile's width; x grows to the right and y downwards; the position of a
  thing is its centre. `hexagon(q, r)` is the centre of an axial coordinate.
- Every element has an `id` that is its own in the scene and stays the same from event to event: what differs under
  the same id has changed (`changes`), and the picture rings it.
- `place` is the value by which the params of actions mean the element (a tile's id, a seat, a card): a page lights up
  the elements whose place is in the params of a legal action. No two tiles of a plane have the same place. Where a
  param is a number, or its values mean something else in another param, it is in the place by name: `number:3`; where
  several params mean the same, by all of their names: `to,space:b5`.
- Colour is never the only sign: a tile has a pattern beside its ground, a pawn a shape beside its colour.
- What is secret comes in masked: a scene holds nothing that its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.kit.scene.panels import Card, CardStack, Charts, Counters, Gauge, Panel, PlayerMat, Shelf, Step, Track
from engine.kit.scene.planes import Caption, Path, Piece, Plane, Tile

Element = Tile | Path | Caption | Piece | Card | Gauge | Step | Panel
"""What has an id."""


class Scene(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table, as one picture."""

    title: str
    """The game's name."""
    subtitle: str = ""
    """Where the game stands: 'Turn 7 · Ann · 2 actions left'."""
    description: str
    """The table in words, for those who do not see the picture."""
    planes: tuple[Plane, ...] = ()
    panels: tuple[Panel, ...] = ()

    def elements(self) -> Iterator[Element]:
        """Everything in it that has an id, each with what is in it after it."""
        for plane in self.planes:
            yield from on_plane(plane)
        for panel in self.panels:
            yield panel
            yield from parts(panel)

    def places(self) -> list[str]:
        """The place of every element that has one, in the order of `elements`."""
        return [place for element in self.elements() if (place := place_of(element)) is not None]


def on_plane(plane: Plane) -> tuple[Element, ...]:
    """What has an id on a plane."""
    return (*plane.tiles, *plane.paths, *plane.captions, *plane.pieces)


def parts(panel: Panel) -> tuple[Element, ...]:
    """What has an id within a panel."""
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
    """Its place, if it has one."""
    if isinstance(element, PlayerMat):
        return element.seat
    return element.place if isinstance(element, Tile | Piece | Card | Step) else None
