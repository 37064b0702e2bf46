"""Exported logs as files: judged without a service, saved, and brought back."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from api.client import Client
from api.terminal import CannotWrite, bar
from engine.audit import Auditor
from engine.errors import Malformed
from exports import FORMATS, read_any


class Checked(msgspec.Struct, frozen=True):
    """What was found out about a file."""

    is_sound: bool
    account: str
    """In a line: what was checked, or what fails first and why."""


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


def check(data: bytes, advance: Callable[[int, int], None]) -> Checked:
    """Judge a log of any format that can be read back: its chain, every rule, and the seed once it is revealed.

    Args:
        advance: told now and then how many of how many events have been judged.
    """
    try:
        events = read_any(data)
    except Malformed as error:
        return Checked(is_sound=False, account=f"not a log: {error}")
    auditor = Auditor()
    for event in events:
        auditor.read(event)
        if event.seq % 500 == 0:
            advance(event.seq, len(events))
    report = auditor.finish()
    if report.findings:
        first = min(report.findings, key=lambda finding: finding.seq)
        more = f" (and {len(report.findings) - 1} more)" if len(report.findings) > 1 else ""
        account = f"event {first.seq}, turn {first.turn}: {first.message} [{first.rule}]{more}"
        return Checked(is_sound=False, account=account)
    game = auditor.game
    assert game is not None
    ending = "not finished" if game.outcome is None else game.outcome.result
    checked = "chain and rules"
    if game.header.chance == "seeded":
        checked = "chain and rules; the seed is not revealed yet" if game.outcome is None else "chain, rules and seed"
    rules = f"{game.ruleset.name} (version {game.ruleset.version})"
    return Checked(is_sound=True, account=f"{checked}; {rules}, {report.events} events, {ending}")
