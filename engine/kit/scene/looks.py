"""How things look in a picture: the colours, forms, grounds, patterns and symbols that a renderer knows.

Colour is never the only sign: a pawn has a form beside its colour, a tile a pattern beside its ground.
"""

from __future__ import annotations

from typing import Literal

Colour = Literal["black", "blue", "green", "orange", "pink", "purple", "red", "sky", "white", "yellow"]
"""Of a pawn or another piece of a player: colours that stay apart for the colour-blind."""

Form = Literal["circle", "square", "triangle", "diamond", "pentagon", "hexagon", "star", "shield", "drop", "cross"]
"""The outline of a pawn: the sign beside its colour."""

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
"""The form that goes with each colour, in every game."""

Ground = Literal["land", "water", "sand", "stone", "forest", "meadow", "lava", "wood", "paper", "night"]
"""What a tile is made of, or a card is tinted with. `paper` is neutral, `night` is dark: a hole, a storm, fog."""

Pattern = Literal["", "hatch", "cross", "dots", "waves", "dunes"]
"""What is drawn over the ground, so that its meaning survives without colour."""

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
