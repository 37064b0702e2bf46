"""Facts of the pirates: sheets with filled boxes and stars, tokens, cards, and the infamy track."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta
from msgspec.structs import force_setattr

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forgotten_waters.headings import (
    GAINING_LOSING_INFAMY,
    MISFORTUNE,
    REROLL,
    RESOLVING_CONSTELLATION_EVENTS,
    SETUP,
    SKILL,
    STARS,
    STORY_CARDS,
    TREASURE,
)
from engine.games.forgotten_waters.rules.holdings import gain, lose, return_story, take_story
from engine.games.forgotten_waters.scenario.effect_values import SKILLS, Id, Skill
from engine.games.forgotten_waters.scenario.effects import CheckOffEvent
from engine.games.forgotten_waters.scenario.pack import Natural, Sheet
from engine.games.forgotten_waters.state import EVENTS, Pirate, WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, listed, named, printed
from engine.kit.entries import exchanged
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted


def seated(state: WatersState) -> Iterable[tuple[SeatId, Pirate]]:
    """Yield the id of each seat with its pirate."""
    return zip(SEAT_IDS, state.pirates, strict=False)


class SheetOf(WatersFact, frozen=True):
    """The player sheet of a pirate."""

    about = ("seat",)
    texts = Texts("{name} has the sheet {sheet}.")
    seat: SeatId
    sheet: Id

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(seat, pirate.sheet) for seat, pirate in seated(state))

    def put(self, state: WatersState, told: Told) -> WatersState:
        if self.sheet not in state.pack.sheet:
            raise CannotBe(say("The scenario has no sheet {sheet}.", sheet=printed(self.sheet)), SETUP)
        seat = SEAT_INDEX[self.seat]
        was = state.pirates[seat].sheet
        for other, pirate in enumerate(state.pirates):
            if pirate.sheet == self.sheet:
                state = _with_sheet(state, other, was)
        return _with_sheet(state, seat, self.sheet)


def _with_sheet(state: WatersState, seat: int, id_: str) -> WatersState:
    """Give a sheet to the seat's pirate. Filled boxes and stars that this sheet does not have are removed."""
    sheet, pirate = state.pack.sheet[id_], state.pirates[seat]
    boxes = tuple(min(pirate.filled(skill), len(sheet.boxes[skill])) for skill in SKILLS)
    return state.with_pirate(seat, sheet=id_, boxes=boxes, stars=_linked(sheet, pirate.stars))


def _linked(sheet: Sheet, stars: Iterable[str]) -> tuple[str, ...]:
    """Return the stars in `stars` that can be filled in, in an order in which each is linked to an earlier star."""
    left, lit = list(stars), ["start"]
    while linked := [star for star in left if not sheet.links.get(star, frozenset()).isdisjoint(lit)]:
        left.remove(linked[0])
        lit.append(linked[0])
    return tuple(lit[1:])


class BoxesFilled(WatersFact, frozen=True):
    """The number of filled boxes of a skill on a pirate's sheet."""

    about = ("seat", "skill")
    none = {"count": 0}
    texts = Texts("{name} has {boxes} of {skill} filled in.")
    seat: SeatId
    skill: Skill
    count: Annotated[int, Meta(ge=0, le=7)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for seat, pirate in seated(state):
            yield from (cls(seat, skill, pirate.filled(skill)) for skill in SKILLS if pirate.filled(skill))

    def put(self, state: WatersState, told: Told) -> WatersState:
        seat = SEAT_INDEX[self.seat]
        there = len(state.sheet(seat).boxes[self.skill])
        if self.count > there:
            raise CannotBe(say("That sheet has {count} boxes of {skill}.", count=there, skill=named(self.skill)), SKILL)
        pirate = state.pirates[seat]
        boxes = tuple(self.count if of == self.skill else count for of, count in zip(SKILLS, pirate.boxes, strict=True))
        return state.with_pirate(seat, boxes=boxes)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        boxes = counted(self.count, "box", "boxes") if self.count else say("no boxes")
        return {**super().words(names), "boxes": boxes, "skill": named(self.skill)}


class StarsFilled(WatersFact, frozen=True):
    """The stars that are filled in on a pirate's constellation."""

    about = ("seat",)
    none = {"stars": ()}
    texts = Texts("{name} has these stars filled in: {stars}.")
    seat: SeatId
    stars: tuple[Id, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "stars", tuple(sorted(self.stars)))

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(seat, pirate.stars) for seat, pirate in seated(state) if pirate.stars)

    def put(self, state: WatersState, told: Told) -> WatersState:
        seat = SEAT_INDEX[self.seat]
        pirate = state.pirates[seat]
        kept = [star for star in pirate.stars if star in self.stars]
        stars = _linked(state.sheet(seat), [*kept, *(star for star in self.stars if star not in kept)])
        if len(stars) < len(self.stars) or len(set(stars)) < len(stars):
            raise CannotBe("Each star must be on that sheet, linked to the start star, and filled in once.", STARS)
        return state.with_pirate(seat, stars=stars)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "stars": listed([say(star) for star in self.stars])}


class EventsOf(WatersFact, frozen=True):
    """The number of constellation events that a pirate has checked off, and of event tokens not yet used."""

    about = ("seat",)
    none = {"checked": 0, "tokens": 0}
    texts = Texts("{name} has checked off {checked} events, and has {tokens} tokens.")
    seat: SeatId
    checked: Annotated[int, Meta(ge=0, le=EVENTS)] = 0
    tokens: Annotated[int, Meta(ge=0, le=EVENTS)] = 0

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for seat, pirate in seated(state):
            if pirate.events or pirate.event_tokens:
                yield cls(seat, pirate.events, pirate.event_tokens)

    def put(self, state: WatersState, told: Told) -> WatersState:
        if self.checked + self.tokens > EVENTS:
            raise CannotBe(
                say("A sheet has {count} constellation events.", count=EVENTS), RESOLVING_CONSTELLATION_EVENTS
            )
        return state.with_pirate(SEAT_INDEX[self.seat], events=self.checked, event_tokens=self.tokens)


def with_events_of_stars(state: WatersState) -> WatersState:
    """Check that there is a filled-in event star for each constellation event and event token, and return `state`.

    Raises:
        CannotBe: a pirate has too many events or tokens.
    """
    reading = Counter(step.seat for step in state.agenda if isinstance(step.effect, CheckOffEvent))
    for seat, pirate in enumerate(state.pirates):
        stars = state.sheet(seat).event_stars.intersection(pirate.stars)
        if pirate.events + pirate.event_tokens + reading[seat] > len(stars):
            raise CannotBe("Not enough event stars are filled in for that many events and tokens.", STARS)
    return state


class _TokensOf(WatersFact, frozen=True):
    """The number of tokens of one kind that a pirate has. The box limits the number of tokens."""

    about = ("seat",)
    none = {"count": 0}
    kind: ClassVar[Literal["rerolls", "misfortune"]]
    rule: ClassVar[str]
    texts = Texts("{name} has {tokens}.")
    seat: SeatId
    count: Natural

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(seat, getattr(pirate, cls.kind)) for seat, pirate in seated(state) if getattr(pirate, cls.kind))

    @staticmethod
    @abstractmethod
    def tokens(count: int) -> str:
        """Return a number of tokens in words."""

    def put(self, state: WatersState, told: Told) -> WatersState:
        seat, there = SEAT_INDEX[self.seat], getattr(state.pack.tokens, self.kind)
        others = sum(getattr(pirate, self.kind) for at, pirate in enumerate(state.pirates) if at != seat)
        if self.count + others > there:
            raise CannotBe(say("There are only {tokens}.", tokens=self.tokens(there)), self.rule)
        return state.with_pirate(seat, **{self.kind: self.count})

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "tokens": self.tokens(self.count)}


class RerollsOf(_TokensOf, frozen=True):
    """The number of a pirate's re-roll tokens."""

    kind = "rerolls"
    rule = REROLL

    @staticmethod
    def tokens(count: int) -> str:
        return counted(count, "re-roll token") if count else say("no re-roll tokens")


class MisfortuneOf(_TokensOf, frozen=True):
    """The number of a pirate's misfortune tokens."""

    kind = "misfortune"
    rule = MISFORTUNE

    @staticmethod
    def tokens(count: int) -> str:
        return counted(count, "misfortune token") if count else say("no misfortune tokens")


Where = Literal["deck", "discarded"] | SeatId


class TreasureAt(WatersFact, frozen=True):
    """The location of a treasure card: in front of a player, discarded, or in the deck."""

    about = ("card",)
    none = {"at": "deck"}
    moves_things = True
    texts = Texts("The treasure {card} is {at}.", "The treasure {card} is no longer {at}.")
    card: Id
    at: Where

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        yield from (cls(card, "discarded") for card in state.treasure_discard)
        for seat, pirate in seated(state):
            yield from (cls(card, seat) for card in pirate.treasures)

    def put(self, state: WatersState, told: Told) -> WatersState:
        card = self.card
        if card not in {one.id for one in state.pack.treasures}:
            raise CannotBe(say("The scenario has no treasure {treasure}.", treasure=printed(card)), TREASURE)
        for seat in range(len(state.pirates)):
            state = lose(state, seat, card)
        discard = tuple(one for one in state.treasure_discard if one != card)
        state = replace(state, treasure_discard=discard, treasure_pile=state.treasure_pile.without(card))
        if self.at == "deck":
            return replace(state, treasure_pile=state.treasure_pile.with_card(card))
        if self.at == "discarded":
            return replace(state, treasure_discard=(*discard, card))
        return gain(state, SEAT_INDEX[self.at], card)

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"card": printed(self.card), "at": _place(self.at, names)}


class StoryAt(WatersFact, frozen=True):
    """The location of a story card: in front of a player, or in the deck."""

    about = ("card",)
    none = {"at": "deck"}
    moves_things = True
    texts = Texts("The story {card} is {at}.", "The story {card} is no longer {at}.")
    card: Id
    at: Literal["deck"] | SeatId

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for seat, pirate in seated(state):
            yield from (cls(card, seat) for card in pirate.stories)

    def put(self, state: WatersState, told: Told) -> WatersState:
        if not state.pack.is_open and self.card not in state.pack.story_ids:
            raise CannotBe(say("The scenario has no story {story}.", story=printed(self.card)), STORY_CARDS)
        if self.at == "deck":
            return return_story(state, self.card)
        return take_story(state, SEAT_INDEX[self.at], self.card)

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"card": printed(self.card), "at": _place(self.at, names)}


def _place(at: Where, names: Sequence[str]) -> str:
    match at:
        case "deck":
            return say("in the deck")
        case "discarded":
            return say("discarded")
        case _:
            return say("before {name}", name=names[SEAT_INDEX[at]])


class InfamyAt(WatersFact, frozen=True):
    """The place of a pirate on the infamy track, 1 being the highest."""

    about = ("seat",)
    texts = Texts("{name} is number {place} in infamy.", "{name} is no longer number {place} in infamy.")
    seat: SeatId
    place: Annotated[int, Meta(ge=1, le=7)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(SEAT_IDS[seat], place) for place, seat in enumerate(state.infamy, 1))

    def put(self, state: WatersState, told: Told) -> WatersState:
        if self.place > len(state.infamy):
            raise CannotBe(say("There are only {count} pirates.", count=len(state.infamy)), GAINING_LOSING_INFAMY)
        return replace(state, infamy=exchanged(state.infamy, self.place - 1, SEAT_INDEX[self.seat]))
