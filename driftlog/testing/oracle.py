"""Play a ruleset in lock step with the oracle, an independent implementation of the same rules.

The oracle is a program that reads a request as one line of JSON, and answers with one line of JSON (see the authors'
docs, docs/new-ruleset.md). After each step, both must list the same legal actions, the same possible results with the
same odds, and the same outcome.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from threading import Timer
from typing import Any, Self, TypeVar

import msgspec

from driftlog.testing.play import LONGEST, policy
from driftlog.testing.tables import TableSetup
from engine.core.lifecycle import SET_UP
from engine.core.values import SEAT_IDS, ChancePoint, State, Value, fraction
from engine.kit.chance import Chance, Sampled, Weighed

V = TypeVar("V", bound=Value)
LONGEST_LINE = 1 << 22
"""Maximum length of an answer, in bytes."""
SHOWN = 600
"""Maximum length of an answer in a message."""
_FRACTION = re.compile("[0-9]{1,18}(/[0-9]{1,18})?")


class Disagreement(Exception):
    """The oracle and the ruleset disagree, or the oracle gives no valid answer."""


class Oracle:
    """A running oracle. Use it as a context manager."""

    def __init__(self, command: Sequence[str], timeout: float = 10) -> None:
        """Start the oracle.

        Args:
            timeout: the maximum number of seconds for an answer.

        Raises:
            OSError: the program cannot be started.
        """
        self._timeout, self._is_late = timeout, False
        # A process group of its own makes it possible to end the oracle with its children, which could hold the pipe
        # open.
        self._process = subprocess.Popen(  # noqa: S603  # it is the caller's command
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and return the answer.

        Raises:
            Disagreement: the oracle gives no answer, or an answer that is not a JSON object.
        """
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        late = Timer(self._timeout, self._expire)
        late.start()
        line = b""
        try:
            sink.write(msgspec.json.encode(request) + b"\n")
            sink.flush()
            line = source.readline(LONGEST_LINE)
        except OSError:
            # The oracle has ended. The missing answer is reported below.
            pass
        finally:
            late.cancel()
        if not line.endswith(b"\n"):
            raise Disagreement(self._failure(line))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Disagreement(f"the oracle answers {_answer_text(line)}, which is not a JSON object")
        return answer

    def _failure(self, line: bytes) -> str:
        if self._is_late:
            return f"the oracle does not answer within {self._timeout:g} seconds"
        if line:
            return f"the oracle's answer has no end of line: {_answer_text(line)}"
        with suppress(subprocess.TimeoutExpired):
            return f"the oracle ends with exit status {self._process.wait(1)}"
        return "the oracle closes its output"

    def _expire(self) -> None:
        self._is_late = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


def check(table: TableSetup, seed: int, oracle: Oracle) -> int:
    """Play a random game in lock step with the oracle, and return the number of steps.

    Raises:
        Disagreement: the two disagree; the message names the seed and the step.
    """
    return _Game(table, seed, oracle).play()


class _Game:
    def __init__(self, table: TableSetup, seed: int, oracle: Oracle) -> None:
        self._table, self._seed, self._oracle, self._rules = table, seed, oracle, table.rules
        self._rng = random.Random(f"{table} {seed}")  # noqa: S311  # it plays
        self._step = 0

    def play(self) -> int:
        table, rules, choose = self._table, self._rules, policy(self._rng)
        opening = {"version": rules.version, "seats": table.seats, "options": table.options}
        self._compare({}, "open", lambda answer: answer, ruleset=rules.id, **opening)
        options = rules.parse_options(table.options, table.seats)
        state = self._apply(
            {"type": SET_UP, "actor": None, "params": {}}, lambda chance: rules.setup(options, table.seats, chance)
        )
        while True:
            legal = {_key(_action(one)): one for one in rules.legal_actions(state)}
            self._compare(sorted(legal), "legal_actions", lambda answer: sorted(map(_key, answer["actions"])))
            if not legal or self._step == LONGEST:
                return self._step
            one = choose(list(legal.values()))
            self._step += 1
            state = self._apply(_action(one), partial(one.action.apply, state, one.seat))

    def _apply(self, action: dict[str, Any], run: Callable[[Chance], State]) -> State:
        chance = _ComparingChance(self._rng, lambda drawn, point: self._compare_results(action, drawn, point))
        chance.begin(2, ())
        state = run(chance)
        outcomes = list(chance.finish())
        self._compare_results(action, outcomes, None)
        outcome = state.outcome
        mine = None if outcome is None else _ending(outcome.result, outcome.winners)
        self._compare(mine, "apply", _outcome, action=action, outcomes=outcomes)
        return state

    def _compare_results(self, action: dict[str, Any], drawn: list[Value | None], point: ChancePoint | None) -> None:
        odds = {} if point is None else point.probabilities()
        is_estimate = point is not None and point.odds == "about"

        def result(value: Any, p: Fraction) -> str:
            return _key({"value": value} if is_estimate else {"value": value, "p": fraction(p)})

        def read(answer: dict[str, Any]) -> list[str]:
            return sorted(result(one["value"], _probability(one["p"])) for one in answer["results"])

        mine = sorted(result(value, p) for value, p in odds.items())
        self._compare(mine, "results", read, action=action, outcomes=drawn)

    def _compare(self, mine: Any, do: str, read: Callable[[dict[str, Any]], Any], **request: Any) -> None:
        answer: Any = None
        try:
            answer = self._oracle.ask(do=do, **request)
            theirs = read(answer)
        except Disagreement as error:
            said = str(error)
        except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError):
            said = f"the oracle answers {_answer_text(answer)}, which does not fit the protocol"
        else:
            if mine == theirs or do == "open":
                return
            said = f"the oracle answers {_answer_text(_only(theirs, mine))}"
            mine = _only(mine, theirs)
        table = self._table
        where = f"seed {self._seed}, step {self._step} ({table.seats} seats, options {_answer_text(table.options)})"
        asked = " ".join([do, *(_answer_text(request[name]) for name in ("action", "outcomes") if name in request)])
        raise Disagreement(f"{table.ruleset} at {where}, {asked}: the ruleset answers {_answer_text(mine)}, {said}.")


class _ComparingChance(Sampled):
    """Chance that draws at random, after it has compared the possible results with the oracle's."""

    def __init__(self, rng: random.Random, compare: Callable[[list[Value | None], ChancePoint], None]) -> None:
        super().__init__(rng)
        self._compare = compare

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        odds = options.odds if isinstance(options, Weighed) else "counted"
        self._compare(list(self._drawn), ChancePoint(name, len(self._drawn), tuple(options), odds=odds))
        return super().draw(name, options, matters)


def _action(legal: Any) -> dict[str, Any]:
    params = msgspec.to_builtins(legal.action)
    return {"type": legal.action.type, "actor": SEAT_IDS[legal.seat], "params": params}


def _key(document: Any) -> str:
    return json.dumps(msgspec.to_builtins(document), sort_keys=True)


def _outcome(answer: dict[str, Any]) -> Any:
    found = answer["outcome"]
    return None if found is None else _ending(found["result"], found["winners"])


def _ending(result: Any, winners: Sequence[Any]) -> dict[str, Any]:
    return {"result": result, "winners": sorted(winners)}


def _probability(given: Any) -> Fraction:
    if not isinstance(given, str) or not _FRACTION.fullmatch(given):
        raise ValueError("a probability must be a string such as '1/6'")
    return Fraction(given)


def _only(one: Any, other: Any) -> Any:
    """Return the entries of `one` whose count differs in `other`. Return `one` unchanged unless both are lists."""
    if not isinstance(one, list) or not isinstance(other, list):
        return one
    return [json.loads(entry) for entry in one if one.count(entry) != other.count(entry)]


def _answer_text(answer: Any) -> str:
    text = answer.decode(errors="replace").rstrip("\n") if isinstance(answer, bytes) else json.dumps(answer)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
