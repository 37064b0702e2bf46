"""The scenario packs that ship with the engine, read and checked at import."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, get_args

from engine.games.forgotten_waters.scenario.loading import load_pack
from engine.games.forgotten_waters.scenario.pack import Pack

Scenario = Literal["the_bell_below", "table"]


Edition = Literal["third", "second", "first"]


def pack_of(package: str, scenario: Scenario) -> Pack:
    """Read a scenario from its file in a package.

    Raises:
        BadPack: the scenario cannot be played.
    """
    return load_pack(files(package).joinpath(f"{scenario}.json").read_bytes())


def packs_of(package: str) -> dict[Scenario, Pack]:
    """Read every scenario in a package, and return them by id.

    Raises:
        BadPack: a scenario cannot be played.
    """
    return {scenario: pack_of(package, scenario) for scenario in get_args(Scenario)}


PACKS = packs_of(__name__)
"""The current edition of every scenario, by id."""
SECOND_EDITION: dict[Scenario, Pack] = {
    **PACKS,
    "the_bell_below": pack_of(f"{__name__}.second_edition", "the_bell_below"),
}
"""The scenarios as of version 2 of the rules, for stored games."""
FIRST_EDITION = packs_of(f"{__name__}.first_edition")
"""The scenarios as of version 1 of the rules, for stored games."""
EDITIONS: dict[Edition, dict[Scenario, Pack]] = {"third": PACKS, "second": SECOND_EDITION, "first": FIRST_EDITION}
