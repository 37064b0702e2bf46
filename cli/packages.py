"""`driftlog new-ruleset`: create the package of a ruleset."""

from __future__ import annotations

from pathlib import Path

import click

from cli.terminal import CannotWrite, WrongUsage, tell


@click.command(name="new-ruleset")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="A new or empty folder.  [default: NAME in the current folder]",
)
def new_ruleset(name: str, output: Path | None) -> None:
    """Create a package with a small, complete game and its tests, as a starting point for your own.

    NAME is in kebab case, such as sea-trade. The tutorial is docs/new-ruleset.md.
    """
    from driftlog.starter import BadName, write

    folder = output or Path(name)
    try:
        written = write(name, folder)
    except (BadName, FileExistsError) as error:
        raise WrongUsage(str(error)) from None
    except OSError as error:
        raise CannotWrite(f"{error.filename} cannot be written: {error.strerror}") from None
    for path in written:
        tell(str(path))
