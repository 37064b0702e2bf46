"""Who calls: found once in each request, and held against the rule of its route.

A caller says who it is by a token: in `Authorization: Bearer <token>`, or else in the cookie that `/enter` sets. A
share link says it in its address: whatever of the API stands below `/s/<token>` is asked as whoever has that link.

Every route declares what it takes; one that does not is found when the app is made.
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

from api.plumbing.foreseen import COOKIE, WRITES
from api.plumbing.hosts import SAFE, Authority
from api.plumbing.live import Leave
from api.plumbing.present import present
from api.plumbing.problems import GAMES, Problem, not_found, problem_of
from api.plumbing.settings import Settings
from service.access import OPEN, Caller, Role
from service.errors import Forbidden, ServiceError
from store import Store
from store.errors import StoreError

LONGEST_SESSION = timedelta(days=365)
_SHARED = re.compile(r"(/s/([^/]+))(/v1/.*)")
_SHARE = "driftlog.share"
_NO_GAME = "-"
"""An id that no game has."""
_PROXIED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via")

View = TypeVar("View", bound=Callable[..., object])


class Rule(msgspec.Struct, frozen=True):
    """What it takes to call a route."""

    role: Role | None = None
    """None: nothing."""
    is_for_all: bool = False
    """Whether a token that is for one game alone will not do."""
    is_local: bool = False
    """Whether this machine itself needs no token."""


ANYONE = Rule()
VIEWER = Rule(Role.VIEWER)
READER = Rule(Role.VIEWER, is_for_all=True)
"""Whoever may read of all games."""
RECORDER = Rule(Role.RECORDER)
OPENER = Rule(Role.RECORDER, is_for_all=True)
"""Whoever may begin new games."""
LIBRARIAN = Rule(Role.ARBITER, is_for_all=True)
"""Whoever may put right what is told of all games."""
ADMIN = Rule(Role.ADMIN, is_for_all=True)
WATCHER = Rule(Role.ADMIN, is_for_all=True, is_local=True)
"""Whoever looks after the service."""


def needs(rule: Rule) -> Callable[[View], View]:
    """Declare what a route takes."""

    def declare(view: View) -> View:
        view.needs = rule  # type: ignore[attr-defined]  # read by `rules_of`
        return view

    return declare


def caller() -> Caller:
    """Who makes this request: known wherever a route takes anything."""
    found: Caller = g.caller
    return found


def caller_of(text: str) -> Caller | None:
    """Whoever has the token of that text; None where it is none, or none any more."""
    store: Store = current_app.extensions["store"]
    token = store.tokens.find(text)
    return None if token is None else Caller.of(token)


def begin_session(response: Response, text: str, who: Caller) -> None:
    """Have the browser send the token of that text from now on, as long as it is in force.

    Args:
        who: what `caller_of` found for the text.
    """
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
    """Have the browser forget it."""
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax", secure=_is_secure())


def leave() -> Leave | None:
    """The caller's leave to go on listening when this request has been answered; None where nobody can take it away."""
    who, share = caller(), request.environ.get(_SHARE)
    store: Store = current_app.extensions["store"]
    if share is not None:
        return Leave(who.token or "", lambda: store.sharing.find(share) is not None)
    token = who.token
    return None if token is None else Leave(token, lambda: store.tokens.is_in_force(token))


def require_leave(found: Leave | None) -> None:
    """Hold that the caller's leave is still in force, after some time.

    Raises:
        Problem: it is not.
    """
    if found is not None and not found.is_in_force():
        share = request.environ.get(_SHARE)
        raise gone() if share is None else _no_link()


def unshared(path: str) -> str:
    """Return a path as the API has it, without the share link before it."""
    match = _SHARED.fullmatch(path)
    return path if match is None else match[3]


def take_share(environ: dict[str, Any]) -> None:
    """Have what stands below a share link's address routed as the API's own."""
    match = _SHARED.fullmatch(environ.get("PATH_INFO", ""))
    if match is not None:
        environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + match[1]
        environ[_SHARE], environ["PATH_INFO"] = match[2], match[3]


def guard(app: Flask, settings: Settings) -> Callable[[dict[str, Any]], str | None]:
    """Have the app find out who calls, and hold each to the rule of the route; its routes have to be there.

    Returns:
        A function that does the same with the head of a request alone. It returns the slug of the problem with which
        the request is refused, or None.
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
            # Whatever is asked for: below a link that is none there is nothing.
            who = guest(share)
        elif is_open:
            who = OPEN
        elif rule.role is not None and not (rule.is_local and is_local()):
            who = _identified(incoming)
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
    """The rule of each route, by its endpoint and method.

    Raises:
        LookupError: one has none.
    """
    found: dict[tuple[str, str], Rule] = {}
    for route in app.url_map.iter_rules():
        view: Any = app.view_functions[route.endpoint]
        for method in (route.methods or set()) - {"OPTIONS"}:
            kind = getattr(view, "view_class", None)
            function = view if kind is None else getattr(kind, "get" if method == "HEAD" else method.lower())
            rule = getattr(function, "needs", None)
            if rule is None:
                raise LookupError(f"{method} {route.rule} does not say what it takes to call it")
            found[route.endpoint, method] = rule
    return found


def gone() -> Problem:
    """401: the token that was sent is none any more, or never was."""
    return _unauthenticated("The token is none, or none any more.")


def unknown() -> Problem:
    """401: nobody said who asks."""
    return _unauthenticated("This service answers to those who have a token.")


def _unauthenticated(detail: str) -> Problem:
    return Problem("unauthenticated", detail, headers={"WWW-Authenticate": "Bearer"})


def _identified(incoming: Request) -> Caller:
    """Whoever sends a token with a request.

    Raises:
        Problem: there is none in force, or a page of another site may have sent the request.
    """
    scheme, _, text = incoming.headers.get("Authorization", "").partition(" ")
    is_by_cookie = scheme.lower() != "bearer"
    if is_by_cookie:
        text = incoming.cookies.get(COOKIE, "")
    found = caller_of(text.strip()) if text else None
    if found is None:
        raise gone() if text else unknown()
    if is_by_cookie and incoming.method not in SAFE and WRITES not in incoming.headers:
        raise Problem("foreign-origin", f"With the session's cookie, what writes has to bring the header {WRITES}.")
    return found


def guest(text: str) -> Caller:
    """Whoever has the share link of that text.

    Raises:
        Problem: it is none, or none any more.
    """
    store: Store = current_app.extensions["store"]
    token = store.sharing.token(text)
    if token is None:
        raise _no_link()
    return Caller.of(token)


def _no_link() -> Problem:
    return not_found("such link; it may have been revoked")


def _hold(found: Caller, rule: Rule, incoming: Request) -> None:
    """Hold a caller to a rule; a game that its token is not for becomes one that nobody has.

    Raises:
        Forbidden: it takes more.
    """
    assert rule.role is not None
    found.require(rule.role)
    if found.game is None:
        return
    if rule.is_for_all:
        raise Forbidden(rule.role, "this takes a token that is not for one game alone")
    named = incoming.view_args or {}
    for name in GAMES & named.keys():
        # The same is done as for an id that was never given: neither the answer nor its time tells them apart.
        if not found.knows(named[name]):
            named[name] = _NO_GAME


def is_local() -> bool:
    """Whether this machine itself asks, and not a proxy on it for somebody else."""
    try:
        is_near = ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
    here = Authority.parse(request.host)
    return is_near and here is not None and here.is_loopback and not any(name in request.headers for name in _PROXIED)


def _is_secure() -> bool:
    """Whether the browser came by TLS, which a proxy may speak for us."""
    settings: Settings = current_app.config["SETTINGS"]
    public = urlsplit(settings.public_url)
    return request.is_secure or (public.scheme == "https" and public.netloc == request.host)
