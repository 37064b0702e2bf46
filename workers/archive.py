"""Many games in one file: a zip with each game's log, and a manifest that says what became of each."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import IO, Any, cast

import msgspec

from engine.errors import EngineError
from exports import FORMATS, Format, filename
from schemas.events import rfc3339
from store import Store
from store.errors import StoreError, StoreUnavailable
from store.files import KEPT_SECONDS
from store.jobs import Job
from store.projections import Filter, Summary
from workers.logs import log, shown

MANIFEST = "manifest.json"
MEDIA_TYPE = "application/zip"
_PAGE = 1000
_IN_MEMORY = 8 << 20
"""Bytes; a game that is longer as a file waits on disk until it is known to be whole."""


def make(kept: Store, job: Job, tell: Callable[[float], None]) -> dict[str, Any]:
    """Write the games that fit `job.args` (`format`, `filter`) into the file of the job's id.

    A game whose log cannot be written is named in the manifest, and costs the others nothing.

    Args:
        tell: is told how far it is, from 0 to 1.

    Returns:
        What the job tells in the end.
    """
    kind = FORMATS[job.args["format"]]
    wanted = msgspec.convert(job.args["filter"], Filter)
    # All of them first: a game that is opened meanwhile belongs to none or to the next.
    games = list(_found(kept, wanted))
    writing = kept.files.create(job.id)
    now = datetime.now(UTC)
    entries = []
    with zipfile.ZipFile(cast("IO[bytes]", writing), "w", zipfile.ZIP_DEFLATED) as archive:
        for done, summary in enumerate(games, 1):
            entries.append(_add(archive, kept, summary, kind, now))
            tell(done / len(games))
        manifest = {"made_at": rfc3339(now), "format": kind.name, "filter": job.args["filter"], "games": entries}
        archive.writestr(_member(MANIFEST, now), msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    about = {
        "games": len(entries),
        "failed": sum(entry["status"] == "failed" for entry in entries),
        "expires_at": rfc3339(now + timedelta(seconds=KEPT_SECONDS)),
    }
    file = writing.publish(about)
    return {"file": f"/v1/exports/{job.id}/file", **file.about, "bytes": file.size}


def _found(kept: Store, wanted: Filter) -> Iterator[Summary]:
    """Every game that fits, newest first."""
    cursor = None
    while True:
        page, cursor = kept.projections.find(wanted, cursor, _PAGE)
        yield from page
        if cursor is None:
            return


def _add(archive: zipfile.ZipFile, kept: Store, summary: Summary, kind: Format, now: datetime) -> dict[str, Any]:
    """Add a game's log, whole or not at all.

    Returns:
        What the manifest says of the game.
    """
    entry = {"game": summary.id, "ruleset": summary.ruleset, "seats": summary.seats, "opened_at": summary.opened_at}
    try:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as whole:
            game = kept.games.latest(summary.id)
            for chunk in kind.write(log(kept, summary.id, game, kind, shown(kept, summary.id, game, None))):
                whole.write(chunk)
            size = whole.tell()
            whole.seek(0)
            member = _member(filename(summary.id, kind), now)
            member.file_size = size
            with archive.open(member, "w") as into:
                shutil.copyfileobj(whole, into)
    except StoreUnavailable:
        raise
    except (EngineError, StoreError) as error:
        return {**entry, "status": "failed", "error": str(error)}
    return {**entry, "status": "done", "file": member.filename, "version": game.version, "head": game.head}


def _member(name: str, moment: datetime) -> zipfile.ZipInfo:
    """An entry of the archive as of `moment`."""
    member = zipfile.ZipInfo(name, moment.timetuple()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
