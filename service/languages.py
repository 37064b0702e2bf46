"""The supported languages and their catalogues. Each package with texts has its catalogues in a folder `locale`.

A catalogue is a `.po` file of GNU gettext, one for each language and package. A game's texts are in its own folder.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from gettext import c2py
from importlib import resources
from importlib.resources.abc import Traversable

from engine.core.language import ENGLISH, Catalogue
from engine.play import registry

LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""The languages by tag, each with its own name."""
_PLURAL_FORMS = {ENGLISH: "(n != 1)", "de": "(n != 1)"}
_MESSAGES = re.compile(r"^(?=msgid )", re.MULTILINE)
_FIELDS = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d+\])?) ("[^\n]*"(?:\n"[^\n]*")*)$', re.MULTILINE)
"""Matches a field of a message with its text: strings that are quoted as in JSON, one per line."""
_PACKAGES = ("engine", "drawing", "store", "exports", "service", "workers", "api")


def packages() -> list[str]:
    """Return all packages with texts, including games. A game in a single module has no catalogue."""
    games = dict.fromkeys(sys.modules[type(rules).__module__].__package__ for rules in registry.rulesets())
    return [*_PACKAGES, *filter(None, games)]


def locale(package: str) -> Traversable:
    """Return the folder with the catalogues of a package."""
    return resources.files(package) / "locale"


@cache
def catalogue(language: str) -> Catalogue | None:
    """Return the catalogue of one of `LANGUAGES`, loaded once; None for English, which has none."""
    if language == ENGLISH:
        return None
    files = [found for package in packages() if (found := locale(package) / f"{language}.po").is_file()]
    return merge(language, files)


@cache
def scripts(language: str) -> dict[str, str | list[str]]:
    """Return the texts of scripts in one of `LANGUAGES`, by their English texts.

    A text with a plural is found by its singular.
    """
    spoken = catalogue(language)
    if spoken is None:
        return {}
    said = dict(_messages([locale("api") / f"{language}.scripts.po"]))
    # The API returns the headings of rulebooks untranslated.
    headings = {heading for rules in registry.rulesets() for heading in rules.sections}
    return {**{heading: spoken.text(heading) for heading in headings}, **said}


def plural_form(language: str) -> str:
    """Return the rule for the plural form of a number `n`, as an expression that is valid in both C and JavaScript."""
    return _PLURAL_FORMS[language]


def merge(language: str, files: Iterable[Traversable]) -> Catalogue:
    """Merge `.po` files into one catalogue."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for english, said in _messages(files):
        if isinstance(said, str):
            texts[english] = said
        else:
            plurals[english] = tuple(said)
            # A script can use the singular without the plural, but a `.po` file has both in one message.
            texts.setdefault(english, said[0])
    return Catalogue(language, texts, plurals, c2py(plural_form(language)))


def _messages(files: Iterable[Traversable]) -> Iterator[tuple[str, str | list[str]]]:
    for file in files:
        for message in _MESSAGES.split(file.read_text("utf-8")):
            fields = {name: "".join(map(json.loads, text.split("\n"))) for name, text in _FIELDS.findall(message)}
            english, is_plural = fields.pop("msgid", ""), fields.pop("msgid_plural", None) is not None
            said = list(fields.values())
            if english and any(said):
                yield english, said if is_plural else said[0]
