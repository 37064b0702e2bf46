"""The archive's folder, as commands on a service's data find it."""

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
    """Hold that the service can read what this process archives, before anything is moved.

    A service with embedded servers runs as the user whose its data folder is; of another nothing is known.

    Raises:
        CannotWrite: it could not.
        ArchiveUnavailable: nobody can tell.
    """
    folder = archive.folder
    if settings.redis_url or folder is None:
        return
    service, owner, writer = _owner(settings.data), _owner(folder), os.geteuid()
    whose = f"{user(service)}, whose the data folder {settings.data} is, could not read"
    if writer not in {0, service}:
        raise CannotWrite(f"{whose} what {user(writer)} archives: run this as {user(service)}")
    # What root archives belongs to whose the archive is.
    if writer == 0 and owner != service:
        raise CannotWrite(f"{whose} the archive {folder}, which is {user(owner)}'s: chown it")


def warn_of_archive(settings: Settings) -> None:
    """Say on standard error where the archive cannot be used from here; `settings` have the address of the events."""
    fault = Store.connect(settings.redis_url, settings.archived).archiving.aside.fault(ARCHIVE_SECONDS)
    if fault is not None:
        err().print(f"[yellow]Warning[/]     DRIFTLOG_ARCHIVE: {escape(fault)}")


def _owner(folder: Path) -> int:
    return owner_of(folder.absolute())[0]
