"""The kinds of problems that the service tells of, each with what its page says."""

from __future__ import annotations

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem: its page is `/problems/<slug>`."""

    slug: str
    status: int
    title: str
    explanation: str


KINDS = {
    kind.slug: kind
    for kind in (
        Kind(
            "malformed",
            400,
            "Malformed request",
            "The body is not valid JSON, or a query parameter or header is malformed. `errors` lists the places.",
        ),
        Kind(
            "unauthenticated",
            401,
            "Sign-in required",
            "You need a token. Send it as `Authorization: Bearer <token>`, or open your invitation link in this "
            "browser. Ask the operator of the service or the recorder of the game for one.",
        ),
        Kind(
            "foreign-origin",
            403,
            "Origin not allowed",
            "Write rejected: the request came from a web page of another origin, or it used the session cookie "
            "without the header `Driftlog-Page`. Add the page's origin to `DRIFTLOG_ORIGINS` to allow it, or send "
            "the header.",
        ),
        Kind(
            "forbidden",
            403,
            "Permission denied",
            "Your token is valid, but it lacks the permission. `needs` is the required role; `detail` names other "
            "conditions, such as a token that is not limited to one seat.",
        ),
        Kind("not-found", 404, "Not found", "Nothing was found at this address. Check the address."),
        Kind(
            "method-not-allowed",
            405,
            "Method not allowed",
            "This address does not support the method. `Allow` lists those that it does.",
        ),
        Kind(
            "not-acceptable",
            406,
            "Format not available",
            "None of the media types in `Accept` is available here. Change `Accept`.",
        ),
        Kind(
            "content-too-large",
            413,
            "Too large",
            "The body is larger than `limit` bytes. Send a smaller one.",
        ),
        Kind(
            "unsupported-media-type",
            415,
            "Format not available",
            "The media type of the body is not supported here. See the contract for those that are.",
        ),
        Kind(
            "unknown-host",
            421,
            "Unknown host",
            "`Host` is not a known name of this service. Known are localhost, the bound address, and the names in "
            "`DRIFTLOG_HOSTS`.",
        ),
        Kind(
            "too-many-streams",
            429,
            "Too many listeners",
            "Your address, your token or this service (see `quota`) has reached its limit of `limit` live streams. "
            "Try again after `Retry-After`.",
        ),
        Kind(
            "too-many-requests",
            429,
            "Too many requests",
            "Rate limit reached: one address or token (see `quota`) sent more than `limit` requests in `seconds` "
            "seconds. Nothing was done. Repeat the request with the same Idempotency-Key after `Retry-After`. "
            "`RateLimit` and `RateLimit-Policy` of every answer show what is left.",
        ),
        Kind(
            "too-many-connections",
            429,
            "Too many connections",
            "Your address has reached its limit of connections. Close some that you do not use.",
        ),
        Kind(
            "bad-request",
            400,
            "Invalid HTTP request",
            "The request line, a header or the body length violates HTTP/1.1 (RFC 9112) or is ambiguous.",
        ),
        Kind(
            "request-timeout",
            408,
            "Request timeout",
            "The request was not complete within the time limit. Send it again.",
        ),
        Kind(
            "range-not-satisfiable",
            416,
            "Beyond the end",
            "The requested `Range` is outside the file. `Content-Range` has its length.",
        ),
        Kind("uri-too-long", 414, "The address is too long", "The request line is too long. Shorten the address."),
        Kind("expectation-failed", 417, "Expectation not supported", "Only `Expect: 100-continue` is supported."),
        Kind(
            "head-too-large",
            431,
            "Too many headers",
            "The headers are too many or too long. Send fewer or shorter ones.",
        ),
        Kind(
            "coding-not-implemented", 501, "Unknown transfer coding", "Only `Transfer-Encoding: chunked` is supported."
        ),
        Kind("version-not-supported", 505, "HTTP version not supported", "Use HTTP/1.1 or HTTP/1.0."),
        Kind(
            "overloaded",
            503,
            "Service overloaded",
            "The service is overloaded and did nothing. Repeat the request with the same Idempotency-Key after "
            "`Retry-After`.",
        ),
        Kind(
            "gone",
            410,
            "The game was deleted",
            "The game was deleted. `version` and `head` are the number and hash of its last event, and `proof` is "
            "a signed statement of both. With a kept copy or an older proof you can show that the game existed.",
        ),
        Kind(
            "game-over",
            409,
            "The game has ended",
            "The game has ended, so you cannot append to it. `outcome` has the result.",
        ),
        Kind(
            "not-a-prefix",
            409,
            "The record does not begin with this head",
            "The record (up to event `version`) does not begin with this head. If this service signed the head, "
            "the record was rewritten: keep the old proof as evidence.",
        ),
        Kind(
            "version-conflict",
            412,
            "The game has changed",
            "The game is no longer at the version in `If-Match`; it is at `version`. Read the newer events, then "
            "try again.",
        ),
        Kind(
            "invalid", 422, "Invalid request", "The body does not match its schema. `errors` lists the fields to fix."
        ),
        Kind(
            "illegal-action",
            422,
            "Illegal action",
            "The rules do not allow this action now. `rule` is the rulebook heading, `message` the reason, `index` "
            "the place in a list. If skipped steps explain it, `left_out` lists them, and `?accept_left_out=true` "
            "appends both. In a strict game, `?accept_illegal=true` records it with its verdict.",
        ),
        Kind(
            "unsound-table",
            422,
            "Impossible table",
            "This table is impossible. `violations` lists the contradictions with their rulebook headings, and "
            "`instead`, if known, possible facts.",
        ),
        Kind(
            "outcome-required",
            422,
            "Result required",
            "The rules need a result here. Report what the table drew or rolled: `chance` lists the possible results.",
        ),
        Kind(
            "impossible-outcome",
            422,
            "Impossible result",
            "The reported result `given` is impossible; `chance` lists the possible ones. Check the table and "
            "report again.",
        ),
        Kind(
            "idempotency-key-reused",
            422,
            "Idempotency-Key already used",
            "This Idempotency-Key was already used for a different request. Use a new key.",
        ),
        Kind(
            "quota-exceeded",
            422,
            "Quota reached",
            "A storage quota is reached, and nothing was stored. `quota` is `games`, `games_per_token`, `events`, "
            "`bytes` or `plays`; `limit` and `used` are its numbers. Delete games, or ask the operator for a "
            "higher limit.",
        ),
        Kind(
            "too-many-shares",
            422,
            "Too many links",
            "This game has reached its limit of share links. Revoke one you no longer need.",
        ),
        Kind(
            "too-many-webhooks",
            422,
            "Too many webhooks",
            "This token or service has reached its limit of webhooks. Delete one you no longer need.",
        ),
        Kind(
            "too-many-tokens",
            422,
            "Too many tokens",
            "This token has reached its limit of active tokens. Revoke one you no longer need.",
        ),
        Kind(
            "too-much-work",
            422,
            "Too much work",
            "The request needs more processor time than allowed (`DRIFTLOG_REQUEST_SECONDS`); nothing was "
            "appended. Send less at a time: `index` is the first event of the list that was not judged, so send "
            "the events before it separately. If many cards are unknown, reveal some first.",
        ),
        Kind(
            "log-does-not-verify",
            422,
            "The log does not verify",
            "The log breaks its hash chain or the rules. `seq` is the first failing event, `reason` the cause.",
        ),
        Kind(
            "not-understood",
            422,
            "A line cannot be entered",
            "The text could be read only up to this line. `items` explains each line and suggests corrections for "
            "the first wrong one. Nothing was stored. Send the text to `/v1/readings` until it has no errors.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store does not answer",
            "The store did not answer, so the request was not confirmed. Repeat it with the same Idempotency-Key "
            "after `Retry-After`.",
        ),
        Kind(
            "not-replicated",
            503,
            "Stored, not yet replicated",
            "The write is stored, but only `reached` of `replicas` replicas have it, so it could be lost if the "
            "server fails now. Repeat the request with the same Idempotency-Key until you get a 201. Without a "
            "key, read the log to check. A revocation or deletion is in effect; check it again after a failover.",
        ),
        Kind(
            "store-full",
            503,
            "The store is full",
            "The store has reached its memory limit, or its disk is almost full. Nothing was stored; you can still "
            "read and export. Repeat the request with the same Idempotency-Key once the operator has made room.",
        ),
        Kind(
            "too-many-jobs",
            503,
            "Too many jobs",
            "This service has reached its limit of unfinished jobs. Repeat the request after `Retry-After`.",
        ),
        Kind(
            "too-many-own-jobs",
            429,
            "Too many of your jobs",
            "Your token has reached its limit of unfinished jobs. All guests of a game share one limit. Repeat the "
            "request after `Retry-After`.",
        ),
        Kind(
            "too-busy",
            503,
            "Game is busy",
            "This game is busy with other writes, and nothing was appended. Repeat the request with the same "
            "Idempotency-Key after `Retry-After`.",
        ),
        Kind(
            "ruleset-not-installed",
            503,
            "Ruleset not installed",
            "The rules of this game (`ruleset`, `ruleset_version`) are not installed on this service. The record "
            "is complete and opens once they are installed.",
        ),
        Kind(
            "format-not-installed",
            501,
            "Format not installed",
            "The library for this format is not installed on this service. `GET /v1/export-formats` lists the "
            "available formats; docs/formats.md names the extra to install.",
        ),
        Kind(
            "not-ready",
            503,
            "Not ready",
            "The store does not answer, does not accept writes, or no worker is running; see `detail`.",
        ),
        Kind(
            "damaged-record",
            500,
            "The record is damaged",
            "The stored record of this game is damaged from event `seq` on. Your request was valid, and nothing "
            "was changed. An audit shows the damage; restore the game from a backup.",
        ),
        Kind(
            "internal-error",
            500,
            "Internal error",
            "The service failed unexpectedly, and the request was not "
            "confirmed. Report it to the operator with the request id.",
        ),
    )
}
