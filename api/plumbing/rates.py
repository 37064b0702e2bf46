"""Rate limits per address and per token, with the headers of draft-ietf-httpapi-ratelimit.

Requests below the prefixes in `FREE`, and direct requests from this machine, are not counted.
"""

from __future__ import annotations

import msgspec
from flask import Response, current_app, g, request

from api.plumbing.addresses import client_address
from api.plumbing.problems import Problem
from api.plumbing.settings import Settings
from service.access import Caller
from store.access.rates import Rate, Standing, Tallies

FREE = ("/healthz", "/readyz", "/metrics", "/openapi.yaml", "/docs", "/static/", "/runtime/", "/problems/")
"""Prefixes of addresses whose requests are not counted, because they are cheap."""
OFF = "off"
STANDING = ("RateLimit", "RateLimit-Policy")
"""The response headers with the remaining quota."""


class Rates(msgspec.Struct, frozen=True):
    """The rate limits of this service; None: no limit."""

    address: Rate | None
    token: Rate | None

    @classmethod
    def of(cls, settings: Settings) -> Rates:
        """Return the configured rate limits.

        The counters are in the Redis of the queue, unless the settings name another Redis.
        """
        tallies = Tallies(settings.rate_url or settings.queue_url)
        address, token = (
            None if allowed == OFF else Rate(name, allowed, tallies)
            for name, allowed in (("address", settings.rate_address), ("token", settings.rate_token))
        )
        return cls(address, token)


def is_counted(path: str) -> bool:
    """Return True if requests to `path` are counted."""
    return not path.startswith(FREE)


def by_address() -> None:
    """Count the current request for its client's address, before other work; raise a `Problem` above the limit."""
    rate = _rates().address
    who = client_address()
    if rate is not None and who is not None and is_counted(request.path):
        _count(rate, who)


def by_token() -> None:
    """Count the current request for its token, if there is one; raise a `Problem` if the limit is reached."""
    caller: Caller | None = g.caller
    if caller is None or caller.token is None:
        return
    rate = _rates().token
    if rate is not None and is_counted(request.path):
        _count(rate, caller.token)


def add_headers(response: Response) -> Response:
    """Add the headers with the caller's remaining quota to a response."""
    standings: list[tuple[Rate, Standing]] | None = g.get("standings")
    if standings:
        told = (
            ", ".join(
                f'"{rate.name}";r={standing.left}' + (f";t={standing.wait}" if standing.wait else "")
                for rate, standing in standings
            ),
            ", ".join(f'"{rate.name}";q={rate.amount};w={rate.seconds}' for rate, _ in standings),
        )
        for name, value in zip(STANDING, told, strict=True):
            response.headers.add(name, value)
    return response


def _rates() -> Rates:
    found: Rates = current_app.extensions["rates"]
    return found


def _count(rate: Rate, who: str) -> None:
    standing = rate.count(who)
    g.setdefault("standings", []).append((rate, standing))
    if standing.wait:
        whose = "Your address" if rate.name == "address" else "Your token"
        detail = f"{whose} has sent more than {rate.amount} requests in {rate.seconds} seconds. Wait, then try again."
        members = {"quota": rate.name, "limit": rate.amount, "seconds": rate.seconds}
        raise Problem("too-many-requests", detail, headers={"Retry-After": str(standing.wait)}, **members)
