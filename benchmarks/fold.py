"""Measure the fold of decoded events, with every rule checked.

The reference is python-chess, which also checks every move.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

import chess

from benchmarks.games import RecordedGame, keen_games
from benchmarks.measure import Settings, pin, rate, side_by_side
from benchmarks.report import Row, at_least
from engine.play import registry
from engine.play.fold import History
from engine.play.game import parse_header

GOALS = {
    "forbidden-island": 2.5,
    "forbidden-island-archaens": 2.5,
    "forbidden-desert": 2.2,
    "forever-island": 3.0,
    "forgotten-waters": 2.0,
}
"""Ratio to reach for each ruleset."""


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the fold of every ruleset, and python-chess, in processor time. Neither of them waits for anything."""
    moves = chess_games(2 if settings.quick else 40)
    for rules in (one for one in registry.rulesets() if "seeded" in one.sources):
        games = keen_games(rules.id, 2 if settings.quick else 40)
        with pin(0):
            pair = side_by_side(
                partial(rate, folding(games), settings.seconds, time.process_time),
                partial(rate, partial(push, moves), settings.seconds, time.process_time),
                settings.rounds,
            )
        lengths = sorted(len(game.events) for game in games)
        yield Row(
            what=f"fold, {rules.name}: {len(games)} games of {lengths[0]}–{lengths[-1]} events",
            ours=f"{pair.ours:,.0f}/s",
            reference=f"{pair.reference:,.0f}/s push_uci",
            ratio=pair.ratio,
            goal=at_least(pair.ratio, GOALS[rules.id]) if rules.id in GOALS else None,
            pinning="core 0",
        )


def folding(games: tuple[RecordedGame, ...]) -> Callable[[], int]:
    """Return a function that folds all `games` and returns the number of events."""
    logs = [(parse_header(game.events[0]), game.events[1:]) for game in games]
    events = sum(len(game.events) for game in games)

    def fold_all() -> int:
        for header, entries in logs:
            History(header).fold(entries)
        return events

    return fold_all


def chess_games(count: int) -> list[list[str]]:
    """Return legal games of up to 100 half-moves. Every other move is a capture, if a capture is possible."""
    rng = random.Random(0)
    games = []
    for _ in range(count):
        board = chess.Board()
        moves: list[str] = []
        while len(moves) < 100 and not board.is_game_over():
            captures = list(board.generate_legal_captures()) if rng.random() < 0.5 else []
            move = rng.choice(captures or list(board.legal_moves))
            board.push(move)
            moves.append(move.uci())
        games.append(moves)
    return games


def push(games: list[list[str]]) -> int:
    """Play `games` with `push_uci`, and return the number of half-moves."""
    for moves in games:
        push_uci = chess.Board().push_uci
        for move in moves:
            push_uci(move)
    return sum(map(len, games))
