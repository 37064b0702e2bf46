"""Install rulesets for one test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.kit.ruleset import AnyRuleset
from engine.play import registry


@contextmanager
def installed(*added: AnyRuleset) -> Iterator[None]:
    """Install rulesets until the block ends."""
    by_version, newest = dict(registry._BY_VERSION), dict(registry._NEWEST)
    registry.install(*added)
    try:
        yield
    finally:
        for known, before in ((registry._BY_VERSION, by_version), (registry._NEWEST, newest)):
            known.clear()
            known.update(before)  # type: ignore[arg-type]  # each its own
