"""Measure how often and how fast planted slips are explained, and how many honest events are marked.

`python -m benchmarks.slips --games 10000` plants a slip in that many games of each ruleset. With `--slips 2`, slips of
two kinds follow each other closely in each game.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

import click

from benchmarks.measure import Settings
from benchmarks.report import Row, at_least, at_most, show
from engine.play import registry
from tests.slips import KINDS, Planted, plant_slips, planted_several


def measure(settings: Settings, games: int | None = None) -> Iterator[Row]:
    """Plant slips, and yield the results for every kind of slip in every ruleset."""
    count = (7 if settings.quick else 350) if games is None else games
    for rules in registry.rulesets():
        if rules.checks_rules:
            yield from _rows(rules.name, list(plant_slips(rules.id, count)))


def _rows_of_several(name: str, slips: Sequence[Planted]) -> Iterator[Row]:
    noticed = [one for one in slips if one.is_noticed]
    asked = [seconds for one in slips for seconds in one.asked] or [0.0]
    right, fair = (
        100 * sum(found) / max(1, len(noticed))
        for found in ([one.rank is not None for one in noticed], [one.is_fair for one in noticed])
    )
    slowest = 1000 * statistics.quantiles([*asked, *asked], n=20)[-1]
    what = f"several slips, {name}: {len(noticed)} games of {len(slips)} noticed"
    yield Row(
        what=f"{what}: all explained exactly", ours=f"{right:.1f} %", goal=at_least(right, 0, "%"), pinning="none"
    )
    yield Row(what=f"{what}: only slips marked", ours=f"{fair:.1f} %", goal=at_least(fair, 95, "%"), pinning="none")
    yield Row(
        what=f"{what}: processor time of a refusal, 95 of 100",
        ours=f"{slowest:.1f} ms",
        goal=at_most(slowest, 50, "ms"),
        pinning="none",
    )


def _rows(name: str, slips: Sequence[Planted]) -> Iterator[Row]:
    noticed = [one for one in slips if one.is_noticed]
    explained = [one for one in noticed if one.rank is not None]
    asked = [seconds for one in slips for seconds in one.asked] or [0.0]
    counts = Counter(one.kind for one in noticed)
    hits = Counter(one.kind for one in explained)
    share = ", ".join(f"{kind} {hits[kind]}/{counts[kind]}" for kind in KINDS if counts[kind])
    among = 100 * len(explained) / max(1, len(noticed))
    first = 100 * sum(one.rank == 0 for one in explained) / max(1, len(noticed))
    marks = sum(one.marks for one in explained)
    slowest = 1000 * statistics.quantiles([*asked, *asked], n=20)[-1]
    what = f"slips, {name}: {len(noticed)} noticed of {len(slips)} planted"
    for which, ours, goal in (
        (f"among three ({share})", f"{among:.1f} %", at_least(among, 95, "%")),
        ("first", f"{first:.1f} %", at_least(first, 80, "%")),
        ("honest events marked", str(marks), at_most(marks, 0, "")),
        ("processor time of a refusal, 95 of 100", f"{slowest:.1f} ms", at_most(slowest, 50, "ms")),
    ):
        yield Row(what=f"{what}: {which}", ours=ours, goal=goal, pinning="none")


@click.command()
@click.option("--games", default=350, help="For each ruleset.")
@click.option("--first", default=0, help="The first seed: costs were set on seeds below 10,000.")
@click.option("--only", help="One ruleset.")
@click.option("--slips", "several", default=1, help="The number of slips in a game.")
@click.option("--misses", is_flag=True, help="Print what was not explained.")
def main(games: int, first: int, only: str | None, several: int, misses: bool) -> None:  # noqa: FBT001  # click passes by name
    """Plant slips and print the results."""
    from rich.console import Console

    console = Console(width=200)
    for rules in registry.rulesets():
        if rules.checks_rules and only in {None, rules.id}:
            if several > 1:
                slips = list(planted_several(rules.id, several, games, first))
                rows = _rows_of_several(rules.name, slips)
            else:
                slips = list(plant_slips(rules.id, games, first))
                rows = _rows(rules.name, slips)
            for one in slips if misses else ():
                if one.is_noticed and (one.rank or one.rank is None or one.marks or not one.is_fair):
                    print(one.kind, "marks" if one.marks else "miss" if one.rank is None else "later", one.told)
            show(console, list(rows))


if __name__ == "__main__":
    main()
