"""Redis behind Sentinel: the sentinels report the server that accepts writes.

After a failover, the client asks the sentinels again.

`redis+sentinel://[user:password@]host[:port][,host[:port]…]/service[/database][?sentinel_password=…]`, and
`rediss+sentinel://` for TLS to sentinels and servers. The password before the hosts is for the servers.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

import redis
from redis.connection import parse_url
from redis.sentinel import MasterNotFoundError, Sentinel

SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
PORT = 26379
"""Default port of sentinels."""
_ASKING = ("sentinel_username", "sentinel_password")
"""Options of an address that apply to the sentinels only."""
_SHARED = ("socket_", "retry", "maint_notifications_")
"""Prefixes of server options that also apply to sentinels."""


class NoSuchService(redis.ConnectionError):
    """The sentinels answer, but do not know the service."""


class NoSentinel(redis.ConnectionError):
    """The server is not a sentinel."""


class SentinelRefused(redis.ConnectionError):
    """A sentinel requires a different password."""


def is_address(url: str) -> bool:
    """Return True if `url` is an address of sentinels."""
    return url.partition("://")[0] in SCHEMES


def connect(url: str, **options: Any) -> redis.Redis:
    """Create a client for the server that accepts writes; nothing is sent yet.

    Args:
        options: options of redis-py's connections.

    Raises:
        ValueError: `url` is not an address of sentinels.
    """
    parts = urlsplit(url)
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError(
            "an address of sentinels must end with the name of a service: redis+sentinel://host:26379/service"
        )
    user, _, hosts = parts.netloc.rpartition("@")
    asking = {
        name.removeprefix("sentinel_"): values[-1] for name, values in parse_qs(parts.query).items() if name in _ASKING
    }
    # redis-py only parses addresses with one server, so pass a placeholder.
    query = "&".join(pair for pair in parts.query.split("&") if pair.partition("=")[0] not in _ASKING)
    plain = SplitResult(SCHEMES[parts.scheme], f"{user}{'@' if user else ''}sentinel", f"/{database}", query, "")
    known: dict[str, Any] = parse_url(plain.geturl())  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
    told = {name: value for name, value in known.items() if name not in ("host", "connection_class")}
    shared = {name: value for name, value in options.items() if name.startswith(_SHARED)}
    secure = {name: value for name, value in told.items() if name.startswith("ssl_")}
    if parts.scheme == "rediss+sentinel":
        shared |= {"ssl": True, **secure}
        told["ssl"] = True
    places = list(map(_place, hosts.split(",")))
    sentinels = _Sentinels(places, sentinel_kwargs={**shared, **asking})  # type: ignore[no-untyped-call]  # as above
    client: redis.Redis = sentinels.master_for(service, **{**options, **told})  # type: ignore[no-untyped-call]  # as above
    return client


def _place(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    if not parts.hostname:
        raise ValueError(f"not the address of a sentinel: {host!r}")
    return parts.hostname, parts.port or PORT


class _Sentinels(Sentinel):
    """Sentinels that explain why they find no server."""

    def discover_master(self, service_name: str) -> Any:
        """Return host and port of the server that accepts writes for a service.

        Raises:
            NoSentinel, NoSuchService, SentinelRefused: the address is wrong.
            MasterNotFoundError: no server accepts writes now, or no sentinel answers.
        """
        try:
            return super().discover_master(service_name)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        except redis.ResponseError as error:
            raise NoSentinel(str(error)) from error
        except MasterNotFoundError as error:
            known = self._services()
            if known is not None and service_name not in known:
                raise NoSuchService(f"its sentinels know {', '.join(sorted(known)) or 'none'}") from None
            raise MasterNotFoundError(
                f"no sentinel knows a master of {service_name} that accepts writes now"
            ) from error

    def _services(self) -> set[str] | None:
        known: set[str] | None = None
        for sentinel in self.sentinels:
            try:
                known = (known or set()) | set(map(str, sentinel.sentinel_masters()))
            except redis.AuthenticationError as error:
                raise SentinelRefused(str(error)) from error
            except (redis.ConnectionError, redis.TimeoutError):
                continue
        return known
