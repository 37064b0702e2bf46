"""The effects of a slip: what was played later, on the table without it, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.core.language import say
from engine.core.values import State
from engine.kit.words import counted
from engine.review.report import ShownFact

MOST_FACTS = 3
"""Maximum facts or sentences shown in an account."""


class Replayed(msgspec.Struct, frozen=True):
    """A part of a game, played on another table."""

    state: State
    """The last table that is known."""
    broken: Sequence[str]
    """The moves that were legal, and are not there, a sentence each."""
    unknown: int = 0
    """The number of later moves that cannot be judged, because a result before them is not known."""
    is_open: bool = False
    """True if it goes on."""
    owed: str | None = None
    """The sentence about a step that those moves left out, so that they cannot be judged."""


def more(count: int) -> Iterator[ShownFact]:
    """Yield the number of facts that are not shown, if there are any."""
    if count:
        yield ShownFact(say("And one more fact.") if count == 1 else say("And {count} more facts.", count=count))


def cut(sentences: Sequence[str]) -> list[str]:
    """Return the first sentences, and how many more there are."""
    more = len(sentences) - MOST_FACTS
    rest = [say("And one more.") if more == 1 else say("And {count} more.", count=more)] if more > 0 else []
    return [*sentences[:MOST_FACTS], *rest]


def not_possible(replayed: Replayed) -> Iterator[str]:
    """Yield the later moves that were legal at the table, and are not by the rules."""
    if len(replayed.broken) == 1:
        yield say("{told} By the rules this was not possible.", told=replayed.broken[0])
    elif replayed.broken:
        yield from cut(replayed.broken)
        yield say("By the rules these were not possible.")
    if replayed.owed is not None:
        yield replayed.owed
        yield say("Played although this was missing: {moves}.", moves=counted(replayed.unknown, "later move"))
    elif replayed.unknown:
        moves = counted(replayed.unknown, "later move")
        yield say("By the rules there is a different, unknown result here. So {moves} cannot be checked.", moves=moves)


def not_followed(followed: int) -> str:
    """Return the sentence about a finding that is one too many to be followed to the end of the game."""
    return say("Its effects were not traced. Only those of the first {count} findings are.", count=followed)
