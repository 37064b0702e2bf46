"""The languages that Driftlog speaks: their catalogues, read from the `locale` folder of each package that says things.

A catalogue is a `.po` file of GNU gettext, one a language and package. What a game says is in that game's own folder.
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
"""By tag, each by its own name."""
_PLURAL_FORMS = {ENGLISH: "(n != 1)", "de": "(n != 1)"}
_MESSAGES = re.compile(r"^(?=msgid )", re.MULTILINE)
_FIELDS = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d+\])?) ("[^\n]*"(?:\n"[^\n]*")*)$', re.MULTILINE)
"""The fields of a message, and their texts: quoted as in JSON, one string a line."""
_PACKAGES = ("engine", "drawing", "store", "exports", "service", "workers", "api")


def packages() -> list[str]:
    """The packages that say things, games included; a game in a module without a package has no catalogue."""
    games = dict.fromkeys(sys.modules[type(rules).__module__].__package__ for rules in registry.rulesets())
    return [*_PACKAGES, *filter(None, games)]


def locale(package: str) -> Traversable:
    """The folder of the catalogues of a package."""
    return resources.files(package) / "locale"


@cache
def catalogue(language: str) -> Catalogue | None:
    """The catalogue of one of `LANGUAGES`, read once; None for English, which needs none."""
    if language == ENGLISH:
        return None
    files = [found for package in packages() if (found := locale(package) / f"{language}.po").is_file()]
    return merged(language, files)


@cache
def scripts(language: str) -> dict[str, str | list[str]]:
    """What the pages' scripts say in one of `LANGUAGES`: by the English text, or by what one of a thing is called."""
    spoken = catalogue(language)
    if spoken is None:
        return {}
    said = dict(_messages([locale("api") / f"{language}.scripts.po"]))
    # The rulebook's headings stand in answers as they are.
    headings = {heading for rules in registry.rulesets() for heading in rules.sections}
    return {**{heading: spoken.text(heading) for heading in headings}, **said}


def plural_form(language: str) -> str:
    """Which form a number takes of what so many of a thing are called: an expression of `n`, as C and as scripts."""
    return _PLURAL_FORMS[language]


def merged(language: str, files: Iterable[Traversable]) -> Catalogue:
    """All that those `.po` files have."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for english, said in _messages(files):
        if isinstance(said, str):
            texts[english] = said
        else:
            plurals[english] = tuple(said)
            # What one of a thing is called is said without a number, too; in a file both are one message.
            texts.setdefault(english, said[0])
    return Catalogue(language, texts, plurals, c2py(plural_form(language)))


def _messages(files: Iterable[Traversable]) -> Iterator[tuple[str, str | list[str]]]:
    """The translated messages of `.po` files: the English, and what is said instead or each of its forms."""
    for file in files:
        for message in _MESSAGES.split(file.read_text("utf-8")):
            fields = {name: "".join(map(json.loads, text.split("\n"))) for name, text in _FIELDS.findall(message)}
            english, is_plural = fields.pop("msgid", ""), fields.pop("msgid_plural", None) is not None
            said = list(fields.values())
            if english and any(said):
                yield english, said if is_plural else said[0]
