"""Completion by the shell: of commands and options, and of games and rulesets of the service."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from cli.client import Client
from cli.remote import DEFAULT_URL, chosen
from cli.terminal import Failure, tell

SECONDS = 2.0
"""How long somebody who presses Tab waits for the service."""
SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_DRIFTLOG_COMPLETE"


def games(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The newest games, by their ids."""
    found = _asked(context, "/v1/games?limit=50").get("games", ())
    return [
        CompletionItem(game["id"], help=f"{game['ruleset']}: {', '.join(seat['name'] for seat in game['seats'])}")
        for game in found
        if game["id"].startswith(incomplete)
    ]


def rulesets(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What can be recorded."""
    found = _asked(context, "/v1/rulesets").get("rulesets", ())
    return [CompletionItem(one["id"], help=one["name"]) for one in found if one["id"].startswith(incomplete)]


def webhooks(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The webhooks, by their ids."""
    found = _asked(context, "/v1/webhooks").get("webhooks", ())
    return [CompletionItem(one["id"], help=one["url"]) for one in found if one["id"].startswith(incomplete)]


def _asked(context: click.Context, path: str) -> dict[str, Any]:
    """What the service answers; nothing where it does not, since nobody could read why."""
    try:
        url = context.params.get("url") or chosen() or DEFAULT_URL
        answer = Client(url, seconds=SECONDS).get(path)
    except (Failure, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the Tab completion script for SHELL.

    \b
    bash    eval "$(driftlog completion bash)"     in ~/.bashrc
    zsh     eval "$(driftlog completion zsh)"      in ~/.zshrc
    fish    driftlog completion fish | source      in ~/.config/fish/config.fish
    """  # noqa: D301  # the mark by which click leaves lines as they are
    if shell is None:
        tell(context.get_help())
        return
    kind = get_completion_class(shell)
    assert kind is not None
    tell(kind(context.find_root().command, {}, "driftlog", _VARIABLE).source())
