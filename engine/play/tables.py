"""Differences between two tables, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.errors import DEFECTS
from engine.core.language import say
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import belief, telling

MOST_TOLD = 3
"""Maximum number of differences listed in full."""


def differing_facts(
    ruleset: AnyRuleset, was: State, now: State, names: Sequence[str], viewer: int | None = None
) -> tuple[str, ...]:
    """Return the facts of `now` that differ from `was`, as sentences that `viewer` (None: the public) may see.

    If the ruleset has no facts, the sentences are lines of its overview. Derived facts are listed only if no others
    differ.
    """
    try:
        if not ruleset.facts:
            before = belief.overview(ruleset, was, names)
            found = belief.overview(ruleset, now, names).items()
            return tuple(f"{label}: {text}." for label, text in found if before.get(label) != text)
        return _describe_changes(ruleset, was, now, names, viewer)
    except DEFECTS:
        # Rules can fail on a table that they did not produce.
        return ()


def _describe_changes(
    ruleset: AnyRuleset, was: State, now: State, names: Sequence[str], viewer: int | None
) -> tuple[str, ...]:
    before, after = (
        {fact.subject: fact for fact in telling.known_facts(ruleset, state, viewer)} for state in (was, now)
    )
    found = [fact for subject, fact in after.items() if before.get(subject) != fact]
    first = [fact.sentence(names) for fact in found if not fact.is_derived]
    gone = [fact.no_longer(names) for subject, fact in before.items() if subject not in after and not fact.is_derived]
    return tuple(first + gone or [fact.sentence(names) for fact in found])


def in_short(told: Sequence[str]) -> str:
    """Return the first differences, and the number of other differences."""
    more = len(told) - MOST_TOLD
    rest = [say("And {count} more facts.", count=more)] if more > 0 else []
    return " ".join([*told[:MOST_TOLD], *rest])
