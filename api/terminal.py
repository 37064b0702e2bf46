"""What the commands share: how they speak to a terminal, and what their exit codes mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

WIDTH = 100
"""Of what is laid out in columns, where no terminal says."""


class Failure(click.ClickException):
    """Ends a command: a line on stderr, and the exit code of its class; those above 2 are of sysexits(3)."""


class Negative(Failure):
    """The answer is no: a log does not verify, the service refuses."""

    exit_code = 1


class WrongUsage(Failure):
    """What was asked for makes no sense."""

    exit_code = 2


class Unavailable(Failure):
    """The service, its Redis or a server binary is not there."""

    exit_code = 69


class Fault(Failure):
    """Something is wrong with Driftlog itself."""

    exit_code = 70


class CannotWrite(Failure):
    """A file or the data folder cannot be written."""

    exit_code = 73


class InUse(Failure):
    """The port or the data folder is in use by another."""

    exit_code = 75


class WrongSetting(Failure):
    """A setting has a value that it cannot have."""

    exit_code = 78


def out() -> Console:
    """Standard output: colour only on a terminal, and lines as long as they are."""
    return _console(stderr=False)


def err() -> Console:
    """Standard error, the same."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = WIDTH
    return console


class Bar:
    """How far long work is."""

    def __init__(self, progress: Progress, label: str) -> None:
        self._progress = progress
        self._task = progress.add_task(label, total=None)

    def show(self, done: float, total: float | None = None) -> None:
        """So much is `done`, of `total` if that is known."""
        self._progress.update(self._task, completed=done, total=total)


@contextmanager
def bar(label: str) -> Iterator[Bar]:
    """A progress bar on standard error while the block runs; nothing where that is no terminal."""
    console = err()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress, label)
