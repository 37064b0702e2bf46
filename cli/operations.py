"""The commands of whoever keeps the service running: backups, the archive, projections, and what is wrong with it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import click
import msgspec

from cli.options import data_option, failing, one_by_one
from cli.terminal import Negative, WrongUsage, bar, err, escape, out, tell


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Keep the newest N backups in the folder FILE.")
@data_option
def backup(file: Path, keep: int | None, data: Path | None) -> None:
    """Write all that cannot be made again into FILE, or into a file of this moment's name in the folder FILE.

    The service may run meanwhile: of each game it is what was recorded up to one moment. The file appears when it is
    whole. Whoever has it can sign as this service, and read the seeds of games that go on: it is readable by its owner
    alone. Exit code 1: damaged games are in no backup, and were left out; older backups then stay.
    """
    from importlib.metadata import version

    from api.plumbing.settings import Settings
    from cli import backups
    from cli.access import note
    from cli.servers import reached

    if keep is not None and not file.is_dir():
        raise WrongUsage("--keep is for a folder of backups")
    signal_ends()
    with failing(), ExitStack() as stack:
        store = reached(Settings.from_environment(data=data), stack)
        note(store, "backup")
        with bar("games") as progress:
            path, made = backups.save(store, file, version("driftlog"), progress.show)
    sealed = made.sealed
    out().print(f"{escape(str(path))}: {sealed.games:,} games, {sealed.events:,} events, {path.stat().st_size:,} bytes")
    for game_id, reason in made.left_out.items():
        err().print(f"[red]{escape(game_id)}[/] is left out: {escape(reason)}")
    if made.left_out:
        sys.exit(Negative.exit_code)
    if keep is not None:
        backups.prune(file, keep)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Only validate the file; needs no store.")
@click.option(
    "--key", "keys", multiple=True, help="A trusted key, as for verify; one of them must have sealed the file."
)
@data_option
def restore(file: Path, keys: tuple[str, ...], data: Path | None, *, check: bool) -> None:
    """Bring the backup FILE into a store without games: a new data folder, or the Redis that the settings name.

    The whole file is judged first: every event against its hash, and the seal. All of it is restored, or nothing. The
    service may run meanwhile; its signing keys and links are those of the backup afterwards. Lists and search are made
    by its workers, within a minute. Exit code 1: the file or the store is not fit for it, and nothing was changed.
    """
    from api.plumbing.settings import Settings
    from cli import backups

    signal_ends()
    with failing(), ExitStack() as stack, bar("events checked") as progress:
        contents = backups.bring(Settings.from_environment(data=data), stack, file, keys, progress, is_check=check)
    sealed = contents.sealed
    done = "is whole" if check else "is restored"
    out().print(
        f"{escape(str(file))} of {sealed.made_at} {done}: {sealed.games:,} games, {sealed.events:,} events, "
        f"sealed by [cyan]{contents.key.id}[/]"
    )


@click.command()
@click.option("--all", "is_all", is_flag=True, help="Replay every log instead of a random 100.")
@click.option("--mend", is_flag=True, help="Rebuild wrong projections and clean up after a restore.")
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON.")
@data_option
def doctor(data: Path | None, *, is_all: bool, mend: bool, as_json: bool) -> None:
    """Check the store: one line per check, ok, warn or fail.

    The server, how it keeps what it has, memory and disk; the rules and the chains of the games, lists and indexes
    against the logs, what belongs to nothing. No log is ever changed. The service may run meanwhile. Exit code 1: a
    check failed.
    """
    from api.plumbing.settings import Settings
    from cli import doctor as examining
    from cli.servers import reached

    signal_ends()
    with failing(), ExitStack() as stack:
        settings = Settings.from_environment(data=data)
        store = reached(settings, stack)
        with bar("logs replayed") as progress:
            report = examining.examine(settings, store, is_all=is_all, mend=mend, progressed=progress.show)
    if as_json:
        tell(msgspec.json.encode(report).decode())
    else:
        examining.show(report, out())
    if report.level == "fail":
        sys.exit(Negative.exit_code)


@click.command()
@data_option
def rebuild(data: Path | None) -> None:
    """Rebuild the projections (lists, search, turns, snapshots) from the logs.

    The service may run meanwhile.
    """
    from api.plumbing.settings import Settings
    from cli.servers import reached

    with failing(), ExitStack() as stack:
        store = reached(Settings.from_environment(data=data), stack)
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
@click.option("--tidy", is_flag=True, help="Also delete their unused files.")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
def archive(games: tuple[str, ...], data: Path | None, *, restore: bool, tidy: bool) -> None:
    """Move the logs of games out of Redis, into verified files (DRIFTLOG_ARCHIVE).

    An archived game is read as before, slower; whoever appends to it brings it back. The service may run meanwhile.

    --tidy is for an archive that no copy of this service has in use: a copy may need the files that are deleted.
    """
    from api.plumbing.settings import Settings
    from cli.archives import check_owner
    from cli.servers import reached
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

        one_by_one(games, "restored" if restore else "archived", "REFUSED", judge)


def signal_ends() -> None:
    """Have SIGTERM end the command as Ctrl-C does: what it began is tidied up."""
    import signal

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


COMMANDS = (backup, restore, doctor, rebuild, archive)
