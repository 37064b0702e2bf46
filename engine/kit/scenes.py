"""Compare scenes: find the changes from one scene to the next, and merge several possible scenes into one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.language import marked, say
from engine.kit.scene import Element, Scene, parts
from engine.kit.scene.panels import Card, CardStack, Charts, Counters, Note, Panel, PlayerMat, Shelf, Step, Track
from engine.kit.scene.planes import Piece, Tile


def changes(before: Scene, after: Scene) -> frozenset[str]:
    """Return the ids of elements in `after` that differ from `before`.

    If part of a panel changes, only that part is listed. If a part is removed, its panel is listed. If a piece is
    removed, its tile is listed.
    """
    was = {element.id: _own(element) for element in before.elements()}
    now = {element.id: _own(element) for element in after.elements()}
    changed = {id_ for id_, own in now.items() if was.get(id_) != own}
    left_behind = {around for id_, around in _surroundings(before) if id_ not in now}
    return frozenset(changed | (left_behind & now.keys()))


def _surroundings(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the id of each part and piece, with the id of the element that contains it."""
    for panel in scene.panels:
        for part in parts(panel):
            yield part.id, panel.id
    for plane in scene.planes:
        for piece in plane.pieces:
            if piece.on is not None:
                yield piece.id, piece.on


_NOT_OWN: dict[type, dict[str, Any]] = {
    PlayerMat: {"cards": (), "gauges": (), "actions": None, "note": "", "is_active": False, "is_awaited": False},
    CardStack: {"left": (), "discard": ()},
    Shelf: {"cards": ()},
    Counters: {"gauges": ()},
    Track: {"steps": ()},
    Charts: {"planes": ()},
    Step: {"pieces": ()},
    Piece: {"is_active": False},
    Tile: {"place": None},
}


def _own(element: Element) -> Element:
    """Return an element without its parts, and without members that depend on the turn or on legal actions."""
    own = _NOT_OWN.get(type(element))
    return msgspec.structs.replace(element, **own) if own else element


def blend_scenes(scenes: Sequence[Scene]) -> Scene:
    """Merge several possible scenes of one table: the result has their common cards and the number of unknown cards.

    The scenes must differ only in panels, not in the elements of the planes.
    """
    first = scenes[0]
    if all(scene == first for scene in scenes):
        return first
    by_id = [{panel.id: panel for panel in scene.panels} for scene in scenes]
    panels = (_blend_panels([found[panel.id] for found in by_id if panel.id in found]) for panel in first.panels)
    said = [scene.description.split(". ") for scene in scenes]
    kept = (sentence.removesuffix(".") for sentence in said[0] if all(sentence in other for other in said))
    return msgspec.structs.replace(first, description=". ".join((*kept, say(NOT_SEEN))), panels=tuple(panels))


NOT_SEEN = marked("Some of it was not seen.")


def _blend_panels(panels: Sequence[Panel]) -> Panel:
    first: Panel = panels[0]
    if all(panel == first for panel in panels):
        return first
    known = {
        name: _common_part(first.id, name, [getattr(panel, name, ()) for panel in panels])
        for name in ("cards", "left", "discard", "gauges", "notes", "top", "reading", "note")
        if hasattr(first, name)
    }
    blend = msgspec.structs.replace(first, **known)
    rest = [msgspec.structs.replace(panel, **known) for panel in panels if type(panel) is type(first)]
    return (
        blend if all(one == blend for one in rest) else Note(id=first.id, title=panel_title(first), text=say(NOT_SEEN))
    )


def panel_title(panel: Panel) -> str:
    """Return the title of a panel."""
    return panel.name if isinstance(panel, PlayerMat) else panel.title


def _common_part(panel: str, name: str, values: Sequence[Any]) -> Any:
    """Return the common part of all `values`.

    If they are lists of cards, add an entry for the number of differing cards.
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, str):
        return ""
    if name in {"gauges", "notes"}:
        return tuple(one for one in first if all(one in value for value in values))
    counts = [{card.id: card.count for card in value} for value in values]
    common = (
        msgspec.structs.replace(card, count=least)
        for card in first
        if (least := min(count.get(card.id, 0) for count in counts))
    )
    seen = tuple(common)
    unseen = sum(card.count for card in first) - sum(card.count for card in seen)
    return (*seen, Card(id=f"{panel}.{name}.unseen", label=say("not seen"), count=unseen, symbol="question"))
