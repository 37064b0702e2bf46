"""Finding games in the list: an index per filter, intersected page by page, newest first.

Every index is a sorted set of game ids whose scores are all 0, so that Redis reads it in the order of the ids, which
is that of time. The smallest index leads: it is read in pages, and the others are only asked about its ids. Where the
smallest is a span of time, its ids are read as a whole and put in order here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from store import connection, keys
from store.connection import Client, Command
from store.errors import BadCursor
from store.search import folded, words

STATUSES = ("setup", "in_progress", "finished", "abandoned")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_LARGEST_PAGE = 1000

Term = list[str]
"""The keys of indexes: a game must stand in one of them."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to find: those that all of it fits. None fits every game."""

    ruleset: str | None = None
    status: str | None = None
    """One of `STATUSES`."""
    player: str | None = None
    """A whole name, in any case."""
    tag: str | None = None
    """A whole tag, in any case."""
    from_: datetime | None = None
    """Opened at that time or later; aware."""
    to: datetime | None = None
    """Opened before that time; aware."""
    q: str | None = None
    """Beginnings of words of players' names, tags, the ruleset's id and name: each must be found."""

    @property
    def is_timed(self) -> bool:
        """Whether it asks when a game was opened."""
        return self.from_ is not None or self.to is not None

    def span(self) -> tuple[float, float]:
        """From when to when, the end not included, in ms since 1970."""
        start = float("-inf") if self.from_ is None else milliseconds(self.from_)
        end = float("inf") if self.to is None else milliseconds(self.to)
        return start, end


class _Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: str
    """The id of the last game of the page before."""
    filter: str
    """The digest of the filter that it goes on with."""


def milliseconds(moment: datetime) -> float:
    """`moment` in ms since 1970."""
    return (moment - _EPOCH) / _MILLISECOND


def opening(opened_at: str) -> float:
    """When a game was opened, in ms since 1970; 0 where its event 1 does not say so in RFC 3339."""
    try:
        moment = datetime.fromisoformat(opened_at)
    except ValueError:
        return 0.0
    return milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def search(client: Client, wanted: Filter, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
    """The ids of a page of games, newest first, and the cursor of the next page.

    Raises:
        BadCursor: `cursor` is none of this filter's.
    """
    before = None if cursor is None else _parse(cursor, wanted)
    found: list[str] = []
    for ids in _matches(client, wanted, before, limit + 1):
        found += ids
        if len(found) > limit:
            return found[:limit], _cursor(found[limit - 1], wanted)
    return found, None


def _matches(client: Client, wanted: Filter, before: str | None, size: int) -> Iterator[list[str]]:
    """The ids that fit, newest first, in pages."""
    terms = _terms(client, wanted)
    sizes = _sizes(client, terms, wanted)
    if 0 in sizes:
        return
    smallest = sizes.index(min(sizes))
    if smallest == len(terms):
        lead, others = _span(client, wanted, before), terms
    else:
        lead = _descending(client, terms[smallest], before, size)
        others = terms[:smallest] + terms[smallest + 1 :]
    for ids in lead:
        yield _fitting(client, ids, others, wanted)


def _terms(client: Client, wanted: Filter) -> list[Term]:
    terms = []
    for field in ("ruleset", "status", "player", "tag"):
        value: str | None = getattr(wanted, field)
        if value is not None:
            terms.append([keys.index(field, folded(value) if field in {"player", "tag"} else value)])
    if wanted.q is not None:
        beginnings = sorted(words(wanted.q))
        ranges: list[Command] = [
            ("ZRANGE", keys.VOCABULARY, b"[" + word, b"[" + word + b"\xff", "BYLEX")
            for word in (beginning.encode() for beginning in beginnings)
        ]
        found = connection.pipe(client, ranges)
        terms += [[keys.index("word", word.decode()) for word in of_one] for of_one in found]
        if not beginnings:
            # A text without a word in it: found nowhere.
            terms.append([])
    return terms or [[keys.ALL_GAMES]]


def _sizes(client: Client, terms: list[Term], wanted: Filter) -> list[int]:
    """How many games each term has at the most; and the span of time, if there is one."""
    commands: list[Command] = [("ZCARD", key) for term in terms for key in term]
    if wanted.is_timed:
        commands.append(("ZCOUNT", keys.OPENED, *_bounds(wanted)))
    counts = iter(connection.pipe(client, commands))
    return [sum(next(counts) for _ in term) for term in terms] + list(counts)


def _descending(client: Client, term: Term, before: str | None, size: int) -> Iterator[list[str]]:
    """The ids of a term, newest first, in pages that grow."""
    while True:
        end = "+" if before is None else f"({before}"
        answers = connection.pipe(client, [("ZRANGE", key, end, "-", "BYLEX", "REV", "LIMIT", 0, size) for key in term])
        # Each gave its newest: the newest of all of them are among those.
        page = sorted({id_.decode() for ids in answers for id_ in ids}, reverse=True)[:size]
        if page:
            yield page
            before = page[-1]
        if len(page) < size:
            return
        size = min(size * 2, _LARGEST_PAGE)


def _span(client: Client, wanted: Filter, before: str | None) -> Iterator[list[str]]:
    """The ids of the games opened in a span of time, newest first, in pages."""
    ids: set[str] = set()
    while True:
        limits = ("LIMIT", len(ids), _LARGEST_PAGE)
        page = connection.call(client, "ZRANGE", keys.OPENED, *_bounds(wanted), "BYSCORE", *limits)
        ids.update(id_.decode() for id_ in page)
        if len(page) < _LARGEST_PAGE:
            break
    ordered = sorted((id_ for id_ in ids if before is None or id_ < before), reverse=True)
    for start in range(0, len(ordered), _LARGEST_PAGE):
        yield ordered[start : start + _LARGEST_PAGE]


def _fitting(client: Client, ids: list[str], terms: list[Term], wanted: Filter) -> list[str]:
    """Those of `ids` that stand in every term, and were opened in time."""
    commands: list[Command] = [("ZMSCORE", key, *ids) for term in terms for key in term]
    if wanted.is_timed:
        commands.append(("ZMSCORE", keys.OPENED, *ids))
    answers = connection.pipe(client, commands)
    fits = [True] * len(ids)
    if wanted.is_timed:
        start, end = wanted.span()
        fits = [opened is not None and start <= float(opened) < end for opened in answers.pop()]
    scores = iter(answers)
    for term in terms:
        of_term = [next(scores) for _ in term]
        fits = [fit and any(of_key[at] is not None for of_key in of_term) for at, fit in enumerate(fits)]
    return [id_ for id_, fit in zip(ids, fits, strict=True) if fit]


def _bounds(wanted: Filter) -> tuple[str, str]:
    start, end = wanted.span()
    return repr(start), f"({end!r}"


def _digest(wanted: Filter) -> str:
    return hashlib.sha256(msgspec.json.encode(wanted)).hexdigest()[:16]


def _cursor(after: str, wanted: Filter) -> str:
    text = msgspec.json.encode(_Cursor(after, _digest(wanted)))
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def _parse(cursor: str, wanted: Filter) -> str:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parsed = msgspec.json.decode(text, type=_Cursor)
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise BadCursor from error
    if parsed.filter != _digest(wanted):
        raise BadCursor
    return parsed.after
