"""The command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from api.settings import Settings
from cli import access, operations
from cli.client import DEFAULT_URL, Client
from cli.options import data_option, failing
from cli.terminal import Negative, WrongUsage, bar, err, out, tell
from telemetry import logs

EPILOG = """
Exit codes: 0 done; 1 the answer is no (a log does not verify, an audit has findings, the service refuses); 2 wrong
usage (for two: a --key that is no key, a --proof that is no proof), or an audit of what is no log or is broken; 69 the
service, its Redis or a server binary is not there; 70 a fault of Driftlog; 73 a file cannot be written; 75 the port or
the data folder is in use; 78 a setting is wrong. A reader who stops early, such as head, changes none of them. The
settings are environment variables: docs/settings.md.
"""

url_option = click.option("--url", default=DEFAULT_URL, show_default=True, help="The service to talk to.")
files_argument = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=True, allow_dash=True)
)


class FormatName(click.ParamType[str]):
    """The name of a format of logs. They are read when they are asked for: that takes as long as all the rest."""

    name = "format"

    @property
    def _choice(self) -> click.Choice[str]:
        from exports import FORMATS

        return click.Choice(list(FORMATS))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self._choice.get_metavar(param, ctx)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return self._choice.convert(value, param, ctx)


@click.group(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="driftlog", prog_name="driftlog")
def main() -> None:
    """Record games that people play at a real table, replay and audit every turn, export the log."""
    logs.begin("text", "warning")


@main.command()
@click.option("--host", help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0: any that is free.  [default: 8000]")
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="A name that it is known by besides; may be repeated."
)
@click.option("--public-url", metavar="URL", help="Where others find it, behind a proxy for one.")
@click.option("--certificate", metavar="FILE", help="Speak TLS by this certificate (PEM).")
@click.option("--key", metavar="FILE", help="Its key (PEM).  [default: in the file of the certificate]")
@data_option
@click.option("--workers", type=click.IntRange(0, 256), help="How many worker processes.  [default: 1]")
@click.option("--open", "is_open", is_flag=True, help="Let whoever reaches it do everything, without a token.")
@click.option("--lan", is_flag=True, help="Let the phones of this network in by token, the first by a QR code.")
def serve(data: Path | None, *, is_open: bool, lan: bool, **given: str | int | tuple[str, ...] | None) -> None:
    """Run the service: the API, its workers, and its own Redis unless DRIFTLOG_REDIS_URL names one.

    Ctrl-C or SIGTERM ends it; what was recorded is there when it starts again.
    """
    from cli.codes import is_shown
    from cli.lan import invite, settings_for
    from cli.serve import Running, serve
    from cli.serve import access as access_of

    def announce(running: Running) -> None:
        settings = running.settings
        console = out()
        console.print(f"[bold]Driftlog[/] {version('driftlog')} on [bold cyan]{running.url}[/]")
        if settings.public_url:
            console.print(f"Listens     on {escape(settings.host)}, port {settings.port}")
        console.print(f"Pages       {running.url}/ to open in a browser")
        console.print(f"Contract    {running.url}/docs")
        is_invited = lan and is_shown()
        console.print(
            f"Access      {'by token: the code below lets the first phone in' if is_invited else access_of(running)}"
        )
        console.print(f"Data        {escape(str(settings.data.resolve()))}")
        console.print(f"Processes   {settings.processes} web, {settings.workers} worker")
        for warning in running.warnings:
            err().print(f"[yellow]Warning[/]     {escape(warning)}")
        if lan:
            invite(running)

    if lan and is_open:
        raise WrongUsage("--lan lets in by token, and --open everybody: say one of them")
    with failing():
        settings = Settings.from_environment(None, data=data, **given)
        logs.begin(settings.log, settings.log_level)
        serve(settings_for(settings) if lan else settings, announce, is_open=is_open)


@main.command()
@click.option("--count", type=click.IntRange(1, 256), default=1, show_default=True, help="How many worker processes.")
@data_option
def worker(count: int, data: Path | None) -> None:
    """Run more workers: for the Redis that the settings name, else for the service that runs on the data folder."""
    from cli.archives import warn_of_archive
    from cli.serve import check_place, found
    from workers import dispatcher, runner
    from workers.supervisor import Supervisor

    with failing():
        given = Settings.from_environment(data=data)
        logs.begin(given.log, given.log_level)
        settings = found(given)
        urls = settings.redis_url, settings.queue_url
        warn_of_archive(settings)
        out().print(f"{count} worker{'s' if count > 1 else ''}: waiting for jobs")
        dispatching = dispatcher.role(*urls, settings.archive_after_days)
        supervisor = Supervisor([dispatching, *runner.roles(count, *urls, settings.archived)])
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
    from cli import demo

    console = out()
    with demo.service(url, console) as client:
        is_clean = demo.record(client, scoresheet or demo.SCORESHEET, output, console, pace)
    if not is_clean:
        sys.exit(Negative.exit_code)


@main.command()
@click.argument("game")
@click.option(
    "--format", type=FormatName(), default="json", show_default=True, help="How it is written: docs/formats.md."
)
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
    from cli.files import fetch

    query = {name: str(value) for name, value in asked.items() if value is not None}
    fetch(Client(url), game, query, output, proof)


@main.command(name="export-games")
@click.option(
    "--format", type=FormatName(), default="json", show_default=True, help="How each is written: docs/formats.md."
)
@click.option("--ruleset", metavar="ID", help="Only games of this ruleset.")
@click.option(
    "--status", type=click.Choice(["setup", "in_progress", "finished", "abandoned"]), help="Only games that are so far."
)
@click.option("--player", metavar="NAME", help="Only games in which somebody of that name plays.")
@click.option("--tag", help="Only games with this tag.")
@click.option("--from", metavar="TIME", help="Only games opened then or later (RFC 3339).")
@click.option("--to", metavar="TIME", help="Only games opened before that.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The zip to write."
)
@url_option
def export_games(output: Path, url: str, **order: str | None) -> None:
    """Fetch many games in one zip: a file each, or, as sqlite and parquet, all in the same."""
    from cli.files import fetch_many

    fetch_many(Client(url), {name: value for name, value in order.items() if value is not None}, output)


@main.command(name="import")
@files_argument
@click.option(
    "--format",
    "format_",
    type=click.Choice(["json", "ndjson", "notation", "csv", "xlsx", "scoresheet"]),
    help="What the files are: docs/formats.md.  [default: as each looks]",
)
@url_option
def import_(files: tuple[str, ...], format_: str | None, url: str) -> None:
    """Bring exported logs back as games; - is standard input.

    Every event is replayed and verified first. A bad file does not keep the others out, and the same file twice is the
    same game. A game that was written by hand, as a text or in a sheet (docs/notation.md), becomes a new record; lines
    of which something is missing, or not by the rules, are named. So does a scoresheet, such as examples/ has.
    """
    from cli.files import bring, read

    client = Client(url)

    def judge(name: str) -> tuple[bool, str]:
        try:
            ids, doubts = bring(client, read(name), format_)
            for doubt in doubts:
                err().print(escape(f"{name}, {doubt}"), soft_wrap=True)
            return True, ", ".join(ids)
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
    keep the others from being judged. A FILE can also be a consistency proof; --proof is then the older head. What the
    service answers of a game that was deleted is a FILE, too, and a --proof that a log was that game's.
    """
    from cli.files import read
    from cli.verifying import Evidence, check

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
    from cli.audits import EXIT_CODES, examine, show
    from cli.files import read

    try:
        data = read(file)
    except OSError as error:
        raise WrongUsage(f"{file} cannot be read: {error.strerror}") from None
    with bar(file) as progress:
        report = examine(data, rules, progress.show)
    if as_json:
        tell(msgspec.json.encode(report).decode())
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

    from cli.serve import reached

    with failing(), ExitStack() as stack:
        store = reached(Settings.from_environment(data=data), stack)
        with bar("games") as progress:
            failures = store.projections.rebuild(progress.show)
        out().print(f"{store.projections.count()} games projected")
    for game_id, reason in failures.items():
        err().print(f"[red]{game_id}[/]: {escape(reason)}")
    if failures:
        sys.exit(Negative.exit_code)


@main.command()
@data_option
@click.option("--restore", is_flag=True, help="Bring the logs back into Redis instead.")
@click.option("--tidy", is_flag=True, help="Delete their files that are not in use any more, too.")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
def archive(games: tuple[str, ...], data: Path | None, *, restore: bool, tidy: bool) -> None:
    """Move the logs of games out of Redis, into verified files (DRIFTLOG_ARCHIVE).

    An archived game is read as before, slower; whoever appends to it brings it back. The service may run meanwhile.

    --tidy is for an archive that no copy of this service has in use: a copy may need the files that are deleted.
    """
    from contextlib import ExitStack

    from cli.archives import check_owner
    from cli.serve import reached
    from store.errors import Damaged, UnknownGame

    if restore and tidy:
        raise click.UsageError("--tidy is for games that are archived: leave --restore out")
    with failing(), ExitStack() as stack:
        settings = Settings.from_environment(data=data)
        store = reached(settings, stack)
        if not restore:
            check_owner(settings, store.archiving.archive)

        def judge(game_id: str) -> tuple[bool, str]:
            try:
                if restore:
                    is_moved = store.archiving.restore(game_id)
                    return True, "its log is in Redis" + ("" if is_moved else ", as it was")
                is_moved = store.archive(game_id)
                told = f"{store.archiving.name(game_id)}{'' if is_moved else ', as it was'}"
                return True, f"{told}; files deleted: {store.archiving.tidy(game_id)}" if tidy else told
            except (Damaged, UnknownGame) as error:
                return False, str(error)

        _each(games, "restored" if restore else "archived", "REFUSED", judge)


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
    from cli.serve import reached

    with failing(), ExitStack() as stack:
        published = reached(Settings.from_environment(data=data), stack).signing.published()
    if as_json:
        tell(json.dumps(key_set(published), indent=2))
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

    from cli.serve import reached

    with failing(), ExitStack() as stack:
        now = reached(Settings.from_environment(data=data), stack).signing.rotate()
    out().print(f"[cyan]{now.key.id}[/] signs from now on")


@main.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file.  [default: standard output]"
)
def openapi(output: Path | None) -> None:
    """Write the contract (OpenAPI 3.1) from the code."""
    from api.app import create_app
    from api.openapi import as_yaml
    from cli.files import save

    app = create_app(Settings(redis_url="redis://", queue_url="redis://"))
    save(iter([as_yaml(app.extensions["contract"]).encode()]), output)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="All of it, as JSON.")
def rulesets(*, as_json: bool) -> None:
    """List what can be recorded."""
    from api.rulesets import describe
    from engine.play import registry

    if as_json:
        tell(json.dumps({"rulesets": [describe(rules) for rules in registry.rulesets()]}, indent=2))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Ruleset", "Name", "Version", "Players", "Options", "Actions"):
        table.add_column(heading, no_wrap=True)
    for rules in registry.rulesets():
        least, most = rules.players
        counts = str(len(rules.options.__struct_fields__)), str(len(rules.actions))
        table.add_row(f"[cyan]{rules.id}[/]", rules.name, rules.version, f"{least}–{most}", *counts)
    out().print(table)


for _command in (*operations.COMMANDS, access.tokens, access.names, access.access_log):
    main.add_command(_command)


if __name__ == "__main__":
    main()
