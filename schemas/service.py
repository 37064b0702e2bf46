"""The status of the service."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import described
from schemas.named import ARCHIVE, DURABILITY, WRITES, Choice


class Health(Schema):
    """The confirmation that the process is running."""

    status = fields.String(required=True, metadata=described("Always `ok`.", "ok"))


class PackageNotLoaded(Schema):
    """A package of rulesets that could not be loaded."""

    package = fields.String(required=True, metadata=described("The name of the Python distribution.", "fair-dice"))
    reason = fields.String(
        required=True,
        metadata=described("The reason, in one line.", "ModuleNotFoundError: No module named 'fair_dice'"),
    )


class Readiness(Schema):
    """The status of the store and the workers."""

    status = fields.String(required=True, metadata=described("Always `ready`.", "ready"))
    writes = Choice(WRITES, required=True, metadata=described("The status of writes to the store.", "accepted"))
    detail = fields.String(
        metadata=described(
            "The reason why writes are stopped; absent if they are accepted.",
            "Reads only: the store's disk is almost full.",
        )
    )
    durability = Choice(
        DURABILITY,
        required=True,
        metadata=described("The guarantee of a 201 response on the server that writes.", "fsync"),
    )
    replicas = fields.Integer(
        required=True,
        metadata=described(
            "Number of replicas that must have a write before its 201 response, in addition to the server that writes.",
            0,
        ),
    )
    workers = fields.Integer(required=True, metadata=described("Number of running workers.", 1))
    archive = Choice(
        ARCHIVE,
        required=True,
        metadata=described(
            "The availability of archived logs. If they are unavailable, the service's own log has the reason.",
            "usable",
        ),
    )
    not_loaded = fields.List(
        fields.Nested(PackageNotLoaded),
        required=True,
        metadata={
            "description": "The ruleset packages that were not loaded, because they fail or conflict with "
            "another package."
        },
    )


class ContractQuery(Schema):
    """The requested form of the contract."""

    ruleset = fields.String(metadata=described("The id of the ruleset whose types to include.", "forbidden-island"))
