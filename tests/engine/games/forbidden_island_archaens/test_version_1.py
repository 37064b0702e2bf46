"""Version 1 of the rules, without confirmation of a losing lift-off; and the variant's own words in both versions."""

from __future__ import annotations

import re

import msgspec
import pytest

from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.fold import fold
from engine.review.audit import audit
from engine.review.turns import narrate
from tests.engine.games.forbidden_island.positions import ARCHAENS
from tests.recorded.games import FOLDER, read, replay

OLD, NEW = registry.ruleset(ARCHAENS, "1"), registry.ruleset(ARCHAENS)
KEPT = sorted((FOLDER / "forbidden-island-archaens-1").glob("*.jsonl"))
BASE = re.compile(r"explorer|adventurer|treasure(?! ?_)", re.IGNORECASE)
"""The base game's words; ids in documents of a state are not words."""


def test_both_versions_are_installed_and_new_games_are_by_the_second() -> None:
    assert registry.versions(ARCHAENS) == ["1", "2"]
    assert (NEW.version, NEW.reads_versions, OLD.reads_versions) == ("2", ("1",), ())


def test_version_1__a_lift_off_that_loses_is_not_asked_about() -> None:
    """AR-R7."""
    kept = next(path for path in KEPT if path.stem == "invaders_followed-liftoff")
    events = replay(*read(kept)).events
    assert (events[-2].type, events[-2].params) == ("lift_off", {})


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_version_2_judges_all_as_version_1_did(kept: object) -> None:
    comparison = audit(replay(*read(kept)).events, "2").rules  # type: ignore[arg-type]  # a path
    assert comparison is not None
    assert comparison.first is None


@pytest.mark.parametrize("rules", [OLD, NEW], ids=["1", "2"])
def test_words_are_the_variants_own(rules: AnyRuleset) -> None:
    schema = msgspec.json.schema(rules.options)
    options = schema["$defs"]["ArchaenOptions"]["properties"]
    said = [str(value.get("title")) + str(value.get("x-titles")) for value in options.values()]
    said += [rules.describe_action_type(kind)["summary"] for kind in rules.actions]
    said += [prompt.group for prompt in rules.setup_prompts(rules.parse_options({}, 2), ("Ada", "Bo"), ())]
    said += [*rules.sections, *rules.endings.values()]
    assert [text for text in said if BASE.search(text)] == []


def test_words_of_a_whole_game_are_the_variants_own() -> None:
    kept = next(path for path in KEPT if path.stem == "invaders_followed")
    events = replay(*read(kept)).events
    game = fold(events)
    said = [one.sentence for one in narrate(game.header, events)]
    assert any("The clock starts" in sentence for sentence in said)
    assert game.state is not None
    said += [game.ruleset.headline(game.state, game.header.names), *game.ruleset.role(game.state, 0)]
    said += [f"{label} {text}" for label, text in game.ruleset.overview(game.state, game.header.names).items()]
    assert [text for text in said if BASE.search(text)] == []
