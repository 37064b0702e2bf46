"""The story of a game: its events in the sentences that a player would say, with what became of each."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.http import Blueprint, answer, next_page, position, store
from api.viewing import look
from engine import beliefs
from engine.events import SEAT_IDS
from engine.fold import AnyRuleset, Game
from exports.log import Log
from exports.telling import Told, tell
from schemas.reading import Story, StoryQuery
from store.cache import Cache

blueprint = Blueprint(
    "story", __name__, url_prefix="/v1/games/<string:game_id>/story", description="What happened, in sentences."
)


class Line(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One event, told. What most events do not have is absent where it is None."""

    seq: int
    turn: int
    seat: str | None
    """Whose turn it is; None for turn 0."""
    type: str
    actor: str | None
    sentence: str
    is_undone: bool
    recorded_at: str
    occurred_at: str | None
    recorded_by: str | None = None
    note: str | None = None
    to: int | None = None
    """Of an undo: the event that it goes back to."""
    about: int | None = None
    """Of an annotation: the event that it is about."""
    text: str | None = None
    mark: str | None = None
    bookmark: str | None = None
    superseded_by: int | None = None
    """The later event that took it back or wrote it anew."""
    verdict: str | None = None
    rule: str | None = None
    reason: str | None = None


_STORIES: Cache[str, tuple[Line, ...]] = Cache(64)
"""By the hash of the last event, which stands for the whole log: whoever watches a game asks the same."""


@blueprint.route("")
class Stories(MethodView):
    @blueprint.arguments(StoryQuery, location="query", error_status_code=400)
    @blueprint.response(200, Story)
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """Read what happened

        Every event in a sentence, in order, from the one after `after`; what players hide is told as the table saw it.
        With `until`, all is told as it stood after that event: what came later is nowhere in the answer.
        """
        game = look(game_id, query).game
        after, limit = query["after"], query["limit"]
        lines = story(game_id, game)
        page = lines[after : after + limit]
        headers = next_page(after=page[-1].seq) if page and page[-1].seq < game.version else {}
        return answer({**position(game), "story": page}, headers=headers)


def story(game_id: str, game: Game) -> tuple[Line, ...]:
    """Every event up to the game's version, told.

    Raises:
        EngineError: the log does not replay.
    """

    def told() -> tuple[Line, ...]:
        log = list(itertools.chain.from_iterable(store().events.pages(game_id, until=game.version)))
        return tuple(_line(one, game.ruleset) for one in tell(Log(game_id=game_id, events=log)))

    return _STORIES.once(game.head, told)


def _line(told: Told, ruleset: AnyRuleset) -> Line:
    event = told.event
    said = told.remark.said if told.remark is not None else None
    return Line(
        seq=event.seq,
        turn=event.turn,
        seat=SEAT_IDS[ruleset.active(beliefs.likeliest(told.before))] if told.before is not None else None,
        type=event.type,
        actor=event.actor,
        sentence=told.sentence,
        is_undone=told.is_undone,
        recorded_at=event.recorded_at,
        occurred_at=event.occurred_at,
        recorded_by=event.recorded_by,
        note=event.note,
        to=event.params["to"] if event.type == "undo" else None,
        about=told.remark.about if told.remark is not None else None,
        text=said.text if said is not None else None,
        mark=said.mark if said is not None else None,
        bookmark=said.bookmark if said is not None else None,
        superseded_by=told.superseded_by,
        verdict=event.verdict,
        rule=event.rule,
        reason=event.reason,
    )
