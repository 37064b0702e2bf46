"""The service itself."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import described


class Health(Schema):
    """The process is up."""

    status = fields.String(required=True, metadata=described("Always `ok`.", "ok"))


class Readiness(Schema):
    """The store and the workers can be reached."""

    status = fields.String(required=True, metadata=described("Always `ready`.", "ready"))
    durability = fields.String(
        required=True,
        validate=validate.OneOf(["fsync", "everysec", "memory"]),
        metadata=described("What a 201 promises: on disk, on disk within a second, or in memory.", "fsync"),
    )
    workers = fields.Integer(required=True, metadata=described("How many workers are alive.", 1))
