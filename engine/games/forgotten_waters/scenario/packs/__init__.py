"""The scenario packs that ship with the engine, read and checked at import."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, get_args

from engine.games.forgotten_waters.scenario.loading import load_pack
from engine.games.forgotten_waters.scenario.pack import Pack

Scenario = Literal["the_bell_below", "table"]


def packs_of(package: str) -> dict[Scenario, Pack]:
    """Every scenario by its id, as the files of that package have it.

    Raises:
        BadPack: one of them cannot be played.
    """
    folder = files(package)
    return {scenario: load_pack(folder.joinpath(f"{scenario}.json").read_bytes()) for scenario in get_args(Scenario)}


PACKS = packs_of(__name__)
"""Every scenario by its id."""
FIRST_EDITION = packs_of(f"{__name__}.first_edition")
"""The same as they were when stored games by version 1 of the rules began."""
