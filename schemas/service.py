"""The status of the service."""

from __future__ import annotations

from marshmallow import Schema

from schemas.members import optional, required
from schemas.named import ARCHIVE, DURABILITY, WRITES


class Health(Schema):
    """The confirmation that the process is running."""

    status = required.text("Always `ok`.", "ok")


class PackageNotLoaded(Schema):
    """A package of rulesets that could not be loaded."""

    package = required.text("The name of the Python distribution.", "fair-dice")
    reason = required.text("The reason, in one line.", "ModuleNotFoundError: No module named 'fair_dice'")


class Readiness(Schema):
    """The status of the store and the workers."""

    status = required.text("Always `ready`.", "ready")
    writes = required.choice(WRITES, "The status of writes to the store.", "accepted")
    detail = optional.text(
        "The reason why writes are stopped; absent if they are accepted.",
        "Reads only: the store's disk is almost full.",
    )
    durability = required.choice(DURABILITY, "The guarantee of a 201 response on the server that writes.", "fsync")
    replicas = required.integer(
        "Number of replicas that must have a write before its 201 response, in addition to the server that writes.", 0
    )
    workers = required.integer("Number of running workers.", 1)
    archive = required.choice(
        ARCHIVE,
        "The availability of archived logs. If they are unavailable, the service's own log has the reason.",
        "usable",
    )
    not_loaded = required.each(
        PackageNotLoaded,
        "The ruleset packages that were not loaded, because they fail or conflict with another package.",
    )


class ContractQuery(Schema):
    """The requested form of the contract."""

    ruleset = optional.text("The id of the ruleset whose types to include.", "forbidden-island")
