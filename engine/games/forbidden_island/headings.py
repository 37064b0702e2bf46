"""The rulebook's headings, in its order. Every cited rule is one of them."""

from __future__ import annotations

SETUP = "Setup"
TAKE_ACTIONS = "1. Take Up to 3 Actions"
MOVE = "Move"
SHORE_UP = "Shore Up"
GIVE = "Give a Treasure Card"
CAPTURE_A_TREASURE = "Capture a Treasure"
DRAW_TREASURE = "2. Draw 2 Treasure Deck Cards"
SPECIAL = "Special Action Cards"
WATERS_RISE_CARDS = "Waters Rise! Cards"
WHEN_THE_TREASURE_DECK_RUNS_OUT = "When the Treasure Deck Runs Out"
HAND_LIMIT_RULE = "Hand Limit"
DRAW_FLOOD = "3. Draw Flood Cards"
PAWNS = "Pawns on Flooded Tiles"
WHEN_THE_FLOOD_DRAW_PILE_RUNS_OUT = "When the Flood Draw Pile Runs Out"
WINNING = "Winning the Game"
LOSING = "Losing the Game"

SECTIONS = tuple(text for name, text in vars().items() if name.isupper())
