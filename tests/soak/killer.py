"""The killer: kills or pauses service processes on a schedule, and restarts the service if all of it was killed."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter

from tests.soak.ledger import Ledger
from tests.soak.plan import STOPPED, Kill, Plan
from tests.soak.service import Service
from tests.waiting import wait_for_value

PATIENCE = 60.0
"""Seconds to wait for a victim, which may just be starting on a busy machine."""
ORPHANED = 5.0
"""Seconds within which the children of a killed supervisor must end."""


class Killer(threading.Thread):
    """Works through a plan, and keeps the supervisor alive."""

    def __init__(self, service: Service, plan: Plan, ledger: Ledger, over: threading.Event) -> None:
        super().__init__(name="killer", daemon=True)
        self.done: Counter[str] = Counter()
        """Number of kills by kind."""
        self.missed: Counter[str] = Counter()
        """Number of planned kills without a victim, by kind."""
        self.is_through = threading.Event()
        """Set when the plan is done."""
        self.moments: list[float] = []
        """Times of the kills, in seconds since the start of the run."""
        self._service = service
        self._plan = plan
        self._ledger = ledger
        self._over = over
        self._rng: random.Random = plan.rng("killer")

    def run(self) -> None:
        for kill in self._plan.kills:
            while not self._over.wait(0.05):
                self._revive()
                # A service that is killed while it starts reports that, and gives up.
                if self._ledger.now >= kill.at and self._service.is_up:
                    break
            if self._over.is_set():
                return
            is_done = self._kill(kill)
            (self.done if is_done else self.missed)[kill.kind] += 1
        self.is_through.set()
        while not self._over.wait(0.5):
            self._revive()

    def _revive(self) -> None:
        """If the whole service has ended by itself, record a fault and start it again."""
        if self._service.has_ended:
            self._ledger.fault("the service ended", f"exit code {self._service.exit_code}")
            self.moments.append(self._ledger.now)
            self._service.is_planned_down = True
            self._service.kill_leftovers()
            self._service.start()

    def _kill(self, kill: Kill) -> bool:
        victim = self._struck(kill.kind.removesuffix(STOPPED), signal.SIGSTOP if kill.seconds else signal.SIGKILL)
        if victim is None:
            return False
        self.moments.append(self._ledger.now)
        if kill.seconds:
            self._over.wait(kill.seconds)
            self._service.signal(victim, signal.SIGCONT)
            self.moments.append(self._ledger.now)
        if kill.kind == "supervisor":
            self._service.reap()
            self._bury()
            self._service.start()
            self.moments.append(self._ledger.now)
        return True

    def _struck(self, role: str, number: signal.Signals) -> int | None:
        """Send a signal to a process with this role, and return its id; try again if that process has just ended."""
        deadline = time.monotonic() + PATIENCE
        while not self._over.is_set() and time.monotonic() < deadline:
            found = self._service.of(role)
            victim = self._rng.choice(found).pid if found else None
            if victim is not None and self._service.signal(victim, number):
                return victim
            self._revive()
            self._over.wait(0.1)
        return None

    def _bury(self) -> None:
        """Check that no process outlives a killed supervisor."""
        if wait_for_value(self._is_empty, ORPHANED):
            return
        left = sorted(process.role or "process" for process in self._service.processes.values())
        self._ledger.fault("left behind by a killed supervisor", f"after {ORPHANED:.0f} s: {', '.join(left)}")

    def _is_empty(self) -> bool:
        self._service.look()
        return not self._service.processes
