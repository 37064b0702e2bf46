"""The state of the table, and the questions that the rules ask of it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from engine.core.values import SEAT_IDS, GameOutcome, State
from engine.games.forbidden_island.components import (
    AROUND,
    FORBIDDEN_ISLAND,
    HAND_LIMIT,
    ORTHOGONAL,
    Difficulty,
    Edition,
    Power,
    Tile,
    Treasure,
)
from engine.games.forbidden_island.headings import WINNING
from engine.kit.effects import place_of
from engine.kit.options import Options, option
from engine.kit.piles import Pile

Timing = Literal["immediate", "after_both_draws"]
Renewal = Literal["eager", "lazy"]
RENEWALS = {"eager": "As soon as its last card is drawn", "lazy": "When the next card is needed"}

replace = msgspec.structs.replace


class IslandOptions(Options, frozen=True, kw_only=True):
    """What a table chooses: the difficulty, who begins, and the rulings on which tables differ."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "How high the water stands when you begin.",
            {"novice": "Novice", "normal": "Normal", "elite": "Elite", "legendary": "Legendary"},
        ),
    ] = "novice"
    first_player: Annotated[
        Literal["p1", "p2", "p3", "p4"], option("Who begins", "By custom, whoever was on an island last.")
    ] = "p1"
    """FI-R25."""
    navigator_uses_target_power: Annotated[
        Literal["steps", "none", "full"],
        option(
            "May the Navigator use the moved pawn's power?",
            titles={
                "steps": "Step by step: the Explorer also diagonally, the Diver one tile at a time",
                "none": "No, up, down, left and right only",
                "full": "Yes, all of it",
            },
            is_ruling=True,
        ),
    ] = "steps"
    """FI-R4: whether a pawn that the Navigator moves goes diagonally (Explorer) or through water (Diver)."""
    hand_limit_timing: Annotated[
        Timing,
        option(
            "When does a sixth card have to go?",
            titles={"immediate": "At once", "after_both_draws": "After both cards are drawn"},
            is_ruling=True,
        ),
    ] = "immediate"
    """FI-R12: when a drawn sixth card has to go."""
    treasure_reshuffle: Annotated[
        Renewal, option("When is the Treasure deck shuffled anew?", titles=RENEWALS, is_ruling=True)
    ] = "eager"
    """FI-R13: whether the deck is renewed when its last card is drawn, or when the next is needed."""
    flood_reshuffle: Annotated[
        Renewal, option("When is the Flood pile shuffled anew?", titles=RENEWALS, is_ruling=True)
    ] = "eager"
    """FI-R15: the same of the flood pile."""
    lift_rescues_sinking: Annotated[
        bool,
        option(
            "May a Helicopter Lift take pawns off a tile that has just sunk?",
            titles={True: "Yes", False: "No"},
            is_ruling=True,
        ),
    ] = True
    """FI-R18: whether a Helicopter Lift may take pawns off a tile that has just sunk."""
    diver_swim: Annotated[
        Literal["nearest", "as_move"],
        option(
            "Where may the Diver swim when her tile sinks?",
            titles={"nearest": "To the nearest tiles", "as_move": "As far as she moves"},
            is_ruling=True,
        ),
    ] = "nearest"
    """FI-R20: where the Diver may swim when her tile sinks."""


class IslandState(State, frozen=True, kw_only=True):
    """A game of Forbidden Island. `phase` is actions, draw_treasure, discard, draw_flood or swim."""

    edition: ClassVar[Edition] = FORBIDDEN_ISLAND

    options: IslandOptions
    layout: tuple[Tile, ...]
    """The tile laid on each space, in the order of `SPACES`; it stays when the tile has sunk."""
    flooded: frozenset[Tile]
    sunk: frozenset[Tile]
    roles: tuple[str, ...]
    """The adventurer of each seat."""
    pawns: tuple[Tile, ...]
    """Where each seat's pawn stands; on a sunk tile: it is in the water and has to swim."""
    hands: tuple[tuple[str, ...], ...]
    """The cards before each seat, sorted."""
    treasure_pile: Pile[str]
    treasure_discard: tuple[str, ...]
    """In the order of discarding."""
    flood_pile: Pile[Tile]
    flood_discard: tuple[Tile, ...]
    captured: tuple[Treasure, ...] = ()
    """In the order of capture."""
    water_level: int
    """The tick on the water meter, from 1; `SKULL` is the end."""
    active: int
    """The seat whose turn it is."""
    actions_left: int
    treasure_draws_left: int
    flood_draws_left: int = 0
    has_flown: bool = False
    """Whether the Pilot has used the flight of this turn."""
    overlooked: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """Where a table has let a hand over the limit pass: how many cards of each seat it let pass, 0 for none."""

    def power(self, seat: int) -> Power:
        """What that seat's adventurer can do."""
        return self.edition.roles[self.roles[seat]].power

    def spaces_near(self, space: int, seat: int) -> frozenset[int]:
        """The spaces adjacent to `space` as that seat's adventurer counts them (FI-R1)."""
        return (AROUND if self.power(seat) is Power.DIAGONAL else ORTHOGONAL)[space]

    def is_near(self, seat: int, tile: Tile) -> bool:
        """Whether `tile` lies next to that seat's pawn, as its adventurer counts."""
        layout = self.layout
        return layout.index(tile) in self.spaces_near(layout.index(self.pawns[seat]), seat)

    def tiles_near(self, seat: int) -> set[Tile]:
        """The tiles next to that seat's pawn, sunk ones too, as its adventurer counts."""
        layout = self.layout
        return {layout[space] for space in self.spaces_near(layout.index(self.pawns[seat]), seat)}

    def island(self) -> list[Tile]:
        """The tiles still in play, in the order of the spaces."""
        return [tile for tile in self.layout if tile not in self.sunk]

    def swimmers(self) -> list[int]:
        """The seats whose pawn is in the water."""
        return [seat for seat, tile in enumerate(self.pawns) if tile in self.sunk]

    def over_limit(self) -> int | None:
        """The seat that has to get rid of a card now (FI-R12), or None."""
        if max(map(len, self.hands)) > HAND_LIMIT:
            for seat, hand in enumerate(self.hands):
                if len(hand) > HAND_LIMIT and not self._may_wait(seat) and not self._is_overlooked(seat):
                    return seat
        return None

    def _is_overlooked(self, seat: int) -> bool:
        return self.overlooked is not msgspec.UNSET and self.overlooked[seat] == len(self.hands[seat])

    def with_overlooked(self, seat: int) -> IslandState:
        """This state with the hand of `seat` let pass, as long as it has so many cards."""
        sizes = (0,) * len(self.hands) if self.overlooked is msgspec.UNSET else self.overlooked
        return replace(self, overlooked=(*sizes[:seat], len(self.hands[seat]), *sizes[seat + 1 :]))

    def _may_wait(self, seat: int) -> bool:
        between_draws = seat == self.active and self.treasure_draws_left == 1
        return between_draws and self.options.hand_limit_timing == "after_both_draws"

    def with_clock_started(self) -> IslandState:
        """This state, with what a variant keeps an eye on whenever pawns or treasures have moved."""
        return self

    def interrupting_phase(self) -> str | None:
        """The phase of a variant's own that has to end before the game goes on, or None."""
        return None

    def lifted_off(self) -> IslandState:
        """This state with the team in the air: the end of the game."""
        everyone = SEAT_IDS[: len(self.roles)]
        return replace(self, outcome=GameOutcome("won", everyone, "lifted_off", WINNING))

    def overdue(self) -> IslandState:
        """This state, with what a variant has missed by now."""
        return self

    def with_deadline_checked(self) -> IslandState:
        """This state at the end of a turn, with what a variant checks then."""
        return self


def add_card(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """`hand` with `card`, sorted."""
    return tuple(sorted((*hand, card)))


def remove_cards(hand: tuple[str, ...], card: str, count: int = 1) -> tuple[str, ...]:
    """`hand` without `count` of `card`; where it holds none that is `Unclear`."""
    at = place_of(card, hand)
    return hand[:at] + hand[at + count :]


def with_hand(state: IslandState, seat: int, hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The hands, with that of `seat` replaced."""
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def with_pawn(state: IslandState, seat: int, tile: Tile) -> tuple[Tile, ...]:
    """The pawns, with that of `seat` on `tile`."""
    return (*state.pawns[:seat], tile, *state.pawns[seat + 1 :])
