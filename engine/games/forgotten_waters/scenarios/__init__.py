"""The scenario packs that ship with the engine, read and checked at import."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, get_args

from engine.games.forgotten_waters.loading import load_pack
from engine.games.forgotten_waters.pack import Pack

Scenario = Literal["the_bell_below", "table"]

PACKS: dict[Scenario, Pack] = {
    scenario: load_pack(files(__package__).joinpath(f"{scenario}.json").read_bytes()) for scenario in get_args(Scenario)
}
"""Every scenario by its id."""
