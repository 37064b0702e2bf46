"""What facts of Forbidden Desert have in common."""

from __future__ import annotations

from engine.games.forbidden_desert.components import printed
from engine.games.forbidden_desert.state import DesertState
from engine.kit.card_facts import CardsAt
from engine.kit.facts import Fact


class DesertFact(Fact[DesertState], frozen=True):
    """A fact whose values have printed names."""

    word = staticmethod(printed)


class DesertCards(CardsAt[DesertState], frozen=True):
    """How many of a card lie in a place."""

    word = staticmethod(printed)
