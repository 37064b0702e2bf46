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
            "This cannot be read",
            "The body is not JSON, or a query parameter or header does not have its form. `errors` says where.",
        ),
        Kind(
            "unauthenticated",
            401,
            "Who are you?",
            "This service answers to those who have a token. Send it as `Authorization: Bearer <token>`, or open the "
            "link that you were given in this browser: whoever runs the service, or records the game, can make one.",
        ),
        Kind(
            "foreign-origin",
            403,
            "Not from there",
            "A web page of another origin asked to write. Add its origin to `DRIFTLOG_ORIGINS` to let it. With the "
            "session's cookie, what writes has to bring the header `Driftlog-Page`, which no form of another site can.",
        ),
        Kind(
            "forbidden",
            403,
            "Your token is not for that",
            "The token is in force, and does not reach so far. `needs` is the role that it takes; `detail` says where "
            "it takes something else besides, such as a token that is not for one seat alone.",
        ),
        Kind("not-found", 404, "There is no such thing", "Nothing lives at this address."),
        Kind("method-not-allowed", 405, "That cannot be done here", "`Allow` lists the methods of this address."),
        Kind("not-acceptable", 406, "Not in that form", "The answer has none of the media types that `Accept` names."),
        Kind(
            "content-too-large",
            413,
            "Too large",
            "The body is larger than is taken here: `limit` is how many bytes are.",
        ),
        Kind("unsupported-media-type", 415, "Not in that form", "The body has a media type that is not taken here."),
        Kind(
            "unknown-host",
            421,
            "Not known by that name",
            "`Host` names this service as it is not known. `DRIFTLOG_HOSTS` names what it is known by besides "
            "localhost and the address that it is bound to.",
        ),
        Kind(
            "too-many-streams",
            429,
            "Too many listeners",
            "This service, your address or your token (`quota` says which) has as many live streams as it may, which "
            "`limit` says. `Retry-After` says when to come back.",
        ),
        Kind(
            "too-many-requests",
            429,
            "Too many requests",
            "More was asked by one address or token (`quota` says which) than `limit` requests in `seconds` seconds. "
            "Nothing was done. Repeat the request, with the same Idempotency-Key, after `Retry-After`; `RateLimit` and "
            "`RateLimit-Policy` of every answer say how much is left.",
        ),
        Kind(
            "too-many-connections",
            429,
            "Too many connections",
            "Your address holds as many connections as one may. Close those that you do not use.",
        ),
        Kind(
            "bad-request",
            400,
            "This is not HTTP",
            "The request line, a header or the length of the body breaks HTTP/1.1 (RFC 9112), or could be read in two "
            "ways.",
        ),
        Kind("request-timeout", 408, "The request did not arrive", "It was begun, and did not come whole in time."),
        Kind(
            "range-not-satisfiable",
            416,
            "Beyond the end",
            "No byte of the file is in the part that `Range` asks for. `Content-Range` says how long it is.",
        ),
        Kind("uri-too-long", 414, "The address is too long", "The request line is longer than this service takes."),
        Kind("expectation-failed", 417, "That cannot be expected", "`Expect` knows nothing but `100-continue` here."),
        Kind("head-too-large", 431, "Too many headers", "The headers are more or longer than this service takes."),
        Kind(
            "coding-not-implemented", 501, "An unknown coding", "`Transfer-Encoding` knows nothing but `chunked` here."
        ),
        Kind("version-not-supported", 505, "Another HTTP", "This service speaks HTTP/1.1 and HTTP/1.0."),
        Kind(
            "overloaded",
            503,
            "Too much at once",
            "More is asked than can be answered in time. Nothing was done. Repeat the request, with the same "
            "Idempotency-Key, after `Retry-After`.",
        ),
        Kind(
            "gone",
            410,
            "The game was deleted",
            "Nothing is left of it but what its last event was: `version` and `head`, its hash. `proof` says so, "
            "signed: whoever kept the record, or an older proof of it, can show with it that it was here.",
        ),
        Kind("game-over", 409, "The game has ended", "Nothing can be appended any more. `outcome` says how it ended."),
        Kind(
            "not-a-prefix",
            409,
            "The record does not begin with that",
            "The head that was named is no beginning of this record, whose last event is `version`. If it was signed "
            "by this service, the record was rewritten since: keep the proof of it.",
        ),
        Kind(
            "version-conflict",
            412,
            "The game has moved on",
            "`If-Match` names another version than the game's last. `version` is that one: read on from yours.",
        ),
        Kind("invalid", 422, "This does not fit", "The body does not fit its schema. `errors` says where."),
        Kind(
            "illegal-action",
            422,
            "The rules forbid this now",
            "`rule` is the rulebook's heading, `message` the reason; `index` the place in a list. Where the game is "
            "recorded as played and it would be legal had steps been left out before, `left_out` names them: "
            "`?accept_left_out=true` appends both. In a strict game `?accept_illegal=true` appends it with its "
            "verdict.",
        ),
        Kind(
            "unsound-table",
            422,
            "No table is like that",
            "What was told of the table cannot be so: `violations` says what stands against it, each with the "
            "rulebook's heading where one says it, and `instead`, where that is known, the facts that can be.",
        ),
        Kind(
            "outcome-required",
            422,
            "What came up?",
            "The rules ask chance here, and the table has to say what came up: `chance` lists all that can.",
        ),
        Kind(
            "impossible-outcome",
            422,
            "That cannot have come up",
            "`given` was reported where only what `chance` lists can come up. Look at the table again.",
        ),
        Kind(
            "idempotency-key-reused",
            422,
            "This key was used for something else",
            "The Idempotency-Key came with another body before. A new request needs a new key.",
        ),
        Kind(
            "quota-exceeded",
            422,
            "There is no room for more",
            "`quota` says of what there would be more than `limit`, and `used` how much there is: `games` of the whole "
            "service, `games_per_token` of those opened by your token, `events` or `bytes` of the game, past `plays`. "
            "Nothing more was stored. The operator can set it higher; games that are deleted make room.",
        ),
        Kind(
            "too-many-shares",
            422,
            "Too many links",
            "The game has as many share links as a game may have. Withdraw one that nobody needs.",
        ),
        Kind(
            "too-many-webhooks",
            422,
            "Too many webhooks",
            "The token has made as many webhooks as one may, or the service has as many as it takes. Remove some that "
            "nobody needs.",
        ),
        Kind(
            "too-many-tokens",
            422,
            "Too many tokens",
            "The token has given as many others as one may that are still in force. Withdraw some that nobody needs.",
        ),
        Kind(
            "too-much-work",
            422,
            "This takes too long",
            "The answer would take more of the processor's time than one request may (`DRIFTLOG_REQUEST_SECONDS`), and "
            "nothing was appended. Ask for less at a time: of a list, `index` is the first event that was not judged, "
            "so that those before it can be sent by themselves. Where much was not seen, find out some of it first.",
        ),
        Kind(
            "log-does-not-verify",
            422,
            "The log does not verify",
            "The log breaks its chain or the rules. `seq` is the first event that fails, `reason` says why.",
        ),
        Kind(
            "not-understood",
            422,
            "A line cannot be entered",
            "What was written by hand was read up to there. `items` says of each line what it is, and of the first "
            "that is wrong what may be meant; nothing was kept. POST it to `/v1/readings` until nothing is wrong.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store does not answer",
            "Nothing was answered as done. Repeat the request, with the same Idempotency-Key, after `Retry-After`.",
        ),
        Kind(
            "not-replicated",
            503,
            "Stored, not yet replicated",
            "It is stored, and fewer replicas have it than `DRIFTLOG_REPLICAS` asks for: `reached` of `replicas`. "
            "Should the server that has it be lost now, it may be lost. Ask again with the same Idempotency-Key: 201 "
            "once they have it. Without a key, read the log to see whether it stands there. A withdrawal or a deletion "
            "holds; after a failover look whether it still does.",
        ),
        Kind(
            "store-full",
            503,
            "The store is full",
            "The store has reached its memory limit, or its disk is almost full. Nothing was stored. What there is can "
            "be read and exported. Repeat the request, with the same Idempotency-Key, once the operator has made room.",
        ),
        Kind(
            "too-many-jobs",
            503,
            "Too much is waiting",
            "There is as much long work that is not done yet as this service takes. Repeat the request after "
            "`Retry-After`.",
        ),
        Kind(
            "too-many-own-jobs",
            429,
            "Too much of yours is waiting",
            "Your token has reached its limit of unfinished jobs, which leaves room for others. All guests of a game "
            "share one such limit. Repeat the request after `Retry-After`.",
        ),
        Kind(
            "too-busy",
            503,
            "Too many write at once",
            "Others write to the same game, and this did not come to its turn: nothing was appended. Repeat it, with "
            "the same Idempotency-Key, after `Retry-After`.",
        ),
        Kind(
            "ruleset-not-installed",
            503,
            "The rules are not here",
            "This service lacks the rules by which the game was recorded: `ruleset` and `ruleset_version` say which. "
            "The record is whole, and opens again once they are installed.",
        ),
        Kind(
            "format-not-installed",
            501,
            "Not in that format here",
            "This service lacks the library that writes this format. `GET /v1/export-formats` lists those that it can "
            "write; docs/formats.md says which extra brings which.",
        ),
        Kind(
            "not-ready",
            503,
            "Not ready",
            "The store does not answer or takes no write now, or no worker is there; `detail` says which.",
        ),
        Kind(
            "damaged-record",
            500,
            "The record is damaged",
            "What is stored of this game cannot be read or played from event `seq` on: a fault of the service, not of "
            "the request. Nothing was changed. An audit says what is wrong; a backup of the store may still be whole.",
        ),
        Kind("internal-error", 500, "Something broke", "This is a fault of the service. Nothing was answered as done."),
    )
}
