"""Common parts of the commands: output on a terminal, and exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from engine.core.text import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

WIDTH = 100_000
"""Width of tables if the output is not a terminal: wide enough to keep each row on one line."""
_SEAT_COLOURS = ("green", "cyan", "magenta", "yellow", "blue", "red", "bright_green", "bright_cyan")


class Failure(click.ClickException):
    """An error that ends a command. It has a line for stderr, and an exit code; codes above 2 are from sysexits(3)."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class Negative(Failure):
    """A negative result, such as a log that does not verify or a rejected request."""

    exit_code = 1


class WrongUsage(Failure):
    """The command was used wrongly."""

    exit_code = 2


class ServiceUnavailable(Failure):
    """The service, its Redis or a server binary is unavailable."""

    exit_code = 69


class InternalFault(Failure):
    """An internal error of Driftlog."""

    exit_code = 70


class CannotWrite(Failure):
    """A file or the data folder cannot be written."""

    exit_code = 73


class InUse(Failure):
    """Another process uses the port or the data folder."""

    exit_code = 75


class WrongSetting(Failure):
    """A setting has an invalid value."""

    exit_code = 78


def out() -> Console:
    """Return a console for standard output, with colours on a terminal only, and lines of any length."""
    return _console(stderr=False)


def err() -> Console:
    """Return a console for standard error, with colours on a terminal only, and lines of any length."""
    return _console(stderr=True)


def print_text(text: str) -> None:
    """Print a line unchanged to standard output."""
    click.echo(text)


def _console(*, stderr: bool) -> Console:
    # Import late: loading Rich takes longer than printing a version or a completion.
    from cli.console import Terminal

    console = Terminal(stderr=stderr, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = WIDTH
    return console


def escape(text: str) -> str:
    """Escape `text` so that it is shown literally."""
    from rich import markup

    return markup.escape(text)


def columns(*headings: str) -> Table:
    """Return a table of short texts without borders or wrapping."""
    # Import late, as above.
    from cli.console import Columns

    table = Columns(box=None, header_style="bold", pad_edge=False, show_header=bool(headings))
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def seat_colour(seat: int) -> str:
    """Return the colour of a seat's name, by the seat's index from 0."""
    return _SEAT_COLOURS[seat % len(_SEAT_COLOURS)]


def minute(moment: str | None) -> str:
    """Format an RFC 3339 time to the minute; an empty text if there is no time."""
    return (moment or "")[:16].replace("T", " ")


class Bar:
    """A progress bar."""

    def __init__(self, progress: Progress, label: str) -> None:
        self._progress = progress
        self._task = progress.add_task(visible(label), total=None)

    def show(self, done: float, total: float | None = None) -> None:
        """Update the progress to `done`, of `total` if known."""
        self._progress.update(self._task, completed=done, total=total)


@contextmanager
def bar(label: str) -> Iterator[Bar]:
    """During the block, show a progress bar on standard error if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = err()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress, label)
