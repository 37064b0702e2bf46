"""`python -m tests.soak`: run the service under load, hostile requests and kills, then check all stored data."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tests.ports import free_port
from tests.soak import plan as plans
from tests.soak import report
from tests.soak.checker import Checker
from tests.soak.client import Client, Setting
from tests.soak.hostile import Hostile
from tests.soak.killer import Killer
from tests.soak.ledger import Ledger
from tests.soak.listeners import Listener
from tests.soak.players import Club, Player
from tests.soak.service import Service, keep, make_folder

LISTENERS = 6
HOSTILE = 4
READY_SECONDS = 60.0
JOIN_SECONDS = 120.0
LATE_SECONDS = 60.0
"""Maximum seconds that a run continues after its time, until all planned kills are done."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True)
@click.option("--seed", type=int, default=None, help="Of the plan: what is killed when, and who plays what.")
@click.option("--clients", type=click.IntRange(min=1), default=12, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path("build/soak"))
def main(minutes: float, seed: int | None, clients: int, folder: Path) -> None:
    """Run, and print the report; the exit code is 1 if there is a fault."""
    plan = plans.make(int(time.time()) if seed is None else seed, minutes * 60, clients)
    place = make_folder()
    service = Service(("127.0.0.1", free_port()), place)
    try:
        result = soak(plan, service)
        silence = report.note_silence(result.ledger, result.kill_moments, result.played)
        told = report.text(result, silence)
        report.write(result, told, folder)
        keep(service, folder)
    finally:
        service.is_planned_down = True
        service.kill_leftovers()
        shutil.rmtree(place)
    click.echo(told, nl=False)
    if result.faults:
        click.echo(f"All of it is in {folder}.")
    sys.exit(1 if result.faults else 0)


def soak(plan: plans.Plan, service: Service) -> report.Result:
    """Carry out a plan, and check the stored data."""
    ledger, over, ended = Ledger(), threading.Event(), threading.Event()
    watcher = threading.Thread(target=service.watch, args=(ended,), name="watcher", daemon=True)
    killer = Killer(service, plan, ledger, over)
    service.start()
    threads = [*_crowd(plan, Setting(service.address, ledger, over)), killer]
    with _noting_breaks(ledger):
        try:
            for thread in [watcher, *threads]:
                thread.start()
            over.wait(plan.seconds)
            killer.is_through.wait(LATE_SECONDS)
            played = ledger.now
        finally:
            over.set()
            for thread in threads:
                thread.join(JOIN_SECONDS)
        for thread in threads:
            if thread.is_alive():
                ledger.fault("a client does not end", thread.name)
        _end(service, ledger)
        checker = _check_store(service, plan, ledger)
        ended.set()
        watcher.join()
    return report.Result(
        plan=plan,
        ledger=ledger,
        killed=killer.done,
        missed=killer.missed,
        kill_moments=killer.moments,
        deaths=service.unplanned_deaths(),
        processes=[*service.ended, *service.processes.values()],
        played=played,
        games=checker.games,
        events=checker.events,
        verdicts=checker.verdicts,
    )


@contextmanager
def _noting_breaks(ledger: Ledger) -> Iterator[None]:
    """Record an exception in any thread as a fault: the soak test has a defect, or cannot read an answer."""

    def note(args: threading.ExceptHookArgs) -> None:
        told = "".join(traceback.format_exception(args.exc_value)) if args.exc_value else repr(args.exc_type)
        ledger.fault("a client broke", f"{args.thread.name if args.thread else ''}: {told}")

    before, threading.excepthook = threading.excepthook, note
    try:
        yield
    finally:
        threading.excepthook = before


def _crowd(plan: plans.Plan, setting: Setting) -> list[threading.Thread]:
    club = Club()

    def named_threads(kind: type[Player | Listener | Hostile], name: str, count: int) -> list[threading.Thread]:
        names = [f"{name}-{number}" for number in range(1, count + 1)]
        return [kind(one, setting, club, plan.rng(one)) for one in names]

    return [
        *named_threads(Player, "player", plan.clients),
        *named_threads(Listener, "listener", LISTENERS),
        *named_threads(Hostile, "hostile", HOSTILE),
    ]


def _check_store(service: Service, plan: plans.Plan, ledger: Ledger) -> Checker:
    """Start the service again, check its stored data, and stop it."""
    service.start()
    client = Client(Setting(service.address, ledger, threading.Event()), plan.rng("checker"))
    checker = Checker(client, ledger)
    if client.is_ready(READY_SECONDS):
        checker.check()
    else:
        ledger.fault("not ready", f"{READY_SECONDS:.0f} s after it was started once more")
    client.close()
    _end(service, ledger)
    return checker


def _end(service: Service, ledger: Ledger) -> None:
    """Stop the service, and check that nothing is left of it."""
    if service.has_ended:
        ledger.fault("the service ended", f"exit code {service.exit_code}")
    elif (code := service.stop()) != 0:
        ledger.fault("does not stop", "it had to be killed" if code is None else f"exit code {code}")
    left = service.kill_leftovers()
    if left:
        ledger.fault("left behind", ", ".join(left))
    files = service.left_files()
    if files:
        ledger.fault("left behind", f"in the temporary folder: {', '.join(files)}")


if __name__ == "__main__":
    # On SIGTERM, stop the service that was started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    main()
