"""Match handwritten words with the possible actions at a table, by labels and names."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import EngineError
from engine.core.language import Catalogue, speaking
from engine.core.values import SEAT_IDS, SEAT_INDEX, State, Value
from engine.kit.actions import Action
from engine.kit.kernel import LegalAction
from engine.play import offers
from engine.play.beliefs.belief import likeliest
from engine.play.game import Game
from exports.notation import language
from exports.notation.handwriting import take_apart
from exports.notation.language import Language
from exports.notation.lexicon import GOOD, Phrase, Words, best_mention, likeness, phrase, tokens_of, weight
from exports.notation.spelling import alternatives, resolve_reference
from exports.notation.words import Names

MOST_ILLEGAL = 400
"""The maximum number of combinations of params tried for illegal actions of one type."""
ILLEGAL = 0.85
"""The factor for the score of an illegal action."""
_LABEL = 0.8
"""The weight of a word of a button, relative to a word of the action's name."""
_ORDER = 0.002
"""The decrease in score for each later type of action in the rulebook's order."""
_MOST_NEAR = 2
"""The maximum number of results to offer for words that name no result clearly."""
LEAST_DRAWN = 0.5
"""The minimum score of a mention to be taken as the action's result."""


class Candidate(msgspec.Struct, frozen=True):
    """A possible action."""

    action: Action[Any]
    seat: int
    verb: Words
    label: Words
    """The other words of its button."""
    values: tuple[tuple[Phrase, ...], ...]
    """The names of each of the action's values."""
    order: float
    is_legal: bool = True
    own: tuple[Phrase, ...] | None = None
    """The names of the acting seat, if it is a value."""

    @property
    def type(self) -> str:
        """The type of the action."""
        return self.action.type

    def is_legal_at(self, state: State) -> bool:
        """Return True if the action is legal in a state."""
        return self.action.refusal(state, self.seat) is None


class Match(msgspec.Struct, frozen=True):
    """A candidate that matches some words, with its score."""

    candidate: Candidate
    score: float
    mentioned: int = 0
    """The number of the candidate's values that occur in the words."""
    has_verb: bool = False
    drawn: Value | None = None
    """The result that occurs in the words."""


class Vocabulary:
    """The names of a ruleset's values and actions, in every known language."""

    def __init__(self, language: Language, catalogues: Sequence[Catalogue | None]) -> None:
        self.language = language
        self.ruleset = language.ruleset
        self._catalogues = (None, *catalogues)
        self._values: dict[Any, tuple[Phrase, ...]] = {}
        self._verbs: dict[str, Words] = {}
        self.ids = tuple(language.ruleset.words())
        """Every possible value of a param, a fact or a result."""

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
        """Return the names of a value; for a seat, include the player's name."""
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
        """Return the words of an action's button."""
        found: list[str] = []
        for catalogue in self._catalogues:
            with speaking(catalogue):
                found += tokens_of(action.label(state, names))
        return tuple(dict.fromkeys(found))


def find_matches(game: Game, text: str) -> list[Match]:
    """Return the actions, legal or not, that a line may mean at a game's table, best first."""
    names = Names(game.names)
    line = take_apart(text, names)
    words = tuple(word for segment in line.segments for word in segment.words)
    if not words or game.state is None:
        return []
    table = ActionMatcher(Vocabulary(language.of(game.ruleset), ()), names, game.state)
    return table.matches(words, line.actor, None, None)


class ActionMatcher:
    """The actions possible at a table."""

    def __init__(self, vocabulary: Vocabulary, names: Names, state: State) -> None:
        self._vocabulary = vocabulary
        self._ruleset = vocabulary.ruleset
        self._names = names
        self.state = state
        self.likely: State = likeliest(state)
        self._illegal: dict[int, list[Candidate]] = {}
        self._points: dict[tuple[str, int], tuple[Value, ...]] = {}

    @functools.cached_property
    def legal(self) -> list[Candidate]:
        """The actions that are legal at a possible table."""
        found: list[Candidate] = []
        for offer in offers.offers(self._ruleset, self.state) if self.state.outcome is None else ():
            action, seat = offer.legal.action, offer.legal.seat
            label = self._vocabulary.label(action, self.likely, self._names.names)
            found.append(self._candidate(action, seat, label))
        return found

    @property
    def active(self) -> int:
        """The active seat."""
        return self._ruleset.active(self.likely)

    def matches(self, words: Words, seat: int | None, current: int | None, verb: str | None) -> list[Match]:
        """Return the possible meanings of some words, best first.

        Args:
            seat: the named seat.
            current: the seat that acted last, if no seat is named.
            verb: the type of the previous action; a value without a verb repeats that action.
        """
        effort.spend(1 + len(self.legal) // 10)
        found = [self._match(one, words, verb) for one in self.legal if seat in {None, one.seat}]
        best = max((one.score for one in found), default=0.0)
        if best < ILLEGAL:
            doer = seat if seat is not None else self.active
            found += [self._match(one, words, verb) for one in self._forbidden(doer)]
        first = current if current is not None else self.active
        found.sort(key=lambda one: (-one.score, one.candidate.seat != first))
        seen: set[tuple[str, bytes]] = set()
        kept = []
        for one in found:
            same = one.candidate.type, msgspec.json.encode(one.candidate.action)
            if one.score > 0.0 and same not in seen:
                seen.add(same)
                kept.append(one)
            if len(kept) == 6:
                break
        return kept

    def options(self, candidate: Candidate) -> tuple[Value, ...]:
        """Return the possible results of an action; for an illegal action, return all values."""
        if not candidate.is_legal:
            return self._vocabulary.ids
        same = candidate.type, candidate.seat
        if same not in self._points:
            try:
                point = offers.point(self._ruleset, self.state, LegalAction(candidate.action, candidate.seat))
            except EngineError:
                point = None
            self._points[same] = tuple(dict.fromkeys(point.options)) if point is not None else ()
        return self._points[same]

    def has_result(self, candidate: Candidate, words: Words) -> bool:
        """Return True if some words after an action name a result of it."""
        return candidate.action.asks_chance and self._match(candidate, words, candidate.type).drawn is not None

    def find_result(self, words: Words, options: Sequence[Value]) -> tuple[Value | None, float]:
        """Return the result that some words name, and its score.

        Return None if no result matches, or several match equally well.
        """
        rated = self._rate_options(words, options)
        if not rated or sum(rated[0][1]) < LEAST_DRAWN:
            return None, 0.0
        strength, explained, value = rated[0]
        is_tied = len(rated) > 1 and (sum(rated[1][1]), rated[1][0]) == (sum(explained), strength)
        return (None, 0.0) if is_tied else (value, sum(explained) / max(len(words), 1))

    def nearest(self, candidate: Candidate, words: Words) -> list[Value]:
        """Return the results that some words after an action may name, best first, if no result fits alone."""
        rest = tuple(word for word in words if weight(word) == 1.0 and _match_word(word, candidate.verb) < GOOD)
        rated = self._rate_options(rest, self.options(candidate)) if rest else []
        return [value for _, explained, value in rated[:_MOST_NEAR] if sum(explained) >= LEAST_DRAWN]

    def _rate_options(self, words: Words, options: Sequence[Value]) -> list[tuple[float, tuple[float, ...], Value]]:
        rated = [(*best_mention(words, self._phrases_of(one)), one) for one in options]
        return sorted(rated, key=lambda one: (-sum(one[1]), -one[0]))

    def _phrases_of(self, value: Any) -> tuple[Phrase, ...]:
        return self._vocabulary.at_table(value, self._names)

    def _match(self, one: Candidate, words: Words, verb: str | None) -> Match:
        explained, hit = _rate_words(words, one.verb, one.label)
        hit = max(hit, 0.9 if verb == one.type else 0.0)
        mentions = []
        for names in one.values:
            strength, better = best_mention(words, names)
            # If no player is named, the acting player is meant.
            mentions.append(max(strength, 0.4 if names is one.own else 0.0))
            explained = tuple(map(max, explained, better))
        drawn = None
        if one.action.asks_chance and (hit or (one.is_legal and len(words) < 4)):
            rest = tuple(word for word, found in zip(words, explained, strict=True) if found < GOOD)
            drawn, strength = self.find_result(rest, self.options(one)) if rest else (None, 0.0)
            if drawn is not None:
                explained = tuple(found if found >= GOOD else max(found, strength) for found in explained)
        if words and not any(explained):
            return Match(one, 0.0, drawn=drawn)
        total = sum(map(weight, words))
        coverage = (
            sum(weight(word) * found for word, found in zip(words, explained, strict=True)) / total if total else 1.0
        )
        need = (
            sum(0.6 + 0.4 * found if found >= 0.3 else 0.0 for found in mentions) / len(mentions) if mentions else 1.0
        )
        score = coverage * (0.5 + 0.25 * hit + 0.25 * need) * (1.0 if one.is_legal else ILLEGAL) - one.order
        return Match(one, score, sum(found >= 0.5 for found in mentions), hit > 0.0, drawn)

    def _candidate(self, action: Action[Any], seat: int, label: Words = (), *, is_legal: bool = True) -> Candidate:
        params = msgspec.to_builtins(action)
        parts = [one for one in flat(params) if one is not None and one is not False]
        values = tuple(map(self._phrases_of, parts))
        own = values[parts.index(SEAT_IDS[seat])] if SEAT_IDS[seat] in parts else None
        named = {word for names in values for name in names for word in name.words}
        verb = self._vocabulary.verb(action.type)
        label = tuple(one for one in label if one not in verb and (one not in named or not values))
        order = _ORDER * [kind.type for kind in self._ruleset.actions].index(action.type)
        return Candidate(action, seat, verb, label, values, order, is_legal, own)

    def _forbidden(self, seat: int) -> list[Candidate]:
        """Return illegal actions that a seat may have taken, of types with at most two params with listed values."""
        if seat in self._illegal or self.state.outcome is not None:
            return self._illegal.get(seat, [])
        known = {(one.type, msgspec.json.encode(one.action)) for one in self.legal if one.seat == seat}
        found = []
        for kind in self._ruleset.actions:
            for params in self._combinations(kind.type):
                try:
                    action = self._ruleset.parse(kind.type, params)
                except EngineError:
                    continue
                if (kind.type, msgspec.json.encode(action)) not in known:
                    found.append(self._candidate(action, seat, is_legal=False))
        self._illegal[seat] = found
        return found

    def _combinations(self, type_: str) -> Iterator[dict[str, Any]]:
        verb = self._vocabulary.language.verbs[type_]
        lists = []
        for name in verb.required:
            schema = resolve_reference(verb.fields[name], verb.schema)
            values = [one for option in alternatives(schema, verb.schema)[0] for one in option.get("enum", ())]
            if schema.get("type") == "array":
                items = alternatives(resolve_reference(schema.get("items", {}), verb.schema), verb.schema)[0]
                values = [[one] for option in items for one in option.get("enum", ())]
            seats = len(self._names.names)
            lists.append([one for one in values if not isinstance(one, str) or SEAT_INDEX.get(one, 0) < seats])
        if math.prod(map(len, lists)) <= MOST_ILLEGAL:
            for combination in itertools.product(*lists):
                yield dict(zip(verb.required, combination, strict=True))


@functools.lru_cache(maxsize=50_000)
def _match_word(word: str, known: Words) -> float:
    """Return how well a word matches the best of the `known` words. A word with little meaning must match exactly."""
    return max((likeness(word, one) for one in known if word == one or weight(one) == 1.0), default=0.0)


@functools.lru_cache(maxsize=5_000)
def _rate_words(words: Words, verb: Words, label: Words) -> tuple[tuple[float, ...], float]:
    """Return how well the verb and label of an action explain each word, and how well the words name the action.

    Cached, because many actions have the same verb.
    """
    explained = tuple(max(_match_word(word, verb), _LABEL * _match_word(word, label)) for word in words)
    rated = [(weight(word), found) for word, found in zip(words, explained, strict=True)]
    hit = max((found for share, found in rated if share == 1.0), default=0.0)
    if any(share < 1.0 and found >= _LABEL for share, found in rated):
        hit = max(hit, 0.5)
    return explained, hit if hit >= 0.5 else 0.0


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
