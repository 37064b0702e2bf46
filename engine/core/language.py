"""Translation of user-visible texts. Each sentence is written in English in the code and looked up in a catalogue.

    say("{name} moves to {tile}.", name=names[seat], tile=say(printed(tile)))

The English text is the key, as with GNU gettext. A translation uses the same placeholders in braces. The caller selects
the catalogue with `speaking`. Without a catalogue, texts are English.

Text that is stored, hashed, signed or parsed is always English, so a record is the same everywhere.
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
    """Translations into one language."""

    language: str
    """BCP 47 tag, such as `de`."""
    texts: Mapping[str, str]
    """Translations by English text."""
    plurals: Mapping[str, tuple[str, ...]]
    """The forms of each noun, by the English singular."""
    form: Callable[[int], int]
    """Function from a number to the index of its noun form."""

    def text(self, english: str) -> str:
        """Return the translation of `english`, or `english` itself if there is none."""
        return self.texts.get(english, english)


_CATALOGUE: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def say(text: str, /, **values: object) -> str:
    """Translate `text` into the current language, and replace each `{name}` by its value.

    Args:
        text: the English text. If there are no `values`, its braces are literal.
    """
    catalogue = _CATALOGUE.get()
    if catalogue is not None:
        text = catalogue.text(text)
    return text.format(**values) if values else text


def marked(text: str) -> str:
    """Return `text` unchanged. The call marks the text for the catalogues; `say` translates it later."""
    return text


def plural(count: int, one: str, several: str) -> str:
    """Return the form of a noun that fits `count` in the current language.

    Args:
        one: the English singular.
        several: the English plural.
    """
    catalogue = _CATALOGUE.get()
    forms = None if catalogue is None else catalogue.plurals.get(one)
    if catalogue is None or forms is None:
        return one if count == 1 else several
    return forms[catalogue.form(count)]


def current_language() -> str:
    """Return the tag of the current language."""
    catalogue = _CATALOGUE.get()
    return ENGLISH if catalogue is None else catalogue.language


def speak(catalogue: Catalogue | None) -> None:
    """Set the language of this thread; None for English."""
    _CATALOGUE.set(catalogue)


def compute_in(catalogue: Catalogue | None, items: Iterable[T]) -> Iterator[T]:
    """Yield `items`, computed in the language of `catalogue` (None: English). The caller's language does not change."""
    if _CATALOGUE.get() is catalogue:
        # Usually the language is already set. Setting it again for each item would take time.
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
    """Set the language for a `with` block; None for English."""
    token = _CATALOGUE.set(catalogue)
    try:
        yield
    finally:
        _CATALOGUE.reset(token)
