"""Compare two games of the same ruleset, such as a fork and its parent."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from engine.core.events import Event
from engine.review.compare import common, without_annotations
from exports.narration import Fates, MainlineEvent, Surroundings, mainline, narrate_part, needed_states
from service.errors import DifferentRulesets
from service.logs import whole
from service.viewing import SeenGame
from store import Store
from store.errors import replaying

_TOGETHER = 1000
"""Maximum number of events that are narrated together."""


class CommonBeginning(msgspec.Struct, frozen=True):
    """The common beginning of two games."""

    events: int
    """Number of events."""
    at: int
    """The `seq` of the last common event in the first game; 0 if there is none."""
    other_at: int
    """The `seq` of the last common event in the second game; 0 if there is none."""


class ComparedLine:
    """A game's events in effect, as a caller sees them."""

    def __init__(self, store: Store, game_id: str, seen: SeenGame) -> None:
        self.game_id, self.seen, self.game = game_id, seen, seen.game
        self._store = store
        self._ways = store.corrections.ways(game_id, self.game.version)
        self._fates = Fates(self._ways.superseded_events(self.game.version), self._ways.corrections)
        self._told: list[MainlineEvent] | None = None
        """All events in effect, if a correction rewrote an earlier event.

        Otherwise None: then pages of the log suffice.
        """
        if store.corrections.is_rewritten(game_id, self.game.version):
            with replaying():
                self._told = list(mainline(whole(store, game_id, self.game)))

    def events(self) -> Iterator[Event]:
        """Yield the events in effect, in order, as the caller sees them. Omit annotations."""
        if self._told is not None:
            return without_annotations(_mask(self.seen, one) for one in self._told)
        return map(self.seen.show, without_annotations(self._standing(0)))

    def after(self, shared: int, at: int, limit: int) -> tuple[list[tuple[Event, str]], bool]:
        """Return up to `limit` events with their sentences, and True if more follow.

        The events are those after the first `shared` events in effect. `at` is the `seq` of the last shared event.
        """
        with replaying():
            found = list(itertools.islice(self._after(shared, at), limit + 1))
        return found[:limit], len(found) > limit

    def _after(self, shared: int, at: int) -> Iterator[tuple[Event, str]]:
        if self._told is not None:
            told = [one for one in self._told if one.event.type != "annotate"]
            return ((_mask(self.seen, one), one.sentence) for one in told[shared:])
        return self._narrate(self._standing(at))

    def _standing(self, after: int) -> Iterator[Event]:
        """Yield the events in effect after event `after`. No event of the log may be rewritten."""
        pages = self._store.events.pages(self.game_id, after, self.game.version)
        return (event for page in pages for event in page if self._fates.is_in_effect(event.seq))

    def _narrate(self, events: Iterator[Event]) -> Iterator[tuple[Event, str]]:
        """Yield each event with its sentence. Replay only as many events as necessary."""
        around = Surroundings(self._fates, {}, 0, {})
        while batch := list(itertools.islice(events, _TOGETHER)):
            runs = [[one for _, one in run] for _, run in itertools.groupby(enumerate(batch), _start)]
            states = self._store.games.states(self.game_id, set[int]().union(*map(needed_states, runs)))
            for run in runs:
                for told in narrate_part(self.game.header, run, states, around):
                    if told.event.type != "annotate":
                        yield self.seen.show(told.event), told.sentence


def common_beginning(one: ComparedLine, other: ComparedLine) -> CommonBeginning:
    """Return the common beginning of two games; raise `DifferentRulesets` if they have different rulesets."""
    if one.game.header.ruleset != other.game.header.ruleset:
        raise DifferentRulesets
    length, at, other_at = 0, 0, 0
    for here, there in common(one.game.ruleset, one.events(), other.events()):
        length, at, other_at = length + 1, here.seq, there.seq
    return CommonBeginning(length, at, other_at)


def _start(numbered: tuple[int, Event]) -> int:
    """Return an event's `seq` minus its index, which is the same for consecutive events."""
    index, event = numbered
    return event.seq - index


def _mask(seen: SeenGame, one: MainlineEvent) -> Event:
    """Mask an event for the viewer. If an amend changed the event, hide what the amend hides."""
    place = one.event.seq
    return msgspec.structs.replace(seen.show(msgspec.structs.replace(one.event, seq=one.source)), seq=place)
