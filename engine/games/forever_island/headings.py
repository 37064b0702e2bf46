"""The rulebook's headings, in its order. Every cited rule is one of them."""

from __future__ import annotations

SETTING_UP_THE_BOARD_TILE_PLACEMENT = "Setting Up the Board: Tile Placement"
SETTING_UP_THE_BOARD_ADDING_TOKENS = "Setting Up the Board: Adding Tokens"
PLACEMENT = "First Turn: Initial Placement"
OBJECTIVE = "Objective"
TEAMS = "Teams"
GAMEPLAY = "Gameplay"
WEATHER = "Roll for Weather"
HARVEST = "Harvest"
BUILD = "Build"
TRAVEL = "Travel"
TRADE = "Trade"
TAX = "Tax"
RAID = "Raid"
ERUPTION = "Eruption"
ECOCIDE = "Ecocide"

SECTIONS = tuple(text for name, text in vars().items() if name.isupper())
