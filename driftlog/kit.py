"""The kit: everything that the author of a ruleset imports.

A ruleset is one class (see `Ruleset`), declared by an entry point of the group `driftlog.rulesets`.
"""

from __future__ import annotations

from engine.core.documents import convert
from engine.core.errors import Malformed, Unclear
from engine.core.language import marked, plural, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, GameOutcome, SeatId, State, Value, Violation
from engine.kit.actions import Action, CardAction, Refusal
from engine.kit.card_facts import CardsAt
from engine.kit.card_looks import CardLooks, Look
from engine.kit.chance import Chance, Weighed, dealt
from engine.kit.columns import Column, Curve, SeatColumn
from engine.kit.common_facts import IsAmong, IsSo, LayersAre, SeatIs, SizeIs, TurnIs, TurnOf, phase_is
from engine.kit.default_scene import initials
from engine.kit.effects import needed, needed_at, place_of
from engine.kit.entries import exchanged, with_entry, without
from engine.kit.faces import Face, FaceLayout, cards, dice
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.options import KNOWN, WHOLE, Options, SetupPrompt, option, ordinal, ruling
from engine.kit.part_panels import Around
from engine.kit.parts import Deck, Hand, Meter, Row, Stack, Token
from engine.kit.paths import distances
from engine.kit.piles import Pile, renewed
from engine.kit.rules import KIT
from engine.kit.ruleset import Ruleset
from engine.kit.scene import Scene, looks, panels, planes
from engine.kit.steps import DueStep, Skip, due_act, due_cards
from engine.kit.timer import Timer
from engine.kit.vignette import Vignette
from engine.kit.words import counted

__all__ = [
    "KIT",
    "KNOWN",
    "SEAT_IDS",
    "SEAT_INDEX",
    "WHOLE",
    "Action",
    "Around",
    "CannotBe",
    "CardAction",
    "CardLooks",
    "CardsAt",
    "Chance",
    "Column",
    "Curve",
    "Deck",
    "DueStep",
    "Face",
    "FaceLayout",
    "Fact",
    "GameOutcome",
    "Hand",
    "IsAmong",
    "IsSo",
    "LayersAre",
    "Look",
    "Malformed",
    "Meter",
    "Options",
    "Pile",
    "Refusal",
    "Row",
    "Ruleset",
    "Scene",
    "SeatColumn",
    "SeatId",
    "SeatIs",
    "SetupPrompt",
    "SizeIs",
    "Skip",
    "Stack",
    "State",
    "Texts",
    "Timer",
    "Token",
    "Told",
    "TurnIs",
    "TurnOf",
    "Unclear",
    "Value",
    "Vignette",
    "Violation",
    "Weighed",
    "cards",
    "convert",
    "counted",
    "dealt",
    "dice",
    "distances",
    "due_act",
    "due_cards",
    "exchanged",
    "initials",
    "looks",
    "marked",
    "needed",
    "needed_at",
    "option",
    "ordinal",
    "panels",
    "phase_is",
    "place_of",
    "planes",
    "plural",
    "renewed",
    "ruling",
    "say",
    "with_entry",
    "without",
]
