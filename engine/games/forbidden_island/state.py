"""The state of the table, and queries on it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from engine.core.values import SEAT_IDS, GameOutcome, State
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Difficulty, Edition, Power, Tile, Treasure
from engine.games.forbidden_island.headings import WINNING
from engine.kit.entries import with_entry
from engine.kit.options import Options, option, ruling
from engine.kit.piles import Pile

Timing = Literal["immediate", "after_both_draws"]
Renewal = Literal["eager", "lazy"]
RENEWALS = {"eager": "As soon as its last card is drawn", "lazy": "When the next card is needed"}

replace = msgspec.structs.replace


Navigating = Literal["steps", "none", "full"]


def navigators_ruling(diagonal: str) -> Meta:
    """Declare the texts of FI-R4; `diagonal` is the adventurer who moves diagonally."""
    return ruling(
        "Can the Navigator use the moved pawn's power?",
        {
            "steps": f"Step by step: the {diagonal} also diagonally, the Diver one tile at a time",
            "none": "No, up, down, left and right only",
            "full": "Yes, all of it",
        },
    )


class IslandOptions(Options, frozen=True, kw_only=True):
    """Options of a game: the difficulty, the first player, and rulings on open questions (FI-R…, see RULINGS.md)."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "The water level at the start.",
            {"novice": "Novice", "normal": "Normal", "elite": "Elite", "legendary": "Legendary"},
        ),
    ] = "novice"
    first_player: Annotated[
        Literal["p1", "p2", "p3", "p4"],
        option("Who begins", "By custom, the player who was most recently on an island."),
    ] = "p1"
    navigator_uses_target_power: Annotated[Navigating, navigators_ruling("Explorer")] = "steps"
    hand_limit_timing: Annotated[
        Timing,
        ruling(
            "When must a sixth card be discarded?",
            {"immediate": "At once", "after_both_draws": "After both cards are drawn"},
        ),
    ] = "immediate"
    treasure_reshuffle: Annotated[Renewal, ruling("When is the Treasure deck reshuffled?", RENEWALS)] = "eager"
    flood_reshuffle: Annotated[Renewal, ruling("When is the Flood pile reshuffled?", RENEWALS)] = "eager"
    lift_rescues_sinking: Annotated[bool, ruling("Can a Helicopter Lift take pawns off a tile that has just sunk?")] = (
        True
    )
    diver_swim: Annotated[
        Literal["nearest", "as_move"],
        ruling(
            "Where can the Diver swim when her tile sinks?",
            {"nearest": "To the nearest tiles", "as_move": "As far as she can move"},
        ),
    ] = "nearest"


class IslandState(State, frozen=True, kw_only=True):
    """A game of Forbidden Island. `phase` is `actions`, `draw_treasure`, `discard`, `draw_flood` or `swim`."""

    edition: ClassVar[Edition] = box.FORBIDDEN_ISLAND

    options: IslandOptions
    layout: tuple[Tile, ...]
    """The tile on each space, in the order of `SPACES`. Sunk tiles stay in this list."""
    flooded: frozenset[Tile]
    sunk: frozenset[Tile]
    roles: tuple[str, ...]
    """The adventurer of each seat."""
    pawns: tuple[Tile, ...]
    """The tile of each seat's pawn. If that tile has sunk, the pawn is in the water and must swim."""
    hands: tuple[tuple[str, ...], ...]
    """The cards in front of each seat, sorted."""
    treasure_pile: Pile[str]
    treasure_discard: tuple[str, ...]
    """The discarded treasure cards, in the order of discarding."""
    flood_pile: Pile[Tile]
    flood_discard: tuple[Tile, ...]
    captured: tuple[Treasure, ...] = ()
    """The captured treasures, in the order of capture."""
    water_level: int
    """The tick on the water meter, from 1; at `SKULL` the game is lost."""
    active: int
    """The seat whose turn it is."""
    actions_left: int
    treasure_draws_left: int
    flood_draws_left: int = 0
    flood_draws_over: int | msgspec.UnsetType = msgspec.UNSET
    """Number of Flood cards drawn this turn that are no longer due, because the water was set lower afterwards."""
    has_flown: bool = False
    """True if the Pilot has flown this turn."""
    overlooked: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """For each seat, the size of a hand over the limit that nobody noticed; 0 if there is none."""
    adrift: tuple[Tile | None, ...] | msgspec.UnsetType = msgspec.UNSET
    """For each seat, the sunk tile on which the players have left its pawn; None if there is none."""

    @property
    def face_up(self) -> tuple[Tile, ...]:
        """Hook for variants: Flood cards that are revealed but not resolved."""
        return ()

    def power(self, seat: int) -> Power:
        """Return the power of the seat's adventurer."""
        return self.edition.roles[self.roles[seat]].power

    def spaces_near(self, space: int, seat: int) -> frozenset[int]:
        """Return the spaces adjacent to `space`; for the Explorer, diagonals are included (FI-R1)."""
        return (box.AROUND if self.power(seat) is Power.DIAGONAL else box.ORTHOGONAL)[space]

    def is_near(self, seat: int, tile: Tile) -> bool:
        """Return True if `tile` is adjacent to the seat's pawn, as in `spaces_near`."""
        layout = self.layout
        return layout.index(tile) in self.spaces_near(layout.index(self.pawns[seat]), seat)

    def tiles_near(self, seat: int) -> set[Tile]:
        """Return the tiles adjacent to the seat's pawn, as in `spaces_near`, including sunk ones."""
        layout = self.layout
        return {layout[space] for space in self.spaces_near(layout.index(self.pawns[seat]), seat)}

    def island(self) -> list[Tile]:
        """Return the tiles that have not sunk, in the order of the spaces."""
        return [tile for tile in self.layout if tile not in self.sunk]

    def swimmers(self) -> list[int]:
        """Return the seats whose pawn must swim."""
        adrift = self.adrift or (None,) * len(self.pawns)
        return [seat for seat, tile in enumerate(self.pawns) if tile in self.sunk and tile != adrift[seat]]

    def with_adrift(self, seat: int) -> IslandState:
        """Return the state in which the pawn of `seat` may stay on its sunk tile until it moves."""
        return replace(self, adrift=with_entry(self.adrift or (None,) * len(self.pawns), seat, self.pawns[seat]))

    def over_limit(self) -> int | None:
        """Return the seat that must discard a card now (FI-R12), or None."""
        for seat, hand in enumerate(self.hands):
            if len(hand) > box.HAND_LIMIT and not self._may_wait(seat):
                return seat
        return None

    def with_overlooked(self, seat: int) -> IslandState:
        """Return the state in which the hand of `seat` may stay over the limit until the hand's size changes."""
        sizes = self.overlooked or (0,) * len(self.hands)
        return replace(self, overlooked=with_entry(sizes, seat, len(self.hands[seat])))

    def _may_wait(self, seat: int) -> bool:
        if self.overlooked and self.overlooked[seat] == len(self.hands[seat]):
            return True
        between_draws = seat == self.active and self.treasure_draws_left == 1
        return between_draws and self.options.hand_limit_timing == "after_both_draws"

    def with_clock_started(self) -> IslandState:
        """Hook for variants, called after pawns or treasures have moved: start a clock if it is due."""
        return self

    def interrupting_phase(self) -> str | None:
        """Hook for variants: return a phase that must end before the game continues, or None."""
        return None

    def lifted_off(self) -> IslandState:
        """Return the state after the team has lifted off, which ends the game."""
        everyone = SEAT_IDS[: len(self.roles)]
        return replace(self, outcome=GameOutcome("won", everyone, "lifted_off", WINNING))

    def overdue(self) -> IslandState:
        """Hook for variants: apply a loss if a deadline has passed."""
        return self

    def with_deadline_checked(self) -> IslandState:
        """Hook for variants, called at the end of a turn: apply a loss if a deadline is missed."""
        return self


def add_card(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return `hand` with `card`, sorted."""
    return tuple(sorted((*hand, card)))
