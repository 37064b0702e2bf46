"""Measure analyses: how well the chance to win predicts, and how many planted blunders are marked.

Keen plays all games. `python -m benchmarks.swings --games 400 --blunders 30` measures more than `python -m benchmarks`.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator
from itertools import chain
from statistics import fmean

import click
import msgspec
from rich.console import Console

from benchmarks.client import drive
from benchmarks.measure import UNPINNED, Settings, side_by_side
from benchmarks.posting import CLIENTS, deal
from benchmarks.report import Row, at_least, at_most, show
from benchmarks.serving import FREE, serving
from engine.core.events import Event
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Stream, mixed
from engine.play import registry
from engine.players.protocol import Proposal
from engine.players.registry import player_of
from engine.players.value import Memory, Valuer
from engine.review.swings import COARSE, Analyst
from store import keys
from tests.recording import Recording
from workers.queue import submit

RULESET = "forbidden-island"
EXACT = 2000
"""Playouts that decide how much a blunder costs."""
BLUNDER = 0.15
BINS = 5
CURVE_SECONDS, WHOLE_SECONDS, AGAIN_SECONDS = 10.0, 60.0, 3.0
"""Maximum seconds of the curve, of an analysis, and of one after the last turn changed, on two idle workers."""
TURN = 5
"""The turn at which predictions are compared with results."""


class Game:
    """A seeded game that Keen plays."""

    def __init__(self, seed: int) -> None:
        self.rules = registry.ruleset(RULESET)
        self.player = player_of(self.rules)
        self.valuer = Valuer(self.player, self.rules)
        self.recording = Recording(RULESET, 2 + seed % 3, seed=f"swings {seed}")
        self.rng = Stream(mixed(seed, 0))
        self.recording.add("set_up")

    @property
    def state(self) -> State:
        """The current table."""
        state = self.recording.states[-1]
        assert state is not None
        return state

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.state.outcome is not None

    def choice(self) -> Proposal:
        """Return Keen's next action."""
        return self.player.propose(self.state, self.rng)[0]

    def play(self, choice: Proposal) -> Event:
        """Record an action."""
        action, seat = choice
        return self.recording.add(action.type, SEAT_IDS[seat], **msgspec.to_builtins(action))[-1]

    def blunder(self, rng: random.Random) -> Proposal | None:
        """Return a random legal action; None if it costs less than `BLUNDER`."""
        best = self.choice()
        legal = [(one.action, one.seat) for one in self.rules.legal_actions(self.state)]
        others = [one for one in legal if one != best and not one[0].asks_chance]
        if best[0].asks_chance or not others:
            return None
        other = rng.choice(others)
        for count in (COARSE, EXACT):
            better, worse = (
                fmean(self.valuer.rewards([(1, self.state)], range(count), first)[0]) for first in (best, other)
            )
            if better - worse < BLUNDER:
                return None
        return other


def predictions(games: int) -> list[tuple[float, float]]:
    """Return for each game the chance to win at turn `TURN`, and 1 if it was won."""
    found = []
    for seed in range(games):
        game, value = Game(seed), None
        while not game.is_over:
            if value is None and game.state.turn == TURN:
                value = fmean(game.valuer.rewards([(1, game.state)], range(COARSE))[0])
            game.play(game.choice())
        assert game.state.outcome is not None
        if value is not None:
            found.append((value, game.player.reward(game.state.outcome, 0)))
    return found


class Planted(msgspec.Struct, frozen=True):
    """The analysis of a game with a planted blunder; all times are processor seconds."""

    is_marked: bool
    others: int
    """The number of other choices that are marked."""
    events: int
    curve: float
    whole: float
    again: float
    """The time of a new analysis after the last turn was played otherwise."""


def planted(seed: int) -> Planted | None:
    """Plant a blunder, and analyse the game; return None if no tried action is a blunder."""
    game, rng = Game(seed), random.Random(seed)
    after = rng.randrange(10, 60)
    seq, turn, since = 0, 1, 2
    while not game.is_over:
        if turn < game.state.turn:
            turn, since = game.state.turn, game.recording.game.version
        ready = not seq and game.recording.game.version >= after
        found = game.blunder(rng) if ready else None
        event = game.play(found or game.choice())
        seq = event.seq if found else seq
    if not seq:
        return None
    kept, began = Memory(), time.process_time()
    stages = Analyst(game.recording.events, kept).stages()
    next(stages)
    curve = time.process_time() - began
    marks = next(stages).marks
    whole = time.process_time() - began
    choices = {mark.seq for mark in marks if mark.cause == "skill"}
    events = game.recording.game.version
    # A seeded game that has ended cannot be undone, so play its last turn otherwise in another game with the same seed.
    other = Game(seed)
    for event in game.recording.events[other.recording.game.version : since]:
        other.recording.add(event.type, event.actor, **event.params)
    while not other.is_over:
        other.play(other.choice())
    began = time.process_time()
    Analyst(other.recording.events, kept).analyse()
    return Planted(seq in choices, len(choices - {seq}), events, curve, whole, time.process_time() - began)


def appends(settings: Settings) -> Iterator[Row]:
    """Compare the appends per second while two workers analyse a game with those of an idle service."""
    game = Game(0)
    while not game.is_over:
        game.play(game.choice())
    with serving("ours", settings.folder / "swings", FREE, "always", workers=1) as service:

        def load() -> float:
            games = deal(service, settings.seconds)
            clients = [chain.from_iterable(games) for _ in range(CLIENTS)]
            return drive(service.address, clients, settings.seconds).rate

        def meanwhile() -> float:
            # Without the playouts of the last round.
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


def rows(games: int, blunders: int) -> Iterator[Row]:
    """Measure, and yield the rows."""
    found = predictions(games)
    base = fmean(won for _, won in found)
    error = fmean((value - won) ** 2 for value, won in found)
    skill = 1 - error / max(1e-9, fmean((base - won) ** 2 for _, won in found))
    told = f"{RULESET}, {len(found)} games, turn {TURN}"
    yield Row(what=f"Brier skill, {told}", ours=f"{skill:.2f}", goal=at_least(skill, 0.2, ""), pinning=UNPINNED)
    for part in range(BINS):
        low, high = part / BINS, (part + 1) / BINS
        inside = [one for one in found if low <= one[0] < high or one[0] == high == 1]
        if inside:
            value, won = (fmean(each) for each in zip(*inside, strict=True))
            what = f"valued {low:.0%} to {high:.0%}: {len(inside)} games"
            yield Row(what=what, ours=f"{won:.0%} won", reference=f"{value:.0%}", pinning=UNPINNED)
    if not blunders:
        return
    results: list[Planted] = []
    seed = 0
    while len(results) < blunders:
        seed += 1
        result = planted(seed)
        if result is not None:
            results.append(result)
    count = len(results)
    hits = sum(result.is_marked for result in results)
    what = f"{len(results)} planted blunders, marked"
    yield Row(what=what, ours=f"{hits}", goal=at_least(hits / count, 0.8, ""), pinning=UNPINNED)
    each = sum(result.others for result in results) / count
    yield Row(what="other choices marked, per game", ours=f"{each:.2f}", goal=at_most(each, 1, ""), pinning=UNPINNED)
    events = fmean(result.events for result in results)
    # The time of the two workers of an analysis.
    for told, name, most in (
        ("curve", "the curve", 2 * CURVE_SECONDS),
        ("whole", "the whole analysis", 2 * WHOLE_SECONDS),
        ("again", "an analysis after the last turn changed", 2 * AGAIN_SECONDS),
    ):
        took = fmean(getattr(result, told) for result in results)
        what = f"{name}, {events:.0f} events, processor time"
        yield Row(what=what, ours=f"{took:.1f} s", goal=at_most(took, most, "s"), pinning=UNPINNED)


def measure(settings: Settings) -> Iterator[Row]:
    """Measure a tenth of the games of `python -m benchmarks.swings`, and the appends during an analysis."""
    yield from appends(settings)
    # Finding a blunder takes minutes.
    yield from rows(*((6, 0) if settings.quick else (100, 3)))


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--games", default=400, show_default=True, help="Games for the predictions.")
@click.option("--blunders", default=30, show_default=True, help="Blunders to plant.")
def main(games: int, blunders: int) -> None:
    """Measure, and print a table."""
    show(Console(), rows(games, blunders))


if __name__ == "__main__":
    main()
