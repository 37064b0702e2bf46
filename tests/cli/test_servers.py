"""The embedded servers of a service: it survives a temporary fault."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.plumbing.settings import Settings
from cli.servers import Servers
from store.redis.embedded import running_url
from tests.waiting import until


def test_a_server_starts_again_once_its_folder_can_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "queue"
    lock = folder / "server.lock"
    with ExitStack() as stack:
        servers = Servers(Settings(data=tmp_path), stack)
        os.kill(int((folder / "server.pid").read_text()), signal.SIGKILL)
        lock.unlink()
        lock.mkdir()
        until(lambda: servers.revive() or caplog.messages)
        assert running_url(tmp_path, "queue") is None
        lock.rmdir()
        until(servers.revive)
        assert running_url(tmp_path, "queue") is not None
    assert caplog.messages == [f"the server of {folder} has died: starting again"]
