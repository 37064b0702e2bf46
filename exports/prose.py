"""Prose: sentences that stand alone become a paragraph that reads well, whatever the game.

Nothing here knows a game. What a ruleset says of its events is drawn together where the grammar is plain to see: 'Ann
moves to Iron Gate.' and 'Ann draws Sandbags.' become 'Ann moves to Iron Gate, then draws Sandbags.' Any other sentence
stays as it is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

import msgspec

from engine.core.language import ENGLISH, marked, say, spoken
from engine.core.values import SEAT_INDEX, GameOutcome
from engine.review.words import listed

_BETWEEN = re.compile(r"(?<=[.!?]) (?=[^a-z])")
"""Where one sentence ends and the next begins."""
_RESULTS = {"won": marked("won"), "lost": marked("lost"), "draw": marked("draw"), "abandoned": marked("abandoned")}
_MARKS = frozenset(".,:;!?()")
_ARTICLES = frozenset(("A", "An", "The"))
_PLURAL = re.compile(r"(?<=[b-df-hj-np-rtv-z])s$")
"""The ending that a verb loses in the plural, where nothing else about it changes."""


class Sentence(msgspec.Struct, frozen=True):
    """What is said of one event."""

    kind: str
    """What kind of event it is: only those of one kind share a verb."""
    actor: str | None
    """Who did it, by name; None where nobody did."""
    text: str

    @property
    def predicate(self) -> str | None:
        """What follows the actor's name, where the text is 'Name does something.' and nothing else."""
        if self.actor is None or not self.text.startswith(f"{self.actor} "):
            return None
        return _clause(self.text[len(self.actor) + 1 :])


def paragraph(sentences: Iterable[Sentence]) -> str:
    """`sentences` as a paragraph: what one player does in a row is one sentence, and so is what happens in a row."""
    if spoken() != ENGLISH:
        # What follows is English grammar.
        return " ".join(sentence.text for sentence in sentences)
    texts: list[str] = []
    for _, group in itertools.groupby(enumerate(sentences), _belonging):
        run = [sentence for _, sentence in group]
        texts.append(_one_sentence(run) if len(run) > 1 else run[0].text)
    return " ".join(texts)


def sentences(text: str) -> list[str]:
    """A paragraph in its sentences."""
    return _BETWEEN.split(text)


def ended(outcome: GameOutcome, names: Sequence[str]) -> str:
    """How a game ended: 'won', 'lost', 'won by Ann', 'won by Ann and Bo, superiorly by Bo', 'won (decided by hand)'."""
    winners = [names[SEAT_INDEX[seat]] for seat in outcome.winners]
    told = say(_RESULTS[outcome.result])
    if 0 < len(winners) < len(names):
        told = say("{won} by {players}", won=told, players=listed(winners))
    superior = [names[SEAT_INDEX[seat]] for seat in outcome.superior]
    if superior:
        told = say("{won}, superiorly by {players}", won=told, players=listed(superior))
    return say("{won} (decided by hand)", won=told) if outcome.by_hand else told


def _belonging(numbered: tuple[int, Sentence]) -> tuple[str, str | int | None]:
    """Equal for neighbours that can be one sentence."""
    number, sentence = numbered
    if sentence.predicate is not None:
        return "actor", sentence.actor
    if _clause(sentence.text) is not None:
        return "kind", sentence.kind
    return "alone", number


def _one_sentence(run: Sequence[Sentence]) -> str:
    if run[0].predicate is None:
        return f"{_events_listed([sentence.text.removesuffix('.') for sentence in run])}."
    doings = [
        _sharing_verb([sentence.predicate for sentence in group if sentence.predicate])
        for _, group in itertools.groupby(run, lambda sentence: sentence.kind)
    ]
    return f"{run[0].actor} {listed(doings, ', then ')}."


def _sharing_verb(predicates: Sequence[str]) -> str:
    """'moves to Iron Gate' and 'moves to Watchtower' as 'moves to Iron Gate and Watchtower'."""
    if len(predicates) == 2 and predicates[0] == predicates[1]:
        return f"{predicates[0]} twice"
    words = [predicate.split(" ") for predicate in predicates]
    shared = 0
    # Only a verb and its preposition are shared: 'Cave of' is half a name, and a name begins with a capital.
    for column in zip(*(line[:-1] for line in words), strict=False):
        if len(set(column)) > 1 or not column[0].islower():
            break
        shared += 1
    start = "".join(f"{word} " for word in words[0][:shared])
    return start + listed([" ".join(line[shared:]) for line in words])


def _events_listed(clauses: Sequence[str]) -> str:
    """'Iron Gate floods', 'Watchtower floods' and 'Bronze Gate sinks' as one clause after the other, each verb once."""
    told: list[str] = []
    for verb, group in itertools.groupby(clauses, lambda clause: clause.rpartition(" ")[2]):
        alike = list(group)
        plural = _PLURAL.sub("", verb)
        if len(alike) > 1 and plural != verb:
            alike = [f"{listed([clause.rpartition(' ')[0] for clause in alike])} {plural}"]
        told += alike
    return listed([told[0], *map(_within, told[1:])], ", and ")


def _clause(text: str) -> str | None:
    """The text without its full stop, if it is a main clause and no more."""
    clause = text.removesuffix(".")
    return clause if clause != text and _MARKS.isdisjoint(clause) else None


def _within(clause: str) -> str:
    """How a clause begins inside a sentence."""
    first, space, rest = clause.partition(" ")
    return f"{first.lower()}{space}{rest}" if first in _ARTICLES else clause
