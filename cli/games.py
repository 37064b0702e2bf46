"""Games of a service in the terminal: list, show and follow them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from urllib.parse import quote, urlencode

import click

from cli.client import PATIENCE, Client
from cli.completing import games, rulesets
from cli.options import RESULTS, STATUSES
from cli.remote import url_option
from cli.terminal import Negative, ServiceUnavailable, columns, err, escape, minute, out, print_text, seat_colour

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_WAIT = 20
"""Seconds that the service waits for further events before it answers."""
RETRY_SECONDS = 1.0
_PAGE = 1000

P = ParamSpec("P")
T = TypeVar("T")
game_argument = click.argument("game", shell_complete=games)
viewer_option = click.option("--viewer", help="View as this seat, such as p2.  [default: public]")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the service's JSON.")


def path(game: str) -> str:
    """Return the API path of a game. No id has a slash, which would lead to a different path."""
    if not game or "/" in game:
        raise Negative("There is no such game.")
    return f"/v1/games/{quote(game, safe='')}"


def query(**asked: object) -> str:
    """Return the query string without None values."""
    given = {name: str(value) for name, value in asked.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def patiently(ask: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Return the answer to a request. If the service does not answer, repeat the request for a while."""
    deadline = time.monotonic() + PATIENCE
    is_told = False
    while True:
        try:
            return ask(*arguments, **named)
        except ServiceUnavailable as error:
            if time.monotonic() > deadline:
                raise
            if not is_told:
                err().print(f"[yellow]{escape(error.message)}[/]: trying again")
            is_told = True
            time.sleep(RETRY_SECONDS)


@click.command(name="list")
@click.option("--ruleset", metavar="ID", shell_complete=rulesets, help="Only games of this ruleset.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games with this status.")
@click.option("--result", type=click.Choice(RESULTS), help="Only games with this result.")
@click.option("--player", metavar="NAME", help="Only games with a player of this name.")
@click.option("--tag", help="Only games with this tag.")
@click.option("-q", "--words", metavar="TEXT", help="Only games with these words in names, tags or ruleset.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many to list.")
@json_option
@url_option
def list_games(url: str, words: str | None, *, as_json: bool, **asked: str | int | None) -> None:
    """List games, newest first."""
    found = Client(url).get(f"/v1/games{query(q=words, **asked)}")
    if as_json:
        print_json(found)
        return
    table = columns("Game", "Ruleset", "Players", "Status", "Turn", "Events", "Last")
    for game in found["games"]:
        names = ", ".join(seat["name"] for seat in game["seats"])
        last = minute(game["updated_at"])
        cells = (game["ruleset"], names, status_of(game), str(game["turn"]), str(game["version"]), last)
        table.add_row(f"[cyan]{escape(game['id'])}[/]", *map(escape, cells))
    out().print(table)
    if found["next_cursor"] is not None:
        err().print(f"These are the newest {len(found['games'])}. Use --limit to list more.")


def status_of(game: dict[str, Any]) -> str:
    """Return the status of a game, or its result."""
    result = (game["outcome"] or {}).get("result")
    return str(result if game["status"] == "finished" and result else game["status"].replace("_", " "))


@click.command()
@game_argument
@click.option(
    "--at", type=click.IntRange(min=1), metavar="SEQ", help="Show the table after this event.  [default: now]"
)
@viewer_option
@json_option
@url_option
def show(game: str, url: str, at: int | None, viewer: str | None, *, as_json: bool) -> None:
    """Show GAME: players, current turn, and table."""
    client = Client(url)
    asked = query(until=at, viewer=viewer)
    document = client.get(f"{path(game)}{asked}")
    facts = client.get(f"{path(game)}/facts{asked}")
    if as_json:
        print_json({"game": document, **{name: facts[name] for name in ("facts", "sentences", "overview")}})
        return
    console = out()
    heading(console, document)
    console.print(f"{status_of(document).capitalize()}, turn {document['turn']}, event {document['version']}.")
    if document["awaiting"]:
        waited = [document["seats"][int(seat[1:]) - 1]["name"] for seat in document["awaiting"]]
        console.print(f"Waiting for {escape(', '.join(waited))}.")
    if document["outcome"] is not None:
        print_result(console, document["outcome"], document["seats"])
    if facts["overview"]:
        table = columns()
        for row in facts["overview"]:
            table.add_row(f"[dim]{escape(row['label'])}[/]", escape(row["text"]))
        console.print(table)


@click.command()
@game_argument
@click.option(
    "--after", type=click.IntRange(min=0), metavar="SEQ", help="Start with the event after this one.  [default: now]"
)
@viewer_option
@url_option
def watch(game: str, url: str, after: int | None, viewer: str | None) -> None:
    """Watch GAME: print each event as it is recorded, until the game ends. Press Ctrl-C to stop."""
    client, console = Client(url), out()
    document = client.get(f"{path(game)}{query(viewer=viewer)}")
    heading(console, document)
    seen = document["version"] if after is None else after
    while True:
        # Wait for the next event with a long poll. Then read the event's sentence from the story.
        wait = LONGEST_WAIT if document["outcome"] is None else None
        events = f"{path(game)}/events{query(viewer=viewer, after=seen, limit=1, wait=wait)}"
        if not patiently(client.get, events)["events"]:
            if wait is None:
                print_result(console, document["outcome"], document["seats"])
                return
            continue
        asked = f"{path(game)}/story{query(viewer=viewer, after=seen, limit=_PAGE)}"
        document = {**document, **patiently(client.get, asked)}
        for line in document["story"]:
            print_line(console, line, document["seats"])
            seen = line["seq"]


@click.command()
@game_argument
@click.option("--from", "first", type=click.IntRange(min=1), metavar="SEQ", help="Begin with this event.")
@click.option("--until", type=click.IntRange(min=1), metavar="SEQ", help="End with this event.")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.0, help="Seconds to pause after each turn.")
@click.option("--table", "with_table", is_flag=True, help="Show the table after each turn.")
@viewer_option
@url_option
def replay(
    game: str, url: str, *, first: int | None, until: int | None, viewer: str | None, pace: float, with_table: bool
) -> None:
    """Replay GAME event by event, with a heading for each turn."""
    client, console = Client(url), out()
    document = client.get(f"{path(game)}{query(viewer=viewer, until=until)}")
    heading(console, document)
    turn, seq = None, 0
    for line in story(client, game, after=(first or 1) - 1, until=until, viewer=viewer):
        if line["turn"] != turn:
            if turn is not None:
                if with_table:
                    _print_table(console, client.get(f"{path(game)}/facts{query(at=seq, viewer=viewer)}"))
                time.sleep(pace)
            turn = line["turn"]
            console.print(f"\n[bold]{f'Turn {turn}' if turn else 'Setup'}[/]")
        print_line(console, line, document["seats"])
        seq = line["seq"]
    if document["outcome"] is not None:
        console.print()
        print_result(console, document["outcome"], document["seats"])


def _print_table(console: Console, facts: dict[str, Any]) -> None:
    for sentence in facts["sentences"]:
        console.print(f"        [dim]{escape(sentence)}[/]")


def story(
    client: Client, game: str, *, after: int = 0, until: int | None = None, viewer: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the events after `after`, each with its sentence."""
    while True:
        asked = query(after=after, until=until, viewer=viewer, limit=_PAGE)
        lines = client.get(f"{path(game)}/story{asked}")["story"]
        yield from lines
        if len(lines) < _PAGE:
            return
        after = lines[-1]["seq"]


def heading(console: Console, game: dict[str, Any]) -> None:
    """Print the name of the game and its players."""
    names = ", ".join(f"[{seat_colour(index)}]{escape(seat['name'])}[/]" for index, seat in enumerate(game["seats"]))
    console.print(f"[bold]{escape(game['ruleset'])}[/] ({escape(game['chance'])}): {names}")


def print_line(console: Console, line: dict[str, Any], seats: list[dict[str, Any]]) -> None:
    """Print an event as a sentence in the active player's colour, struck through if it is superseded."""
    style = seat_colour(int(line["seat"][1:]) - 1) if line["seat"] and seats else "default"
    sentence = escape(line["sentence"])
    if line["is_undone"]:
        sentence = f"[strike]{sentence}[/] (undone)"
    if line.get("verdict") == "illegal":
        sentence += f" [red]against the rules: {escape(line.get('reason', ''))}[/]"
    if line.get("note"):
        sentence += f" [italic]“{escape(line['note'])}”[/]"
    console.print(f"[dim]{line['seq']:>5}[/]  [{style}]{sentence}[/]")


def print_result(console: Console, outcome: dict[str, Any], seats: list[dict[str, Any]]) -> None:
    """Print the outcome of a game."""
    winners = ", ".join(seats[int(seat[1:]) - 1]["name"] for seat in outcome["winners"])
    by = f" by {escape(winners)}" if winners and outcome["result"] == "won" else ""
    by += " (decided by hand)" if outcome.get("by_hand") else ""
    console.print(f"[bold]The game is over: {escape(outcome['result'])}{by}.[/] ({escape(outcome['rule'])})")


def print_json(document: Any) -> None:
    """Print a document as JSON."""
    import json

    print_text(json.dumps(document, indent=2, ensure_ascii=False))


COMMANDS = (list_games, show, watch, replay)
