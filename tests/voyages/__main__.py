"""Let sensible players sail The Bell Below, and print what came of it.

    python -m tests.voyages [--games N] [--players 3,4,5,6,7] [--error STARS] [--edition second]

The same arguments print the same table; without any, the one in docs/scenario-packs.md.
"""

from __future__ import annotations

import argparse
import sys

from tests.voyages.tally import row, sail, table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.voyages", description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="with each number of players")
    parser.add_argument("--players", type=lambda text: [int(one) for one in text.split(",")], default=[3, 4, 5, 6, 7])
    parser.add_argument("--error", type=float, default=0.0, help="how far players misjudge, in stars (a deviation)")
    parser.add_argument("--edition", choices=["second", "first"], default="second")
    given = parser.parse_args()
    rows = []
    for seats in given.players:
        voyages = [sail(seats, seed, {"edition": given.edition}, given.error) for seed in range(given.games)]
        rows.append(row(seats, voyages))
        sys.stderr.write(f"{seats} players: {given.games} games\n")
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main()
