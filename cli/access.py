"""Commands for the tokens, hidden names and access log of a service, on its data folder or Redis.

Anyone who can read the store is treated as its operator. So these commands need no token, but the access log records
them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import data_option, opened_store
from cli.terminal import Negative, WrongUsage, columns, err, escape, minute, out, print_text

if TYPE_CHECKING:
    from store import Store
    from store.access.tokens import Token

OPERATOR = "the command line"
"""The user name in the access log for commands."""
ROLES = ("viewer", "recorder", "arbiter", "admin")
_PAGE = 200


def note(store: Store, action: str, game: str | None = None, **about: str | None) -> None:
    """Log a command in the access log, before it runs."""
    from schemas.times import now
    from store.access.access_log import Use

    told = {name: value for name, value in about.items() if value is not None}
    store.access_log.note(Use(at=now(), by=OPERATOR, action=f"driftlog {action}", game=game, about=told))


def _check_name(name: str) -> None:
    """Reject a name that the API would reject."""
    from marshmallow import ValidationError

    from schemas.common import NAME

    try:
        NAME(name)
    except ValidationError as error:
        raise WrongUsage(f"{name!r} is not a valid name: {error.messages[0]}") from None


@click.group()
def tokens() -> None:
    """Manage access tokens.

    The store keeps only a digest of each token. The text of a token is shown once, when it is created.
    """


@tokens.command()
@click.option("--role", type=click.Choice(ROLES), required=True, help="The role of the token.")
@click.option("--game", help="Limit the token to this game.  [default: all]")
@click.option("--seat", help="Limit the token to this seat, such as p2.")
@click.option("--note", help="The token's owner, shown as the recorder of its events.")
@click.option("--days", type=click.IntRange(min=1, max=36500), help="Expire after this many days.  [default: never]")
@click.option("--url", help="The service's address: on a terminal, also print a sign-in link and its QR code.")
@data_option
def create(data: Path | None, *, url: str | None, role: str, days: int | None, **given: str | None) -> None:
    """Create a token. Prints it once, on standard output."""
    from cli.codes import is_shown, show
    from engine.core.errors import Malformed
    from schemas.times import now
    from service.access import OPEN, Role
    from service.tokens import give

    if given["note"] is not None:
        _check_name(given["note"])
    ends = None if days is None else datetime.now(UTC) + timedelta(days=days)
    with opened_store(data) as store:
        try:
            note(store, "tokens create", given["game"], role=role, note=given["note"])
            text, token = give(
                store,
                OPEN,
                role=Role(role),
                created_at=now(),
                expires_at=ends,
                game=given["game"],
                seat=given["seat"],
                note=given["note"],
                is_operator=True,
            )
        except Malformed as error:
            raise WrongUsage(f"--{error.pointer.strip('/')}: {error.message}") from None
    print_text(text)
    err().print(f"Token {token.id}: keep it now. It is not shown again.")
    if url is not None and is_shown():
        show(url, text)
    elif url is not None:
        err().print("The link and its QR code are only shown on a terminal.")


@tokens.command(name="list")
@click.option("--game", help="Only tokens for this game.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print all their details as JSON.")
@data_option
def list_tokens(data: Path | None, *, game: str | None, as_json: bool) -> None:
    """List the tokens, newest first, without their secrets."""
    import msgspec

    with opened_store(data) as store:
        note(store, "tokens list", game)
        found = list(_pages(store, game))
    if as_json:
        print_text(json.dumps({"tokens": [msgspec.to_builtins(token) for token in found]}, indent=2))
        return
    table = columns("Token", "Role", "Game", "Seat", "Note", "Created", "Expires")
    for token in found:
        whose = "(share link)" if token.is_link else token.note or ""
        ends = "ended" if not token.is_in_force() else minute(token.expires_at)
        places = (token.game or "all", token.seat or "", escape(whose))
        table.add_row(f"[cyan]{token.id}[/]", token.role, *places, minute(token.created_at), ends)
    out().print(table)


def _pages(store: Store, game: str | None) -> Iterator[Token]:
    before = None
    while page := store.tokens.page(game=game, before=before, limit=_PAGE):
        yield from page
        before = page[-1].id


@tokens.command()
@click.argument("token_ids", nargs=-1, required=True, metavar="TOKEN...")
@data_option
def revoke(data: Path | None, token_ids: tuple[str, ...]) -> None:
    """Revoke tokens by id, with their streams and the tokens that they created."""
    failed = False
    with opened_store(data) as store:
        for token_id in token_ids:
            note(store, "tokens revoke", token=token_id)
            ended = store.tokens.withdraw(token_id)
            if ended:
                more = f", and {len(ended) - 1} that it created" if len(ended) > 1 else ""
                out().print(f"[cyan]{escape(token_id)}[/]: revoked{more}")
            else:
                failed = True
                err().print(f"[red]{escape(token_id)}[/]: there is no such token")
    if failed:
        raise SystemExit(Negative.exit_code)


# Keep the earlier name of the command for scripts.
tokens.add_command(click.Command("withdraw", callback=revoke.callback, params=revoke.params, hidden=True))


@click.group()
def names() -> None:
    """Manage hidden names of players.

    Hidden names appear in no list, search, player page or statistic. You can show them again. Logs and exports
    keep them, because the hashes cover every name.
    """


@names.command()
@click.argument("name")
@data_option
def hide(data: Path | None, name: str) -> None:
    """Hide NAME, ignoring case."""
    from schemas.times import now

    _check_name(name)
    with opened_store(data) as store:
        note(store, "names hide", name=name)
        hidden = store.hiding.hide(name, at=now(), by=OPERATOR)
    out().print(f"{escape(hidden.name)}: hidden since {minute(hidden.hidden_at)}; the logs keep the name")


@names.command()
@click.argument("name")
@data_option
def show(data: Path | None, name: str) -> None:
    """Stop hiding NAME."""
    with opened_store(data) as store:
        note(store, "names show", name=name)
        if not store.hiding.show(name):
            raise Negative(f"{name} is not hidden")
    out().print(f"{escape(name)}: shown again")


@names.command(name="list")
@data_option
def list_names(data: Path | None) -> None:
    """List the hidden names."""
    with opened_store(data) as store:
        hidden = store.hiding.all()
    table = columns("Name", "Hidden", "By")
    for one in hidden:
        table.add_row(escape(one.name), minute(one.hidden_at), escape(one.hidden_by or ""))
    out().print(table)


@click.command(name="access-log")
@click.option("--limit", type=click.IntRange(1, 20_000), default=50, show_default=True, help="How many to list.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line per entry.")
@data_option
def access_log(data: Path | None, *, limit: int, as_json: bool) -> None:
    """List the uses of special permissions, newest first.

    Each use is recorded before it takes effect, even if it then fails. The last 10,000 uses by admins and the
    command line are kept, and the last 10,000 by everyone else.
    """
    import msgspec

    with opened_store(data) as store:
        found = store.access_log.page(limit=limit)
    if as_json:
        for use in found:
            print_text(msgspec.json.encode(use).decode())
        return
    table = columns("Time", "By", "Action", "Game", "Details")
    for use in found:
        besides = ", ".join(f"{name} {value}" for name, value in use.about.items())
        cells: tuple[Any, ...] = (use.by or "", use.action, use.game or "", besides)
        table.add_row(minute(use.at), *map(escape, cells))
    out().print(table)
