"""Shell completion of commands and options, and of the service's games, rulesets and webhooks."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from cli.client import Client
from cli.remote import DEFAULT_URL, chosen_service
from cli.terminal import Failure, print_text

SECONDS = 2.0
"""Timeout in seconds for the service's answer after the user presses Tab."""
SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_DRIFTLOG_COMPLETE"


def games(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a game, from the newest games."""
    found = _ask(context, "/v1/games?limit=50").get("games", ())
    return [
        CompletionItem(game["id"], help=f"{game['ruleset']}: {', '.join(seat['name'] for seat in game['seats'])}")
        for game in found
        if game["id"].startswith(incomplete)
    ]


def rulesets(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a ruleset."""
    found = _ask(context, "/v1/rulesets").get("rulesets", ())
    return [CompletionItem(one["id"], help=one["name"]) for one in found if one["id"].startswith(incomplete)]


def webhooks(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a webhook."""
    found = _ask(context, "/v1/webhooks").get("webhooks", ())
    return [CompletionItem(one["id"], help=one["url"]) for one in found if one["id"].startswith(incomplete)]


def _ask(context: click.Context, path: str) -> dict[str, Any]:
    """Return the answer of the service; empty after any error, because completion cannot show a message."""
    try:
        url = context.params.get("url") or chosen_service() or DEFAULT_URL
        answer = Client(url, seconds=SECONDS).get(path)
    except (Failure, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the Tab completion script for a shell.

    \b
    bash    eval "$(driftlog completion bash)"     in ~/.bashrc
    zsh     eval "$(driftlog completion zsh)"      in ~/.zshrc
    fish    driftlog completion fish | source      in ~/.config/fish/config.fish
    """  # noqa: D301  # the mark by which click leaves lines as they are
    if shell is None:
        print_text(context.get_help())
        return
    kind = get_completion_class(shell)
    assert kind is not None
    print_text(kind(context.find_root().command, {}, "driftlog", _VARIABLE).source())
