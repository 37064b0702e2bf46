"""Checks of a Redis address without connecting.

redis-py treats an invalid database as database 0, and would use another service's data.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qs, urlsplit

_NUMBER = re.compile(r"[0-9]{1,5}")
_SECRET = re.compile(r"//.*@")


def missing_part(url: str) -> str | None:
    """Return the error in an address with a valid scheme, in words; None if there is none.

    Args:
        url: the address of a Redis, a cluster or sentinels; see `store.redis.connection.connect`.
    """
    try:
        parts = urlsplit(url)
        is_by_sentinel, is_cluster = parts.scheme.endswith("+sentinel"), parts.scheme.endswith("+cluster")
        has_many = is_by_sentinel or is_cluster
        hosts = parts.netloc.rpartition("@")[2].split(",") if has_many else [parts.netloc]
        for host in hosts:
            place = urlsplit(f"//{host}")
            # Reading `port` raises an error if it is invalid.
            if place.port is None and is_by_sentinel and not place.hostname:
                return "it must name sentinels, such as host:26379, separated by commas"
            if is_cluster and not place.hostname:
                return "it must name nodes, such as host:6379, separated by commas"
    except ValueError:
        return "it must have a host and a port, such as 127.0.0.1:6379"
    if parts.scheme == "unix" and not parts.path:
        return "it must have the path of a socket, such as unix:///run/redis.sock"
    databases = _databases(parts)
    if not all(map(_NUMBER.fullmatch, databases)):
        return "it must end with the number of a database, such as /0"
    if is_cluster and any(map(int, databases)):
        return "its database must be 0, because a cluster has no other"
    return None


def redact(url: str) -> str:
    """Return an address without its secrets."""
    return _SECRET.sub("//…@", url.partition("?")[0]) + ("?…" if "?" in url else "")


def _databases(parts: SplitResult) -> list[str]:
    path = "" if parts.scheme == "unix" else parts.path.strip("/")
    if parts.scheme.endswith("+sentinel"):
        path = path.partition("/")[2]
    return [text for text in (path, *parse_qs(parts.query).get("db", ())) if text]
