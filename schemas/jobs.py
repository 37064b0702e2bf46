"""Jobs: long work that a worker does."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, described
from schemas.named import JOB_RESULT, JOB_STATUS, Choice, Open


class Job(Schema):
    """Any long work."""

    id = fields.String(required=True, metadata=described("The job's id.", EXAMPLE_GAME))
    kind = fields.String(required=True, metadata=described("What it does.", "import"))
    status = Choice(JOB_STATUS, required=True, metadata=described("How far it is.", "running"))
    progress = fields.Float(required=True, metadata=described("From 0 to 1.", 0.4))
    result = Open(
        JOB_RESULT, required=True, allow_none=True, metadata=described("What came of it.", {"game": EXAMPLE_GAME})
    )
    error = fields.String(required=True, allow_none=True, metadata=described("Why it failed, if it did."))
    created_at = fields.String(required=True, metadata=described("When it was asked for.", EXAMPLE_TIME))
