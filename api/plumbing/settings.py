"""Settings: what the environment says about this installation. docs/settings.md explains each to an operator."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from engine.core.documents import malformed
from store.quotas import Quotas
from store.redis import address, memory

PREFIX = "DRIFTLOG_"
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # compared, not bound to
"""What to listen on to be reached by every address of the machine, and where it is then reached from itself."""


_LISTS = frozenset({"hosts", "origins", "proxies", "read_origins", "webhook_networks"})
"""Settings that are lists, parted by commas or spaces."""


_Often = Annotated[
    str,
    Meta(
        pattern=r"^(off|[1-9][0-9]{0,8}/(second|minute|hour|day))$",
        description="such as 600/minute (or /second, /hour, /day), or off",
    ),
]
"""How often something may be done."""
_Address = Annotated[
    str,
    Meta(pattern=r"^$|^https?://[^/?#@\s]+(/[^?#\s]*)?$", description="an address such as https://games.example.org"),
]
"""Of a service, as others reach it."""
_ADDRESSES = ("redis_url", "queue_url", "rate_url")
"""Settings that are addresses of a Redis."""
_UNTOLD = frozenset({"token"})
"""Settings whose values are told to nobody."""
_LONGEST = 100
"""Characters of a value that are told."""
_Most = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class BadSetting(Exception):
    """A setting has a value that it cannot have; the message names it."""


@contextmanager
def setting(name: str) -> Iterator[None]:
    """Have what goes wrong in the block be told of the setting of that name."""
    try:
        yield
    except BadSetting as error:
        raise BadSetting(f"{PREFIX}{name.upper()}: {error}") from None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One service's settings; each field is the variable `DRIFTLOG_<FIELD>`."""

    redis_url: Annotated[
        str,
        Meta(
            pattern=r"^$|^(rediss?(\+cluster)?|unix)://|^rediss?\+sentinel://[^/]+/[^/]",
            description="an address that begins with redis://, rediss://, unix://, redis+cluster:// or "
            "rediss+cluster://, or is redis+sentinel://host:26379/service",
        ),
    ] = ""
    """The Redis that holds the events; empty: an embedded one in the data folder."""
    queue_url: Annotated[
        str,
        Meta(
            pattern=r"^$|^(rediss?|unix)://|^rediss?\+sentinel://[^/]+/[^/]",
            description="an address that begins with redis://, rediss:// or unix:// (no cluster), or is "
            "redis+sentinel://host:26379/service",
        ),
    ] = ""
    """The Redis (no cluster) that holds the job queue; empty: an embedded one, which keeps nothing on disk."""
    replicas: Annotated[int, Meta(ge=0, le=16)] = 0
    """How many replicas of the Redis that holds the events have to have an event before it is acknowledged."""
    data: Path = Path("data")
    """The folder of the embedded servers."""
    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """0: any that is free."""
    access: Literal["open", "tokens"] = "open"
    """Whether callers need a token. An open service is for loopback alone, unless `serve --open` says otherwise."""
    token: Annotated[str, Meta(pattern=r"^[!-~]*$", description="what `driftlog tokens create` tells")] = ""
    """By which the commands that talk to a service do so."""
    url: _Address = ""
    """The service that these talk to, where they are not told; empty: as the file `config` has it."""
    config: str = ""
    """The file of the commands that talk to a service; empty: the one in the user's own folder of settings."""
    hosts: tuple[str, ...] = ()
    """Names by which the service is known besides: `Host` has to be one that it knows."""
    origins: tuple[str, ...] = ()
    """Origins of web pages that may write besides its own."""
    read_origins: tuple[str, ...] = ()
    """Origins of web pages that may read the API besides its own; `*`: all."""
    public_url: _Address = ""
    """Where others find the service; empty: where it is bound."""
    certificate: str = ""
    """A file (PEM) with the certificate by which the service speaks TLS itself; empty: it does not."""
    key: str = ""
    """The file (PEM) with its key; empty: that of the certificate."""
    web_processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """0: one per processor, two at the most."""
    web_threads: Annotated[int, Meta(ge=1, le=1024)] = 32
    """Requests that each web process answers at a time."""
    request_seconds: Annotated[float, Meta(gt=0, le=3600)] = 2.0
    """Of the processor's time that the answer to one request may take."""
    streams: Annotated[int, Meta(ge=1, le=10_000)] = 256
    """Live streams that each web process holds besides."""
    connections: Annotated[int, Meta(ge=64, le=100_000)] = 4096
    """Connections that each web process holds, idle ones and live streams included."""
    connections_per_address: Annotated[int, Meta(ge=0, le=100_000)] = 1024
    """How many of them one address may have; 0: all."""
    streams_per_address: Annotated[int, Meta(ge=0, le=10_000)] = 128
    """How many live streams of one address each web process holds; 0: all."""
    streams_per_token: Annotated[int, Meta(ge=0, le=10_000)] = 128
    """The same of one token."""
    rate_address: _Often = "30000/minute"
    """Requests that one address may make."""
    rate_token: _Often = "30000/minute"  # noqa: S105  # no secret
    """Requests that may be made with one token."""
    rate_url: Annotated[
        str,
        Meta(
            pattern=r"^$|^(rediss?|unix|redis\+cluster)://|^rediss?\+sentinel://[^/]+/[^/]",
            description="an address that begins with redis://, rediss://, unix:// or redis+cluster://, or is "
            "redis+sentinel://host:26379/service",
        ),
    ] = ""
    """The Redis in which requests are counted; empty: that of the job queue."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""
    webhook_networks: tuple[str, ...] = ()
    """Addresses and networks that webhooks may lead to although they are not public."""
    quota_games: _Most = 0
    """Games that there may be in all; 0: any number, as for the other quotas."""
    quota_games_per_token: _Most = 100_000
    """Games that one token may have opened."""
    quota_events: _Most = 1_000_000
    """Events that a game may have."""
    quota_bytes: _Most = 512 * 1024 * 1024
    """Bytes that the events of a game may have, as they are stored."""
    maxmemory: Annotated[
        str,
        Meta(
            pattern=r"^([1-9][0-9]{0,14}(kb|mb|gb)?|[1-9][0-9]?%|off)$",
            description="such as 2gb, 512mb, 50% (of the machine's memory) or off",
        ),
    ] = "50%"
    """How much memory the embedded Redis of the events may take; it then takes no more writes."""
    disk_reserve: Annotated[
        str, Meta(pattern=r"^([1-9][0-9]{0,14}(kb|mb|gb)?|off)$", description="such as 1gb, 256mb or off")
    ] = "256mb"
    """Free space of the data folder's disk below which the embedded Redis of the events takes no more writes."""
    head_seconds: Annotated[int, Meta(ge=1, le=3600)] = 10
    """Within that, a request's line and headers have to be there."""
    body_seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    """Within that, its body; it has as long again each time that 16 KiB for each second have come."""
    log: Literal["", "text", "json"] = ""
    """How log lines are written; empty: as text on a terminal, else as JSON."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least that is logged."""
    workers: Annotated[int, Meta(ge=0, le=256)] = 2
    """Worker processes that `serve` runs."""
    archive: str = ""
    """Where the logs of archived games are: a folder, or an address that fsspec knows; empty: a folder in `data`."""
    archive_after_days: Annotated[float, Meta(ge=0, le=36_500)] = 0.0
    """Days after which the log of a game that has ended is archived; 0: never."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """The settings of this process; an empty variable is as one that is not set.

        Args:
            environment: by default the process's own.
            overrides: values that the command line gives; None is none, and so is an empty text or list.

        Raises:
            BadSetting: a value does not fit, or a variable begins with DRIFTLOG_ and is no setting.
        """
        variables = os.environ if environment is None else environment
        given: dict[str, Any] = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in variables.items()
            if name.startswith(PREFIX) and value.strip()
        }
        for name in _LISTS & given.keys():
            given[name] = re.split(r"[\s,]+", given[name].strip(", \t")) if given[name].strip(", \t") else ()
        given.update({name: value for name, value in overrides.items() if value not in (None, (), "")})
        for name in given:
            if name not in cls.__struct_fields__:
                raise BadSetting(f"{PREFIX}{name.upper()} is not a setting")
        try:
            settings = msgspec.convert(given, cls, strict=False, dec_hook=lambda _, value: Path(value))
        except msgspec.ValidationError as error:
            fault = malformed(error, "", cls)
            name = fault.pointer.strip("/").partition("/")[0]
            # The environment knows nothing but texts.
            with setting(name):
                raise BadSetting(_refusal(name, fault.message.removesuffix(", not a text"), given[name])) from None
        for name in _ADDRESSES:
            lacking = address.wanted(getattr(settings, name))
            if lacking is not None:
                with setting(name):
                    raise BadSetting(_refusal(name, lacking, given[name]))
        if 0 < memory.bytes_of(settings.maxmemory) < memory.LEAST:
            with setting("maxmemory"):
                raise BadSetting(
                    _refusal("maxmemory", f"it has to be {memory.LEAST >> 20}mb or more", given["maxmemory"])
                )
        return settings

    @property
    def scheme(self) -> str:
        """By which the service itself is reached."""
        return "https" if self.certificate else "http"

    @property
    def quotas(self) -> Quotas:
        """How much may be stored."""
        return Quotas(
            games=self.quota_games,
            games_per_token=self.quota_games_per_token,
            events=self.quota_events,
            bytes=self.quota_bytes,
        )

    @property
    def archived(self) -> str:
        """Where the logs of archived games are."""
        return self.archive or str((self.data / "archive").absolute())

    @property
    def processes(self) -> int:
        """How many web processes there are to be."""
        return self.web_processes or min(2, os.cpu_count() or 1)


def _refusal(name: str, wanted: str, given: object) -> str:
    """What is wanted of a setting, and what was given."""
    text = str(given)
    if name in _UNTOLD or repr(text) in wanted:
        return wanted
    told = address.shown(text) if name in _ADDRESSES else text
    return f"{wanted}, not {told[:_LONGEST] + '…' if len(told) > _LONGEST else told!r}"
