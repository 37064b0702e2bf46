"""Facts about the pirates: sheets with filled boxes and stars, tokens, cards, and the infamy track."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta
from msgspec.structs import force_setattr

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forgotten_waters import headings
from engine.games.forgotten_waters.rules.holdings import gain, lose, return_story, take_story
from engine.games.forgotten_waters.scenario.effects import CheckOffEvent
from engine.games.forgotten_waters.scenario.pack import EVENTS, Natural
from engine.games.forgotten_waters.scenario.values import SKILLS, Id, Skill
from engine.games.forgotten_waters.state import Pirate, WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, inline_name
from engine.kit.entries import exchanged, with_entry
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted, join_words


class _OfPirate(WatersFact, frozen=True):
    """A fact about a pirate. By default, its value is an attribute of the pirate: `member` has the attribute's name."""

    seat: SeatId

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        found = (cls(seat, *cls.values(pirate)) for seat, pirate in zip(SEAT_IDS, state.pirates, strict=False))
        return (fact for fact in found if fact != fact.absent)

    @classmethod
    def values(cls, pirate: Pirate) -> tuple[Any, ...]:
        """Return the values of the fields after `seat`."""
        return (getattr(pirate, cls.member),)

    @property
    def at(self) -> int:
        """The index of the seat."""
        return SEAT_INDEX[self.seat]


class SheetOf(_OfPirate, frozen=True):
    """The player sheet of a pirate."""

    member = "sheet"
    texts = Texts("{name} has the sheet {sheet}.")
    sheet: Id

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(self.sheet in state.pack.sheet, "The scenario has no sheet {sheet}.", headings.SETUP)
        was = state.pirates[self.at].sheet
        for other, pirate in enumerate(state.pirates):
            if pirate.sheet == self.sheet:
                state = _with_sheet(state, other, was)
        return _with_sheet(state, self.at, self.sheet)


def _with_sheet(state: WatersState, seat: int, id_: str) -> WatersState:
    """Give a sheet to the seat's pirate. Filled boxes and stars that this sheet does not have are removed."""
    sheet, pirate = state.pack.sheet[id_], state.pirates[seat]
    boxes = tuple(min(pirate.filled_boxes(skill), len(sheet.boxes[skill])) for skill in SKILLS)
    return state.with_pirate(seat, sheet=id_, boxes=boxes, stars=sheet.link_order(pirate.stars))


class InfamyAt(WatersFact, frozen=True):
    """The place of a pirate on the infamy track, 1 being the highest."""

    texts = Texts("{name} is number {place} in infamy.", "{name} is no longer number {place} in infamy.")
    rows = staticmethod(lambda state: ((SEAT_IDS[seat], place) for place, seat in enumerate(state.infamy, 1)))
    seat: SeatId
    place: Annotated[int, Meta(ge=1, le=7)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        count, rule = len(state.infamy), headings.GAINING_LOSING_INFAMY
        self.require(self.place <= count, "There are only {count} pirates.", rule, count=count)
        return replace(state, infamy=exchanged(state.infamy, self.place - 1, SEAT_INDEX[self.seat]))


class BoxesFilled(_OfPirate, frozen=True):
    """The number of filled boxes of a skill on a pirate's sheet."""

    about = ("seat", "skill")
    none = {"count": 0}
    texts = Texts("{name} has {count} of {skill} filled in.")
    words_of = {"skill": inline_name, "count": lambda n: counted(n, "box", "boxes") if n else say("no boxes")}
    skill: Skill
    count: Annotated[int, Meta(ge=0, le=7)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for seat, pirate in zip(SEAT_IDS, state.pirates, strict=False):
            yield from (cls(seat, skill, pirate.filled_boxes(skill)) for skill in SKILLS if pirate.filled_boxes(skill))

    def put(self, state: WatersState, told: Told) -> WatersState:
        there = len(state.sheet(self.at).boxes[self.skill])
        self.require(self.count <= there, "That sheet has {there} boxes of {skill}.", headings.SKILL, there=there)
        boxes = with_entry(state.pirates[self.at].boxes, SKILLS.index(self.skill), self.count)
        return state.with_pirate(self.at, boxes=boxes)


class StarsFilled(_OfPirate, frozen=True):
    """The stars that are filled in on a pirate's constellation."""

    none = {"stars": ()}
    member = "stars"
    texts = Texts("{name} has these stars filled in: {stars}.")
    words_of = {"stars": lambda stars: join_words(map(say, stars))}
    stars: tuple[Id, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "stars", tuple(sorted(self.stars)))

    def put(self, state: WatersState, told: Told) -> WatersState:
        kept = [star for star in state.pirates[self.at].stars if star in self.stars]
        stars = state.sheet(self.at).link_order([*kept, *(star for star in self.stars if star not in kept)])
        are_linked, rule = len(set(stars)) == len(stars) == len(self.stars), headings.STARS
        self.require(are_linked, "Each star must be on that sheet, linked to the start star, and filled in once.", rule)
        return state.with_pirate(self.at, stars=stars)


class EventsOf(_OfPirate, frozen=True):
    """The number of constellation events that a pirate has checked off, and of event tokens not yet used."""

    about = ("seat",)
    none = {"checked": 0, "tokens": 0}
    texts = Texts("{name} has checked off {checked} events, and has {tokens} tokens.")
    checked: Annotated[int, Meta(ge=0, le=EVENTS)] = 0
    tokens: Annotated[int, Meta(ge=0, le=EVENTS)] = 0

    @classmethod
    def values(cls, pirate: Pirate) -> tuple[Any, ...]:
        return pirate.events, pirate.event_tokens

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_possible = self.checked + self.tokens <= EVENTS
        rule = headings.RESOLVING_CONSTELLATION_EVENTS
        self.require(is_possible, "A sheet has {count} constellation events.", rule, count=EVENTS)
        return state.with_pirate(self.at, events=self.checked, event_tokens=self.tokens)


def with_events_of_stars(state: WatersState) -> WatersState:
    """Check that there is a filled-in event star for each constellation event and event token, and return `state`.

    Raises:
        CannotBe: a pirate has too many events or tokens.
    """
    reading = Counter(step.seat for step in state.agenda if isinstance(step.effect, CheckOffEvent))
    for seat, pirate in enumerate(state.pirates):
        stars = state.sheet(seat).event_stars.intersection(pirate.stars)
        if pirate.events + pirate.event_tokens + reading[seat] > len(stars):
            raise CannotBe("Not enough event stars are filled in for that many events and tokens.", headings.STARS)
    return state


class _TokensOf(_OfPirate, frozen=True):
    """The number of tokens of one kind that a pirate has. The box limits the number of tokens."""

    none = {"count": 0}
    rule: ClassVar[str]
    texts = Texts("{name} has {count}.")
    count: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        there = getattr(state.pack.tokens, self.member)
        others = sum(getattr(pirate, self.member) for seat, pirate in enumerate(state.pirates) if seat != self.at)
        tokens = self.words_of["count"](there)
        self.require(self.count + others <= there, "There are only {tokens}.", self.rule, tokens=tokens)
        return state.with_pirate(self.at, **{self.member: self.count})


class RerollsOf(_TokensOf, frozen=True):
    """The number of a pirate's re-roll tokens."""

    member = "rerolls"
    rule = headings.REROLL
    words_of = {"count": lambda count: counted(count, "re-roll token") if count else say("no re-roll tokens")}


class MisfortuneOf(_TokensOf, frozen=True):
    """The number of a pirate's misfortune tokens."""

    member = "misfortune"
    rule = headings.MISFORTUNE
    words_of = {"count": lambda count: counted(count, "misfortune token") if count else say("no misfortune tokens")}


class TreasureAt(WatersFact, frozen=True):
    """The location of a treasure card: in front of a player, discarded, or in the deck."""

    none = {"at": "deck"}
    moves_things = True
    texts = Texts("The treasure {card} is before {name}.", "The treasure {card} is no longer before {name}.")
    texts_of = {
        "deck": Texts("The treasure {card} is in the deck.", "The treasure {card} is no longer in the deck."),
        "discarded": Texts("The treasure {card} is discarded.", "The treasure {card} is no longer discarded."),
    }
    rows = staticmethod(
        lambda state: [*((card, "discarded") for card in state.treasure_discard), *state.cards_in_play("treasures")]
    )
    card: Id
    at: Literal["deck", "discarded"] | SeatId

    def put(self, state: WatersState, told: Told) -> WatersState:
        card = self.card
        is_known = card in {one.id for one in state.pack.treasures}
        self.require(is_known, "The scenario has no treasure {card}.", headings.TREASURE)
        for seat in range(len(state.pirates)):
            state = lose(state, seat, card)
        discard = tuple(one for one in state.treasure_discard if one != card)
        state = replace(state, treasure_discard=discard, treasure_pile=state.treasure_pile.without(card))
        if self.at == "deck":
            return replace(state, treasure_pile=state.treasure_pile.with_card(card))
        if self.at == "discarded":
            return replace(state, treasure_discard=(*discard, card))
        return gain(state, SEAT_INDEX[self.at], card)


class StoryAt(WatersFact, frozen=True):
    """The location of a story card: in front of a player, or in the deck."""

    none = {"at": "deck"}
    moves_things = True
    texts = Texts("The story {card} is before {name}.", "The story {card} is no longer before {name}.")
    texts_of = {"deck": Texts("The story {card} is in the deck.", "The story {card} is no longer in the deck.")}
    rows = staticmethod(lambda state: state.cards_in_play("stories"))
    card: Id
    at: Literal["deck"] | SeatId

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_known = state.pack.is_open or self.card in state.pack.story_ids
        self.require(is_known, "The scenario has no story {card}.", headings.STORY_CARDS)
        if self.at == "deck":
            return return_story(state, self.card)
        return take_story(state, SEAT_INDEX[self.at], self.card)
