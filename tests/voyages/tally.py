"""Play voyages and count their results: endings, read entries, used actions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from api.pages.statistics import StatisticsRow
from engine.games.forgotten_waters.state import WatersState
from engine.kit.chance import Sampled
from engine.play.registry import ruleset
from engine.players.forgotten_waters.player import value
from engine.players.forgotten_waters.reading import WatersReading
from tests.voyages import reader

SEA = {"open_sea", "fair_wind", "flat_calm", "dirty_weather", "sails_astern", "middle_watch"}
"""The pages of the open sea, in all editions."""
LOSSES = ("threat", "mutiny", "drowned", "goal_without_glory")


class Voyage(msgspec.Struct, frozen=True):
    """The results of a game."""

    end: WatersState
    pages: tuple[str, ...]
    """The page of each round."""
    actions: int
    """Number of events that the players recorded."""
    unlocked: int
    """Number of opened locks."""
    stories: frozenset[str]
    """The story cards in play."""

    @property
    def reason(self) -> str:
        """The reason of the ending."""
        assert self.end.outcome is not None
        return self.end.outcome.reason

    @property
    def is_won(self) -> bool:
        """True if the goal was reached, and at least one pirate's story was told well enough."""
        assert self.end.outcome is not None
        return self.end.outcome.result == "won"

    @property
    def read_again(self) -> int:
        """Number of entries that were read again."""
        return len(self.end.entries) - len(set(self.end.entries))


TUNING, FRESH = "tune", "landfall"
"""The names of two sets of seeds: one for tuning the scenario, one for judging it."""


def sail(
    seats: int, seed: int, options: dict[str, Any] | None = None, error: float | None = None, seeds: str = FRESH
) -> Voyage:
    """Play a voyage from setup to end, and return its results.

    Args:
        seed: determines all chance, and the errors and guesses of the players.
        error: the standard deviation of the players' errors about values, in stars, if they know the text; None: they
            decide by names and guide symbols.
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
        one = reader.choose(state, legal, rng) if error is None else _misjudge(state, legal, error, rng)
        after = one.action.apply(state, one.seat, chance)
        if after.round != state.round:
            pages.append(after.page)
        else:
            unlocked += len(after.locked) < len(state.locked)
        stories.update(card for pirate in after.pirates for card in pirate.stories)
        state, actions = after, actions + 1
    return Voyage(state, tuple(pages), actions, unlocked, frozenset(stories))


def _misjudge(state: WatersState, legal: Sequence[Any], error: float, rng: random.Random) -> Any:
    """Return the legal action with the highest value, misjudged by a random error."""
    at = WatersReading(state)
    return max(legal, key=lambda one: value(at, one.action, one.seat) + rng.gauss(0, error))


COLUMNS = (
    *("players", "games", "won", "won of 100 (95 %)", "superior", *LOSSES),
    *("rounds", "at sea", "events a round"),
)


def row(seats: int, voyages: Sequence[Voyage]) -> tuple[str, ...]:
    """Return a row of `COLUMNS` for games with this number of players; from 'rounds' on, means per game."""
    reasons = Counter(voyage.reason for voyage in voyages)
    pages = Counter(page for voyage in voyages for page in voyage.pages)
    sea = sum(pages[page] for page in SEA)
    rounds, games = pages.total(), len(voyages)
    won = sum(voyage.is_won for voyage in voyages)
    counted = StatisticsRow("", games, won, games - won, 0)
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
    """Return rows as a Markdown table under `COLUMNS`."""
    heading, *lines = (f"| {' | '.join(line).replace('_', ' ')} |\n" for line in [COLUMNS, *rows])
    return "".join((heading, f"|{'---:|' * len(COLUMNS)}\n", *lines))
