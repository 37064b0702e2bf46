"""Standard output that handles a closed pipe and a full disk."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

import click

from cli.terminal import CannotWrite


class Commands(click.Group):
    """The commands. All standard output, including click's, goes through `_Output`."""

    def main(self, *args: Any, **options: Any) -> Any:
        # Do not touch a stream that was replaced, for example by a test.
        if sys.stdout is sys.__stdout__:
            try:
                sys.stdout = _guard(sys.__stdout__)
            except CannotWrite as failure:
                failure.show()
                sys.exit(failure.exit_code)
        return super().main(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, then flush its output so that a failed write is reported."""
        try:
            return super().invoke(ctx)
        finally:
            sys.stdout.flush()


class _Output(io.FileIO):
    """Standard output. After a failed write, all later output is discarded, even at the end of the process."""

    def write(self, data: Any, /) -> int:
        """Write to the stream. Ignore that the reader of a pipe, such as `head`, has closed it."""
        try:
            return super().write(data)
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            if isinstance(error, BrokenPipeError):
                return super().write(data)
            raise _cannot_write(error.strerror) from None


def _guard(stream: io.TextIOWrapper | None) -> io.TextIOWrapper:
    if stream is None:
        raise _cannot_write("it is closed")
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
    )


def _cannot_write(why: str | None) -> CannotWrite:
    return CannotWrite(f"standard output cannot be written: {why}")
