"""Allowed destinations of webhooks: public addresses, and networks that the operator lists.

The destination is checked when the owner creates the webhook, and before each connection. The connection uses exactly
the checked address. So a host name cannot resolve to a different address after the check (DNS rebinding).
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
"""Maximum length of a URL."""
INWARD = "the address is not public: to allow it, the operator must add its network to DRIFTLOG_WEBHOOK_NETWORKS"
"""Reason for refusing an address, which the owner of the webhook sees."""
_PORTS = {"http": 80, "https": 443}
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses whose last 32 bits are an IPv4 address (RFC 6052)."""
_CLOUDS = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("168.63.129.16/32"))
"""Cloud metadata services with secrets, at addresses that count as public."""
LOOKUPS = 4
"""Maximum parallel DNS lookups of a process for new webhooks, because a name server may be slow."""
_TURNS = threading.BoundedSemaphore(LOOKUPS)


class Destination(msgspec.Struct, frozen=True):
    """A parsed URL."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""

    @property
    def authority(self) -> str:
        """The host, and the port if it is not the default, as in the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @classmethod
    def parse(cls, url: str) -> Destination:
        """Parse a URL; raise `Malformed` if webhooks cannot be sent to it."""
        if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
            raise Malformed("/url", f"must be an address of at most {LONGEST} ASCII characters, without spaces")
        try:
            parts = urlsplit(url)
            port, host = parts.port, (parts.hostname or "").rstrip(".")
        except ValueError as error:
            raise Malformed("/url", f"must be a valid URL: {error}") from error
        if parts.scheme not in _PORTS or not host:
            raise Malformed("/url", "must begin with https:// or http://")
        if "@" in parts.netloc or "#" in url:
            raise Malformed("/url", "must have no user name, password or fragment")
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(parts.scheme, host, _PORTS[parts.scheme] if port is None else port, target)


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse addresses and networks (CIDR). Raise a `ValueError` that names the first invalid text."""
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise ValueError(f"{text!r} is not an address or network, such as 10.0.0.2 or 10.0.0.0/24") from None
    return tuple(found)


def refusal(addresses: Sequence[str], allowed: Sequence[Network]) -> str | None:
    """Return the reason why a host with these addresses is refused; None if it is allowed.

    One private address is enough to refuse the host, because a connection may use any of its addresses.
    """
    for text in addresses:
        address = _plain(ipaddress.ip_address(text.partition("%")[0]))
        if not any(address in network for network in allowed) and not _is_public(address):
            return INWARD
    return None if addresses else "the host has no address: check its name"


def check(url: str, allowed: Sequence[Network]) -> None:
    """Check that `url` is allowed as the destination of a webhook.

    Raises:
        Malformed: the URL is not allowed; the message gives the reason.
        TooManyLookups: too many lookups are running.
    """
    destination = Destination.parse(url)
    # A slow name server must not block all threads.
    if not _TURNS.acquire(blocking=False):
        raise TooManyLookups
    try:
        found = socket.getaddrinfo(destination.host, destination.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Malformed("/url", "the host is unknown: check its name") from None
    finally:
        _TURNS.release()
    # Do not show the address: outsiders must not learn the addresses of internal names.
    why = refusal([str(one[4][0]) for one in found], allowed)
    if why is not None:
        raise Malformed("/url", why)


def _plain(address: Address) -> Address:
    """Return the IPv4 address embedded in an IPv6 address, or the address itself if it contains none."""
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
        # Site-local addresses are deprecated and count as public, but are private where still in use (RFC 3879).
        and not (isinstance(address, ipaddress.IPv6Address) and address.is_site_local)
    )
