"""Who is meant by a name: two names of one person, and two people of one name.

What is said of names is about the whole library: a token for one game learns nothing of it, and has none of it said.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from marshmallow import ValidationError

from api.plumbing.access import LIBRARIAN, READER, caller
from api.plumbing.http import Blueprint, answer, now, queue, store
from api.plumbing.limits import SMALL
from api.plumbing.noting import note
from api.plumbing.problems import malformed, not_found
from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from engine.play.game import opened
from schemas import aliases as schemas
from schemas.common import NAME
from store.library.aliases import Alias, Sitter
from workers.queue import QueueUnavailable, enqueue_relist

blueprint = Blueprint("aliases", __name__, url_prefix="/v1", description="Who is meant by a name.")

AT_ONCE = 50
"""So many games are listed anew before it is answered; a worker does the others."""


@blueprint.route("/aliases")
class Aliases(MethodView):
    """The names that are other names of somebody."""

    @blueprint.operation("listAliases", needs=READER, limits=SMALL)
    @blueprint.response(200, schemas.AliasList)
    def get(self) -> Response:
        """The names that are other names of somebody

        By name; those of people who are hidden are left out.
        """
        hidden = store().hiding.folded()
        return answer({"aliases": [one for one in store().aliases.all() if search_key(one.name) not in hidden]})


@blueprint.route("/aliases/<path:name>")
class OneAlias(MethodView):
    """One such name."""

    @blueprint.operation("sayAlias", needs=LIBRARIAN, limits=SMALL)
    @blueprint.arguments(schemas.NewAlias)
    @blueprint.response(200, schemas.Alias)
    def put(self, body: dict[str, Any], name: str) -> Response:
        """Say that a name is another name of somebody

        In any case of its letters. From then on lists, filters, players' pages and figures tell of one person, by the
        name under `is`; where that is another name itself, by what it is another name of. The logs keep what was
        written. What was said of the name before counts no more. Many games follow within a moment.
        """
        try:
            NAME(name)
        except ValidationError as error:
            raise malformed("/name", str(error.messages[0])) from None
        said = Alias(name, body["person"], now(), caller().name)
        note(**{"is": said.person})
        store().aliases.declare(said)
        _relist()
        return answer(said)

    @blueprint.operation("takeAliasBack", needs=LIBRARIAN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, name: str) -> Response:
        """Take back that a name is another name of somebody

        As if it had never been said.
        """
        note()
        if not store().aliases.withdraw(name):
            raise not_found("such alias")
        _relist()
        return Response(status=204)


@blueprint.route("/games/<string:game_id>/seats/<string:seat>/player")
class Player(MethodView):
    """Who sat in a seat."""

    @blueprint.operation("getSitter", needs=READER, limits=SMALL)
    @blueprint.response(200, schemas.Sitter)
    def get(self, game_id: str, seat: str) -> Response:
        """Who is said to have sat in a seat

        404 where nothing is said but the name that is written there.
        """
        written = _written(game_id, seat)
        said = store().aliases.sitters(game_id).get(seat)
        if said is None or search_key(said.person) in store().hiding.folded():
            raise _unsaid()
        return _told(game_id, seat, written, said)

    @blueprint.operation("saySitter", needs=LIBRARIAN, limits=SMALL)
    @blueprint.arguments(schemas.NewSitter)
    @blueprint.response(200, schemas.Sitter)
    def put(self, body: dict[str, Any], game_id: str, seat: str) -> Response:
        """Say who sat in a seat

        Where two people go by the name that is written there. Lists, filters, players' pages and figures tell of that
        person in this game; its log and its table keep the name.
        """
        written = _written(game_id, seat)
        said = Sitter(body["person"], now(), caller().name)
        note(person=said.person)
        store().aliases.seat(game_id, seat, said)
        _relist()
        return _told(game_id, seat, written, said)

    @blueprint.operation("takeSitterBack", needs=LIBRARIAN, limits=SMALL)
    @blueprint.response(204)
    def delete(self, game_id: str, seat: str) -> Response:
        """Take back who sat in a seat

        It is whoever is meant by the name that is written there.
        """
        _written(game_id, seat)
        note()
        if not store().aliases.seat(game_id, seat, None):
            raise _unsaid()
        _relist()
        return Response(status=204)


def _written(game_id: str, seat: str) -> str:
    """The name that a game's log has of a seat."""
    names = dict(zip(SEAT_IDS, opened(store().events.first(game_id)).names, strict=False))
    if seat not in names:
        raise not_found("such seat in this game")
    return names[seat]


def _unsaid() -> Exception:
    return not_found("player set for this seat")


def _told(game_id: str, seat: str, written: str, said: Sitter) -> Response:
    return answer({"game": game_id, "seat": seat, "written": written, **msgspec.structs.asdict(said)})


def _relist() -> None:
    """List the games anew that are concerned; a worker does so where they are many."""
    if store().projections.relist(AT_ONCE):
        with suppress(QueueUnavailable):
            # The dispatcher finds them, too, but later.
            enqueue_relist(queue())
