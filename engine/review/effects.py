"""The effects of a slip, as sentences: the later moves, replayed on the table without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.core.language import say
from engine.core.values import State
from engine.kit.words import counted

MOST_FACTS = 3
"""Maximum number of facts or sentences shown in an account."""


class Replayed(msgspec.Struct, frozen=True):
    """A part of a game, replayed from another table."""

    state: State
    """The last known table."""
    broken: Sequence[str]
    """The moves that were legal at the table but are illegal in the replay, a sentence each."""
    unknown: int = 0
    """The number of later moves that cannot be judged, because an earlier result is unknown."""
    is_open: bool = False
    """True if the game continues after the part."""
    owed: str | None = None
    """The sentence about a step that the moves would have needed first; they cannot be judged without it."""


def none(name: str) -> str:
    """Return the sentence that a slip changed nothing.

    Args:
        name: of the player who had to do it.
    """
    return say("No effect: the table is the same as if {name} had done it.", name=name)


def independent() -> str:
    """Return the sentence that nothing played later is different without a slip."""
    return say("No later move depended on it.")


def cut(sentences: Sequence[str]) -> list[str]:
    """Return the first sentences, and the number of the others."""
    more = len(sentences) - MOST_FACTS
    rest = [say("And one more.") if more == 1 else say("And {count} more.", count=more)] if more > 0 else []
    return [*sentences[:MOST_FACTS], *rest]


def not_possible(replayed: Replayed) -> Iterator[str]:
    """Yield the sentences about later moves that were legal at the table, but are illegal by the rules."""
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
    """Return the sentence about a finding whose effects are not traced, because too many findings precede it."""
    return say("Its effects were not traced. Only those of the first {count} findings are.", count=followed)
