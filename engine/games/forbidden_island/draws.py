"""Steps 2 and 3 of a turn: Treasure deck cards and the hand limit; Flood cards, flooding, sinking and swimming."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Self, cast

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Tile, printed_name, treasure_deck
from engine.games.forbidden_island.headings import DRAW_FLOOD, DRAW_TREASURE, HAND_LIMIT, PAWNS
from engine.games.forbidden_island.movement import swim_targets
from engine.games.forbidden_island.state import IslandState, add_card, replace
from engine.games.forbidden_island.turn import IslandAction, floods_due, lose, raise_water, settle, sink
from engine.kit.chance import Chance
from engine.kit.entries import with_entry, without
from engine.kit.piles import renewed
from engine.kit.ruleset import Refusal

HAND_CARDS = (*box.TREASURES, box.HELICOPTER_LIFT, box.SANDBAGS)
"""The cards that can be in a hand."""


class DrawTreasureCard(IslandAction, frozen=True):
    """Draw one of the turn's 2 Treasure deck cards; the first draw ends the actions."""

    verb = "draw cards"
    button_text = marked("Draw a Treasure deck card")
    symbol = "draw"
    rule = DRAW_TREASURE
    asks_chance = True
    not_now = marked("You cannot draw a Treasure deck card now.")

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if seat != state.active:
            return Refusal(self.rule, "It is another player's turn.")
        return None if state.phase in {"draw_treasure", "actions"} else Refusal(self.rule, self.not_now)

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        state = renewed(state, "treasure_pile", "treasure_discard")
        card, pile = state.treasure_pile.draw(chance, f"{state.edition.treasure}_card")
        is_due = state.treasure_draws_left > 0
        left = max(0, state.treasure_draws_left - 1)
        state = replace(state, treasure_pile=pile, treasure_draws_left=left, actions_left=0)
        if card == state.edition.rising_card:
            state = _waters_rise(state, card)
        else:
            state = replace(state, hands=with_entry(state.hands, seat, add_card(state.hands[seat], card)))
        if state.outcome is not None:
            return state
        if state.options.treasure_reshuffle == "eager":
            state = renewed(state, "treasure_pile", "treasure_discard")
        if is_due and not left:
            state = replace(state, flood_draws_left=floods_due(state.water_level))
        return settle(state)

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        told = {"name": names[seat], "card": state.edition.card_name(str(outcomes[0]))}
        if outcomes[0] != state.edition.rising_card:
            return say("{name} draws {card}.", **told)
        return say("{name} draws {card} – the water is at {level}.", **told, level=state.water_level + 1)


def _waters_rise(state: IslandState, card: str) -> IslandState:
    """Waters Rise! Cards: raise the water, put the flood discard pile on its draw pile, and discard the card (FI-R11,
    FI-R30).
    """
    state = raise_water(replace(state, treasure_discard=(*state.treasure_discard, card)))
    if state.outcome is not None:
        return state
    return replace(state, flood_pile=state.flood_pile.shuffle_on_top(state.flood_discard), flood_discard=())


class Discard(IslandAction, frozen=True):
    """Discard a card while you have more than 5."""

    verb = "discard one"
    button_text = marked("Discard {card}")
    report_text = marked("{name} discards {card}.")
    symbol = "cross"
    rule = HAND_LIMIT
    # Not a `Literal`, so that the card that raises the water is rejected as illegal, not as malformed.
    card: Annotated[str, Meta(extra_json_schema={"enum": list(HAND_CARDS)})]

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, state.hands[seat])

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if state.phase != "discard":
            return Refusal(HAND_LIMIT, "Nobody has more than 5 cards.")
        if seat != state.over_limit():
            return Refusal(HAND_LIMIT, "Another player's hand is over the limit.")
        if self.card not in state.hands[seat]:
            if self.card not in treasure_deck(state.edition):
                return Refusal(HAND_LIMIT, "There is no such card.")
            return Refusal(HAND_LIMIT, say("There is no {card} in that hand.", card=printed_name(self.card)))
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return settle(discard_card(state, seat, self.card))


def discard_card(state: IslandState, seat: int, card: str) -> IslandState:
    """Return `state` with `card` moved from the seat's hand to the treasure discard pile."""
    return replace(
        state,
        hands=with_entry(state.hands, seat, without(state.hands[seat], card)),
        treasure_discard=(*state.treasure_discard, card),
    )


class DrawFloodCard(IslandAction, frozen=True):
    """Draw a Flood card: its tile floods, or sinks if it was already flooded."""

    button_text = marked("Draw a Flood card")
    symbol = "water"
    rule = DRAW_FLOOD
    asks_chance = True
    results = box.TILES

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if seat != state.active:
            return Refusal(DRAW_FLOOD, "It is another player's turn.")
        if state.phase != "draw_flood":
            return Refusal(DRAW_FLOOD, "You cannot draw a Flood card now.")
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        tile, state = reveal_flood_card(state, chance)
        return resolve_flood_card(state, tile)

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        tile = cast("Tile", outcomes[0])
        if tile in state.flooded:
            return " ".join(sinking(state, tile, names))
        return say("{tile} floods.", tile=printed_name(tile))


def sinking(state: IslandState, tile: Tile, names: Sequence[str]) -> Iterator[str]:
    """Yield sentences about a sinking tile: the pawns on it, and the last tile where its treasure can be captured."""
    on_it = [names[seat] for seat, pawn in enumerate(state.pawns) if pawn == tile]
    if on_it:
        yield say("{tile} sinks with {players} on it.", tile=printed_name(tile), players=say(" and ").join(on_it))
    else:
        yield say("{tile} sinks.", tile=printed_name(tile))
    for treasure, sites in box.SITES.items():
        left = [site for site in sites if site != tile and site not in state.sunk]
        if tile in sites and left and treasure not in state.captured:
            yield say(
                "For the {treasure}, only {tile} is left.", treasure=printed_name(treasure), tile=printed_name(left[0])
            )


def reveal_flood_card(state: IslandState, chance: Chance) -> tuple[Tile, IslandState]:
    """Turn the top Flood card face up. Return its tile, and the state without this card in the pile."""
    state = renewed(state, "flood_pile", "flood_discard")
    tile, pile = state.flood_pile.draw(chance, "flood_card")
    return tile, replace(state, flood_pile=pile, flood_draws_left=max(0, state.flood_draws_left - 1))


def resolve_flood_card(state: IslandState, tile: Tile) -> IslandState:
    """Flood or sink the tile of the face-up Flood card."""
    if tile in state.flooded:
        state = sink(state, tile)
        if state.outcome is not None:
            return state
    else:
        state = replace(state, flooded=state.flooded | {tile}, flood_discard=(*state.flood_discard, tile))
    return flood_card_done(state)


def flood_card_done(state: IslandState) -> IslandState:
    """Return the state after a Flood card was resolved (FI-R15, FI-R31)."""
    is_eager = state.options.flood_reshuffle == "eager"
    return settle(renewed(state, "flood_pile", "flood_discard") if is_eager else state)


class Swim(IslandAction, frozen=True):
    """Swim from a tile that has sunk to one that has not."""

    verb = "swim to a tile nearby"
    button_text = marked("Swim to {to}")
    report_text = marked("{name} swims to {to}.")
    symbol = "swim"
    rule = PAWNS
    to: Tile

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, swim_targets(state, seat)) if state.pawns[seat] in state.sunk else ()

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if refusal := _swim_refusal(state, seat):
            return refusal
        if self.to not in swim_targets(state, seat):
            return Refusal(PAWNS, say("That pawn cannot swim to {tile}.", tile=printed_name(self.to)))
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return settle(replace(state, pawns=with_entry(state.pawns, seat, self.to)))


def _swim_refusal(state: IslandState, seat: int) -> Refusal | None:
    """Return the refusal for a pawn that does not have to swim now."""
    if seat in state.swimmers():
        return None
    if state.pawns[seat] in state.sunk:
        return Refusal(PAWNS, "It is too late to swim: the game has continued.")
    return Refusal(PAWNS, "That pawn is not in the water.")


class Drown(IslandAction, frozen=True):
    """Sink with a tile when you can neither swim nor be lifted off: the game is lost."""

    report_text = marked("{name} sinks into the abyss.")
    symbol = "skull"
    rule = PAWNS

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if refusal := _swim_refusal(state, seat):
            return refusal
        if swim_targets(state, seat):
            return Refusal(PAWNS, "That pawn can still swim to a tile.")
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return lose(state, "drowned")
