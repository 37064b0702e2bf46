"""Exported logs as files: read, save and import them."""

from __future__ import annotations

import errno
import hashlib
import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from urllib.parse import urlencode

import click
import msgspec

from cli.client import Client, ServiceAnswer
from cli.games import path
from cli.terminal import CannotWrite, Negative, bar
from exports import FORMATS, LONGEST_IMPORT, bgstats, ndjson, notation, template
from proofs import dsse, heads
from proofs.errors import ProofError

SCORESHEET = "scoresheet"
"""A handwritten list of requests, as in `examples/`; not a log."""
BGSTATS = bgstats.KIND.name
STDOUT = Path("-")
_AT_ONCE = 1000
"""Maximum number of events per request."""


def read(name: str) -> bytes:
    """Read a file, which may have at most the size of an import. `-` reads standard input."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            data = file.read(LONGEST_IMPORT + 1)
    except FileNotFoundError as error:
        # The user may have given the id of a game instead of the name of a file.
        way = f". For a game of a service, `driftlog export {name} -o FILE` writes a file" if name.isalnum() else ""
        raise FileNotFoundError(error.errno, f"{error.strerror}{way}", name) from None
    if len(data) > LONGEST_IMPORT:
        raise OSError(errno.EFBIG, f"it is larger than the limit for imports ({LONGEST_IMPORT >> 20} MiB)", name)
    return data


def save(chunks: Iterator[bytes], output: Path | None) -> None:
    """Write to a file, or to standard output if `output` is None or `STDOUT`.

    A file is written completely or not at all. Its folder is created if it is missing. Links are followed. Devices and
    pipes are written directly.
    """
    if output is None or output == STDOUT:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        return
    try:
        if output.exists() and not output.is_file():
            with output.open("wb") as file:
                file.writelines(chunks)
        else:
            _save_whole(chunks, output.resolve())
    except OSError as error:
        raise CannotWrite(f"{output} cannot be written: {error.strerror}") from None


def _save_whole(chunks: Iterator[bytes], output: Path) -> None:
    part = output.with_name(f"{output.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file, bar(f"{output.name}, bytes") as progress:
            for chunk in chunks:
                file.write(chunk)
                progress.show(file.tell())
        part.replace(output)
    finally:
        with suppress(NotADirectoryError):
            part.unlink(missing_ok=True)


def fetch(client: Client, game: str, asked: dict[str, str], output: Path | None, proof: Path | None) -> None:
    """Save a game's log. Save the signed head of the same version to `proof`.

    Args:
        asked: the query of the export: `format`, `viewer`, `until`.
    """
    try:
        _fetch(client, game, asked, output, proof)
    except Negative as refused:
        raise Negative(f"game {game}: {refused.message}") from None


def _fetch(client: Client, game: str, asked: dict[str, str], output: Path | None, proof: Path | None) -> None:
    here = path(game)
    query = dict(asked)
    if proof is not None:
        at = f"?{urlencode({'at': asked['until']})}" if "until" in asked else ""
        envelope = client.request("GET", f"{here}/proof{at}").body
        try:
            query["until"] = str(heads.check(dsse.read(envelope)).head.version)
        except ProofError as error:
            raise Negative(f"the answer of {client.url} is not a proof: {error}") from None
        save(iter([envelope]), proof)
    save(client.stream(f"{here}/export?{urlencode(query)}"), output)


def fetch_many(client: Client, order: dict[str, str], output: Path) -> None:
    """Save an export of many games, once a worker has written it.

    Args:
        order: the request body: `format` and filters.
    """
    answer = client.post("/v1/exports", order)
    made = client.wait_for_job(answer.headers["Location"], "export")["result"]
    save(client.stream(made["file"]), output)
    failed = f", {made['failed']} of them failed: see manifest.json" if made["failed"] else ""
    click.echo(f"{output}: {made['games']} games{failed}", err=output == STDOUT)


def bring(client: Client, data: bytes, looks: str) -> tuple[list[str], list[str]]:
    """Import a log or a handwritten record. Repeated imports of the same bytes return the same games.

    Args:
        looks: the name of the format, from `looks_like`.

    Returns:
        The ids of the games, with a mark if a game existed already; and remarks on incomplete or irregular lines.
    """
    if looks == SCORESHEET:
        return [_record(client, data)], []
    media_type = {"csv": template.CSV, "xlsx": template.XLSX}.get(looks) or FORMATS[looks].media_type
    ids: list[str] = []
    doubts: list[str] = []
    bodies = [data]
    if looks == notation.KIND.name:
        bodies = [text.encode() for text in notation.split(data.decode("utf-8-sig", "replace"))]
    for body in bodies:
        key = f"import-{hashlib.sha256(body).hexdigest()}"
        answer = client.request("POST", "/v1/imports", body, media_type, Idempotency_Key=key)
        made = answer.json()
        if answer.status == 202:
            result = client.wait_for_job(answer.headers["Location"], "import")["result"]
            ids.append(_import_line(result["game"], is_known=made["status"] == "done"))
            continue
        ids.append(_import_line(made["id"], is_known=_is_known(answer)))
        doubts += [f"line {item['line']}: {item['problem']}" for item in made.get("items", ()) if item["problem"]]
    return ids, doubts


def _import_line(game: str, *, is_known: bool) -> str:
    return f"{game} (already there)" if is_known else game


def _is_known(answer: ServiceAnswer) -> bool:
    return answer.status == 200 or answer.headers["Idempotent-Replayed"] == "true"


def _record(client: Client, data: bytes) -> str:
    """Record the game of a scoresheet: the body of `POST /v1/games`, then one body of `POST …/events` per line."""
    numbered = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    try:
        (_, opening), *lines = [(number, json.loads(line)) for number, line in numbered]
    except ValueError as error:
        raise Negative(f"every line of a scoresheet must be a JSON document: {error}") from None
    acts = [(number, act) for number, one in lines for act in (one if isinstance(one, list) else [one])]
    key = hashlib.sha256(data).hexdigest()
    opened = client.post("/v1/games", opening, Idempotency_Key=f"scoresheet-{key}")
    game = str(opened.json()["id"])
    for first in range(0, len(acts), _AT_ONCE):
        part = acts[first : first + _AT_ONCE]
        try:
            bodies = [act for _, act in part]
            answer = client.post(f"/v1/games/{game}/events", bodies, Idempotency_Key=f"scoresheet-{key}-{first}").json()
        except Negative as refused:
            begun = f"game {game} was opened, but lines {part[0][0]} to {part[-1][0]} were not recorded"
            raise Negative(f"{begun}: {refused.message}") from None
        if "stopped" in answer:
            stopped = answer["stopped"]
            told = f"game {game} was recorded up to line {part[stopped['index']][0] - 1}"
            raise Negative(f"{told}: {stopped['problem']['detail']}")
    return _import_line(game, is_known=_is_known(opened))


def take_in(client: Client, data: bytes) -> tuple[str, list[str]]:
    """Import the logged plays of a BG Stats file.

    Returns:
        A line with the number of plays per status, and the problems of invalid plays.
    """
    answer = client.request("POST", "/v1/plays", data, FORMATS[BGSTATS].media_type)
    document = answer.json()
    report = client.wait_for_job(answer.headers["Location"], "import")["result"] if answer.status == 202 else document
    counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in report["counts"].items())
    broken = [f"play {one['number']}: {one['why']}" for one in report["plays"] if one["status"] == "broken"]
    return counts or "no plays", broken


def looks_like(data: bytes) -> str:
    """Guess the format of the bytes."""
    if data.startswith(b"PK"):
        return "xlsx"
    with suppress(ValueError):
        if {"ruleset", "seats"} <= msgspec.json.decode(
            data.lstrip().split(b"\n", 1)[0], type=dict[str, msgspec.Raw]
        ).keys():
            return SCORESHEET
    begun = data.removeprefix(BOM_UTF8).lstrip()[:8]
    if begun[:4].lower() == b"game" and begun[4:5] in {b",", b";", b"\t"}:
        return "csv"
    if data.lstrip().startswith(ndjson.BEGINNINGS):
        return "ndjson"
    with suppress(ValueError, RecursionError):
        if {"plays", "games", "players"} <= msgspec.json.decode(data, type=dict[str, msgspec.Raw]).keys():
            return BGSTATS
    # A tag of the notation also begins with a bracket, but a name follows it.
    is_json = begun.startswith(b"{") or (begun.startswith(b"[") and begun[1:].lstrip()[:1] in b'{["]')
    return "json" if is_json else "notation"
