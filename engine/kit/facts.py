"""Facts about a table, as the author of a game declares them: one class for each kind.

Examples: 'Ann has 2 Sandbags', 'the water is at 4', 'it is Bob's turn'. Facts use the nouns of the game, and values
instead of indexes. The API, pages, corrections and texts all use the same declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.actions import in_words, seat_fields, snake
from engine.kit.entries import with_entry

S = TypeVar("S", bound=State)

Subject = tuple[str, tuple[Any, ...]]
"""The subject of a fact: the kind, and the values of the fields in `about`."""


class CannotBe(Exception):
    """A reported fact is impossible: the reason, and the rulebook's heading if there is one."""

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class Texts(NamedTuple):
    """The sentences of a fact, with placeholders for `Fact.words`."""

    sentence: str
    """The sentence for a true fact, such as '{name} has {cards}.'"""
    no_longer: str = marked("No longer true: {fact}")
    """The sentence for a fact that is no longer true."""


class _FirstOfTwo:
    """The default of `Fact.about`: the first of two fields, otherwise no field."""

    def __get__(self, fact: object, kind: type[msgspec.Struct]) -> tuple[str, ...]:
        fields = kind.__struct_fields__
        return fields[:1] if len(fields) == 2 else ()


class Fact(msgspec.Struct, Generic[S], frozen=True, gc=False, forbid_unknown_fields=True, tag_field="fact", tag=snake):
    """One kind of fact. Some fields identify the subject, the others are the value.

    In JSON, a fact is an object; the member `fact` has the class name in snake case: `{"fact": "has_cards", …}`. A seat
    is a `SeatId`. An unordered collection is a tuple that `__post_init__` sorts, so that each fact has a unique form.
    """

    about: ClassVar[tuple[str, ...]] = _FirstOfTwo()  # type: ignore[assignment]  # read as a tuple
    """The fields that identify the subject; by default the first of two fields, otherwise none. A table has at most one
    fact of a kind about a subject.
    """
    none: ClassVar[Mapping[str, Any] | None] = None
    """The values of the other fields if the subject is absent, such as `{"count": 0}`; None if no subject is ever
    absent.

    `all` omits facts with these values. A description of the whole table need not include them.
    """
    is_derived: ClassVar[bool] = False
    """True if the fact follows from others, as the size of a pile does. It is shown and checked, but never `put`."""

    moves_things: ClassVar[bool] = False
    """True if the fact is about the location of components, so that a correction moves them.

    If a correction is replayed on a different table, the components must still be in their previous place; otherwise
    the correction is broken ('Ann no longer has 1 Ocean's Chalice card'). Other facts are always applied.
    """

    texts: ClassVar[Texts] = Texts("")
    """The sentences. If they depend on more than `texts_of` can express, override `wording` or `sentence`."""
    texts_of: ClassVar[Mapping[Any, Texts]] = MappingProxyType({})
    """The sentences for certain values of `content`: `{0: Texts("There is none.")}`."""
    words_of: ClassVar[Mapping[str, Callable[[Any], str]]] = MappingProxyType({})
    """For fields for which `word` is not enough: a function from the value to its word, by field."""
    title: ClassVar[str] = ""
    """The heading on a late page (see `engine.kit.late_page`), such as 'Water level'; empty: not on that page."""
    ask: ClassVar[str] = ""
    """The question on a late page, with `{what}` for the thing in question; by default, it follows from the fields."""
    member: ClassVar[str]
    """The member of the state that has the value, for the default `all` and `put`.

    If the subject is a seat, the member has an entry for each seat.
    """
    rows: ClassVar[Any] = None
    """For the default `all`, in place of `member`: a function from the state to the field values of each fact.

    The function omits facts equal to `none`.
    """

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        """Yield every true fact of this kind in `state`, except those equal to `none`."""
        if cls.rows is not None:
            return starmap(cls, cls.rows(state))
        value = getattr(state, cls.member)
        found = map(cls, SEAT_IDS, value) if cls.about else [cls(value)]
        return found if cls.none is None else (fact for fact in found if fact != fact.absent)

    @classmethod
    def shown(cls, state: S, viewer: int | None) -> Iterable[Self]:
        """Yield the facts that `viewer` (None: the public) may see. Override it in a game with hidden information."""
        return cls.all(state)

    def put(self, state: S, told: Told) -> S:
        """Return `state`, changed as little as possible so that this fact is true.

        Take components from places about which `told` has no facts, hidden places first. Leave the phase and counters
        to `Ruleset.settled`. A fact that is already true changes nothing.

        Raises:
            CannotBe: the table is impossible.
        """
        if self.is_derived:
            return state
        value = self.content
        if self.about:
            value = with_entry(getattr(state, self.member), SEAT_INDEX[self.subject[1][0]], value)
        return replace(state, **{self.member: value})

    def sentence(self, names: Sequence[str]) -> str:
        """Return the fact as a sentence: 'Ann has 2 Sandbags.'"""
        return say(self.wording.sentence, **self.words(names))

    def no_longer(self, names: Sequence[str]) -> str:
        """Return the sentence for a fact that is no longer true."""
        return say(self.wording.no_longer, **self.words(names), fact=self.sentence(names))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the values for the placeholders: each field under its own name, and the player's `name` for a seat."""
        found = in_words(self, names, self.word, self.words_of)
        for field, _ in seats_named(self):
            found["name"] = found[field]
        return found

    @staticmethod
    def word(value: str, /) -> str:
        """Return the word that players use for a field's value."""
        return say(value)

    def require(self, possible: object, message: str, rule: str | None = None, /, **values: Any) -> None:
        """Check that the fact is possible on a table, as `put` does.

        Args:
            message: the sentence for an impossible fact, with placeholders for the fields of the fact and for `values`.
            rule: the rulebook's heading.

        Raises:
            CannotBe: `possible` is false or empty.
        """
        if not possible:
            told = {**in_words(self, SEAT_IDS, self.word, self.words_of), **values}
            raise CannotBe(say(message, **told) if "{" in message else message, rule)

    @property
    def content(self) -> Any:
        """Return the value of the first field that is not in `about`; None if there is no such field."""
        return next((getattr(self, field) for field in self.__struct_fields__ if field not in self.about), None)

    @property
    def wording(self) -> Texts:
        """The sentences for this fact's value."""
        return self.texts_of.get(self.content) or self.texts

    @property
    def subject(self) -> Subject:
        """The subject: what the fact is about."""
        return self.tag(), tuple(getattr(self, field) for field in self.about)

    @classmethod
    def tag(cls) -> str:
        """Return the kind's name in JSON."""
        return str(cls.__struct_config__.tag)

    @property
    def absent(self) -> Self | None:
        """The fact that the subject is absent; None if it cannot be absent."""
        return None if self.none is None else msgspec.structs.replace(self, **self.none)


AnyFact = Fact[Any]


def kinds_in(*modules: ModuleType) -> tuple[type[AnyFact], ...]:
    """Return the kinds of facts that `modules` define, in order. Names of base classes start with `_`."""
    return tuple(
        kind
        for module in modules
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Fact) and kind.__module__ == module.__name__ and name[0] != "_"
    )


F = TypeVar("F", bound=AnyFact)


class Told:
    """All facts reported together about a table. `Fact.put` reads these facts before it takes a component from a place.

    Args:
        is_whole: True if the facts describe the whole table: anything that they do not name is absent.
    """

    def __init__(self, facts: Iterable[AnyFact] = (), *, is_whole: bool = False) -> None:
        self.is_whole = is_whole
        self._by_subject = {fact.subject: fact for fact in facts}

    def speaks_of(self, kind: type[AnyFact], *about: Any) -> bool:
        """Return True if a fact about this subject was reported: `told.speaks_of(HasCards, "p1", "sandbags")`."""
        return self.is_whole or (kind.tag(), about) in self._by_subject

    def of(self, kind: type[F], *about: Any) -> F | None:
        """Return the reported fact about this subject; None if there is none."""
        return self._by_subject.get((kind.tag(), about))  # type: ignore[return-value]  # the kind is in the subject

    def __iter__(self) -> Iterator[AnyFact]:
        return iter(self._by_subject.values())


class Tableau:
    """All true facts of a state, by subject."""

    def __init__(self, kinds: Sequence[type[AnyFact]], state: State) -> None:
        self.kinds = kinds
        self._found = {fact.subject: fact for kind in kinds for fact in kind.all(state)}

    def now(self, fact: AnyFact) -> AnyFact | None:
        """Return the true fact about the subject of `fact`; None if this table has no such subject."""
        return self._found.get(fact.subject) or fact.absent

    def holds(self, fact: AnyFact) -> bool:
        """Return True if `fact` is true."""
        return self.now(fact) == fact

    def __iter__(self) -> Iterator[AnyFact]:
        return iter(self._found.values())

    def changes(self, after: Tableau) -> list[AnyFact]:
        """List the facts of `after` that differ from this tableau, in the order of the kinds. Omit derived facts."""
        subjects = dict.fromkeys([*self._found, *after._found])
        found = []
        for subject in subjects:
            fact = self._found.get(subject) or after._found[subject]
            now = after.now(fact)
            if now is not None and not fact.is_derived and self.now(fact) != now:
                found.append(now)
        return found


def seats_named(fact: AnyFact) -> Iterator[tuple[str, str]]:
    """Yield each field of `fact` that names a seat, with the seat's id."""
    for field in seat_fields(type(fact)):
        value = getattr(fact, field)
        if value in SEAT_INDEX:
            yield field, value
