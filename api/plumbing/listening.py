"""Answers that wait for what is appended: a stream for as long as somebody listens, a long poll for some seconds."""

from __future__ import annotations

import time
from collections.abc import Iterator

from flask import Response

from api.plumbing import live
from api.plumbing.access import caller, leave, require_leave
from api.plumbing.addresses import client_address
from api.plumbing.http import store
from api.plumbing.live import Ear, Holder


def holders() -> list[Holder]:
    """For whom a listener of this request counts."""
    who = ("per_address", client_address()), ("per_token", caller().token)
    return [(quota, name) for quota, name in who if name is not None]


def streamed(listener: Ear, messages: Iterator[bytes]) -> Response:
    """What a listener is told, as Server-Sent Events, until it is closed.

    Raises:
        Problem: there are as many as there may be.
    """
    live.hub().admit(listener)
    response = Response(
        messages,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.call_on_close(listener.close)
    return response


def wait_for_more(game_id: str, after: int, seconds: float) -> None:
    """Return once a game has an event after `after`, or after that time.

    Raises:
        Problem: as many wait and listen as may, or the caller may not read it any more.
    """
    ear, deadline = Ear(live.hub(), game_id, leave(), holders()), time.monotonic() + seconds
    live.hub().admit(ear)
    try:
        while not ear.is_ending and store().events.head(game_id)[0] <= after:
            # Whoever wakes it may have done so for less: for a token that was withdrawn, or hints that were missed.
            left = deadline - time.monotonic()
            if left <= 0 or not ear.may_listen:
                break
            ear.wake.wait(left)
            ear.wake.clear()
    finally:
        ear.close()
    require_leave(ear.leave)
