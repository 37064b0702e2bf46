"""A parent and its children, for tests that kill them: `python -m tests.workers.family FOLDER IGNORED ROLE...`.

The parent first ignores exactly the signals IGNORED ("SIGHUP,SIGINT", or ""), even if it was started by nohup, which
ignores SIGHUP. Each start of a child creates a file `<role>-<life>` in the folder, with its process id; each end of one
creates `buried-<life>`. An "extra" child is needed while a file `needed` is in the folder, and ends when it is not. A
"called" child answers one connection to the socket `call` in the folder, and ends.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from functools import partial
from pathlib import Path

from workers.supervisor import STOPPING, ChildRole, Supervisor, stand_back


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text)
    part.rename(path)


def _answer(listener: socket.socket, _life: str) -> None:
    with listener.accept()[0] as caller:
        caller.sendall(str(os.getpid()).encode())


def _live(folder: Path, name: str, life: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN if name == "stubborn" else lambda *_: sys.exit())
    if name == "stubborn":
        signal.signal(signal.SIGINT, lambda *_: None)
    if name == "extra":
        stand_back(1)
    _write(folder / f"{name}-{life}", str(os.getpid()))
    while name == "extra" and _is_needed(folder):
        time.sleep(0.05)
    while name not in {"extra", "hasty"}:
        signal.pause()


def _bury(folder: Path, life: str) -> None:
    _write(folder / f"buried-{life}", "")


def _is_needed(folder: Path) -> bool:
    return (folder / "needed").exists()


def _role(folder: Path, name: str) -> ChildRole:
    if name == "called":
        listener = socket.create_server(str(folder / "call"), family=socket.AF_UNIX)
        return ChildRole(name, partial(_answer, listener), wakes=listener)
    is_needed = partial(_is_needed, folder) if name == "extra" else None
    return ChildRole(name, partial(_live, folder, name), partial(_bury, folder), is_needed)


def main(folder: Path, ignored: str, names: list[str]) -> None:
    """Run a child for each of `names`; a file `restart` in the folder makes the parent restart the first child."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN if number.name in ignored.split(",") else signal.SIG_DFL)
    # A child that ends on SIGTERM gets enough time on a busy machine; one that ignores it gets none.
    patience = 1.0 if "stubborn" in names else 60.0
    supervisor = Supervisor([_role(folder, name) for name in names], patience=patience)
    try:
        supervisor.start()
        while not supervisor.is_stopping:
            if (folder / "restart").exists() and supervisor.pid(names[0]) is not None:
                (folder / "restart").unlink()
                supervisor.restart(names[0])
            supervisor.wait(0.05)
            supervisor.mend()
    finally:
        supervisor.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
