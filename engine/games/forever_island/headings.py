"""The rulebook's headings, in the order of the rulebook. Every cited rule is one of them."""

from __future__ import annotations

TILE_PLACEMENT = "Setting Up the Board: Tile Placement"
ADDING_TOKENS = "Setting Up the Board: Adding Tokens"
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
RULE_TEXTS = {
    OBJECTIVE: "Controlling three standing totems wins; a player without huts and canoes is eliminated.",
    TEAMS: "The players of a team win together.",
    GAMEPLAY: "Players take turns: first the weather roll, then any number of actions, until they pass the die.",
    WEATHER: "Each turn begins with one weather roll, before any action.",
    HARVEST: "Each hut can harvest once per turn, but not in the turn in which it was built.",
    BUILD: "A canoe costs one log, a hut costs a canoe with one hog and one frog, and standing up a totem costs five "
    "hogs.",
    TRAVEL: "A canoe crosses to the other shore for free; each step to an adjacent tile costs one frog.",
    TRADE: "A trade between players needs both of them; two equal resources can be converted into one of another kind.",
    TAX: "Each standing totem that a player controls gives one tax per turn, and one more for each extension.",
    RAID: "The Raider hides spears, the Defender guesses their number, and the loser destroys as many huts or canoes.",
}
