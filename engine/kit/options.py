"""What a table chooses before it begins, and what it lays out: as a player would say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Meta

from engine.core.language import marked, say

TITLES = "x-titles"
"""In the JSON Schema of an option: what a player calls each value."""
RULING = "x-ruling"
"""In the JSON Schema of an option: whether it is a ruling on which tables differ, and best left as it is."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table chooses before it begins; a game adds its own fields, each with its default."""


class SetupPrompt(msgspec.Struct, frozen=True):
    """One thing that the set-up asks of the table."""

    group: str
    """What it belongs to: 'The island'."""
    label: str
    """Which one it is: 'row 1, space 2'."""
    at: tuple[int, int] | None = None
    """Column and row, from 1, where the group lies in a grid."""


def option(
    title: str, description: str | None = None, titles: Mapping[Any, str] | None = None, *, is_ruling: bool = False
) -> Meta:
    """What a player reads of an option.

    Args:
        title: what it is called, or the question that it answers.
        titles: what each of its values is called; a boolean's are True and False.
    """
    extra: dict[str, Any] = {}
    if titles is not None:
        extra[TITLES] = {
            value if isinstance(value, str) else str(value).lower(): text for value, text in titles.items()
        }
    if is_ruling:
        extra[RULING] = True
    return Meta(title=title, description=description, extra_json_schema=extra or None)


def in_words(schema: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, str]:
    """What a table has chosen: the title of each option whose values have titles, with that of its value.

    Rulings are left out.

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


def spelled_out(
    schema: Mapping[str, Any], options: Mapping[str, Any], names: Mapping[Any, str]
) -> Iterator[tuple[str, str]]:
    """Options and their values as a player would say them: by their titles, rulings too.

    What was left empty is left out, and what is more than a few words, such as a whole page of somebody's own.

    Args:
        schema, options: as `in_words`.
        names: who sits where, by the ids of the seats: some options name one.
    """
    for name, value in options.items():
        declared = schema["properties"].get(name, {})
        if said := _said(value, declared.get(TITLES, {}), names):
            yield say(declared.get("title", name.replace("_", " "))), said


def _said(value: Any, titles: Mapping[str, str], names: Mapping[Any, str]) -> str:
    """Nothing for what has no words."""
    if isinstance(value, list):
        each = [_said(one, titles, names) for one in value]
        return ", ".join(each) if all(each) else ""
    if not isinstance(value, str | int):
        return ""
    if _key(value) in titles:
        return say(titles[_key(value)])
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return names.get(value, str(value).replace("_", " "))


def _key(value: Any) -> str:
    """A value as a key of `TITLES`: true, 2, novice."""
    return value if isinstance(value, str) else str(value).lower()


def ordinal(number: int) -> str:
    """'first', 'second', … as a table counts; from the tenth on in digits."""
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
