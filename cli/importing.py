"""`driftlog import`: import files into a service as games."""

from __future__ import annotations

import click

from cli.client import Client
from cli.options import files_argument, one_by_one
from cli.remote import url_option
from cli.terminal import Negative, err, escape


@click.command(name="import")
@files_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["json", "ndjson", "notation", "csv", "xlsx", "scoresheet", "bgstats"]),
    help="The format of the files: docs/formats.md.  [default: detected]",
)
@url_option
def import_(files: tuple[str, ...], format_: str | None, url: str) -> None:
    """Import exported logs as games. Use - for standard input.

    Every event is replayed and verified first. An invalid file does not stop the others, and importing a file twice
    gives the same game. A scoresheet, as in examples/, becomes a new record. So does a handwritten game, as a text or
    in a sheet (docs/notation.md): its incomplete and illegal lines are listed. Plays from BG Stats become logged
    plays, which have a result but no events. The command prints the number of plays by status, and lists the invalid
    ones.
    """
    from cli.files import BGSTATS, bring, looks_like, read, take_in

    client = Client(url)

    def judge(name: str) -> tuple[bool, str]:
        try:
            data = read(name)
            looks = format_ or looks_like(data)
            if looks == BGSTATS:
                account, doubts = take_in(client, data)
                for doubt in doubts:
                    err().print(escape(f"{name}, {doubt}"), soft_wrap=True)
                return True, account
            ids, doubts = bring(client, data, looks)
            for doubt in doubts:
                err().print(escape(f"{name}, {doubt}"), soft_wrap=True)
            return True, ", ".join(ids)
        except Negative as refused:
            return False, refused.message

    one_by_one(files, "imported", "REFUSED", judge)
