"""Types into which many threads decode at once must be ready before the first thread starts. Each test runs in a new
process, because other tests have already used these types.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

EVERY_TYPE_IS_READY = """
import gc
import msgspec
import api.app
from engine.core.readiness import structs

def is_ready(kind):
    return any(type(known).__name__ == "StructInfo" for known in gc.get_referents(kind))

late = [kind for kind in structs() if not is_ready(kind)]
for kind in late:
    try:
        msgspec.json.Decoder(kind)
    except TypeError:
        continue
    sys.exit(f"{kind} was not ready")
"""
"""A process that has imported the service, and decoded nothing yet."""

ALL_THREADS_AT_ONCE = """
import threading
import msgspec
from engine.core import lifecycle
from engine.core.events import Draft, Header
from engine.play.registry import rulesets

sys.setswitchinterval(1e-6)
kinds = []
for rules in rulesets():
    kinds += [rules.state, rules.options, *rules.actions]
kinds += [*lifecycle.KINDS.values(), Header, Draft]
THREADS = 8
barrier = threading.Barrier(THREADS)

def read():
    for kind in kinds:
        barrier.wait()
        try:
            msgspec.convert(dict.fromkeys(kind.__struct_encode_fields__), kind)
        except msgspec.ValidationError:
            pass

threads = [threading.Thread(target=read) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
"""Each thread decodes into a type that no thread has used before."""


@pytest.mark.parametrize("program", [EVERY_TYPE_IS_READY, ALL_THREADS_AT_ONCE], ids=["every-type", "eight-threads"])
def test_types_are_ready_before_threads_begin(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys\n" + program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
