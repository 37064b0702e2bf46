"""Sorted pages of the list: by time, by date of play, by length, or grouped by status or ruleset."""

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
from store.documents import decode_text, readable_one
from store.errors import BadCursor
from store.library import finding, tallies
from store.library.aliases import People
from store.library.finding import Filter
from store.library.summaries import RESULTS, Summary
from store.redis import connection
from store.redis.connection import Client

Order = Literal["newest", "oldest", "played_at", "longest", "shortest", "outcome", "title"]
"""Orders of the list. Within a group the newest games come first.

`played_at`: by date of play. `outcome`: won, lost, drawn, abandoned, in progress, in setup. `title`: by name of the
ruleset.
"""
ORDERS: tuple[Order, ...] = get_args(Order)

_SCORED: dict[Order, str] = {"played_at": keys.OPENED, "longest": keys.LENGTH, "shortest": keys.LENGTH}
"""Orders that use the scores of an index, with the key of that index."""

COUNTED = 500
"""Maximum number of games that are counted one by one."""
_PARTS = (*RESULTS, "in_progress", "setup")


class Standings(msgspec.Struct, frozen=True):
    """Number of games by ruleset, status and result (empty for games without one)."""

    counts: dict[tuple[str, str, str], int]
    is_whole: bool = True
    """False if there were too many games to count, so that some are not included."""


class _Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: str
    """The id of the last game of the previous page."""
    filter: str
    """The digest of the filter that the cursor belongs to."""
    part: float | str = ""
    """The group of the game; in an order by scores, the score of the game."""


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
    """Return a page of games in order, and the cursor of the next page.

    Args:
        hidden: names (search_key) that the search ignores and does not show.
        people: the aliases.

    Raises:
        BadCursor: `cursor` belongs to another filter or order.
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
            score = finding.opening(last.played_at) if order == "played_at" else last.seconds
            place = _Cursor(last.id, _digest(asked, order), score if order in _SCORED else its_part)
            next_cursor = base64.urlsafe_b64encode(msgspec.json.encode(place)).rstrip(b"=").decode()
            return [game for _, game in found[:limit]], next_cursor
    return [game for _, game in found], None


def standings(client: Client, wanted: Filter, hidden: frozenset[str], people: People) -> Standings:
    """Count the matching games by ruleset, status and result. These three members of the filter are ignored.

    The counts over all games are stored. If they are damaged, or if the filter has other members, up to `COUNTED` games
    are counted one by one.
    """
    others = msgspec.structs.replace(wanted, ruleset=None, status=None, result=None)
    if others == Filter():
        kept = readable_one(tallies.parse, connection.call(client, "HGETALL", keys.STANDINGS))
        if kept is not None and all(len(field) == 3 for field in kept):
            return Standings({(ruleset, status, result): count for (ruleset, status, result), count in kept.items()})
    games, more = search(client, others, hidden, "newest", people=people, cursor=None, limit=COUNTED)
    counts = Counter((game.ruleset, game.status, game.result or "") for game in games)
    return Standings(dict(counts), is_whole=more is None)


def _pages(
    client: Client, wanted: Filter, order: Order, after: _Cursor | None, size: int
) -> Iterator[tuple[str, Filter, list[str]]]:
    """Yield pages with the ids of all games that may match, in order. Each page comes with its group and its filter."""
    if order in _SCORED:
        for ids in _by_score(client, _SCORED[order], wanted, after, size, is_rising=order == "shortest"):
            yield "", wanted, ids
        return
    for part, narrowed in _parts(client, wanted, order, after):
        start = after.after if after is not None and after.part == part else None
        for ids in finding.leading(client, narrowed, start, size, is_rising=order == "oldest"):
            yield part, narrowed, ids


def _parts(client: Client, wanted: Filter, order: Order, after: _Cursor | None) -> Iterator[tuple[str, Filter]]:
    """Yield the groups of an order from the cursor on, each with its filter."""
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
    """Return the name of a ruleset, or its id if it is not installed."""
    try:
        return registry.ruleset(ruleset_id).name
    except UnknownRuleset:
        return ruleset_id


def _by_score(
    client: Client, key: str, wanted: Filter, after: _Cursor | None, size: int, *, is_rising: bool
) -> Iterator[list[str]]:
    """Yield pages with the ids of all games that may match, in order of their scores in the index `key`."""
    _, games = finding.smallest(client, wanted)
    everything = connection.call(client, "ZCARD", key)
    # If few games match, read all of them, and sort them here. If many match, read all games in order of score: then
    # about `everything / games` games are read per match.
    if games <= finding.LARGEST_PAGE or games * games <= everything * size:
        pages = _few_by_score(client, key, wanted, is_rising=is_rising)
    else:
        pages = _all_by_score(client, key, after, size, is_rising=is_rising)
    for page in pages:
        ids = [id_ for score, id_ in page if after is None or _follows((score, id_), after, is_rising=is_rising)]
        if ids:
            yield ids


def _follows(place: tuple[float, str], after: _Cursor, *, is_rising: bool) -> bool:
    last = (float(after.part), after.after)
    return place > last if is_rising else place < last


def _few_by_score(client: Client, key: str, wanted: Filter, *, is_rising: bool) -> Iterator[list[tuple[float, str]]]:
    places: list[tuple[float, str]] = []
    for ids in finding.leading(client, wanted, None, finding.LARGEST_PAGE):
        scores = connection.call(client, "ZMSCORE", key, *ids)
        places += ((float(one), id_) for one, id_ in zip(scores, ids, strict=True) if one is not None)
    places.sort(reverse=not is_rising)
    for start in range(0, len(places), finding.LARGEST_PAGE):
        yield places[start : start + finding.LARGEST_PAGE]


def _all_by_score(
    client: Client, key: str, after: _Cursor | None, size: int, *, is_rising: bool
) -> Iterator[list[tuple[float, str]]]:
    first, last = ("-inf", "+inf") if is_rising else ("+inf", "-inf")
    span = (first if after is None else after.part, last, "BYSCORE", *(() if is_rising else ("REV",)))
    read = 0
    while True:
        page = connection.call(client, "ZRANGE", key, *span, "LIMIT", read, size, "WITHSCORES")
        yield [(float(score), decode_text(id_)) for id_, score in page]
        read += len(page)
        if len(page) < size:
            return
        size = min(size * 2, finding.LARGEST_PAGE)


def _digest(wanted: Filter, order: Order) -> str:
    asked: list[Any] = [wanted] if order == "newest" else [wanted, order]
    return hashlib.sha256(b"".join(map(msgspec.json.encode, asked))).hexdigest()[:16]


def _parse(cursor: str, wanted: Filter, order: Order) -> _Cursor:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parsed = msgspec.json.decode(text, type=_Cursor)
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise BadCursor from error
    if parsed.filter != _digest(wanted, order) or isinstance(parsed.part, float) != (order in _SCORED):
        raise BadCursor
    return parsed
