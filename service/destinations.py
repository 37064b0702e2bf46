"""Where a webhook may lead: to public addresses alone, but for the networks that the operator names.

An address is judged twice, by the same rule: when a webhook is made, so that whoever makes it is told, and on each
connection, which then goes to the very address that was judged. So a name that leads elsewhere later (DNS rebinding)
leads nowhere.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import msgspec

from engine.core.errors import Malformed
from service.errors import TooManyLookups

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LONGEST = 2048
"""Characters of an address."""
INWARD = "it leads to an address that is not public, and that DRIFTLOG_WEBHOOK_NETWORKS does not name"
"""Why nothing is sent there, for whoever made the webhook."""
_PORTS = {"http": 80, "https": 443}
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Whose last 32 bits are an address of IPv4 (RFC 6052)."""
_CLOUDS = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("168.63.129.16/32"))
"""Where clouds tell their machines what is secret, at addresses that count as public."""
LOOKUPS = 4
"""Hosts that a process looks up at a time for those who make webhooks: a name server may take its time."""
_TURNS = threading.BoundedSemaphore(LOOKUPS)


class Destination(msgspec.Struct, frozen=True):
    """An address of the web, taken apart."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""

    @property
    def authority(self) -> str:
        """As the header `Host` names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @classmethod
    def parse(cls, url: str) -> Destination:
        """
        Raises:
            Malformed: it is no address that can be sent to.
        """
        if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
            raise Malformed("/url", f"an address of at most {LONGEST} ASCII characters, without spaces")
        try:
            parts = urlsplit(url)
            port, host = parts.port, (parts.hostname or "").rstrip(".")
        except ValueError as error:
            raise Malformed("/url", f"no address: {error}") from error
        if parts.scheme not in _PORTS or not host:
            raise Malformed("/url", "an address that begins with https:// or http://")
        if "@" in parts.netloc or "#" in url:
            raise Malformed("/url", "an address without a user's name, a password or a fragment")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(parts.scheme, host, _PORTS[parts.scheme] if port is None else port, target)


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Addresses and networks (CIDR).

    Raises:
        ValueError: one is none; it says which.
    """
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise ValueError(f"{text!r} is no address or network, such as 10.0.0.2 or 10.0.0.0/24") from None
    return tuple(found)


def refusal(addresses: Sequence[str], allowed: Sequence[Network]) -> str | None:
    """Why nothing is sent to a host that has these addresses; None where it may be.

    One that is not public among several is enough: which of them is connected to is chance.
    """
    for text in addresses:
        address = _plain(ipaddress.ip_address(text.partition("%")[0]))
        if not any(address in network for network in allowed) and not _is_public(address):
            return INWARD
    return None if addresses else "its host has no address"


def check(url: str, allowed: Sequence[Network]) -> None:
    """Hold that a webhook may lead to `url`.

    Raises:
        Malformed: it may not, and why.
        TooManyLookups: others are looked up.
    """
    destination = Destination.parse(url)
    # Whoever asks for names that nobody answers holds up no more than these.
    if not _TURNS.acquire(blocking=False):
        raise TooManyLookups
    try:
        found = socket.getaddrinfo(destination.host, destination.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Malformed("/url", "its host is not known") from None
    finally:
        _TURNS.release()
    # Which address it is stays untold: names inside a network are nobody's to look up.
    why = refusal([str(one[4][0]) for one in found], allowed)
    if why is not None:
        raise Malformed("/url", why)


def _plain(address: Address) -> Address:
    """The address of IPv4 that one of IPv6 stands for, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _is_public(address: Address) -> bool:
    return (
        not any(address in network for network in _CLOUDS)
        and address.is_global
        and not address.is_multicast
        and not address.is_reserved
        # Deprecated, and counted as public, but private where somebody still has it (RFC 3879).
        and not (isinstance(address, ipaddress.IPv6Address) and address.is_site_local)
    )
