"""Comparing: a game beside another one of the same ruleset, such as a fork beside its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.http import Blueprint, position, store, versioned
from api.problems import invalid
from api.viewing import Seen, look
from engine import beliefs
from engine.canonical import digest
from engine.compare import common, played
from engine.differences import differences
from engine.events import Event
from exports.log import Log
from exports.telling import Standing, standing
from schemas.comparing import CompareQuery, Comparison

blueprint = Blueprint(
    "comparing", __name__, url_prefix="/v1/games/<string:game_id>/compare", description="Two games side by side."
)


class _Line(msgspec.Struct, frozen=True):
    """What stands of a game, as somebody sees it."""

    game_id: str
    seen: Seen
    events: list[Event]
    sentences: dict[int, str]
    """By the event's `seq`."""

    def view(self) -> dict[str, Any] | None:
        """The state's document at the end."""
        game = self.seen.game
        return None if game.state is None else beliefs.view(game.ruleset, game.state, self.seen.seat)

    def document(self, after: int) -> dict[str, Any]:
        """Where the game stands, and the events after the first `after`, told."""
        game = self.seen.game
        return {
            "id": self.game_id,
            **position(game),
            "events": [
                {**msgspec.to_builtins(event), "sentence": self.sentences[event.seq]} for event in self.events[after:]
            ],
            "state": self.view(),
            "state_hash": None if game.state is None else digest(game.state),
        }


@blueprint.route("/<string:other_id>")
class Compared(MethodView):
    @blueprint.arguments(CompareQuery, location="query", error_status_code=400)
    @blueprint.response(200, Comparison)
    def get(self, query: dict[str, Any], game_id: str, other_id: str) -> Response:
        """Compare two games

        What they have in common from the beginning, both lines after that, and both states. Of the lines that stand:
        what was taken back has no part in it, and neither has what was only said about the game. `at` and `other_at`
        compare them as they were when those events were the last.
        """
        lines = [
            _line(game_id, _until(query, "at")),
            _line(other_id, _until(query, "other_at")),
        ]
        one, other = lines
        if one.seen.game.header.ruleset != other.seen.game.header.ruleset:
            raise invalid("/other_id", "a game of another ruleset: there is nothing to compare")
        length = common(one.seen.game.ruleset, one.events, other.events)
        document = {
            "common": {"events": length, "at": _last(one.events, length), "other_at": _last(other.events, length)},
            "game": one.document(length),
            "other": other.document(length),
            "difference": differences(one.view(), other.view()),
        }
        return versioned(document, f"{one.seen.game.version}-{other.seen.game.version}")


def _line(game_id: str, query: dict[str, Any]) -> _Line:
    seen = look(game_id, query)
    log = Log(game_id, store().events.read(game_id, until=seen.game.version))
    line = standing(log)
    events = played(_shown(seen, one) for one in line)
    return _Line(game_id, seen, events, {one.event.seq: one.sentence for one in line})


def _shown(seen: Seen, one: Standing) -> Event:
    """What stands in a place as it may be seen: what an amend brought is hidden since the amend."""
    place = one.event.seq
    return msgspec.structs.replace(seen.show(msgspec.structs.replace(one.event, seq=one.source)), seq=place)


def _until(query: dict[str, Any], name: str) -> dict[str, Any]:
    """What is asked of one of the two games."""
    until = {"until": query[name]} if name in query else {}
    return {"viewer": query["viewer"], **until}


def _last(events: Sequence[Event], length: int) -> int:
    """The `seq` of the last of the first `length` events; 0 where there is none."""
    return events[length - 1].seq if length else 0
