"""Redis behind Sentinel: the sentinels say which server takes writes, and are asked again when it may be another one.

`redis+sentinel://[user:password@]host[:port][,host[:port]…]/service[/database][?sentinel_password=…]`, and
`rediss+sentinel://` where sentinels and servers speak TLS. The password before the hosts is the servers'.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

import redis
from redis.connection import parse_url
from redis.sentinel import MasterNotFoundError, Sentinel

SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
PORT = 26379
"""Where a sentinel listens unless its address says otherwise."""
_ASKING = ("sentinel_username", "sentinel_password")
"""Options of an address that are for the sentinels alone."""
_SHARED = ("socket_", "retry", "maint_notifications_")
"""How those of the servers begin that hold for the sentinels, too."""


class NoSuchService(redis.ConnectionError):
    """The sentinels answer, and know no service of that name."""


class NoSentinel(redis.ConnectionError):
    """What answers is no sentinel."""


class Refused(redis.ConnectionError):
    """A sentinel wants another password."""


def is_address(url: str) -> bool:
    """Whether `url` is one of sentinels."""
    return url.partition("://")[0] in SCHEMES


def connect(url: str, **options: Any) -> redis.Redis:
    """A client of the server that takes writes; nothing is sent yet.

    Args:
        options: of redis-py's connections.

    Raises:
        ValueError: not such a URL.
    """
    parts = urlsplit(url)
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("an address of sentinels ends with the name of a service: redis+sentinel://host:26379/service")
    user, _, hosts = parts.netloc.rpartition("@")
    asking = {
        name.removeprefix("sentinel_"): values[-1] for name, values in parse_qs(parts.query).items() if name in _ASKING
    }
    # What redis-py knows of addresses is about one server: any will do.
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
        raise ValueError(f"no sentinel: {host!r}")
    return parts.hostname, parts.port or PORT


class _Sentinels(Sentinel):
    """redis-py's, which says why it finds no server."""

    def discover_master(self, service_name: str) -> Any:
        """The host and the port of the server of that service that takes writes.

        Raises:
            NoSentinel, NoSuchService, Refused: the address is another one's.
            MasterNotFoundError: there is none now, or no sentinel answers.
        """
        try:
            return super().discover_master(service_name)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        except redis.ResponseError as error:
            raise NoSentinel(str(error)) from error
        except MasterNotFoundError as error:
            known = self._services()
            if known is not None and service_name not in known:
                raise NoSuchService(f"its sentinels know {', '.join(sorted(known)) or 'none'}") from None
            raise MasterNotFoundError(f"no sentinel knows who takes writes of {service_name} now") from error

    def _services(self) -> set[str] | None:
        """All that the sentinels know that answer; None where none does.

        Raises:
            Refused: one wants another password.
        """
        known: set[str] | None = None
        for sentinel in self.sentinels:
            try:
                known = (known or set()) | set(map(str, sentinel.sentinel_masters()))
            except redis.AuthenticationError as error:
                raise Refused(str(error)) from error
            except (redis.ConnectionError, redis.TimeoutError):
                continue
        return known
