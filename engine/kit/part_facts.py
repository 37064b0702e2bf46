"""Kinds of facts derived from the parts of a state (see `engine.kit.parts`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX
from engine.kit.card_facts import CardsAt
from engine.kit.facts import CannotBe, Fact, Texts


def camel(name: str) -> str:
    """Convert a snake-case name to a class name in camel case."""
    return "".join(word.capitalize() for word in name.split("_"))


def word(titles: Mapping[str, str], value: str) -> str:
    """Return the players' name of a value: the title, or else the capitalized id."""
    return titles.get(value) or value[:1].upper() + value[1:].replace("_", " ")


class PartFact(Fact[Any], frozen=True):
    """A fact about a part."""

    texts = Texts("{title}: {what}.", "No longer true: {title}: {what}.")
    title: ClassVar[str]
    """The name of the part, for players."""
    titles: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The names of values, for players. A value without an entry has its capitalized id as its name."""

    @property
    def wording(self) -> Texts:
        return _OF_SEAT if "seat" in self.about else self.texts

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        name = {"name": names[SEAT_INDEX[self.subject[1][0]]]} if "seat" in self.about else {}
        return {**name, "title": say(self.title), "what": self.what()}

    def what(self) -> str:
        """Return the value in words."""
        content = self.content
        return say(word(self.titles, content)) if isinstance(content, str) else str(content)


_OF_SEAT = Texts(marked("{title} of {name}: {what}."), marked("No longer true: {title} of {name}: {what}."))


class CardIn(PartFact, CardsAt[Any], frozen=True):
    """The number of copies of a card in a hand or a row."""

    same_deck: ClassVar[Callable[[], tuple[type[CardsAt[Any]], ...]]]
    """Function that returns the kinds of fact about cards of the same deck."""
    is_hidden: ClassVar[bool] = False
    """True if only the owner sees the cards."""

    @classmethod
    def kinds(cls) -> tuple[type[CardsAt[Any]], ...]:
        return cls.same_deck()

    @classmethod
    def shortage(cls, state: Any, card: str) -> CannotBe:
        return CannotBe(say("There is no {card} left.", card=say(word(cls.titles, card))))

    @classmethod
    def shown(cls, state: Any, viewer: int | None) -> Iterable[Self]:
        return (fact for fact in cls.all(state) if not cls.is_hidden or SEAT_INDEX[fact.subject[1][0]] == viewer)

    def what(self) -> str:
        card = str(self.subject[1][-1])
        return f"{self.content} × {say(word(self.titles, card))}"
