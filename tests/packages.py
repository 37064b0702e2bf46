"""Install packages of rulesets for tests, in a folder for the Python path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, sources: Mapping[str, str]) -> Path:
    """Install modules. In each of them, `RULESETS` is a ruleset or a tuple of rulesets."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
        info = folder / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[driftlog.rulesets]\n{name} = {name}:RULESETS\n")
    return folder
