"""The base class of the actions. Only the components limit actions, so one method both judges and applies an action."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta

from driftlog.any_game.state import BoxState
from driftlog.any_game.stuff import Cannot
from driftlog.any_game.words import COMPONENTS
from driftlog.kit import Action, Chance, Refusal, Unclear, Value

Id = Annotated[str, Meta(pattern="^[a-z0-9_]{1,60}$", description="an id of the box")]
Count = Annotated[int, Meta(ge=1, le=500)]
V = TypeVar("V", bound=Value)


class BoxAction(Action[BoxState], frozen=True):
    """An action that only the components limit."""

    rule: ClassVar[str] = COMPONENTS

    @abstractmethod
    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        """Return the state after the action.

        Raises:
            Cannot: the components do not allow the action.
        """

    def refusal(self, state: BoxState, seat: int) -> Refusal | None:
        try:
            self.do(state, seat, ANY_RESULT)
        except Cannot as cannot:
            return Refusal(self.rule, str(cannot))
        return None

    def apply(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        try:
            return self.do(state, seat, chance)
        except Cannot:
            raise Unclear from None


class _AnyResult:
    """Chance that always returns the first possible result, to test whether an action is possible."""

    reported: tuple[Value | None, ...] = ()
    has_drawn = False

    def begin(self, seq: int, reported: tuple[Value | None, ...]) -> None: ...

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        return options[0]

    def accept(self) -> None: ...

    def finish(self) -> tuple[Value | None, ...]:
        return ()


ANY_RESULT: Chance = _AnyResult()


def acts_now(state: BoxState, seat: int) -> bool:
    """Return True if the legal actions of the seat are listed: it is the seat's turn, or the game has no turns."""
    return state.box.turns == "free" or seat == state.active


def params(required: Sequence[str], properties: dict[str, Any], any_of: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the JSON Schema of params.

    Args:
        any_of: sets of properties; the params must match at least one set.
    """
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return schema | {"anyOf": [{"properties": one} for one in any_of]} if any_of else schema
