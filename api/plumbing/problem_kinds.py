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
            "The body is not valid JSON, or a query parameter or header is malformed. `errors` lists the mistakes: "
            "correct them, then send the request again.",
        ),
        Kind(
            "unauthenticated",
            401,
            "Sign-in required",
            "You need a token. Send it as `Authorization: Bearer <token>`, or open your invitation link in this "
            "browser. The operator of the service or the recorder of the game can give you a token or a link.",
        ),
        Kind(
            "foreign-origin",
            403,
            "Origin not allowed",
            "The service rejected this write, because it came from a web page of another site, or used the session "
            "cookie without the header `Driftlog-Page`. To allow the other site, add its origin to "
            "`DRIFTLOG_ORIGINS`. For a page of your own, send the header.",
        ),
        Kind(
            "forbidden",
            403,
            "Permission denied",
            "Your token is valid, but does not permit this request. `needs` is the role that your token must have. "
            "`detail` has the reason, for example that the token is limited to one seat.",
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
            "This address has none of the media types in your header `Accept`. Change the header.",
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
            "This address does not accept the media type of the body. The contract lists the types that it accepts.",
        ),
        Kind(
            "unknown-host",
            421,
            "Unknown host",
            "The header `Host` is not a known name of this service. Use localhost, the address on which the service "
            "listens, or a name in `DRIFTLOG_HOSTS`.",
        ),
        Kind(
            "too-many-streams",
            429,
            "Too many listeners",
            "Your address, your token or this service (see `quota`) has reached its limit of live streams (`limit`). "
            "Try again after `Retry-After`.",
        ),
        Kind(
            "too-many-requests",
            429,
            "Too many requests",
            "Your address or token (see `quota`) sent more than `limit` requests in `seconds` seconds. This request "
            "had no effect. Repeat it with the same Idempotency-Key after `Retry-After`. The header `RateLimit` of "
            "every answer shows how many requests remain.",
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
            "The request line, a header or the length of the body is not valid HTTP/1.1 (RFC 9112). Check how your "
            "client or proxy builds the request.",
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
            "The game has ended and accepts no more actions. `outcome` has the result. To continue the game, correct "
            "the record first, for example with an undo.",
        ),
        Kind(
            "not-a-prefix",
            409,
            "The record does not match this head",
            "You sent the head of an earlier state of this record, but the record now begins with other events. If "
            "this service signed that head, the record was rewritten later. Keep your old proof as evidence.",
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
            "The rules do not allow this action now. `message` has the reason, `rule` the rulebook heading. If you "
            "sent a list, `index` is the position of the action. If the action happened anyway, choose one of the "
            "`explanations` and send its `events`; the likeliest comes first. Or repeat the request with "
            "`?if_illegal=accept`.",
        ),
        Kind(
            "unsound-table",
            422,
            "Impossible table",
            "The facts describe a table that is impossible. `violations` lists what is wrong, with rulebook "
            "headings. If there is an `instead`, it lists similar facts that are possible: send these.",
        ),
        Kind(
            "outcome-required",
            422,
            "Result required",
            "This action draws a card or rolls a die, and the result is missing. Send it in `outcomes`. `chance` "
            "lists the possible results.",
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
            "A storage quota is reached, so nothing was stored. `quota` names it (`games`, `games_per_token`, "
            "`events`, `bytes` or `plays`); `used` of `limit` are in use. Delete games, or ask the operator for a "
            "higher limit.",
        ),
        Kind(
            "seed-share-rejected",
            409,
            "Share of the mixed seed rejected",
            "The service did not accept this share of a mixed seed. Either every device has already committed to its "
            "share, or you revealed a share before every device had committed; `detail` says which. Wait for the "
            "other devices, or start a new seed.",
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
            "This token has created the maximum number of active tokens. Revoke one you no longer need.",
        ),
        Kind(
            "too-much-work",
            422,
            "Too much work",
            "The request needs more processor time than allowed (`DRIFTLOG_REQUEST_SECONDS`), so nothing was "
            "appended. If you sent a list, send only the events before `index`, then the others. If many cards are "
            "unknown, reveal some first.",
        ),
        Kind(
            "log-does-not-verify",
            422,
            "The log failed verification",
            "The log was changed, or violates the rules. `seq` is the first event that is wrong, and `reason` says "
            "why. Export the log again, or import an earlier part of it.",
        ),
        Kind(
            "not-understood",
            422,
            "A line cannot be recorded",
            "Nothing was stored, because some lines are unclear. `items` shows how each line was interpreted, and "
            "`questions` lists the likeliest meanings of each unclear line. Correct the text, and check it with "
            "`/v1/readings` until no question is left.",
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
            "201; without a key, read the log to check. If the request revoked or deleted something, "
            "that is already in effect; after a failover, check that it still is.",
        ),
        Kind(
            "store-full",
            503,
            "The store is full",
            "The store has reached its memory limit, or its disk is almost full. So nothing was stored; you can "
            "still read and export. Ask the operator to free space, then repeat the request with the same "
            "Idempotency-Key.",
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
            "Many clients are writing to this game, so nothing was appended. Repeat the request with the same "
            "Idempotency-Key after `Retry-After`.",
        ),
        Kind(
            "ruleset-not-installed",
            503,
            "Ruleset not installed",
            "The rules of this game (`ruleset`, `ruleset_version`) are not installed on this service. Nothing is "
            "lost. Ask the operator to install the rules, then open the game again.",
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
            "The store does not answer or rejects writes, or no worker is running. `detail` has the cause. Wait, or "
            "ask the operator to repair it.",
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
            "The stored record of this game is damaged from event `seq` on. Your request changed nothing. Ask the "
            "operator to restore the game from a backup. An audit shows the damage. Without a `seq`, other stored "
            "data is damaged: ask the operator to run `driftlog doctor`.",
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
