"""Compare handwritten words with the possible actions at a table, by labels and names."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import EngineError
from engine.core.values import State, Value
from engine.kit.kernel import LegalAction
from engine.play import offers
from engine.play.beliefs.belief import likeliest
from engine.play.game import Game
from exports.notation import language
from exports.notation.candidates import Candidate, Candidates, Vocabulary
from exports.notation.handwriting import take_apart
from exports.notation.lexicon import GOOD, Phrase, Words, best_mention, likeness, weight
from exports.notation.words import Names

ILLEGAL = 0.85
"""The factor for the score of an illegal action."""
_LABEL = 0.7
"""The weight of a word on the action's button, relative to a word of the action's name."""
_MOST_NEAR = 3
"""The maximum number of results that are offered if the words name none clearly."""
_SHARE = 0.6
"""The minimum fraction of the words that an offered result must explain."""
LEAST_DRAWN = 0.5
"""The minimum score at which a mentioned result counts as the result of the action."""


class Match(msgspec.Struct, frozen=True):
    """A candidate that matches some words, with its score."""

    candidate: Candidate
    score: float
    mentioned: int = 0
    """The number of values of the candidate that occur in the words."""
    has_verb: bool = False
    drawn: Value | None = None
    """The result that occurs in the words."""


def find_matches(game: Game, text: str) -> list[Match]:
    """Return the actions, legal or not, that a line may mean at a game's table, best first."""
    names = Names(game.names)
    line = take_apart(text, names)
    words = tuple(word for segment in line.segments for word in segment.words)
    if not words or game.state is None:
        return []
    table = ActionMatcher(Candidates(Vocabulary(language.of(game.ruleset), ()), names), game.state)
    return table.matches(words, line.actor, None, None)


class ActionMatcher:
    """The actions possible at a table."""

    def __init__(self, candidates: Candidates, state: State) -> None:
        self._candidates = candidates
        self._vocabulary = candidates.vocabulary
        self._ruleset = candidates.vocabulary.ruleset
        self.state = state
        self.likely: State = likeliest(state)
        self._illegal: dict[int, list[Candidate]] = {}
        self._points: dict[tuple[str, int], tuple[Value, ...]] = {}

    @functools.cached_property
    def legal(self) -> list[Candidate]:
        """The actions that are legal at a possible table."""
        found = offers.possible_actions(self._ruleset, self.state)
        return [self._candidates.legal(one.action, one.seat, self.likely) for one in found]

    @property
    def active(self) -> int:
        """The active seat."""
        return self._ruleset.active(self.likely)

    def matches(self, words: Words, seat: int | None, current: int | None, verb: str | None) -> list[Match]:
        """Return the possible meanings of some words, best first.

        Args:
            seat: the named seat.
            current: the seat that acted last, if no seat is named.
            verb: the type of the previous action; a value without a verb stands for another such action.
        """
        effort.spend(1 + len(self.legal) // 10)
        found = [self._match(one, words, verb) for one in self.legal if seat in {None, one.seat}]
        best = max((one.score for one in found), default=0.0)
        if best < ILLEGAL:
            doer = seat if seat is not None else self.active
            found += [self._match(one, words, verb) for one in self._illegal_candidates(doer)]
        first = current if current is not None else self.active
        found.sort(key=lambda one: (-one.score, one.candidate.seat != first))
        seen: set[tuple[str, bytes]] = set()
        kept = []
        for one in found:
            if one.score > 0.0 and one.candidate.key not in seen:
                seen.add(one.candidate.key)
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
        """Return True if words after an action name one of its possible results."""
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
        """Return the possible results that words after an action may name, best first.

        Use this if no single result fits.
        """
        rest = tuple(word for word in words if weight(word) >= 1.0 and _match_word(word, candidate.verb) < GOOD)
        rated = self._rate_options(rest, self.options(candidate)) if rest else []
        least = max(LEAST_DRAWN, _SHARE * len(rest))
        return [value for _, explained, value in rated[:_MOST_NEAR] if sum(explained) >= least]

    def _rate_options(self, words: Words, options: Sequence[Value]) -> list[tuple[float, tuple[float, ...], Value]]:
        rated = [(*best_mention(words, self._phrases_of(one)), one) for one in options]
        return sorted(rated, key=lambda one: (-sum(one[1]), -one[0]))

    def _phrases_of(self, value: Any) -> tuple[Phrase, ...]:
        return self._candidates.phrases_of(value)

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

    def _illegal_candidates(self, seat: int) -> list[Candidate]:
        """Return illegal actions that a seat may have taken."""
        if self.state.outcome is not None:
            return []
        if seat not in self._illegal:
            known = {one.key for one in self.legal if one.seat == seat}
            self._illegal[seat] = [one for one in self._candidates.every(seat) if one.key not in known]
        return self._illegal[seat]


@functools.lru_cache(maxsize=50_000)
def _match_word(word: str, known: Words) -> float:
    """Return a score, from 0 to 1, of how well a word matches the best of `known`.

    A word with little meaning must match exactly.
    """
    return max((likeness(word, one) for one in known if word == one or weight(one) >= 1.0), default=0.0)


@functools.lru_cache(maxsize=5_000)
def _rate_words(words: Words, verb: Words, label: Words) -> tuple[tuple[float, ...], float]:
    """Return two scores: how well an action's verb and label explain each word, and how well the words name the action.

    Cached, because many actions have the same verb.
    """
    explained = tuple(max(_match_word(word, verb), _LABEL * _match_word(word, label)) for word in words)
    rated = [(weight(word), found) for word, found in zip(words, explained, strict=True)]
    hit = max((found for share, found in rated if share >= 1.0), default=0.0)
    if any(share < 1.0 and found >= _LABEL for share, found in rated):
        hit = max(hit, 0.5)
    return explained, hit if hit >= 0.5 else 0.0
