"""Stored games as playthroughs, line by line, so that a change of the rules shows as a readable diff. `pytest
tests/golden --update-golden` rewrites the texts. A text belongs to the game of the same name in `tests/recorded/`;
start a new one with an empty file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.golden.playthrough import playthrough
from tests.recorded.games import FOLDER, read, replay
from tests.recorded.games import games as kept_games

GOLDEN = Path(__file__).parent
TEXTS = sorted(GOLDEN.glob("*/*.txt"))


def game_path(text: Path) -> Path:
    """Return the game that `text` names."""
    return FOLDER / text.parent.name / f"{text.stem}.jsonl"


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text.parent.name}-{text.stem}")
def test_playthrough(text: Path, request: pytest.FixtureRequest) -> None:
    header, lines = read(game_path(text))
    told = playthrough(header, replay(header, lines))
    if request.config.getoption("--update-golden"):
        text.write_text(told, encoding="utf-8")
    assert told.splitlines() == text.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_every_ruleset_has_a_game_of_every_result_and_one_at_a_full_table(rules: AnyRuleset) -> None:
    games = [replay(*read(game_path(text))).game for text in TEXTS if text.parent.name == rules.id]
    results = {replay(*read(path)).game.outcome.result for path in kept_games(rules.id)}
    assert results == {game.outcome.result for game in games if game.outcome is not None}
    assert rules.players[1] in {len(game.header.seats) for game in games}
