"""The base class of actions: the author of a game writes one class for each action of the rulebook."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar, get_args

import msgspec

from engine.core.language import say
from engine.core.values import SEAT_INDEX, SeatId, State, Value
from engine.kit.chance import Chance
from engine.kit.scene.looks import Symbol

S = TypeVar("S", bound=State)


class Refusal(msgspec.Struct, frozen=True):
    """The refusal of an action: the heading of the rulebook, and the sentence that players read."""

    rule: str
    said: str | Callable[[], str]
    """The sentence, or a function that returns it. A function saves work, because most refusals are never shown."""

    @property
    def message(self) -> str:
        """Return the sentence."""
        return self.said if isinstance(self.said, str) else self.said()


class Action(msgspec.Struct, Generic[S], frozen=True, gc=False, forbid_unknown_fields=True):
    """One kind of action of a rulebook; its fields are the params.

    A field with an unordered collection is a tuple that `__post_init__` sorts, so that each action has a unique form.
    """

    type: ClassVar[str]
    """The name of the action in events, in the rulebook's words; by default the class name in snake case. A base class
    without `rule` or `apply` gets no name, and neither does a class whose own name starts with `_`."""
    title: ClassVar[str] = ""
    """The menu title, such as 'Shore up'; if empty, `english_title` derives it from `type`."""
    verb: ClassVar[str] = ""
    """Words for the sentence that tells players what to do now, such as 'shore up'; empty to omit the action there."""
    rule: ClassVar[str]
    """The rulebook's heading of the rule that the action implements."""
    asks_chance: ClassVar[bool] = False
    """True if the action needs a random result."""
    results: ClassVar[tuple[Value, ...]] = ()
    """The possible results, as a list to choose from; empty if the ruleset's `faces` have buttons for the results."""
    any_time: ClassVar[bool] = False
    """True if a player can take the action at any time; pages list it separately from the current step."""
    button_text: ClassVar[str] = ""
    """The button text, with placeholders for `words`: 'Move to {to}'. If empty, `title` is used."""
    report_text: ClassVar[str]
    """The sentence about the action, with placeholders for `words`, the player's `name`, and the first `result`."""
    plain_texts: ClassVar[tuple[str, str] | None] = None
    """The texts that replace `button_text` and `report_text` if the last param is absent, such as 'Move to {to}'."""
    words_of: ClassVar[Mapping[str, Callable[[Any], str]]] = MappingProxyType({})
    """For params for which `word` is not enough: a function from the value to its word, by param."""
    symbol: ClassVar[Symbol | None] = None
    """The symbol on the action's button, and on the place that it affects."""
    hidden_params: ClassVar[tuple[str, ...]] = ()
    """Params that only the actor may see until they are revealed, including `salt` (see `engine.play.visibility`)."""
    reveals: ClassVar[bool] = False
    """True if the action reveals all earlier secrets."""
    is_blind: ClassVar[bool] = False
    """True if the action is a guess, or the answer to a guess. An analysis counts it as luck, not as a choice."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        is_complete = hasattr(cls, "rule") and cls.apply is not Action.apply
        if is_complete and not hasattr(cls, "type") and not cls.__name__.startswith("_"):
            cls.type = snake(cls.__name__)

    @classmethod
    def english_title(cls) -> str:
        """Return the title in English."""
        return cls.title or cls.type.replace("_", " ").capitalize()

    @classmethod
    def candidates(cls, state: S, seat: int) -> Iterable[Self]:
        """Yield all legal actions of this kind for `seat`, and possibly some illegal ones, which the caller removes.

        By default, yield the action without params.
        """
        return (cls(),)

    @classmethod
    def ranges(cls, state: S, seat: int) -> dict[str, Any] | None:
        """Return a JSON Schema of the legal params for `seat`, for a kind with too many actions to list.

        Exactly the legal params match the schema. Return None if `candidates` lists all legal actions, or if none is
        legal. If this returns a schema, `candidates` lists examples that match the schema.
        """
        return None

    @classmethod
    def depends_on(cls, state: S, seat: int) -> Hashable:
        """Return the hidden parts of `state` (`Ruleset.unseen`) that determine the legal actions of `seat`.

        This saves work if there are many possible tables: for tables with the same value, legal actions are computed
        only once. None, the default: they are computed for each table.
        """
        return None

    @abstractmethod
    def refusal(self, state: S, seat: int) -> Refusal | None:
        """Return the refusal if `seat` may not take the action now; None if the action is legal."""

    def has_clear_effect(self, state: S, seat: int) -> bool:
        """Return False if the action is illegal and its effect on the table is already known to be unclear.

        Called before `apply` when a new action is recorded; not called for stored actions.
        """
        return True

    @abstractmethod
    def apply(self, state: S, seat: int, chance: Chance) -> S:
        """Return the state after the action.

        This is also called for an illegal action that players took anyway (`as_played`). Such an action can come at any
        time, with any valid params, and from any seat, even from a seat that is not at this table. Rely only on two
        facts: the state belongs to this game, and the game is not over. If an amount is too small, such as the actions
        left in the turn, spend what is left. If a component is missing, such as a card in a hand, raise `Unclear`, as
        the lookups in `engine.kit.effects` do. The kernel checks the returned state, and rejects an invalid state.

        Raises:
            Unclear: the action is illegal, and its effect on the table is unclear. For a legal action, this or any
                other error is a defect.
            OutcomeRequired, ImpossibleOutcome: raised by `chance`.
        """

    def label(self, state: S, names: Sequence[str]) -> str:
        """Return the button text, such as 'Move to Coral Palace'. Override it if `button_text` is not enough."""
        text = self.plain_texts[0] if self.plain_texts and self._is_plain else self.button_text or self.english_title()
        return say(text, **self.words(state, names))

    def words(self, state: S, names: Sequence[str]) -> dict[str, Any]:
        """Return the values for the placeholders: each param under its own name. A seat becomes the player's name."""
        return in_words(self, names, self.word, self.words_of)

    @staticmethod
    def word(value: str, /) -> str:
        """Return the word that players use for a param's value."""
        return say(value)

    def warning(self, state: S, seat: int) -> str | None:
        """Return the text of a confirmation for a legal action that players should not take by mistake.

        None, the default: no confirmation. The rules never depend on this.
        """
        return None

    def describe(self, state: S, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        """Return the sentence about the action, if `report_text` is not enough; `state` is the state before the action.

        Raises:
            Unclear: the action is illegal and its effect unclear, or `outcomes` do not fit `state`.
        """
        return self.report_sentence(state, outcomes, names, name=names[seat])

    def report_sentence(self, state: S, outcomes: Sequence[Value], names: Sequence[str], **player: str) -> str:
        """Return `report_text` with its placeholders replaced; `player` has the name of the player."""
        text = self.plain_texts[1] if self.plain_texts and self._is_plain else self.report_text
        told = {**self.words(state, names), **player}
        if "{result}" in text:
            told["result"] = self.word(str(outcomes[0]))
        return say(text, **told)

    @property
    def _is_plain(self) -> bool:
        return not getattr(self, self.__struct_fields__[-1])


class CardAction(Action[S], frozen=True):
    """A card that its owner plays from the hand."""

    card: ClassVar[str]
    hands: ClassVar[str]
    """The name of the state's member that has the cards of each seat."""

    @classmethod
    def is_held(cls, state: S, seat: int) -> bool:
        """Return True if `seat` has the card."""
        return cls.card in getattr(state, cls.hands)[seat]

    @classmethod
    def candidates(cls, state: S, seat: int) -> Iterable[Self]:
        return cls.ways(state, seat) if cls.is_held(state, seat) else ()

    @classmethod
    def ways(cls, state: S, seat: int) -> Iterable[Self]:
        """Yield every legal way to play the card, and possibly some illegal ways, which the caller removes."""
        return (cls(),)

    def misplay(self, state: S, seat: int) -> Refusal | None:
        """Return the reason why the owner cannot play the card in this way, or None."""
        return None


def snake(name: str) -> str:
    """Convert the name of a class to snake case."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def in_words(
    struct: msgspec.Struct,
    names: Sequence[str],
    word: Callable[[str], str],
    words_of: Mapping[str, Callable[[Any], str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the fields of a struct in words: from `words_of`, or `names` for a seat, or `word` for another string."""
    seats = seat_fields(type(struct))
    found: dict[str, Any] = {}
    for field in struct.__struct_fields__:
        value = getattr(struct, field)
        if field in words_of:
            found[field] = words_of[field](value)
        elif field in seats and value in SEAT_INDEX:
            found[field] = names[SEAT_INDEX[value]]
        else:
            found[field] = word(value) if isinstance(value, str) else value
    return found


@functools.cache
def seat_fields(kind: type[msgspec.Struct]) -> list[str]:
    """Return the fields whose type is a seat's id.

    Values are not checked, because other ids can look like it (a page `p1`).
    """
    fields = msgspec.structs.fields(kind)
    return [field.name for field in fields if SeatId in (field.type, *get_args(field.type))]
