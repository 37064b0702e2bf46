"""The checker: reads all logs from the restarted service, and compares them with the ledger."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError
from engine.core.events import GENESIS, Event, event_hash
from engine.play.game import parse_header
from proofs import consistency
from tests.soak.client import Client, Lost
from tests.soak.hostile import SEATS
from tests.soak.ledger import Heard, Ledger, Write, shorten
from tests.waiting import wait_for_value

PAGE = 1000
LISTED_SECONDS = 60.0
"""Seconds within which the list must follow the logs."""
AUDIT_SECONDS = 300.0
POLL_SECONDS = 0.05
LIST_POLL_SECONDS = 0.5
REPEATED = 300
"""Number of writes that are repeated after the restart."""
FOLDED = ("", "/state", "/actions", "/story")
EXPECTED = frozenset({"illegal_action", "impossible_outcome", "missing_outcome", "drawn_again", "adjusted"})
"""Findings caused by players: broken events after an amend, redraws, and a seeded table changed by hand."""


def chain_faults(path: str, events: Sequence[Event]) -> list[str]:
    """Return the faults of a log on its own: wrong numbers, links or hashes. Masked events have no hash to check."""
    found = []
    try:
        header = parse_header(events[0])
        masked = consistency.masked_events(header.ruleset, header.ruleset_version, events)
    except (IndexError, EngineError) as error:
        return [f"{path} does not begin: {error}"]
    before = GENESIS
    for seq, event in enumerate(events, 1):
        if event.seq != seq:
            found.append(f"{path}: event {event.seq} stands where {seq} should")
        if event.prev != before:
            found.append(f"{path}: event {seq} is not chained to the one before it")
        if seq not in masked and event_hash(event) != event.hash:
            found.append(f"{path}: event {seq} does not have its hash")
        before = event.hash
    return found


def fate_faults(writes: Iterable[Write], logs: Mapping[str, Sequence[Event]]) -> list[tuple[str, str]]:
    """Return the appends whose events in the logs differ from their answers, each with the kind of fault.

    Args:
        logs: the logs by the path of their appends.
    """
    found: list[tuple[str, str]] = []
    brought = {path: _by_key(log) for path, log in logs.items()}
    for write in writes:
        if write.kind != "append" or write.path not in logs:
            continue
        noted = {write.note(index): index for index in range(write.drafts)}
        standing = brought[write.path].get(write.key, [])
        places = [noted[event.note] for event in standing if event.note in noted]
        if len(places) != len(set(places)):
            found.append(("done twice", f"{write.path} {write.key}: {places}"))
        elif places != list(range(len(places))):
            found.append(("done in part", f"{write.path} {write.key}: {places} of {write.drafts}"))
        if write.fate == "acknowledged":
            found += _check_acknowledged(write, logs[write.path], standing)
        elif write.fate == "refused" and standing:
            found.append(("refused but appended", f"{write.path} {write.key}: {write.refusal}"))
    return found


def _check_acknowledged(write: Write, log: Sequence[Event], standing: Sequence[Event]) -> list[tuple[str, str]]:
    assert write.answer is not None
    told = [(event["seq"], event["hash"]) for event in write.answer["events"]]
    there = {(event.seq, event.hash) for event in log}
    stopped = write.answer.get("stopped")
    count = write.drafts if stopped is None else stopped["index"]
    found = [
        ("acknowledged and lost", f"{write.path} {write.key}: event {seq} {hash_}")
        for seq, hash_ in told
        if (seq, hash_) not in there
    ]
    noted = sum((event["note"] or "").startswith(f"{write.key}#") for event in write.answer["events"])
    if noted != count:
        found.append(("answered in part", f"{write.path} {write.key}: {noted} events, not {count}"))
    told_of = {seq for seq, _ in told}
    found += [
        ("done twice", f"{write.path} {write.key}: event {event.seq} was not in its answer")
        for event in standing
        if event.seq not in told_of
    ]
    return found


def _by_key(log: Iterable[Event]) -> dict[str, list[Event]]:
    """Return the events of a log by the key of the write that appended them."""
    found: dict[str, list[Event]] = defaultdict(list)
    for event in log:
        if event.note is not None:
            found[event.note.rpartition("#")[0]].append(event)
    return found


def heard_faults(heard: Iterable[Heard], logs: Mapping[str, Sequence[Event]]) -> list[str]:
    """Return the differences between received events and the logs; each event must arrive once and in order."""
    found = []
    for one in heard:
        log = logs.get(f"{one.path}/events", ())
        seqs = [seq for seq, _ in one.events]
        if seqs != list(range(1, len(seqs) + 1)):
            found.append(f"{one.path}: heard {_first_jump(seqs)}")
        elif len(seqs) > len(log) or any(hash_ != log[seq - 1].hash for seq, hash_ in one.events):
            found.append(f"{one.path}: heard what is not in the log")
    return found


def _first_jump(seqs: Sequence[int]) -> str:
    for place, seq in enumerate(seqs, 1):
        if seq != place:
            return f"event {seq} where {place} was next"
    return "all"


def opening_faults(writes: Sequence[Write], listed: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the listed games that nobody requested or that exist twice, and the missing games."""
    openings = [write for write in writes if write.kind != "append"]
    asked = {write.answer["id"]: write for write in openings if write.answer is not None}
    ids = {game["id"] for game in listed}
    found = [
        ("acknowledged and lost", f"{write.kind} {write.key}: game {id_}")
        for id_, write in asked.items()
        if id_ not in ids
    ]
    unsure = {write.key.lower() for write in openings if write.fate == "unknown" and write.kind != "import"}
    strangers = []
    for game in listed:
        if game["id"] not in asked and not _is_nobodys(game):
            keys = unsure.intersection(game["tags"])
            unsure -= keys
            if not keys:
                strangers.append(game["id"])
    # An import has the tags of the original log, so imports can only be counted.
    imports = sum(write.kind == "import" and write.fate == "unknown" for write in openings)
    if len(strangers) > imports:
        found.append(("opened unasked", f"{len(strangers)} games, {imports} of them may be imports: {strangers[:5]}"))
    return found


def _is_nobodys(game: dict[str, Any]) -> bool:
    return bool(game["seats"][0]["name"] == SEATS[0]["name"])


class Checker:
    """Checks the restarted service."""

    def __init__(self, client: Client, ledger: Ledger) -> None:
        self._client = client
        self._ledger = ledger
        self.games = 0
        self.events = 0
        self.verdicts: Counter[str] = Counter()

    def check(self) -> None:
        """Check all data, and record faults in the ledger."""
        ledger = self._ledger
        self._follow(write for write in ledger.writes if write.job)
        opened_ids = [write.answer["id"] for write in ledger.writes if write.kind != "append" and write.answer]
        logs = {f"/v1/games/{id_}/events": self._log(id_) for id_ in dict.fromkeys(opened_ids)}
        logs = {path: log for path, log in logs.items() if log}
        self.games, self.events = len(logs), sum(map(len, logs.values()))
        for path, log in logs.items():
            self._note("the chain does not hold", chain_faults(path, log))
        for kind, what in fate_faults(ledger.writes, logs):
            ledger.fault(kind, what)
        self._note("a listener heard otherwise", heard_faults(ledger.heard, logs))
        paths = [path.removesuffix("/events") for path in logs]
        for path in paths:
            for part in FOLDED:
                self._get(path + part)
        for kind, what in opening_faults(ledger.writes, self._wait_for_games(set(opened_ids))):
            ledger.fault(kind, what)
        self._repeat()
        self._audit(paths)

    def _follow(self, promised: Iterable[Write]) -> None:
        """Wait for the games that a 202 promised."""
        deadline = time.monotonic() + AUDIT_SECONDS
        for write in promised:
            job = self._wait_for_job(write.job, deadline)
            if job is not None and job["status"] == "done":
                write.answer = {"id": job["result"]["game"]}
            else:
                self._ledger.fault("promised and not done", f"{write.kind} {write.key}: {shorten(job)}")

    def _note(self, kind: str, found: Iterable[str]) -> None:
        for what in found:
            self._ledger.fault(kind, what)

    def _get(self, path: str) -> Any:
        answer = self._client.read(path)
        return None if answer is None else answer.document

    def _log(self, game_id: str) -> list[Event]:
        events: list[Event] = []
        while True:
            page = self._get(f"/v1/games/{game_id}/events?after={len(events)}&limit={PAGE}")
            if page is None:
                return events
            events += msgspec.convert(page["events"], list[Event])
            if len(events) >= page["version"] or not page["events"]:
                return events

    def _wait_for_job(self, location: str, deadline: float) -> Any:
        """Return the document of a job once it has ended, or at the `deadline`; None if it cannot be read."""
        job = None

        def is_over() -> bool:
            nonlocal job
            job = self._get(location)
            return job is None or job["status"] not in {"queued", "running"}

        wait_for_value(is_over, deadline - time.monotonic(), POLL_SECONDS)
        return job

    def _wait_for_games(self, wanted: set[str]) -> list[dict[str, Any]]:
        """Return all games in the list, once it has the `wanted` ones."""
        games: list[dict[str, Any]] = []

        def has_all() -> bool:
            nonlocal games
            games = self._list()
            return wanted <= {game["id"] for game in games}

        wait_for_value(has_all, LISTED_SECONDS, LIST_POLL_SECONDS)
        return games

    def _list(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = []
        query = "?limit=200"
        while query:
            page = self._get(f"/v1/games{query}")
            if page is None:
                break
            games += page["games"]
            query = f"?limit=200&cursor={page['next_cursor']}" if page["next_cursor"] else ""
        return games

    def _repeat(self) -> None:
        """Repeat acknowledged writes: the answer must be the first one, also after a restart."""
        done = [write for write in self._ledger.writes if write.kind == "append" and write.body and write.answer]
        step = max(1, len(done) // REPEATED)
        for write in done[::step]:
            self._client.write(write, write.body, if_match=write.if_match)

    def _audit(self, paths: Iterable[str]) -> None:
        """Let the service's workers audit every game."""
        ordered = {}
        for path in paths:
            answer = self._order(f"{path}/audits")
            if answer is not None:
                ordered[path] = answer
        deadline = time.monotonic() + AUDIT_SECONDS
        for path, location in ordered.items():
            self._judge(path, self._wait_for_job(location, deadline))

    def _order(self, path: str) -> str | None:
        try:
            answer = self._client.ask("POST", path)
        except Lost as error:
            self._ledger.fault("no audit", f"{path}: {error}")
            return None
        if answer.status != 202:
            self._ledger.fault("no audit", f"{path}: {answer.status} {shorten(answer.body)}")
            return None
        return answer.headers["Location"]

    def _judge(self, path: str, report: Any) -> None:
        if report is None or report["status"] != "done":
            self._ledger.fault("no audit", f"{path}: {report and (report['status'], report['error'])}")
            return
        self.verdicts[report["verdict"]] += 1
        findings = [finding for finding in report["findings"] if finding["kind"] not in EXPECTED]
        if report["verdict"] == "broken" or findings:
            self._ledger.fault("an audit finds", f"{path}: {report['verdict']} {shorten(json.dumps(findings))}")
