"""What the commands share: how they speak to a terminal, and what their exit codes mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

WIDTH = 100
"""Of what is laid out in columns, where no terminal says."""


class Exit(IntEnum):
    """The exit codes besides 0; those above 2 are those of sysexits(3)."""

    NEGATIVE = 1
    """The answer is no: a log does not verify, the service refuses."""
    USAGE = 2
    UNAVAILABLE = 69
    """The service, its store or a server binary is not there."""
    BROKEN = 70
    """Something is wrong with Driftlog itself."""
    CANNOT_CREATE = 73
    """A file cannot be written."""
    TRY_AGAIN = 75
    """The port or the data folder is in use by another."""
    BAD_SETTING = 78


class Failure(click.ClickException):
    """Ends a command: one line on stderr, and the exit code."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.exit_code = code


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
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress, label)
