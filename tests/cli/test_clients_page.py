"""The command line examples in docs/clients.md are true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import main
from tests.cli.service import ROOT, SEEDED, Service, environment, environment_without_coverage
from tests.waiting import until

pytestmark = pytest.mark.long

PAGE = (ROOT / "docs" / "clients.md").read_text("utf-8")
MARK = "-- end of output --"


def test_what_is_shown_happens(service: Service, tmp_path: Path) -> None:
    service.ask("POST", "/v1/games", SEEDED | {"tags": ["club"]})
    until(lambda: service.ask("GET", "/v1/games?tag=club")[1]["games"])
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    shown = [part.partition("\n")[::2] for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    driftlog = f'driftlog() {{ "{sys.executable}" -m cli.main "$@"; }}\n'
    script = driftlog + "".join(f"{command}\necho '{MARK}'\n" for command, _ in shown)
    variables = environment_without_coverage(environment(DRIFTLOG_URL=service.url, PYTHONPATH=str(ROOT)))

    ran = subprocess.run(
        ["bash"], input=script, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )

    for (command, expected), output in zip(shown, ran.stdout.split(f"{MARK}\n"), strict=False):
        pattern = ".*".join(re.escape(piece) for piece in expected.strip().split("…"))
        assert re.fullmatch(pattern, output.strip(), re.DOTALL), f"$ {command}\n{output}\n{ran.stderr}"


def test_every_command_that_is_named_is_there() -> None:
    rows = re.findall(r"^- (`driftlog .*?): ", PAGE, re.MULTILINE)
    named = {word for row in rows for word in re.findall(r"`(?:driftlog )?([a-z-]+)", row)}
    assert named <= main.commands.keys()
    assert {"list", "show", "record", "watch", "replay", "webhooks"} <= named
