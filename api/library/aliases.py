"""Aliases: merge several names of one person, and separate people with the same name.

Aliases apply to the whole library: a token for one game cannot read or change them.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from marshmallow import ValidationError

from api.plumbing.access import LIBRARIAN, READER, caller
from api.plumbing.http import Blueprint, answer, queue, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.paging import by_key, next_page
from api.plumbing.problems import malformed_request, not_found
from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from engine.play.game import parse_header
from schemas import aliases as schemas
from schemas.common import NAME, Paged
from schemas.times import now
from store.library.aliases import Alias, AssignedPlayer
from workers.queue import QueueUnavailable, enqueue_relist

blueprint = Blueprint(
    "aliases", __name__, url_prefix="/v1", description="Other names of players, and the players of seats."
)

AT_ONCE = 50
"""Maximum number of games to relist before the response. A worker relists the rest."""


@blueprint.route("/aliases")
class Aliases(MethodView):
    @blueprint.operation("listAliases", needs=READER, limits=SMALL)
    @blueprint.arguments(Paged, location="query", error_status_code=400)
    @blueprint.response(200, schemas.AliasList, headers=["Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List aliases

        The aliases are sorted by name. The list omits hidden names.
        """
        hidden = store().hiding.search_keys()
        shown = [one for one in store().aliases.all() if search_key(one.name) not in hidden]
        found, cursor = by_key(shown, query, lambda alias: search_key(alias.name))
        return answer({"aliases": found, "next_cursor": cursor}, headers=next_page(cursor))


@blueprint.route("/aliases/<path:name>")
class OneAlias(MethodView):
    @blueprint.operation("setAlias", needs=LIBRARIAN, limits=SMALL)
    @blueprint.arguments(schemas.NewAlias)
    @blueprint.response(200, schemas.Alias)
    def put(self, body: dict[str, Any], name: str) -> Response:
        """Set an alias

        Letter case is ignored. From now on, lists, filters, player pages and statistics treat both names as one player,
        and show the name in `is`. If `is` is itself an alias, they show the name to which that alias refers. The logs
        keep the original names. The new alias replaces an earlier alias of the same name. If it affects many games, a
        worker updates them within a moment.
        """
        try:
            NAME(name)
        except ValidationError as error:
            raise malformed_request("/name", str(error.messages[0])) from None
        said = Alias(name, body["person"], now(), caller().name)
        note(**{"is": said.person})
        store().aliases.declare(said)
        _relist()
        return answer(said)

    @blueprint.operation("deleteAlias", needs=LIBRARIAN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, name: str) -> Response:
        """Delete an alias

        From now on, the name is a separate player again.
        """
        note()
        if not store().aliases.withdraw(name):
            raise not_found("such alias")
        _relist()
        return Response(status=204)


@blueprint.route("/games/<string:game_id>/seats/<string:seat>/player")
class Player(MethodView):
    @blueprint.operation("getSeatPlayer", needs=READER, limits=SMALL)
    @blueprint.response(200, schemas.AssignedPlayer)
    def get(self, game_id: str, seat: str) -> Response:
        """Get the player of a seat

        The response is 404 if nobody has set a player for the seat: then the recorded name applies.
        """
        written = _recorded_name(game_id, seat)
        said = store().aliases.sitters(game_id).get(seat)
        if said is None or search_key(said.person) in store().hiding.search_keys():
            raise _unsaid()
        return _seat_response(game_id, seat, written, said)

    @blueprint.operation("setSeatPlayer", needs=LIBRARIAN, limits=SMALL)
    @blueprint.arguments(schemas.NewAssignedPlayer)
    @blueprint.response(200, schemas.AssignedPlayer)
    def put(self, body: dict[str, Any], game_id: str, seat: str) -> Response:
        """Set the player of a seat

        Use this if two people have the same name. Lists, filters, player pages and statistics count this game for the
        given player; the log keeps the recorded name.
        """
        written = _recorded_name(game_id, seat)
        said = AssignedPlayer(body["person"], now(), caller().name)
        note(person=said.person)
        store().aliases.seat(game_id, seat, said)
        _relist()
        return _seat_response(game_id, seat, written, said)

    @blueprint.operation("deleteSeatPlayer", needs=LIBRARIAN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, game_id: str, seat: str) -> Response:
        """Remove the player of a seat

        From now on, the recorded name applies again.
        """
        _recorded_name(game_id, seat)
        note()
        if not store().aliases.seat(game_id, seat, None):
            raise _unsaid()
        _relist()
        return Response(status=204)


def _recorded_name(game_id: str, seat: str) -> str:
    names = dict(zip(SEAT_IDS, parse_header(store().events.first(game_id)).names, strict=False))
    if seat not in names:
        raise not_found("such seat in this game")
    return names[seat]


def _unsaid() -> Exception:
    return not_found("player assigned to this seat")


def _seat_response(game_id: str, seat: str, written: str, said: AssignedPlayer) -> Response:
    return answer({"game": game_id, "seat": seat, "written": written, **msgspec.structs.asdict(said)})


def _relist() -> None:
    """Relist the affected games. If there are many, a worker relists the rest."""
    if store().projections.relist(AT_ONCE):
        with suppress(QueueUnavailable):
            # The dispatcher would queue this job, too, but later.
            enqueue_relist(queue())
