"""The reference over HTTP: a minimal Flask service that appends an event to a Redis stream.

flask-smorest and marshmallow load and dump a schema of eight fields. One script call appends the event. There are no
rules, no hash chain, no idempotency and no problem documents.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
import redis
from flask import Flask
from flask.views import MethodView
from flask_smorest import Api, Blueprint
from marshmallow import Schema, fields

APPEND = """
-- KEYS: 1 stream, 2 meta; ARGV: the event. Returns the version.
local version = tonumber(redis.call('HGET', KEYS[2], 'v') or '0') + 1
redis.call('XADD', KEYS[1], version .. '-0', 'event', ARGV[1])
redis.call('HSET', KEYS[2], 'v', version)
return version
"""


class Event(Schema):
    """The schema of requests and responses, with eight fields."""

    seq = fields.Integer(dump_only=True)
    type = fields.String(required=True)
    actor = fields.String(load_default=None, allow_none=True)
    params = fields.Dict(load_default=dict)
    outcomes = fields.List(fields.Raw(), load_default=list)
    recorded_at = fields.Float(dump_only=True)
    occurred_at = fields.String(load_default=None, allow_none=True)
    note = fields.String(load_default=None, allow_none=True)


LONGEST_BODY = 8 * 1024 * 1024
"""Maximum bytes of a body."""


def create_app(redis_url: str) -> Flask:
    """Return the minimal service as a WSGI application."""
    app = Flask("bare")
    app.config.update(API_TITLE="bare", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    app.config.update(LONGEST_BODY=lambda _method, _path: LONGEST_BODY, ADMITS=lambda _environ: None)
    append = redis.Redis.from_url(redis_url).register_script(APPEND)
    events = Blueprint("events", __name__, url_prefix="/v1/games/<string:game_id>")

    @events.route("/events")
    class Events(MethodView):
        @events.arguments(Event)
        @events.response(201, Event)
        def post(self, event: dict[str, Any], game_id: str) -> dict[str, Any]:
            event["recorded_at"] = time.time()
            event["seq"] = append([f"{{{game_id}}}:events", f"{{{game_id}}}:meta"], [msgspec.json.encode(event)])
            return event

    Api(app).register_blueprint(events)
    return app
