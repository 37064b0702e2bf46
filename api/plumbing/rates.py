"""How often one may ask: by the address that asks, and by the token, with the headers of draft-ietf-httpapi-ratelimit.

What costs next to nothing is not counted, nor is what this machine asks itself by no proxy.
"""

from __future__ import annotations

import msgspec
from flask import Response, current_app, g, request

from api.plumbing.addresses import client_address
from api.plumbing.problems import Problem
from api.plumbing.settings import Settings
from service.access import Caller
from store.access.rates import Rate, Standing, Tallies

FREE = ("/healthz", "/readyz", "/metrics", "/openapi.yaml", "/docs", "/static/", "/problems/")
"""How the addresses begin that are not counted."""
OFF = "off"
STANDING = ("RateLimit", "RateLimit-Policy")
"""The headers by which an answer says how much is left."""


class Rates(msgspec.Struct, frozen=True):
    """What holds in this service; None: nothing does."""

    address: Rate | None
    token: Rate | None

    @classmethod
    def of(cls, settings: Settings) -> Rates:
        """As the settings have it; counted in the queue's Redis where they name no other."""
        tallies = Tallies(settings.rate_url or settings.queue_url)
        address, token = (
            None if allowed == OFF else Rate(name, allowed, tallies)
            for name, allowed in (("address", settings.rate_address), ("token", settings.rate_token))
        )
        return cls(address, token)


def is_counted(path: str) -> bool:
    """Whether requests to that address are."""
    return not path.startswith(FREE)


def by_address() -> None:
    """Count the present request for its address, before anything is done for it.

    Raises:
        Problem: too many came from there.
    """
    rate = _rates().address
    if rate is not None and is_counted(request.path):
        _count(rate, client_address())


def by_token() -> None:
    """Count it for its token, where it has one.

    Raises:
        Problem: too many were made with it.
    """
    rate = _rates().token
    caller: Caller | None = g.caller
    if rate is not None and caller is not None and is_counted(request.path):
        _count(rate, caller.token)


def tell(response: Response) -> Response:
    """Say in the headers of an answer how whoever asked stands."""
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


def _count(rate: Rate, who: str | None) -> None:
    if who is None:
        return
    standing = rate.count(who)
    g.setdefault("standings", []).append((rate, standing))
    if standing.wait:
        whose = "your address" if rate.name == "address" else "your token"
        detail = f"There were more than {rate.amount} requests by {whose} in {rate.seconds} seconds."
        members = {"quota": rate.name, "limit": rate.amount, "seconds": rate.seconds}
        raise Problem("too-many-requests", detail, headers={"Retry-After": str(standing.wait)}, **members)
