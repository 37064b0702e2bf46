"""The command line."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from api.client import DEFAULT_URL, Client
from api.settings import BadSetting, Settings
from api.terminal import Negative, Unavailable, WrongSetting, WrongUsage, bar, err, out

EPILOG = """
Exit codes: 0 done; 1 the answer is no (a log does not verify, an audit has findings, the service refuses); 2 wrong
usage (a --key that is no key, for one), or an audit of what is no log or is broken; 69 the service, its Redis or a
server binary is not there; 70 a fault of Driftlog; 73 a file cannot be written; 75 the port or the data folder is in
use; 78 a setting is wrong. The settings are environment variables: docs/settings.md.
"""

url_option = click.option("--url", default=DEFAULT_URL, show_default=True, help="The service to talk to.")
data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder.  [default: data]"
)
files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=True, allow_dash=True)
)


@contextmanager
def failing() -> Iterator[None]:
    """End the command with a line and a code where the settings or the store are at fault."""
    from store.errors import StoreError

    try:
        yield
    except BadSetting as error:
        raise WrongSetting(str(error)) from None
    except StoreError as error:
        raise Unavailable(str(error)) from None


@click.group(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="driftlog", prog_name="driftlog")
def main() -> None:
    """Record games that people play at a real table, replay and audit every turn, export the log."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")


@main.command()
@click.option("--host", help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0: any that is free.  [default: 8000]")
@data_option
@click.option("--workers", type=click.IntRange(0, 256), help="How many worker processes.  [default: 1]")
def serve(host: str | None, port: int | None, data: Path | None, workers: int | None) -> None:
    """Run the service: the API, its workers, and its own Redis unless DRIFTLOG_REDIS_URL names one.

    Ctrl-C or SIGTERM ends it; what was recorded is there when it starts again.
    """
    from api.serve import Running, serve

    def announce(running: Running) -> None:
        settings = running.settings
        console = out()
        console.print(f"[bold]Driftlog[/] {version('driftlog')} on [bold cyan]{running.url}[/]")
        console.print(f"Contract    {running.url}/docs")
        console.print(f"Data        {escape(str(settings.data.resolve()))}")
        console.print(f"Processes   {settings.processes} web, {settings.workers} worker")
        for warning in running.warnings:
            err().print(f"[yellow]Warning[/]     {escape(warning)}")

    with failing():
        serve(Settings.from_environment(host=host, port=port, data=data, workers=workers), announce)


@main.command()
@click.option("--count", type=click.IntRange(1, 256), default=1, show_default=True, help="How many worker processes.")
@data_option
def worker(count: int, data: Path | None) -> None:
    """Run more workers: for the Redis that the settings name, else for the service that runs on the data folder."""
    from api.serve import check_place, found
    from workers import dispatcher, runner
    from workers.supervisor import Supervisor

    with failing():
        given = Settings.from_environment(data=data)
        settings = found(given)
        urls = settings.redis_url, settings.queue_url
        out().print(f"{count} worker{'s' if count > 1 else ''}: waiting for jobs")
        supervisor = Supervisor([dispatcher.role(*urls), *runner.roles(count, *urls)])
        supervisor.run(lambda: check_place(given, settings))


@main.command()
@click.option("--url", help=f"The service to record at.  [default: {DEFAULT_URL} if it is there, else its own]")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.0, help="Seconds to pause after each turn.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="The folder for the transcript.  [default: the current one]",
)
@click.argument("scoresheet", type=click.Path(path_type=Path, dir_okay=False, exists=True), required=False)
def demo(url: str | None, pace: float, output: Path, scoresheet: Path | None) -> None:
    """Record a whole game as a table played it, show its turns, audit it and write its transcript.

    SCORESHEET is a game as a table wrote it down; by default the one of examples/.
    """
    from api import demo

    with demo.service(url) as client:
        is_clean = demo.record(client, scoresheet or demo.SCORESHEET, output, out(), pace)
    if not is_clean:
        sys.exit(Negative.exit_code)


@main.command()
@click.argument("game")
@click.option("--format", default="json", show_default=True, help="json, ndjson, csv, markdown, sheet or svg.")
@click.option("--viewer", help="What this seat could see, such as p2.  [default: what everyone could]")
@click.option("--until", type=click.IntRange(min=1), metavar="SEQ", help="As it was after this event.  [default: now]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [default: standard output]"
)
@click.option(
    "--proof",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file for the signed head; json has it in the log itself.",
)
@url_option
def export(game: str, output: Path | None, proof: Path | None, url: str, **asked: str | int | None) -> None:
    """Fetch the whole log of GAME as a file."""
    from api.files import fetch

    query = {name: str(value) for name, value in asked.items() if value is not None}
    fetch(Client(url), game, query, output, proof)


@main.command(name="import")
@files_argument
@url_option
def import_(files: tuple[str, ...], url: str) -> None:
    """Bring exported logs back as games; - is standard input.

    Every event is replayed and verified first. A bad file does not keep the others out, and the same file twice is the
    same game.
    """
    from api.files import bring, read

    client = Client(url)

    def judge(name: str) -> tuple[bool, str]:
        try:
            return True, bring(client, read(name))
        except Negative as refused:
            return False, refused.message

    _each(files, "imported", "REFUSED", judge)


@main.command()
@files_argument
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A key to trust: a file (PEM, JWK, or what /v1/keys answers), or the key's id. Then all has to be signed.",
)
@click.option("--proof", help="A file with the signed head of the game, as its /proof answers.")
def verify(files: tuple[str, ...], keys: tuple[str, ...], proof: str | None) -> None:
    """Judge exported logs: the signature, the chain, every rule, and the seed of a seeded game; - is standard input.

    It needs no service. The first event that was changed, removed, added or reordered is named. A bad file does not
    keep the others from being judged. A FILE can also be a consistency proof; --proof is then the older head.
    """
    from api.files import read
    from api.verifying import Evidence, check

    if proof is not None and len(files) > 1:
        raise WrongUsage("a proof is of one game: give one FILE with it")
    evidence = Evidence.gathered(keys, proof)

    def judge(name: str) -> tuple[bool, str]:
        data = read(name)
        with bar(name) as progress:
            checked = check(data, evidence, progress.show)
        return checked.is_sound, checked.account

    _each(files, "verified", "FAILS", judge)


@main.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--rules", metavar="VERSION", help="Compare with what this version of the rules says.")
@click.option("--json", "as_json", is_flag=True, help="The whole report, as JSON.")
def audit(file: str, rules: str | None, *, as_json: bool) -> None:
    """Audit an exported log: the chain, every rule, corrections, luck, and what else is to be known of it.

    It needs no service; - is standard input. Exit codes: 0 clean; 1 there are findings; 2 it is broken, or no log.
    """
    from api.audits import EXIT_CODES, examine, show
    from api.files import read

    try:
        data = read(file)
    except OSError as error:
        raise WrongUsage(f"{file} cannot be read: {error.strerror}") from None
    with bar(file) as progress:
        report = examine(data, rules, progress.show)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        show(file, report, out())
    sys.exit(EXIT_CODES[report.verdict])


def _each(files: tuple[str, ...], good: str, bad: str, judge: Callable[[str], tuple[bool, str]]) -> None:
    """Judge one file after the other, a line each; the exit code tells whether all are well."""
    console, failed = out(), False
    for name in files:
        try:
            is_good, account = judge(name)
        except OSError as error:
            is_good, account = False, f"it cannot be read: {error.strerror}"
        failed |= not is_good
        mark = f"[green]{good}[/]" if is_good else f"[bold red]{bad}[/]"
        console.print(f"{escape(name)}: {mark}: {escape(account)}")
    if failed:
        sys.exit(Negative.exit_code)


@main.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Drop the projections (lists, search, turns, snapshots) and make them again from the logs.

    The service may run meanwhile.
    """
    from contextlib import ExitStack

    from api.serve import reached
    from store import Store

    with failing(), ExitStack() as stack:
        settings = reached(Settings.from_environment(data=data), stack)
        store = Store.connect(settings.redis_url)
        with bar("games") as progress:
            failures = store.projections.rebuild(progress.show)
        out().print(f"{store.projections.count()} games projected")
    for game_id, reason in failures.items():
        err().print(f"[red]{game_id}[/]: {escape(reason)}")
    if failures:
        sys.exit(Negative.exit_code)


@main.group()
def keys() -> None:
    """The keys by which the service signs the heads of its records.

    They are kept in the service's Redis, and a private one never leaves it: not in an answer, and not in a log.
    """


@keys.command(name="list")
@data_option
@click.option("--json", "as_json", is_flag=True, help="As /v1/keys answers: a JWK set.")
def list_keys(data: Path | None, *, as_json: bool) -> None:
    """List the keys, oldest first; the last one signs.

    A key that is retired signs no more. What it signed stays valid, so keep it with the proofs.
    """
    from contextlib import ExitStack

    from api.proofs import key_set
    from api.serve import reached
    from store import Store

    with failing(), ExitStack() as stack:
        settings = reached(Settings.from_environment(data=data), stack)
        published = Store.connect(settings.redis_url).signing.published()
    if as_json:
        click.echo(json.dumps(key_set(published), indent=2))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Key", "Status", "Made", "Retired"):
        table.add_column(heading, no_wrap=True)
    for one in published:
        moments = ((moment or "")[:16].replace("T", " ") for moment in (one.created_at, one.retired_at))
        table.add_row(f"[cyan]{one.key.id}[/]", one.status, *moments)
    out().print(table)


@keys.command()
@data_option
def rotate(data: Path | None) -> None:
    """Sign by a new key from now on.

    The service may run meanwhile. The old key's private half is destroyed, its public half served for ever.
    """
    from contextlib import ExitStack

    from api.serve import reached
    from store import Store

    with failing(), ExitStack() as stack:
        settings = reached(Settings.from_environment(data=data), stack)
        now = Store.connect(settings.redis_url).signing.rotate()
    out().print(f"[cyan]{now.key.id}[/] signs from now on")


@main.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [default: standard output]"
)
def openapi(output: Path | None) -> None:
    """Write the contract (OpenAPI 3.1) from the code."""
    from api.app import create_app
    from api.files import save
    from api.openapi import as_yaml

    app = create_app(Settings(redis_url="redis://", queue_url="redis://"))
    save(iter([as_yaml(app.extensions["contract"]).encode()]), output)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="All of it, as JSON.")
def rulesets(*, as_json: bool) -> None:
    """List what can be recorded."""
    from api.rulesets import describe
    from engine import registry

    if as_json:
        click.echo(json.dumps({"rulesets": [describe(rules) for rules in registry.rulesets()]}, indent=2))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Ruleset", "Name", "Version", "Players", "Options", "Actions"):
        table.add_column(heading, no_wrap=True)
    for rules in registry.rulesets():
        least, most = rules.players
        counts = str(len(rules.options.__struct_fields__)), str(len(rules.actions))
        table.add_row(f"[cyan]{rules.id}[/]", rules.name, rules.version, f"{least}–{most}", *counts)
    out().print(table)


if __name__ == "__main__":
    main()
