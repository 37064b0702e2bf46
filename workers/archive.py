"""Export of many games into one zip file.

Depending on the format, the zip has one file per game, or files for all games together. A manifest has the result of
each game.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from engine.core.errors import EngineError, UnknownRuleset
from engine.core.plays import PastPlay
from exports import FORMATS, Format, Gathering, Log, Unsuitable, filename
from schemas.times import rfc3339
from service import viewing
from service.access import Caller, Role
from service.logs import as_stored, log
from service.viewing import masking
from store import Store
from store.errors import LacksRuleset, StoreError, StoreUnavailable
from store.library.finding import opening
from store.library.plays import WantedPlays
from store.library.projections import Filter, Summary
from store.work.files import KEPT_SECONDS
from store.work.jobs import Job

MANIFEST = "manifest.json"
MEDIA_TYPE = "application/zip"
_IN_MEMORY = 8 << 20
"""Maximum bytes of a game's file to buffer in memory; larger files are buffered on disk."""


def make(store: Store, job: Job, progressed: Callable[[float], None]) -> dict[str, Any]:
    """Write the matching games to the file with the job's id; `job.args` has `format` and `filter`.

    If a game's log cannot be written, the manifest has the error, and the other games are not affected.

    Args:
        progressed: called with the progress, from 0 to 1.

    Returns:
        The result of the job.
    """
    kind = FORMATS[job.args["format"]]
    wanted = msgspec.convert(job.args["filter"], Filter)
    token = None if job.owner is None else store.tokens.get(job.owner)
    sees_all = token is None or Caller.of(token).role.includes(Role.ARBITER)
    # Collect all ids first, so that games that are opened during the export are not included.
    games = list(store.projections.all(wanted))
    writing = store.files.create(job.id)
    now = datetime.now(UTC)
    entries = []
    with (
        tempfile.TemporaryDirectory() as folder,
        ExitStack() as files,
        zipfile.ZipFile(cast("IO[bytes]", writing), "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        gathering = None if kind.gather is None else files.enter_context(closing(kind.gather(Path(folder))))
        take = _each(archive, kind, now) if gathering is None else _together(gathering)
        for done, summary in enumerate(games, 1):
            entries.append(_entry(store, summary, kind, take, sees_all=sees_all))
            progressed(done / len(games))
        if gathering is not None:
            gathering.finish()
            for path in sorted(Path(folder).iterdir()):
                with path.open("rb") as gathered:
                    _put(archive, path.name, gathered, now)
        past = _past(store, kind, wanted)
        if past:
            assert kind.write_past is not None
            _put(archive, f"past-plays.{kind.extension}", io.BytesIO(b"".join(kind.write_past(past))), now)
        manifest = {"made_at": rfc3339(now), "format": kind.name, "filter": job.args["filter"], "games": entries}
        archive.writestr(_member(MANIFEST, now), msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    about = {
        "games": len(entries),
        "failed": sum(entry["status"] == "failed" for entry in entries),
        "expires_at": rfc3339(now + timedelta(seconds=KEPT_SECONDS)),
    }
    named = [summary.id for summary in games]
    file = writing.publish(about, named)
    if store.deletions.are_among(named):
        # A game was deleted during the export. The deletion may have missed this file when it searched for files with
        # the game.
        store.files.drop(job.id)
        return make(store, job, progressed)
    return {"file": f"/v1/exports/{job.id}/file", **file.about, "bytes": file.size}


def _past(store: Store, kind: Format, wanted: Filter) -> list[PastPlay]:
    """Return the matching logged plays; none if the format requires a log, or if a filter excludes plays."""
    asked = msgspec.structs.replace(wanted, ruleset=None, player=None, result=None, from_=None, to=None)
    if kind.write_past is None or asked not in (Filter(), Filter(status="finished")):
        return []
    start, end = wanted.span()
    return [
        play
        for play in store.plays.all(WantedPlays(ruleset=wanted.ruleset, player=wanted.player))
        if wanted.result in (None, play.result) and start <= opening(play.played_at) < end
    ]


Take = Callable[[Log], dict[str, Any]]
"""A function that adds the log of a game, completely or not at all. It returns the game's entry for the manifest."""


def _entry(store: Store, summary: Summary, kind: Format, take: Take, *, sees_all: bool) -> dict[str, Any]:
    entry = {"game": summary.id, "ruleset": summary.ruleset, "seats": summary.seats, "opened_at": summary.opened_at}
    try:
        whole, version, head = _log(store, summary.id, kind, sees_all=sees_all)
        told = take(msgspec.structs.replace(whole, is_one_of_many=True))
    except StoreUnavailable:
        raise
    except (EngineError, StoreError, Unsuitable) as error:
        return {**entry, "status": "failed", "error": str(error)}
    return {**entry, "status": "done", **told, "version": version, "head": head}


def _log(store: Store, game_id: str, kind: Format, *, sees_all: bool) -> tuple[Log, int, str]:
    stored = as_stored(store, game_id, sees_all=sees_all) if kind.is_as_stored else None
    if stored is not None:
        return stored
    try:
        game = store.games.latest(game_id)
        show = masking(store, game_id, game, None)
    except (LacksRuleset, UnknownRuleset):
        if kind.needs_rules or not sees_all:
            raise
        seen = viewing.as_stored(store, game_id)
        game, show = seen.game, seen.show
    return log(store, game_id, game, kind, show), game.version, game.head


def _each(archive: zipfile.ZipFile, kind: Format, now: datetime) -> Take:
    def take(whole: Log) -> dict[str, Any]:
        name = filename(whole.game_id, kind)
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            for chunk in kind.write(whole):
                file.write(chunk)
            _put(archive, name, file, now)
        return {"file": name}

    return take


def _together(gathering: Gathering) -> Take:
    def take(whole: Log) -> dict[str, Any]:
        gathering.add(whole)
        return {}

    return take


def _put(archive: zipfile.ZipFile, name: str, file: Any, now: datetime) -> None:
    member = _member(name, now)
    member.file_size = file.seek(0, io.SEEK_END)
    file.seek(0)
    with archive.open(member, "w") as into:
        shutil.copyfileobj(file, into)


def _member(name: str, moment: datetime) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, moment.timetuple()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
