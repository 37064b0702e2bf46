"""Who may ask: the names that this service answers to, and the web pages that may write.

A page of another site can send requests to a service on its reader's machine. The browser does not let it read the
answers, but what it writes is written; and a name of its own that suddenly leads to this machine (DNS rebinding) makes
it a page of the same site. So a request has to name the service as it is known, and one that writes must not come from
a page of another origin. What is no browser sends no `Origin`, and is not held up.
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

from api.plumbing.present import present
from api.plumbing.problems import Problem, malformed
from api.plumbing.settings import EVERY_ADDRESS, BadSetting, Settings, setting

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that write nothing (RFC 9110, 9.2.1)."""
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{0,5}))?")
_PORTS = {"http": 80, "https": 443}
_ELSEWHERE = frozenset({"cross-site", "same-site"})
_NOWHERE = ("192.0.2.1", 9), ("2001:db8::1", 9)
"""Addresses of documents (RFC 5737, RFC 3849): nothing is sent to them, but there is a route."""


class Authority(msgspec.Struct, frozen=True):
    """A host and a port, as `Host`, an origin and an address have them."""

    host: str
    """In lower case, without the dot that may end it; an address in its shortest form."""
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """`host`, `host:port`, `[::1]:port`; None where it is none."""
        match = _AUTHORITY.fullmatch(text)
        if match is None:
            return None
        host = match[1].lower().removesuffix(".")
        address = _address(host.strip("[]"))
        if not host or (address is None and host.startswith("[")):
            return None
        return cls(host if address is None else str(address), int(match[2]) if match[2] else None)

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine itself reaches it."""
        address = _address(self.host)
        return self.host == "localhost" if address is None else address.is_loopback


class Hosts:
    """Whom this service knows.

    Bound to one address it answers to that one, to the loopback names, and to the names that its settings tell. Bound
    to every address it answers to any IP address too, and to the machine's own name: a name that somebody else can
    make lead here is the danger, and an address is no name.
    """

    def __init__(self, settings: Settings) -> None:
        """
        Raises:
            BadSetting: a name or an origin in the settings is none.
        """
        self._is_everywhere = settings.host in EVERY_ADDRESS
        self._own_schemes = frozenset({settings.scheme})
        with setting("hosts"):
            told = {_named(name) for name in settings.hosts}
        names = {"localhost", *told}
        # Under a name that it was told, a proxy may speak TLS for it; otherwise it is reached as itself.
        self._schemes = dict.fromkeys(told, frozenset(_PORTS))
        if self._is_everywhere:
            machine = socket.gethostname().lower()
            # Not getfqdn: what a network says of our name is the network's word.
            names |= {machine, f"{machine.partition('.')[0]}.local"}
        else:
            with setting("host"):
                names.add(_named(settings.host, is_bare=True))
        with setting("origins"):
            self._origins = set(map(origin_of, settings.origins))
        if settings.public_url:
            public = urlsplit(settings.public_url)
            with setting("public_url"):
                self._origins.add(origin_of(f"{public.scheme}://{public.netloc}"))
                name = _named(public.netloc)
            names.add(name)
            self._schemes[name] = frozenset({public.scheme})
        self._names = frozenset(names)

    def knows(self, authority: Authority) -> bool:
        """Whether the service is known by that name."""
        address = _address(authority.host)
        if address is not None and (address.is_loopback or self._is_everywhere):
            return True
        return authority.host in self._names

    def lets_write(self, incoming: Request, here: Authority) -> bool:
        """Whether a request that writes comes from no web page, or from one of ours.

        Args:
            here: as what the request asked for us.
        """
        origin = incoming.headers.get("Origin")
        if origin is None:
            return incoming.headers.get("Sec-Fetch-Site") not in _ELSEWHERE
        try:
            scheme, there = origin_of(origin)
        except BadSetting:
            return False
        usual = _PORTS[scheme]
        # A proxy that speaks TLS for us leaves the port away where it is its scheme's own.
        is_same = there.host == here.host and there.port == (here.port or usual)
        is_same = is_same and scheme in self._schemes.get(here.host, self._own_schemes)
        return is_same or (scheme, there) in self._origins


def origin_of(text: str) -> tuple[str, Authority]:
    """The scheme of a web origin and its host, always with a port.

    Raises:
        BadSetting: it is none.
    """
    scheme, _, rest = text.partition("://")
    authority = Authority.parse(rest)
    if scheme.lower() not in _PORTS or authority is None:
        raise BadSetting(f"{text!r} is no origin of web pages, such as https://games.example.org")
    scheme = scheme.lower()
    return scheme, msgspec.structs.replace(authority, port=authority.port or _PORTS[scheme])


def guard(app: Flask, settings: Settings, answer: Callable[[Problem], Response]) -> None:
    """Have the app refuse whom it does not know, before anything else happens; `answer` tells them."""
    hosts = Hosts(settings)

    def refuse() -> Response | None:
        problem = _refusal(hosts, present())
        return None if problem is None else answer(problem)

    app.before_request(refuse)


def _refusal(hosts: Hosts, incoming: Request) -> Problem | None:
    named = incoming.environ.get("HTTP_HOST")
    here = None if named is None else Authority.parse(named)
    if here is None:
        return malformed("/Host", "one Host header, with a name or an address")
    # A target in absolute form (RFC 9112, 3.2.2) names the host once more.
    asked = str(incoming.environ.get("RAW_URI") or incoming.environ.get("REQUEST_URI") or "/")
    target = urlsplit("" if asked.startswith("/") else asked)
    there = Authority.parse(target.netloc) if target.scheme else here
    for authority in (here, there):
        if authority is None or not hosts.knows(authority):
            name = target.netloc if authority is None else authority.host
            return Problem("unknown-host", f"This service is not known as {name[:80]!r}: add it to DRIFTLOG_HOSTS.")
    if incoming.method not in SAFE and not hosts.lets_write(incoming, here):
        return Problem(
            "foreign-origin", "A web page of another origin may not write here: add the origin to DRIFTLOG_ORIGINS."
        )
    return None


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine itself reaches what listens on `host`."""
    authority = Authority.parse(f"[{host}]" if ":" in host else host)
    return authority is not None and authority.is_loopback


def public_url(settings: Settings) -> str:
    """Where others find the service: as its settings say; else where it is bound, on every address the one by which
    this machine reaches its network now.
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = settings.host
    if host in EVERY_ADDRESS:
        host = lan_address(is_six=":" in host) or EVERY_ADDRESS[host]
    return located(settings, host)


def located(settings: Settings, host: str) -> str:
    """The address of the service itself at `host`, a name or an address."""
    return f"{settings.scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}"


def lan_address(*, is_six: bool = False) -> str | None:
    """The address of this machine that others can reach; None where it has no network.

    Args:
        is_six: whether one of IPv6 will do; one of IPv4 is preferred.
    """
    for family, nowhere in zip((socket.AF_INET, socket.AF_INET6)[: 1 + is_six], _NOWHERE, strict=False):
        try:
            # A datagram socket sends nothing when it connects, and knows from where it would.
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect(nowhere)
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def _named(text: str, *, is_bare: bool = False) -> str:
    """The host of a name in the settings, as browsers send it.

    Args:
        is_bare: whether an address of IPv6 has no brackets.

    Raises:
        BadSetting: it is none.
    """
    authority = Authority.parse(f"[{text}]" if is_bare and ":" in text else text)
    try:
        name = None if authority is None else authority.host.encode("idna").decode()
    except UnicodeError:
        name = None
    if name is None:
        raise BadSetting(f"{text!r} is no name of a host, such as games.example.org")
    return name if _address(name) is None else str(_address(name))


@lru_cache(1024)
def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def entry(home: str, token: str) -> str:
    """The address that lets whoever opens it in.

    Args:
        home: where the service is reached.
        token: the text of a token. What stands after `#` is sent to nobody, and stands in no log.
    """
    return f"{home}/enter#{token}"
