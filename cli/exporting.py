"""`driftlog export` and `driftlog export-games`: save logs of a service as files."""

from __future__ import annotations

from pathlib import Path

import click

from cli.client import Client
from cli.options import RESULTS, STATUSES
from cli.remote import url_option

# A copy of the names in `exports.FORMATS`, because importing them takes longer than a completion may.
FORMATS_OF_MANY = (
    *("json", "ndjson", "csv", "markdown", "html", "sheet", "draws", "cloudevents", "cloudevents_ndjson", "bgstats"),
    *("svg", "png", "sqlite", "parquet", "notation", "playthrough"),
)
FORMATS = (*FORMATS_OF_MANY, "pdf", "gif")


@click.command()
@click.argument("game")
@click.option(
    "--format", type=click.Choice(FORMATS), default="json", show_default=True, help="The format: docs/formats.md."
)
@click.option(
    "--columns",
    type=click.Choice(["game", "all"]),
    help="For csv: the columns that this game uses, or the columns of all rulesets.  [default: game]",
)
@click.option("--viewer", help="View as this seat, such as p2.  [default: public]")
@click.option(
    "--until", type=click.IntRange(min=1), metavar="SEQ", help="Export the log up to this event.  [default: all]"
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file.  [default: standard output]"
)
@click.option(
    "--proof",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also save the signed head to this file. (A json export contains it.)",
)
@url_option
def export(game: str, output: Path | None, proof: Path | None, url: str, **asked: str | int | None) -> None:
    """Export GAME to a file."""
    from cli.files import fetch

    query = {name: str(value) for name, value in asked.items() if value is not None}
    fetch(Client(url), game, query, output, proof)


@click.command(name="export-games")
@click.option(
    "--format",
    type=click.Choice(FORMATS_OF_MANY),
    default="json",
    show_default=True,
    help="The format: docs/formats.md.",
)
@click.option("--ruleset", metavar="ID", help="Only games of this ruleset.")
@click.option("--status", type=click.Choice(STATUSES), help="Only games with this status.")
@click.option("--result", type=click.Choice(RESULTS), help="Only games with this result.")
@click.option("--player", metavar="NAME", help="Only games with a player of this name.")
@click.option("--tag", help="Only games with this tag.")
@click.option("--from", metavar="TIME", help="Only games opened at or after this time (RFC 3339).")
@click.option("--to", metavar="TIME", help="Only games opened before this time.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The zip. Use - for standard output.",
)
@url_option
def export_games(output: Path, url: str, **order: str | None) -> None:
    """Export many games to one zip: a file per game, or tables of all games (sqlite, parquet)."""
    from cli.files import fetch_many

    fetch_many(Client(url), {name: value for name, value in order.items() if value is not None}, output)
