"""Parts of a state. From each declaration, facts, columns, invariants, panels and words are derived.

A ruleset lists its parts in `parts`, and overrides what should differ (see `engine.kit.ruleset`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.core.values import MASKED, SeatId
from engine.kit.columns import AnyColumn, AnySeatColumn, Column, Kind, SeatColumn, join_ids
from engine.kit.common_facts import TurnIs, TurnOf, phase_is
from engine.kit.facts import AnyFact
from engine.kit.part_facts import CardIn, PartFact, camel

SeenBy = Literal["all", "owner"]
MOST = 1_000_000
_NO_TITLES: Mapping[str, str] = MappingProxyType({})


class Deck(msgspec.Struct, frozen=True, eq=False):
    """A deck of cards. At any time, the parts with this deck contain all of its cards."""

    counts: Mapping[str, int]
    """The number of copies of each card."""
    titles: Mapping[str, str] = _NO_TITLES
    """The names of cards, for players. A card without an entry has its capitalized id as its name."""

    def cards(self) -> tuple[str, ...]:
        """Return every card, sorted."""
        return tuple(sorted(Counter(self.counts).elements()))


class Part(msgspec.Struct, frozen=True, eq=False):
    """A part of the table: one member of the state."""

    member: str
    title: str
    """The name of the part, for players, such as 'Draw pile'."""

    @property
    def name(self) -> str:
        """The name in facts and columns: the title in snake case."""
        return "_".join("".join(letter if letter.isalnum() else " " for letter in self.title.lower()).split())

    @property
    def column_name(self) -> str:
        """The name of the column.

        A column that counts cards gets a different name, because columns that share a name must have the same type.
        """
        kind, *_ = self.column()
        return f"{self.name}_size" if self.deck is not None and kind is int else self.name

    @property
    def is_of_seats(self) -> bool:
        """True if the member has an entry for each seat."""
        return getattr(self, "per_seat", False)

    @property
    def deck(self) -> Deck | None:
        """The deck to which the cards of this part belong; None if the part has no cards."""
        return None

    @property
    def words(self) -> Mapping[str, str]:
        """The words that players use for the values of this part."""
        return _NO_TITLES

    def entries(self, state: Any) -> tuple[Any, ...]:
        """Return the entry of each seat; a single entry if the part belongs to no seat."""
        value = getattr(state, self.member)
        return tuple(value) if self.is_of_seats else (value,)

    def violations(self, state: Any) -> Iterator[str]:
        """Yield violated invariants."""
        yield from ()

    def mask(self, document: Any, viewer: int | None) -> Any:
        """Return `document`, the part as JSON, as `viewer` (None: the public) may see it."""
        return document

    @abstractmethod
    def read(self, entry: Any, viewer: int | None = None, seat: int | None = None) -> str:
        """Return an entry in words, with only what `viewer` may see."""

    @abstractmethod
    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        """Return three things: the column's type, a function from an entry to its value, and its description."""

    @abstractmethod
    def fact(self, kinds: Callable[[], tuple[Any, ...]], pile: str | None) -> type[AnyFact] | None:
        """Create the kind of fact about this part; None if there are no facts about it.

        Args:
            kinds: function that returns the kinds of fact about the same deck.
            pile: the member of the state with the face-down cards of the deck.
        """

    def _fact(self, base: type[Any], suffix: str, fields: Sequence[tuple[Any, ...]], **members: Any) -> type[AnyFact]:
        """Create a kind of fact. If each seat has an entry, the first field of the fact is the seat."""
        seat: list[tuple[Any, ...]] = [("seat", SeatId)] if self.is_of_seats else []
        kind: Any = msgspec.defstruct(
            f"{camel(self.name)}{suffix}",
            [*seat, *fields],
            bases=(base,),
            namespace={
                "__doc__": f"{self.title}.",
                "member": self.member,
                "title": self.title,
                "about": tuple(name for name, *_ in (*seat, *fields[:-1])),
                **members,
            },
            frozen=True,
        )
        found: type[AnyFact] = kind
        return found


class Meter(Part, frozen=True, eq=False, kw_only=True):
    """A number, such as a score, a water level, or the money in the bank."""

    unit: str = ""
    """The unit, such as 'points'."""
    least: int = 0
    most: int = MOST
    per_seat: bool = False

    def violations(self, state: Any) -> Iterator[str]:
        for value in self.entries(state):
            if not self.least <= value <= self.most:
                yield f"{self.title} is {value}, not between {self.least} and {self.most}"

    def read(self, entry: Any, viewer: int | None = None, seat: int | None = None) -> str:
        return f"{entry} {self.unit}".rstrip()

    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        most = "" if self.most == MOST else f" to {self.most}"
        return int, int, f"{self.title}{f' in {self.unit}' if self.unit else ''}, from {self.least}{most}."

    def fact(self, kinds: Callable[[], tuple[Any, ...]], pile: str | None) -> type[AnyFact]:
        count = Annotated[int, Meta(ge=self.least, le=self.most)]
        return self._fact(PartFact, "Is", [("value", count)])


class Token(Part, frozen=True, eq=False, kw_only=True):
    """An object in one of several places: a pawn on a track, a lamp that is on or off."""

    places: Mapping[str, str]
    """The name of each place, for players, in order."""
    per_seat: bool = False

    @property
    def words(self) -> Mapping[str, str]:
        return self.places

    def violations(self, state: Any) -> Iterator[str]:
        for value in self.entries(state):
            if value not in self.places:
                yield f"{self.title} is at {value!r}, which is no place"

    def read(self, entry: Any, viewer: int | None = None, seat: int | None = None) -> str:
        return self.places[entry]

    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        return str, str, f"The place of: {self.title}."

    def fact(self, kinds: Callable[[], tuple[Any, ...]], pile: str | None) -> type[AnyFact]:
        place = Literal[tuple(self.places)]  # type: ignore[valid-type]  # made of the declaration
        return self._fact(PartFact, "At", [("place", place)], titles=self.places)


class Cards(Part, frozen=True, eq=False):
    """Cards of a deck."""

    of: Deck

    @property
    def deck(self) -> Deck:
        return self.of

    @property
    def words(self) -> Mapping[str, str]:
        return self.of.titles

    def cards(self, state: Any) -> Iterator[str]:
        """Yield the cards of this part."""
        for entry in self.entries(state):
            yield from entry

    def read(self, entry: Any, viewer: int | None = None, seat: int | None = None) -> str:
        return str(len(entry))

    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        return str, lambda entry: join_ids(sorted(entry)), f"The cards in: {self.title}."

    def fact(self, kinds: Callable[[], tuple[Any, ...]], pile: str | None) -> type[AnyFact] | None:
        if pile is None:
            return None
        most = max(self.of.counts.values())
        return self._fact(
            CardIn,
            "Has",
            [("card", Literal[tuple(self.of.counts)]), ("count", Annotated[int, Meta(ge=0, le=most)])],
            titles=self.of.titles,
            pile=pile,
            same_deck=staticmethod(kinds),
            is_hidden=self.is_hidden,
        )

    @property
    def is_hidden(self) -> bool:
        """True if other players do not see the cards."""
        return False


class Row(Cards, frozen=True, eq=False):
    """Face-up cards on the table, as a tuple: a display, a discard pile."""


class Hand(Cards, frozen=True, eq=False, kw_only=True):
    """Cards before each player: for each seat a sorted tuple of cards.

    A hand that only its owner sees is masked in views, boards, overviews and facts, but not in events. To keep a card
    secret in events, record it as unknown.
    """

    seen_by: SeenBy = "all"

    @property
    def is_of_seats(self) -> bool:
        return True

    @property
    def is_hidden(self) -> bool:
        return self.seen_by == "owner"

    def is_seen(self, viewer: int | None, seat: int | None) -> bool:
        """Return True if `viewer` sees the cards of `seat`."""
        return not self.is_hidden or (viewer is not None and viewer == seat)

    def mask(self, document: Any, viewer: int | None) -> Any:
        return tuple(
            hand if self.is_seen(viewer, seat) else (MASKED,) * len(hand) for seat, hand in enumerate(document)
        )

    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        return (int, len, f"The number of cards in: {self.title}.") if self.is_hidden else super().column()


class Stack(Cards, frozen=True, eq=False):
    """A face-down pile, as a `Pile`."""

    def cards(self, state: Any) -> Iterator[str]:
        yield from getattr(state, self.member).cards()

    def column(self) -> tuple[Kind, Callable[[Any], Any], str]:
        return int, len, f"The number of cards in: {self.title}."

    def fact(self, kinds: Callable[[], tuple[Any, ...]], pile: str | None) -> None:
        return None


def facts(parts: Sequence[Part], phases: Mapping[str, str], *, has_turns: bool) -> tuple[type[AnyFact], ...]:
    """Return the facts of the turn, the parts and the phase."""
    piles: dict[Deck | None, str] = {part.deck: part.member for part in parts if isinstance(part, Stack)}
    by_deck: dict[Deck | None, list[type[AnyFact]]] = {}
    found: list[type[AnyFact]] = []
    # Hands come before rows: see `CardsAt.kinds`.
    for part in sorted(parts, key=lambda part: not part.is_of_seats):
        own = by_deck.setdefault(part.deck, [])
        kind = part.fact(lambda own=own: tuple(own), piles.get(part.deck))  # type: ignore[misc]  # its default
        if kind is not None:
            own.append(kind)
            found.append(kind)
    turns: tuple[type[AnyFact], ...] = (TurnIs, TurnOf) if has_turns else (TurnIs,)
    return (*turns, *found, phase_is(phases)) if phases else (*turns, *found)


def columns(parts: Sequence[Part]) -> tuple[AnyColumn, ...]:
    """Return the columns of the table."""
    return tuple(_column(part) for part in parts if not part.is_of_seats)


def seat_columns(parts: Sequence[Part]) -> tuple[AnySeatColumn, ...]:
    """Return the columns of the seats."""
    return tuple(_seat_column(part) for part in parts if part.is_of_seats)


def _column(part: Part) -> AnyColumn:
    kind, value, description = part.column()
    return Column(part.column_name, kind, lambda state: value(getattr(state, part.member)), description)


def _seat_column(part: Part) -> AnySeatColumn:
    kind, value, description = part.column()
    return SeatColumn(part.column_name, kind, lambda state, seat: value(getattr(state, part.member)[seat]), description)


def unseen(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the paths to hidden cards (see `Rules.unseen`)."""
    hands = [f"{part.member}/*" for part in parts if isinstance(part, Hand) and part.is_hidden]
    return (*hands, *(part.member for part in parts if isinstance(part, Stack)))


def components(parts: Sequence[Part]) -> dict[str, Any]:
    """Return the contents of the box: the cards of each deck."""
    decks = dict.fromkeys(part.of for part in parts if isinstance(part, Cards))
    return {"cards": [dict(deck.counts) for deck in decks]} if decks else {}


def violations(parts: Sequence[Part], state: Any) -> Iterator[str]:
    """Yield violated invariants: a meter out of range, a card too many or too few."""
    for part in parts:
        yield from part.violations(state)
    with_cards = [part for part in parts if isinstance(part, Cards)]
    for deck in dict.fromkeys(part.of for part in with_cards):
        found = Counter(card for part in with_cards if part.of is deck for card in part.cards(state))
        for card in sorted(found.keys() | deck.counts.keys()):
            if found[card] != deck.counts.get(card, 0):
                yield f"there are {found[card]} {card} cards, not {deck.counts.get(card, 0)}"


def seats(parts: Sequence[Part], state: Any) -> int:
    """Return the number of seats: the number of entries in the first part that has an entry for each seat.

    Raises:
        LookupError: there is no such part.
    """
    of_seats = [part for part in parts if part.is_of_seats]
    if not of_seats:
        raise LookupError("no part has an entry for each seat: override `seats`")
    return len(of_seats[0].entries(state))


def overview(parts: Sequence[Part], state: Any, names: Sequence[str]) -> dict[str, str]:
    """Return the public parts in words: a row for each player, then a row for each part of the table."""
    rows = {
        name: " · ".join(f"{part.title}: {part.read(part.entries(state)[seat])}" for part in parts if part.is_of_seats)
        for seat, name in enumerate(names)
    }
    table = {part.title: part.read(part.entries(state)[0]) for part in parts if not part.is_of_seats}
    return {label: text for label, text in (rows | table).items() if text}


__all__ = ["Deck", "Hand", "Meter", "Part", "Row", "Stack", "Token"]
