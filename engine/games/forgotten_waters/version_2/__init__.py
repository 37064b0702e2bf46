"""Version 2 of the rules, with the second edition of The Bell Below, for stored games that name this version."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from engine.games.forgotten_waters.ruleset import ForgottenWaters, components
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.packs import EDITIONS, SECOND_EDITION
from engine.games.forgotten_waters.state import LaterOptions, WatersState
from engine.kit.options import ruling


class Options2(LaterOptions, frozen=True, kw_only=True):
    """The options of version 2."""

    packs = SECOND_EDITION
    difficulty: ClassVar[Literal["deckhands"]] = "deckhands"
    edition: Annotated[
        Literal["second", "first"],
        ruling(
            "Edition of the scenario",
            {"second": "The second", "first": "The first edition, as in version 1 of these rules"},
        ),
    ] = "second"

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return EDITIONS[self.edition][self.scenario]


class State2(WatersState, frozen=True, kw_only=True):
    """A game by version 2."""

    options: Options2  # type: ignore[assignment]  # it has all that `WatersOptions` has


class ForgottenWaters2(ForgottenWaters):
    """The ruleset of Forgotten Waters, version 2."""

    version = "2"
    reads_versions = ("1",)
    options = Options2  # type: ignore[assignment]  # as above
    state = State2
    components = components(Options2.packs)
