"""`python -m tests.affected`: the tests that a change can break, nearest first, for as long as somebody waits for them.

What has changed is what differs from where this branch left main, and what is not committed. A test is as far from a
change as there are imports between them; a file that is no module is as far as a module that names it.
"""

from __future__ import annotations

import ast
import os
import re
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
LEFT_OUT = tuple(re.findall(r"^GAMES := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[0].split())
"""Whole games, browsers and figures: `make test` has them."""
MOST_FILES = 40
"""Test files that are read at all: reading takes its time, too."""
SECONDS = 25
"""After which no further test begins."""
_TRUNKS = ("main", "origin/main")
_PAGES = (".js", ".ts", ".css", ".svg", ".json")

Imports = Mapping[str, set[str]]
"""By file, what it imports; files as paths within the repository."""


def changed(root: Path) -> list[str]:
    """What differs from where the branch left main, with what git does not know yet; what was deleted is not told."""
    base = next((found for trunk in _TRUNKS if (found := _git(root, "merge-base", "HEAD", trunk))), ["HEAD"])[0]
    files = {*_git(root, "diff", "--name-only", base), *_git(root, "ls-files", "--others", "--exclude-standard")}
    return sorted(file for file in files if (root / file).is_file())


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def imports(root: Path) -> dict[str, set[str]]:
    """What every module and every test imports; a test imports the conftest.py of its folders without saying so."""
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    packages = declared["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*packages, cache_dir=str(root / ".import_linter_cache"))
    files = {module: _file(root, module) for module in graph.modules}
    found = {
        file: {files[one] for one in graph.find_modules_directly_imported_by(module)} for module, file in files.items()
    }
    for path in sorted((root / "tests").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        conftests = {f"{folder}/conftest.py" for folder in Path(file).parents if folder.name}
        found[file] = {files.get(name) or _file(root, name) for name in _names(path, files)} | (conftests - {file})
    return found


def _file(root: Path, module: str) -> str:
    path = Path(*module.split("."))
    return (path / "__init__.py" if (root / path).is_dir() else path.with_suffix(".py")).as_posix()


def _names(path: Path, modules: Mapping[str, str]) -> Iterator[str]:
    """The modules that a test imports, its helpers among them."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{one.name}" for one in node.names]
            yield from (name for name in inner if name in modules or node.module.partition(".")[0] == "tests")
            yield node.module


def named(root: Path, files: Iterable[str], among: Iterable[str]) -> set[str]:
    """Of the modules and tests in `among`, those that name one of the files: a template, a golden file, a document."""
    names = {Path(file).name for file in files}
    texts = {one: (root / one).read_text("utf-8") for one in among if (root / one).is_file()}
    return {one for one, text in texts.items() if any(name in text for name in names)}


def distances(changes: Iterable[str], imported: Imports) -> dict[str, int]:
    """How many imports lie between a change and each file that it can reach."""
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
    """The tests that can break, nearest first; of those as near the ones named after a change, then those beside it."""
    names = {f"test_{Path(file).stem}.py" for file in changes}

    def likeness(test: str) -> int:
        return max(_shared(_folders(test), _folders(file)) for file in changes)

    tests = [file for file in far if Path(file).name.startswith("test_") and not file.startswith(LEFT_OUT)]
    return sorted(tests, key=lambda test: (far[test], Path(test).name not in names, -likeness(test), test))


def _folders(file: str) -> list[str]:
    folders = file.split("/")[:-1]
    return folders[1:] if folders[:1] == ["tests"] else folders


def _shared(one: list[str], other: list[str]) -> int:
    """How many folders two ways have in common, from their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


class Deadline:
    """So long after the first test no other begins; how many did not is told."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at: float | None = None
        self.left: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Leave the test out where it is too late."""
        self.at = self.at or time.monotonic() + self.seconds
        if time.monotonic() < self.at:
            return None
        self.left.append(item)
        return True

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """How much was left out."""
        if self.left:
            files = len({item.path for item in self.left})
            terminalreporter.write_line(f"Left out, as it would take longer: {len(self.left)} tests of {files} files.")


def main(*arguments: str) -> int:
    """Run the tests; with `--pages`, only say by the exit code whether the pages' scripts or styles have changed."""
    changes = changed(ROOT)
    if arguments == ("--pages",):
        return 0 if any(map(_is_of_pages, changes)) else 1
    imported = imports(ROOT)
    others = [file for file in changes if file not in imported]
    far = distances([*(file for file in changes if file in imported), *named(ROOT, others, imported)], imported)
    tests = nearest(changes, far)
    chosen = tests[:MOST_FILES]
    _tell(f"{len(changes)} changed files reach {len(tests)} test files.")
    if not chosen:
        return 0
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    code = pytest.main(["-q", *chosen], plugins=[Deadline(SECONDS)])
    if len(tests) > len(chosen):
        _tell(f"Left out, as they are farther away: {len(tests) - len(chosen)} test files.")
    _tell("No whole games, no browser, no coverage: `make test` has them all.")
    return int(code)


def _is_of_pages(file: str) -> bool:
    return file.startswith(("api/static/", "tests/web/")) and file.endswith(_PAGES)


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
