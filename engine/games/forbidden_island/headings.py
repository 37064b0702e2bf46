"""The rulebook's headings, in the order of the rulebook. Every cited rule is one of them."""

from __future__ import annotations

SETUP = "Setup"
TAKE_ACTIONS = "1. Take Up to 3 Actions"
MOVE = "Move"
SHORE_UP = "Shore Up"
GIVE = "Give a Treasure Card"
CAPTURE = "Capture a Treasure"
DRAW_TREASURE = "2. Draw 2 Treasure Deck Cards"
SPECIAL = "Special Action Cards"
WATERS_RISE_CARDS = "Waters Rise! Cards"
WHEN_THE_TREASURE_DECK_RUNS_OUT = "When the Treasure Deck Runs Out"
HAND_LIMIT = "Hand Limit"
DRAW_FLOOD = "3. Draw Flood Cards"
PAWNS = "Pawns on Flooded Tiles"
WHEN_THE_FLOOD_DRAW_PILE_RUNS_OUT = "When the Flood Draw Pile Runs Out"
WINNING = "Winning the Game"
LOSING = "Losing the Game"

SECTIONS = tuple(text for name, text in vars().items() if name.isupper())
RULE_TEXTS = {
    TAKE_ACTIONS: "Players take up to 3 actions in their own turn, before they draw cards.",
    MOVE: "Moving to an adjacent tile that has not sunk is an action; some adventurers can go farther.",
    DRAW_TREASURE: "After the actions, the player draws 2 Treasure deck cards, one after the other.",
    SPECIAL: "A Helicopter Lift or Sandbags can be played at any time, and is then discarded.",
    WATERS_RISE_CARDS: "When Waters Rise! is drawn, the water marker moves up, and the Flood discards are shuffled and "
    "put on top of the Flood pile.",
    HAND_LIMIT: "A player with more than 5 cards discards down to 5 at once.",
    DRAW_FLOOD: "At the end of the turn, the player draws as many Flood cards as the water level says.",
    PAWNS: "A pawn whose tile sinks must swim at once to an adjacent tile that has not sunk.",
    LOSING: "The game is lost when Fools' Landing or both tiles of an uncaptured treasure sink, when a player sinks "
    "with a tile, or when the water reaches the skull and crossbones.",
}
