"""Version 1 of the rules with its scenarios, for stored games that name this version.

Where the versions differ, the rules check `WatersState.is_version_1`; RULINGS.md explains each difference.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from engine.games.forgotten_waters.actions.own_book import ReadOut
from engine.games.forgotten_waters.ruleset import ForgottenWaters, components
from engine.games.forgotten_waters.scenario.packs import FIRST_EDITION
from engine.games.forgotten_waters.state import CommonOptions, WatersState
from engine.games.forgotten_waters.version_1.apply_effect import ApplyEffect


class Options1(CommonOptions, frozen=True, kw_only=True):
    """The options of version 1. Options that later versions added have fixed values, which keep the old behaviour."""

    packs = FIRST_EDITION
    is_version_1 = True
    difficulty: ClassVar[Literal["deckhands"]] = "deckhands"
    check_discards: ClassVar[Literal["before_the_roll"]] = "before_the_roll"
    ship_name: ClassVar[str] = ""
    timer_seconds: ClassVar[None] = None


class State1(WatersState, frozen=True, kw_only=True):
    """A game by version 1."""

    options: Options1  # type: ignore[assignment]  # it has all that `WatersOptions` has


class ForgottenWaters1(ForgottenWaters):
    """Forgotten Waters by version 1 of these rules."""

    version = "1"
    reads_versions = ()
    options = Options1  # type: ignore[assignment]  # as above
    state = State1
    components = components(Options1.packs)
    actions = tuple(ApplyEffect if kind is ReadOut else kind for kind in ForgottenWaters.actions)
    unprompted = (ApplyEffect, *ForgottenWaters.unprompted)
