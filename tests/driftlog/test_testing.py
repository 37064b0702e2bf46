"""The laws in a package: a sound game passes, and the test names the law that a planted fault breaks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages import install
from tests.quick import quick

ROOT = Path(__file__).parents[2]
PIG = (ROOT / "examples" / "pig" / "pig.py").read_text().replace("PIG = Pig()", "RULESETS = Pig()")
CARDS = (ROOT / "driftlog" / "starter" / "game.py").read_text().replace("RULESET", "RULESETS")
HIDDEN = CARDS.replace('"Hand", DECK)', '"Hand", DECK, seen_by="owner")')

LISTED = """
from engine.kit.kernel import LegalAction
class Listing(Pig):
    def legal_actions(self, state, only=None):
        yield from super().legal_actions(state, only)
        if state.outcome is None and not state.rolled and only in {None, state.active}:
            yield LegalAction(Hold(), state.active)
RULESETS = Listing()
"""
SHOWN = """
class Showing(Collectors):
    def view(self, state, viewer):
        return self.to_document(state)
RULESETS = Showing()
"""
DRAWN = """
class Drawing(Collectors):
    def overview(self, state, names):
        return {name: ", ".join(hand) or "none" for name, hand in zip(names, state.hands)}
RULESETS = Drawing()
"""
FAULTS = {
    "listed and refused": (
        PIG + LISTED,
        (
            "pig breaks the law 'A listed action can be taken, and leads to a sound state.': p1 is offered Hold() "
            "in phase 'rolling', but it is refused: Roll at least once."
        ),
    ),
    "no state to share": (
        PIG.replace("goal: int\n", "goal: int\n    marks: list[int]\n"),
        (
            "pig breaks the law 'The ruleset is installed, and can be loaded.': the rulesets of faulty are not loaded: "
            "faulty.Pig: its state is not hashable: PigState.marks is a list."
        ),
    ),
    "a state that hides a list": (
        PIG.replace("goal: int\n", "goal: int\n    marks: object = ()\n").replace("rolled=0,", "rolled=0, marks=[],"),
        (
            "breaks the law 'Every state fulfils the invariants, is tidy, and is hashable.': a state of turn 2 is not "
            "hashable"
        ),
    ),
    "a lost card": (
        CARDS.replace("discarded=(*state.discarded, self.card)", "discarded=state.discarded"),
        "collectors breaks the law 'Every state fulfils the invariants, is tidy, and is hashable.': there are 4 ",
    ),
    "a card in the view": (
        HIDDEN + SHOWN,
        "collectors breaks the law 'A view masks what the ruleset declares as hidden.': `view` for the public shows ",
    ),
    "a card in the overview": (
        HIDDEN + DRAWN,
        (
            "collectors breaks the law 'Pictures, overviews and facts show a viewer no more than the view does.': "
            "the board for the public shows data that the view masks."
        ),
    ),
    "no end": (
        PIG.replace("if score >= state.goal:", "if score > 10**9:").replace("100_000", "500"),
        "pig breaks the law 'Random games are played to an ending that the ruleset declares.': it has not ended after ",
    ),
    "a mistake": (
        PIG.replace("pass_turn(scored)", "pass_turn(state.scored)"),
        "pig breaks the law 'A listed action can be taken, and leads to a sound state.': AttributeError",
    ),
}


def laws(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the laws on the ruleset of a package."""
    packages = folder / "packages"
    packages.mkdir()
    install(packages, {"faulty": source})
    ruleset = "pig" if "class Pig" in source else "collectors"
    command = ["pytest", "-q", "-p", "driftlog.testing.plugin", "-p", "no:cacheprovider", "--driftlog-ruleset", ruleset]
    return subprocess.run(
        [sys.executable, "-m", *command, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("source", quick([PIG, HIDDEN], PIG.__eq__), ids=["pig", "hidden hands"])
def test_a_sound_game_passes(source: str, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    first = laws(tmp_path, source)
    assert first.returncode == 0, first.stdout
    found = re.search(r"(\d+) random games at", first.stdout)
    assert found is not None
    assert int(found[1]) >= 50
    assert list((tmp_path / "tests" / "recorded").rglob("*.ndjson"))


@pytest.mark.long
@pytest.mark.parametrize(
    "fault", quick(FAULTS, ["listed and refused", "no state to share", "a card in the view"].__contains__)
)
def test_a_fault_is_named_with_its_law(fault: str, tmp_path: Path) -> None:
    source, sentence = FAULTS[fault]
    done = laws(tmp_path, source, "--driftlog-games", "9")
    assert done.returncode == 1, done.stdout + done.stderr
    assert sentence in done.stdout.replace("\n", " ")


@pytest.mark.long
def test_games_that_never_end_pass_as_free(tmp_path: Path) -> None:
    source = FAULTS["no end"][0].replace('endings = {"goal": "The goal is reached."}', "endings = {}")
    done = laws(tmp_path, source, "--driftlog-profile", "free", "--driftlog-games", "9")
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_a_recorded_game_that_plays_differently_is_found(tmp_path: Path) -> None:
    kept = ROOT / "examples" / "pig" / "tests" / "recorded"
    again = laws(
        tmp_path, PIG.replace("points == 1", "points == 2"), "--driftlog-recorded", str(kept), "--driftlog-games", "9"
    )
    assert again.returncode == 1
    assert (
        "pig breaks the law 'Recorded games are played as before.': goal.ndjson is played differently" in again.stdout
    )
