"""Options and setup of a game, in a player's words."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from engine.core.documents import params_schema
from engine.kit.options import Options, in_words, option, ordinal, spell_out


class Choices(Options, frozen=True, kw_only=True):
    level: Annotated[Literal["low", "high"], option("Level", "How hard.", {"low": "Easy", "high": "Hard"})] = "low"
    teams: Annotated[Literal[0, 2], option("Teams", titles={0: "None", 2: "Two"})] = 0
    mean: Annotated[bool, option("Mean?", titles={True: "Yes", False: "No"}, is_ruling=True)] = False
    name: Annotated[str, option("Name")] = ""


SCHEMA = params_schema(Choices)


def test_option() -> None:
    properties = SCHEMA["properties"]

    assert properties["level"]["title"] == "Level"
    assert properties["level"]["description"] == "How hard."
    assert properties["teams"]["x-titles"] == {"0": "None", "2": "Two"}
    assert properties["mean"]["x-titles"] == {"true": "Yes", "false": "No"}
    assert properties["mean"]["x-ruling"] is True
    assert "x-titles" not in properties["name"]


def test_in_words__what_is_no_ruling() -> None:
    options = {"level": "high", "teams": 2, "mean": True, "name": "x"}

    assert in_words(SCHEMA, options) == {"Level": "Hard", "Teams": "Two"}


def test_in_words__of_an_older_version() -> None:
    assert in_words(SCHEMA, {"level": "unheard_of"}) == {"Level": "unheard_of"}


def test_spelled_out__rulings_too_and_what_has_no_titles() -> None:
    chosen = {"level": "high", "teams": 2, "mean": False, "name": "p2", "a_flag": True, "roles": ["p2", "x_y"]}
    # Empty members, and a page of another author
    options = chosen | {"nobody": None, "called": "", "book": {}, "pirates": [{"name": "Brack"}], "seats": []}

    assert list(spell_out(SCHEMA, options, {"p2": "Bo"})) == [
        ("Level", "Hard"),
        ("Teams", "Two"),
        ("Mean?", "No"),
        ("Name", "Bo"),
        ("a flag", "yes"),
        ("roles", "Bo, x y"),
    ]


@pytest.mark.parametrize(("number", "word"), [(1, "first"), (9, "ninth"), (12, "12th")])
def test_ordinal(number: int, word: str) -> None:
    assert ordinal(number) == word
