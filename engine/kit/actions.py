"""An action of a rulebook, as the author of a game writes it: one class each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from engine.core.values import State, Value
from engine.kit.chance import Chance
from engine.kit.scene.looks import Symbol

S = TypeVar("S", bound=State)


class Refusal(msgspec.Struct, frozen=True):
    """Why an action is not legal: the rulebook's heading, and the sentence that a player reads."""

    rule: str
    said: str | Callable[[], str]
    """The sentence, or a function that returns it: a listing asks for many refusals and reads none of them."""

    @property
    def message(self) -> str:
        """The sentence."""
        return self.said if isinstance(self.said, str) else self.said()


class Action(msgspec.Struct, Generic[S], frozen=True, gc=False, forbid_unknown_fields=True):
    """One kind of action of a rulebook; its fields are the params.

    A field that holds several things in no order is a tuple that `__post_init__` sorts, so that an action has one
    spelling, in which it is stored.
    """

    type: ClassVar[str]
    """Its name in events, in the rulebook's words."""
    title: ClassVar[str] = ""
    """What it is called, as a menu has it: 'Shore up'; where nothing is declared, its type in words (see `called`)."""
    rule: ClassVar[str]
    """The rulebook's heading that it implements."""
    asks_chance: ClassVar[bool] = False
    """Whether its rules ask chance."""
    any_time: ClassVar[bool] = False
    """Whether it is played when somebody likes, beside what is asked: a page has it at hand, out of the way."""
    symbol: ClassVar[Symbol | None] = None
    """What stands for it on a button, and on the place that it is about."""
    hidden_params: ClassVar[tuple[str, ...]] = ()
    """The params that only its actor may see until they are revealed; `salt` is one (see `engine.play.secrets`)."""
    reveals: ClassVar[bool] = False
    """Whether it opens all that was hidden before it."""

    @classmethod
    def called(cls) -> str:
        """Its title in English."""
        return cls.title or cls.type.replace("_", " ").capitalize()

    @classmethod
    @abstractmethod
    def candidates(cls, state: S, seat: int) -> Iterable[Self]:
        """Every action of this kind that may be legal for `seat`, and perhaps some that are not."""

    @classmethod
    def ranges(cls, state: S, seat: int) -> dict[str, Any] | None:
        """Where a full list would be too long: the JSON Schema of the params that are legal for `seat`, exactly.

        None where `candidates` lists them all, or where none is legal. Beside a schema, `candidates` lists examples,
        each of which fits it.
        """
        return None

    @classmethod
    def depends_on(cls, state: S, seat: int) -> Hashable:
        """Of the parts of `state` that do not show (`Ruleset.unseen`): all that decides what is legal for `seat`.

        Where much was not seen there are many tables, and what is legal is found once for those in which this is the
        same. None, as by default, where each has to be looked at by itself.
        """
        return None

    @abstractmethod
    def refusal(self, state: S, seat: int) -> Refusal | None:
        """Why `seat` may not do this now, or None."""

    def has_clear_effect(self, state: S, seat: int) -> bool:
        """Whether what it does to the table is clear where it is not legal, as far as that can be told before `apply`.

        Asked when it is recorded; what stands in a record is carried out as it was then.
        """
        return True

    @abstractmethod
    def apply(self, state: S, seat: int, chance: Chance) -> S:
        """The state after it.

        What `refusal` forbids is carried out, too, where a table did it anyway (`as_played`), and it may not be clear
        then what that does: an action may be tried at any time by any seat, with whatever params its type allows, a
        seat of nobody at this table among them. The state is one of this game that is not over, and nothing more can
        be relied on. What the rules grant (an action left, whose turn it is) is best taken as far as it is there; what
        is missing altogether, such as a card that is not in that hand, is looked up by `engine.kit.effects`. The
        kernel checks the state that comes of it, and refuses one that is not sound.

        Raises:
            Unclear: it is not legal, and what it does to the table is not clear. Of a legal action that is a defect,
                as any other error is.
            OutcomeRequired, ImpossibleOutcome: as `chance` says.
        """

    @abstractmethod
    def label(self, state: S, names: Sequence[str]) -> str:
        """What a button says: an imperative, such as 'Move to Coral Palace'."""

    def warning(self, state: S, seat: int) -> str | None:
        """The sentence that a page shows before it records a legal action that nobody should take by mistake.

        None, as by default, where there is nothing to ask. The rules never depend on it.
        """
        return None

    @abstractmethod
    def describe(self, state: S, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        """A sentence a player would say of it afterwards; `state` is the one before it.

        Raises:
            Unclear: as `apply`, where it was not legal, or its outcomes are none of this state.
        """
