"""Comparing: a game beside another one of the same ruleset, such as a fork beside its parent."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from engine.core.events import Event
from engine.review.compare import common, played
from exports.narration import Fates, MainlineEvent, Surroundings, mainline, narrate_part, needed
from service.errors import DifferentRulesets
from service.logs import whole
from service.viewing import Seen
from store import Store
from store.errors import replaying

_TOGETHER = 1000
"""Events that are told at once."""


class Shared(msgspec.Struct, frozen=True):
    """What two games have in common from the beginning."""

    events: int
    """How many."""
    at: int
    """The last of them in the one; 0 where there is none."""
    other_at: int
    """The last of them in the other."""


class Line:
    """What stands of a game, as somebody sees it."""

    def __init__(self, store: Store, game_id: str, seen: Seen) -> None:
        self.game_id, self.seen, self.game = game_id, seen, seen.game
        self._store = store
        self._ways = store.corrections.ways(game_id, self.game.version)
        self._fates = Fates(self._ways.superseded(self.game.version), self._ways.corrections)
        self._told: list[MainlineEvent] | None = None
        """All of it, where places were written anew: then it has to be played as a whole."""
        if store.corrections.is_rewritten(game_id, self.game.version):
            with replaying():
                self._told = list(mainline(whole(store, game_id, self.game)))

    def events(self) -> Iterator[Event]:
        """Those that were played, in order."""
        if self._told is not None:
            return played(_shown(self.seen, one) for one in self._told)
        return map(self.seen.show, played(self._standing(0)))

    def after(self, shared: int, at: int, limit: int) -> tuple[list[tuple[Event, str]], bool]:
        """What stands after the first `shared` events, the last of which is event `at`: `limit` events at the most,
        each with its sentence; and whether there are more.

        Raises:
            Damaged: the log does not replay.
        """
        with replaying():
            found = list(itertools.islice(self._after(shared, at), limit + 1))
        return found[:limit], len(found) > limit

    def _after(self, shared: int, at: int) -> Iterator[tuple[Event, str]]:
        if self._told is not None:
            told = [one for one in self._told if one.event.type != "annotate"]
            return ((_shown(self.seen, one), one.sentence) for one in told[shared:])
        return self._tell(self._standing(at))

    def _standing(self, after: int) -> Iterator[Event]:
        """What stands after event `after`, where no place was written anew."""
        pages = self._store.events.pages(self.game_id, after, self.game.version)
        return (event for page in pages for event in page if self._fates.stands(event.seq))

    def _tell(self, events: Iterator[Event]) -> Iterator[tuple[Event, str]]:
        """`events` told, those that follow each other at once; only what they need is played."""
        around = Surroundings(self._fates, {}, 0, {})
        while batch := list(itertools.islice(events, _TOGETHER)):
            runs = [[one for _, one in run] for _, run in itertools.groupby(enumerate(batch), _start)]
            states = self._store.games.states(self.game_id, set[int]().union(*map(needed, runs)))
            for run in runs:
                for told in narrate_part(self.game.header, run, states, around):
                    if told.event.type != "annotate":
                        yield self.seen.show(told.event), told.sentence


def shared(one: Line, other: Line) -> Shared:
    """What the two have in common.

    Raises:
        DifferentRulesets: they cannot be compared.
        Damaged: a log does not replay.
    """
    if one.game.header.ruleset != other.game.header.ruleset:
        raise DifferentRulesets
    length, at, other_at = 0, 0, 0
    for here, there in common(one.game.ruleset, one.events(), other.events()):
        length, at, other_at = length + 1, here.seq, there.seq
    return Shared(length, at, other_at)


def _start(numbered: tuple[int, Event]) -> int:
    """The same for events that follow each other."""
    index, event = numbered
    return event.seq - index


def _shown(seen: Seen, one: MainlineEvent) -> Event:
    """What stands in a place as it may be seen: what an amend brought is hidden since the amend."""
    place = one.event.seq
    return msgspec.structs.replace(seen.show(msgspec.structs.replace(one.event, seq=one.source)), seq=place)
