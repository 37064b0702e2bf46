"""The command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from cli import (
    access,
    analysing,
    checking,
    completing,
    exporting,
    games,
    importing,
    operations,
    packages,
    recording,
    webhooks,
)
from cli.keys import keys
from cli.options import data_option, failing
from cli.output import Commands
from cli.remote import DEFAULT_URL
from cli.terminal import Negative, WrongUsage, columns, err, escape, out, print_text
from cli.witness.command import witness
from engine.core.text import visible

EPILOG = """
Exit codes: 0 success; 1 negative result (a log does not verify, an audit has findings, the service rejects the
request); 2 wrong usage, an unreadable file, an invalid --key or --proof, or an audit of a broken log; 69 the service,
its Redis or a server binary is unavailable; 70 internal error of Driftlog; 73 a file or standard output cannot be
written; 75 the port or data folder is in use; 78 a setting is invalid. Settings are environment variables:
docs/settings.md.
"""


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="driftlog", prog_name="driftlog")
def main() -> None:
    """Record board games played at a real table, then replay, audit and export every turn."""
    from telemetry import logs

    logs.begin("text", "warning")


@main.command()
@click.option("--host", help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 picks a free one.  [default: 8000]")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="An additional host name; can be repeated.")
@click.option("--public-url", metavar="URL", help="The public address, for example behind a proxy.")
@click.option("--certificate", metavar="FILE", help="Serve TLS with this certificate (PEM).")
@click.option("--key", metavar="FILE", help="The certificate's key (PEM).  [default: in the certificate's file]")
@data_option
@click.option("--workers", type=click.IntRange(0, 256), help="The number of workers.  [default: 2]")
@click.option("--open", "is_open", is_flag=True, help="Give everyone who can connect full access, without a token.")
@click.option("--lan", is_flag=True, help="Let phones on this network sign in; show a QR code for the first phone.")
def serve(data: Path | None, *, is_open: bool, lan: bool, **given: str | int | tuple[str, ...] | None) -> None:
    """Run the service: the API, its workers, and its own Redis unless DRIFTLOG_REDIS_URL names one.

    Stop it with Ctrl-C or SIGTERM. Recorded events are kept.
    """
    from importlib.metadata import version

    from api.plumbing.settings import Settings
    from cli.codes import is_shown
    from cli.lan import invite, settings_for
    from cli.serve import Running, serve
    from cli.serve import access as access_of
    from telemetry import logs

    def announce(running: Running) -> None:
        settings = running.settings
        is_invited = lan and is_shown()
        # Do not use the console of other commands here: its library would take 10 MB as long as the service runs.
        print_text(f"Driftlog {version('driftlog')} on {running.url}")
        if settings.public_url:
            print_text(f"Listens     on {settings.host}, port {settings.port}")
        print_text(f"Pages       {running.url}/ to open in a browser")
        print_text(f"Contract    {running.url}/docs")
        print_text(
            f"Access      {'by token: scan the code below with the first phone' if is_invited else access_of(running)}"
        )
        print_text(f"Data        {visible(str(settings.data.resolve()))}")
        print_text(
            f"Processes   {settings.processes} web, {settings.workers} worker{'' if settings.workers == 1 else 's'}"
        )
        for warning in running.warnings:
            err().print(f"[yellow]Warning[/]     {escape(warning)}")
        if lan:
            invite(running)

    if lan and is_open:
        raise WrongUsage("--lan requires tokens and --open does not: use only one of them")
    with failing():
        settings = Settings.from_environment(None, data=data, **given)
        logs.begin(settings.log, settings.log_level)
        serve(settings_for(settings) if lan else settings, announce, is_open=is_open, certifies=lan)


@main.command()
@click.option(
    "--count", type=click.IntRange(1, 256), default=1, show_default=True, help="The number of worker processes."
)
@data_option
def worker(count: int, data: Path | None) -> None:
    """Run more workers, for the configured Redis or for the service that uses the data folder."""
    from api.plumbing.settings import Settings
    from cli.archives import warn_of_archive
    from cli.servers import check_place, with_server_urls
    from telemetry import logs
    from workers import dispatcher, runner
    from workers.supervisor import Supervisor

    with failing():
        given = Settings.from_environment(data=data)
        logs.begin(given.log, given.log_level)
        settings = with_server_urls(given)
        urls = settings.redis_url, settings.queue_url
        warn_of_archive(settings)
        out().print(f"{count} worker{'s' if count > 1 else ''}: waiting for jobs")
        dispatching = dispatcher.role(*urls, settings.archive_after_days)
        supervisor = Supervisor([dispatching, *runner.roles(count, *urls, settings.archive_address)])
        supervisor.run(lambda: check_place(given, settings))


@main.command()
@click.option(
    "--url",
    help=f"The service to use.  [default: DRIFTLOG_URL, else the config file's, else {DEFAULT_URL} if it runs, "
    "else a temporary service]",
)
@click.option("--pace", type=click.FloatRange(0, 60), default=0.0, help="Seconds to pause after each turn.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="The folder for the transcript; created if missing.  [default: the current folder]",
)
@click.argument("scoresheet", type=click.Path(path_type=Path, dir_okay=False, exists=True), required=False)
def demo(url: str | None, pace: float, output: Path, scoresheet: Path | None) -> None:
    """Record a whole game from a scoresheet, show its turns, audit it and write its transcript.

    SCORESHEET is a file like those in examples/, with the requests that record a game.  [default: a game of
    Forbidden Island]
    """
    from cli import demo

    console = out()
    with demo.service(url, console) as client:
        is_clean = demo.record(client, scoresheet or demo.SCORESHEET, output, console, pace)
    if not is_clean:
        sys.exit(Negative.exit_code)


@main.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file.  [default: standard output]"
)
@click.option("--ruleset", metavar="ID", help="Include this ruleset's types of params, facts, options and state.")
def openapi(output: Path | None, ruleset: str | None) -> None:
    """Write the contract (OpenAPI 3.1) from the code."""
    from api.app import create_app
    from api.plumbing.openapi import as_yaml
    from api.plumbing.settings import Settings
    from cli.files import save
    from engine.core.errors import UnknownRuleset
    from engine.play import registry

    app = create_app(Settings(redis_url="redis://", queue_url="redis://"))
    try:
        rules = None if ruleset is None else registry.ruleset(ruleset)
    except UnknownRuleset as error:
        raise click.BadParameter(str(error), param_hint="--ruleset") from error
    save(iter([as_yaml(app.extensions["contract"], rules).encode()]), output)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print all details as JSON.")
def rulesets(*, as_json: bool) -> None:
    """List the games that can be recorded."""
    from api.library.rulesets import describe
    from engine.play import registry

    if as_json:
        left_out = [{"package": one.package, "reason": one.reason} for one in registry.not_loaded()]
        found = [describe(rules) for rules in registry.rulesets()]
        print_text(json.dumps({"rulesets": found, "not_loaded": left_out}, indent=2))
        return
    table = columns("Ruleset", "Name", "Version", "Players", "Options", "Actions")
    for rules in registry.rulesets():
        least, most = rules.players
        counts = str(len(rules.options.__struct_fields__)), str(len(rules.actions))
        table.add_row(f"[cyan]{rules.id}[/]", rules.name, rules.version, f"{least}–{most}", *counts)
    out().print(table)
    for one in registry.not_loaded():
        err().print(f"[yellow]Warning[/] {escape(one.line)}", soft_wrap=True)


for _command in (
    *(*games.COMMANDS, recording.record, webhooks.webhooks, completing.completion),
    *(packages.new_ruleset, packages.check_rules),
    *(exporting.export, exporting.export_games, importing.import_, checking.verify, checking.audit),
    *(analysing.simulate, analysing.analyse, analysing.players),
    *(*operations.COMMANDS, keys, witness, access.tokens, access.names, access.access_log),
):
    main.add_command(_command)


if __name__ == "__main__":
    main()
