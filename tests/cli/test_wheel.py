"""The wheel contains all that the commands need."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.cli.service import ROOT, environment
from tests.ports import free_port

NOT_SHIPPED = {".ts", ".toml"}
"""Suffixes of files that only linters and type checkers read."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the files that git knows, as `pip wheel` does: a used folder contains more."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.split("\0")[:-1]:
        if not name.startswith("tests/") and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", built, source], check=True)
    (found,) = built.glob("*.whl")
    return found


def test_it_has_every_file_of_every_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    packages = sorted({name.partition("/")[0] for name in shipped})
    files = subprocess.run(["git", "ls-files", *packages], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert shipped == {name for name in files.splitlines() if Path(name).suffix not in NOT_SHIPPED}


@pytest.mark.long
def test_the_demo_runs_from_it(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Its dependencies are already installed.
    (site / "here.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    # Look for no service, because another one may run here.
    script = f"""
import cli.main, cli.demo
assert cli.demo.__file__.startswith({str(site)!r})
cli.demo.DEFAULT_URL = "http://127.0.0.1:{free_port()}"
cli.main.main(["demo"])
"""
    command = [home / "bin" / "python", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Audit       clean" in done.stdout
