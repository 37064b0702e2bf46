"""Match handwritten words: inflected, abbreviated, misspelled, or in another language."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from importlib.resources import files

import msgspec

from exports.notation.words import key

Words = tuple[str, ...]


class _Lists(msgspec.Struct):
    """The word lists in `lexicon.json`, in English and German. The words of a list are separated by spaces."""

    fillers: str
    """Words without meaning of their own."""
    faint: str
    """Words with little meaning."""
    same: dict[str, str]
    """The standard word for each irregular form, and for each common verb with the same meaning."""


_LISTS = msgspec.json.decode(files("exports.notation").joinpath("lexicon.json").read_bytes(), type=_Lists)
_FILLERS, _FAINT = frozenset(_LISTS.fillers.split()), frozenset(_LISTS.faint.split())
_SAME = {form: word for word, forms in _LISTS.same.items() for form in forms.split()}
_ENDINGS = ("ing", "ied", "ies", "ed", "es", "en", "et", "st", "s", "t", "e", "d")
_SHORTEST_STEM = 3
_LONG = 8
"""The minimum number of letters of a name that may have a misplaced space."""
GOOD = 0.7
"""The minimum similarity of two words that match."""


class Phrase(msgspec.Struct, frozen=True, cache_hash=True):
    """A name, split into words."""

    words: Words
    initials: str
    spelled: str
    """The name without spaces."""


@functools.lru_cache(maxsize=20_000)
def tokens_of(text: str) -> Words:
    """Return the normalized words of a text, without fillers."""
    plain = unicodedata.normalize("NFKD", text)
    words = key("".join(one for one in plain if not unicodedata.combining(one))).split()
    return tuple(word for word in words if word not in _FILLERS)


@functools.lru_cache(maxsize=20_000)
def phrase(text: str) -> Phrase:
    """Return a name as a phrase."""
    every = key(text).split()
    words = tokens_of(text) or tuple(every)
    return Phrase(words, "".join(word[0] for word in every), "".join(every))


def weight(token: str) -> float:
    """Return the weight of a word in a score; common words have less weight."""
    return 0.3 if token in _FAINT else 1.0


@functools.lru_cache(maxsize=200_000)
def likeness(token: str, word: str) -> float:
    """Return the probability that a written word means another, from 0 to 1."""
    if token == word:
        return 1.0
    if _stem(token) == _stem(word):
        return 0.95
    if word.startswith(token):
        return 0.9 if len(token) > 2 else (0.5, 0.75)[len(token) - 1] if token.isalpha() else 0.0
    if token.startswith(word) and len(word) > 3:
        return 0.8
    if len(token) > 3 and abs(len(token) - len(word)) < 3:
        from rapidfuzz.distance import OSA

        distance = OSA.distance(token, word, score_cutoff=2)
        if distance == 1 or (distance == 2 and len(token) > 5):
            return 0.9 - 0.06 * distance
    if len(token) > 1 and token[0] == word[0] and token.isalpha() and _is_within(token, word):
        return 0.72 if len(token) > 2 else 0.55
    return 0.0


@functools.lru_cache(maxsize=50_000)
def mention(tokens: Words, name: Phrase) -> tuple[float, tuple[float, ...]]:
    """Return the share of a name that occurs among `tokens`, and how well the name explains each token."""
    explained = [0.0] * len(tokens)
    total = 0.0
    for word in name.words:
        best = 0.0
        for index, token in enumerate(tokens):
            alike = likeness(token, word)
            if alike >= (GOOD if len(name.words) > 1 else 0.5):
                explained[index] = max(explained[index], alike)
                best = max(best, alike)
        total += best
    for index, token in enumerate(tokens):
        if (len(token) > 1 and token == name.initials) or (len(token) > 3 and token == name.spelled):
            explained[index], total = 0.95, 0.95 * len(name.words)
    for first, last in _misspaced_ranges(tokens, name):
        explained[first:last] = [max(0.9, one) for one in explained[first:last]]
        total = max(total, 0.9 * len(name.words))
    strength = total / max(len(name.words), 1)
    numbers = [word for word in name.words if word.isdecimal()]
    if len(numbers) > 1 and strength > GOOD and [one for one in tokens if one in numbers] != numbers:
        # Order matters: 'row 2, column 3' is not 'row 3, column 2'.
        return strength / 2, tuple(found / 2 for found in explained)
    return strength, tuple(explained)


@functools.lru_cache(maxsize=50_000)
def best_mention(tokens: Words, names: tuple[Phrase, ...]) -> tuple[float, tuple[float, ...]]:
    """Return `mention` for the name that the tokens match best."""
    return max(
        (mention(tokens, name) for name in names),
        default=(0.0, (0.0,) * len(tokens)),
        key=lambda one: (sum(one[1]), one[0]),
    )


def _misspaced_ranges(tokens: Words, name: Phrase) -> Iterator[tuple[int, int]]:
    """Yield the ranges of tokens that are a name with a space at the wrong place: 'Cave ofS hadows'."""
    from rapidfuzz.distance import OSA

    for count in range(2, min(len(tokens), len(name.words) + 2) + 1):
        for first in range(len(tokens) - count + 1):
            whole = "".join(tokens[first : first + count])
            for target in {name.spelled, "".join(name.words)}:
                is_alike = len(target) >= _LONG and whole[0] == target[0] and abs(len(whole) - len(target)) <= 1
                if is_alike and OSA.distance(whole, target, score_cutoff=1) <= 1:
                    yield first, first + count


@functools.lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    word = _SAME.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _is_within(short: str, word: str) -> bool:
    """Return True if `short` is `word` with letters left out."""
    rest = iter(word)
    return all(one in rest for one in short)
