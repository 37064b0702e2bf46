"""Find the addresses of clients, even behind a trusted reverse proxy."""

from __future__ import annotations

import ipaddress
import logging
import re
from functools import cache, lru_cache, partial

from flask import current_app, request

from api.plumbing.hosts import parse_address
from api.plumbing.settings import BadSetting, Settings, setting
from service import destinations
from service.destinations import Network

logger = logging.getLogger(__name__)

SITE_PREFIX = 64
"""Leading bits of an IPv6 address that identify a client; it can choose the other bits (RFC 4291, RFC 6177)."""
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5}")


def networks(name: str, texts: tuple[str, ...]) -> tuple[Network, ...]:
    """Parse the addresses and networks (CIDR) in the setting `name`; raise `BadSetting` if one is invalid."""
    try:
        return destinations.networks(texts)
    except ValueError as error:
        with setting(name):
            raise BadSetting(str(error)) from None


def client_address() -> str | None:
    """Return the address that identifies the client for limits: for IPv6, its /64 network.

    Return None for this machine itself, or if the address is unknown.
    """
    return _counting_key(client())


def client() -> str:
    """Return the address of the client of this request; empty if the client's socket has no address.

    `X-Forwarded-For` is only read if the peer is one of `DRIFTLOG_PROXIES`. The header is read from its end, and only
    the part that trusted proxies have written: anyone can forge the rest.
    """
    environ = request.environ
    peer, forwarded = environ.get("REMOTE_ADDR") or "", environ.get("HTTP_X_FORWARDED_FOR")
    if forwarded is None:
        return peer
    settings: Settings = current_app.config["SETTINGS"]
    trusted = _trusted(settings.proxies)
    if not _is_in(peer, trusted):
        _warn_untrusted(peer)
        return peer
    found = peer
    for entry in reversed(forwarded.split(",")):
        told = _without_port(entry.strip())
        if parse_address(told) is None:
            break
        found = told
        if not _is_in(told, trusted):
            break
    return found


@lru_cache(4096)
def _counting_key(text: str) -> str | None:
    address = parse_address(text)
    if address is None or address.is_loopback:
        return None
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, SITE_PREFIX), strict=False))


_trusted = cache(partial(networks, "proxies"))


def _is_in(text: str, trusted: tuple[Network, ...]) -> bool:
    address = parse_address(text)
    return address is not None and any(address in network for network in trusted)


def _without_port(entry: str) -> str:
    match = _WITH_PORT.fullmatch(entry)
    return entry if match is None else match[1] or match[2]


@lru_cache(1024)
def _warn_untrusted(peer: str) -> None:
    """Warn, once per process, that the header of an untrusted proxy is ignored.

    The proxy may be missing from the settings.
    """
    address = parse_address(peer)
    if address is None or address.is_private:
        logger.warning(
            "X-Forwarded-For from %s is ignored: to trust this proxy, add it to DRIFTLOG_PROXIES", peer or "a socket"
        )
