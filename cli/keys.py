"""Commands for the signing keys."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.options import data_option, opened_store
from cli.terminal import columns, minute, out, print_text


@click.group()
def keys() -> None:
    """Manage the service's signing keys.

    The keys are stored in the service's Redis. Private keys are never in an answer or a log.
    """


@keys.command(name="list")
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print a JWK set, like /v1/keys.")
def list_keys(data: Path | None, *, as_json: bool) -> None:
    """List the keys, oldest first; the last one signs.

    A retired key no longer signs, but its signatures stay valid: keep its public half with the proofs.
    """
    from api.game.proofs import key_set

    with opened_store(data) as store:
        published = store.signing.published_keys()
    if as_json:
        print_text(json.dumps(key_set(published), indent=2))
        return
    table = columns("Key", "Status", "Created", "Retired")
    for one in published:
        table.add_row(f"[cyan]{one.key.id}[/]", one.status, minute(one.created_at), minute(one.retired_at))
    out().print(table)


@keys.command()
@data_option
def rotate(data: Path | None) -> None:
    """Create a new key and sign with it from now on.

    The service can be running. The private half of the old key is destroyed. The service keeps publishing the public
    half, so you can still check old signatures.
    """
    with opened_store(data) as store:
        now = store.signing.rotate()
    out().print(f"[cyan]{now.key.id}[/] signs from now on")
