"""Examples of handwriting: the lines before, a line, and its meaning in the notation.

Each line is read in a position of its game. The meaning `None` stands for a line that reports no action.
"""

from __future__ import annotations

from typing import NamedTuple


class Habit(NamedTuple):
    line: str
    meaning: str | None
    before: str = ""


ISLAND = """Game: Forbidden Island
Players: Ann, Ben, Cem

Set up = The island: Crimson Forest, Temple of the Sun, Temple of the Moon, Cliffs of Abandon, Lost Lagoon, \
Tidal Palace, Cave of Embers, Breakers Bridge, Whispering Garden, Dunes of Deception, Misty Marsh, Coral Palace, \
Fools' Landing, Phantom Rock, Twilight Hollow, Watchtower, Silver Gate, Gold Gate, Observatory, Cave of Shadows, \
Copper Gate, Iron Gate, Bronze Gate, Howling Garden
/ Flooded from the start: Whispering Garden, Breakers Bridge, Watchtower, Cave of Shadows, Crimson Forest, \
Twilight Hollow
/ Adventurers: Diver, Messenger, Engineer
/ Opening hands: Waters Rise, Earth Stone, Ocean's Chalice, Statue of the Wind, Waters Rise, Ocean's Chalice, \
Ocean's Chalice, Ocean's Chalice
1. Ann: draw treasure card = Statue of the Wind & Crystal of Fire; draw flood card = Copper Gate & Dunes of Deception
"""
ARCHAENS = """Game: Forbidden Island: Archaens
Players: Ann, Ben, Cem

Set up = The island: Bronze Gate, Cave of Shadows, Cliffs of Abandon, Misty Marsh, Dunes of Deception, Lost Lagoon, \
Iron Gate, Gold Gate, Cave of Embers, Temple of the Moon, Tidal Palace, Coral Palace, Phantom Rock, \
Whispering Garden, Silver Gate, Watchtower, Observatory, Howling Garden, Fools' Landing, Twilight Hollow, \
Crimson Forest, Breakers Bridge, Copper Gate, Temple of the Sun
/ Flooded from the start: Misty Marsh, Gold Gate, Lost Lagoon, Phantom Rock, Tidal Palace, Copper Gate
/ Citizens: Navigator, Engineer, Leader
/ Opening hands: Earth Stone, Crystal of Fire, Earth Stone, Island Defense, Earth Stone, Earth Stone, Sandbags
"""
DESERT = """Game: Forbidden Desert
Players: Ann, Ben, Cem

Set up = The desert: r2c3, r3c1, r1c4, r4c2
/ Adventurers: Meteorologist, Climber, Archeologist
"""
FOREVER = """Game: Forever Island
Players: Ann, Ben, Cem

Set up = Laying the tiles: 5, 3, 6, 3, 6, 6, 6, 5, 1, 4
/ Turning the tiles: volcano, frog, frog, hog, hog, log, log
/ Tokens on the shores: spear, totem, totem, spear, spear, spear, totem, spear, totem, spear, spear, totem
/ Initial placement: Ann
Ann: place hut frog 1 b; Ben: place hut frog 2 a; Cem: place hut log 1 b
"""
WATERS = """Game: Forgotten Waters
Players: Ann, Ben, Cem

Set up = Player sheets: taxman, ghost, bellringer
/ Infamy: Ben, Cem, Ann
1. Ben: choose skill aim; fill star b1; Cem: discard cannon 1, yes; discard cannon 1, no; choose skill swagger; \
fill star b1; Ann: choose skill exploration; fill star a1
2. Ben: roll die = 8; choose action 4; Cem: choose action 8; Ann: choose action 1
"""

_GOLD = "Ben: move to Gold Gate"
_DRAWN = "Ben: draw treasure card = Earth Stone & Sandbags"
_HELICOPTER = "Ben: draw treasure card = Helicopter Lift & Sandbags\n"
_STATUES = "Ben: draw treasure card = Statue of the Wind & Statue of the Wind"
_GATE = "draw flood card = Gold Gate"
_FLOODED = "draw flood card = Gold Gate & Iron Gate"

HABITS: dict[str, tuple[str, tuple[Habit, ...]]] = {
    "forbidden-island": (
        ISLAND,
        (
            Habit("Ben: moves to Gold Gate", _GOLD),
            Habit("Ben -> Gold Gate", _GOLD),
            Habit("B > GG", _GOLD),
            Habit("2. Ben moved to gold gate.", _GOLD),
            Habit("T2 Ben: mv gold", _GOLD),
            Habit("20:15 Ben walks to the Gold Gate", _GOLD),
            Habit("• Ben goes to Gold Gate", _GOLD),
            Habit("Ben: mvoe to Gold Gtae", _GOLD),
            Habit("Ben: Gold Gate", _GOLD),
            Habit("BEN MOVES TO GOLD GATE", _GOLD),
            Habit("(2) Ben: move Gold Gate (finally!)", _GOLD),
            Habit("Ben: ~~move to Iron Gate~~ move to Gold Gate", _GOLD),
            Habit("Ben (Messenger) moves to Gold Gate", _GOLD),
            Habit("2 Ben move gold", _GOLD),
            Habit("Ben zieht nach Gold Gate", _GOLD),
            Habit("Ben to Gold Gate // no other way", _GOLD),
            Habit("[20.15] B: Gold G.", _GOLD),
            Habit("Ben's turn: moves to Gold Gate", _GOLD),
            Habit("Ben: shored Watchtower", "Ben: shore up Watchtower"),
            Habit("Ben: shore up the wachtower", "Ben: shore up Watchtower"),
            Habit(
                "Ben: shores up Watchtower, gives Ann the chalice",
                "Ben: shore up Watchtower; give card to Ann, Ocean's Chalice",
            ),
            Habit("Ben gave Cem statue", "Ben: give card to Cem, Statue of the Wind"),
            Habit(
                "Ben: gave Ann Ocean's Chalice + gave Cem Statue",
                "Ben: give card to Ann, Ocean's Chalice; give card to Cem, Statue of the Wind",
            ),
            Habit("Ben: passes statue of the wind to ann", "Ben: give card to Ann, Statue of the Wind"),
            Habit("Ben: chalice for Cem", "Ben: give card to Cem, Ocean's Chalice"),
            Habit("Ben: treasure: earth stone, sandbags", _DRAWN),
            Habit("Ben drew earth + sandbags", _DRAWN),
            Habit("Ben: 2 treasure cards (earth, sandbags)", _DRAWN),
            Habit("Ben draws Statue, Statue", _STATUES),
            Habit("Ben draws two statues", _STATUES),
            Habit("2. Ben:\n   Treasure: Statue and Statue", _STATUES),
            Habit("Ben didnt move", None),
            Habit("Gold Gate floods", f"Ben: draw treasure card = ?? & ??; {_GATE}"),
            Habit("Ben floods gold gate", f"Ben: draw treasure card = ?? & ??; {_GATE}"),
            Habit("Flood: Gold Gtae", f"Ben: {_GATE}", f"{_DRAWN}\n"),
            Habit("Flood: Gol dGate", f"Ben: {_GATE}", f"{_DRAWN}\n"),
            # Copper Gate was drawn before: a card that nobody wrote down was Waters Rise!
            Habit("Flood: Copper Gate", "Ben: draw treasure card = Waters Rise & ??; draw flood card = Copper Gate"),
            Habit("Treasure cards: Earth Stone and Sandbags", _DRAWN),
            Habit("Ben: T: Earth / Sandbags", _DRAWN),
            Habit("Ben drew heli + wr!", "Ben: draw treasure card = Helicopter Lift & Waters Rise"),
            Habit("Ben draws two treasure cards", "Ben: draw treasure card = ?? & ??"),
            Habit("Flood: Gold Gate, Iron Gate", f"Ben: draw treasure card = ?? & ??; {_FLOODED}"),
            Habit("F: Gold Gate; Iron Gate", f"Ben: {_FLOODED}", f"{_DRAWN}\n"),
            Habit("Flut: Gold Gate und Iron Gate", f"Ben: {_FLOODED}", f"{_DRAWN}\n"),
            Habit("flooded = gold, iron", f"Ben: {_FLOODED}", f"{_DRAWN}\n"),
            Habit(
                "2) Ben: mv Watchtower, shore Watchtower & Dunes; T: Earth, Sandbags; F: Gold Gate, Iron Gate",
                "Ben: move to Watchtower; shore up Watchtower; shore up Dunes of Deception; draw treasure card = "
                f"Earth Stone & Sandbags; {_FLOODED}",
            ),
            Habit(
                "Ben: Watchtower, shore x2", "Ben: move to Watchtower; shore up Watchtower; shore up Dunes of Deception"
            ),
            Habit("Ben: shores up Watchtower and moves there", "Ben: shore up Watchtower; move to Watchtower"),
            Habit("Ben: sandbags on Dunes", "Ben: play sandbags Dunes of Deception", _HELICOPTER),
            Habit("heli: Ann to Fools Landing", "Ben: play helicopter lift Ann to Fools' Landing", _HELICOPTER),
            Habit("Ben choppers to FL", "Ben: play helicopter lift Ben to Fools' Landing", _HELICOPTER),
            Habit("Ben: treasure ditto", "Ben: draw treasure card = ??"),
            Habit("—", None),
            Habit("Ben ends his turn.", None, f"{_GOLD}\n"),
            Habit("Tea break, 20 minutes", None),
            Habit("Ben: move to Tidal Palace", "Ben: move to Misty Marsh; move to Tidal Palace"),
            Habit(
                "Cem: move to Howling Garden",
                "Cem: move to Howling Garden",
                f"{_GOLD}; draw treasure card = Earth Stone & Sandbags\n",
            ),
            Habit("scratch that", "undo", f"{_GOLD}\n"),
        ),
    ),
    "forbidden-island-archaens": (
        ARCHAENS,
        (
            Habit("Ann: navigates Ben to Cave of Embers", "Ann: navigate Ben, Cave of Embers"),
            Habit("Ann moves Ben to the Cave of Embers", "Ann: navigate Ben, Cave of Embers"),
            Habit("Ann: Ben -> Cave of Shadows", "Ann: navigate Ben, Cave of Shadows"),
            Habit("Ann: nav C to Watchtower", "Ann: navigate Cem, Watchtower"),
            Habit("Cem: sandbags gold gate", "Cem: play sandbags Gold Gate"),
            Habit("Cem plays Sandbags on Lost Lagoon", "Cem: play sandbags Lost Lagoon"),
            Habit(
                "Ann: artifact cards: earth stone, island defence",
                "Ann: draw artifact card = Earth Stone & Island Defense",
            ),
            Habit("Ann: drew 2 artifacts: Crystal, Earth", "Ann: draw artifact card = Crystal of Fire & Earth Stone"),
            Habit("Ann: shore GG then move Whispering", "Ann: shore up Gold Gate; move to Whispering Garden"),
            Habit("A: CoE", "Ann: move to Cave of Embers"),
            Habit("ann moves to cliffs :)", "Ann: move to Cliffs of Abandon"),
            Habit("Ann macht Gold Gate trocken", "Ann: shore up Gold Gate"),
        ),
    ),
    "forbidden-desert": (
        DESERT,
        (
            Habit("Ann: moves to r2c2", "Ann: move to r2c2"),
            Habit("Ann: move to row 2, column 2", "Ann: move to r2c2"),
            Habit("Ann > 2/2", "Ann: move to r2c2"),
            Habit("Ann digs", "Ann: excavate = Gear"),
            Habit("Ann excavated: gear", "Ann: excavate = Gear"),
            Habit("Ann removes sand from r1c3", "Ann: remove sand r1c3"),
            Habit("Ann: clears r2c4", "Ann: remove sand r2c4"),
            Habit("Ann weakens the storm", "Ann: weaken storm"),
            Habit(
                "Ann: storm cards: wind north 2, sun beats down", "Ann: draw storm card = wind north 2 & Sun Beats Down"
            ),
            Habit("Storm: N2, sun", "Ann: draw storm card = wind north 2 & Sun Beats Down"),
            Habit("Sturm: Wind Nord 2", "Ann: draw storm card = wind north 2"),
            Habit("Ann: forecst", "Ann: forecast"),
            Habit("1. Ann moves r2c2, then clears r2c3? no: r2c4", "Ann: move to r2c2"),
        ),
    ),
    "forever-island": (
        FOREVER,
        (
            Habit("Ann rolls a 4", "Ann: roll for weather = 4"),
            Habit("Ann: weather 4", "Ann: roll for weather = 4"),
            Habit("Wetter: 4", "Ann: roll for weather = 4"),
            Habit("Ann: 4", "Ann: roll for weather = 4"),
            Habit("Ann rolls 4, ends turn", "Ann: roll for weather = 4; end turn"),
            Habit("Ann: roll = 4; passes the die", "Ann: roll for weather = 4; end turn"),
            Habit("Ann: roll 4. Ben: roll 2", "Ann: roll for weather = 4; end turn; Ben: roll for weather = 2"),
            Habit("Ann würfelt 4", "Ann: roll for weather = 4"),
            Habit("1) Ann – die: 4", "Ann: roll for weather = 4"),
        ),
    ),
    "forgotten-waters": (
        WATERS,
        (
            Habit("Ann resolves action 1", "Ann: resolve action"),
            Habit("Ann: action 1", "Ann: resolve action"),
            Habit("Ann: Square the harbor master", "Ann: resolve action"),
            Habit("3. Ann: resolve, rolled 7", "Ann: resolve action; roll die = 7"),
            Habit("Ann rolls 7", "Ann: resolve action; roll die = 7"),
            Habit("Ann: resolves her action - die 7", "Ann: resolve action; roll die = 7"),
        ),
    ),
}
