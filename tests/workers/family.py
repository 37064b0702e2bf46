"""A parent and its children, to be killed: `python -m tests.workers.family FOLDER IGNORED ROLE...`.

It begins by ignoring the signals IGNORED ("SIGHUP,SIGINT", or "") and no others: under nohup it would ignore one. Each
life of a child leaves a file `<role>-<life>` in the folder, with its process id; each burial `buried-<life>`.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from pathlib import Path

from workers.supervisor import STOPPING, Role, Supervisor


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text)
    part.rename(path)


def _live(folder: Path, name: str, life: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN if name == "stubborn" else lambda *_: sys.exit())
    if name == "stubborn":
        signal.signal(signal.SIGINT, lambda *_: None)
    _write(folder / f"{name}-{life}", str(os.getpid()))
    while name != "hasty":
        signal.pause()


def _bury(folder: Path, life: str) -> None:
    _write(folder / f"buried-{life}", "")


def main(folder: Path, ignored: str, names: list[str]) -> None:
    """Run a child for each of `names`; a file `restart` in the folder has the first started again."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN if number.name in ignored.split(",") else signal.SIG_DFL)
    # One that ends when it is asked has the time for it, on a busy machine as well; the other one has none of its own.
    patience = 1.0 if "stubborn" in names else 60.0
    supervisor = Supervisor(
        [Role(name, partial(_live, folder, name), partial(_bury, folder)) for name in names], patience=patience
    )
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
