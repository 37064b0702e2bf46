"""The components of a box at a table: every short form is expanded, every reference checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Protocol, TypeVar

from msgspec import Struct

from driftlog.any_game import box as parts
from driftlog.any_game.box import Box, Button, Counter, Dice, Place, Step, Thing
from driftlog.any_game.short_forms import cards_of, dice_of, slug
from driftlog.kit import SEAT_IDS, Malformed, say

MOST_KINDS = 1_000
MOST_THINGS = 5_000
MOST_SPOTS = 600


class Spot(Struct, frozen=True):
    """A place at the table, or a space of such a place."""

    id: str
    name: str
    kind: str
    """`open`, `pile` or `hand`."""
    group: str
    """The id of the place in the box."""
    seat: int | None
    """The owner; None if the place belongs to the table."""

    @property
    def title(self) -> str:
        """The name in the current language."""
        return say(self.name)


class Kind(Struct, frozen=True):
    """A kind of thing."""

    id: str
    name: str
    homes: tuple[tuple[str, int], ...]
    """The places where such things begin, each with their number; empty if the supply is unlimited."""
    home: str
    """The place for additional things of this kind."""
    seat: int | None = None
    """The seat whose colour these things have; None if they belong to no player."""

    @property
    def title(self) -> str:
        """The name in the current language."""
        return say(self.name)

    @property
    def is_unlimited(self) -> bool:
        """True if the supply of such things is unlimited."""
        return not self.homes

    @property
    def count(self) -> int:
        """The number of such things in the box."""
        return sum(count for _, count in self.homes)


class Table:
    """The components of a box at a table with a given number of players.

    Args:
        seats: the number of players.

    Raises:
        Malformed: the box is contradictory; the pointer begins with `/options/box`.
    """

    def __init__(self, box: Box, seats: int) -> None:
        self.box, self.seats = box, seats
        self.spots: dict[str, Spot] = _unique(_spots(box, seats), MOST_SPOTS)
        self.kinds: dict[str, Kind] = _unique(self._kinds(), MOST_KINDS)
        self.dice: dict[str, Dice] = _unique(_dice(box))
        self.meters: dict[str, Counter] = _unique((f"/meters/{at}/id", one) for at, one in enumerate(box.meters))
        self.buttons: dict[str, Button] = _unique((f"/buttons/{at}/id", one) for at, one in enumerate(box.buttons))
        self._check_meters()
        for at, button in enumerate(box.buttons):
            for number, step in enumerate(button.steps):
                self._check_step(step, f"/buttons/{at}/steps/{number}")

    def place(self, id_: str, seat: int | None) -> str | None:
        """Return the id of the place that the box calls `id_`.

        If each player has such a place, return the one of `seat`.
        """
        return _own(self.spots, id_, seat)

    def thing(self, name: str, seat: int | None) -> str | None:
        """Return the id of the kind of thing with this name.

        If each player has their own kind, return the one of `seat`.
        """
        return _own(self.kinds, slug(name), seat)

    def hand(self, seat: int) -> str | None:
        """Return the first hand of a player; None if there are no hands."""
        return self.place(self.groups[0], seat) if self.groups and self.is_hand(self.groups[0]) else None

    def is_hand(self, group: str) -> bool:
        """Return True if a place of the box is a hand."""
        return any(place.id == group and place.kind == "hand" for place in self.box.places)

    @property
    def groups(self) -> tuple[str, ...]:
        """The ids of places in the box that each player has and that have no spaces, hands first."""
        own = [one for one in self.box.places if _is_per_player(one) and not one.spaces and one.grid is None]
        return tuple(place.id for place in sorted(own, key=lambda place: place.kind != "hand"))

    def _kinds(self) -> Iterator[tuple[str, Kind]]:
        left = MOST_THINGS
        for at, thing in enumerate(self.box.things):
            pointer = f"/things/{at}"
            member = "" if isinstance(thing, str) else "/cards" if thing.cards else "/each" if thing.each else "/name"
            written = f"{pointer}{member}"
            for id_, title, count in _expand(thing, pointer):
                for kind in self._copies(thing, pointer, id_, title, count):
                    left -= kind.count
                    if left < 0:
                        raise _wrong(written, say("must have at most {most} things", most=MOST_THINGS))
                    yield written, kind

    def _copies(self, thing: Thing | str, pointer: str, id_: str, title: str, count: int | None) -> Iterator[Kind]:
        place = _first_pile(self.box, pointer) if isinstance(thing, str) else _spot_id(thing.place)
        is_per_player = not isinstance(thing, str) and thing.per_player
        for owner in range(self.seats) if is_per_player else [None]:
            owners = [owner] if owner is not None else range(self.seats)
            found = list(dict.fromkeys(filter(None, (self.place(place, seat) for seat in owners))))
            if not found:
                raise _wrong(f"{pointer}/place", say("{name} is not a place of the box", name=repr(place)))
            homes = () if count is None else tuple((spot, count) for spot in found)
            key = id_ if owner is None else f"{SEAT_IDS[owner]}_{id_}"
            yield Kind(key, title, homes, found[0], owner)

    def _check_meters(self) -> None:
        for at, meter in enumerate(self.box.meters):
            is_number = isinstance(meter.start, int)
            if meter.words:
                is_right = len(set(meter.words)) == len(meter.words) and meter.start in {0, *meter.words}
            else:
                is_right = is_number and meter.least <= int(meter.start) <= meter.most
            if not is_right:
                raise _wrong(f"/meters/{at}/start", say("must be between `least` and `most`, or one of the `words`"))
        for at, id_ in enumerate(self.box.score):
            known = self.meters.get(id_)
            if known is None or known.words or not known.per_player:
                raise _wrong(f"/score/{at}", say("the players have no number called {name}", name=repr(id_)))

    def _check_step(self, step: Step, pointer: str) -> None:
        known: dict[str, tuple[str | None, object]] = {}
        if isinstance(step, parts.Take | parts.Draw):
            known["from"] = (step.from_, self.place(step.from_, 0))
            known["to"] = (step.to, self.hand(0) if step.to is None else self.place(step.to, 0))
        if isinstance(step, parts.Draw) and self.spots.get(str(self.place(step.from_, 0)), _NOWHERE).kind != "pile":
            known["from"] = (step.from_, None)
        if isinstance(step, parts.Take):
            known["thing"] = (step.thing, self.thing(step.thing, 0))
        if isinstance(step, parts.Roll):
            known["dice"] = (step.dice, self.dice.get(step.dice))
        if isinstance(step, parts.Set):
            meter = self.meters.get(step.meter)
            known["meter"] = (step.meter, meter)
            if meter is not None and not _is_value(meter, step):
                raise _wrong(
                    pointer, say("must have either `by` (the number to add) or `to` (the new value of the meter)")
                )
        for name, (given, found) in known.items():
            if found is None:
                raise _wrong(f"{pointer}/{name}", say("{name} is not in the box", name=repr(given)))


@lru_cache(maxsize=64)
def table_of(box: Box, seats: int) -> Table:
    """Return the components of a box for this number of players, from a cache."""
    return Table(box, seats)


def check_size(size: int) -> None:
    """Reject a box that is too large.

    Args:
        size: the size of the box in bytes, as compact JSON.

    Raises:
        Malformed: the box is too large.
    """
    if size > parts.LARGEST:
        message = say("a box has at most {most} bytes, and this one has {size}", most=parts.LARGEST, size=size)
        raise _wrong("", message)


def check(box: Box) -> None:
    """Check a box with its largest number of players.

    Raises:
        Malformed: the box is contradictory.
    """
    if box.players[0] > box.players[1]:
        raise _wrong("/players", say("must be the minimum and the maximum number of players"))
    table_of(box, box.players[1])


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_HasId)
_NOWHERE = Spot("", "", "", "", None)


def _wrong(pointer: str, message: str) -> Malformed:
    return Malformed(f"/options/box{pointer}", message)


def _unique(found: Iterable[tuple[str, T]], most: int = MOST_KINDS) -> dict[str, T]:
    """Return the parts by id.

    Args:
        found: each part, after its pointer into the box.
    """
    known: dict[str, T] = {}
    for pointer, one in found:
        if one.id in known:
            raise _wrong(pointer, say("{name} is in the box twice", name=repr(one.id)))
        known[one.id] = one
        if len(known) > most:
            raise _wrong(pointer, say("must have at most {most} different entries", most=most))
    return known


def _own(known: dict[str, T], id_: str, seat: int | None) -> str | None:
    if id_ in known:
        return id_
    own = "" if seat is None else f"{SEAT_IDS[seat]}_{id_}"
    return own if own in known else None


def _is_per_player(place: Place) -> bool:
    return place.per_player or place.kind == "hand"


def _is_value(meter: Counter, step: parts.Set) -> bool:
    if step.by is not None:
        return step.to is None and not meter.words
    return step.to in meter.words if meter.words else isinstance(step.to, int)


def title_of(part: Place | Dice | Counter | Button) -> str:
    """Return the title of a part in the current language."""
    return say(name_of(part))


def name_of(part: Place | Dice | Counter | Button) -> str:
    """Return the title of a part as the box states it. If the box states none, return the id as words."""
    return part.title or part.id[:1].upper() + part.id[1:].replace("_", " ")


def _spots(box: Box, seats: int) -> Iterator[tuple[str, Spot]]:
    for at, place in enumerate(box.places):
        pointer = f"/places/{at}"
        if place.grid is not None and place.spaces:
            raise _wrong(pointer, say("must have either `spaces` or a `grid`, not both"))
        ids = [(f"_{slug(space)}", f"{name_of(place)}: {space}") for space in place.spaces] or [("", name_of(place))]
        if place.grid is not None:
            columns = [chr(ord("A") + column) for column in range(place.grid.columns)]
            spaces = [f"{column}{row}" for row in range(1, place.grid.rows + 1) for column in columns]
            ids = [(f"_{space.lower()}", space) for space in spaces]
        for seat in range(seats) if _is_per_player(place) else [None]:
            owner = "" if seat is None else f"{SEAT_IDS[seat]}_"
            for space, title in ids:
                yield f"{pointer}/id", Spot(f"{owner}{place.id}{space}", title, place.kind, place.id, seat)


def _spot_id(name: str) -> str:
    """Return the id of a place, or of a space: `board.Clay pit` becomes `board_clay_pit`."""
    place, _, space = name.lower().partition(".")
    return f"{place}_{slug(space)}" if space else place


def _first_pile(box: Box, pointer: str) -> str:
    pile = next((place.id for place in box.places if place.kind == "pile"), None)
    if pile is None:
        raise _wrong(pointer, say("needs a place of the kind `pile`"))
    return pile


def _expand(thing: Thing | str, pointer: str) -> Iterator[tuple[str, str, int | None]]:
    """Yield the id, title and number of each kind of thing. A number of None means an unlimited supply."""
    if isinstance(thing, str):
        yield from cards_of(thing, f"/options/box{pointer}")
        return
    count = None if thing.count == "unlimited" else thing.count
    if thing.cards is not None:
        for id_, title, copies in cards_of(thing.cards, f"/options/box{pointer}/cards"):
            yield id_, title, count if count is None else copies * int(count)
        return
    if math.prod(map(len, thing.each)) > MOST_KINDS:
        raise _wrong(f"{pointer}/each", say("must have at most {most} different entries", most=MOST_KINDS))
    if thing.name is None and not thing.each:
        raise _wrong(pointer, say("`name` is missing"))
    for words in product(*thing.each):
        title = " ".join(filter(None, (thing.name, *words)))
        yield slug(title), title, count if count is None else int(count)


def _dice(box: Box) -> Iterator[tuple[str, Dice]]:
    for at, dice in enumerate(box.dice):
        pointer = f"/dice/{at}"
        found = dice_of(dice, f"/options/box{pointer}") if isinstance(dice, str) else dice
        if len({type(face) for face in found.faces}) > 1:
            raise _wrong(f"{pointer}/faces", say("must be only numbers or only words"))
        yield pointer, found
