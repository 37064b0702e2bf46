"""Jobs that workers run."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, described
from schemas.named import JOB_RESULT, JOB_STATUS, Choice, Open


class Job(Schema):
    """A job and its progress."""

    id = fields.String(required=True, metadata=described("The job's id.", EXAMPLE_GAME))
    kind = fields.String(required=True, metadata=described("The kind of job, such as `import`.", "import"))
    status = Choice(JOB_STATUS, required=True, metadata=described("The status of the job.", "running"))
    progress = fields.Float(required=True, metadata=described("The progress, from 0 to 1.", 0.4))
    result = Open(
        JOB_RESULT,
        required=True,
        allow_none=True,
        metadata=described("The result; null until the job is done.", {"game": EXAMPLE_GAME}),
    )
    error = fields.String(
        required=True, allow_none=True, metadata=described("The error, if the job failed; otherwise null.")
    )
    created_at = fields.String(required=True, metadata=described("The time of the request.", EXAMPLE_TIME))
