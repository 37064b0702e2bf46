"""Common parts of the facts of Forbidden Desert."""

from __future__ import annotations

from engine.games.forbidden_desert.components import printed
from engine.games.forbidden_desert.state import DesertState
from engine.kit.card_facts import CardsAt
from engine.kit.facts import Fact


class DesertFact(Fact[DesertState], frozen=True):
    """A fact whose values have printed names."""

    word = staticmethod(printed)


class DesertCards(CardsAt[DesertState], frozen=True):
    """The number of copies of a card in a place."""

    word = staticmethod(printed)
