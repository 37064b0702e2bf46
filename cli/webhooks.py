"""`driftlog webhooks`: manage the webhooks of a service."""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import quote

import click

from cli.client import Client
from cli.completing import games, rulesets
from cli.completing import webhooks as complete
from cli.games import json_option, print_json, query
from cli.remote import url_option
from cli.terminal import Negative, columns, err, escape, minute, out, print_text

_PAGE = 200
webhook_argument = click.argument("webhook", shell_complete=complete)


@click.group()
def webhooks() -> None:
    """Manage webhooks."""


@webhooks.command()
@click.argument("target", metavar="ADDRESS")
@click.option(
    "--event", "events", multiple=True, metavar="TYPE", help="An event type to send; can be repeated.  [default: all]"
)
@click.option("--game", shell_complete=games, help="Only events of this game.  [default: all]")
@click.option("--ruleset", shell_complete=rulesets, help="Only events of games of this ruleset.  [default: all]")
@url_option
def add(target: str, url: str, events: tuple[str, ...], **only: str | None) -> None:
    """Send events to ADDRESS. This prints the signing secret once, on standard output."""
    order = {"url": target, "events": events or ["*"]}
    order |= {name: value for name, value in only.items() if value is not None}
    made = Client(url).post("/v1/webhooks", order).json()
    print_text(made["secret"])
    err().print(f"Webhook {escape(made['id'])}: keep its secret now. It is not shown again.")


@webhooks.command(name="list")
@json_option
@url_option
def list_webhooks(url: str, *, as_json: bool) -> None:
    """List the webhooks, newest first."""
    client = Client(url)
    page = client.get(f"/v1/webhooks{query(limit=_PAGE)}")
    found = page["webhooks"]
    while page["next_cursor"] is not None:
        page = client.get(f"/v1/webhooks{query(limit=_PAGE, cursor=page['next_cursor'])}")
        found += page["webhooks"]
    if as_json:
        print_json({"webhooks": found})
        return
    table = columns("Webhook", "Address", "Events", "Games", "Status", "Reached")
    for one in found:
        of = one["game"] or one["ruleset"] or "all games"
        cells = (one["url"], ", ".join(one["events"]), of, one["status"], minute(one["reached_at"]))
        table.add_row(f"[cyan]{escape(one['id'])}[/]", *map(escape, cells))
    out().print(table)


@webhooks.command()
@webhook_argument
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many to list.")
@json_option
@url_option
def deliveries(webhook: str, url: str, limit: int, *, as_json: bool) -> None:
    """List the deliveries to WEBHOOK with their status, newest first."""
    found = Client(url).get(f"{_path(webhook)}/deliveries{query(limit=limit)}")
    if as_json:
        print_json(found)
        return
    table = columns("Delivery", "Event", "Status", "Attempts", "Last attempt", "Answer")
    for one in found["deliveries"]:
        answer = f"{one['answered']} {one['answer'] or ''}" if one["answered"] else one["error"] or ""
        cells = (one["type"], one["status"], str(one["attempts"]), minute(one["tried_at"]), answer)
        table.add_row(f"[cyan]{escape(one['id'])}[/]", *map(escape, cells))
    out().print(table)


@webhooks.command()
@webhook_argument
@click.argument("ids", nargs=-1, required=True, metavar="DELIVERY...")
@url_option
def replay(webhook: str, ids: tuple[str, ...], url: str) -> None:
    """Resend events to WEBHOOK immediately: listed deliveries, or any event as GAME-SEQ."""
    client = Client(url)
    _each(ids, "is sent again", lambda one: client.post(f"{_path(webhook)}/deliveries/{quote(one, safe='')}/retry", {}))


@webhooks.command()
@click.argument("ids", nargs=-1, required=True, metavar="WEBHOOK...", shell_complete=complete)
@url_option
def remove(ids: tuple[str, ...], url: str) -> None:
    """Delete webhooks."""
    client = Client(url)
    _each(ids, "removed", lambda one: client.request("DELETE", _path(one)))


def _each(ids: tuple[str, ...], done: str, do: Any) -> None:
    """Call `do` for each id, and print a line for it. The exit code is 0 if all calls succeed."""
    is_refused = False
    for one in ids:
        try:
            do(one)
            out().print(f"[cyan]{escape(one)}[/]: {done}")
        except Negative as refused:
            is_refused = True
            err().print(f"[red]{escape(one)}[/]: {escape(refused.message)}")
    if is_refused:
        sys.exit(Negative.exit_code)


def _path(webhook: str) -> str:
    return f"/v1/webhooks/{quote(webhook, safe='')}"
