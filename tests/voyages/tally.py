"""Voyages played and counted: how each ended, what was read, what was used."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from api.pages.statistics import Row
from engine.games.forgotten_waters.state import WatersState
from engine.kit.chance import Sampled
from engine.play.registry import ruleset
from tests.voyages import reader
from tests.voyages.player import choose

SEA = {"open_sea", "fair_wind", "flat_calm", "dirty_weather", "sails_astern", "middle_watch"}
"""The pages of the open sea, in either edition."""
LOSSES = ("threat", "mutiny", "drowned", "goal_without_glory")


class Voyage(msgspec.Struct, frozen=True):
    """What became of a game."""

    end: WatersState
    pages: tuple[str, ...]
    """The page of each round."""
    actions: int
    """How many events the players recorded."""
    unlocked: int
    """How many locks were opened."""
    stories: frozenset[str]
    """The story cards that were in play."""

    @property
    def reason(self) -> str:
        """How it ended."""
        assert self.end.outcome is not None
        return self.end.outcome.reason

    @property
    def is_won(self) -> bool:
        """Whether the goal was reached with somebody's story told well enough."""
        assert self.end.outcome is not None
        return self.end.outcome.result == "won"

    @property
    def read_again(self) -> int:
        """How many entries were read that had been read before."""
        return len(self.end.entries) - len(set(self.end.entries))


TUNING, FRESH = "tune", "landfall"
"""The names of two sets of seeds: the scenario was tuned on the first, and is judged by the second alone."""


def sail(
    seats: int, seed: int, options: dict[str, Any] | None = None, error: float | None = None, seeds: str = FRESH
) -> Voyage:
    """Return a voyage from setup to end.

    Args:
        seed: of all that chance does, and of the players' mistakes and guesses.
        error: None: the players choose by names and guide symbols. Else they know the text, and it is the standard
            deviation of what they are mistaken by, in stars.
        seeds: the set of seeds.
    """
    rules = ruleset("forgotten-waters")
    rng = random.Random(f"{seeds} mistakes {seats} {seed}")
    chance = Sampled(random.Random(f"{seeds} {seats} {seed}"))
    chance.begin(2, ())
    state: Any = rules.setup(rules.parse_options(options or {}, seats), seats, chance)
    pages = [state.page] if state.page else []
    actions = unlocked = 0
    stories: set[str] = set()
    while state.outcome is None:
        legal = list(rules.legal_actions(state))
        one = reader.choose(state, legal, rng) if error is None else choose(state, legal, lambda: rng.gauss(0, error))
        after = one.action.apply(state, one.seat, chance)
        if after.round != state.round:
            pages.append(after.page)
        else:
            unlocked += len(after.locked) < len(state.locked)
        stories.update(card for pirate in after.pirates for card in pirate.stories)
        state, actions = after, actions + 1
    return Voyage(state, tuple(pages), actions, unlocked, frozenset(stories))


COLUMNS = (
    *("players", "games", "won", "won of 100 (95 %)", "superior", *LOSSES),
    *("rounds", "at sea", "events a round"),
)


def row(seats: int, voyages: Sequence[Voyage]) -> tuple[str, ...]:
    """What came of games with that many players, as `COLUMNS` say; from 'rounds' on in the mean of a game."""
    reasons = Counter(voyage.reason for voyage in voyages)
    pages = Counter(page for voyage in voyages for page in voyage.pages)
    sea = sum(pages[page] for page in SEA)
    rounds, games = pages.total(), len(voyages)
    won = sum(voyage.is_won for voyage in voyages)
    counted = Row("", games, won, games - won, 0)
    assert counted.interval is not None
    low, high = counted.interval
    return (
        str(seats),
        str(games),
        str(won),
        f"{counted.percent} ({low} to {high})",
        str(reasons["superior_victory"]),
        *(str(reasons[reason]) for reason in LOSSES),
        f"{rounds / games:.1f}",
        f"{sea / rounds:.0%}",
        f"{sum(voyage.actions for voyage in voyages) / rounds:.0f}",
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table under `COLUMNS`."""
    heading, *lines = (f"| {' | '.join(line).replace('_', ' ')} |\n" for line in [COLUMNS, *rows])
    return "".join((heading, f"|{'---:|' * len(COLUMNS)}\n", *lines))
