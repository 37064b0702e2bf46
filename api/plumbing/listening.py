"""Responses that wait for new events: streams, and long polls of a few seconds."""

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
    """Return the quotas that a listener of this request counts against, each with its address or token."""
    who = ("per_address", client_address()), ("per_token", caller().token)
    return [(quota, name) for quota, name in who if name is not None]


def event_stream(listener: Ear, messages: Iterator[bytes]) -> Response:
    """Stream messages to a listener as Server-Sent Events until it is closed."""
    live.hub().admit(listener)
    response = Response(
        messages,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.call_on_close(listener.close)
    return response


def wait_for_more(game_id: str, after: int, seconds: float) -> None:
    """Wait until a game has an event after `after`, for at most `seconds`."""
    ear, deadline = Ear(live.hub(), game_id, leave(), holders()), time.monotonic() + seconds
    live.hub().admit(ear)
    try:
        while not ear.is_ending and store().events.head(game_id)[0] <= after:
            # The cause may be something else than an event: a revoked token, or missed hints.
            left = deadline - time.monotonic()
            if left <= 0 or not ear.may_listen:
                break
            ear.wake.wait(left)
            ear.wake.clear()
    finally:
        ear.close()
    require_leave(ear.leave)
