"""A recorded game reaches every ending, and the current rules still play it the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.canonical import canonical
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from engine.review.audit import audit
from tests.recorded.games import all_games, games, read, replay, states_digest, stored_lines

KEPT = all_games()


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_there_is_a_game_for_every_ending(rules: AnyRuleset) -> None:
    assert {read(path)[0].reason for path in games(rules.id)} == set(rules.endings)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_kept_game_is_played_the_same(path: Path) -> None:
    header, lines = read(path)
    recording = replay(header, lines)
    assert canonical(stored_lines(recording.events)) == canonical(lines)
    assert recording.game.outcome is not None
    assert recording.game.outcome.reason == header.reason
    assert recording.game.header.ruleset_version == header.version
    assert states_digest(recording.events) == header.states
    assert audit(recording.events).verdict == "clean"
