"""Options of a game, and the results of its setup, in a player's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Meta

from engine.core.language import marked, say

TITLES = "x-titles"
"""Member of an option's JSON Schema: the name of each value, for players."""
WHOLE = "x-whole"
"""Member of an option's JSON Schema: true if players read and write the value, a JSON document, only as a whole."""
KNOWN = "x-known"
"""Member of the JSON Schema of a whole document: the known documents, each with its title."""
RULING = "x-ruling"
"""Member of an option's JSON Schema: true for a ruling on a question that the rulebook leaves open."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options chosen before the game; a game adds its own fields, each with a default."""


class SetupPrompt(msgspec.Struct, frozen=True):
    """A question that the setup asks the players."""

    group: str
    """The group of questions, such as 'The island'."""
    label: str
    """The component or place in question, such as 'row 1, space 2'."""
    at: tuple[int, int] | None = None
    """Column and row, from 1, if the group is a grid."""


def option(
    title: str, description: str | None = None, titles: Mapping[Any, str] | None = None, *, is_ruling: bool = False
) -> Meta:
    """Declare the texts of an option.

    Args:
        title: the option's name, or the question that it answers.
        titles: the name of each value; the values of a boolean are True and False.
    """
    extra: dict[str, Any] = {}
    if titles is not None:
        extra[TITLES] = {
            value if isinstance(value, str) else str(value).lower(): text for value, text in titles.items()
        }
    if is_ruling:
        extra[RULING] = True
    return Meta(title=title, description=description, extra_json_schema=extra or None)


YES_OR_NO: Mapping[Any, str] = MappingProxyType({True: "Yes", False: "No"})


def ruling(title: str, titles: Mapping[Any, str] = YES_OR_NO) -> Meta:
    """Declare the texts of a ruling on a question that the rulebook leaves open."""
    return option(title, titles=titles, is_ruling=True)


def in_words(schema: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, str]:
    """Return the title of each chosen option with the title of its value.

    Rulings, and options whose values have no titles, are omitted.

    Args:
        schema: the JSON Schema of the options.
        options: every option with its value, as a JSON document.
    """
    found: dict[str, str] = {}
    for name, declared in schema["properties"].items():
        if TITLES in declared and RULING not in declared and name in options:
            key = _key(options[name])
            found[say(declared["title"])] = say(declared[TITLES].get(key, key))
    return found


def spell_out(
    schema: Mapping[str, Any], options: Mapping[str, Any], names: Mapping[Any, str]
) -> Iterator[tuple[str, str]]:
    """Yield the titles of options and of their values, including rulings.

    Empty and nested values are omitted, such as the setup of a table's own book.

    Args:
        schema, options: as in `in_words`.
        names: the players' names by seat id, for options that name a seat.
    """
    for name, value in options.items():
        declared = schema["properties"].get(name, {})
        if said := _in_words(value, declared.get(TITLES, {}), names):
            yield say(declared.get("title", name.replace("_", " "))), said


def in_line(said: Iterable[tuple[str, str]], spelled: Callable[[str], str] = str) -> str:
    """Join options from `spell_out` into one line.

    Args:
        spelled: function that formats a value, for example by escaping it for Markdown.
    """
    return "; ".join(f"{title}{'' if title.endswith('?') else ':'} {spelled(choice)}" for title, choice in said)


def _in_words(value: Any, titles: Mapping[str, str], names: Mapping[Any, str]) -> str:
    """Return an option's value in words; empty if there are no short words for the value."""
    if isinstance(value, list):
        each = [_in_words(one, titles, names) for one in value]
        return ", ".join(each) if all(each) else ""
    if not isinstance(value, str | int):
        return ""
    if _key(value) in titles:
        return say(titles[_key(value)])
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return names.get(value, str(value).replace("_", " "))


def _key(value: Any) -> str:
    """Return a value as a key of `TITLES`: 'true', '2', 'novice'."""
    return value if isinstance(value, str) else str(value).lower()


def ordinal(number: int) -> str:
    """Return 'first', 'second' and so on up to 'ninth', then '10th'."""
    return say(_ORDINALS[number - 1]) if number <= len(_ORDINALS) else say("{number}th", number=number)


_ORDINALS = (
    marked("first"),
    marked("second"),
    marked("third"),
    marked("fourth"),
    marked("fifth"),
    marked("sixth"),
    marked("seventh"),
    marked("eighth"),
    marked("ninth"),
)
