"""The actions that a handwritten line may mean, with the words for them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError
from engine.core.language import Catalogue, speaking
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.actions import Action
from exports.notation.language import Language
from exports.notation.lexicon import Phrase, Words, phrase, tokens_of
from exports.notation.spelling import alternatives, resolve_reference
from exports.notation.words import Names

_MOST_COMBINATIONS = 400
"""The maximum number of combinations of params that are tried for illegal actions of one type."""
_ORDER = 0.002
"""The decrease in score per position of an action's type in the rulebook's order."""


class Candidate(msgspec.Struct, frozen=True):
    """A possible action."""

    action: Action[Any]
    seat: int
    verb: Words
    label: Words
    """The other words on the action's button."""
    values: tuple[tuple[Phrase, ...], ...]
    """The names of each of the action's values."""
    order: float
    is_legal: bool = True
    own: tuple[Phrase, ...] | None = None
    """The names of the acting seat, if it is a value."""

    key: tuple[str, bytes] = ("", b"")
    """The type and params, to recognize equal actions."""

    @property
    def type(self) -> str:
        """The type of the action."""
        return self.action.type

    def is_legal_at(self, state: State) -> bool:
        """Return True if the action is legal in a state."""
        return self.action.refusal(state, self.seat) is None


class Vocabulary:
    """The names of a ruleset's values and actions, in every known language."""

    def __init__(self, language: Language, catalogues: Sequence[Catalogue | None]) -> None:
        self.language = language
        self.ruleset = language.ruleset
        self._catalogues = (None, *catalogues)
        self._values: dict[Any, tuple[Phrase, ...]] = {}
        self._verbs: dict[str, Words] = {}
        self.ids = tuple(language.ruleset.words())
        """Every possible value of params, facts and results."""

    def value(self, value: Any) -> tuple[Phrase, ...]:
        """Return the names of a value."""
        if value not in self._values:
            names = [str(value).replace("_", " ")]
            for catalogue in self._catalogues:
                with speaking(catalogue):
                    names.append(self.ruleset.value_label(value) if not isinstance(value, bool) else names[0])
            self._values[value] = tuple(dict.fromkeys(map(phrase, names)))
        return self._values[value]

    def at_table(self, value: Any, names: Names) -> tuple[Phrase, ...]:
        """Return the names of a value. For a seat, include the name of its player."""
        seat = SEAT_INDEX.get(value) if isinstance(value, str) else None
        if seat is None or seat >= len(names.names):
            return self.value(value)
        return (*self.value(value), phrase(names.names[seat]))

    def verb(self, type_: str) -> Words:
        """Return the words for a type of action."""
        if type_ not in self._verbs:
            kind = self.ruleset.kind(type_)
            assert kind is not None
            words = list(tokens_of(type_.replace("_", " ")))
            for catalogue in self._catalogues:
                words += tokens_of(catalogue.text(kind.english_title()) if catalogue else kind.english_title())
            self._verbs[type_] = tuple(dict.fromkeys(words))
        return self._verbs[type_]

    def label(self, action: Action[Any], state: State, names: Sequence[str]) -> Words:
        """Return the words on an action's button."""
        found: list[str] = []
        for catalogue in self._catalogues:
            with speaking(catalogue):
                found += tokens_of(action.label(state, names))
        return tuple(dict.fromkeys(found))


class Candidates:
    """The candidates for one ruleset and its players. Data that does not depend on the state is computed once."""

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self.vocabulary = vocabulary
        self._names = names
        self._known: dict[tuple[int, str, bytes], Candidate] = {}
        self._every: dict[int, list[Candidate]] = {}
        self._phrases: dict[Any, tuple[Phrase, ...]] = {}

    def legal(self, action: Action[Any], seat: int, state: State) -> Candidate:
        """Return a legal action as a candidate, with the words on its button in `state`."""
        one = self._candidate(action, seat)
        named = {word for names in one.values for name in names for word in name.words}
        label = self.vocabulary.label(action, state, self._names.names)
        label = tuple(word for word in label if word not in one.verb and word not in named)
        return msgspec.structs.replace(one, label=label, is_legal=True)

    def every(self, seat: int) -> list[Candidate]:
        """Return the actions that a seat may take in any state. Omit types with too many combinations of params."""
        if seat not in self._every:
            found = []
            for kind in self.vocabulary.ruleset.actions:
                for params in self._combinations(kind.type):
                    try:
                        action = self.vocabulary.ruleset.parse(kind.type, params)
                    except EngineError:
                        continue
                    found.append(self._candidate(action, seat))
            self._every[seat] = found
        return self._every[seat]

    def phrases_of(self, value: Any) -> tuple[Phrase, ...]:
        """Return the names of a value at this table."""
        if value not in self._phrases:
            self._phrases[value] = self.vocabulary.at_table(value, self._names)
        return self._phrases[value]

    def _candidate(self, action: Action[Any], seat: int) -> Candidate:
        same = seat, action.type, msgspec.json.encode(action)
        if same not in self._known:
            params = msgspec.to_builtins(action)
            parts = [one for one in flat(params) if one is not None and one is not False]
            values = tuple(map(self.phrases_of, parts))
            own = values[parts.index(SEAT_IDS[seat])] if SEAT_IDS[seat] in parts else None
            verb = self.vocabulary.verb(action.type)
            order = _ORDER * [kind.type for kind in self.vocabulary.ruleset.actions].index(action.type)
            self._known[same] = Candidate(
                action, seat, verb, (), values, order, is_legal=False, own=own, key=(action.type, same[2])
            )
        return self._known[same]

    def _combinations(self, type_: str) -> Iterator[dict[str, Any]]:
        verb = self.vocabulary.language.verbs[type_]
        lists = []
        for name in verb.required_params:
            schema = resolve_reference(verb.fields[name], verb.schema)
            values = [one for option in alternatives(schema, verb.schema)[0] for one in option.get("enum", ())]
            if schema.get("type") == "array":
                items = alternatives(resolve_reference(schema.get("items", {}), verb.schema), verb.schema)[0]
                values = [[one] for option in items for one in option.get("enum", ())]
            elif {"minimum", "maximum"} <= schema.keys():
                values = list(range(schema["minimum"], schema["maximum"] + 1))[:_MOST_COMBINATIONS]
            seats = len(self._names.names)
            lists.append([one for one in values if not isinstance(one, str) or SEAT_INDEX.get(one, 0) < seats])
        if math.prod(map(len, lists)) <= _MOST_COMBINATIONS:
            for combination in itertools.product(*lists):
                yield dict(zip(verb.required_params, combination, strict=True))


def flat(value: Any) -> Iterator[Any]:
    """Yield the values in the params of an action."""
    if isinstance(value, dict):
        for one in value.values():
            yield from flat(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from flat(one)
    else:
        yield value
