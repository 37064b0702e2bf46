"""Commands for the operator of a service: backups, the archive, projections, and checks."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click
import msgspec

from cli.options import data_option, failing, one_by_one, opened_store
from cli.terminal import Negative, WrongUsage, bar, err, escape, out, print_text


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Keep the newest N backups in the folder FILE.")
@data_option
def backup(file: Path, keep: int | None, data: Path | None) -> None:
    """Write everything that cannot be rebuilt to the backup FILE.

    If FILE is a folder, the backup is a new file in it. The service can be running: each game is saved as it was at
    one moment. The file appears only once it is complete. Anyone who can read it can sign as this service and read the
    seeds of unfinished games, so it is created readable only by you. Exit code 1: damaged games were skipped, and no
    older backup was deleted.
    """
    from importlib.metadata import version

    from cli import backups
    from cli.access import note

    if keep is not None and not file.is_dir():
        raise WrongUsage("--keep needs a folder: choose a folder instead of a file")
    signal_ends()
    with opened_store(data) as store:
        note(store, "backup")
        with bar("games") as progress:
            path, made = backups.save(store, file, version("driftlog"), progress.show)
    sealed = made.sealed
    out().print(f"{escape(str(path))}: {sealed.games:,} games, {sealed.events:,} events, {path.stat().st_size:,} bytes")
    for game_id, reason in made.left_out.items():
        err().print(f"[red]{escape(game_id)}[/] is skipped: {escape(reason)}")
    if made.left_out:
        sys.exit(Negative.exit_code)
    if keep is not None:
        backups.prune(file, keep)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Only validate the file; needs no store.")
@click.option(
    "--key", "keys", multiple=True, help="A trusted key, as for verify: it must have sealed the file; can be repeated."
)
@data_option
def restore(file: Path, keys: tuple[str, ...], data: Path | None, *, check: bool) -> None:
    """Restore the backup FILE into a store without games: a new data folder, or the configured Redis.

    The whole file is validated first: every hash, and the seal. Everything is restored, or nothing. The service can be
    running. After the restore, it has the signing keys and links of the backup, and its workers rebuild lists and
    search within a minute. Exit code 1: the file or the store is not suitable, and nothing was changed.
    """
    from api.plumbing.settings import Settings
    from cli import backups

    signal_ends()
    with failing(), ExitStack() as stack, bar("events checked") as progress:
        contents = backups.bring(Settings.from_environment(data=data), stack, file, keys, progress, is_check=check)
    sealed = contents.sealed
    done = "is complete" if check else "is restored"
    out().print(
        f"{escape(str(file))} of {sealed.made_at} {done}: {sealed.games:,} games, {sealed.events:,} events, "
        f"sealed by [cyan]{contents.key.id}[/]"
    )


@click.command()
@click.option("--all", "is_all", is_flag=True, help="Replay every log instead of a random 100.")
@click.option("--mend", is_flag=True, help="Rebuild wrong projections and clean up after a restore.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@data_option
def doctor(data: Path | None, *, is_all: bool, mend: bool, as_json: bool) -> None:
    """Check the store. Each check prints a line: ok, warn or fail.

    It checks the server (durability, memory, disk), the rules and hash chains of the games, lists and indexes, and
    looks for orphaned keys. No log is changed. The service can be running. Exit code 1: a check failed.
    """
    from api.plumbing.settings import Settings
    from cli import doctor as examining
    from cli.servers import open_store

    signal_ends()
    with failing(), ExitStack() as stack:
        settings = Settings.from_environment(data=data)
        store = open_store(settings, stack)
        with bar("logs replayed") as progress:
            report = examining.examine(settings, store, is_all=is_all, mend=mend, progressed=progress.show)
    if as_json:
        print_text(msgspec.json.encode(report).decode())
    else:
        examining.show(report, out())
    if report.level == "fail":
        sys.exit(Negative.exit_code)


@click.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Rebuild the projections (lists, search, turns, snapshots) from the logs.

    The service can be running.
    """
    with opened_store(data) as store:
        with bar("games") as progress:
            failures = store.projections.rebuild(progress.show)
        out().print(f"{store.projections.count()} games projected")
    for game_id, reason in failures.items():
        err().print(f"[red]{game_id}[/]: {escape(reason)}")
    if failures:
        sys.exit(Negative.exit_code)


@click.command()
@data_option
@click.option("--restore", is_flag=True, help="Bring the logs back into Redis instead.")
@click.option("--tidy", is_flag=True, help="Also delete unused archive files of these games.")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
def archive(games: tuple[str, ...], data: Path | None, *, restore: bool, tidy: bool) -> None:
    """Move the logs of games out of Redis, into verified files (DRIFTLOG_ARCHIVE).

    You can read an archived game as before, but more slowly. An append moves its log back. The service can be running.

    Use --tidy only if no copy of this service uses the same archive.
    """
    from api.plumbing.settings import Settings
    from cli.archives import check_owner
    from cli.servers import open_store
    from store.errors import Corrupt, UnknownGame

    if restore and tidy:
        raise click.UsageError("--tidy cannot be used with --restore: omit one of them")
    with failing(), ExitStack() as stack:
        settings = Settings.from_environment(data=data)
        store = open_store(settings, stack)
        if not restore:
            check_owner(settings, store.archiving.archive)

        def judge(game_id: str) -> tuple[bool, str]:
            try:
                if restore:
                    is_moved = store.archiving.restore(game_id)
                    return True, "its log is in Redis" + ("" if is_moved else ", as before")
                is_moved = store.archive(game_id)
                told = f"{store.archiving.name(game_id)}{'' if is_moved else ', as before'}"
                return True, f"{told}; files deleted: {store.archiving.tidy(game_id)}" if tidy else told
            except (Corrupt, UnknownGame) as error:
                return False, str(error)

        one_by_one(games, "restored" if restore else "archived", "REFUSED", judge)


def signal_ends() -> None:
    """Handle SIGTERM like Ctrl-C, so that the command cleans up."""
    import signal

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


COMMANDS = (backup, restore, doctor, rebuild, archive)
