"""Training: the weights that a computer player uses to estimate the chance to win, fitted to the outcomes of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.kit.chance import Keyed, mix_bits
from engine.players.value import Valuer, logistic

RIDGE = 1.0
"""The strength that keeps weights small."""
STEPS = 12

Sample = tuple[Mapping[str, float], float]
"""The features of a table, and the reward of the seat whose turn it is."""


def play_game(valuer: Valuer, number: int) -> list[Sample]:
    """Play one game, and return a sample for the start of each turn.

    The number of players and all cards depend on the valuer's seed and on `number`.

    Raises:
        PlayerFailed: the player raised an error, or broke its protocol.
    """
    rules, player = valuer.rules, valuer.player
    least, most = rules.players
    seats = least + number % (most - least + 1)
    key = mix_bits(valuer.seed, number)
    chance = Keyed(key)
    chance.begin(0, ())
    state = rules.setup(rules.parse_options({}, seats), seats, chance)
    found = []
    while state.outcome is None:
        seat = rules.active(state)
        found.append((player.features(state, seat), seat))
        state = valuer.play(state, mix_bits(key, state.turn), chance, turns=1)
    return [(features, valuer.reward(state.outcome, seat)) for features, seat in found]


def fit_weights(samples: Sequence[Sample]) -> dict[str, float]:
    """Return the weights that predict the rewards best (logistic regression by Newton's method)."""
    names = sorted(samples[0][0])
    rows = [([features[name] for name in names], reward) for features, reward in samples]
    weights = [0.0] * len(names)
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        # The curvature is symmetric: only the part below the diagonal is summed.
        curve = [[0.0] * at + [RIDGE] for at in range(len(names))]
        for row, reward in rows:
            p = logistic(sum(map(float.__mul__, row, weights)))
            for at, feature in enumerate(row):
                if feature:
                    slope[at] += (reward - p) * feature
                    scale, line = p * (1 - p) * feature, curve[at]
                    for other in range(at + 1):
                        line[other] += scale * row[other]
        weights = [weight + step for weight, step in zip(weights, _solve(curve, slope), strict=True)]
    return {name: round(weight, 4) for name, weight in zip(names, weights, strict=True)}


def _solve(below: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations whose matrix is symmetric, by Gaussian elimination.

    Args:
        below: the lower triangle of the matrix, including the diagonal.
    """
    size = len(right)
    rows = [[below[max(at, to)][min(at, to)] for to in range(size)] + [right[at]] for at in range(size)]
    for at in range(size):
        for row in rows[at + 1 :]:
            factor = row[at] / rows[at][at]
            row[at:] = [value - factor * other for value, other in zip(row[at:], rows[at][at:], strict=True)]
    found: list[float] = []
    for at in reversed(range(size)):
        known = sum(map(float.__mul__, rows[at][at + 1 : size], reversed(found)))
        found.append((rows[at][size] - known) / rows[at][at])
    return found[::-1]
