"""Authentication: identify the caller of each request, and check the permissions that its route requires.

A caller sends a token in `Authorization: Bearer <token>`, or in the cookie that `/enter` sets. A share link contains
the token in its address: requests below `/s/<token>` have the permissions of that link.

Every route declares its required permissions; if a declaration is missing, the app cannot be created.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Request, Response, current_app, g, request

from api.plumbing.current_request import present
from api.plumbing.error_handling import problem_of
from api.plumbing.foreseen import COOKIE, WRITES
from api.plumbing.hosts import SAFE, Authority
from api.plumbing.live import Leave
from api.plumbing.problems import GAMES, Problem, not_found
from api.plumbing.settings import Settings
from service.access import OPEN, Caller, Role
from service.errors import Forbidden, ServiceError
from store import Store
from store.errors import StoreError

LONGEST_SESSION = timedelta(days=365)
_SHARED = re.compile(r"(/s/([^/]+))(/v1/.*)")
_SHARE = "driftlog.share"
_NO_GAME = "-"
"""An id that no game can have."""
_PROXIED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")

View = TypeVar("View", bound=Callable[..., object])


class Rule(msgspec.Struct, frozen=True):
    """The permission that a route requires."""

    role: Role | None = None
    """The required role; None: no role."""
    is_for_all: bool = False
    """True if a token for a single game is not sufficient."""
    is_local: bool = False
    """True if requests from this machine need no token."""


ANYONE = Rule()
VIEWER = Rule(Role.VIEWER)
READER = Rule(Role.VIEWER, is_for_all=True)
"""Permission to read all games."""
RECORDER = Rule(Role.RECORDER)
OPENER = Rule(Role.RECORDER, is_for_all=True)
"""Permission to open new games."""
LIBRARIAN = Rule(Role.ARBITER, is_for_all=True)
"""Permission to correct data about all games."""
ADMIN = Rule(Role.ADMIN, is_for_all=True)
MOST_LINKS = 10_000
LINKS: set[str] = set()
"""Tokens of share links that clients sent as bearer tokens. The web server treats these clients as guests."""
WATCHER = Rule(Role.ADMIN, is_for_all=True, is_local=True)
"""Permission to administer the service."""


def needs(rule: Rule) -> Callable[[View], View]:
    """Declare the permissions that a route requires."""

    def declare(view: View) -> View:
        view.needs = rule  # type: ignore[attr-defined]  # read by `rules_of`
        return view

    return declare


def caller() -> Caller:
    """Return the caller of this request. Every route that requires permissions has one."""
    found: Caller = g.caller
    return found


def credential() -> str:
    """Return the token text that identified the caller; empty if no token was required."""
    who: Caller | None = g.get("caller")
    if who is None or who.token is None:
        return ""
    return str(request.environ.get(_SHARE) or _sent_token(request)[0])


def caller_of(text: str) -> Caller | None:
    """Return the caller who owns a token; None if the token is unknown or no longer valid."""
    store: Store = current_app.extensions["store"]
    token = store.tokens.find(text)
    if token is not None and token.is_link:
        if len(LINKS) >= MOST_LINKS:
            LINKS.clear()
        LINKS.add(text)
    return None if token is None else Caller.of(token)


def begin_session(response: Response, text: str, who: Caller) -> None:
    """Set the cookie with which the browser sends this token. The cookie lasts as long as the token."""
    until = None if who.expires_at is None else datetime.fromisoformat(who.expires_at)
    response.set_cookie(
        COOKIE,
        text,
        max_age=LONGEST_SESSION if until is None else until - datetime.now(UTC),
        httponly=True,
        samesite="Lax",
        secure=_is_secure(),
    )


def end_session(response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax", secure=_is_secure())


def leave() -> Leave | None:
    """Return the permission that a stream must keep, in order to continue; None if the permission cannot be revoked."""
    who, share = caller(), request.environ.get(_SHARE)
    store: Store = current_app.extensions["store"]
    if share is not None:
        return Leave(who.token or "", lambda: store.sharing.find(share) is not None)
    token = who.token
    return None if token is None else Leave(token, lambda: store.tokens.is_in_force(token))


def require_leave(found: Leave | None) -> None:
    """Raise a `Problem` if the permission `found` is no longer valid."""
    if found is not None and not found.is_in_force():
        share = request.environ.get(_SHARE)
        raise invalid_token() if share is None else _no_link()


def without_share_link(path: str) -> str:
    """Return a path without the share link at its beginning, if there is one."""
    match = _SHARED.fullmatch(path)
    return path if match is None else match[3]


def take_share(environ: dict[str, Any]) -> None:
    """If the path of a request begins with a share link, route the rest of the path."""
    match = _SHARED.fullmatch(environ.get("PATH_INFO", ""))
    if match is not None:
        environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + match[1]
        environ[_SHARE], environ["PATH_INFO"] = match[2], match[3]


def guard(app: Flask, settings: Settings) -> Callable[[dict[str, Any]], str | None]:
    """Make the app authenticate callers and check their permissions. Call this after the routes are registered.

    Returns:
        A function that checks a request whose body has not arrived yet. It returns the slug of the problem, or
        None.
    """
    rules = rules_of(app)
    is_open = settings.access == "open"

    def identify() -> None:
        incoming = present()
        g.caller = None
        route, method = incoming.url_rule, incoming.method
        if route is None or method == "OPTIONS":
            return
        rule = rules[route.endpoint, method]
        share = incoming.environ.get(_SHARE)
        if share is not None:
            # Check the link for any path, because an invalid link has no pages below it.
            who = guest(share)
        elif is_open:
            who = OPEN
        elif rule.role is not None and not (rule.is_local and is_local()):
            who = _identify(incoming)
        else:
            return
        g.caller = who
        if rule.role is not None:
            _hold(who, rule, incoming)

    def vary(response: Response) -> Response:
        if not is_open and request.method in SAFE and g.get("caller") is not None:
            response.vary.update(("Authorization", "Cookie"))
        return response

    app.before_request(identify)
    app.after_request(vary)
    return _admission(app, identify)


def _admission(app: Flask, identify: Callable[[], None]) -> Callable[[dict[str, Any]], str | None]:
    def admits(environ: dict[str, Any]) -> str | None:
        take_share(environ)
        with app.request_context(environ):
            try:
                identify()
            except (Problem, ServiceError, StoreError) as error:
                return problem_of(error).kind.slug
        return None

    return admits


def rules_of(app: Flask) -> dict[tuple[str, str], Rule]:
    """Return the permissions that each route requires, by endpoint and method. Every route must declare them."""
    found: dict[tuple[str, str], Rule] = {}
    for route in app.url_map.iter_rules():
        view: Any = app.view_functions[route.endpoint]
        for method in (route.methods or set()) - {"OPTIONS"}:
            kind = getattr(view, "view_class", None)
            function = view if kind is None else getattr(kind, "get" if method == "HEAD" else method.lower())
            rule = getattr(function, "needs", None)
            if rule is None:
                raise LookupError(f"{method} {route.rule} does not declare its permissions")
            found[route.endpoint, method] = rule
    return found


def invalid_token() -> Problem:
    """Return the problem 401 for a token that is invalid or no longer valid."""
    return _authentication_problem("This token is invalid, expired or revoked. Use another one.")


def unknown() -> Problem:
    """Return the problem 401 for a request without a token."""
    return _authentication_problem(
        "This service requires a token. Sign in, or send one as `Authorization: Bearer <token>`."
    )


def _authentication_problem(detail: str) -> Problem:
    return Problem("unauthenticated", detail, headers={"WWW-Authenticate": "Bearer"})


def _identify(incoming: Request) -> Caller:
    text, is_by_cookie = _sent_token(incoming)
    found = caller_of(text) if text else None
    if found is None:
        raise invalid_token() if text else unknown()
    if is_by_cookie and incoming.method not in SAFE and WRITES not in incoming.headers:
        raise Problem("foreign-origin", f"A write with the session cookie needs the header {WRITES}.")
    return found


def _sent_token(incoming: Request) -> tuple[str, bool]:
    """Return the text of the request's token, or an empty text; and True if the cookie had the token."""
    scheme, _, text = incoming.headers.get("Authorization", "").partition(" ")
    is_by_cookie = scheme.lower() != "bearer"
    if is_by_cookie:
        text = incoming.cookies.get(COOKIE, "")
    return text.strip(), is_by_cookie


def guest(text: str) -> Caller:
    """Return the caller of a share link; raise a `Problem` if the link is unknown or no longer valid."""
    store: Store = current_app.extensions["store"]
    token = store.sharing.token(text)
    if token is None:
        raise _no_link()
    return Caller.of(token)


def _no_link() -> Problem:
    return not_found("such link; it may have been revoked")


def _hold(found: Caller, rule: Rule, incoming: Request) -> None:
    """Check that a caller satisfies a rule. A game outside the token's scope is reported as unknown."""
    assert rule.role is not None
    found.require(rule.role)
    if found.game is None:
        return
    if rule.is_for_all:
        raise Forbidden(rule.role, "this request needs a token that is not limited to one game")
    named = incoming.view_args or {}
    for name in GAMES & named.keys():
        # An unknown id must cause the same work: neither the response nor its timing may reveal that the game exists.
        if not found.knows(named[name]):
            named[name] = _NO_GAME


def is_local() -> bool:
    """Return True if the request comes directly from this machine, not through a proxy on it."""
    try:
        is_near = ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
    here = Authority.parse(request.host)
    return is_near and here is not None and here.is_loopback and not any(name in request.headers for name in _PROXIED)


def _is_secure() -> bool:
    """Return True if the browser uses TLS, to this service or to a proxy that reports it."""
    settings: Settings = current_app.config["SETTINGS"]
    public = urlsplit(settings.public_url)
    return request.is_secure or (public.scheme == "https" and public.netloc == request.host)
