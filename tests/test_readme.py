"""README.md is true: its commands give the output shown, its steps name real buttons, and its links work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.service import environment_without_coverage

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
ABOUT = ROOT / "api" / "plumbing" / "about.py"
"""The module with the names of the pages about a game."""
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
MARK = "-- end of output --"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Run a service as `make serve` does, and return its address."""
    command = [Path(sys.executable).parent / "driftlog", "serve", "--port", "0", "--data", tmp_path / "data"]
    variables = environment_without_coverage(dict(os.environ))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=variables) as service:
        assert service.stdout is not None
        found = re.search(r"http://(\S+)", service.stdout.readline())
        assert found
        yield found[1]
        service.send_signal(signal.SIGTERM)
        assert service.wait(60) == 0


def commands() -> Iterator[tuple[str, str]]:
    """Yield each command of the tour with the output shown for it."""
    for block in BLOCKS:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines(keepends=True)
            end = next((at for at, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
            yield "".join(line.removeprefix("> ") for line in lines[:end]), "".join(lines[end:])


@pytest.mark.long
def test_the_tour_shows_what_happens(address: str, tmp_path: Path) -> None:
    environment = environment_without_coverage(
        {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    )
    script = "".join(f"{command}\necho '{MARK}'\n" for command, _ in commands())
    ran = subprocess.run(
        ["bash"],
        input=script.replace("localhost:8000", address),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=True,
    )
    outputs = ran.stdout.split(f"{MARK}\n")
    for (command, shown), output in zip(commands(), outputs, strict=False):
        pattern = ".*".join(re.escape(piece) for piece in shown.strip().split("…"))
        assert re.fullmatch(pattern, output.strip(), re.DOTALL), f"$ {command}\n{output}"


def test_the_two_commands_are_named() -> None:
    assert "make serve" in README
    assert "make test" in README


def test_the_steps_name_what_is_on_the_pages() -> None:
    steps = README.partition("## Record a game at your table")[2].partition("\n## ")[0]
    pages = "".join(path.read_text() for path in [*(ROOT / "api" / "templates").glob("*.html"), ABOUT])
    named = re.findall(r"\*\*(.+?)\*\*", steps)
    assert named
    assert [name for name in named if not re.search(rf"""["'>]{name}["'<]""", pages)] == []


PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target
