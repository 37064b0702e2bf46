"""Find a redis-server for the tests, or install Debian's: `python -m tests.store.finding` prints its path."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from store.redis.binary import server_version
from store.redis.connection import OLDEST_SERVER
from tests.fetching import install

_FOLDER = Path(tempfile.gettempdir()) / "driftlog-redis"
_TOOL = Path("/usr/bin/redis-check-rdb")
"""The name of the server in Debian's package of tools, which does not start a server."""


class NoRedis(Exception):
    """There is no server, and none can be installed; the message lists the attempts."""


def find() -> Path:
    """Return a redis-server: on PATH, otherwise Debian's if it can be installed.

    Raises:
        NoRedis: there is none of them.
    """
    found = shutil.which("redis-server")
    if found is not None and server_version(Path(found)) >= OLDEST_SERVER:
        return Path(found)
    tried = [] if _TOOL.exists() else install("redis-tools")
    if _TOOL.exists():
        _FOLDER.mkdir(exist_ok=True)
        server = _FOLDER / "redis-server"
        if not server.exists():
            server.symlink_to(_TOOL)
        if server_version(server) >= OLDEST_SERVER:
            return server
    raise NoRedis("; ".join(["There is no redis-server of 6.2 or newer on PATH", *tried]))


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find()}\n")
    except NoRedis as missing:
        sys.exit(str(missing))
