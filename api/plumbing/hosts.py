"""Allowed hosts and origins: the names of this service, and the web pages that may write.

A page of another site can send requests to a service on the machine of the person who reads it. The browser does not
let the page read the responses, but writes take effect. With DNS rebinding (the page's domain suddenly resolves to this
machine), the browser even treats the page as part of this service. So a request must use a known name of the service,
and a write must not come from a page of another origin. Clients that are not browsers send no `Origin`, and are not
restricted.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable
from functools import lru_cache
from typing import Self
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Request, Response

from api.plumbing.current_request import present
from api.plumbing.problems import Problem, malformed_request
from api.plumbing.settings import EVERY_ADDRESS, BadSetting, Settings, setting
from service.destinations import Address

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that do not write (RFC 9110, 9.2.1)."""
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{0,5}))?")
_PORTS = {"http": 80, "https": 443}
_ELSEWHERE = frozenset({"cross-site", "same-site"})
_NOWHERE = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Addresses for documentation (RFC 5737, RFC 3849): this machine has a route to them, but nothing is sent there."""


class Authority(msgspec.Struct, frozen=True):
    """A host and a port, as in a `Host` header, an origin or an address."""

    host: str
    """The normalized host: lower case, no final dot, shortest form of an IP address."""
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse `host`, `host:port` or `[::1]:port`; return None if it is invalid."""
        match = _AUTHORITY.fullmatch(text)
        if match is None:
            return None
        host = match[1].lower().removesuffix(".")
        address = parse_address(host.strip("[]"))
        if not host or (address is None and host.startswith("[")):
            return None
        return cls(host if address is None else str(address), int(match[2]) if match[2] else None)

    @property
    def is_loopback(self) -> bool:
        """True if only this machine can reach the address."""
        address = parse_address(self.host)
        return self.host == "localhost" if address is None else address.is_loopback


class Hosts:
    """The known names of this service.

    If the service is bound to one address, it accepts that address, the loopback names, and the names in the settings.
    If it is bound to every address, it also accepts any IP address and the machine's own name. This is safe, because
    DNS rebinding needs a domain that the attacker controls.
    """

    def __init__(self, settings: Settings) -> None:
        """Read the names from the settings; raise `BadSetting` if a name or an origin is invalid."""
        self._is_everywhere = settings.host in EVERY_ADDRESS
        self._own_schemes = frozenset(_PORTS if settings.authority else {settings.scheme})
        with setting("hosts"):
            told = {_browser_host(name) for name in settings.hosts}
        names = {"localhost", *told}
        # A proxy may provide TLS for a configured name. Under other names, clients connect without the proxy.
        self._schemes = dict.fromkeys(told, frozenset(_PORTS))
        if self._is_everywhere:
            machine = socket.gethostname().lower()
            # Do not use `getfqdn`: the network controls its result.
            names |= {machine, f"{machine.partition('.')[0]}.local"}
        else:
            with setting("host"):
                names.add(_browser_host(settings.host, is_bare=True))
        with setting("origins"):
            self._origins = set(map(origin_of, settings.origins))
        if settings.public_url:
            public = urlsplit(settings.public_url)
            with setting("public_url"):
                self._origins.add(origin_of(f"{public.scheme}://{public.netloc}"))
                name = _browser_host(public.netloc)
            names.add(name)
            self._schemes[name] = frozenset({public.scheme})
        self._names = frozenset(names)

    def knows(self, authority: Authority) -> bool:
        """Return True if `authority` is a name of the service."""
        address = parse_address(authority.host)
        if address is not None and (address.is_loopback or self._is_everywhere):
            return True
        return authority.host in self._names

    def lets_write(self, incoming: Request, here: Authority) -> bool:
        """Return True if a write may take effect: it comes from no web page, or from a page of an allowed origin.

        Args:
            here: the host and port to which the request is sent.
        """
        origin = incoming.headers.get("Origin")
        if origin is None:
            return incoming.headers.get("Sec-Fetch-Site") not in _ELSEWHERE
        try:
            scheme, there = origin_of(origin)
        except BadSetting:
            return False
        usual = _PORTS[scheme]
        # A proxy with TLS omits the port if it is the scheme's default.
        is_same = there.host == here.host and there.port == (here.port or usual)
        is_same = is_same and scheme in self._schemes.get(here.host, self._own_schemes)
        return is_same or (scheme, there) in self._origins


def origin_of(text: str) -> tuple[str, Authority]:
    """Return the scheme and the host, always with a port, of a web origin; raise `BadSetting` if it is invalid."""
    scheme, _, rest = text.partition("://")
    authority = Authority.parse(rest)
    if scheme.lower() not in _PORTS or authority is None:
        raise BadSetting(f"{text!r} is not a web origin, such as https://games.example.org")
    scheme = scheme.lower()
    return scheme, msgspec.structs.replace(authority, port=authority.port or _PORTS[scheme])


def guard(app: Flask, settings: Settings, answer: Callable[[Problem], Response]) -> None:
    """Make the app reject requests for unknown hosts, before any other check.

    Args:
        answer: creates the response for a problem.
    """
    hosts = Hosts(settings)

    def refuse() -> Response | None:
        problem = _refusal(hosts, present())
        return None if problem is None else answer(problem)

    app.before_request(refuse)


def _refusal(hosts: Hosts, incoming: Request) -> Problem | None:
    named = incoming.environ.get("HTTP_HOST")
    here = None if named is None else Authority.parse(named)
    if here is None:
        return malformed_request("/Host", "Send exactly one Host header, with a name or an address.")
    # A request target in absolute form (RFC 9112, 3.2.2) contains the host, too.
    asked = str(incoming.environ.get("RAW_URI") or incoming.environ.get("REQUEST_URI") or "/")
    target = urlsplit("" if asked.startswith("/") else asked)
    there = Authority.parse(target.netloc) if target.scheme else here
    for authority in (here, there):
        if authority is None or not hosts.knows(authority):
            name = target.netloc if authority is None else authority.host
            return Problem(
                "unknown-host", f"{name[:80]!r} is not a known name of this service. Add it to DRIFTLOG_HOSTS."
            )
    if incoming.method not in SAFE and not hosts.lets_write(incoming, here):
        return Problem(
            "foreign-origin",
            "A web page of another origin cannot write here. To allow it, add the origin to DRIFTLOG_ORIGINS.",
        )
    return None


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach a listener on `host`."""
    authority = Authority.parse(f"[{host}]" if ":" in host else host)
    return authority is not None and authority.is_loopback


def public_url(settings: Settings) -> str:
    """Return the public address of the service: from the settings, or else the address to which it is bound.

    If the service is bound to every address, return this machine's current address in the local network.
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = settings.host
    if host in EVERY_ADDRESS:
        host = lan_address(is_six=":" in host) or EVERY_ADDRESS[host]
    return url_of_host(settings, host)


def phone_url(settings: Settings) -> str:
    """Return the address for phones that may not trust the service's certificate: plain HTTP, if available."""
    url = public_url(settings)
    return url.replace("https://", "http://", 1) if settings.authority and not settings.public_url else url


def url_of_host(settings: Settings, host: str) -> str:
    """Return the address of the service at `host`, a name or an IP address."""
    return f"{settings.scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}"


def lan_address(*, is_six: bool = False) -> str | None:
    """Return an address of this machine that others can reach, preferably IPv4; None if there is no network."""
    for family, nowhere in zip((socket.AF_INET, socket.AF_INET6)[: 1 + is_six], _NOWHERE, strict=False):
        try:
            # Connecting a datagram socket only chooses the local address; it sends nothing.
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect(nowhere)
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def _browser_host(text: str, *, is_bare: bool = False) -> str:
    """Convert a host from the settings to the form that browsers send.

    Args:
        is_bare: True if an IPv6 address has no brackets.
    """
    authority = Authority.parse(f"[{text}]" if is_bare and ":" in text else text)
    try:
        name = None if authority is None else authority.host.encode("idna").decode()
    except UnicodeError:
        name = None
    if name is None:
        raise BadSetting(f"{text!r} is not a host name, such as games.example.org")
    return name if parse_address(name) is None else str(parse_address(name))


@lru_cache(4096)
def parse_address(text: str) -> Address | None:
    """Parse an IP address; return None if it is invalid. If it is IPv6 with an embedded IPv4 address, return that."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def entry(home: str, token: str) -> str:
    """Return the sign-in URL for a token.

    The token follows the `#`, so browsers never send it, and no log contains it.
    """
    return f"{home}/enter#{token}"
