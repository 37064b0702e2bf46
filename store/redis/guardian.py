"""A guardian: when a process dies for any reason, stop the program that it started and remove its temporary folder.

If a process is killed, the programs that it started and its temporary files would remain. So start such a program with
this module, as a script: it forks, and then becomes the program. The fork is the guardian, which waits on a pipe. The
starting process holds the other end of the pipe, which the system closes when that process dies. Then the guardian asks
the program to stop, waits for its end, and removes the folder. This module imports very little, so that it starts fast.

python guardian.py LIFELINE FOLDER PROGRAM [ARGUMENT…]

A byte through the pipe dismisses the guardian. It then ends without stopping the program or removing the folder.
"""

from __future__ import annotations

import os
import select
import signal
import sys

PATIENCE = 30.0
"""Seconds between SIGTERM and SIGKILL for a program whose owner is dead."""


def main(lifeline: int, folder: str, *command: str) -> None:
    """Replace this process with the program, and fork a guardian for it."""
    # The program and its forks keep this end of the pipe open while they are alive.
    life, held = os.pipe()
    os.set_inheritable(held, True)  # noqa: FBT003  # its name cannot be given
    program = os.getpid()
    if os.fork() == 0:
        os.setsid()
        # Fork twice. The guardian must not be a child of the program, because the program may inspect its children.
        if os.fork() == 0:
            _guard(lifeline, folder, program, life)
        os._exit(0)
    os.wait()
    os.execv(command[0], command)  # noqa: S606  # what the caller asked for


def _guard(lifeline: int, folder: str, program: int, life: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Ignore the signals of a shutdown, so that this process ends last.
        signal.signal(number, signal.SIG_IGN)
    _keep_only(lifeline, life)
    if os.read(lifeline, 1):
        return
    _end(program, life)
    _remove(folder)


def _keep_only(*kept: int) -> None:
    """Close all other descriptors.

    An open descriptor would keep a lock, as if the program were alive, and readers of the program's output would wait
    for more.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    begin = 3
    for fd in sorted(kept):
        os.closerange(begin, fd)
        begin = fd + 1
    os.closerange(begin, os.sysconf("SC_OPEN_MAX"))


def _end(program: int, life: int) -> None:
    for number, seconds in ((0, 0.0), (signal.SIGTERM, PATIENCE), (signal.SIGKILL, PATIENCE)):
        if number:
            try:
                os.kill(program, number)
            except ProcessLookupError:
                return
        if select.select([life], [], [], seconds)[0]:
            return


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
