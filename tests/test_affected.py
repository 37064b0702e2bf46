"""The selection of tests that a change can break, in a small repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.affected import (
    NOT_RUN,
    ROOT,
    Deadline,
    changed_files,
    distances,
    find_mentioned,
    handwritten_files,
    imports,
    must_run,
    nearest,
)

IMPORTED = {
    "engine/core.py": set(),
    "engine/island/rules.py": {"engine/core.py"},
    "engine/desert/rules.py": {"engine/core.py"},
    "api/library/games.py": {"engine/island/rules.py", "engine/desert/rules.py"},
    "tests/engine/island/positions.py": {"engine/island/rules.py"},
    "tests/engine/island/test_rules.py": {"tests/engine/island/positions.py"},
    "tests/engine/desert/test_rules.py": {"engine/desert/rules.py"},
    "tests/engine/test_core.py": {"engine/core.py"},
    "tests/api/test_games.py": {"api/library/games.py"},
    "tests/browser/test_pages.py": {"api/library/games.py"},
}


def git(root: Path, *arguments: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *arguments], cwd=root, check=True, capture_output=True)


def test_a_change_reaches_what_imports_it_and_nothing_else() -> None:
    far = distances(["engine/desert/rules.py"], IMPORTED)
    assert far == {
        "engine/desert/rules.py": 0,
        "api/library/games.py": 1,
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
        "tests/browser/test_pages.py",
    ]


def test_the_mirrored_path_comes_before_nearer_tests_and_its_folder_before_farther_ones() -> None:
    far = {
        "tests/exports/test_csv.py": 3,
        "tests/exports/test_docs.py": 4,
        "tests/api/test_formats.py": 1,
        "tests/api/test_work.py": 2,
        "tests/exports/test_sheet.py": 0,
    }
    changes = ["exports/csv.py", "tests/exports/test_sheet.py"]
    assert nearest(changes, far) == [
        "tests/exports/test_sheet.py",
        "tests/exports/test_csv.py",
        "tests/api/test_formats.py",
        "tests/exports/test_docs.py",
        "tests/api/test_work.py",
    ]
    assert must_run(changes, far) == {
        "tests/exports/test_sheet.py",
        "tests/exports/test_csv.py",
        "tests/api/test_formats.py",
    }


def test_a_test_that_is_named_after_a_change_comes_before_others_as_near() -> None:
    imported = {f"tests/api/test_{name}.py": {"api/app.py"} for name in ("games", "sharing", "work")}
    far = distances(["api/game/sharing.py"], imported | {"api/app.py": {"api/game/sharing.py"}})
    assert nearest(["api/game/sharing.py"], far)[0] == "tests/api/test_sharing.py"


def test_a_test_that_has_changed_is_the_nearest_of_all() -> None:
    changes = ["engine/core.py", "tests/api/test_games.py"]
    assert nearest(changes, distances(changes, IMPORTED))[0] == "tests/api/test_games.py"


def test_a_file_that_is_no_module_is_as_far_as_what_names_it(tmp_path: Path) -> None:
    (tmp_path / "view.py").write_text('render("start.html")')
    (tmp_path / "other.py").write_text('render("library.html")')
    assert find_mentioned(tmp_path, ["templates/start.html"], ["view.py", "other.py", "gone.py"]) == {"view.py"}
    assert find_mentioned(tmp_path, [], ["view.py", "other.py"]) == set()


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
    assert changed_files(tmp_path) == ["committed.py", "edited.py", "new.py"]


def test_what_is_generated_is_no_change() -> None:
    generated = (ROOT / ".gitattributes").read_text().splitlines()[1:]
    files = [line.split()[0] for line in generated]
    assert "openapi.yaml" in files
    assert all((ROOT / file).is_file() for file in files)
    assert handwritten_files(ROOT, [*files, "api/app.py"]) == ["api/app.py"]
    assert handwritten_files(ROOT, []) == []


def test_what_main_did_meanwhile_is_not_this_branch_s_change(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    (tmp_path / "one.py").write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    git(tmp_path, "branch", "branch")
    (tmp_path / "one.py").write_text("2")
    git(tmp_path, "commit", "-a", "-m", "Go on")
    git(tmp_path, "checkout", "branch")
    assert changed_files(tmp_path) == []


def test_the_imports_of_this_repository() -> None:
    found = imports(ROOT)
    assert "engine/core/canonical.py" in found["engine/core/events.py"]
    mine = found["tests/engine/core/test_canonical.py"]
    assert {"engine/core/canonical.py", "tests/engine/conftest.py", "tests/conftest.py"} <= mine
    assert "tests/engine/toy.py" in found["tests/engine/conftest.py"]
    assert all((ROOT / file).is_file() for file in found)
    reached = nearest(
        ["engine/games/forever_island/raid.py"], distances(["engine/games/forever_island/raid.py"], found)
    )
    assert {"tests/engine/games/forever_island/test_raid.py", "tests/conformance/test_laws.py"} <= set(reached)
    own = ("tests/conformance/", "tests/engine/games/forever_island/")
    assert len([test for test in reached if not test.startswith(own)]) < 50


def test_after_the_deadline_no_test_begins(request: pytest.FixtureRequest) -> None:
    late, soon = Deadline(0), Deadline(3600)
    assert late.pytest_runtest_protocol(request.node) is True
    assert late.left == [request.node]
    assert soon.pytest_runtest_protocol(request.node) is None
    assert soon.left == []


class TestAsACommand:
    """`python -m tests.affected` in a repository whose exports are tested through a registry."""

    EXPORT = "exports/csv.py"

    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        config = """
            [tool.importlinter]
            root_packages = ["api", "exports"]
            [tool.pytest.ini_options]
            pythonpath = ["."]
            addopts = ["--import-mode=importlib"]
            markers = ["long: runs long"]
        """
        files = {
            "pyproject.toml": "\n".join(line.strip() for line in config.splitlines()),
            "conftest.py": "def pytest_addoption(parser):\n    parser.addoption('--playouts')",
            "api/__init__.py": "",
            "exports/__init__.py": "",
            self.EXPORT: "COLUMNS = ['game']",
            "exports/registry.py": "from exports import csv\nEXPORTS = {'csv': csv.COLUMNS}",
            "tests/affected.py": (ROOT / "tests" / "affected.py").read_text(),
            **{
                f"tests/exports/test_{name}.py": (
                    "from exports import registry\ndef test_it():\n    assert registry.EXPORTS['csv'] == ['game']"
                )
                for name in ("docs", "registry", "tables")
            },
            **{f"api/view_{number}.py": "from exports import registry" for number in range(45)},
            **{
                f"tests/api/test_view_{number}.py": f"from api import view_{number}\ndef test_it():\n    pass"
                for number in range(45)
            },
            "tests/exports/test_csv.py": "from exports import csv\ndef test_it():\n    assert csv.COLUMNS",
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        git(tmp_path, "init", "--initial-branch", "main")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-m", "Begin")
        return tmp_path

    def check(self, repository: Path) -> tuple[int, str]:
        """Return the exit status and the output."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.affected"], cwd=repository, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def test_an_export_that_breaks_the_tests_of_its_folder_does_not_pass(self, repository: Path) -> None:
        (repository / self.EXPORT).write_text("COLUMNS = ['game', 'result']")
        status, said = self.check(repository)
        assert status == 1
        assert all(f"FAILED tests/exports/test_{name}.py" in said for name in ("docs", "registry", "tables"))
        assert said.splitlines()[-1].startswith("Every near test ran. `make test` also runs ")

    def test_a_near_test_that_did_not_run_is_no_pass(self, repository: Path) -> None:
        test = repository / "tests" / "exports" / "test_csv.py"
        test.write_text("import pytest\npytestmark = pytest.mark.long\n" + test.read_text())
        git(repository, "commit", "-a", "-m", "Mark the test")
        (repository / self.EXPORT).write_text("COLUMNS = ['game']  # one")
        status, said = self.check(repository)
        assert status == NOT_RUN
        assert said.splitlines()[-1].startswith("NOT CHECKED")
        assert "tests/exports/test_csv.py" in said.splitlines()[-1]

    def test_where_everything_near_ran_it_passes(self, repository: Path) -> None:
        (repository / self.EXPORT).write_text("COLUMNS = ['game']  # one")
        status, said = self.check(repository)
        assert status == 0, said
