"""The facts of a Forbidden Island table: the island and its pawns, the cards, the water, and the turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import UNSET, Meta, UnsetType

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, SeatId
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Tile, Treasure, printed_name, treasure_deck
from engine.games.forbidden_island.headings import LOSING, SETUP
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import floods_due, settle
from engine.kit import common_facts
from engine.kit.card_facts import CardsAt
from engine.kit.common_facts import IsAmong, IsSo, LayersAre, SizeIs, TurnIs, phase_is
from engine.kit.entries import exchanged
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.piles import Pile
from engine.kit.words import counted

Role = Literal["diver", "engineer", "explorer", "messenger", "navigator", "pilot"]
HandCard = Literal[Treasure, "helicopter_lift", "sandbags"]
DeckCard = Literal[HandCard, "waters_rise"]
Count = Annotated[int, Meta(ge=0, le=28)]


class IslandFact(Fact[IslandState], frozen=True):
    """A fact whose values have printed names, or texts in the catalogues."""

    @staticmethod
    def word(value: str, /) -> str:
        return say(box.WORDS[value]) if value in box.WORDS else printed_name(value)


class LiesAt(IslandFact, frozen=True):
    """The position of a tile on the island, or its position before it sank."""

    about = ("tile",)
    title = marked("The island")
    texts = Texts("{tile} lies in column {column} of row {row}.")
    rows = staticmethod(lambda state: ((tile, *space) for tile, space in zip(state.layout, box.SPACES, strict=True)))
    tile: Tile
    column: Annotated[int, Meta(ge=1, le=6, description="From the west.")]
    row: Annotated[int, Meta(title="Row of the island", ge=1, le=6, description="From the north.")]

    def put(self, state: IslandState, told: Told) -> IslandState:
        space = (self.column, self.row)
        self.require(space in box.SPACES, "The island has no space in column {column} of row {row}.", SETUP)
        return replace(state, layout=exchanged(state.layout, box.SPACES.index(space), self.tile))


class Plays(IslandFact, frozen=True):
    """The adventurer of a player."""

    title = marked("Adventurers")
    member = "roles"
    texts = Texts("{name} is the {role}.")
    seat: SeatId
    role: Role

    def put(self, state: IslandState, told: Told) -> IslandState:
        # The player who had this role gets the role that `seat` had, unless a different one is reported.
        return replace(state, roles=exchanged(state.roles, SEAT_INDEX[self.seat], self.role))


class TileIs(IslandFact, frozen=True):
    """The condition of a tile: dry, flooded or sunk."""

    title = marked("Flooded and sunk tiles")
    ask = marked("Tap a flooded tile once, a sunk one twice. All others are dry.")
    texts_of = {
        "sunk": Texts("{tile} has sunk.", "{tile} has not sunk."),
        "flooded": Texts("{tile} is flooded.", "{tile} is no longer flooded."),
        "dry": Texts("{tile} is dry.", "{tile} is no longer dry."),
    }
    tile: Tile
    state: Literal["dry", "flooded", "sunk"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        for tile in box.TILES:
            yield cls(tile, "sunk" if tile in state.sunk else "flooded" if tile in state.flooded else "dry")

    def put(self, state: IslandState, told: Told) -> IslandState:
        tile, was_sunk = self.tile, self.tile in state.sunk
        state = replace(
            state,
            flooded=state.flooded | {tile} if self.state == "flooded" else state.flooded - {tile},
            sunk=state.sunk | {tile} if self.state == "sunk" else state.sunk - {tile},
        )
        if self.state == "sunk":
            return without_flood_card(state, tile)
        return with_flood_card(state, tile, is_discarded=self.state == "flooded") if was_sunk else state


class FloodPileIs(LayersAre[IslandState], frozen=True):
    """The known part of the Flood pile: its layers from the top, or none if it was shuffled as a whole."""

    member = "flood_pile"
    texts = Texts("The Flood pile, each part of it shuffled, from the top: {parts}.")
    texts_of = {(): Texts("The whole Flood pile is shuffled.")}
    word = staticmethod(printed_name)
    layers: tuple[Annotated[tuple[Tile, ...], Meta(min_length=1)], ...]
    """The layers from the top. Cards that were shuffled together are one layer."""

    def put(self, state: IslandState, told: Told) -> IslandState:
        layers = self.layers or ((*state.flood_pile.cards(),),)
        cards = [tile for layer in layers for tile in layer]
        is_possible = len(set(cards)) == len(cards) and state.sunk.isdisjoint(cards)
        self.require(is_possible, "Each Flood card is in the pile at most once, and no card of a sunk tile is.")
        discard = tuple(tile for tile in box.TILES if tile not in state.sunk and tile not in cards)
        return replace(state, flood_pile=Pile(layers).sort_layers(), flood_discard=discard)


class FloodCardIs(IslandFact, frozen=True):
    """The location of the Flood card of a tile that has not sunk."""

    title = marked("Flood discard pile")
    ask = marked("Tap the tiles in the Flood discard pile. All other Flood cards are in the pile.")
    texts = Texts("The Flood card of {tile} is {place}.", "The Flood card of {tile} is no longer {place}.")
    tile: Tile
    place: Literal["pile", "discard_pile"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        discarded = set(state.flood_discard)
        for tile in box.TILES:
            if tile in discarded:
                yield cls(tile, "discard_pile")
            elif tile in state.flood_pile.cards():
                yield cls(tile, "pile")

    def put(self, state: IslandState, told: Told) -> IslandState:
        self.require(self.tile not in state.sunk, "{tile} has sunk: its Flood card is out of the game.", LOSING)
        state = without_flood_card(state, self.tile)
        return with_flood_card(state, self.tile, is_discarded=self.place == "discard_pile")


class StandsOn(IslandFact, frozen=True):
    """The tile on which a pawn stands, or from which it must swim."""

    title = marked("Pawns")
    member = "pawns"
    texts = Texts("{name} stands on {tile}.", "{name} no longer stands on {tile}.")
    seat: SeatId
    tile: Tile


def without_flood_card(state: IslandState, tile: Tile) -> IslandState:
    """Return `state` with the Flood card of `tile` in neither pile."""
    discard = tuple(one for one in state.flood_discard if one != tile)
    return replace(state, flood_pile=state.flood_pile.without(tile), flood_discard=discard)


def with_flood_card(state: IslandState, tile: Tile, *, is_discarded: bool) -> IslandState:
    """Return `state` with the Flood card of `tile` in the discard pile or in the draw pile."""
    if is_discarded:
        return replace(state, flood_discard=(*state.flood_discard, tile))
    return replace(state, flood_pile=state.flood_pile.with_card(tile))


class _TreasureCards(CardsAt[IslandState], frozen=True):
    """The number of cards of the players' deck in a place."""

    pile = "treasure_pile"
    word = staticmethod(printed_name)

    @classmethod
    def shortage(cls, state: IslandState, card: str) -> CannotBe:
        count = treasure_deck(state.edition).count(card)
        return CannotBe(say("There are only {cards}.", cards=_card_count(count, card)), SETUP)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        *_, card = self.subject[1]
        return {**super().words(names), "cards": _card_count(self.content, card)}


def _card_count(count: int, card: str) -> str:
    if not count:
        return say("no {card} card", card=printed_name(card))
    if count == 1:
        return say("1 {card} card", card=printed_name(card))
    return say("{count} {card} cards", count=count, card=printed_name(card))


class HasCards(_TreasureCards, frozen=True):
    """The number of copies of a card in a player's hand."""

    about = ("seat", "card")
    title = marked("Hands")
    member = "hands"
    texts = Texts("{name} has {cards}.", "{name} no longer has {cards}.")
    texts_of = {0: Texts("{name} has {cards}.", "{name} has at least 1 {card} card now.")}
    seat: SeatId
    card: HandCard
    count: Count = 1


class CardsDiscarded(_TreasureCards, frozen=True):
    """The number of copies of a card in the discard pile of the players' deck."""

    title = marked("Treasure discard pile")
    member = "treasure_discard"
    texts = Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile no longer holds {cards}.")
    texts_of = {
        0: Texts("The {deck} discard pile holds {cards}.", "The {deck} discard pile holds at least 1 {card} card now."),
    }
    deck: ClassVar[str] = marked("Treasure")
    card: DeckCard
    count: Count = 1

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck)}


class Captured(IsAmong[IslandState], frozen=True):
    """True if the team has a treasure."""

    title = marked("Treasures")
    member = "captured"
    texts = Texts("The team has the {treasure}.", "The team no longer has the {treasure}.")
    texts_of = {False: Texts("The team does not have the {treasure}.", "The team has the {treasure}.")}
    word = staticmethod(printed_name)
    treasure: Treasure
    yes: bool = True


class HandIs(SizeIs[IslandState], frozen=True):
    """The number of cards in a player's hand."""

    member = "hands"
    texts = Texts("{name} has {cards}.")
    seat: SeatId
    count: Count


class DeckIs(SizeIs[IslandState], frozen=True):
    """The number of cards left in the players' deck."""

    member = "treasure_pile"
    texts = Texts("The {deck} deck has {cards}.")
    deck: ClassVar[str] = marked("Treasure")
    count: Count

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "deck": say(self.deck)}


class WaterLevel(Fact[IslandState], frozen=True):
    """The tick of the water meter."""

    title = marked("Water level")
    ask = marked("Tap the water level.")
    member = "water_level"
    texts = Texts("The water is at {level}.", "The water is no longer at {level}.")
    texts_of = {box.SKULL: Texts("The water is at the skull.", "The water is no longer at the skull.")}
    level: Annotated[int, Meta(ge=1, le=box.SKULL, description=f"From the lowest tick; {box.SKULL} is the skull.")]


class TurnOf(common_facts.TurnOf[IslandState], frozen=True):
    """The player whose turn it is."""

    resets = {"has_flown": False}


class Left(Fact[IslandState], frozen=True):
    """The rest of the turn: actions, then cards of the players' deck, then Flood cards."""

    texts = Texts("Left this turn: {left}.")
    of: Literal["actions", "cards", "flood_cards"]
    count: Annotated[int, Meta(ge=0, le=max(box.METER))]
    over: (
        Annotated[int, Meta(ge=1, le=max(box.METER), description="Flood cards drawn beyond those due.")] | UnsetType
    ) = UNSET

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        if state.treasure_draws_left == box.TREASURE_DRAWS and state.actions_left:
            yield cls("actions", state.actions_left)
        elif state.treasure_draws_left:
            yield cls("cards", state.treasure_draws_left)
        else:
            yield cls("flood_cards", state.flood_draws_left, state.flood_draws_over)

    def put(self, state: IslandState, told: Told) -> IslandState:
        most = {"actions": box.ACTIONS_PER_TURN, "cards": box.TREASURE_DRAWS, "flood_cards": max(box.METER)}[self.of]
        self.require(self.count <= most, "At most {left} can be left in a turn.", left=_describe_left(self.of, most))
        is_possible = self.over is UNSET or (self.of == "flood_cards" and not self.count)
        self.require(is_possible, "Only a player with no Flood cards left to draw can have drawn too many.")
        return replace(
            state,
            actions_left=self.count if self.of == "actions" else 0,
            treasure_draws_left={"actions": box.TREASURE_DRAWS, "cards": self.count, "flood_cards": 0}[self.of],
            flood_draws_left=self.count if self.of == "flood_cards" else 0,
            flood_draws_over=self.over,
        )

    def words(self, names: Sequence[str]) -> dict[str, str]:
        left = _describe_left(self.of, self.count)
        return {"left": left if self.over is UNSET else say("{left}, {over} too many drawn", left=left, over=self.over)}


class HasFlown(IsSo[IslandState], frozen=True):
    """True if the Pilot has flown this turn."""

    member = "has_flown"
    texts = Texts("The Pilot has already flown this turn.")
    texts_of = {False: Texts("The Pilot has not flown this turn.")}


def due_at(state: IslandState, told: Told) -> Iterable[Fact[IslandState]]:
    """Yield facts about the rest of the turn, if `told` moves the meter after the treasure cards are drawn (FI-R14)."""
    water = told.of(WaterLevel)
    if water is None or water.level == box.SKULL or state.treasure_draws_left or told.speaks_of(Left):
        return
    drawn = floods_due(state.water_level) - state.flood_draws_left + (state.flood_draws_over or 0)
    left = floods_due(water.level) - drawn
    counters = {"flood_draws_left": max(0, left), "flood_draws_over": -left if left < 0 else UNSET}
    after = settle(replace(state, water_level=water.level, **counters))
    if after.outcome is None:
        for kind in (TurnIs, TurnOf, Left):
            yield from kind.all(after)


def _describe_left(of: str, count: int) -> str:
    if of == "actions":
        return counted(count, "action")
    if of == "cards":
        return counted(count, "card to draw", "cards to draw")
    return counted(count, "Flood card to draw", "Flood cards to draw")


FACTS: tuple[type[Fact[IslandState]], ...] = (
    LiesAt,
    Plays,
    TileIs,
    FloodPileIs,
    FloodCardIs,
    StandsOn,
    HasCards,
    CardsDiscarded,
    Captured,
    WaterLevel,
    TurnIs,
    TurnOf,
    Left,
    HasFlown,
    phase_is(box.PHASES),
    HandIs,
    DeckIs,
)
"""All kinds of facts, in the order of application."""
