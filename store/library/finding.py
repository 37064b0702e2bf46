"""Finding games in the list: which of them fit, newest first or oldest first, whatever is asked for.

Every index is a sorted set of game ids whose scores are all 0, so that Redis reads it in the order of the ids, which
is that of time. The index with the fewest games leads: it is read in pages, and the others are only asked about its
ids. Words are looked up in the summaries themselves, unless they lead. Where a span of time is the smallest, its ids
are read as a whole and put in order here.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from engine.core.language import ENGLISH, say, spoken
from engine.core.text import search_key
from engine.play import registry
from store import keys
from store.library.aliases import People
from store.library.summaries import Summary, parse, tells, words
from store.redis import connection
from store.redis.connection import Client, Command

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
LARGEST_PAGE = 1000

_COST_OF_A_WORD = 5
"""Reading one more index costs as much as looking at so many more games."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to find: those that all of it fits. None fits every game."""

    ruleset: str | None = None
    status: str | None = None
    result: str | None = None
    """How it ended; one of `RESULTS`."""
    player: str | None = None
    """A whole name, in any case."""
    tag: str | None = None
    """A whole tag, in any case."""
    from_: datetime | None = None
    """Opened at that time or later; aware."""
    to: datetime | None = None
    """Opened before that time; aware."""
    q: str | None = None
    """Beginnings of words of players' names, tags, the ruleset's id and name, also as said: each must be found."""
    parent: str | None = None
    """The id of the game that they were forked from."""
    game: str | None = None
    """The only game that there is for whoever asks."""

    def of(self, people: People) -> Filter:
        """The same with whoever is meant by the player's name."""
        return self if self.player is None else msgspec.structs.replace(self, player=people.who(self.player))

    @property
    def is_timed(self) -> bool:
        """Whether it asks when a game was opened."""
        return self.from_ is not None or self.to is not None

    def span(self) -> tuple[float, float]:
        """From when to when, the end not included, in ms since 1970."""
        start = float("-inf") if self.from_ is None else milliseconds(self.from_)
        end = float("inf") if self.to is None else milliseconds(self.to)
        return start, end


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


def only(client: Client, wanted: Filter, hidden: frozenset[str]) -> list[Summary]:
    """The only game that there is for whoever asks, if it fits: as it was written, whatever is said of names, which is
    about others.
    """
    document = connection.call(client, "HGET", keys.SUMMARIES, wanted.game or "")
    game = None if document is None else parse(document).as_written
    return [game.without(hidden)] if game is not None and fits(game, wanted, hidden) else []


def fits(game: Summary, wanted: Filter, hidden: frozenset[str] = frozenset()) -> bool:
    """Whether one game is among those that are found."""
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
    if not start <= opening(game.opened_at) < end:
        return False
    return wanted.q is None or _tells_all(visible, wanted.q)


def _tells_all(game: Summary, asked: str) -> bool:
    """Whether every word that is asked for is the beginning of one of a game's; a text without a word is not."""
    beginnings = words(asked)
    return bool(beginnings) and all(_has(game, beginning) for beginning in beginnings)


def is_in_vain(wanted: Filter, hidden: frozenset[str]) -> bool:
    """Whether it asks for a name (search_key) that is hidden."""
    return (wanted.player is not None and search_key(wanted.player) in hidden) or tells(wanted.tag or "", hidden)


def leading(
    client: Client, wanted: Filter, after: str | None, size: int, *, is_rising: bool = False
) -> Iterator[list[str]]:
    """The ids of all games that may fit, newest first, in pages.

    Args:
        after: the id after which they begin.
        size: of the first page.
        is_rising: oldest first.
    """
    lead, size_of_lead = smallest(client, wanted)
    if size_of_lead == 0:
        return iter(())
    if lead is None:
        return _span(client, wanted, after, is_rising=is_rising)
    return _along(client, lead, after, size, is_rising=is_rising)


def smallest(client: Client, wanted: Filter) -> tuple[list[str] | None, int]:
    """The indexes with the fewest games of those in which all that fit must stand, in one of them; None where it is
    the span of time. And how many these are, at the most.
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
    """The keys of the indexes that a game must stand in."""
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
    """For each beginning that is asked for the indexes of the words that begin so; a game must stand in one of them."""
    if wanted.q is None:
        return []
    asked = words(wanted.q)
    beginnings = [word.encode() for word in asked]
    ranges: list[Command] = [
        ("ZRANGE", keys.VOCABULARY, b"[" + word, b"[" + word + b"\xff", "BYLEX") for word in beginnings
    ]
    found = connection.pipe(client, ranges)
    # A text without a word in it is found nowhere.
    return [
        [keys.index("word", word.decode()) for word in of_one] + [keys.index("ruleset", id_) for id_ in _called(word)]
        for word, of_one in zip(asked, found, strict=True)
    ] or [[]]


def _along(client: Client, lead: list[str], after: str | None, size: int, *, is_rising: bool) -> Iterator[list[str]]:
    """The ids in the indexes `lead` in order, in pages that grow."""
    while True:
        first, last = ("-", "+") if is_rising else ("+", "-")
        span = (first if after is None else f"({after}", last, "BYLEX", *(() if is_rising else ("REV",)))
        answers = connection.pipe(client, [("ZRANGE", key, *span, "LIMIT", 0, size) for key in lead])
        # Each gave its first: the first of all of them are among those.
        page = sorted({id_.decode() for ids in answers for id_ in ids}, reverse=not is_rising)[:size]
        if page:
            yield page
            after = page[-1]
        if len(page) < size:
            return
        size = min(size * 2, LARGEST_PAGE)


def _span(client: Client, wanted: Filter, after: str | None, *, is_rising: bool) -> Iterator[list[str]]:
    """The ids of the games opened in a span of time in order, in pages."""
    ids = map(bytes.decode, connection.call(client, "ZRANGE", keys.OPENED, *_bounds(wanted), "BYSCORE"))
    ordered = sorted((id_ for id_ in ids if _follows(id_, after, is_rising=is_rising)), reverse=not is_rising)
    for start in range(0, len(ordered), LARGEST_PAGE):
        yield ordered[start : start + LARGEST_PAGE]


def fitting(client: Client, ids: list[str], wanted: Filter, hidden: frozenset[str]) -> list[Summary]:
    """The games of `ids` that fit in everything, in their order; without the names (search_key) that are hidden."""
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
    games = [parse(document).without(hidden) for document in documents if document is not None]
    if wanted.q is None:
        return games
    beginnings = words(wanted.q)
    return [game for game in games if all(_has(game, beginning) for beginning in beginnings)]


def _has(game: Summary, beginning: str) -> bool:
    return _begins(game.words, beginning) or game.ruleset in _called(beginning)


def _begins(vocabulary: set[str], beginning: str) -> bool:
    return any(word.startswith(beginning) for word in vocabulary)


def _called(beginning: str) -> list[str]:
    """The rulesets whose names, as whoever asks reads them, have a word that begins so: what is kept is English."""
    if spoken() == ENGLISH:
        return []
    return [rules.id for rules in registry.rulesets() if _begins(words(say(rules.name)), beginning)]


def _bounds(wanted: Filter) -> tuple[str, str]:
    start, end = wanted.span()
    return repr(start), f"({end!r}"
