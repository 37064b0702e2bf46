"""Additions of the Archaens to the state: the quota of tiles that must sink, and the clock that sets the deadline."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine.core.language import marked
from engine.core.values import GameOutcome
from engine.games.forbidden_island.components import FOOLS_LANDING, ROLES, TREASURES, Edition, Tile
from engine.games.forbidden_island.components import PHASES as BASE_PHASES
from engine.games.forbidden_island.headings import LOSING
from engine.games.forbidden_island.state import (
    RENEWALS,
    IslandOptions,
    IslandState,
    Navigating,
    Renewal,
    navigators_ruling,
    replace,
)
from engine.kit.options import ruling
from engine.kit.words import counted

TURNS_TO_SINK = 2

PHASES = {**BASE_PHASES, "sink": "sinking a tile"}
"""The text for each phase."""

ARCHAENS = Edition(
    roles={id_: role for id_, role in ROLES.items() if id_ != "explorer"}
    | {"leader": replace(ROLES["explorer"], name="Leader")},
    rising_card="island_defense",
    rising_name="Island Defense",
    treasure="artifact",
    role="citizen",
    role_title=marked("Citizen"),
    role_titles=marked("Citizens"),
    treasures=marked("Artifacts"),
    deck=marked("Artifact deck"),
    is_taken=marked("{treasure} is saved"),
    taken=marked("{treasure}: saved"),
    how_many=marked("artifacts: {count} of {all}"),
    to_draw=marked("cards to draw: {cards} Artifact deck, {floods} Flood"),
    cards=lambda count: counted(count, "Artifact card"),
)


class ArchaenOptions(IslandOptions, frozen=True, kw_only=True):
    """Options of the variant, including rulings on open questions (AR-R…, see RULINGS.md)."""

    navigator_uses_target_power: Annotated[Navigating, navigators_ruling("Leader")] = "steps"
    treasure_reshuffle: Annotated[Renewal, ruling("When is the Artifact deck reshuffled?", RENEWALS)] = "eager"
    quota_sunk: Annotated[
        Literal[12, 13],
        ruling("How many tiles have to sink?", {12: "12, exactly half", 13: "13, more than half"}),
    ] = 12
    clock_needs_artifacts: Annotated[
        bool,
        ruling(
            "Does the clock wait for the four artifacts?",
            {True: "Yes", False: "No, everyone on Fools' Landing starts it"},
        ),
    ] = True
    clock_counts_current_turn: Annotated[
        bool,
        ruling(
            "Does the turn in which everyone arrives count as the first of the two turns?",
            {True: "Yes", False: "No, the next is"},
        ),
    ] = False
    early_liftoff: Annotated[
        Literal["loses", "illegal"],
        ruling(
            "What happens if you lift off too early?", {"loses": "The game is lost", "illegal": "It is not allowed"}
        ),
    ] = "loses"
    sandbags_after_reveal: Annotated[
        bool,
        ruling(
            "Can Sandbags save a tile whose Flood card is already face up?",
            {True: "Yes, until the tile is removed", False: "No"},
        ),
    ] = False


class ArchaenState(IslandState, frozen=True, kw_only=True):
    """A game of the Archaens."""

    edition: ClassVar[Edition] = ARCHAENS

    options: ArchaenOptions
    deadline: int | None = None
    """The last turn for the quota to sink; None until the clock starts."""
    revealed: Tile | None = None
    """The flooded tile whose Flood card is face up, if Sandbags can still save it (AR-R9); otherwise None."""

    @property
    def face_up(self) -> tuple[Tile, ...]:
        """The tile whose Flood card is face up, so that Sandbags can still save it."""
        return () if self.revealed is None else (self.revealed,)

    @property
    def is_quota_sunk(self) -> bool:
        """True if enough tiles have sunk."""
        return len(self.sunk) >= self.options.quota_sunk

    def with_clock_started(self) -> ArchaenState:
        """Start the clock if everyone is on Fools' Landing. Once started, the clock never stops (AR-R3, AR-R5)."""
        if self.options.clock_needs_artifacts and len(self.captured) < len(TREASURES):
            return self
        if self.deadline is not None or self.pawns.count(FOOLS_LANDING) < len(self.pawns):
            return self
        wait = TURNS_TO_SINK - (1 if self.options.clock_counts_current_turn else 0)
        return replace(self, deadline=self.turn + wait)

    def with_deadline_checked(self) -> ArchaenState:
        """Apply the loss if the quota has not sunk by the end of the deadline's turn (AR-R6)."""
        return self.lose_to_invaders() if self.turn == self.deadline and not self.is_quota_sunk else self

    def overdue(self) -> ArchaenState:
        """Apply the loss if the deadline has passed and the quota has not sunk (AR-R6)."""
        is_late = self.deadline is not None and self.turn > self.deadline and not self.is_quota_sunk
        return self.lose_to_invaders() if is_late else self

    def interrupting_phase(self) -> str | None:
        """Return 'sink' while a tile with a face-up Flood card waits to be removed or saved."""
        return None if self.revealed is None else "sink"

    def lifted_off(self) -> IslandState:
        """End the game: won if the quota has sunk, otherwise lost (AR-R7)."""
        return super().lifted_off() if self.is_quota_sunk else self.lose_to_invaders()

    def lose_to_invaders(self) -> ArchaenState:
        """End the game as lost, because the invaders follow the team to its new home."""
        return replace(self, outcome=GameOutcome("lost", (), "invaders_followed", LOSING))
