"""Standard output that nobody reads, or that accepts nothing. `driftlog … | head`: a reader who stops early does not
change the result of a command.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from exports import FORMATS, Log
from tests.cli.service import ROOT, environment, environment_without_coverage
from tests.playouts import playout

EVENTS = playout()


def unread(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command whose standard output nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = [sys.executable, "-m", "cli.main", *map(str, arguments)]
        variables = environment_without_coverage(environment())
        return subprocess.run(
            command, cwd=ROOT, env=variables, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)


def test_its_exit_code_is_that_of_the_answer(tmp_path: Path) -> None:
    clean, bad = tmp_path / "clean.json", tmp_path / "bad.json"
    clean.write_bytes(b"".join(FORMATS["json"].write(Log("g", EVENTS))))
    changed = [*EVENTS[:-1], msgspec.structs.replace(EVENTS[-1], hash="0" * 64)]
    bad.write_bytes(b"".join(FORMATS["json"].write(Log("g", changed))))

    for arguments, code in (
        (("audit", clean), 0),
        (("audit", bad), 2),
        (("verify", clean, bad), 1),
        (("rulesets", "--json"), 0),
    ):
        done = unread(*arguments)
        assert (done.returncode, done.stderr) == (code, ""), arguments


@pytest.mark.parametrize(
    ("to", "why"),
    [("> /dev/full", "No space left on device"), pytest.param(">&-", "it is closed", marks=pytest.mark.long)],
)
def test_output_without_room_is_told_in_a_sentence(tmp_path: Path, to: str, why: str) -> None:
    log = tmp_path / "log.json"
    log.write_bytes(b"".join(FORMATS["json"].write(Log("g", EVENTS))))
    variables = environment_without_coverage(environment())
    for command in ("--version", "verify --help", "rulesets", "rulesets --json", "openapi", f"audit {log}"):
        line = f"{sys.executable} -m cli.main {command} {to}"
        done = subprocess.run(
            ["sh", "-c", line], cwd=ROOT, env=variables, stderr=subprocess.PIPE, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (73, f"Error: standard output cannot be written: {why}\n"), line
