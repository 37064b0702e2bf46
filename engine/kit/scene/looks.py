"""The colours, forms, grounds, patterns and symbols that a renderer supports.

Colour is never the only sign: a pawn also has a form, a tile also has a pattern.
"""

from __future__ import annotations

from typing import Literal

Colour = Literal["black", "blue", "green", "orange", "pink", "purple", "red", "sky", "white", "yellow"]
"""Colour of a pawn or another piece of a player. Colour-blind people can tell these apart."""

Form = Literal["circle", "square", "triangle", "diamond", "pentagon", "hexagon", "star", "shield", "drop", "cross"]
"""Outline of a pawn. It distinguishes pawns without colour."""

FORMS: dict[Colour, Form] = {
    "black": "circle",
    "blue": "square",
    "green": "triangle",
    "orange": "diamond",
    "pink": "cross",
    "purple": "hexagon",
    "red": "pentagon",
    "sky": "drop",
    "white": "shield",
    "yellow": "star",
}
"""The form for each colour, the same in every game."""

Ground = Literal["land", "water", "sand", "stone", "forest", "meadow", "lava", "wood", "paper", "night"]
"""Material of a tile, or tint of a card. `paper` is neutral, `night` is dark: a hole, a storm, fog."""

Pattern = Literal["", "hatch", "cross", "dots", "waves", "dunes"]
"""Pattern over a ground. It distinguishes grounds without colour."""

Symbol = Literal[
    "anchor", "arrow_down", "arrow_left", "arrow_right", "arrow_up", "barrel", "beast", "blast", "book", "cannon",
    "canoe", "card", "check", "chest", "clock", "column", "crew", "crown", "cross", "crystal", "cup", "die", "drop",
    "draw", "engine", "eye", "flag", "flame", "fog", "frog", "gear", "give", "heart", "helicopter", "hog", "hourglass",
    "hull", "hut", "island", "jet", "lock", "log", "moon", "mountain", "note", "pad", "pawn", "propeller",
    "question", "rock", "row",
    "sandbag", "sand", "shield", "shore", "ship", "skull", "spear", "star", "statue", "stone", "storm", "sun",
    "swim", "swords",
    "token", "totem", "tunnel", "volcano", "walk", "water", "well", "wheel", "wind",
]  # fmt: skip
"""A small drawing of a thing."""
