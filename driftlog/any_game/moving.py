"""Actions that move things, and turn them over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Any, Self

from msgspec import Meta, field

from driftlog.any_game import words
from driftlog.any_game.acting import BoxAction, Count, Id, acts_now, params
from driftlog.any_game.state import BoxState, count_unseen, size, sort_items
from driftlog.any_game.stuff import Cannot, Stuff
from driftlog.kit import Chance, Value, say

MOST_EXAMPLES = 12
SHOWN = {"title": "Face up", "enum": [None, False, True]}
FaceUp = Annotated[bool | None, Meta(title="Face up")]
COUNT = {"type": "integer", "minimum": 1}


class Move(BoxAction, frozen=True):
    """Move things from one place to another. Without a `thing`, move face-down things."""

    type = "move"
    title = "Move things"
    verb = "move things"
    symbol = "arrow_right"
    asks_chance = True
    thing: Id | None
    from_: Id = field(name="from")
    to: Id
    count: Count = 1
    bottom: Annotated[bool, Meta(title="To the bottom")] = False
    shown: FaceUp = None

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield moves from the player's hand to the first open place. `ranges` describes all other moves."""
        hand, target = state.table.hand(seat), _first_open(state, seat)
        if hand is None or target is None or not acts_now(state, seat):
            return
        items = state.at(hand)
        for thing in [None] * bool(count_unseen(items)) + [item for item, _ in items if isinstance(item, str)][
            :MOST_EXAMPLES
        ]:
            yield cls(thing=thing, from_=hand, to=target)

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        return _movable(state)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        source, target = known_place(state, self.from_), known_place(state, self.to)
        if self.thing is not None and not state.has_kind(self.thing):
            raise Cannot(say("The box has no such thing."))
        stuff, seen = Stuff(state), is_shown(state, target, self.shown)
        if self.thing is None and self.count > _unseen(state, source):
            raise Cannot(say("That place does not have that many things."))
        if self.thing is None:
            for item in [stuff.take_unseen(source, chance if seen else None) for _ in range(self.count)]:
                stuff.add(target, item, bottom=self.bottom)
        else:
            stuff.take(source, self.thing, self.count)
            stuff.add(target, self.thing, self.count, bottom=self.bottom)
        return stuff.result()

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return say(
            "Move {things} from {source} to {target}",
            things=_moved_things(state, self.thing, self.count, (), names),
            source=words.place(state, self.from_, names),
            target=words.place(state, self.to, names),
        )

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say(
            "{player} moves {things} from {source} to {target}.",
            player=names[seat],
            things=_moved_things(state, self.thing, self.count, outcomes, names),
            source=words.place(state, self.from_, names),
            target=words.place(state, self.to, names),
        )


class DrawThings(BoxAction, frozen=True):
    """Draw from the top of a pile, by default into one's own hand."""

    type = "draw"
    title = "Draw from a pile"
    verb = "draw from a pile"
    symbol = "draw"
    asks_chance = True
    from_: Id = field(name="from")
    to: Id | None = None
    count: Count = 1
    shown: FaceUp = None

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield a draw of one thing from each pile of the table and the player. `ranges` describes all other draws."""
        if not acts_now(state, seat):
            return
        target = None if state.table.hand(seat) else _first_open(state, seat)
        if target is not None or state.table.hand(seat):
            yield from (cls(from_=pile, to=target) for pile in _near(state, seat) if state.at(pile))

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        piles = _sizes(state)
        if not piles or not state.table.spots:
            return None
        none = [None] if state.table.hand(seat) else []
        properties = {
            "from": {"enum": sorted(piles)},
            "to": {"enum": [*none, *sorted(state.table.spots)]},
            "count": COUNT,
            "shown": SHOWN,
        }
        most = [{"from": {"const": pile}, "count": {"maximum": count}} for pile, count in piles.items()]
        return params(["from"] if none else ["from", "to"], properties, most)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        source = known_pile(state, self.from_)
        target = state.table.hand(seat) if self.to is None else known_place(state, self.to)
        if target is None:
            raise Cannot(say("There are no hands: choose a place for the thing."))
        stuff, seen = Stuff(state), is_shown(state, target, self.shown)
        drawn = [stuff.take_top(source, chance if seen else None) for _ in range(self.count)]
        for item in drawn:
            stuff.add(target, item)
        return stuff.result()

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return say("Draw {count} from {source}", count=self.count, source=words.place(state, self.from_, names)) + (
            "" if self.to is None else f" → {words.place(state, self.to, names)}"
        )

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say(
            "{player} draws {things} from {source} to {target}.",
            player=names[seat],
            things=_moved_things(state, None, self.count, outcomes, names),
            source=words.place(state, self.from_, names),
            target=words.place(state, self.to or state.table.hand(seat) or "", names),
        )


class Deal(BoxAction, frozen=True):
    """Deal the same number of things from a pile to each player, by default into the hands."""

    type = "deal"
    verb = "deal"
    symbol = "card"
    asks_chance = True
    from_: Id = field(name="from")
    count: Count = 1
    to: Id | None = None

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """For each pile of the table and the player, yield a deal of one thing each.

        `ranges` describes all other deals.
        """
        if acts_now(state, seat) and state.table.groups:
            yield from (cls(from_=pile) for pile in _near(state, seat) if size(state.at(pile)) >= state.seats)

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        most = {pile: count // state.seats for pile, count in _sizes(state).items() if count >= state.seats}
        if not most or not state.table.groups:
            return None
        properties = {"from": {"enum": sorted(most)}, "count": COUNT, "to": {"enum": [None, *state.table.groups]}}
        any_of = [{"from": {"const": pile}, "count": {"maximum": count}} for pile, count in most.items()]
        return params(["from"], properties, any_of)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        source = known_pile(state, self.from_)
        group = self.to or next(iter(state.table.groups), None)
        if group not in state.table.groups:
            raise Cannot(say("No player has such a place."))
        stuff = Stuff(state)
        for _ in range(self.count):
            for each in range(state.seats):
                target = str(state.table.place(group, each))
                item = stuff.take_top(source, chance if is_shown(state, target) else None)
                stuff.add(target, item)
        return stuff.result()

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return say("Deal {count} each from {source}", count=self.count, source=words.place(state, self.from_, names))

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        said = say(
            "{player} deals {count} to each player from {source}.",
            player=names[seat],
            count=self.count,
            source=words.place(state, self.from_, names),
        )
        return f"{said} ({words.things(state, outcomes, names)})." if outcomes else said


class Shuffle(BoxAction, frozen=True):
    """Shuffle a pile, together with everything from another place if one is given."""

    type = "shuffle"
    verb = "shuffle"
    symbol = "wheel"
    place: Id
    from_: Id | None = field(name="from", default=None)

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield a shuffle of each pile of the table and of the player.

        `ranges` describes all other shuffles.
        """
        return map(cls, _near(state, seat)) if acts_now(state, seat) else ()

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        piles = _piles(state)
        if not piles:
            return None
        return params(["place"], {"place": {"enum": piles}, "from": {"enum": [None, *sorted(state.table.spots)]}}, [])

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        pile, stuff = known_pile(state, self.place), Stuff(state)
        if self.from_ is not None:
            source = known_place(state, self.from_)
            for item, count in list(stuff.at(source)):
                stuff.remove(source, item, count)
                stuff.add(pile, item, count)
        stuff.shuffle(pile)
        return stuff.result()

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        if self.from_ is None:
            return say("Shuffle {place}", place=words.place(state, self.place, names))
        source = words.place(state, self.from_, names)
        return say("Shuffle {source} into {place}", source=source, place=words.place(state, self.place, names))

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        pile = words.place(state, self.place, names)
        if self.from_ is None:
            return say("{player} shuffles {place}.", player=names[seat], place=pile)
        source = words.place(state, self.from_, names)
        return say("{player} shuffles {source} into {place}.", player=names[seat], source=source, place=pile)


class Look(BoxAction, frozen=True):
    """Look at face-down things and report what they are; in a pile, look at the top ones."""

    type = "look"
    verb = "look"
    symbol = "eye"
    asks_chance = True
    place: Id
    count: Count = 1

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield a look at the top card of the nearest pile. `ranges` describes all other looks."""
        if acts_now(state, seat):
            yield from [cls(place=pile) for pile in _near(state, seat) if state.at(pile)][:1]

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        most = _sizes(state) | {
            place: count_unseen(items)
            for place, items in state.things
            if place not in _piles(state) and count_unseen(items)
        }
        if not most:
            return None
        any_of = [{"place": {"const": place}, "count": {"maximum": count}} for place, count in most.items()]
        return params(["place"], {"place": {"enum": sorted(most)}, "count": COUNT}, any_of)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        stuff = Stuff(state)
        stuff.look(known_place(state, self.place), self.count, chance)
        return stuff.result()

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return say("Look at {count} in {place}", count=self.count, place=words.place(state, self.place, names))

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        seen = words.things(state, outcomes, names) or say("nothing new")
        place = words.place(state, self.place, names)
        return say("{player} looks at {place}: {things}.", player=names[seat], place=place, things=seen)


def known_place(state: BoxState, id_: str) -> str:
    """Return the id of a place.

    Raises:
        Cannot: there is no such place.
    """
    if id_ not in state.table.spots:
        raise Cannot(say("There is no such place."))
    return id_


def known_pile(state: BoxState, id_: str) -> str:
    """Return the id of a pile.

    Raises:
        Cannot: there is no such pile.
    """
    if state.table.spots[known_place(state, id_)].kind != "pile":
        raise Cannot(say("That is not a pile."))
    return id_


def is_shown(state: BoxState, target: str, shown: bool | None = None) -> bool:  # noqa: FBT001  # a param of actions
    """Return True if everyone sees things that are put into a place."""
    return state.table.spots[target].kind == "open" if shown is None else shown


def _moved_things(
    state: BoxState, thing: str | None, count: int, outcomes: Sequence[Value], names: Sequence[str]
) -> str:
    if thing is not None:
        return words.amount(count, words.thing(state, thing, names))
    if len(outcomes) == count:
        return words.things(state, outcomes, names)
    seen = f" ({words.things(state, outcomes, names)})" if outcomes else ""
    return (say("{count} face-down ones", count=count) if count > 1 else say("a face-down one")) + seen


def _piles(state: BoxState) -> list[str]:
    return sorted(one.id for one in state.table.spots.values() if one.kind == "pile")


def _near(state: BoxState, seat: int) -> list[str]:
    return [pile for pile in _piles(state) if state.table.spots[pile].seat in {None, seat}]


def _sizes(state: BoxState) -> dict[str, int]:
    """Return the number of things in each pile that is not empty."""
    return {pile: size(state.at(pile)) for pile in _piles(state) if state.at(pile)}


def _unseen(state: BoxState, place: str) -> int:
    """Return the number of things that players can take from a place without naming them."""
    items = state.at(place)
    return size(items) if state.table.spots[place].kind == "pile" else count_unseen(items)


def _first_open(state: BoxState, seat: int) -> str | None:
    """Return the first open place without spaces: of the table, or else of the player."""
    spots = [
        one
        for one in state.table.spots.values()
        if one.kind == "open" and one.seat in {None, seat} and one.id.endswith(one.group)
    ]
    return next((one.id for one in sorted(spots, key=lambda one: one.seat is not None)), None)


@lru_cache(maxsize=16)
def _movable(state: BoxState) -> dict[str, Any] | None:
    stuff = Stuff(state)
    by_what: dict[tuple[tuple[str | None, ...], int], list[str]] = {}
    endless = {(kind.home, kind.id) for kind in state.table.kinds.values() if stuff.is_endless(kind.id)}
    for place in sorted({place for place, _ in state.things} | {place for place, _ in endless}):
        most: dict[int, list[str | None]] = {}
        items = state.at(place)
        unseen = [(item, count) for item, count in items if isinstance(item, int)]
        found: dict[str | None, int] = dict.fromkeys(stuff.odds(unseen), 1) if unseen else {}
        seen = sort_items((item, count) for item, count in items if isinstance(item, str))
        found |= {str(item): count for item, count in seen}
        found |= {thing: 500 for home, thing in endless if home == place}
        if _unseen(state, place):
            found[None] = _unseen(state, place)
        for thing, count in found.items():
            most.setdefault(min(count, 500), []).append(thing)
        for count, names in most.items():
            key = (tuple(sorted(names, key=lambda name: (name is not None, name))), count)
            by_what.setdefault(key, []).append(place)
    if not by_what:
        return None
    any_of = [
        {"from": {"enum": places}, "thing": {"enum": list(names)}, "count": {"maximum": count}}
        for (names, count), places in by_what.items()
    ]
    places = sorted(state.table.spots)
    properties = {
        "thing": {"type": ["string", "null"]},
        "from": {"enum": sorted({place for places in by_what.values() for place in places})},
        "to": {"enum": places},
        "count": COUNT,
        "bottom": {"title": "To the bottom", "type": "boolean"},
        "shown": SHOWN,
    }
    return params(["thing", "from", "to"], properties, any_of)
