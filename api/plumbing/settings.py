"""Settings from environment variables. docs/settings.md explains each for operators."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from engine.core.documents import malformed_error
from store.quotas import Quotas
from store.redis import address, memory

PREFIX = "DRIFTLOG_"
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # compared, not bound to
"""Addresses that stand for every interface, each with the address by which this machine reaches itself."""


_LISTS = frozenset({"hosts", "origins", "proxies", "read_origins", "webhook_networks"})
"""Settings that are lists, separated by commas or spaces."""


_Often = Annotated[
    str,
    Meta(
        pattern=r"^(off|[1-9][0-9]{0,8}/(second|minute|hour|day))$",
        description="a rate such as 600/minute (or /second, /hour, /day), or off",
    ),
]
"""A rate limit, such as `30000/minute`."""
_Address = Annotated[
    str,
    Meta(pattern=r"^$|^https?://[^/?#@\s]+(/[^?#\s]*)?$", description="an address such as https://games.example.org"),
]
"""The address of a service."""
_ADDRESSES = ("redis_url", "queue_url", "rate_url")
"""Names of the settings with addresses of a Redis."""
_UNTOLD = frozenset({"token"})
"""Settings whose values are never shown."""
_LONGEST = 100
"""Maximum length of a displayed value."""
_Most = Annotated[int, Meta(ge=0, le=1_000_000_000_000)]


class BadSetting(Exception):
    """A setting has an invalid value; the message names the setting."""


@contextmanager
def setting(name: str) -> Iterator[None]:
    """Run the block, and add the name of the setting to its errors."""
    try:
        yield
    except BadSetting as error:
        raise BadSetting(f"{PREFIX}{name.upper()}: {error}") from None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a service; each field is the environment variable `DRIFTLOG_<FIELD>`."""

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
    """The Redis (no cluster) that holds the job queue; empty: an embedded one that stores nothing on disk."""
    replicas: Annotated[int, Meta(ge=0, le=16)] = 0
    """Number of replicas of the events' Redis that must store an event before it is acknowledged."""
    data: Path = Path("data")
    """The folder of the embedded servers."""
    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """The port of the service; 0: any free port."""
    access: Literal["open", "tokens"] = "open"
    """`tokens`: callers need a token. An open service only listens on loopback, unless `serve --open` is given."""
    token: Annotated[str, Meta(pattern=r"^[!-~]*$", description="a token, as printed by `driftlog tokens create`")] = ""
    """The token for commands that use a service over the network."""
    url: _Address = ""
    """The address of the service for commands over the network; empty: the address in the file `config`."""
    config: str = ""
    """The file that configures commands over the network; empty: the file in the user's configuration folder."""
    hosts: tuple[str, ...] = ()
    """Additional names of the service; `Host` must be a known name."""
    origins: tuple[str, ...] = ()
    """Additional origins of web pages that may write."""
    read_origins: tuple[str, ...] = ()
    """Origins of web pages that may read the API; `*`: all."""
    public_url: _Address = ""
    """The public address of the service; empty: the address that it listens on."""
    certificate: str = ""
    """File (PEM) with the service's TLS certificate; empty: no TLS."""
    key: str = ""
    """File (PEM) with the private key of the certificate; empty: in the certificate file."""
    authority: str = ""
    """File (PEM) with the authority of the certificate, which phones install over plain HTTP on the same port."""
    web_processes: Annotated[int, Meta(ge=0, le=256)] = 0
    """Number of web processes; 0: one per processor, at most two."""
    web_threads: Annotated[int, Meta(ge=1, le=1024)] = 32
    """Maximum number of requests that each web process handles at a time."""
    request_seconds: Annotated[float, Meta(gt=0, le=3600)] = 2.0
    """Limit of processor time of a request in seconds."""
    streams: Annotated[int, Meta(ge=1, le=10_000)] = 256
    """Maximum number of live streams of each web process."""
    connections: Annotated[int, Meta(ge=64, le=100_000)] = 4096
    """Maximum number of connections of each web process, including idle ones and live streams."""
    connections_per_address: Annotated[int, Meta(ge=0, le=100_000)] = 1024
    """Maximum number of connections of one address; 0: unlimited."""
    streams_per_address: Annotated[int, Meta(ge=0, le=10_000)] = 128
    """Maximum number of live streams of one address in each web process; 0: unlimited."""
    streams_per_token: Annotated[int, Meta(ge=0, le=10_000)] = 128
    """Maximum number of live streams of one token in each web process; 0: unlimited."""
    rate_address: _Often = "30000/minute"
    """Rate limit of one address."""
    rate_token: _Often = "30000/minute"  # noqa: S105  # no secret
    """Rate limit of one token."""
    rate_url: Annotated[
        str,
        Meta(
            pattern=r"^$|^(rediss?|unix|redis\+cluster)://|^rediss?\+sentinel://[^/]+/[^/]",
            description="an address that begins with redis://, rediss://, unix:// or redis+cluster://, or is "
            "redis+sentinel://host:26379/service",
        ),
    ] = ""
    """The Redis that counts requests; empty: the job queue's."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted."""
    webhook_networks: tuple[str, ...] = ()
    """Addresses and networks that are allowed as destinations of webhooks although they are not public."""
    quota_games: _Most = 0
    """Maximum number of games; 0: unlimited, as for the other quotas."""
    quota_games_per_token: _Most = 100_000
    """Maximum number of games opened by one token."""
    quota_events: _Most = 1_000_000
    """Maximum number of events in a game."""
    quota_bytes: _Most = 512 * 1024 * 1024
    """Maximum bytes of a game's events, as stored."""
    maxmemory: Annotated[
        str,
        Meta(
            pattern=r"^([1-9][0-9]{0,14}(kb|mb|gb)?|[1-9][0-9]?%|off)$",
            description="a size such as 2gb, 512mb, 50% (of the machine's memory) or off",
        ),
    ] = "50%"
    """Memory limit of the embedded Redis of the events; at the limit it accepts no more writes."""
    disk_reserve: Annotated[
        str, Meta(pattern=r"^([1-9][0-9]{0,14}(kb|mb|gb)?|off)$", description="a size such as 1gb, 256mb or off")
    ] = "256mb"
    """Free disk space of the data folder below which the embedded Redis of the events accepts no more writes."""
    head_seconds: Annotated[int, Meta(ge=1, le=3600)] = 10
    """Seconds within which the request line and headers must arrive."""
    body_seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    """Seconds within which the body must arrive; extended while it arrives at 16 KiB per second."""
    log: Literal["", "text", "json"] = ""
    """Format of log lines; empty: text on a terminal, otherwise JSON."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The lowest level that is logged."""
    workers: Annotated[int, Meta(ge=0, le=256)] = 2
    """Number of worker processes that `serve` runs."""
    photo_entry: bool = False
    """`true`: the setup page recognizes the tiles in a photo (an experiment)."""
    archive: str = ""
    """Location of archived logs: a folder, or an address for fsspec; empty: a folder in `data`."""
    archive_after_days: Annotated[float, Meta(ge=0, le=36_500)] = 0.0
    """Days from the end of a game until its log is archived; 0: never."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """Return the settings of this process; an empty variable counts as not set.

        Args:
            environment: default: the environment of the process.
            overrides: values from the command line; None and empty texts are ignored.

        Raises:
            BadSetting: a value is invalid, or a variable that begins with DRIFTLOG_ is not a setting.
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
            fault = malformed_error(error, "", cls)
            name = fault.pointer.strip("/").partition("/")[0]
            # Omit the value's type from the message, because environment variables are always texts.
            with setting(name):
                raise BadSetting(_refusal(name, fault.message.removesuffix(", not a text"), given[name])) from None
        for name in _ADDRESSES:
            lacking = address.missing_part(getattr(settings, name))
            if lacking is not None:
                with setting(name):
                    raise BadSetting(_refusal(name, lacking, given[name]))
        if 0 < memory.bytes_of(settings.maxmemory) < memory.LEAST:
            with setting("maxmemory"):
                raise BadSetting(_refusal("maxmemory", f"must be {memory.LEAST >> 20}mb or more", given["maxmemory"]))
        return settings

    @property
    def scheme(self) -> str:
        """The scheme of the service's address."""
        return "https" if self.certificate else "http"

    @property
    def quotas(self) -> Quotas:
        """The limits on stored data."""
        return Quotas(
            games=self.quota_games,
            games_per_token=self.quota_games_per_token,
            events=self.quota_events,
            bytes=self.quota_bytes,
        )

    @property
    def archive_address(self) -> str:
        """The location of archived logs: a folder or an address."""
        return self.archive or str((self.data / "archive").absolute())

    @property
    def processes(self) -> int:
        """The number of web processes."""
        return self.web_processes or min(2, os.cpu_count() or 1)


def _refusal(name: str, wanted: str, given: object) -> str:
    text = str(given)
    if name in _UNTOLD or repr(text) in wanted:
        return wanted
    told = address.redact(text) if name in _ADDRESSES else text
    return f"{wanted}, not {told[:_LONGEST] + '…' if len(told) > _LONGEST else told!r}"
