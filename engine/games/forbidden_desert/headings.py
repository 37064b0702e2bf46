"""The rulebook's headings, in the order of the rulebook. Every cited rule is one of them."""

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
RULE_TEXTS = {
    TAKE_ACTIONS: "Players take up to 4 actions in their own turn, before they draw storm cards.",
    SHARE: "Water and equipment can be given to players on the same tile at any time; the Water Carrier can also give "
    "water to adjacent tiles.",
    GEAR: "Each gear that is excavated gives one equipment card, and each equipment card is used once.",
    DRAW_STORM: "At the end of the turn, the player draws as many storm cards as the storm level says.",
    DIG_OUT: "A player on a blocked tile has to remove sand from it before anything else there.",
    STORM_PICKS_UP: "When Storm Picks Up is drawn, the storm marker moves up by one.",
    WINNING: "The game is won when all adventurers and all four parts are on the excavated, unblocked Launch Pad.",
    LOSING: "The game is lost when an adventurer dies of thirst, when no sand is left to place, or when the storm "
    "reaches the skull and crossbones.",
    ADVENTURERS: "Only the adventurer who has an ability can use it.",
}
