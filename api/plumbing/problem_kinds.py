"""All kinds of problems, with the texts of their pages."""

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
            "Write rejected: the request came from a web page of another origin, or it used the "
            "session cookie without the header `Driftlog-Page`. To allow the page, add its origin to "
            "`DRIFTLOG_ORIGINS`. For your own pages, send the header.",
        ),
        Kind(
            "forbidden",
            403,
            "Permission denied",
            "Your token is valid, but lacks permission for this request. `needs` is the required role; `detail` names "
            "other conditions, such as a token that is not limited to one seat.",
        ),
        Kind("not-found", 404, "Not found", "Nothing was found at this address. Check the address."),
        Kind(
            "method-not-allowed",
            405,
            "Method not allowed",
            "This address does not support the method. `Allow` lists the methods that it supports.",
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
            "`Host` is not a known name of this service. Use localhost, the bound address, or a name "
            "listed in `DRIFTLOG_HOSTS`.",
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
            "Your address has reached its limit of connections. Close the ones you do not use.",
        ),
        Kind(
            "bad-request",
            400,
            "Invalid HTTP request",
            "The request line, a header or the body length violates HTTP/1.1 (RFC 9112) or is "
            "ambiguous. Check how your client or proxy builds the request.",
        ),
        Kind(
            "request-timeout",
            408,
            "Request timeout",
            "The request did not arrive completely within the time limit. Send it again.",
        ),
        Kind(
            "range-not-satisfiable",
            416,
            "Range outside the file",
            "The requested `Range` is outside the file. `Content-Range` has the file's length: ask "
            "for a range within it.",
        ),
        Kind("uri-too-long", 414, "The address is too long", "The request line is too long. Shorten the address."),
        Kind("expectation-failed", 417, "Expectation not supported", "Only `Expect: 100-continue` is supported."),
        Kind(
            "head-too-large",
            431,
            "Too many headers",
            "The request has too many headers, or they are too long. Send fewer or shorter headers.",
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
            "a signed statement of both. If you kept a copy or an older proof, you can show that the game existed.",
        ),
        Kind(
            "game-over",
            409,
            "The game has ended",
            "The game has ended and accepts no more actions. `outcome` has the result.",
        ),
        Kind(
            "not-a-prefix",
            409,
            "The record does not continue this head",
            "The record (up to event `version`) does not begin with the events of the head that you sent. If this "
            "service signed that head, the record was rewritten later. Keep your old proof as "
            "evidence.",
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
            "The rules do not allow this action now. `rule` is the rulebook heading, `message` the reason, "
            "and `index` the position in a list. `explanations` lists ways to record it, those with the "
            "fewest changes first: send the `events` of one. To record the action as illegal, repeat the "
            "request with `?if_illegal=accept`.",
        ),
        Kind(
            "unsound-table",
            422,
            "Impossible table",
            "The facts describe a table that is impossible. `violations` lists the contradictions "
            "with their rulebook headings. `instead` lists facts that are possible, if any are known.",
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
            "The reported result `given` is impossible; `chance` lists the possible results. Check "
            "the table, then report the result again.",
        ),
        Kind(
            "idempotency-key-reused",
            422,
            "Idempotency-Key already used",
            "This Idempotency-Key was already used for a different request. Use a new key.",
        ),
        Kind(
            "request-in-progress",
            409,
            "Request in progress",
            "A request with this Idempotency-Key is still being processed. Repeat it after `Retry-After`.",
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
            "seed-share-rejected",
            409,
            "Seed share rejected",
            "A mixed seed has a fixed number of shares, and no share can be revealed before all are committed. "
            "`detail` names the condition that was violated. Wait for the other devices, or start a new seed.",
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
            "The log failed verification",
            "The log has a broken hash chain, or violates the rules. `seq` is the first failing event, "
            "`reason` the cause.",
        ),
        Kind(
            "not-understood",
            422,
            "A line cannot be recorded",
            "Nothing was stored, because some lines are unclear. `items` explains each line, and "
            "`questions` lists the best answers. Send the corrected text to `/v1/readings` until no "
            "question is left.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store does not answer",
            "The store did not answer, so this request may not have been stored. Repeat it with the "
            "same Idempotency-Key after `Retry-After`.",
        ),
        Kind(
            "not-replicated",
            503,
            "Stored, not yet replicated",
            "The request was stored, but only `reached` of `replicas` replicas have it. It could be "
            "lost if the server fails now. Repeat it with the same Idempotency-Key until you get a "
            "201; without a key, read the log to check. A revocation or deletion is already in "
            "effect; check it again after a failover.",
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
            "This service has reached its limit of unfinished jobs, and no job was started. Repeat "
            "the request after `Retry-After`.",
        ),
        Kind(
            "too-many-own-jobs",
            429,
            "Too many of your jobs",
            "Your token has reached its limit of unfinished jobs, and no job was started. All guests "
            "of a game share one limit. Repeat the request after `Retry-After`.",
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
            "The rules of this game (`ruleset`, `ruleset_version`) are not installed on this "
            "service. The record is complete. Ask the operator to install the rules, then open it "
            "again.",
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
            "The service is not ready: the store does not answer or rejects writes, or no worker is "
            "running. `detail` names the cause.",
        ),
        Kind(
            "cannot-analyse",
            409,
            "Game cannot be analysed",
            "This game cannot be analysed. `detail` has the reason, for example that its ruleset has no computer "
            "player.",
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
            "The service failed unexpectedly, and this request may not have been stored. Report the "
            "request id to the operator.",
        ),
    )
}
