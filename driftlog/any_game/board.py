"""The picture of a table: a mat for each player, the places, and boards of squares or hexagons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftlog.any_game import words
from driftlog.any_game.box import Grid, Place
from driftlog.any_game.playing import scores, value_of
from driftlog.any_game.state import BoxState, Items, count_unseen, size, sort_items
from driftlog.any_game.table import Spot, title_of
from driftlog.kit import SEAT_IDS, Scene, initials, looks, panels, planes, say

_ROW = 3**0.5 / 2
"""The distance between rows of hexagons of width 1."""
_PIECE = 2.5
"""The size of a piece; its letter must be readable on a phone."""
_TEN = 10


def board(state: BoxState, names: Sequence[str], subtitle: str, description: str) -> Scene:
    """Return the picture of the table."""
    spots = state.table.spots.values()
    boards = [place for place in state.box.places if place.grid is not None and not place.per_player]
    drawn = {place.id for place in boards}
    on_table = [spot for spot in spots if spot.seat is None and spot.group not in drawn]
    shelves = (panel for spot in on_table for panel in _panel(state, spot, names))
    counters = _counters(state)
    return Scene(
        title=say(state.box.title),
        subtitle=subtitle,
        description=description,
        planes=tuple(_plane(state, place, place.grid, names) for place in boards if place.grid is not None),
        panels=(*(_mat(state, seat, names) for seat in range(state.seats)), *counters, *shelves),
        spots=tuple(_spot(state, spot, drawn, names) for spot in spots),
        dials=tuple(_dials(state)),
    )


def _spot(state: BoxState, spot: Spot, drawn: set[str], names: Sequence[str]) -> panels.Spot:
    is_pile, items = spot.kind == "pile", sort_items(state.at(spot.id))
    seen = {} if is_pile else {item: count for item, count in items if isinstance(item, str)}
    seen |= {kind.id: 0 for kind in state.table.kinds.values() if kind.is_unlimited and kind.home == spot.id}
    cards = [
        panels.Card(id=f"{spot.id}.{thing}", label=words.thing(state, thing, names), count=count, place=thing)
        for thing, count in seen.items()
    ]
    if unseen := size(items) if is_pile else count_unseen(items):
        cards.append(panels.Card(id=f"{spot.id}.unseen", label=say("face down"), count=unseen))
    seat = None if spot.seat is None else SEAT_IDS[spot.seat]
    return panels.Spot(id=spot.id, title=spot.title, seat=seat, is_drawn=spot.group in drawn, cards=tuple(cards))


def _dials(state: BoxState) -> Iterator[panels.Dial]:
    for meter in state.box.meters:
        for seat in range(state.seats) if meter.per_player else [None]:
            value = value_of(state, meter.id, seat or 0)
            said = value if isinstance(value, int) else say(value)
            owner = None if seat is None else SEAT_IDS[seat]
            yield panels.Dial(id=meter.id, title=title_of(meter), value=said, seat=owner)


def _mat(state: BoxState, seat: int, names: Sequence[str]) -> panels.PlayerMat:
    id_, colour = SEAT_IDS[seat], tuple(looks.FORMS)[seat]
    own = [spot for spot in state.table.spots.values() if spot.seat == seat]
    cards = tuple(card for spot in own for card in _cards(state, spot, names))
    meters = [meter for meter in state.box.meters if meter.per_player]
    gauges = [
        panels.Gauge(id=f"{meter.id}.{id_}", label=title_of(meter), value=value)
        for meter in meters
        if isinstance(value := value_of(state, meter.id, seat), int)
    ]
    if len(state.box.score) > 1:
        gauges.append(panels.Gauge(id=f"score.{id_}", label=say("Score"), value=scores(state)[seat]))
    said = [f"{title_of(meter)}: {say(str(value_of(state, meter.id, seat)))}" for meter in meters if meter.words]
    turn = state.box.turns != "free" and seat == state.active and state.outcome is None
    return panels.PlayerMat(
        id=f"player.{id_}",
        seat=id_,
        name=names[seat],
        initials=initials(names)[seat],
        colour=colour,
        form=looks.FORMS[colour],
        is_active=turn,
        is_awaited=turn,
        cards=cards,
        gauges=tuple(gauges),
        note=" · ".join(said),
        empty=say("Nothing") if own else "",
    )


def _counters(state: BoxState) -> Iterator[panels.Panel]:
    meters = [meter for meter in state.box.meters if not meter.per_player]
    gauges = tuple(
        panels.Gauge(id=meter.id, label=title_of(meter), value=value)
        for meter in meters
        if isinstance(value := value_of(state, meter.id, 0), int)
    )
    if gauges:
        yield panels.Counters(id="meters", title=say("Meters"), gauges=gauges)
    for meter in meters:
        if meter.words:
            yield panels.Note(
                id=f"meter.{meter.id}", title=title_of(meter), text=say(str(value_of(state, meter.id, 0)))
            )
    for dice, faces in zip(state.table.dice.values(), state.dice, strict=True):
        shown = words.list_faces(faces) or say("not rolled yet")
        yield panels.Note(id=f"dice.{dice.id}", title=title_of(dice), text=shown)


def _panel(state: BoxState, spot: Spot, names: Sequence[str]) -> Iterator[panels.Panel]:
    items = state.at(spot.id)
    if spot.kind == "pile":
        yield panels.CardStack(id=f"spot.{spot.id}", title=spot.title, count=size(items))
    elif items or spot.id == spot.group:
        yield panels.Shelf(id=f"spot.{spot.id}", title=spot.title, cards=tuple(_cards(state, spot, names)))


def _cards(state: BoxState, spot: Spot, names: Sequence[str]) -> Iterator[panels.Card]:
    """Yield a card for each kind of thing in a place, and one for all face-down things."""
    items = sort_items(state.at(spot.id))
    where = "" if spot.seat is None or spot.kind == "hand" else f"{spot.title}: "
    if spot.kind == "pile":
        if items:
            label = say("{pile} (face down)", pile=spot.title)
            yield panels.Card(id=f"{spot.id}.pile", label=label, count=size(items), symbol="card")
        return
    for item, count in items:
        if isinstance(item, str):
            label = f"{where}{words.thing(state, item, names)}"
            yield panels.Card(id=f"{spot.id}.{item}", label=label, count=count, place=item)
    unseen = sum(count for item, count in items if isinstance(item, int))
    if unseen:
        label = f"{where}{say('face down')}"
        yield panels.Card(id=f"{spot.id}.unseen", label=label, count=unseen, symbol="card")


def _plane(state: BoxState, place: Place, grid: Grid, names: Sequence[str]) -> planes.Plane:
    is_hex = grid.shape == "hex"
    spots = [spot for spot in state.table.spots.values() if spot.group == place.id]
    tiles, pieces = [], []
    for number, spot in enumerate(spots):
        row, column = divmod(number, grid.columns)
        x = column + 0.5 + (row % 2) / 2 * is_hex
        y = 0.6 + row * _ROW if is_hex else row + 0.5
        items = state.at(spot.id)
        said = ", ".join(words.amount(count, name) for count, name in named_items(state, items, names))
        tiles.append(
            planes.Tile(
                id=f"spot.{spot.id}",
                x=x,
                y=y,
                shape="hexagon" if is_hex else "square",
                label=spot.title,
                ground="paper",
                place=spot.id,
                title=f"{spot.title}{f' ({said})' if said else ''}",
            )
        )
        if items:
            pieces.append(_piece(state, spot, items, names, said))
    width = grid.columns + 0.5 * (is_hex and grid.rows > 1)
    height = (grid.rows - 1) * _ROW + 1.2 if is_hex else grid.rows
    return planes.Plane(
        id=place.id,
        width=width,
        height=height,
        title=title_of(place),
        backdrop=None,
        tiles=tuple(tiles),
        pieces=tuple(pieces),
    )


def _piece(state: BoxState, spot: Spot, items: Items, names: Sequence[str], said: str) -> planes.Piece:
    """Return the piece for the things on a space.

    It shows one thing as a letter, up to nine as a number, more as a plus.
    """
    kind = state.table.kinds.get(str(items[0][0]))
    colour = tuple(looks.FORMS)[kind.seat if kind is not None and kind.seat is not None else -1]
    ((_, name), *_), count = named_items(state, items, names), size(items)
    return planes.Piece(
        id=f"{spot.id}.things",
        on=f"spot.{spot.id}",
        form=looks.FORMS[colour],
        colour=colour,
        text=name[:1] if count == 1 else str(count) if count < _TEN else "+",
        size=_PIECE,
        title=said,
        place=spot.id,
    )


def named_items(state: BoxState, items: Items, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return the number and name of each item."""
    return [
        (count, words.thing(state, item, names) if isinstance(item, str) else say("face down")) for item, count in items
    ]
