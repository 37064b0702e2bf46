"""The rulebook's headings, in its order. Every cited rule is one of them."""

from __future__ import annotations

SETUP = "Setup"
PLANNING = "1. Planning Phase"
TYPES_OF_ACTIONS = "Types of Actions"
TYPES_OF_GUIDE_SYMBOLS = "Types of Guide Symbols"
ACTION = "2. Action Phase"
END_OF_ROUND = "3. End of Round Phase"
TURNING = "Turning to a New Page"
EFFECTS = "Resolving Game Effects"
PERFORMING = "Performing Skill Checks"
MISFORTUNE = "Misfortune Tokens"
REROLL = "Re-roll Tokens"
SKILL = "Gaining Skills"
HIGHEST_LOWEST_SKILL = "Highest/Lowest Skill"
STARS = "Filling in Stars on Constellations"
RESOLVING_CONSTELLATION_EVENTS = "Resolving Constellation Events"
GAINING_LOSING_CHECKING_THREAT = "Gaining/Losing/Checking Threat"
GAINING_LOSING_SHIP_STATS = "Gaining/Losing Ship Stats"
MOVING = "Moving the Ship"
SCOUTING = "Scouting"
CANNONS = "Cannons"
GAINING_LOSING_INFAMY = "Gaining/Losing Infamy"
BREAKING_TIES = "Breaking Ties"
OBJECTIVE_CARDS = "Objective Cards"
TREASURE = "Treasure Cards"
STORY_CARDS = "Story Cards"
END = "End of the Game"
SAVING = "Saving your Game"

SECTIONS = (
    SETUP,
    PLANNING,
    TYPES_OF_ACTIONS,
    TYPES_OF_GUIDE_SYMBOLS,
    ACTION,
    END_OF_ROUND,
    TURNING,
    EFFECTS,
    PERFORMING,
    MISFORTUNE,
    REROLL,
    SKILL,
    HIGHEST_LOWEST_SKILL,
    STARS,
    RESOLVING_CONSTELLATION_EVENTS,
    GAINING_LOSING_CHECKING_THREAT,
    GAINING_LOSING_SHIP_STATS,
    MOVING,
    SCOUTING,
    CANNONS,
    GAINING_LOSING_INFAMY,
    BREAKING_TIES,
    OBJECTIVE_CARDS,
    TREASURE,
    STORY_CARDS,
    END,
    SAVING,
)
