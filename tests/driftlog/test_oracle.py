"""A ruleset in lock step with an oracle: Pig agrees, and each fault of an oracle is one sentence."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from driftlog.testing.oracle import Disagreement, Oracle, check
from driftlog.testing.tables import TableSetup
from engine.kit.ruleset import AnyRuleset
from tests.packages import install

ROOT = Path(__file__).parents[2]
PIG = (ROOT / "examples" / "pig" / "pig.py").read_text()
ORACLE = (ROOT / "examples" / "pig" / "oracle.py").read_text()
WHERE = r"pig at seed 0, step \d+ \(2 seats, options \{\}\), "

FAULTS = {
    "lists too much": (
        ORACLE.replace('["roll", "hold"] if self.points else ["roll"]', '["roll", "hold"]'),
        r'legal_actions: the ruleset answers \[\], the oracle answers \[{"actor": "p1", .*"type": "hold"}\]\.',
    ),
    "other odds": (
        ORACLE.replace('"1/6"', '"1/6" if face < 6 else "1/7"'),
        r'results .* \[\]: the ruleset answers \[{"p": "1/6", "value": 6}\], the oracle answers \[{"p": "1/7", .*}\]\.',
    ),
    "one draw too many": (
        ORACLE.replace("and not outcomes", "and len(outcomes) < 2"),
        r"results .* \[\d\]: the ruleset answers \[\], the oracle answers \[{.*}\]\.",
    ),
    "other end": (
        ORACLE.replace('"won"', '"lost"'),
        r'apply .*: the ruleset answers {"result": "won", .*}, the oracle answers {"result": "lost", .*}\.',
    ),
    "a float": (ORACLE.replace('"1/6"', "0.1667"), r"results .*, which does not fit the protocol\."),
    "an endless number": (ORACLE.replace('"1/6"', '"1e999999999"'), r"results .*, which does not fit the protocol\."),
    "no list": (ORACLE.replace('return {"actions"', 'return {"moves"'), r".*, which does not fit the protocol\."),
    "a crash": (ORACLE.replace("self.points +=", "self.pips +="), r"apply .*, the oracle ends with exit status 1\."),
    "bytes": (
        "import os; os.write(1, b'\\xff hello\\n'); input(); input()",
        r"open: .* the oracle answers \ufffd hello, which is not a JSON object\.",
    ),
    "words": ("input(); print('hello'); input()", r"open: .* the oracle answers hello, which is not a JSON object\."),
    "a number": ("input(); print('9' * 5000); input()", r"open: .* the oracle answers 9{600}…, which is not a JSON"),
    "half a line": ("input(); print('{}', end='')", r"open: .* the oracle's answer has no end of line: {}\."),
    "silence": (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])",
        r"open: the ruleset answers {}, the oracle does not answer within 2 seconds\.",
    ),
}  # fmt: skip


class PigTable(NamedTuple):
    """A table of Pig, which is not installed here."""

    ruleset: str
    seats: int
    options: dict[str, object]

    @property
    def rules(self) -> AnyRuleset:
        module: ModuleType = sys.modules["oracle_pig"]
        rules: AnyRuleset = module.PIG
        return rules


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> TableSetup:
    spec = spec_from_file_location("oracle_pig", ROOT / "examples" / "pig" / "pig.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "oracle_pig", module)
    spec.loader.exec_module(module)
    return PigTable("pig", 2, {})  # type: ignore[return-value]  # it has the members of a table


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_an_oracle_is_one_sentence(fault: str, table: TableSetup) -> None:
    source, sentence = FAULTS[fault]
    with (
        Oracle([sys.executable, "-c", source], timeout=2 if fault == "silence" else 60) as oracle,
        pytest.raises(Disagreement) as raised,
    ):
        check(table, 0, oracle)
    assert re.match(WHERE + sentence, str(raised.value)), str(raised.value)
    assert "\n" not in str(raised.value)


def test_pig_agrees_with_its_oracle(tmp_path: Path) -> None:
    install(tmp_path, {"pigs": PIG.replace("PIG = Pig()", "RULESETS = Pig()")})
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}

    def run_check(source: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "oracle.py").write_text(source)
        command = ["check-rules", "pig", "--games", "3", "--against", f"{sys.executable} {tmp_path / 'oracle.py'}"]
        return subprocess.run(
            [sys.executable, "-m", "cli.main", *command], env=env, capture_output=True, text=True, check=False
        )

    done = run_check(ORACLE)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"pig 1 agrees with the oracle: 3 games, \d{3,} steps\.\n", done.stdout)
    done = run_check(ORACLE.replace("[0] > 1", "[0] > 2"))
    assert done.returncode == 1
    assert re.search(r"pig at seed 0, step \d+ .*: the ruleset answers .*, the oracle answers .*\.\n$", done.stderr)
