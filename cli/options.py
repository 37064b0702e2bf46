"""What several commands take, and how all of them fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from api.settings import BadSetting
from cli.terminal import Unavailable, WrongSetting

data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder.  [default: data]"
)


@contextmanager
def failing() -> Iterator[None]:
    """End the command with a line and a code where the settings or the store are at fault."""
    from store.errors import StoreError

    try:
        yield
    except BadSetting as error:
        raise WrongSetting(str(error)) from None
    except StoreError as error:
        raise Unavailable(str(error)) from None
