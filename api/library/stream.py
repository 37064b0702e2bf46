"""The library as it grows: one stream of what is appended to all games."""

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
from api.plumbing.filters import wanted
from api.plumbing.http import TEXT, Blueprint, store
from api.plumbing.limits import SMALL
from api.plumbing.listening import holders, streamed
from api.plumbing.live import HEARTBEAT, LIBRARY, Holder, Hub, Leave, Told
from api.plumbing.problems import malformed
from schemas.games import GameFilter
from service.following import FeedOfOne, Following
from store.log.feed import Entry, Feed, place

blueprint = Blueprint("library", __name__, url_prefix="/v1", description="All games at once.")

PAGE = 100
_ID = re.compile(r"([0-9]{1,19}-[0-9]{1,19})(?::([0-9]{1,15}))?")


class LibraryListener(Told):
    """One stream of the library: iterate it for the bytes to send.

    Args:
        after: the entry of the feed that was received last; None: what comes from now on.
        seq: of that entry, the last event that was received; None: all of them were.
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
        yield from self._resumed()
        while True:
            self.wake.clear()
            if self.is_ending or not self.may_listen:
                return
            entries = self._feed.read(self._after, limit=PAGE)
            for entry in entries:
                yield from self._told(entry)
                if not self.may_listen:
                    return
                self._after = entry.id
            # Also where much is appended that is not asked for: whoever comes back need not go through it again.
            if (not entries and not self.wake.wait(HEARTBEAT)) or time.monotonic() - self._said > HEARTBEAT:
                yield self._alive()

    def _resumed(self) -> Iterator[bytes]:
        """What was missed for good, and the rest of the entry in which the stream ended."""
        oldest = self._feed.first()
        if not self._is_new and oldest is not None and place(self._after) < place(oldest):
            yield b"event: missed\ndata: %b\n\n" % msgspec.json.encode({"before": oldest})
        if self._seq is not None:
            found = self._feed.read(self._after, limit=1, including=True)
            if found and found[0].id == self._after:
                yield from self._told(found[0], self._seq)

    def _told(self, entry: Entry, after: int = 0) -> Iterator[bytes]:
        for page in self._following.letters(entry, after):
            # Asked after they were read: what was appended after the end of a token is not sent by it.
            if not self.may_listen:
                return
            for letter in page:
                seq = letter.data.event.seq
                yield b"id: %b:%d\ndata: %b\n\n" % (entry.id.encode(), seq, msgspec.json.encode(letter))
            self._said = time.monotonic()

    def _alive(self) -> bytes:
        """A sign of life, with the place that the stream has come to."""
        self._said = time.monotonic()
        return b"id: %b\n: still here\n\n" % self._after.encode()


@blueprint.route("/stream")
class LibraryStream(MethodView):
    """The library, live."""

    @blueprint.operation(
        "watchLibrary", needs=VIEWER, limits=SMALL, asks=["Last-Event-ID"], refuses=["too-many-streams"]
    )
    @blueprint.arguments(GameFilter, location="query", error_status_code=400)
    @blueprint.file(
        "Server-Sent Events: `data` is a `LibraryEvent`. One named `missed` says that what came before is not kept.",
        {"text/event-stream": TEXT},
    )
    def get(self, query: dict[str, Any]) -> Response:
        """Watch the library grow

        Every event that is appended to a game which fits the filter, as everybody may see it: from now on, or from
        where `Last-Event-ID` says that the stream ended. The last 50,000 appends can be gone back to. Within a game
        they come in order, and none is left out; `data` is what a webhook is sent.
        """
        header = request.headers.get("Last-Event-ID", "")
        match = _ID.fullmatch(header)
        if header and match is None:
            raise malformed("/Last-Event-ID", "the `id` of an event of this stream")
        after, seq = (None, None) if match is None else (match[1], int(match[2]) if match[2] else None)
        asked = wanted(query)
        listener = LibraryListener(
            live.hub(),
            Following(store(), asked),
            store().feed if asked.game is None else FeedOfOne(store(), asked.game),
            after=after,
            seq=seq,
            leave=leave(),
            holders=holders(),
        )
        return streamed(listener, iter(listener))
