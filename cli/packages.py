"""`driftlog new-ruleset` and `driftlog check-rules`: create a ruleset, and compare one with an oracle."""

from __future__ import annotations

import shlex
from itertools import cycle, islice
from pathlib import Path

import click

from cli.completing import rulesets
from cli.terminal import CannotWrite, Negative, WrongUsage, bar, print_text


@click.command(name="new-ruleset")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="A new or empty folder.  [default: NAME in the current folder]",
)
def new_ruleset(name: str, output: Path | None) -> None:
    """Create a package with a small, complete game and its tests, as a starting point for your own.

    NAME is in kebab case, such as sea-trade. The tutorial is docs/new-ruleset.md.
    """
    from driftlog.starter import BadName, write

    folder = output or Path(name)
    try:
        written = write(name, folder)
    except (BadName, FileExistsError) as error:
        raise WrongUsage(str(error)) from None
    except OSError as error:
        raise CannotWrite(f"{error.filename} cannot be written: {error.strerror}") from None
    for path in written:
        print_text(str(path))


@click.command(name="check-rules")
@click.argument("ruleset", shell_complete=rulesets)
@click.option("--against", metavar="ORACLE", required=True, help="The command that starts the oracle.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="Games to play.")
@click.option("--seed", type=click.IntRange(0, 2**63), default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--timeout", type=click.FloatRange(0.01, 3600), default=10, show_default=True, help="Seconds to wait for an answer."
)
def check_rules(ruleset: str, *, against: str, games: int, seed: int, timeout: float) -> None:
    """Play a ruleset in lock step with an oracle, an independent program with the same rules.

    After each step of each random game, both must list the same legal actions, possible results, odds and outcome.
    The first difference ends the command. The protocol is in docs/new-ruleset.md.
    """
    from driftlog.testing.oracle import Disagreement, Oracle, check
    from driftlog.testing.tables import each_choice, tables_of
    from engine.core.errors import UnknownRuleset
    from engine.play import registry

    try:
        rules = registry.ruleset(ruleset)
        tables = each_choice(tables_of(rules))
        oracle = Oracle(shlex.split(against), timeout)
    except (UnknownRuleset, ValueError) as error:
        raise WrongUsage(str(error)) from None
    except OSError as error:
        raise WrongUsage(f"{against!r} cannot be started: {error.strerror}") from None
    # The seed determines the setup, too, so that `--seed` repeats a game.
    chosen = islice(cycle(tables), seed % len(tables), None)
    steps = 0
    try:
        with oracle, bar(ruleset) as progress:
            for game, table in enumerate(islice(chosen, games)):
                steps += check(table, seed + game, oracle)
                progress.show(game + 1, games)
    except Disagreement as error:
        raise Negative(str(error)) from None
    print_text(f"{ruleset} {rules.version} agrees with the oracle: {games} games, {steps} steps.")
