"""The export of a game: find the requested format, and decide if a worker writes the file."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response, make_response, render_template, request

from api.plumbing.about import about
from api.plumbing.http import accepted_response, damage, etag, order_job, store
from api.plumbing.problems import RETRY_AFTER, Problem, malformed_request
from api.plumbing.sending import compressed_response, in_parts, stored_response
from engine.core import effort
from engine.core.language import speak
from exports import FORMATS, Animation, Format, Log, filename
from exports.log import Columns
from service.logs import analysis_suffix, log
from service.viewing import SeenGame
from store.errors import Damaged, StoreFull, replaying
from store.work.jobs import Job
from workers import writing

MADE_FIRST = 1000
"""Maximum events of a log whose export is written completely before it is sent, within the usual time limit."""


PLAYED_MOST = 5000
"""Maximum events of a log that is replayed while its export is streamed.

A worker writes longer logs: 20,000 events take seconds, and no sentence can be sent before they are replayed.
"""


class ExportRequest(msgspec.Struct, frozen=True):
    """The requested export."""

    kind: Format
    viewer: str
    """The viewer: a seat's id or `public`."""
    moves: Animation
    """The settings of an animated file."""
    columns: Columns = "game"
    """The columns, if the format offers a choice."""


def requested_export(query: dict[str, Any]) -> ExportRequest:
    """Return the export that `query` requests, as loaded by `ExportQuery`."""
    kind = _kind(query.get("format"))
    told = {name: query[name] for name in Animation.__struct_fields__ if name in query}
    if told and not kind.is_animated:
        name = next(iter(told))
        raise malformed_request(
            f"/{'from' if name == 'first' else name}", f"{kind.name} has no animation: this option is for gif."
        )
    if "columns" in query and not kind.has_choice_of_columns:
        raise malformed_request("/columns", f"{kind.name} has no choice of columns. Use csv, or omit this parameter.")
    return ExportRequest(kind, query["viewer"] or "public", Animation(**told), query.get("columns", "game"))


def _kind(name: str | None) -> Format:
    """Return the format with this name; without a name, the format that `Accept` prefers (RFC 9110, 12.5.1)."""
    if name is not None:
        return installed_format(name)
    by_type: dict[str, Format] = {}
    # `Accept` never selects a format that needs a worker. So a browser, which prefers HTML, gets JSON at once.
    for one in sorted(FORMATS.values(), key=lambda kind: kind.by_worker):
        if one.is_installed:
            by_type.setdefault(one.media_type.split(";")[0], one)
    accept = request.accept_mimetypes
    at_once = [media_type for media_type, kind in by_type.items() if not kind.by_worker]
    best = (accept.best_match(at_once) or accept.best_match(by_type)) if accept else at_once[0]
    if best is None:
        raise Problem("not-acceptable", f"No log format matches `Accept`. Use one of: {', '.join(by_type)}.")
    return by_type[best]


def export_response(wanted: ExportRequest, game_id: str, seen: SeenGame) -> Response:
    """Return the response with the exported log, or with the requested part; or 202 if a worker must write the file."""
    game, kind = seen.game, wanted.kind
    if not kind.is_said:
        # Write the file in English, because programs read it.
        speak(None)
    headers = {
        "Vary": "Accept",
        "Link": f'</v1/games/{game_id}/proof?at={game.version}>; rel="describedby"',
        "Content-Disposition": f'attachment; filename="{filename(game_id, kind)}"',
        "Driftlog-Head": game.head,
        **damage(seen),
    }
    if kind.is_whole or (kind.needs_rules and game.version > PLAYED_MOST):
        return _whole(wanted, game_id, seen, headers)
    columns = f"-{wanted.columns}" if kind.has_choice_of_columns else ""
    tag = etag(f"{game.version}-{kind.name}-{wanted.viewer}{columns}{analysis_suffix(store(), game_id, kind)}")
    # Weak, because each response has a newly signed head.
    headers["ETag"] = f"W/{tag}"
    if request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers={name: headers[name] for name in ("ETag", "Vary")})
    whole = log(store(), game_id, game, kind, seen.show, seat=seen.seat, is_damaged=seen.is_damaged)
    whole = msgspec.structs.replace(whole, columns=wanted.columns)
    chunks = _start_file(game_id, kind, whole, game.version)
    return compressed_response(chunks, kind.media_type, headers)


def _whole(wanted: ExportRequest, game_id: str, seen: SeenGame, headers: dict[str, str]) -> Response:
    kind = wanted.kind
    name = writing.file_of(store(), game_id, seen.game, kind, wanted.viewer, moves=wanted.moves, columns=wanted.columns)
    file = store().files.find(name)
    if file is not None:
        return stored_response(store().files, name, file, kind.media_type, headers)
    whole = log(store(), game_id, seen.game, kind, seen.show, seat=seen.seat)
    whole = msgspec.structs.replace(whole, animation=wanted.moves, columns=wanted.columns)
    if kind.check is not None:
        kind.check(whole)
    if kind.by_worker or seen.game.version > MADE_FIRST:
        order = {"game": game_id, "version": seen.game.version, "format": kind.name, "viewer": wanted.viewer}
        order |= writing.job_arguments(kind, wanted.moves, wanted.columns)
        try:
            return _waiting(game_id, seen, kind, order_job("write", order, same=name))
        except StoreFull as full:
            # The store accepts no job or file now. Write a game of ordinary length without them.
            try:
                made = _make(kind, whole)
            except effort.Exhausted:
                raise full from None
    else:
        made = _make(kind, whole)
    tag = hashlib.sha256(made).hexdigest()[:32]
    return in_parts(len(made), tag, lambda first, end: iter([made[first:end]]), kind.media_type, headers)


def _make(kind: Format, whole: Log) -> bytes:
    with replaying():
        return b"".join(kind.write(whole))


def _waiting(game_id: str, seen: SeenGame, kind: Format, job: Job) -> Response:
    """Return 202 with the job to poll; for a browser, a page that waits for the file."""
    told = {"Retry-After": RETRY_AFTER}
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) != "text/html":
        return accepted_response(job, told)
    page = make_response(
        render_template("making.html", about=about(game_id, seen.game), job=job.id, format=kind.name), 202
    )
    page.headers.update(told)
    return page


def _start_file(game_id: str, kind: Format, whole: Log, version: int) -> bytes | Iterator[bytes]:
    """Return the log up to event `version` as a file.

    This function writes the first chunk, or a whole short log, before it returns. So it reports a replay error before
    anything is sent.
    """
    with replaying():
        chunks = iter(kind.write(whole))
        if version <= MADE_FIRST:
            return b"".join(chunks)
        return itertools.chain([next(chunks, b"")], _rest(game_id, chunks))


def _rest(game_id: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the rest of a file. If the log is damaged there, the response ends early, but later ones are complete."""
    try:
        yield from chunks
    except Damaged:
        store().watch.suspect(game_id)
        raise


def installed_format(name: str) -> Format:
    """Return the format with this name; raise a `Problem` if the package for this format is not installed."""
    kind = FORMATS[name]
    if not kind.is_installed:
        instead = f", or use the format {kind.instead}" if kind.instead else ""
        raise Problem(
            "format-not-installed",
            f"The library for {name} is not installed on this service: install driftlog[{name}]{instead}.",
        )
    return kind
