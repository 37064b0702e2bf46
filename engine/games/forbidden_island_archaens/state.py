"""What the Archaens add to the state: the quota of sunk tiles, and the clock to reach it by."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from engine.core.language import marked
from engine.core.values import GameOutcome
from engine.games.forbidden_island.components import FOOLS_LANDING, ROLES, TREASURES, Edition, Tile, Wording
from engine.games.forbidden_island.components import PHASES as BASE_PHASES
from engine.games.forbidden_island.headings import LOSING
from engine.games.forbidden_island.state import RENEWALS, IslandOptions, IslandState, Renewal, replace
from engine.games.forbidden_island_archaens.headings import SAVE
from engine.kit.options import option
from engine.kit.words import counted

TURNS_TO_SINK = 2

PHASES = {**BASE_PHASES, "sink": "a tile has to sink"}
"""The phases, as a player says what goes on in them."""

ARCHAENS = Edition(
    roles={
        ("leader" if id_ == "explorer" else id_): (
            msgspec.structs.replace(role, name="Leader") if id_ == "explorer" else role
        )
        for id_, role in ROLES.items()
    },
    rising_card="island_defense",
    rising_name="Island Defense",
    treasure="artifact",
    role="citizen",
    capture_rule=SAVE,
    words=Wording(
        role=marked("Citizen"),
        roles=marked("Citizens"),
        treasures=marked("Artifacts"),
        deck=marked("Artifact deck"),
        is_taken=marked("{treasure} is saved"),
        taken=marked("{treasure}: saved"),
        all_taken=marked("artifacts saved: {treasures}"),
        how_many=marked("artifacts: {count} of {all}"),
        to_draw=marked("cards to draw: {cards} Artifact deck, {floods} Flood"),
        not_all=marked("The team does not have all four artifacts yet."),
        no_draw=marked("No Artifact deck card is drawn now."),
        cards=lambda count: counted(count, "Artifact card"),
    ),
)


class ArchaenOptions(IslandOptions, frozen=True, kw_only=True):
    """What a table of Archaens chooses besides."""

    navigator_uses_target_power: Annotated[
        Literal["steps", "none", "full"],
        option(
            "May the Navigator use the moved pawn's power?",
            titles={
                "steps": "Step by step: the Leader also diagonally, the Diver one tile at a time",
                "none": "No, up, down, left and right only",
                "full": "Yes, all of it",
            },
            is_ruling=True,
        ),
    ] = "steps"
    """FI-R4, in the variant's words."""
    treasure_reshuffle: Annotated[
        Renewal, option("When is the Artifact deck shuffled anew?", titles=RENEWALS, is_ruling=True)
    ] = "eager"
    """FI-R13, in the variant's words."""
    quota_sunk: Annotated[
        Literal[12, 13],
        option(
            "How many tiles have to sink?", titles={12: "12, exactly half", 13: "13, more than half"}, is_ruling=True
        ),
    ] = 12
    """AR-R2: how many tiles are 'at least 50 %' of the island."""
    clock_needs_artifacts: Annotated[
        bool,
        option(
            "Does the clock wait for the four artifacts?",
            titles={True: "Yes", False: "No, everyone on Fools' Landing starts it"},
            is_ruling=True,
        ),
    ] = True
    """AR-R3: whether the clock waits for the four artifacts."""
    clock_counts_current_turn: Annotated[
        bool,
        option(
            "Is the turn in which everyone arrives the first of the two?",
            titles={True: "Yes", False: "No, the next is"},
            is_ruling=True,
        ),
    ] = False
    """AR-R4: whether the turn in which everyone arrives is the first of the two."""
    early_liftoff: Annotated[
        Literal["loses", "illegal"],
        option(
            "What does lifting off too early do?",
            titles={"loses": "The game is lost", "illegal": "It cannot be done"},
            is_ruling=True,
        ),
    ] = "loses"
    """AR-R7: what lifting off before the quota is sunk does."""
    sandbags_after_reveal: Annotated[
        bool,
        option(
            "May Sandbags save a tile whose Flood card already lies face up?",
            titles={True: "Yes, until the tile is lifted off", False: "No"},
            is_ruling=True,
        ),
    ] = False
    """AR-R9: whether Sandbags may still save a tile whose flood card lies face up, until it is lifted off."""


class ArchaenState(IslandState, frozen=True, kw_only=True):
    """A game of the Archaens."""

    edition: ClassVar[Edition] = ARCHAENS

    options: ArchaenOptions
    deadline: int | None = None
    """The turn by whose end the quota has to be sunk; None while the clock has not started."""
    revealed: Tile | None = None
    """The flooded tile whose flood card lies face up, where Sandbags may still save it (AR-R9); else None."""

    @property
    def is_quota_sunk(self) -> bool:
        """Whether enough of the island has sunk."""
        return len(self.sunk) >= self.options.quota_sunk

    def with_clock_started(self) -> ArchaenState:
        """The clock starts when everyone stands on Fools' Landing, and never stops (AR-R3, AR-R5)."""
        if self.deadline is not None or any(tile != FOOLS_LANDING for tile in self.pawns):
            return self
        if self.options.clock_needs_artifacts and len(self.captured) < len(TREASURES):
            return self
        wait = TURNS_TO_SINK - (1 if self.options.clock_counts_current_turn else 0)
        return replace(self, deadline=self.turn + wait)

    def with_deadline_checked(self) -> ArchaenState:
        """At the deadline the quota is sunk, or the invaders follow (AR-R6)."""
        if self.turn == self.deadline and not self.is_quota_sunk:
            return self.followed()
        return self

    def overdue(self) -> ArchaenState:
        """Behind the deadline the quota is sunk, or the invaders have followed (AR-R6)."""
        if self.deadline is not None and self.turn > self.deadline and not self.is_quota_sunk:
            return self.followed()
        return self

    def interrupting_phase(self) -> str | None:
        """While a tile may still be saved, the next thing is that it sinks or not."""
        return None if self.revealed is None else "sink"

    def lifted_off(self) -> IslandState:
        """Won if the quota is sunk (AR-R7)."""
        return super().lifted_off() if self.is_quota_sunk else self.followed()

    def followed(self) -> ArchaenState:
        """The invaders follow the team to its new home."""
        return replace(self, outcome=GameOutcome("lost", (), "invaders_followed", LOSING))
