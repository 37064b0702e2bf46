"""Laws: the declarations of a ruleset are complete, and usable by people and programs."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from driftlog.testing.law import Sample, law
from engine.core.canonical import canonical
from engine.core.documents import params_schema
from engine.core.values import SEAT_IDS
from engine.kit.checks import faults
from engine.kit.columns import AnyColumn, AnySeatColumn, Cell
from engine.play import registry

SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SENTENCE_ENDS = (".", "!")


@law("The ruleset passes the checks that run when it is loaded, and its id finds it.")
def can_be_found(sample: Sample) -> None:
    rules = sample.rules
    broken = list(faults(rules))
    assert broken == [], f"{'; '.join(broken)}."
    assert registry.ruleset(rules.id) is registry.ruleset(rules.id, rules.version) is rules


@law("Every option has a default that fits.")
def options_have_defaults(sample: Sample) -> None:
    rules = sample.rules
    schema = params_schema(rules.options)
    options = rules.parse_options({}, rules.players[0])
    defaults = {name: part["default"] for name, part in schema["properties"].items()}
    assert canonical(options) == canonical(defaults), (
        f"the default options are {options}, but the schema has the defaults {defaults}."
    )


@law("Every kind of action is declared once, under a heading of the rulebook, with a summary.")
def actions_are_declared(sample: Sample) -> None:
    rules = sample.rules
    types = [kind.type for kind in rules.actions]
    assert len(types) == len(set(types)), f"two kinds have the same type: {types}."
    for kind in rules.actions:
        assert SNAKE.fullmatch(kind.type), f"the type {kind.type!r} is not in snake case."
        assert kind.rule in rules.sections, f"the rule of {kind.type}, {kind.rule!r}, is not in `sections`."
        described = rules.describe_action_type(kind)
        assert described["summary"].endswith(SENTENCE_ENDS), (
            f"the docstring of {kind.type} does not begin with a sentence."
        )
        assert described["params"]["additionalProperties"] is False


@law("Every ending has a full sentence.")
def endings_have_sentences(sample: Sample) -> None:
    assert sample.rules.endings or not sample.is_full, "no ending is declared."
    for reason, sentence in sample.rules.endings.items():
        assert SNAKE.fullmatch(reason), f"the reason {reason!r} is not in snake case."
        assert sentence.endswith(SENTENCE_ENDS), f"{sentence!r} is not a sentence."


@law("The declaration is JSON.")
def is_json(sample: Sample) -> None:
    rules = sample.rules
    declared: dict[str, Any] = {
        "components": rules.components,
        "options": params_schema(rules.options),
        "actions": [rules.describe_action_type(kind) for kind in rules.actions],
    }
    assert msgspec.json.decode(msgspec.json.encode(declared)) == declared, (
        "it changes when it is written as JSON and read again."
    )


@law("Every value that a form offers has a name that players would use.")
def values_have_words(sample: Sample) -> None:
    words = sample.rules.words()
    assert not words.keys() & set(SEAT_IDS), "a seat is among the words."
    for id_, word in words.items():
        spaced = id_.replace("_", " ")
        # A name has capitals. Any other text of several words that equals its id was derived, not declared.
        is_name = word[:1].isupper() or all(part[0].isupper() for part in word.split() if len(part) > 3)
        assert "_" not in word, f"{id_!r} is called {word!r}."
        assert word == word.strip() != "", f"{id_!r} is called {word!r}."
        assert word.casefold() != spaced or " " not in spaced or is_name, f"{id_!r} is called {word!r}."
        assert not re.search(r"[a-z][0-9]", word), f"{id_!r} is called {word!r}."


@law("Every phase of a game is declared, with a name that players would use.")
def phases_are_declared(sample: Sample) -> None:
    met = {state.phase for _, steps in sample.games for state, _ in steps if state.outcome is None}
    assert met <= sample.rules.phases.keys(), f"`phases` lacks {sorted(met - sample.rules.phases.keys())}."
    for phase, said in sample.rules.phases.items():
        assert "_" not in said, f"the phase {phase!r} is called {said!r}."


@law("Every column has values of its declared type.")
def columns_hold_their_type(sample: Sample) -> None:
    rules = sample.rules
    declared: tuple[AnyColumn | AnySeatColumn, ...] = (*rules.columns, *rules.seat_columns)
    for column in declared:
        assert SNAKE.fullmatch(column.name), f"the column {column.name!r} is not in snake case."
        assert re.fullmatch(r"\S.*\S\.", column.description), (
            f"{column.name}: {column.description!r} is not a sentence."
        )
    for state, _ in sample.steps:
        seats = range(rules.seats(state))
        cells: list[tuple[AnyColumn | AnySeatColumn, Cell]] = [(one, one.value(state)) for one in rules.columns]
        cells += [(one, one.value(state, seat)) for one in rules.seat_columns for seat in seats]
        for column, cell in cells:
            assert cell is None or type(cell) is column.kind, f"{column.name} is {cell!r}, not {column.kind.__name__}."
