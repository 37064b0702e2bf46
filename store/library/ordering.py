"""The list in order, page by page: by time, by length, or parted by how games stand or by what was played."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args

import msgspec

from engine.core.errors import UnknownRuleset
from engine.play import registry
from store import keys
from store.errors import BadCursor
from store.library import finding, tallies
from store.library.aliases import People
from store.library.finding import Filter
from store.library.summaries import RESULTS, Summary
from store.redis import connection
from store.redis.connection import Client

Order = Literal["newest", "oldest", "longest", "shortest", "outcome", "title"]
"""`outcome`: what was won comes first, then what was lost, drawn, abandoned, what goes on and what is being set up.
`title`: the rulesets by name. In each part the newest come first."""
ORDERS: tuple[Order, ...] = get_args(Order)

_BY_LENGTH = ("longest", "shortest")

COUNTED = 500
"""So many games are counted one by one."""
_PARTS = (*RESULTS, "in_progress", "setup")


class Standings(msgspec.Struct, frozen=True):
    """How many games there are, by ruleset, status and result (empty: none yet)."""

    counts: dict[tuple[str, str, str], int]
    is_whole: bool = True
    """Whether these are all; else there are too many to count them."""


class _Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: str
    """The id of the last game of the page before."""
    filter: str
    """The digest of what it goes on with."""
    part: int | str = ""
    """The part in which that stands; in an order by length, its seconds."""


def search(
    client: Client,
    asked: Filter,
    hidden: frozenset[str],
    order: Order,
    *,
    people: People,
    cursor: str | None,
    limit: int,
) -> tuple[list[Summary], str | None]:
    """A page of games in order, and the cursor of the next page.

    Args:
        hidden: names, folded, that nothing is found by, and that nobody is told.
        people: who is meant by which name.

    Raises:
        BadCursor: `cursor` is none of this filter's in this order.
    """
    after = None if cursor is None else _parse(cursor, asked, order)
    if asked.game is not None:
        return finding.only(client, asked, hidden), None
    wanted = asked.of(people)
    if finding.is_in_vain(wanted, hidden):
        return [], None
    found: list[tuple[str, Summary]] = []
    for part, narrowed, ids in _pages(client, wanted, order, after, limit + 1):
        found += ((part, game) for game in finding.fitting(client, ids, narrowed, hidden))
        if len(found) > limit:
            its_part, last = found[limit - 1]
            place = last.seconds if order in _BY_LENGTH else its_part
            return [game for _, game in found[:limit]], _cursor(_Cursor(last.id, _digest(asked, order), place))
    return [game for _, game in found], None


def standings(client: Client, wanted: Filter, hidden: frozenset[str], people: People) -> Standings:
    """How many games fit, by ruleset, status and result; what `wanted` says of these three counts for nothing.

    All games together are kept counted. Else they are counted one by one, up to `COUNTED` of them.
    """
    others = msgspec.structs.replace(wanted, ruleset=None, status=None, result=None)
    if others == Filter():
        kept = tallies.parse(connection.call(client, "HGETALL", keys.STANDINGS))
        return Standings({(ruleset, status, result): count for (ruleset, status, result), count in kept.items()})
    games, more = search(client, others, hidden, "newest", people=people, cursor=None, limit=COUNTED)
    counts = Counter((game.ruleset, game.status, game.result or "") for game in games)
    return Standings(dict(counts), is_whole=more is None)


def _pages(
    client: Client, wanted: Filter, order: Order, after: _Cursor | None, size: int
) -> Iterator[tuple[str, Filter, list[str]]]:
    """The ids of all games that may fit in order, in pages; each with the part in which they stand, and its filter."""
    if order in _BY_LENGTH:
        for ids in _by_length(client, wanted, after, size, is_rising=order == "shortest"):
            yield "", wanted, ids
        return
    for part, narrowed in _parts(client, wanted, order, after):
        start = after.after if after is not None and after.part == part else None
        for ids in finding.leading(client, narrowed, start, size, is_rising=order == "oldest"):
            yield part, narrowed, ids


def _parts(client: Client, wanted: Filter, order: Order, after: _Cursor | None) -> Iterator[tuple[str, Filter]]:
    """The parts of an order, from that of the cursor on, with what is asked for in each."""
    if order == "title":
        known = {ruleset for ruleset, *_ in standings(client, Filter(), frozenset(), People()).counts}
    else:
        known = set(_PARTS) if order == "outcome" else {""}
    parts = known if after is None else {part for part in known if _rank(part) >= _rank(str(after.part))}
    for part in sorted(parts, key=_rank):
        field = {"title": "ruleset", "outcome": "result" if part in RESULTS else "status"}.get(order)
        if field is None:
            yield part, wanted
        elif getattr(wanted, field) in (None, part):
            yield part, msgspec.structs.replace(wanted, **{field: part})


def _rank(part: str) -> tuple[int, str, str]:
    return _PARTS.index(part) if part in _PARTS else len(_PARTS), title(part).casefold(), part


def title(ruleset_id: str) -> str:
    """The name of a ruleset; its id where it is not installed."""
    try:
        return registry.ruleset(ruleset_id).name
    except UnknownRuleset:
        return ruleset_id


def _by_length(
    client: Client, wanted: Filter, after: _Cursor | None, size: int, *, is_rising: bool
) -> Iterator[list[str]]:
    """The ids of all games that may fit by their length, in pages."""
    _, games = finding.smallest(client, wanted)
    everything = connection.call(client, "ZCARD", keys.LENGTH)
    # Few are read whole and put in order here. Of many there are some on every page of all games by length: so one
    # reads about `size` times as many games as there are for one that fits.
    if games <= finding.LARGEST_PAGE or games * games <= everything * size:
        pages = _few_by_length(client, wanted, is_rising=is_rising)
    else:
        pages = _all_by_length(client, after, size, is_rising=is_rising)
    for page in pages:
        ids = [id_ for seconds, id_ in page if after is None or _follows((seconds, id_), after, is_rising=is_rising)]
        if ids:
            yield ids


def _follows(place: tuple[int, str], after: _Cursor, *, is_rising: bool) -> bool:
    last = (int(after.part), after.after)
    return place > last if is_rising else place < last


def _few_by_length(client: Client, wanted: Filter, *, is_rising: bool) -> Iterator[list[tuple[int, str]]]:
    places: list[tuple[int, str]] = []
    for ids in finding.leading(client, wanted, None, finding.LARGEST_PAGE):
        seconds = connection.call(client, "ZMSCORE", keys.LENGTH, *ids)
        places += ((int(one), id_) for one, id_ in zip(seconds, ids, strict=True) if one is not None)
    places.sort(reverse=not is_rising)
    for start in range(0, len(places), finding.LARGEST_PAGE):
        yield places[start : start + finding.LARGEST_PAGE]


def _all_by_length(
    client: Client, after: _Cursor | None, size: int, *, is_rising: bool
) -> Iterator[list[tuple[int, str]]]:
    first, last = ("-inf", "+inf") if is_rising else ("+inf", "-inf")
    span = (first if after is None else after.part, last, "BYSCORE", *(() if is_rising else ("REV",)))
    read = 0
    while True:
        page = connection.call(client, "ZRANGE", keys.LENGTH, *span, "LIMIT", read, size, "WITHSCORES")
        yield [(int(seconds), id_.decode()) for id_, seconds in page]
        read += len(page)
        if len(page) < size:
            return
        size = min(size * 2, finding.LARGEST_PAGE)


def _digest(wanted: Filter, order: Order) -> str:
    asked: list[Any] = [wanted] if order == "newest" else [wanted, order]
    return hashlib.sha256(b"".join(map(msgspec.json.encode, asked))).hexdigest()[:16]


def _cursor(place: _Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).rstrip(b"=").decode()


def _parse(cursor: str, wanted: Filter, order: Order) -> _Cursor:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parsed = msgspec.json.decode(text, type=_Cursor)
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise BadCursor from error
    if parsed.filter != _digest(wanted, order) or isinstance(parsed.part, int) != (order in _BY_LENGTH):
        raise BadCursor
    return parsed
