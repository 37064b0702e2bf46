"""The catalogues: each contains exactly the used texts, all translated, without contradictions between catalogues."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from tests.language.catalogues import ROOT, files, renew, text_of

CATALOGUES = [pytest.param(*found, id=str(found[0].relative_to(ROOT))) for found in files()]
_NAMES = re.compile(r"\{(\w+)[^}]*\}")
TO_RENEW = "python -m tests.language.catalogues"


@pytest.mark.parametrize(("file", "language", "source"), CATALOGUES)
def test_a_catalogue_has_what_is_said_and_nothing_else(file: Path, language: str, source: str) -> None:
    assert file.read_text() == text_of(renew(file, language, source)), f"made anew by: {TO_RENEW}"


@pytest.mark.parametrize(("file", "language", "source"), CATALOGUES)
def test_everything_is_translated(file: Path, language: str, source: str) -> None:
    catalog = renew(file, language, source)
    assert [message.id for message in catalog if message.id and not all(forms(message))] == []


@pytest.mark.parametrize(("file", "language", "source"), CATALOGUES)
def test_what_stands_in_braces_stays(file: Path, language: str, source: str) -> None:
    for message in renew(file, language, source):
        if message.id:
            names = set(_NAMES.findall(english_text(message)))
            assert [form for form in forms(message) if set(_NAMES.findall(form)) != names] == []


def test_catalogues_do_not_contradict_each_other() -> None:
    """All catalogues are read as one."""
    said: dict[tuple[str, bool, str], set[tuple[str, ...]]] = {}
    for file, language, source in files():
        for message in renew(file, language, source):
            if message.id and "scripts" not in file.name:
                what = language, bool(message.pluralizable), english_text(message)
                said.setdefault(what, set()).add(tuple(forms(message)))
    assert {english: forms for english, forms in said.items() if len(forms) > 1} == {}


def forms(message: Message) -> list[str]:
    """Return the translation in each form."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def english_text(message: Message) -> str:
    """Return the text, or its singular."""
    return message.id if isinstance(message.id, str) else message.id[0]
