"""Find games with a filter, newest or oldest first.

Every index is a sorted set of game ids with score 0. So Redis returns the ids in lexical order. Games that were opened
later have greater ids. The index with the fewest games is read in pages, and every other index is asked if it contains
these ids. Words are searched in the list entries, unless an index of words is the smallest. If the time range has fewer
games than every index, all ids in the time range are read and sorted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from engine.core.language import ENGLISH, current_language, say
from engine.core.text import search_key
from engine.play import registry
from store import keys
from store.documents import decode_text, readable
from store.library.aliases import People
from store.library.summaries import Summary, parse, tells, words
from store.redis import connection
from store.redis.connection import Client, Command

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
LARGEST_PAGE = 1000

_COST_OF_A_WORD = 5
"""The cost of reading one more index: the number of games that could be checked in the same time."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """A filter for games. A game must match all members; None matches every game."""

    ruleset: str | None = None
    status: str | None = None
    result: str | None = None
    """The result: one of `RESULTS`."""
    player: str | None = None
    """A player's complete name; case is ignored."""
    tag: str | None = None
    """A complete tag; case is ignored."""
    from_: datetime | None = None
    """Played at or after this time; timezone-aware."""
    to: datetime | None = None
    """Played before this time; timezone-aware."""
    q: str | None = None
    """Search words: each must begin a word of the player names, tags, or the ruleset's id or (translated) name."""
    parent: str | None = None
    """The id of the parent, for forks of one game."""
    game: str | None = None
    """The only game that the caller can see."""

    def of(self, people: People) -> Filter:
        """Return the filter with the player's alias resolved to the person."""
        return self if self.player is None else msgspec.structs.replace(self, player=people.person_of(self.player))

    @property
    def is_timed(self) -> bool:
        """True if the filter has a span of time."""
        return self.from_ is not None or self.to is not None

    def span(self) -> tuple[float, float]:
        """Return the start and end (exclusive) of the span, in ms since 1970."""
        start = float("-inf") if self.from_ is None else milliseconds(self.from_)
        end = float("inf") if self.to is None else milliseconds(self.to)
        return start, end


def milliseconds(moment: datetime) -> float:
    """Return a time in ms since 1970."""
    return (moment - _EPOCH) / _MILLISECOND


def opening(opened_at: str) -> float:
    """Convert a time of play or opening to ms since 1970; 0 if it is not in RFC 3339, as in some early logs."""
    try:
        moment = datetime.fromisoformat(opened_at)
    except ValueError:
        return 0.0
    return milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def only(client: Client, wanted: Filter, hidden: frozenset[str]) -> list[Summary]:
    """Return the only game that the caller can see, if it matches.

    Aliases are not applied: they would reveal other games.
    """
    document = connection.call(client, "HGET", keys.SUMMARIES, wanted.game or "")
    games = [game.as_written for game in readable(parse, [document])]
    return [game.without(hidden) for game in games if fits(game, wanted, hidden)]


def fits(game: Summary, wanted: Filter, hidden: frozenset[str] = frozenset()) -> bool:
    """Return True if a game matches the filter."""
    visible = game.without(hidden)
    fork = None if game.fork is None else game.fork.game
    exact = [
        (wanted.game, game.id),
        (wanted.ruleset, game.ruleset),
        (wanted.status, game.status),
        (wanted.result, game.result),
        (wanted.parent, fork),
    ]
    if any(asked is not None and asked != told for asked, told in exact):
        return False
    if wanted.player is not None and (is_in_vain(wanted, hidden) or search_key(wanted.player) not in game.players):
        return False
    if wanted.tag is not None and search_key(wanted.tag) not in map(search_key, visible.tags):
        return False
    start, end = wanted.span()
    if not start <= opening(game.played_at) < end:
        return False
    return wanted.q is None or _tells_all(visible, wanted.q)


def _tells_all(game: Summary, asked: str) -> bool:
    """Return True if each word of the query is the beginning of a word of the game.

    A query without words matches nothing.
    """
    beginnings = words(asked)
    return bool(beginnings) and all(_has(game, beginning) for beginning in beginnings)


def is_in_vain(wanted: Filter, hidden: frozenset[str]) -> bool:
    """Return True if the filter can find nothing, because it asks for a hidden name."""
    return (wanted.player is not None and search_key(wanted.player) in hidden) or tells(wanted.tag or "", hidden)


def leading(
    client: Client, wanted: Filter, after: str | None, size: int, *, is_rising: bool = False
) -> Iterator[list[str]]:
    """Yield the ids of all games that may match, newest first, in pages.

    Args:
        after: the id after which the first page begins.
        size: the size of the first page.
        is_rising: True for oldest first.
    """
    lead, size_of_lead = smallest(client, wanted)
    if size_of_lead == 0:
        return iter(())
    if lead is None:
        return _span(client, wanted, after, is_rising=is_rising)
    return _along(client, lead, after, size, is_rising=is_rising)


def smallest(client: Client, wanted: Filter) -> tuple[list[str] | None, int]:
    """Return the smallest set of indexes that together contain all matching games, and the number of their games.

    Return None instead of indexes if it is cheaper to read all games in the time span.
    """
    leads = [[keys.ALL_GAMES], *([key] for key in _indexes(wanted)), *_vocabulary(client, wanted)]
    commands: list[Command] = [("ZCARD", key) for lead in leads for key in lead]
    if wanted.is_timed:
        commands.append(("ZCOUNT", keys.OPENED, *_bounds(wanted)))
    counts = iter(connection.pipe(client, commands))
    sizes = [sum(next(counts) for _ in lead) for lead in leads]
    span = next(counts, None)
    if 0 in sizes or span == 0:
        return None, 0
    costs = [games + _COST_OF_A_WORD * len(lead) for games, lead in zip(sizes, leads, strict=True)]
    if span is not None and span < min(costs):
        return None, span
    best = costs.index(min(costs))
    return leads[best], sizes[best]


def _follows(game_id: str, after: str | None, *, is_rising: bool) -> bool:
    return after is None or (game_id > after if is_rising else game_id < after)


def _indexes(wanted: Filter) -> list[str]:
    """Return the keys of indexes, each of which contains all matching games."""
    fields = {
        "ruleset": wanted.ruleset,
        "status": wanted.status,
        "result": wanted.result,
        "player": wanted.player and search_key(wanted.player),
        "tag": wanted.tag and search_key(wanted.tag),
        "parent": wanted.parent,
    }
    return [keys.index(field, value) for field, value in fields.items() if value is not None]


def _vocabulary(client: Client, wanted: Filter) -> list[list[str]]:
    """Return a list of indexes for each search word. A matching game is in at least one index of each list."""
    if wanted.q is None:
        return []
    asked = words(wanted.q)
    beginnings = [word.encode() for word in asked]
    ranges: list[Command] = [
        ("ZRANGE", keys.VOCABULARY, b"[" + word, b"[" + word + b"\xff", "BYLEX") for word in beginnings
    ]
    found = connection.pipe(client, ranges)
    # A query without words matches nothing.
    return [
        [keys.index("word", decode_text(word)) for word in of_one]
        + [keys.index("ruleset", id_) for id_ in _rulesets_named(word)]
        for word, of_one in zip(asked, found, strict=True)
    ] or [[]]


def _along(client: Client, lead: list[str], after: str | None, size: int, *, is_rising: bool) -> Iterator[list[str]]:
    """Yield the ids in the indexes `lead`, in order, in growing pages."""
    # Do not decode the ids: a decoded damaged id has another place, so the same page could be read again.
    end = None if after is None else b"(" + after.encode()
    while True:
        first, last = ("-", "+") if is_rising else ("+", "-")
        span = (end or first, last, "BYLEX", *(() if is_rising else ("REV",)))
        answers = connection.pipe(client, [("ZRANGE", key, *span, "LIMIT", 0, size) for key in lead])
        # Each index returned its first `size` ids. Among them are the first `size` ids of all indexes together.
        page = sorted({id_ for ids in answers for id_ in ids}, reverse=not is_rising)[:size]
        if page:
            yield list(map(decode_text, page))
            end = b"(" + page[-1]
        if len(page) < size:
            return
        size = min(size * 2, LARGEST_PAGE)


def _span(client: Client, wanted: Filter, after: str | None, *, is_rising: bool) -> Iterator[list[str]]:
    """Yield the ids of the games played in a span of time, in order, in pages."""
    ids = map(decode_text, connection.call(client, "ZRANGE", keys.OPENED, *_bounds(wanted), "BYSCORE"))
    ordered = sorted((id_ for id_ in ids if _follows(id_, after, is_rising=is_rising)), reverse=not is_rising)
    for start in range(0, len(ordered), LARGEST_PAGE):
        yield ordered[start : start + LARGEST_PAGE]


def fitting(client: Client, ids: list[str], wanted: Filter, hidden: frozenset[str]) -> list[Summary]:
    """Return the games among `ids` that match, in order. The search ignores hidden names (search_key)."""
    commands: list[Command] = [("ZMSCORE", key, *ids) for key in _indexes(wanted)]
    if wanted.is_timed:
        commands.append(("ZMSCORE", keys.OPENED, *ids))
    scores = connection.pipe(client, commands)
    if wanted.is_timed:
        start, end = wanted.span()
        opened = (float("nan") if score is None else float(score) for score in scores.pop())
        scores.append([score if start <= score < end else None for score in opened])
    fit = [id_ for id_, *of_one in zip(ids, *scores, strict=True) if None not in of_one]
    if not fit:
        return []
    documents = connection.call(client, "HMGET", keys.SUMMARIES, *fit)
    games = [game.without(hidden) for game in readable(parse, documents)]
    if wanted.q is None:
        return games
    beginnings = words(wanted.q)
    return [game for game in games if all(_has(game, beginning) for beginning in beginnings)]


def _has(game: Summary, beginning: str) -> bool:
    return _begins(game.words, beginning) or game.ruleset in _rulesets_named(beginning)


def _begins(vocabulary: set[str], beginning: str) -> bool:
    return any(word.startswith(beginning) for word in vocabulary)


def _rulesets_named(beginning: str) -> list[str]:
    """Return the rulesets whose translated name has a word that begins with `beginning`.

    The index has only English names.
    """
    if current_language() == ENGLISH:
        return []
    return [rules.id for rules in registry.rulesets() if _begins(words(say(rules.name)), beginning)]


def _bounds(wanted: Filter) -> tuple[str, str]:
    start, end = wanted.span()
    return repr(start), f"({end!r}"
