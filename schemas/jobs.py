"""Jobs that workers run."""

from __future__ import annotations

from marshmallow import Schema

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME
from schemas.members import required
from schemas.named import JOB_RESULT, JOB_STATUS


class Job(Schema):
    """A job and its progress."""

    id = required.text("The job's id.", EXAMPLE_GAME)
    kind = required.text("The kind of job, such as `import`.", "import")
    status = required.choice(JOB_STATUS, "The status of the job.", "running")
    progress = required.number("The progress, from 0 to 1.", 0.4)
    result = required.document(
        JOB_RESULT, "The result; null until the job is done.", {"game": EXAMPLE_GAME}, allow_none=True
    )
    error = required.text("The error, if the job failed; otherwise null.", allow_none=True)
    created_at = required.text("The time of the request.", EXAMPLE_TIME)
