"""`python -m tests.affected`: run the tests that a change can break, nearest first, within a time limit.

A change is any file that differs from the point where this branch left main, committed or not, except generated files.
The distance of a test is the number of imports between it and the change. A file that is not a module has the distance
of the modules that name it. If a near test did not run, the exit status is not 0.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
import tomllib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
MOST_FILES = 40
"""The maximum number of test files to collect, because collecting also takes time."""
NEAR = 1
"""The maximum distance of the tests that must run for the check to pass."""
NOT_RUN = 3
"""The exit status if all tests that ran passed, but a near test did not run."""
SECONDS = 8
"""Seconds after the start of the first test, after which no further test starts."""
_GAMES = "engine/games/__init__.py"
_PLAYS_EVERY_GAME = "tests/conformance/"
_TRUNKS = ("main", "origin/main")
_PAGES = (".js", ".ts", ".css", ".svg", ".json")

Imports = Mapping[str, set[str]]
"""The imports of each file. Files are paths within the repository."""


def changed_files(root: Path) -> list[str]:
    """Return the files that have changed since this branch left main: untracked files, too, but not deleted ones."""
    base = next((found for trunk in _TRUNKS if (found := _git(root, "merge-base", "HEAD", trunk))), ["HEAD"])[0]
    files = {*_git(root, "diff", "--name-only", base), *_git(root, "ls-files", "--others", "--exclude-standard")}
    return sorted(file for file in files if (root / file).is_file())


def handwritten_files(root: Path, files: list[str]) -> list[str]:
    """Return the files without those that .gitattributes marks as generated."""
    told = _git(root, "check-attr", "linguist-generated", "--", *files) if files else []
    generated = {line.removesuffix(": linguist-generated: set") for line in told}
    return [file for file in files if file not in generated]


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def imports(root: Path) -> dict[str, set[str]]:
    """Return the imports of every module and every test.

    Some imports are implicit: a test imports the conftest.py of its folders, and the package that its folder mirrors,
    because it may use only the registry. The conformance tests import every game.
    """
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    packages = declared["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*packages, cache_dir=str(root / ".import_linter_cache"))
    files = {module: _file(root, module) for module in graph.modules}
    found = {
        file: {files[one] for one in graph.find_modules_directly_imported_by(module)} for module, file in files.items()
    }
    modules = set(found)
    for path in sorted((root / "tests").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        unsaid = {f"{folder}/conftest.py" for folder in Path(file).parents if folder.name} - {file}
        if path.name.startswith("test_"):
            unsaid |= {f"{'/'.join(_folders(file))}/__init__.py"} & modules
        if file.startswith(_PLAYS_EVERY_GAME):
            unsaid.add(_GAMES)
        found[file] = {files.get(name) or _file(root, name) for name in _names(path, files)} | unsaid
    return found


def _file(root: Path, module: str) -> str:
    path = Path(*module.split("."))
    return (path / "__init__.py" if (root / path).is_dir() else path.with_suffix(".py")).as_posix()


def _names(path: Path, modules: Mapping[str, str]) -> Iterator[str]:
    """Yield the modules that a test imports, including test helpers."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{one.name}" for one in node.names]
            yield from (name for name in inner if name in modules or node.module.partition(".")[0] == "tests")
            yield node.module


def find_mentioned(root: Path, files: Iterable[str], among: Iterable[str]) -> set[str]:
    """Return the modules and tests in `among` whose source names one of the files, such as a template or a document."""
    names = {Path(file).name for file in files}
    texts = {one: (root / one).read_text("utf-8") for one in among if (root / one).is_file()}
    return {one for one, text in texts.items() if any(name in text for name in names)}


def distances(changes: Iterable[str], imported: Imports) -> dict[str, int]:
    """Return the number of imports between a change and each file that it can reach."""
    importers: dict[str, list[str]] = {}
    for file, others in imported.items():
        for other in others:
            importers.setdefault(other, []).append(file)
    far = dict.fromkeys(changes, 0)
    waiting = deque(far)
    while waiting:
        file = waiting.popleft()
        for importer in importers.get(file, ()):
            if importer not in far:
                far[importer] = far[file] + 1
                waiting.append(importer)
    return far


def nearest(changes: list[str], far: Mapping[str, int]) -> list[str]:
    """Return the tests that can break, in the order in which to run them.

    Changed tests come first, then tests at the mirrored path of a change, near tests, tests in the mirrored folder, and
    the others by distance. Among equals, the path with more folders in common comes first.
    """
    mirrored = {_test_path(file) for file in changes}
    folders = {Path(file).parent for file in mirrored}
    names = {Path(file).name for file in mirrored}

    def likeness(test: str) -> int:
        return max(_count_common(_folders(test), _folders(file)) for file in changes)

    def order(test: str) -> tuple[bool | int | str, ...]:
        place = (far[test] > 0, test not in mirrored, far[test] > NEAR, Path(test).parent not in folders)
        return *place, far[test], Path(test).name not in names, -likeness(test), test

    return sorted((file for file in far if Path(file).name.startswith("test_")), key=order)


def must_run(changes: list[str], far: Mapping[str, int]) -> set[str]:
    """Return the tests that must run for the check to pass: near tests, and tests at a mirrored path."""
    mirrored = {_test_path(file) for file in changes}
    return {test for test in nearest(changes, far) if far[test] <= NEAR or test in mirrored}


def _test_path(file: str) -> str:
    """Return the path at which the tests of a file are expected."""
    path = Path(file)
    return file if path.parts[0] == "tests" else (Path("tests") / path.with_name(f"test_{path.stem}.py")).as_posix()


def _folders(file: str) -> list[str]:
    folders = file.split("/")[:-1]
    return folders[1:] if folders[:1] == ["tests"] else folders


def _count_common(one: list[str], other: list[str]) -> int:
    """Return the number of common folders at the beginning of two paths."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


class Deadline:
    """A pytest plugin that starts no test after the time limit, and remembers the tests that did not run."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.until: float | None = None
        self.left: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip the test after the time limit."""
        self.until = self.until or time.monotonic() + self.seconds
        if time.monotonic() < self.until:
            return None
        self.left.append(item)
        return True

    @pytest.hookimpl
    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        """Remember the long tests, which `-m` deselects."""
        self.left += items


def main(*arguments: str) -> int:
    """Run the tests. With `--pages`, run nothing: the exit status is 0 if the pages' scripts or styles have changed."""
    differ = changed_files(ROOT)
    if arguments == ("--pages",):
        return 0 if any(map(_is_of_pages, differ)) else 1
    changes = handwritten_files(ROOT, differ)
    imported = imports(ROOT)
    others = [file for file in changes if file not in imported]
    far = distances(
        [*(file for file in changes if file in imported), *find_mentioned(ROOT, others, imported)], imported
    )
    tests = nearest(changes, far)
    _tell(f"{len(changes)} changed files reach {len(tests)} test files.")
    if not tests:
        return 0
    chosen = tests[:MOST_FILES]
    deadline = Deadline(SECONDS)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    code = pytest.main(["-q", "-m", "not long", "--playouts", "2", *chosen], plugins=[deadline])
    if code is pytest.ExitCode.NO_TESTS_COLLECTED:
        code = pytest.ExitCode.OK  # all tests are long
    left = {item.path.relative_to(ROOT).as_posix() for item in deadline.left} | set(tests[MOST_FILES:])
    near = left & must_run(changes, far)
    if near:
        _tell(
            "NOT CHECKED, run `make test`, or `make test-long` for long tests: "
            f"not every test of {_summarize(near)} ran."
        )
        return int(code) or NOT_RUN
    _tell(f"Every near test ran. `make test` also runs {len(left)} files of tests that are farther away.")
    return int(code)


def _summarize(files: set[str]) -> str:
    first, *others = sorted(files)
    return f"{first} and {len(others)} other near test files" if others else first


def _is_of_pages(file: str) -> bool:
    return file.startswith(("api/static/", "tests/web/")) and file.endswith(_PAGES)


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
