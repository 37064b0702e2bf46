"""Exported logs as files: read, saved, and brought back."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

from api.client import Client
from api.terminal import CannotWrite, Negative, bar
from exports import FORMATS
from proofs import dsse, heads
from proofs.errors import ProofError


def read(name: str) -> bytes:
    """What is in a file; `-` is standard input.

    Raises:
        OSError: it cannot be read.
    """
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def save(chunks: Iterator[bytes], output: Path | None) -> None:
    """Write to a file, which appears when it is whole, or to standard output.

    Raises:
        Failure: it cannot be written.
    """
    if output is None:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        return
    part = output.with_name(f"{output.name}.part")
    try:
        with part.open("wb") as file, bar(f"{output.name}, bytes") as progress:
            for chunk in chunks:
                file.write(chunk)
                progress.show(file.tell())
        part.replace(output)
    except OSError as error:
        raise CannotWrite(f"{output} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def fetch(client: Client, game: str, asked: dict[str, str], output: Path | None, proof: Path | None) -> None:
    """Save a game's log, and its signed head beside it: of the same moment, however the game goes on.

    Args:
        asked: the query of the export: `format`, `viewer`, `until`.

    Raises:
        Failure: the service refuses it, or is not there; a file cannot be written.
    """
    here = f"/v1/games/{quote(game, safe='')}"
    query = dict(asked)
    if proof is not None:
        at = f"?{urlencode({'at': asked['until']})}" if "until" in asked else ""
        envelope = client.request("GET", f"{here}/proof{at}").body
        try:
            query["until"] = str(heads.check(dsse.read(envelope)).head.version)
        except ProofError as error:
            raise Negative(f"what {client.url} answers is no proof: {error}") from None
        save(iter([envelope]), proof)
    save(client.stream(f"{here}/export?{urlencode(query)}"), output)


def bring(client: Client, data: bytes) -> str:
    """Import a log; the same bytes are the same game, however often they come.

    Returns:
        The game's id.

    Raises:
        Failure: the service refuses it, or is not there.
    """
    kind = FORMATS["ndjson" if data.lstrip().startswith(b'{"seq"') else "json"]
    key = f"import-{hashlib.sha256(data).hexdigest()}"
    answer = client.request("POST", "/v1/imports", data, kind.media_type, Idempotency_Key=key)
    if answer.status == 202:
        return str(client.finished(answer.headers["Location"], "import")["result"]["game"])
    return str(answer.json()["id"])
