"""Settings: what the environment says about this installation. docs/settings.md explains each to an operator."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

PREFIX = "DRIFTLOG_"


class BadSetting(Exception):
    """A setting has a value that it cannot have; the message names it."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One service's settings; each field is the variable `DRIFTLOG_<FIELD>`."""

    redis_url: Annotated[str, Meta(pattern=r"^$|^(rediss?(\+cluster)?|unix)://")] = ""
    """The Redis that holds the events; empty: an embedded one in the data folder."""
    queue_url: Annotated[str, Meta(pattern=r"^$|^(rediss?|unix)://")] = ""
    """The Redis (no cluster) that holds the job queue; empty: an embedded one, which keeps nothing on disk."""
    data: Path = Path("data")
    """The folder of the embedded servers."""
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """0: any that is free."""
    web_processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """0: one per processor, two at the most."""
    web_threads: Annotated[int, Meta(ge=1, le=1024)] = 32
    """Requests that each web process answers at a time."""
    streams: Annotated[int, Meta(ge=1, le=10_000)] = 256
    """Live streams that each web process holds besides."""
    workers: Annotated[int, Meta(ge=0, le=256)] = 1
    """Worker processes that `serve` runs."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """The settings of this process.

        Args:
            environment: by default the process's own.
            overrides: values that the command line gives; None is none.

        Raises:
            BadSetting: a value does not fit, or a variable begins with DRIFTLOG_ and is no setting.
        """
        variables = os.environ if environment is None else environment
        given: dict[str, Any] = {
            name.removeprefix(PREFIX).lower(): value for name, value in variables.items() if name.startswith(PREFIX)
        }
        given.update({name: value for name, value in overrides.items() if value is not None})
        for name in given:
            if name not in cls.__struct_fields__:
                raise BadSetting(f"{PREFIX}{name.upper()} is not a setting")
        try:
            return msgspec.convert(given, cls, strict=False, dec_hook=lambda _, value: Path(value))
        except msgspec.ValidationError as error:
            message, _, path = str(error).partition(" - at `$.")
            raise BadSetting(f"{PREFIX}{path.rstrip('`').upper()}: {message}") from None

    @property
    def processes(self) -> int:
        """How many web processes there are to be."""
        return self.web_processes or min(2, os.cpu_count() or 1)
