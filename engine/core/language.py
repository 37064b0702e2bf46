"""The language in which something is said: every sentence stands in English where it is said, and is looked up there.

    say("{name} moves to {tile}.", name=names[seat], tile=say(printed(tile)))

The English text is its own key, as with GNU gettext: a catalogue has what is said instead, with the same names in
braces. Whoever answers somebody says whose catalogue holds (`speaking`); where nobody does, English is spoken.

What is stored, hashed, signed or read by programs is always English: a record means the same wherever it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import msgspec

T = TypeVar("T")

ENGLISH = "en"


class Catalogue(msgspec.Struct, frozen=True):
    """What is said in a language instead of the English."""

    language: str
    """Its tag (BCP 47), such as `de`."""
    texts: Mapping[str, str]
    """By the English text."""
    plurals: Mapping[str, tuple[str, ...]]
    """What so many of a thing are called: by what one of them is in English, each form that the language has."""
    form: Callable[[int], int]
    """Which of those forms a number takes."""

    def text(self, english: str) -> str:
        """What is said for `english`; itself, where the catalogue does not know it."""
        return self.texts.get(english, english)


_CATALOGUE: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def say(text: str, /, **values: object) -> str:
    """`text` in the language that is spoken, with each `{name}` in it replaced by that of `values`.

    Args:
        text: in English; without `values` braces stand for themselves.
    """
    catalogue = _CATALOGUE.get()
    if catalogue is not None:
        text = catalogue.text(text)
    return text.format(**values) if values else text


def marked(text: str) -> str:
    """`text` as it is: one that is said later, by `say`, belongs into the catalogues as well."""
    return text


def plural(count: int, one: str, several: str) -> str:
    """What so many of a thing are called in the language that is spoken.

    Args:
        one: what one of them is called in English.
        several: what two of them are.
    """
    catalogue = _CATALOGUE.get()
    forms = None if catalogue is None else catalogue.plurals.get(one)
    if catalogue is None or forms is None:
        return one if count == 1 else several
    return forms[catalogue.form(count)]


def spoken() -> str:
    """The tag of the language that is spoken."""
    catalogue = _CATALOGUE.get()
    return ENGLISH if catalogue is None else catalogue.language


def speak(catalogue: Catalogue | None) -> None:
    """Have that language spoken from now on by this thread; None for English."""
    _CATALOGUE.set(catalogue)


def made_in(catalogue: Catalogue | None, items: Iterable[T]) -> Iterator[T]:
    """`items`, each made with that language spoken, None being English; between them it is the caller's."""
    if _CATALOGUE.get() is catalogue:
        # It is spoken already, as is usual: to change nothing for each of many would cost time.
        yield from items
        return
    left = iter(items)
    while True:
        with speaking(catalogue):
            try:
                item = next(left)
            except StopIteration:
                return
        yield item


@contextmanager
def speaking(catalogue: Catalogue | None) -> Iterator[None]:
    """Have that language spoken for as long as this lasts; None for English."""
    token = _CATALOGUE.set(catalogue)
    try:
        yield
    finally:
        _CATALOGUE.reset(token)
