"""Which tests a change can break, on a small repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.affected import ROOT, Deadline, changed, distances, imports, named, nearest

IMPORTED = {
    "engine/core.py": set(),
    "engine/island/rules.py": {"engine/core.py"},
    "engine/desert/rules.py": {"engine/core.py"},
    "api/games.py": {"engine/island/rules.py", "engine/desert/rules.py"},
    "tests/engine/island/positions.py": {"engine/island/rules.py"},
    "tests/engine/island/test_rules.py": {"tests/engine/island/positions.py"},
    "tests/engine/desert/test_rules.py": {"engine/desert/rules.py"},
    "tests/engine/test_core.py": {"engine/core.py"},
    "tests/api/test_games.py": {"api/games.py"},
    "tests/browser/test_pages.py": {"api/games.py"},
}


def git(root: Path, *arguments: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *arguments], cwd=root, check=True, capture_output=True)


def test_a_change_reaches_what_imports_it_and_nothing_else() -> None:
    far = distances(["engine/desert/rules.py"], IMPORTED)
    assert far == {
        "engine/desert/rules.py": 0,
        "api/games.py": 1,
        "tests/engine/desert/test_rules.py": 1,
        "tests/api/test_games.py": 2,
        "tests/browser/test_pages.py": 2,
    }


def test_the_nearest_tests_come_first_and_of_those_the_ones_in_the_same_folders() -> None:
    changes = ["engine/core.py", "engine/island/rules.py"]
    assert nearest(changes, distances(changes, IMPORTED)) == [
        "tests/engine/test_core.py",
        "tests/engine/island/test_rules.py",
        "tests/engine/desert/test_rules.py",
        "tests/api/test_games.py",
    ]


def test_a_test_that_is_named_after_a_change_comes_before_others_as_near() -> None:
    imported = {f"tests/api/test_{name}.py": {"api/app.py"} for name in ("games", "sharing", "work")}
    far = distances(["api/sharing.py"], imported | {"api/app.py": {"api/sharing.py"}})
    assert nearest(["api/sharing.py"], far)[0] == "tests/api/test_sharing.py"


def test_a_test_that_has_changed_is_the_nearest_of_all() -> None:
    changes = ["engine/core.py", "tests/api/test_games.py"]
    assert nearest(changes, distances(changes, IMPORTED))[0] == "tests/api/test_games.py"


def test_a_file_that_is_no_module_is_as_far_as_what_names_it(tmp_path: Path) -> None:
    (tmp_path / "view.py").write_text('render("start.html")')
    (tmp_path / "other.py").write_text('render("library.html")')
    assert named(tmp_path, ["templates/start.html"], ["view.py", "other.py", "gone.py"]) == {"view.py"}
    assert named(tmp_path, [], ["view.py", "other.py"]) == set()


def test_changed_is_what_the_branch_did_and_what_is_not_committed_yet(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    for name in ("same.py", "gone.py", "committed.py", "edited.py"):
        (tmp_path / name).write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    git(tmp_path, "checkout", "-b", "branch")
    (tmp_path / "committed.py").write_text("2")
    git(tmp_path, "rm", "gone.py")
    git(tmp_path, "commit", "-a", "-m", "Go on")
    (tmp_path / "edited.py").write_text("2")
    (tmp_path / "new.py").write_text("1")
    git(tmp_path, "branch", "-f", "side", "main")
    assert changed(tmp_path) == ["committed.py", "edited.py", "new.py"]


def test_what_main_did_meanwhile_is_not_this_branch_s_change(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    (tmp_path / "one.py").write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    git(tmp_path, "branch", "branch")
    (tmp_path / "one.py").write_text("2")
    git(tmp_path, "commit", "-a", "-m", "Go on")
    git(tmp_path, "checkout", "branch")
    assert changed(tmp_path) == []


def test_the_imports_of_this_repository() -> None:
    found = imports(ROOT)
    assert "engine/core/canonical.py" in found["engine/core/events.py"]
    mine = found["tests/engine/core/test_canonical.py"]
    assert {"engine/core/canonical.py", "tests/engine/conftest.py", "tests/conftest.py"} <= mine
    assert "tests/engine/toy.py" in found["tests/engine/conftest.py"]
    assert all((ROOT / file).is_file() for file in found)


def test_after_the_deadline_no_test_begins(request: pytest.FixtureRequest) -> None:
    late, soon = Deadline(0), Deadline(3600)
    assert late.pytest_runtest_protocol(request.node) is True
    assert late.left == [request.node]
    assert soon.pytest_runtest_protocol(request.node) is None
    assert soon.left == []
