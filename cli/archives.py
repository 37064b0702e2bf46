"""Check the archive's folder, for commands that move games into the archive."""

from __future__ import annotations

import os
from pathlib import Path

from rich.markup import escape

from api.plumbing.settings import Settings
from cli.servers import ARCHIVE_SECONDS
from cli.terminal import CannotWrite, err
from store import Store
from store.log.archive import Archive, owner_of, user


def check_owner(settings: Settings, archive: Archive) -> None:
    """Before games are moved, check that the service can read files that this process archives.

    A service with embedded servers runs as the owner of the data folder. With other servers its user is unknown.
    """
    folder = archive.folder
    if settings.redis_url or folder is None:
        return
    service, owner, writer = _owner(settings.data), _owner(folder), os.geteuid()
    whose = f"{user(service)}, who owns the data folder {settings.data}, could not read"
    if writer not in {0, service}:
        raise CannotWrite(f"{whose} files archived by {user(writer)}: run this command as {user(service)}")
    # The owner of the archive also owns files that root writes.
    if writer == 0 and owner != service:
        raise CannotWrite(
            f"{whose} the archive {folder}, which belongs to {user(owner)}: give it to {user(service)} with chown"
        )


def warn_of_archive(settings: Settings) -> None:
    """Warn on standard error if this process cannot use the archive that the settings name."""
    fault = Store.connect(settings.redis_url, settings.archive_address).archiving.fault_monitor.fault(ARCHIVE_SECONDS)
    if fault is not None:
        err().print(f"[yellow]Warning[/]     DRIFTLOG_ARCHIVE: {escape(fault)}")


def _owner(folder: Path) -> int:
    return owner_of(folder.absolute())[0]
