"""The rulebook's headings, in the order of the rulebook. Every cited rule is one of them."""

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

SECTIONS = tuple(text for name, text in vars().items() if name.isupper())
RULE_TEXTS = {
    PLANNING: "In infamy order, each player places the standee on an action that is still available.",
    TYPES_OF_ACTIONS: "Only one player can choose a limited action, nobody can choose a locked one, and a required one "
    "must be chosen.",
    ACTION: "The chosen actions are resolved in number order; actions with the same number, in infamy order.",
    END_OF_ROUND: "After the last action, the Round End section of the page is read.",
    EFFECTS: "The player to whom an effect applies resolves it at once, step by step.",
    PERFORMING: "A skill check is one roll; its total decides which text is resolved.",
    SKILL: "A gained skill fills in the next free box of that skill.",
    STARS: "A star can be filled in if it is linked to the start star or to one that is filled in.",
    SCOUTING: "Scouted tokens are placed face down, one by one, and then flipped.",
    CANNONS: "The ship has at most 4 cannons; effects upgrade, load and unload them.",
    TREASURE: "A player has at most 4 treasures in play, and a treasure is used on its player's own turn.",
    END: "The game ends when the hull is at 0, when the discontent equals the crew, when the last threat event is "
    "reached, or when the goal of the scenario is reached.",
    SAVING: "When part 2 begins, the players save the game or continue.",
}
