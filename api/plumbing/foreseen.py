"""Problems and headers that many operations share, for openapi.yaml.

An operation declares only its own problems (`Blueprint.operation` in `api/plumbing/http.py`). Problems that follow from
its address and method are declared here, so that views need not repeat them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from api.plumbing.hosts import SAFE
from api.plumbing.problem_kinds import KINDS
from api.plumbing.problems import MEDIA_TYPE
from api.plumbing.rates import STANDING, is_counted

NEEDS = "x-needs"
"""The extension member of an operation with the required role; null if none is required."""
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}]
COOKIE = "driftlog_token"
"""The session cookie; its value is a token."""
WRITES = "Driftlog-Page"
"""The header that pages send with writes.

A write that is authenticated by the session cookie requires this header, because forms of other sites cannot send
the header.
"""
_OPEN = "A token. An open service needs none."
_COOKIE = (
    f"A token that the page `/enter` has stored in the browser. A write with it needs the header `{WRITES}` as well."
)
_OF_THE_CODE = ("/v1/rulesets", "/v1/export-formats")
"""Paths that need no store."""
ANY_FORM = ("/stream", "/file", "/plays/export", ".pem", ".atom", "/template.csv", "/template.xlsx")
"""Endings of addresses under /v1 whose responses ignore `Accept`."""
_REQUEST_HEADERS = {
    "If-Match": ("The version that the game must have for the append; otherwise the response is 412.", '"42"'),
    "If-None-Match": ("The `ETag` of the caller's copy. If it is still current, the response is 304.", '"42"'),
    "Range": ("The requested part of the file: one range of bytes (RFC 9110, 14).", "bytes=0-1023"),
    "If-Range": (
        "The `ETag` of the file to continue. If the file has changed, the response has the complete file.",
        '"f00d"',
    ),
    "Idempotency-Key": (
        (
            "A unique key. If you repeat a request with the same key and body, the service carries it out only once, "
            "and returns the first response again, with `Idempotent-Replayed`. The service keeps the keys of appends, "
            "new games and jobs permanently, others for 24 hours."
        ),
        "0f8fad5b-d9cb-469f-a165-70867728950e",
    ),
    "Prefer": (
        "`return=minimal` omits the events from the response (RFC 7240). Other preferences are ignored.",
        "return=minimal",
    ),
    "Last-Event-ID": ("The `id` of the last event received. The stream continues after it.", "41"),
}
_RESPONSE_HEADERS = {
    "Accept-Ranges": ("`bytes` if you can request parts of the file with `Range`.", "bytes"),
    "Accept-Post": ("The media types that this address accepts.", "application/json"),
    "Cache-Control": ("The caches that may store the response, and for how long.", "private, no-cache"),
    "Content-Disposition": ("The suggested name of the file.", 'attachment; filename="driftlog.ndjson"'),
    "Content-Range": (
        "The part of the file in this response, and the length of the complete file.",
        "bytes 0-1023/52187",
    ),
    "Driftlog-Damaged": (
        "`true` if the record is damaged. The events are as stored, without checks.",
        "true",
    ),
    "Driftlog-Head": ("The hash of the last event in the response.", "6f1c1f0b9f3a4f6b1d3d0d4c8a6e2f7b"),
    "ETag": ("The version of the response, to send in `If-None-Match`; for a game also in `If-Match`.", '"42"'),
    "Deprecation": (
        "The time since which a feature of this request is deprecated (RFC 9745).",
        "@1795737600",
    ),
    "Sunset": (
        "The time from which that deprecated feature may stop working (RFC 8594).",
        "Thu, 27 May 2027 00:00:00 GMT",
    ),
    "Idempotent-Replayed": (
        "`true` if the service carried out the request earlier, and returns its first response again.",
        "true",
    ),
    "Link": (
        "Links by relation (RFC 8288): `next` is the next page.",
        '</v1/games?cursor=a1>; rel="next"',
    ),
    "Location": (
        "The address of the created resource, or of the job that creates it.",
        "/v1/games/01kaj5x9f3q8w7e2r4t6y8u0pz",
    ),
    "Set-Cookie": ("The session cookie, or its removal.", f"{COOKIE}=…; HttpOnly; Path=/; SameSite=Lax"),
    "Preference-Applied": ("The preferences that were applied (RFC 7240).", "return=minimal"),
    "RateLimit": (
        (
            "Number of requests left (`r`) under the policy, and seconds until the next one is allowed (`t`), as in "
            "draft-ietf-httpapi-ratelimit-headers. Absent if the service does not count requests."
        ),
        '"address";r=29871',
    ),
    "RateLimit-Policy": ("The rate limit: `q` requests in `w` seconds.", '"address";q=30000;w=60'),
    "Retry-After": ("Number of seconds to wait before you retry.", "2"),
    "WWW-Authenticate": ("The authentication scheme to use (RFC 9110, 11.6.1).", "Bearer"),
}
PROBLEMS = "x-problems"
"""The extension member that lists problems.

In an operation, it lists those that not every operation has. In the response `Refused`, it lists those of every
operation. In the contract, it has the status and title of each problem.
"""
_ANYWHERE = (
    "malformed",
    "bad-request",
    "request-timeout",
    "unknown-host",
    "too-many-connections",
    "overloaded",
    "internal-error",
    # The server refuses these requests before it determines the operation.
    "uri-too-long",
    "head-too-large",
    "expectation-failed",
    "coding-not-implemented",
    "version-not-supported",
)
_PLAYS_NOTHING = ("/shares", "/shares/{token}", "/audits", "/audits/{audit_id}", "/seats/{seat}/player")
"""Endings of a game's addresses whose responses need no replay of the log."""
_OF_HEADERS = {
    "Idempotency-Key": "idempotency-key-reused",
    "If-Match": "version-conflict",
    "Range": "range-not-satisfiable",
}
"""The problem that each request header can cause."""
_ON_STATUS = {416: "Content-Range", 401: "WWW-Authenticate", 415: "Accept-Post", 429: "Retry-After", 503: "Retry-After"}
"""The additional header of error responses, by status."""
_OF_PROBLEM = {"request-in-progress": "Retry-After"}
"""The additional header of each problem."""


def components() -> dict[str, Any]:
    """Return the components that operations refer to: `parameters`, `headers` and `responses`."""
    return {
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer", "description": _OPEN},
            "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": _COOKIE},
        },
        "parameters": {
            name: {
                "in": "header",
                "name": name,
                "description": description,
                "schema": {"type": "string", "examples": [example]},
            }
            for name, (description, example) in _REQUEST_HEADERS.items()
        },
        "headers": {
            name: {"description": description, "schema": {"type": "string", "examples": [example]}}
            for name, (description, example) in _RESPONSE_HEADERS.items()
        },
        "responses": {
            "NotModified": {
                "description": "The caller's copy is current.",
                "headers": headers(["ETag", "Cache-Control", *STANDING]),
            },
            "Refused": {
                "description": f"A problem document. `{PROBLEMS}` lists kinds of problems: here those of every "
                "operation, in an operation the others, and in the contract the status of each kind.",
                "headers": headers(
                    ["Cache-Control", "Deprecation", "Sunset", *sorted({*_ON_STATUS.values()}), *STANDING]
                ),
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                PROBLEMS: list(_ANYWHERE),
            },
        },
    }


def problems() -> dict[str, dict[str, Any]]:
    """Return every kind of problem with its status, title and header."""
    return {
        slug: {
            "status": kind.status,
            "title": kind.title,
            **({"header": header} if (header := _OF_PROBLEM.get(slug, _ON_STATUS.get(kind.status))) else {}),
        }
        for slug, kind in KINDS.items()
    }


def headers(names: Iterable[str]) -> dict[str, Any]:
    """Return references to the headers of a response."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def deprecate(operation: dict[str, Any]) -> None:
    """Declare the deprecation headers in all responses of an operation."""
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            response["headers"] = {**response.get("headers", {}), **headers(["Deprecation", "Sunset"])}


def complete(path: str, method: str, operation: dict[str, Any], asks: list[str], refuses: list[str]) -> None:
    """Add headers and all possible responses to an operation.

    Args:
        asks: the request headers that the operation reads.
        refuses: the operation's own problems.
    """
    reads = method.upper() in SAFE
    responses = operation["responses"]
    own = asks
    if method == "post" and "Idempotency-Key" not in asks:
        asks = [*asks, "Idempotency-Key"]
    operation["security"] = [] if operation[NEEDS] is None else SECURITY
    # flask-smorest has added some problem responses already.
    for status in [status for status in responses if not status.startswith("2")]:
        del responses[status]
    for status, response in responses.items():
        if reads:
            response["headers"] = {**headers(["Cache-Control"]), **response.get("headers", {})}
        if method == "post":
            response["headers"] = {**response.get("headers", {}), **headers(["Idempotent-Replayed"])}
        if reads and status == "200" and "ETag" in response.get("headers", {}):
            asks = [*asks, "If-None-Match"]
    if "If-None-Match" in asks:
        responses["304"] = {"$ref": "#/components/responses/NotModified"}
    for name in asks:
        operation.setdefault("parameters", []).append({"$ref": f"#/components/parameters/{name}"})
    slugs = {
        *_everywhere(path, method, operation),
        *refuses,
        *(_OF_HEADERS[name] for name in asks if name in _OF_HEADERS),
        *({"request-in-progress"} if method == "post" and "Idempotency-Key" not in own else ()),
    }
    operation[PROBLEMS] = [slug for slug in KINDS if slug in slugs]
    responses["default"] = {"$ref": "#/components/responses/Refused"}


def _everywhere(path: str, method: str, operation: dict[str, Any]) -> Iterable[str]:
    """Yield the problems that follow from the address, the method, the required role, and the presence of a body."""
    if operation[NEEDS] is not None:
        yield from ("unauthenticated", "forbidden")
    if is_counted(path):
        yield "too-many-requests"
    if method.upper() not in SAFE:
        yield "foreign-origin"
    if method == "post" or "requestBody" in operation:
        yield from ("content-too-large", "unsupported-media-type", "invalid")
    if "{" in path:
        yield "not-found"
    if path.startswith("/v1/") and not path.startswith(_OF_THE_CODE):
        # Any stored data can be damaged.
        faults = ("store-unavailable", "damaged-record")
        yield from faults if method.upper() in SAFE else (*faults, "store-full")
    if path.startswith("/v1/") and not path.endswith(ANY_FORM):
        yield "not-acceptable"
    if "{game_id}" in path:
        yield from ("gone", "damaged-record", "ruleset-not-installed")
        if not path.endswith(_PLAYS_NOTHING):
            yield "too-much-work"
