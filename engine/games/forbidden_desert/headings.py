"""The rulebook's headings, in its order. Every cited rule is one of them."""

from __future__ import annotations

SET_UP = "Set Up"
TAKE_ACTIONS = "1. Take Up to 4 Actions"
MOVE = "Move"
REMOVE_SAND = "Remove Sand"
EXCAVATE = "Excavate"
PICK_UP = "Pick Up a Part"
SHARE = "Share Water and Pass Equipment"
WATER = "Water"
GEAR = "Gear"
PART_LOCATION_CLUES = "Part Location Clues"
TUNNELS = "Tunnels"
LAUNCH_PAD = "Launch Pad"
DRAW_STORM = "2. Draw Sand Storm Cards"
WIND_BLOWS = "Wind Blows"
DIG_OUT = "Dig Out"
RESPITE_FROM_THE_STORM = "Respite from the Storm"
BURIED_IN_THE_SAND = "Buried in the Sand"
STORM_PICKS_UP = "Storm Picks Up"
SUN_BEATS_DOWN = "Sun Beats Down"
WHEN_THE_STORM_DRAW_PILE_RUNS_OUT = "When the Storm Draw Pile Runs Out"
WINNING = "Winning the Game"
LOSING = "Losing the Game"
ADVENTURERS = "Meet the Adventurers"

SECTIONS = tuple(text for name, text in vars().items() if name.isupper())
