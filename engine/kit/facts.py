"""A fact: what a table can say of itself, as the author of a game declares it: one class for each kind.

'Ann has 2 Sandbags', 'the water is at 4', 'it is Bob's turn': in the nouns of the game, by value, never by index. One
declaration serves the contract, the page, the correction of a record, and its words.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, State
from engine.kit.entries import with_entry

S = TypeVar("S", bound=State)

Subject = tuple[str, tuple[Any, ...]]
"""Of what a fact speaks: its kind, and the values of the fields that say of what."""


class CannotBe(Exception):
    """What a table says cannot be so, whatever else lies on it: why, and the rulebook's heading where one says it."""

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class Texts(NamedTuple):
    """The sentences of a fact, with a name in braces for each of `Fact.words`."""

    sentence: str
    """'{name} has {cards}.'"""
    no_longer: str = marked("It is no longer so: {fact}")
    """The sentence where it was so, and is not so any more."""


def _tag(name: str) -> str:
    """`HasCards` is `has_cards` in JSON."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Fact(msgspec.Struct, Generic[S], frozen=True, gc=False, forbid_unknown_fields=True, tag_field="fact", tag=_tag):
    """One kind of fact. Some of its fields say of what it speaks, the others what is so.

    In JSON it is an object with its name under `fact`, made of the name of the class: `{"fact": "has_cards", …}`. A
    seat is a `SeatId`; what has no order is a tuple that `__post_init__` sorts, so that a fact has one spelling.
    """

    about: ClassVar[tuple[str, ...]] = ()
    """The fields that say of what it speaks: a table says no two facts of a kind about the same."""
    none: ClassVar[Mapping[str, Any] | None] = None
    """What the other fields are where there is nothing, such as `{"count": 0}`: `all` leaves such a fact out, and what
    a whole photograph of the table does not tell is so. None where something always is."""
    is_derived: ClassVar[bool] = False
    """Whether it follows from other facts, as the size of a pile does: it is told and checked, and never put."""

    moves_things: ClassVar[bool] = False
    """Whether it tells where components lie, so that a correction of it moves them. Played again on another table, what
    it moved has to lie there still, or it is broken: 'Ann no longer has the Ocean's Chalice'. All else is simply put
    again, whatever was there."""

    texts: ClassVar[Texts] = Texts("")
    """Its sentences. A kind in which they depend on more than `texts_of` overrides `wording`, or `sentence`."""
    texts_of: ClassVar[Mapping[Any, Texts]] = MappingProxyType({})
    """Its sentences for some values of the first field that is not in `about`: `{0: Texts("There is none.")}`."""
    member: ClassVar[str]
    """The member of the state that has the value, if `all` and `put` only read and write it. A fact about a seat is
    about an entry of it."""

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        """Every fact of this kind that holds in `state`, less those that are `none`."""
        value = getattr(state, cls.member)
        found = map(cls, SEAT_IDS, value) if cls.about else [cls(value)]
        return found if cls.none is None else (fact for fact in found if fact != fact.absent)

    @classmethod
    def shown(cls, state: S, viewer: int | None) -> Iterable[Self]:
        """Those of `all` that `viewer` (None: the public) may see; for games in which players hide something."""
        return cls.all(state)

    def put(self, state: S, told: Told) -> S:
        """`state`, changed so that this holds, and nothing else that need not change.

        What it needs comes from where nothing was `told` of it, first from where nobody sees what there is. Phase and
        counters that follow are no business of it, but of `Ruleset.settled`. Where it holds already nothing changes.

        Raises:
            CannotBe: no table is like that.
        """
        if self.is_derived:
            return state
        value = self.content
        if self.about:
            value = with_entry(getattr(state, self.member), SEAT_INDEX[self.subject[1][0]], value)
        return replace(state, **{self.member: value})

    def sentence(self, names: Sequence[str]) -> str:
        """What a table says: 'Ann has 2 Sandbags.'"""
        return say(self.wording.sentence, **self.words(names))

    def no_longer(self, names: Sequence[str]) -> str:
        """What is said where it was so, and is not so any more."""
        return say(self.wording.no_longer, **self.words(names), fact=self.sentence(names))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what its texts have in braces: each field under its name, and the name of a seat as `{name}`."""
        found: dict[str, Any] = {}
        seats = _seat_fields(type(self))
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if field in seats and value in SEAT_INDEX:
                found["name"] = names[SEAT_INDEX[value]]
            else:
                found[field] = self.word(value) if isinstance(value, str) else value
        return found

    @staticmethod
    def word(value: str, /) -> str:
        """Return what a player calls a value of a field."""
        return say(value)

    @property
    def content(self) -> Any:
        """Return the first field that is not in `about`; None if there is no such field."""
        return next((getattr(self, field) for field in self.__struct_fields__ if field not in self.about), None)

    @property
    def wording(self) -> Texts:
        """Return its sentences as it is."""
        return self.texts_of.get(self.content) or self.texts

    @property
    def subject(self) -> Subject:
        """Of what it speaks."""
        return self.tag(), tuple(getattr(self, field) for field in self.about)

    @classmethod
    def tag(cls) -> str:
        """Its name in JSON."""
        return str(cls.__struct_config__.tag)

    @property
    def absent(self) -> Self | None:
        """That there is nothing of what it speaks of; None where something always is."""
        return None if self.none is None else msgspec.structs.replace(self, **self.none)


AnyFact = Fact[Any]
F = TypeVar("F", bound=AnyFact)


class Told:
    """All that is told of a table at once: what a fact that is put asks before it takes something from elsewhere.

    Args:
        is_whole: whether that is all there is to tell: what is not told is `none`.
    """

    def __init__(self, facts: Iterable[AnyFact] = (), *, is_whole: bool = False) -> None:
        self.is_whole = is_whole
        self._by_subject = {fact.subject: fact for fact in facts}

    def speaks_of(self, kind: type[AnyFact], *about: Any) -> bool:
        """Whether something is told of that: `told.speaks_of(HasCards, "p1", "sandbags")`."""
        return self.is_whole or (kind.tag(), about) in self._by_subject

    def of(self, kind: type[F], *about: Any) -> F | None:
        """What is told of that; None where nothing is, or that there is `none`."""
        return self._by_subject.get((kind.tag(), about))  # type: ignore[return-value]  # the kind is in the subject

    def __iter__(self) -> Iterator[AnyFact]:
        return iter(self._by_subject.values())


class Tableau:
    """Every fact that holds in a state, by what it speaks of."""

    def __init__(self, kinds: Sequence[type[AnyFact]], state: State) -> None:
        self.kinds = kinds
        self._found = {fact.subject: fact for kind in kinds for fact in kind.all(state)}

    def now(self, fact: AnyFact) -> AnyFact | None:
        """What holds of that of which `fact` speaks; None where there is no such thing at this table."""
        return self._found.get(fact.subject) or fact.absent

    def holds(self, fact: AnyFact) -> bool:
        """Whether it is so."""
        return self.now(fact) == fact

    def __iter__(self) -> Iterator[AnyFact]:
        return iter(self._found.values())

    def changes(self, after: Tableau) -> list[AnyFact]:
        """What holds in `after` of all that differs there, less what is derived; in the order of the kinds."""
        subjects = dict.fromkeys([*self._found, *after._found])
        found = []
        for subject in subjects:
            fact = self._found.get(subject) or after._found[subject]
            now = after.now(fact)
            if now is not None and not fact.is_derived and self.now(fact) != now:
                found.append(now)
        return found


def seats_named(fact: AnyFact) -> Iterator[tuple[str, str]]:
    """Each field of a fact that is a seat's id, and the id."""
    for field in _seat_fields(type(fact)):
        value = getattr(fact, field)
        if value in SEAT_INDEX:
            yield field, value


@functools.cache
def _seat_fields(kind: type[AnyFact]) -> list[str]:
    """Return the fields whose type is the id of a seat: the page of a book may have the id `p1`, too."""
    fields = msgspec.structs.fields(kind)
    return [field.name for field in fields if SeatId in (field.type, *get_args(field.type))]
