"""Options and error handling that the commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.terminal import Negative, ServiceUnavailable, WrongSetting, WrongUsage, escape, out

if TYPE_CHECKING:
    from store import Store

# A copy of the list in the store, because importing the store takes longer than most commands.
STATUSES = ("setup", "in_progress", "finished", "abandoned")
RESULTS = ("won", "lost", "draw", "abandoned")
files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=True, allow_dash=True)
)
data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder.  [default: data]"
)


@contextmanager
def opened_store(data: Path | None) -> Iterator[Store]:
    """Open a service's store: the store in the data folder, or the one on the Redis that the settings name."""
    from api.plumbing.settings import Settings
    from cli.servers import open_store

    with failing(), ExitStack() as stack:
        yield open_store(Settings.from_environment(data=data), stack)


@contextmanager
def failing() -> Iterator[None]:
    """Turn errors of the settings or the store into a message and exit code."""
    from api.plumbing.settings import BadSetting
    from store.errors import StoreError

    try:
        yield
    except BadSetting as error:
        raise WrongSetting(str(error)) from None
    except StoreError as error:
        raise ServiceUnavailable(str(error)) from None


def one_by_one(names: tuple[str, ...], good: str, bad: str, judge: Callable[[str], tuple[bool, str]]) -> None:
    """Check each file, and print a line for it. The exit code is 0 if all files are valid.

    An unreadable file counts as wrong usage, as in every other command. Then the exit code is that of wrong usage.
    """
    console, code = out(), 0
    for name in names:
        try:
            is_good, account = judge(name)
            code = max(code, 0 if is_good else Negative.exit_code)
        except OSError as error:
            is_good, account = False, f"it cannot be read: {error.strerror}"
            code = WrongUsage.exit_code
        mark = f"[green]{good}[/]" if is_good else f"[bold red]{bad}[/]"
        console.print(f"{escape(name)}: {mark}: {escape(account)}")
    if code:
        sys.exit(code)


def parse_options(given: Sequence[str]) -> dict[str, Any]:
    """Return the options of a game, given as NAME=VALUE."""
    import json

    options: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise WrongUsage(f"{one!r} is not an option: use NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
