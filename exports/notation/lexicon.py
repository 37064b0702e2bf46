"""Compare handwritten words that may be inflected, abbreviated, misspelled, or in another language."""

from __future__ import annotations

import functools
import itertools
import re
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
    beginning: str
    """Words of a line about when the game begins, or who begins."""
    same: dict[str, str]
    """For each standard word: its irregular forms, and common verbs with the same meaning."""


_LISTS = msgspec.json.decode(files("exports.notation").joinpath("lexicon.json").read_bytes(), type=_Lists)
_FILLERS, _FAINT = frozenset(_LISTS.fillers.split()), frozenset(_LISTS.faint.split())
BEGINNING = frozenset(_LISTS.beginning.split())
"""Words of a line about when the game begins, or who begins."""
_SAME: dict[str, list[str]] = {}
for _word, _forms in _LISTS.same.items():
    for _form in _forms.split():
        _SAME.setdefault(_form, []).append(_word)
_LONG_FORMS = [form for form in _SAME if len(form) > 4]
_ENDINGS = ("ing", "ied", "ies", "ed", "es", "en", "et", "st", "s", "t", "e", "d")
_DIGITS = re.compile(r"\d+")
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
    return Phrase(words, "".join(word if word.isdecimal() else word[0] for word in every), "".join(every))


def weight(token: str) -> float:
    """Return the weight of a word in a score: low for a common word, high for a code such as 'r2c3'."""
    if token in _FAINT:
        return 0.3
    return 1.0 if token.isalpha() or token.isdecimal() else 2.0


@functools.lru_cache(maxsize=200_000)
def likeness(token: str, word: str) -> float:
    """Return the probability that a written word means `word`, from 0 to 1."""
    if token == word:
        return 1.0
    if not (token.isalpha() and word.isalpha()):
        # A different digit names a different thing: 'r4c3' is not 'r4c2'.
        return 0.0
    if not _stems(token).isdisjoint(_stems(word)):
        return 0.95
    if word.startswith(token):
        return 0.9 if len(token) > 2 else (0.5, 0.75)[len(token) - 1]
    if token.startswith(word) and len(word) > 3:
        return 0.8
    if len(token) == len(word) == 3 and sorted(token) == sorted(word):
        return 0.72
    if len(token) > 3 and abs(len(token) - len(word)) < 3:
        from rapidfuzz.distance import OSA

        distance = OSA.distance(token, word, score_cutoff=2)
        if distance == 1 or (distance == 2 and len(token) > 5):
            return 0.9 - 0.06 * distance
    if len(token) > 1 and token[0] == word[0] and _is_within(token, word):
        return 0.72 if len(token) > 2 else 0.55
    return 0.0


@functools.lru_cache(maxsize=50_000)
def mention(tokens: Words, name: Phrase) -> tuple[float, tuple[float, ...]]:
    """Return the fraction of a name that occurs among `tokens`, and how well the name explains each token."""
    explained = [0.0] * len(tokens)
    total = 0.0
    alike = [[likeness(token, word) for token in tokens] for word in name.words]
    # A word with little meaning, such as 'g' in 'silver g', only counts beside a better one.
    least = 0.5 if len(name.words) == 1 or any(max(row, default=0.0) >= GOOD for row in alike) else GOOD
    for row in alike:
        total += max((one for one in row if one >= least), default=0.0)
        explained = [max(one, found if found >= least else 0.0) for one, found in zip(explained, row, strict=True)]
    for index, token in enumerate(tokens):
        if (len(token) > 1 and token == name.initials) or (len(token) > 3 and token == name.spelled):
            explained[index] = max(0.95, explained[index])
            total = max(total, 0.95 * len(name.words))
    codes = list(_codes(tokens, name))
    for first, last in (*_misspaced_ranges(tokens, name), *codes):
        explained[first:last] = [max(0.9, one) for one in explained[first:last]]
        total = max(total, 0.9 * len(name.words))
    strength = total / max(len(name.words), 1)
    numbers = [word for word in name.words if word.isdecimal()]
    if len(numbers) > 1 and strength > GOOD and not codes and [one for one in tokens if one in numbers] != numbers:
        # Order matters: 'row 2, column 3' is not 'row 3, column 2'.
        return strength / 2, tuple(found / 2 for found in explained)
    return strength, tuple(explained)


@functools.lru_cache(maxsize=50_000)
def best_mention(tokens: Words, names: tuple[Phrase, ...]) -> tuple[float, tuple[float, ...]]:
    """Return the result of `mention` for the name that matches the tokens best."""
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


def _codes(tokens: Words, name: Phrase) -> Iterator[tuple[int, int]]:
    """Yield ranges of tokens that consist of the last initials and all numbers of a name: 'N2' for 'wind north 2'."""
    numbers = _DIGITS.findall(name.initials)
    if not numbers:
        return
    for first, last in itertools.combinations(range(len(tokens) + 1), 2):
        code = "".join(tokens[first:last])
        if not code.isdecimal() and name.initials.endswith(code) and _DIGITS.findall(code) == numbers:
            yield first, last


@functools.lru_cache(maxsize=50_000)
def _stems(word: str) -> frozenset[str]:
    """Return the stem of a word, or the stems of the words for which it stands: 'dig' is 'excavate' or 'remove'."""
    return frozenset(map(_stem, _SAME.get(word) or _SAME.get(_misspelled_form(word)) or (word,)))


def _misspelled_form(word: str) -> str:
    """Return the irregular form that was misspelled as this word: 'clears' for 'celars'; '' if there is none."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extractOne(word, _LONG_FORMS, scorer=OSA.distance, score_cutoff=1) if len(word) > 4 else None
    return "" if near is None or near[0][0] != word[0] else str(near[0])


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _is_within(short: str, word: str) -> bool:
    """Return True if `short` is `word` with letters left out."""
    rest = iter(word)
    return all(one in rest for one in short)
