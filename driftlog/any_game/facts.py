"""Facts about a table, used to correct a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from driftlog.any_game.acting import Id
from driftlog.any_game.box import Box
from driftlog.any_game.playing import Face, Number, value_of, with_meter
from driftlog.any_game.state import BoxState, count_unseen
from driftlog.any_game.stuff import Cannot, Stuff
from driftlog.any_game.words import list_faces, plain
from driftlog.kit import (
    SEAT_IDS,
    SEAT_INDEX,
    CannotBe,
    Fact,
    SeatId,
    Texts,
    Told,
    TurnIs,
    TurnOf,
    marked,
    say,
    with_entry,
)

Amount = Annotated[int, Meta(ge=0, le=5_000)]


class BoxFact(Fact[BoxState], frozen=True):
    """A fact about the parts of a box."""

    titles: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The title of each part of the game's box."""

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        return {
            name: self._in_words(value, names) if isinstance(value, str) else value for name, value in found.items()
        }

    def _in_words(self, value: str, names: Sequence[str]) -> str:
        if value in SEAT_INDEX:
            return names[SEAT_INDEX[value]]
        part = say(self.titles.get(plain(value), plain(value).replace("_", " ").capitalize()))
        seat = SEAT_INDEX.get(value[:2]) if plain(value) != value else None
        return part if seat is None else say("{part} of {player}", part=part, player=names[seat])


class BoxHas(BoxFact, frozen=True):
    """The real number of things of a kind in the box, if the description of the box was wrong."""

    about = ("thing",)
    none: ClassVar[Mapping[str, Any]] = {"count": None}
    texts = Texts(marked("The box has {count} × {thing}."))
    texts_of: ClassVar[Mapping[Any, Texts]] = {None: Texts(marked("The number of {thing} in the box is as described."))}
    thing: Id
    count: Amount | None

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        return (cls(thing, count) for thing, count in state.counts)

    def put(self, state: BoxState, told: Told) -> BoxState:
        stuff, kind = Stuff(state), state.table.kinds.get(self.thing)
        if not state.table.spots:
            raise CannotBe(say("The box defines no places, so it cannot contain things."))
        before = dict(state.counts).get(self.thing, in_play(state, self.thing))
        stuff.counts = {**stuff.counts, self.thing: before}
        after = self.count if self.count is not None else 0 if kind is None else kind.count
        if after > before:
            put_away(stuff, self.thing, after - before, told)
        elif after < before and not (self.count is None and kind is not None and kind.is_unlimited):
            fetch(stuff, self.thing, before - after, told)
        stuff.counts[self.thing] = after
        if self.count is None:
            del stuff.counts[self.thing]
            stuff.forget_endless()
        return stuff.result()


class ThingsAt(BoxFact, frozen=True):
    """The number of things of a kind that are known to be in a place."""

    about = ("place", "thing")
    none: ClassVar[Mapping[str, Any]] = {"count": 0}
    moves_things = True
    texts = Texts(marked("{place}: {count} × {thing}."))
    place: Id
    thing: Id
    count: Amount

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        for place, items in state.things:
            found: dict[str, int] = {}
            for item, count in items:
                if isinstance(item, str):
                    found[item] = found.get(item, 0) + count
            yield from (cls(place, thing, count) for thing, count in sorted(found.items()))

    def put(self, state: BoxState, told: Told) -> BoxState:
        if self.place not in state.table.spots or not state.has_kind(self.thing):
            raise CannotBe(say("The box has no such place, or no such thing."))
        stuff = Stuff(state)
        more = self.count - count_known(stuff, self.place, self.thing)
        if more > 0:
            fetch(stuff, self.thing, more, told, self.place)
            stuff.add(self.place, self.thing, more)
        elif more < 0:
            stuff.remove(self.place, self.thing, -more)
            put_away(stuff, self.thing, -more, told, self.place)
        return stuff.result()


class FaceDownAt(BoxFact, frozen=True):
    """The number of face-down things in a place that nobody has seen."""

    about = ("place",)
    none: ClassVar[Mapping[str, Any]] = {"count": 0}
    moves_things = True
    texts = Texts(marked("{place}: {count} face down."))
    place: Id
    count: Amount

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        return (cls(place, count_unseen(items)) for place, items in state.things if count_unseen(items))

    def put(self, state: BoxState, told: Told) -> BoxState:
        if self.place not in state.table.spots:
            raise CannotBe(say("The box has no such place, or no such thing."))
        stuff = Stuff(state)
        piles = [one.id for one in state.table.spots.values() if one.kind == "pile" and one.id != self.place]
        while (more := self.count - count_unseen(stuff.at(self.place))) != 0:
            others = _with_spare_hidden(stuff, self.place, told) if more > 0 else piles
            if not others:
                raise CannotBe(say("There are not enough face-down things."))
            source, target = (others[0], self.place) if more > 0 else (self.place, others[0])
            item, there = next(entry for entry in stuff.at(source) if isinstance(entry[0], int))
            count = min(abs(more), there)
            stuff.remove(source, item, count)
            stuff.add(target, item, count, bottom=True)
        return stuff.result()


class MeterIs(BoxFact, frozen=True):
    """The value of a meter of the table."""

    about = ("meter",)
    texts = Texts(marked("{meter}: {value}."))
    meter: Id
    value: Number | Annotated[str, Meta(max_length=60)]

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        return (cls(one.id, value_of(state, one.id, 0)) for one in state.box.meters if not one.per_player)

    def put(self, state: BoxState, told: Told) -> BoxState:
        return _set(state, self.meter, 0, self.value, is_per_player=False)


class PlayerMeterIs(BoxFact, frozen=True):
    """The value of a meter of a player."""

    about = ("seat", "meter")
    texts = Texts(marked("{meter} of {seat}: {value}."))
    seat: SeatId
    meter: Id
    value: Number | Annotated[str, Meta(max_length=60)]

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        for one in state.box.meters:
            if one.per_player:
                yield from (cls(SEAT_IDS[seat], one.id, value_of(state, one.id, seat)) for seat in range(state.seats))

    def put(self, state: BoxState, told: Told) -> BoxState:
        return _set(state, self.meter, SEAT_INDEX[self.seat], self.value, is_per_player=True)


class DiceShow(BoxFact, frozen=True):
    """The last roll of dice."""

    about = ("dice",)
    none: ClassVar[Mapping[str, Any]] = {"faces": ()}
    texts = Texts(marked("{dice}: {faces}."))
    texts_of: ClassVar[Mapping[Any, Texts]] = {(): Texts(marked("{dice}: not rolled yet."))}
    dice: Id
    faces: Annotated[tuple[Face, ...], Meta(max_length=20)]

    @classmethod
    def all(cls, state: BoxState) -> Iterable[Self]:
        return (cls(id_, faces) for id_, faces in zip(state.table.dice, state.dice, strict=True) if faces)

    def put(self, state: BoxState, told: Told) -> BoxState:
        dice = state.table.dice.get(self.dice)
        faces = tuple(sorted(self.faces, key=lambda face: (isinstance(face, str), face)))
        if dice is None or len(faces) not in {0, dice.count} or not {*faces} <= {*dice.faces} or faces != self.faces:
            raise CannotBe(say("The dice cannot show that result."))
        return replace(state, dice=with_entry(state.dice, list(state.table.dice).index(self.dice), faces))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "faces": list_faces(self.faces)}


def kinds_of(box: Box) -> tuple[type[Fact[BoxState]], ...]:
    """Return the kinds of facts about tables with a box."""
    turns: tuple[type[Fact[BoxState]], ...] = (TurnIs,) if box.turns == "free" else (TurnIs, TurnOf)
    return (*turns, BoxHas, MeterIs, PlayerMeterIs, DiceShow, ThingsAt, FaceDownAt)


def in_play(state: BoxState, thing: str) -> int:
    """Return the number of things of a kind in all places and pools."""
    everywhere = (*(items for _, items in state.things), *state.pools)
    return sum(count for items in everywhere for item, count in items if item == thing)


def count_known(stuff: Stuff, place: str, thing: str) -> int:
    """Return the number of things of a kind that are known to be in a place."""
    return sum(count for item, count in stuff.at(place) if item == thing)


def fetch(stuff: Stuff, thing: str, count: int, told: Told, target: str = "") -> None:
    """Take things of a kind from places other than `target`, first from those that have more than the facts report.

    Raises:
        CannotBe: there are not enough things.
    """
    if stuff.is_endless(thing) and stuff.table.kinds[thing].home != target:
        return
    for place in sorted(stuff.places, key=lambda place: _by_reluctance(stuff, place, thing, told)):
        fact = told.of(ThingsAt, place, thing)
        spare = count_known(stuff, place, thing) - (0 if fact is None else fact.count)
        if place != target and spare > 0 and count:
            stuff.remove(place, thing, min(spare, count))
            count -= min(spare, count)
    for place in sorted(stuff.places, key=lambda place: not stuff.is_pile(place)):
        while count and not count_known(stuff, place, thing):
            try:
                stuff.take(place, thing, 1)
            except Cannot:
                break
            count -= 1
    if count:
        raise CannotBe(say("The box does not have that many things."))


def put_away(stuff: Stuff, thing: str, count: int, told: Told, source: str = "") -> None:
    """Put things of a kind into places that have fewer than the facts say, and the rest into their home places."""
    for place in stuff.table.spots:
        fact = told.of(ThingsAt, place, thing)
        more = min(count, 0 if fact is None else fact.count - count_known(stuff, place, thing))
        if more > 0 and place != source:
            stuff.add(place, thing, more)
            count -= more
    kind = stuff.table.kinds.get(thing)
    home = next(iter(stuff.table.spots)) if kind is None else kind.home
    if count:
        stuff.add(home, thing, count)
        if stuff.is_pile(home):
            stuff.shuffle(home)


def _by_reluctance(stuff: Stuff, place: str, thing: str, told: Told) -> tuple[bool, bool, str]:
    """Return a sort key for the places from which things of a kind are taken; hands come last."""
    return (not told.speaks_of(ThingsAt, place, thing), stuff.table.spots[place].kind == "hand", place)


def _with_spare_hidden(stuff: Stuff, target: str, told: Told) -> list[str]:
    """Return the places other than `target` that can give away face-down things, piles first."""
    found = []
    for place in stuff.places:
        fact = told.of(FaceDownAt, place)
        if place != target and count_unseen(stuff.at(place)) > (0 if fact is None else fact.count):
            found.append(place)
    return sorted(found, key=lambda place: (not stuff.is_pile(place), place))


def _set(state: BoxState, meter: str, seat: int, value: int | str, *, is_per_player: bool) -> BoxState:
    known = state.table.meters.get(meter)
    if known is None or known.per_player is not is_per_player or seat >= state.seats:
        raise CannotBe(say("There is no such meter."))
    try:
        return with_meter(state, meter, seat, value, None)
    except Cannot as cannot:
        raise CannotBe(str(cannot)) from None
