"""`driftlog simulate` and `driftlog analyse`: let a computer player play and analyse games, without a service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cli.completing import rulesets
from cli.options import parse_options
from cli.terminal import InternalFault, Negative, WrongUsage, bar, columns, escape, out, print_text

if TYPE_CHECKING:
    from engine.kit.ruleset import AnyRuleset
    from engine.players.protocol import AnyPlayer
    from engine.players.training import Sample
    from engine.players.value import Valuer

PLAYERS = ("own", "search")
CHUNK = 4
"""Number of games that a process plays in one task."""


@click.command()
@click.argument("ruleset", shell_complete=rulesets)
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Games to play.")
@click.option("--players", type=click.IntRange(1, 8), help="The number of players.  [default: each that is possible]")
@click.option(
    "--player",
    type=click.Choice(PLAYERS),
    default=PLAYERS[0],
    show_default=True,
    help="The ruleset's own player, or a search that compares moves by playouts (better, but much slower).",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option("--seed", type=click.IntRange(0, 2**63), default=0, show_default=True, help="The seed of the games.")
@click.option(
    "--format", "format_", type=click.Choice(("table", "csv")), default="table", show_default=True, help="The output."
)
def simulate(
    ruleset: str, *, games: int, players: int | None, player: str, options: tuple[str, ...], seed: int, format_: str
) -> None:
    """Let a computer player play many games, and count the results by players and role.

    The same seed gives the same games everywhere. Intervals are for 95 %.
    """
    from engine.core.errors import Malformed, UnknownRuleset
    from engine.play import registry
    from engine.players.protocol import NotPlayable, PlayerFailed
    from engine.players.simulation import ResultRow
    from engine.players.simulation import simulate as play

    rows: list[ResultRow] = []
    try:
        given = parse_options(options)
        rules = registry.ruleset(ruleset)
        least, most = rules.players
        counts = range(least, most + 1) if players is None else (players,)
        valuer = _valuer(rules.at(given), player, seed)
        with bar(ruleset) as progress, _responsive(valuer.player) as again:
            done = 0
            for seats in counts:
                for row in play(valuer, given, seats, games):
                    again()
                    if row is not None:
                        rows.append(row)
                        continue
                    done += 1
                    progress.show(done, games * len(counts))
    except (Malformed, UnknownRuleset) as error:
        raise WrongUsage(str(error)) from None
    except NotPlayable as error:
        raise Negative(str(error)) from None
    except PlayerFailed as error:
        raise InternalFault(str(error)) from None
    names = [field.name for field in msgspec.structs.fields(ResultRow)]
    cells = [[_cell(value) for value in msgspec.structs.astuple(row)] for row in rows]
    if format_ == "csv":
        import csv
        import io

        lines = io.StringIO()
        csv.writer(lines, lineterminator="\n").writerows([names, *cells])
        print_text(lines.getvalue().rstrip())
        return
    table = columns(*(name.replace("_", " ").capitalize() for name in names))
    for line in cells:
        table.add_row(*map(escape, line))
    out().print(table)


def _valuer(rules: AnyRuleset, player: str, seed: int) -> Valuer:
    from engine.players.registry import player_of
    from engine.players.search import SearchPlayer
    from engine.players.value import Valuer

    own = player_of(rules)
    return Valuer(SearchPlayer(own, rules) if player == "search" else own, rules, seed)


@contextmanager
def _responsive(player: AnyPlayer) -> Iterator[Callable[[], None]]:
    """Stop a computer player that takes too long.

    Yield a function that restarts the clock. Each playout restarts the clock, too.
    """
    from engine.core import effort
    from engine.players.protocol import PlayerFailed
    from workers.limits import STUCK_SECONDS, Stuck, limit_time

    try:
        with limit_time(STUCK_SECONDS, Stuck) as again, effort.count_steps(again):
            yield again
    except Stuck:
        raise PlayerFailed(player, f"it exceeded the limit of {STUCK_SECONDS:.0f} seconds") from None


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


@click.group()
def players() -> None:
    """Train computer players."""


@players.command()
@click.argument("ruleset", shell_complete=rulesets)
@click.option("--games", type=click.IntRange(1, 1_000_000), default=2000, show_default=True, help="Games to play.")
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="The player, as in `simulate`."
)
@click.option("--seed", type=click.IntRange(0, 2**63), default=0, show_default=True, help="The seed of the games.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="The number of processes.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file.  [default: standard output]"
)
def train(ruleset: str, *, games: int, player: str, seed: int, processes: int, output: Path | None) -> None:
    """Write the weights that a player uses to estimate the chance to win from the features of a table.

    The weights are fitted to the results of games. The same arguments give the same weights, for any number of
    processes.
    """
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    from cli.files import save
    from engine.core.errors import UnknownRuleset
    from engine.play import registry
    from engine.players.protocol import NotPlayable
    from engine.players.training import fit_weights

    samples: list[Sample] = []
    try:
        _valuer(registry.ruleset(ruleset), player, seed)
        with bar(ruleset) as progress, ProcessPoolExecutor(processes) as pool:
            each = pool.map(partial(_samples, ruleset, player, seed), range(games), chunksize=CHUNK)
            for done, found in enumerate(each, 1):
                samples += found
                progress.show(done, games)
    except UnknownRuleset as error:
        raise WrongUsage(str(error)) from None
    except NotPlayable as error:
        raise Negative(str(error)) from None
    if not samples[0][0]:
        raise Negative(f"The computer player for {ruleset} declares no features, so there is nothing to train.")
    weights = msgspec.json.format(msgspec.json.encode(fit_weights(samples)), indent=2)
    save(iter([weights, b"\n"]), output)


def _samples(ruleset: str, player: str, seed: int, number: int) -> list[Sample]:
    """Return the samples of one game. Raise only errors that can be sent to another process."""
    from engine.play import registry
    from engine.players.protocol import PlayerFailed
    from engine.players.training import play_game

    valuer = _valuer(registry.ruleset(ruleset), player, seed)
    try:
        with _responsive(valuer.player):
            return play_game(valuer, number)
    except PlayerFailed as error:
        raise InternalFault(str(error)) from None


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the whole analysis as JSON.")
def analyse(file: str, *, as_json: bool) -> None:
    """Show the chance to win at each turn of an exported log, and the events that lowered it most.

    This needs no service. Use - for standard input. A computer player plays on from each turn many times.
    """
    from cli.files import read
    from engine.core.errors import EngineError, Malformed
    from engine.players.protocol import PlayerFailed
    from engine.review.swings import Analyst
    from exports import read_any

    try:
        data = read(file)
    except OSError as error:
        raise WrongUsage(f"{file} cannot be read: {error.strerror}") from None
    try:
        events = read_any(data)
    except Malformed as error:
        raise WrongUsage(f"{file} cannot be read: {error}") from None
    try:
        with bar(file) as progress:
            analyst = Analyst(events, advance=lambda done: progress.show(round(100 * done), 100))
            with _responsive(analyst.player):
                found = analyst.analyse()
    except PlayerFailed as error:
        raise InternalFault(str(error)) from None
    except EngineError as error:
        where = "" if error.seq is None else f"event {error.seq}: "
        raise Negative(f"{file} cannot be analysed: {where}{error}") from None
    if as_json:
        # Leave out skills, because only the player of a seat may show the skill of that seat.
        print_text(msgspec.json.encode(msgspec.structs.replace(found, skills=())).decode())
        return
    console, unit = out(), found.unit.capitalize()
    has_sides = len(found.sides) > 1
    table = columns(
        unit, *((*map(escape, analyst.sides()), "Draw") if has_sides else ("Chance to win", "95 % interval"))
    )
    for at, point in enumerate(found.points):
        value = point.value
        is_end = at > 0 and found.points[at - 1].turn == point.turn
        interval = f"{100 * value.low:.0f}–{100 * value.high:.0f} %" if value.n else ""
        cells = (
            [one.words for one in (*point.sides, point.draw) if one is not None]
            if has_sides
            else [value.words, interval]
        )
        table.add_row("End" if is_end else str(point.turn), *cells)
    console.print(table)
    for mark in found.marks:
        console.print(escape(f"{unit} {mark.turn}, event {mark.seq}: {mark.message}"))
