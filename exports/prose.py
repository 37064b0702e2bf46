"""Combine separate sentences into a readable paragraph, for any game.

Sentences are combined if their grammar is simple: 'Ann moves to Iron Gate.' and 'Ann draws Sandbags.' become 'Ann moves
to Iron Gate, then draws Sandbags.' Any other sentence stays unchanged.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.language import ENGLISH, current_language, marked, say
from engine.core.values import SEAT_INDEX, GameOutcome
from engine.review.words import join_sentences, join_words

_BETWEEN = re.compile(r"(?<=[.!?]) (?=[^a-z])")
"""Boundary between two sentences."""
_RESULTS = {"won": marked("won"), "lost": marked("lost"), "draw": marked("draw"), "abandoned": marked("abandoned")}
HOW_TO_VERIFY = marked(
    "Every event carries the hash of the one before it, so this hash stands for all of them. To check the "
    "record, export it as json or ndjson and give the file to `driftlog verify`. It replays every event by "
    "the rules, and prints the same hash if nothing was changed."
)
ELSEWHERE = frozenset((lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED, "annotate"))
"""Events that are narrated outside the sentences of a turn."""
_MARKS = frozenset(".,:;!?()")
_ARTICLES = frozenset(("A", "An", "The"))
_PLURAL = re.compile(r"(?<=[b-df-hj-np-rtv-z])s$")
"""The verb ending that is removed in the plural, for verbs without other changes."""


class Sentence(msgspec.Struct, frozen=True):
    """The sentence about one event."""

    kind: str
    """The type of the event. Only sentences with the same type can share a verb."""
    actor: str | None
    """The name of the actor; None if there is none."""
    text: str

    @property
    def predicate(self) -> str | None:
        """The text after the actor's name, if the text is exactly 'Name does something.'; otherwise None."""
        if self.actor is None or not self.text.startswith(f"{self.actor} "):
            return None
        return _clause(self.text[len(self.actor) + 1 :])


def paragraph(sentences: Iterable[Sentence]) -> str:
    """Return a paragraph, in which consecutive actions of a player become one sentence.

    Other consecutive events are combined, too.
    """
    if current_language() != ENGLISH:
        # Sentences can be combined in English only.
        return join_sentences([sentence.text for sentence in sentences])
    texts: list[str] = []
    for _, group in itertools.groupby(enumerate(sentences), _belonging):
        run = [sentence for _, sentence in group]
        texts.append(_one_sentence(run) if len(run) > 1 else run[0].text)
    return join_sentences(texts)


def sentences(text: str) -> list[str]:
    """Split a paragraph into its sentences."""
    return _BETWEEN.split(text)


def describe_result(outcome: GameOutcome, names: Sequence[str]) -> str:
    """Describe a result, such as 'won', 'lost' or 'won by Ann'.

    Other examples are 'won by Ann, with a superior victory for Ann' and 'won (decided by hand)'.
    """
    winners = [names[SEAT_INDEX[seat]] for seat in outcome.winners]
    told = say(_RESULTS[outcome.result])
    if 0 < len(winners) < len(names):
        told = say("{won} by {players}", won=told, players=join_words(winners))
    superior = [names[SEAT_INDEX[seat]] for seat in outcome.superior]
    if superior:
        told = say("{won}, with a superior victory for {players}", won=told, players=join_words(superior))
    return say("{won} (decided by hand)", won=told) if outcome.by_hand else told


def _belonging(numbered: tuple[int, Sentence]) -> tuple[str, str | int | None]:
    """Return a key for a sentence. Neighbouring sentences with the same key can be combined."""
    number, sentence = numbered
    if sentence.predicate is not None:
        return "actor", sentence.actor
    # The text of a correction can be several sentences, and begin with any word.
    if sentence.kind not in lifecycle.KINDS and _clause(sentence.text) is not None:
        return "kind", sentence.kind
    return "alone", number


def _one_sentence(run: Sequence[Sentence]) -> str:
    if run[0].predicate is None:
        return f"{_events_listed([sentence.text.removesuffix('.') for sentence in run])}."
    doings = [
        _sharing_verb([sentence.predicate for sentence in group if sentence.predicate])
        for _, group in itertools.groupby(run, lambda sentence: sentence.kind)
    ]
    return f"{run[0].actor} {join_words(doings, ', then ')}."


def _sharing_verb(predicates: Sequence[str]) -> str:
    """Combine 'moves to Iron Gate' and 'moves to Watchtower' into 'moves to Iron Gate and Watchtower'."""
    if len(predicates) == 2 and predicates[0] == predicates[1]:
        return f"{predicates[0]} twice"
    words = [predicate.split(" ") for predicate in predicates]
    shared = 0
    # Share only a verb and its preposition. Do not share words from a capital on, such as 'Cave of': they are half a
    # name.
    for column in zip(*(line[:-1] for line in words), strict=False):
        if len(set(column)) > 1 or not column[0].islower():
            break
        shared += 1
    start = "".join(f"{word} " for word in words[0][:shared])
    return start + join_words([" ".join(line[shared:]) for line in words])


def _events_listed(clauses: Sequence[str]) -> str:
    """Join clauses such as 'Iron Gate floods' and 'Watchtower floods'. Write each verb once."""
    told: list[str] = []
    for verb, group in itertools.groupby(clauses, lambda clause: clause.rpartition(" ")[2]):
        alike = list(group)
        plural = _PLURAL.sub("", verb)
        if len(alike) > 1 and plural != verb:
            alike = [f"{join_words([clause.rpartition(' ')[0] for clause in alike])} {plural}"]
        told += alike
    return join_words([told[0], *map(_within, told[1:])], ", and ")


def _clause(text: str) -> str | None:
    """Return the text without its full stop if the text is a single main clause; otherwise None."""
    clause = text.removesuffix(".")
    return clause if clause != text and _MARKS.isdisjoint(clause) else None


def _within(clause: str) -> str:
    """Return a clause with its beginning in lower case, for use inside a sentence."""
    first, space, rest = clause.partition(" ")
    return f"{first.lower()}{space}{rest}" if first in _ARTICLES else clause
