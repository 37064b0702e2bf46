"""The scenario packs that ship with the engine, read and checked at import."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.validate import load_pack

Scenario = Literal["the_bell_below", "table"]
Edition = Literal["third", "second", "first"]


def _pack(name: str) -> Pack:
    return load_pack(files(__name__).joinpath(f"{name}.json").read_bytes())


PACKS: dict[Scenario, Pack] = {"the_bell_below": _pack("the_bell_below"), "table": _pack("table")}
"""The current edition of every scenario, by id."""
EDITIONS: dict[Edition, dict[Scenario, Pack]] = {
    "third": PACKS,
    "second": {**PACKS, "the_bell_below": _pack("second_edition/the_bell_below")},
    "first": {"the_bell_below": _pack("first_edition/the_bell_below"), "table": _pack("first_edition/table")},
}
"""The scenarios of each edition. The first and the second are for stored games of versions 1 and 2 of the rules."""
