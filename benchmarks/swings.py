"""Measure analyses: how well the chance to win predicts outcomes, and how many planted blunders are marked.

The benchmark also shows how much better the search plays than Keen, the player of Forbidden Island. `python -m
benchmarks.swings` measures more games than `python -m benchmarks`; with `--blunders 0`, it plants no blunders.
"""

from __future__ import annotations

import math
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, count
from statistics import fmean
from typing import NamedTuple

import click
from rich.console import Console

from benchmarks.blunders import RULESET, RUNNING, Game, PlantedBlunder, plant_blunder, time_amended
from benchmarks.client import drive
from benchmarks.measure import UNPINNED, Settings, side_by_side
from benchmarks.posting import CLIENTS, deal
from benchmarks.report import Goal, Row, at_least, at_most, show
from benchmarks.serving import FREE, serving
from engine.play import registry
from engine.players.protocol import AnyPlayer
from engine.players.registry import player_of
from engine.players.search import SearchPlayer
from engine.review.swings import COARSE
from store import keys
from workers.queue import submit

BINS = 5
CURVE_SECONDS, WHOLE_SECONDS, AGAIN_SECONDS = 10.0, 60.0, 3.0
"""Goals in seconds, on two idle workers.

They are for the curve, for an analysis, and for an analysis after the last turn changed.
"""
AMENDED = 3
"""Number of amended games."""
TURN = 5
"""The turn at which predictions are compared with results."""
MOST_CHANCE = 0.01
"""Goal for `chance_of`: the search must be so much better than Keen that equal players would rarely differ as much."""


class Result(NamedTuple):
    """A game that a computer player has played."""

    value: float | None
    """Keen's chance to win at the start of turn `TURN`; None if the game ended earlier."""
    is_won: bool


def result(seed: int, player: AnyPlayer | None = None) -> Result:
    """Play one deal."""
    game, value = Game(seed, player), None
    while not game.is_over:
        if value is None and game.state.turn == TURN:
            value = game.value(COARSE)
        game.play(game.choice())
    assert game.state.outcome is not None
    return Result(value, game.own.reward(game.state.outcome, 0) == 1)


def chance_of(better: int, worse: int) -> float:
    """Return the probability of such a difference between two equal players (exact two-sided sign test)."""
    count = better + worse
    rarer = sum(math.comb(count, number) for number in range(min(better, worse) + 1))
    return min(1.0, 2 * rarer * 0.5**count)


def compare_predictions(name: str, results: Sequence[Result]) -> Iterator[Row]:
    """Compare the chances to win at turn `TURN` with the outcomes of a computer player's games."""
    found = [(one.value, one.is_won) for one in results if one.value is not None]
    base = fmean(won for _, won in found)
    error = fmean((value - won) ** 2 for value, won in found)
    skill = 1 - error / max(1e-9, fmean((base - won) ** 2 for _, won in found))
    what = f"Brier skill, {RULESET}, {len(found)} games of {name}, turn {TURN}"
    yield Row(what=what, ours=f"{skill:.2f}", goal=at_least(skill, 0.2, ""), pinning=UNPINNED)
    for part in range(BINS):
        low, high = part / BINS, (part + 1) / BINS
        inside = [one for one in found if low <= one[0] < high or one[0] == high == 1]
        if inside:
            value, won = (fmean(each) for each in zip(*inside, strict=True))
            what = f"{name}, valued {low:.0%} to {high:.0%}: {len(inside)} games"
            yield Row(what=what, ours=f"{won:.0%} won", reference=f"{value:.0%}", pinning=UNPINNED)


def compare_search(seeds: range) -> Iterator[Row]:
    """Let both Keen and the search play the same deals."""
    rules = registry.ruleset(RULESET)
    search = SearchPlayer(player_of(rules), rules)
    began = time.process_time()
    ahead = [result(seed, search) for seed in seeds]
    took = (time.process_time() - began) / len(seeds)
    own = [result(seed) for seed in seeds]
    better = sum(one.is_won > other.is_won for one, other in zip(ahead, own, strict=True))
    worse = sum(one.is_won < other.is_won for one, other in zip(ahead, own, strict=True))
    chance = chance_of(better, worse)
    yield Row(
        what=f"games won by the search, {len(seeds)} deals ({better} better, {worse} worse, p = {chance:.4f})",
        ours=f"{sum(one.is_won for one in ahead)}",
        reference=f"{sum(one.is_won for one in own)} by Keen",
        goal=Goal("p < .01", chance < MOST_CHANCE and better > worse),
        pinning=UNPINNED,
    )
    yield Row(what="a game of the search, processor time", ours=f"{took:.1f} s", pinning=UNPINNED)
    yield from compare_predictions("the search", ahead)


def appends(settings: Settings) -> Iterator[Row]:
    """Compare the appends per second of two services: one is idle, and the two workers of the other analyse a game."""
    game = Game(0)
    while not game.is_over:
        game.play(game.choice())
    with serving("ours", settings.folder / "swings", FREE, "always", workers=1) as service:

        def load() -> float:
            games = deal(service, settings.seconds)
            clients = [chain.from_iterable(games) for _ in range(CLIENTS)]
            return drive(service.address, clients, settings.seconds).rate

        def meanwhile() -> float:
            # Delete the playouts of the last round, which the analysis would reuse.
            for key in service.store.client.scan_iter(f"{keys.playouts('')[:-1]}*"):
                service.store.client.delete(key)
            game_id = secrets.token_hex(13)
            service.store.events.open(game_id, game.recording.events, None)
            args = {"game": game_id, "version": game.recording.game.version}
            job = submit(service.store, service.queue, "analysis", args)
            while service.store.jobs.get(job.id).status == "queued":  # type: ignore[union-attr]  # it was just created
                time.sleep(0.01)
            try:
                return load()
            finally:
                service.store.jobs.update(job.id, status="failed")

        load()
        pair = side_by_side(meanwhile, load, settings.rounds)
    yield Row(
        what=f"POST events, {CLIENTS} clients, during an analysis",
        ours=f"{pair.ours:,.0f}/s",
        reference=f"{pair.reference:,.0f}/s without",
        ratio=pair.ratio,
        goal=at_least(pair.ratio, 0.9),
        pinning=UNPINNED,
    )


def measure_blunders(number: int, first: int) -> Iterator[Row]:
    """Plant blunders, and measure the analyses of these games."""
    results: list[PlantedBlunder] = []
    for seed in count(first):
        if len(results) == number:
            break
        found = plant_blunder(seed)
        results += [found] if found else []
    hits = sum(one.is_marked for one in results)
    kinds = Counter(one.kind for one in results)
    told = ", ".join(f"{times} × {kind}" for kind, times in sorted(kinds.items()))
    what = f"{number} planted blunders ({told}), marked"
    yield Row(what=what, ours=f"{hits}", goal=at_least(hits / number, 0.8, ""), pinning=UNPINNED)
    most = max(one.others for one in results)
    each = fmean(one.others for one in results)
    what = f"other choices marked, in the worst game (average {each:.2f})"
    yield Row(what=what, ours=f"{most}", goal=at_most(most, 1, ""), pinning=UNPINNED)
    events = fmean(one.events for one in results)
    for what, times, limit in (
        (f"the curve, {events:.0f} events", [one.curve for one in results], CURVE_SECONDS),
        (f"the whole analysis, {events:.0f} events", [one.whole for one in results], WHOLE_SECONDS),
        (f"an analysis after turn {RUNNING} was amended", list(map(time_amended, range(AMENDED))), AGAIN_SECONDS),
    ):
        took = fmean(times)
        told = f"{took:.1f} s ({min(times):.1f}–{max(times):.1f} s)"
        # Two workers share the time, so each needs half of it.
        yield Row(what=f"{what}, processor time", ours=told, goal=at_most(took, 2 * limit, "s"), pinning=UNPINNED)


def rows(games: int, deals: int, blunders: int, first: int = 0) -> Iterator[Row]:
    """Measure, and yield the rows of the report. A number of 0 skips its measurement.

    Args:
        first: the number of the first deal.
    """
    if games:
        yield from compare_predictions("Keen", [result(seed) for seed in range(first, first + games)])
    if deals:
        yield from compare_search(range(first, first + deals))
    if blunders:
        yield from measure_blunders(blunders, first)


def measure(settings: Settings) -> Iterator[Row]:
    """Measure a tenth of the games of `python -m benchmarks.swings`, and the appends during an analysis."""
    yield from appends(settings)
    # Plant few blunders, because finding one takes minutes.
    yield from rows(*((6, 0, 0) if settings.quick else (100, 5, 3)))


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--games", default=400, show_default=True, help="Games for the predictions.")
@click.option("--deals", default=50, show_default=True, help="Deals that Keen and the search play.")
@click.option("--blunders", default=30, show_default=True, help="Blunders to plant.")
@click.option("--first", default=0, show_default=True, help="The number of the first deal.")
def main(games: int, deals: int, blunders: int, first: int) -> None:
    """Measure, and print a table."""
    show(Console(), rows(games, deals, blunders, first))


if __name__ == "__main__":
    main()
