"""Facts of the turn: the active player, the phase, and the remaining steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.core.language import marked
from engine.games.forbidden_desert.components import ACTIONS_PER_TURN, Role
from engine.games.forbidden_desert.equipment import THROTTLED_ACTIONS
from engine.games.forbidden_desert.headings import ADVENTURERS, TAKE_ACTIONS
from engine.games.forbidden_desert.state import DesertState, replace
from engine.kit import common_facts
from engine.kit.common_facts import IsSo
from engine.kit.facts import Fact, Texts, Told
from engine.kit.words import counted

MOST_ACTIONS = ACTIONS_PER_TURN + THROTTLED_ACTIONS


class TurnOf(common_facts.TurnOf[DesertState], frozen=True):
    """The player whose turn it is."""

    resets = {"weakened": 0}


class MustDrawEquipment(IsSo[DesertState], frozen=True):
    """True if a gear was excavated and its equipment card has not been drawn yet."""

    member = "must_draw_equipment"
    texts = Texts("An equipment card is due for a gear.", "An equipment card is no longer due for a gear.")
    texts_of = {False: Texts("No equipment card is due for a gear.", "An equipment card is now due for a gear.")}


class Left(Fact[DesertState], frozen=True):
    """The rest of the turn: actions, or storm cards once the first has been drawn."""

    about = ()
    texts = Texts("Left this turn: {what}.", "No longer left this turn: {what}.")
    of: Literal["actions", "storm_cards"]
    count: Annotated[int, Meta(ge=0, le=MOST_ACTIONS)]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        if state.storm_left is None:
            yield cls("actions", state.actions_left)
        else:
            yield cls("storm_cards", state.storm_left)

    def put(self, state: DesertState, told: Told) -> DesertState:
        if self.of == "actions":
            most = ACTIONS_PER_TURN + THROTTLED_ACTIONS * state.equipment_used.count("time_throttle")
            too_many = marked("A turn cannot have more than {most} actions left.")
            self.require(self.count <= most, too_many, TAKE_ACTIONS, most=most)
            return replace(state, actions_left=self.count, storm_left=None)
        self.require(self.count, "The turn ends after the last storm card.")
        return replace(state, actions_left=0, storm_left=self.count)

    def words(self, names: Sequence[str]) -> dict[str, str]:
        if self.of == "actions":
            return {"what": counted(self.count, "action")}
        return {"what": counted(self.count, "storm card to draw", "storm cards to draw")}


class Weakened(Fact[DesertState], frozen=True):
    """The number of actions that the Meteorologist has spent this turn to weaken the storm."""

    none = {"count": 0}
    member = "weakened"
    texts = Texts(
        "The Meteorologist has weakened the storm by {count} this turn.",
        "It is no longer true that the Meteorologist weakened the storm by {count} this turn.",
    )
    count: Annotated[int, Meta(ge=0, le=MOST_ACTIONS)]

    def put(self, state: DesertState, told: Told) -> DesertState:
        is_possible = not self.count or state.roles[state.active] is Role.METEOROLOGIST
        self.require(is_possible, "Only the Meteorologist can weaken the storm, on their own turn.", ADVENTURERS)
        return super().put(state, told)
