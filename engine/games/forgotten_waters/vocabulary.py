"""Texts that are not in the code of this game: names derived from ids, and the texts of the scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, get_args

import msgspec

from engine.games.forgotten_waters.rules.measures import NUMBERS
from engine.games.forgotten_waters.scenario.effects import Pending, Saved
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.packs import EDITIONS
from engine.games.forgotten_waters.scenario.plain_effects import SKILLS, STATS
from engine.games.forgotten_waters.state import ROLES, STANDEES
from engine.games.forgotten_waters.words import WORDS, english_heading, english_words

_TEXTS = frozenset({"title", "name", "text", "warning", "blanks", "bad", "good", "legendary"})
"""Members of a pack that contain texts."""


def vocabulary() -> Iterator[str]:
    """Yield all texts of the vocabulary, in English."""
    yield from WORDS.values()
    yield from map(english_heading, (*SKILLS, *STATS, *ROLES, "threat", "infamy"))
    yield from map(english_words, (*SKILLS, *STATS, *STANDEES))
    yield from (english_words(str(kind.__struct_config__.tag)) for kind in get_args(Pending) if kind is not Saved)
    yield from NUMBERS
    for pack in chain.from_iterable(packs.values() for packs in EDITIONS.values()):
        yield from _of(pack)
        yield from _texts(msgspec.to_builtins(pack))


def _of(pack: Pack) -> Iterator[str]:
    if pack.objective not in pack.objective_card:
        yield english_heading(pack.objective)
    yield from (entry.id for entry in pack.entries)
    yield from (page.id for page in pack.pages)
    for page in pack.pages:
        yield from (english_heading(symbol) for action in page.actions for symbol in action.black)
        for feature in page.features:
            yield from (english_heading(feature.id), english_words(feature.id))
    # Other ids are a letter and a digit, which need no translation.
    yield from (star.id for sheet in pack.sheets for star in sheet.constellation if "_" in star.id)


def _texts(part: Any, key: str = "") -> Iterator[str]:
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from _texts(inner, name)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _texts(inner, key)
    elif isinstance(part, str) and key in _TEXTS:
        yield part
    elif isinstance(part, str) and key == "counter":
        yield from (english_heading(part), english_words(part))
