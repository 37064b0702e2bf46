"""Kept games as playthroughs, line by line: a change of the rules shows as a diff that can be read.

`pytest tests/golden --update-golden` writes the texts anew. A text is of the game of the same name in
`tests/recorded/`; an empty file is how a new one begins.
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


def kept(text: Path) -> Path:
    """The game that `text` tells."""
    return FOLDER / text.parent.name / f"{text.stem}.jsonl"


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text.parent.name}-{text.stem}")
def test_playthrough(text: Path, request: pytest.FixtureRequest) -> None:
    header, lines = read(kept(text))
    told = playthrough(header, replay(header, lines))
    if request.config.getoption("--update-golden"):
        text.write_text(told, encoding="utf-8")
    assert told.splitlines() == text.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_every_ruleset_has_a_game_of_every_result_and_one_at_a_full_table(rules: AnyRuleset) -> None:
    games = [replay(*read(kept(text))).game for text in TEXTS if text.parent.name == rules.id]
    results = {replay(*read(path)).game.outcome.result for path in kept_games(rules.id)}
    assert results == {game.outcome.result for game in games if game.outcome is not None}
    assert rules.players[1] in {len(game.header.seats) for game in games}
