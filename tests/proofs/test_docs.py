"""docs/proofs.md is true: its program runs, and everything that it names exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.core.events import Event
from exports import FORMATS, Log
from proofs.heads import PAYLOAD_TYPE, Head
from tests.playouts import playout
from tests.proofs.signing import GAME, KEY, sign_head
from tests.recording import chained

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
PROGRAM = ROOT / "examples" / "check_proof.py"
EVENTS = playout("forever-island", limit=40)


def run(folder: Path, events: list[Event]) -> subprocess.CompletedProcess[str]:
    """Run the example program on a log with the proof of `EVENTS`, and return its output."""
    file = folder / "game.json"
    file.write_bytes(b"".join(FORMATS["json"].write(Log(GAME, events, proof=sign_head(EVENTS)))))
    return subprocess.run([sys.executable, PROGRAM, file, KEY.public.id], capture_output=True, text=True, check=False)


def test_the_program_takes_the_signed_log(tmp_path: Path) -> None:
    ran = run(tmp_path, EVENTS)

    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("fix", [list, chained])
def test_the_program_finds_a_forgery(tmp_path: Path, fix: type[list[Event]]) -> None:
    forgery = fix([*EVENTS[:20], msgspec.structs.replace(EVENTS[20], note="é \u2028 \x7f \x1f"), *EVENTS[21:]])

    assert run(tmp_path, forgery).stderr.endswith("AssertionError: 21\n")


def test_every_member_is_described() -> None:
    named = " ".join(re.findall(r"^- ([^:]+):", PAGE[PAGE.index("## What is signed") :], re.MULTILINE))

    assert set(re.findall(r"`(\w+)`", named)) >= set(Head.__struct_fields__)
    assert f'"payloadType": "{PAYLOAD_TYPE}"' in PAGE
