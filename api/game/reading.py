"""What is read of a game: what may be done now, the table at any event, its turns, its log as a file."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.plumbing.access import VIEWER, caller
from api.plumbing.exported import answered, asked
from api.plumbing.http import Blueprint, look, look_at_log, position, store, versioned
from api.plumbing.limits import ORDER, SMALL
from api.plumbing.noting import note
from api.plumbing.openapi import log_content
from api.plumbing.problems import malformed
from api.plumbing.sending import ASKS, TELLS
from engine.core.digests import state_digest
from engine.core.values import not_a_seat
from engine.play import beliefs, facts
from engine.play.game import Game
from exports import FORMATS
from schemas.events import Viewed
from schemas.jobs import Job
from schemas.reading import (
    ActionQuery,
    ExportQuery,
    FactList,
    FactQuery,
    LegalActions,
    State,
    StateQuery,
    TurnList,
    UnknownList,
)
from service import table
from service.story import turns
from service.viewing import Seen, after_event, after_turn

blueprint = Blueprint(
    "reading", __name__, url_prefix="/v1/games/<string:game_id>", description="The table, now and at any event."
)


@blueprint.route("/actions")
class Actions(MethodView):
    """What may be done now."""

    @blueprint.operation("listActions", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(ActionQuery, location="query", error_status_code=400)
    @blueprint.response(200, LegalActions, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """All that may be appended now

        Complete and exact; where a full list would be too long, `ranges` says what else. Each entry, less `label`,
        `warning`, `rule` and `chance`, is a body to append. Where somebody has to know what nobody saw, `possible` has
        what may be legal. `timer` says what the players have only so long for: the table holds the watch. A seat's
        token is told what that seat may do; `awaiting` says whom the table waits for.
        """
        game = look(game_id, query).game
        actor = query.get("actor")
        if actor is not None and actor not in game.header.seat_ids:
            raise malformed("/actor", not_a_seat(len(game.header.seats), actor))
        # What one browser has kept as one seat is not what it is told as another.
        seat = caller().seat
        return versioned(legal_actions(game, actor), game.version if seat is None else f"{game.version}-{seat}")


def legal_actions(game: Game, actor: str | None = None) -> dict[str, Any]:
    """All that the caller, or that seat, may append to the game, as it is told."""
    found = table.actions(game, caller(), actor)
    document = {
        **position(game),
        "actions": found.legal,
        "possible": found.possible,
        "ranges": found.ranges,
        "timer": table.timer(game),
    }
    del document["outcome"]
    return document


@blueprint.route("/unknowns")
class Unknowns(MethodView):
    """What nobody saw."""

    @blueprint.operation("listUnknowns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, UnknownList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """What nobody saw

        Each outcome that was reported as null and has not been revealed since, with all that it may have been by what
        is known now. A `reveal` says what it was.
        """
        game = look(game_id, query).game
        return versioned({"unknowns": table.unknowns(store(), game_id, game), "version": game.version}, game.version)


@blueprint.route("/state")
class States(MethodView):
    """The states of a game."""

    @blueprint.operation("getState", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(StateQuery, location="query", error_status_code=400)
    @blueprint.response(200, State, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The table after an event

        The last one, the one that `at` names, or the last of `turn` on the line that stands. After event `at` the table
        is as it was then, whatever was amended since.
        """
        if "at" in query and "turn" in query:
            raise malformed("/turn", "either `at` or `turn`")
        seen = look(game_id, query)
        game, is_rewritten = seen.game, False
        if "turn" in query:
            game, is_rewritten = after_turn(store(), game_id, game, query["turn"])
        elif "at" in query:
            game = after_event(store(), game_id, game, query["at"])
        tag = f"{game.version}-{seen.game.version}" if is_rewritten else game.version
        return versioned(state(seen, game), tag)


def state(seen: Seen, game: Game) -> dict[str, Any]:
    """The state of `game` as it is told to whoever sees it as `seen`."""
    whole = None if game.state is None else state_digest(game.state)
    return {**position(game), "state": seen.state(game), "state_hash": whole}


@blueprint.route("/facts")
class Facts(MethodView):
    """What the table says of itself."""

    @blueprint.operation("listFacts", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(FactQuery, location="query", error_status_code=400)
    @blueprint.response(200, FactList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The facts of the table after an event

        The last one, or the one that `at` names: all that is so whatever nobody saw, as whoever looks may see it. An
        `adjust` with other `facts` puts right what the record has otherwise; each of these is one to tell.
        """
        seen = look(game_id, query)
        game = after_event(store(), game_id, seen.game, query["at"]) if "at" in query else seen.game
        told = [] if game.state is None else facts.known(game.ruleset, game.state, seen.seat)
        rows = {} if game.state is None else beliefs.overview(game.ruleset, game.state, game.header.names)
        document = {
            "facts": list(map(facts.document, told)),
            "sentences": [fact.sentence(game.header.names) for fact in told],
            "overview": [{"label": label, "text": text} for label, text in rows.items()],
            "version": game.version,
        }
        return versioned(document, game.version)


@blueprint.route("/turns")
class Turns(MethodView):
    """The turn index."""

    @blueprint.operation("listTurns", needs=VIEWER, limits=SMALL)
    @blueprint.arguments(Viewed, location="query", error_status_code=400)
    @blueprint.response(200, TurnList, headers=["ETag"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The turns of a game

        Of the line that stands: what was undone has no part in it. What players hide is told as the table saw it.
        """
        game = look(game_id, query).game
        return versioned({"turns": turns(store(), game_id, game), "version": game.version}, game.version)


@blueprint.route("/export")
class Export(MethodView):
    """The log, in one of the formats."""

    @blueprint.operation(
        "exportGame",
        needs=VIEWER,
        limits=ORDER,
        asks=ASKS,
        refuses=["too-many-jobs", "format-not-installed", "invalid"],
    )
    @blueprint.arguments(ExportQuery, location="query", error_status_code=400)
    @blueprint.file(
        "The whole log, as a file.",
        log_content(FORMATS.values()),
        headers=["Link", "Content-Disposition", "Driftlog-Head", *TELLS],
        in_parts=True,
    )
    @blueprint.alt_response(202, schema=Job, description="A worker makes it.", headers=["Location", "Retry-After"])
    def get(self, query: dict[str, Any], game_id: str) -> Response:
        """The whole log as a file

        `/v1/export-formats` lists the formats, and says which can be imported again. Without `format` it is the one
        that `Accept` would rather have; of those with one media type the first, and `json` where anything will do.
        Texts are streamed, by gzip if that is accepted. A binary file can be asked for in parts. Where a worker has to
        make a file first, the answer is 202, and `Location` the job to follow: then ask again. That is so for pictures
        and PDFs, for long games in binary formats, and for games of more than 5,000 events in all formats but `json`,
        `ndjson`, `cloudevents` and `cloudevents_ndjson`.
        """
        wanted = asked(query)
        seen = (look if wanted.kind.needs_rules else look_at_log)(game_id, query)
        if seen.seat is not None and caller().token is not None:
            note(format=wanted.kind.name, viewer=wanted.viewer)
        return answered(wanted, game_id, seen)
