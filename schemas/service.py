"""The status of the service."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import described
from schemas.named import ARCHIVE, DURABILITY, WRITES, Choice


class Health(Schema):
    """The process is running."""

    status = fields.String(required=True, metadata=described("Always `ok`.", "ok"))


class PackageNotLoaded(Schema):
    """A package of rulesets that could not be loaded."""

    package = fields.String(required=True, metadata=described("The name of its distribution.", "fair-dice"))
    reason = fields.String(
        required=True,
        metadata=described("The reason, in one line.", "ModuleNotFoundError: No module named 'fair_dice'"),
    )


class Readiness(Schema):
    """The status of the store and the workers."""

    status = fields.String(required=True, metadata=described("Always `ready`.", "ready"))
    writes = Choice(WRITES, required=True, metadata=described("Whether the store takes writes.", "accepted"))
    detail = fields.String(
        metadata=described("Why writes are stopped.", "Reads only: the store's disk is almost full.")
    )
    durability = Choice(
        DURABILITY,
        required=True,
        metadata=described(
            "What a 201 promises where it is written: on disk, on disk within a second, or in memory.", "fsync"
        ),
    )
    replicas = fields.Integer(
        required=True,
        metadata=described("How many replicas have what a 201 promises, besides the server that wrote it.", 0),
    )
    workers = fields.Integer(required=True, metadata=described("How many workers are alive.", 1))
    archive = Choice(
        ARCHIVE,
        required=True,
        metadata=described("Whether archived logs can be read and written here; the log says why not.", "usable"),
    )
    not_loaded = fields.List(
        fields.Nested(PackageNotLoaded),
        required=True,
        metadata={
            "description": "Packages of rulesets that are not loaded: each is broken, or clashes with a different one."
        },
    )


class ContractQuery(Schema):
    """The requested form of the contract."""

    ruleset = fields.String(metadata=described("The id of a ruleset whose types it has.", "forbidden-island"))
