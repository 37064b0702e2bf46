"""A guardian: ends a program, and removes a folder, when the process that needs them dies, however it dies.

What a process started lives on when that one is killed, and what it put into the temporary folder stays there. So a
program that is to end with us is started by this module run as a script, which forks and becomes the program: the fork
is its guardian. It waits at a pipe whose other end is ours, and which the system closes when we die; then it asks the
program to end, waits until it has, and removes the folder. It imports next to nothing, to be there at once.

    python guardian.py LIFELINE FOLDER [PROGRAM ARGUMENT…]

A byte that comes through the pipe dismisses the guardian: all stays as it is.
"""

from __future__ import annotations

import os
import select
import signal
import sys

PATIENCE = 30.0
"""Seconds that a program has to end after SIGTERM; then it is killed: whoever would ask it again is dead."""


def main(lifeline: int, folder: str, *command: str) -> None:
    """Become the program, guarded; without one guard the folder alone."""
    if not command:
        os.setsid()
        _guard(lifeline, folder, None, None)
        return
    # The program holds its own end for as long as it lives, and so do its forks.
    life, held = os.pipe()
    os.set_inheritable(held, True)  # noqa: FBT003  # its name cannot be given
    program = os.getpid()
    if os.fork() == 0:
        os.setsid()
        # Not a child of the program, which may look at its children.
        if os.fork() == 0:
            _guard(lifeline, folder, program, life)
        os._exit(0)
    os.wait()
    os.execv(command[0], command)  # noqa: S606  # what the caller asked for


def _guard(lifeline: int, folder: str, program: int | None, life: int | None) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever ends all that runs here ends us last.
        signal.signal(number, signal.SIG_IGN)
    _keep_only(lifeline, life)
    if os.read(lifeline, 1):
        return
    if program is not None and life is not None:
        _end(program, life)
    _remove(folder)


def _keep_only(*kept: int | None) -> None:
    """Close all else: a lock says that the program lives, and whoever reads what it prints waits for its end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    begin = 3
    for fd in sorted(fd for fd in kept if fd is not None):
        os.closerange(begin, fd)
        begin = fd + 1
    os.closerange(begin, os.sysconf("SC_OPEN_MAX"))


def _end(program: int, life: int) -> None:
    """End the program, if it lives."""
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
