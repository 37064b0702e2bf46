"""The names of the parts of a box, as players say them."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any

from driftlog.any_game.box import Button, Counter, Dice, Place
from driftlog.any_game.state import BoxState
from driftlog.any_game.table import Table, name_of
from driftlog.kit import SEAT_INDEX, Value, say

THE_BOX = "The box"
COMPONENTS = "Components"
TURNS = "Turns"
THE_END = "The end"


def of_player(title: str, seat: int | None, names: Sequence[str]) -> str:
    """Return the title of a part, with its owner if it has one."""
    return title if seat is None else say("{part} of {player}", part=title, player=names[seat])


def place(state: BoxState, id_: str, names: Sequence[str]) -> str:
    """Return the name of a place."""
    spot = state.table.spots.get(id_)
    return id_.replace("_", " ") if spot is None else of_player(spot.title, spot.seat, names)


def thing(state: BoxState, id_: Value, names: Sequence[str]) -> str:
    """Return the name of a thing."""
    kind = state.table.kinds.get(str(id_))
    return str(id_).replace("_", " ").capitalize() if kind is None else of_player(kind.title, kind.seat, names)


def things(state: BoxState, found: Iterable[Value], names: Sequence[str]) -> str:
    """Return the names of several things: '♠A, 2 × Gold'."""
    counts = collections.Counter(thing(state, one, names) for one in found)
    return ", ".join(amount(count, name) for name, count in counts.items())


def amount(count: int, name: str) -> str:
    """Return a number of things: 'Gold', '2 × Gold'."""
    return name if count == 1 else f"{count} × {name}"


def list_faces(faces: Iterable[Value]) -> str:
    """Return the faces of dice: '1, 5, 5'."""
    return ", ".join(say(str(face)) for face in faces)


def titles(table: Table) -> dict[str, str]:
    """Return the title of each part of the box, by the part's id without the number of a player."""
    parts: list[Place | Dice | Counter | Button] = [*table.dice.values(), *table.meters.values()]
    parts += [*table.buttons.values(), *table.box.places]
    found = {part.id: name_of(part) for part in parts}
    found |= {plain(spot.id): spot.name for spot in table.spots.values()}
    return found | {plain(kind.id): kind.name for kind in table.kinds.values()}


def plain(id_: str) -> str:
    """Return an id without the number of its player."""
    return id_[3:] if id_[:2] in SEAT_INDEX and id_[2:3] == "_" else id_


def components(table: Table) -> dict[str, Any]:
    """Return the contents of the box as a JSON document."""
    return {
        "things": [
            {"id": kind.id, "name": kind.name, "count": None if kind.is_unlimited else kind.count}
            for kind in table.kinds.values()
            if kind.seat in {None, 0}
        ],
        "places": [{"id": place.id, "name": name_of(place), "kind": place.kind} for place in table.box.places],
        "dice": [{"id": dice.id, "name": name_of(dice), "count": dice.count} for dice in table.dice.values()],
        "meters": [{"id": meter.id, "name": name_of(meter)} for meter in table.meters.values()],
    }
