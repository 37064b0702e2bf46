"""Let players sail The Bell Below, and print the results.

    python -m tests.voyages [--games N] [--players 3,4,5,6,7] [--difficulty deckhands] [--error STARS]
                            [--edition third] [--seeds fresh]

The same arguments print the same table. By default, players see only the names and guide symbols of effects. With
`--error`, they know the text, and misjudge it (STARS is the standard deviation). The table in README.md uses the seeds
`fresh`.
"""

from __future__ import annotations

import argparse
import sys
from typing import get_args

from engine.games.forgotten_waters.scenario.packs import Edition
from engine.games.forgotten_waters.state import DIFFICULTIES
from tests.voyages.tally import FRESH, TUNING, row, sail, table

SEEDS = {"fresh": FRESH, "tuning": TUNING}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.voyages", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="with each number of players")
    parser.add_argument("--players", type=lambda text: [int(one) for one in text.split(",")], default=[3, 4, 5, 6, 7])
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="deckhands")
    parser.add_argument(
        "--error", type=float, help="players know the text, and misjudge it: the standard deviation in stars"
    )
    parser.add_argument("--edition", choices=get_args(Edition), default="third")
    parser.add_argument("--seeds", choices=SEEDS, default="fresh")
    given = parser.parse_args()
    options = {"edition": given.edition, "difficulty": given.difficulty}
    rows = []
    for seats in given.players:
        voyages = [sail(seats, seed, options, given.error, SEEDS[given.seeds]) for seed in range(given.games)]
        rows.append(row(seats, voyages))
        sys.stderr.write(f"{' | '.join(rows[-1])}\n")
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main()
