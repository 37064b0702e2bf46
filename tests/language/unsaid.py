"""Find texts of a ruleset that bypass translation, with a language in which every letter is replaced.

`python -m tests.language.unsaid forbidden_desert` prints each text once, with its origin.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from driftlog.testing.play import action_attempts, playouts_of
from driftlog.testing.tables import each_choice
from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.errors import EngineError
from engine.core.language import Catalogue, say, speaking
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.play.fold import history
from engine.play.registry import ruleset
from engine.review import sections, turns
from tests.conformance.recorded import record_random_game
from tests.language.catalogues import files, renew
from tests.recorded.games import games, replay
from tests.recorded.games import read as kept
from tests.recording import Recording

NAMES = ("①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧")
"""Names of players without letters."""
_ENGLISH = re.compile(r"[A-Za-z]{2,}|'s\b")
_QUOTED = re.compile(r"'\w+'")
"""An unknown id, quoted in an error message."""
_LETTERS = (*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1))
_WIDE = {code: code - ord("A") + ord("\uff21") for code in _LETTERS}
_WORDED = frozenset(
    {"label", "title", "subtitle", "text", "state", "note", "name", "role", "top", "reading", "description"}
)
"""The members of a picture's scene that contain words."""
_PARTS = re.compile(r"(\{[^{}]*\})")


def widen(text: str) -> str:
    """Return `text` in letters used nowhere else; names in braces stay."""
    return "".join(part if part.startswith("{") else part.translate(_WIDE) for part in _PARTS.split(text))


class _Wide(Catalogue, frozen=True):
    """A language with a translation of every text in the catalogues, and of no other text."""

    def text(self, english: str) -> str:
        return widen(english) if english in self.texts else english


@cache
def wide() -> Catalogue:
    """Return the language in which every letter is replaced."""
    texts, plurals = {}, {}
    for found in files():
        for message in renew(*found):
            if isinstance(message.id, str):
                texts[message.id] = message.id
            else:
                texts[message.id[0]] = message.id[0]
                plurals[message.id[0]] = tuple(map(widen, message.id))
                texts[message.id[0]] = message.id[0]
    return _Wide("xx", texts, plurals, lambda count: int(count != 1))


def unsaid(rules: AnyRuleset, games_each: int = 1, tables: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield each place where a ruleset uses English in another language, with the text.

    Args:
        games_each: number of random games at a table.
        tables: number of the ruleset's tables to test (default: all).
    """
    with speaking(wide()):
        for where, said in _everything(rules, games_each, tables):
            if _ENGLISH.search(_QUOTED.sub("", said)):
                yield where, said


def _everything(rules: AnyRuleset, games_each: int, tables: int | None) -> Iterator[tuple[str, str]]:
    schemas = {kind.type: params_schema(kind) for kind in rules.actions}
    for table in [table for table in each_choice() if table.ruleset == rules.id][:tables]:
        names = NAMES[: table.seats]
        for prompt in rules.setup_prompts(rules.options(), names, ()):
            yield from (("setup_prompts", prompt.group), ("setup_prompts", prompt.label))
        for seed, steps in playouts_of(table, games_each):
            yield from (("describe_setup", said) for said in rules.describe_setup(steps[0][0], names))
            for state, legal in steps[:: max(1, len(steps) // 8)]:
                yield from _of_state(rules, state, names)
                yield from (("label", one.action.label(state, names)) for one in legal)
                yield from _refusal_texts(rules, state, random.Random(seed), schemas)
        yield from _narrated_texts(record_random_game(table, 0))
    for path in games(rules.id):
        recording = replay(*kept(path))
        yield from _narrated_texts(recording)
        for state in recording.states[::20]:
            if state is not None:
                yield from _of_state(rules, state, NAMES[: rules.seats(state)])


def _of_state(rules: AnyRuleset, state: State, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for label, text in rules.overview(state, names).items():
        yield from (("overview", label), ("overview", text))
    yield "headline", rules.headline(state, names)
    for viewer in (None, 0):
        yield from (("board", text) for text in _texts(msgspec.to_builtins(rules.board(state, names, viewer))))
    for fact in (fact for kind in rules.facts for fact in kind.all(state)):
        yield from (("fact", fact.sentence(names)), ("fact", fact.no_longer(names)))
    if state.outcome is None:
        yield from (("skip", skip.describe(names)) for skip in rules.skips(state))
    for seat in range(len(names)):
        for label, text in rules.role(state, seat).items():
            yield from (("role", say(label)), ("role", say(text)))


def _refusal_texts(
    rules: AnyRuleset, state: State, rng: random.Random, schemas: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    for kind, params in action_attempts(rules, state, rng, schemas):
        with suppress(EngineError):
            refusal = rules.parse(kind, params).refusal(state, rules.active(state))
            if refusal is not None:
                yield from (("heading", say(refusal.rule)), ("refusal", say(refusal.message)))


def _narrated_texts(recording: Recording) -> Iterator[tuple[str, str]]:
    game, events = recording.game, recording.events
    names = re.compile("|".join(map(re.escape, game.header.names)))
    for told in turns.narrate(game.header, events):
        if told.event.type not in lifecycle.KINDS:
            yield "narrated", names.sub("", told.sentence)
        for value in told.event.outcomes:
            yield "value", game.ruleset.value_label(value)
    played = history(events)
    found = sections.fortune(played, played.mainline)
    yield from (("luck", kind.message) for kind in found.kinds)


def _texts(document: Any) -> Iterator[str]:
    """Yield all texts in a picture."""
    if isinstance(document, dict):
        for key, value in document.items():
            if isinstance(value, str) and key in _WORDED:
                yield value
            elif not isinstance(value, str):
                yield from _texts(value)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from _texts(part)


def main() -> None:
    """Print each text once."""
    for where, said in dict.fromkeys(unsaid(ruleset(sys.argv[1]))):
        sys.stdout.write(f"{where}: {said}\n")


if __name__ == "__main__":
    main()
