"""The library's stream: every event appended to any game."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView

from api.plumbing import live
from api.plumbing.access import VIEWER, leave
from api.plumbing.filters import parse_filter
from api.plumbing.http import TEXT, Blueprint, store
from api.plumbing.limits import SMALL
from api.plumbing.listening import event_stream, holders
from api.plumbing.live import HEARTBEAT, LIBRARY, Holder, Hub, Leave, MessageListener
from api.plumbing.problems import malformed_request
from schemas.games import GameFilter
from service.following import FeedOfOne, Following
from store.log.feed import Feed, FeedEntry, place

blueprint = Blueprint("library", __name__, url_prefix="/v1", description="The events of all games in one stream.")

PAGE = 100
_ID = re.compile(r"([0-9]{1,19}-[0-9]{1,19})(?::([0-9]{1,15}))?")


class LibraryListener(MessageListener):
    """A stream of the library. Iterate it for the bytes to send.

    Args:
        after: the id of the last received feed entry; None: only new events.
        seq: the last received event of that entry; None: all events of the entry were received.
    """

    def __init__(
        self,
        hub: Hub,
        following: Following,
        feed: Feed | FeedOfOne,
        *,
        after: str | None,
        seq: int | None,
        leave: Leave | None,
        holders: Sequence[Holder],
    ) -> None:
        super().__init__(hub, following.game or LIBRARY, leave, holders)
        self._following = following
        self._feed = feed
        self._is_new = after is None
        self._after = feed.last() if after is None else after
        self._seq = seq
        self._said = time.monotonic()

    def _messages(self) -> Iterator[bytes]:
        if self._is_new:
            yield self._alive()
        yield from self._catch_up()
        while True:
            self.wake.clear()
            if self.is_ending or not self.may_listen:
                return
            entries = self._feed.read(self._after, limit=PAGE)
            for entry in entries:
                yield from self._entry_messages(entry)
                if not self.may_listen:
                    return
                self._after = entry.id
            # Send the position even if no event matches the filter, so that a client that reconnects need not read
            # these entries again.
            if (not entries and not self.wake.wait(HEARTBEAT)) or time.monotonic() - self._said > HEARTBEAT:
                yield self._alive()

    def _catch_up(self) -> Iterator[bytes]:
        """Yield a message if events were missed. Then yield the rest of an entry that was only partly sent."""
        oldest = self._feed.first()
        if not self._is_new and oldest is not None and place(self._after) < place(oldest):
            yield b"event: missed\ndata: %b\n\n" % msgspec.json.encode({"before": oldest})
        if self._seq is not None:
            found = self._feed.read(self._after, limit=1, including=True)
            if found and found[0].id == self._after:
                yield from self._entry_messages(found[0], self._seq)

    def _entry_messages(self, entry: FeedEntry, after: int = 0) -> Iterator[bytes]:
        for page in self._following.letters(entry, after):
            # Check the permission after reading, so that nothing is sent that was appended after the permission ended.
            if not self.may_listen:
                return
            for letter in page:
                seq = letter.data.event.seq
                yield b"id: %b:%d\ndata: %b\n\n" % (entry.id.encode(), seq, msgspec.json.encode(letter))
            self._said = time.monotonic()

    def _alive(self) -> bytes:
        """Return a heartbeat message with the stream's position."""
        self._said = time.monotonic()
        return b"id: %b\n: still here\n\n" % self._after.encode()


@blueprint.route("/stream")
class LibraryStream(MethodView):
    @blueprint.operation(
        "watchLibrary", needs=VIEWER, limits=SMALL, asks=["Last-Event-ID"], refuses=["too-many-streams"]
    )
    @blueprint.arguments(GameFilter, location="query", error_status_code=400)
    @blueprint.file(
        "Server-Sent Events: `data` is a `LibraryEvent`. A message named `missed` means that the service no longer has "
        "some events after `Last-Event-ID`.",
        {"text/event-stream": TEXT},
    )
    def get(self, query: dict[str, Any]) -> Response:
        """Watch the library

        Sends every event that is appended to a matching game, as the public sees it. The stream begins with the next
        event, or after the last event of an earlier stream (`Last-Event-ID`). It can go back at most 50,000 appends.
        The events of a game are in order and complete; `data` is the same as in a webhook.
        """
        header = request.headers.get("Last-Event-ID", "")
        match = _ID.fullmatch(header)
        if header and match is None:
            raise malformed_request("/Last-Event-ID", "Send the `id` of a message of this stream.")
        after, seq = (None, None) if match is None else (match[1], int(match[2]) if match[2] else None)
        asked = parse_filter(query)
        listener = LibraryListener(
            live.hub(),
            Following(store(), asked),
            store().feed if asked.game is None else FeedOfOne(store(), asked.game),
            after=after,
            seq=seq,
            leave=leave(),
            holders=holders(),
        )
        return event_stream(listener, iter(listener))
