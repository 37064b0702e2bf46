"""Slow exports of a game, or of a part of a game, stored as files for download."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec

from engine.core.language import ENGLISH, current_language
from engine.play.game import Game
from exports import FORMATS, Animation, Format
from exports.log import Columns
from service.logs import analysis_suffix, log
from service.viewing import look
from store import Store
from store.work.jobs import Job


def file_of(
    store: Store, game_id: str, game: Game, kind: Format, viewer: str, *, moves: Animation, columns: Columns
) -> str:
    """Return the name of the file with a game's current log, as `viewer` sees it, in the current language.

    The name depends on the head and the analysis, so a longer log or a newer analysis gets another file.
    """
    seen_by = viewer if game.ruleset.has_secrets else "public"
    told = "".join(f"-{name}-{value}" for name, value in msgspec.to_builtins(moves).items())
    told += f"-{columns}" if kind.has_choice_of_columns else ""
    language = f"-{current_language()}" if kind.is_said and current_language() != ENGLISH else ""
    return f"export-{game_id}-{game.head}-{kind.name}-{seen_by}{told}{language}{analysis_suffix(store, game_id, kind)}"


def job_arguments(kind: Format, moves: Animation, columns: Columns) -> dict[str, Any]:
    """Return the arguments that a job needs for the animation and the columns of the file."""
    found: dict[str, Any] = {"animation": msgspec.to_builtins(moves)} if moves != Animation() else {}
    return found | ({"columns": columns} if kind.has_choice_of_columns else {})


def make(store: Store, job: Job) -> dict[str, Any]:
    """Write the log of `job.args` (`game`, `version`, `format`, `viewer`) to a file.

    Returns:
        The result of the job.
    """
    game_id, version, viewer = job.args["game"], job.args["version"], job.args["viewer"]
    kind = FORMATS[job.args["format"]]
    seen = look(store, game_id, viewer, version)
    moves = msgspec.convert(job.args.get("animation", {}), Animation)
    columns: Columns = job.args.get("columns", "all")
    name = file_of(store, game_id, seen.game, kind, viewer, moves=moves, columns=columns)
    writing = store.files.create(name)
    whole = log(store, game_id, seen.game, kind, seen.show, seat=seen.seat)
    for chunk in kind.write(msgspec.structs.replace(whole, animation=moves, columns=columns)):
        writing.write(chunk)
    file = writing.publish({"game": game_id, "version": version}, [game_id])
    if not store.events.exists(game_id):
        store.files.drop(name)
        raise store.events.absent(game_id)
    query = {"format": kind.name, "viewer": viewer, "until": version, **msgspec.to_builtins(moves)}
    if kind.has_choice_of_columns:
        query["columns"] = columns
    if "first" in query:
        query["from"] = query.pop("first")
    return {
        "file": f"/v1/games/{game_id}/export?{urlencode(query)}",
        "bytes": file.size,
    }
