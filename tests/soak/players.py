"""Players: each plays games alone and with others, only through the REST API; some also correct, fork or export."""

from __future__ import annotations

import itertools
import random
import threading
from typing import Any

import msgspec

from tests.soak.client import LATER, Client, Lost, Setting
from tests.soak.ledger import Write, shorten

RULESETS = {
    "forbidden-island": (2, 4),
    "forbidden-island-archaens": (2, 4),
    "forbidden-desert": (2, 5),
    "forever-island": (2, 6),
    "forgotten-waters": (3, 7),
}
"""Minimum and maximum number of players of each ruleset."""
NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus")
READABLE = {"json": "application/json", "ndjson": "application/x-ndjson"}
FORMATS = (*READABLE, "csv", "markdown", "sheet", "draws", "svg")
READS = ("", "/state", "/story", "/turns", "/events?limit=100", "/proof", "/notes", "/board.svg")
SHARED = 4
"""Number of games that all players share."""
LONGEST = 300
"""Events after which a game is abandoned, so that a long run plays many."""
PAUSE = 0.04
"""Maximum seconds that a player thinks."""
MOST_OUTCOMES = 200
NEVER = 1_000_000
"""A version that no game reaches."""


class Table(msgspec.Struct):
    """A game that somebody plays."""

    id: str
    chance: str
    is_shared: bool = False

    @property
    def path(self) -> str:
        """The path of the game."""
        return f"/v1/games/{self.id}"


class Club:
    """The shared games, and the games that listeners may follow."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shared: list[Table] = []
        self.tables: list[Table] = []

    def shared_game(self, rng: random.Random) -> Table | None:
        """Return a shared game; None if another one should be opened."""
        with self._lock:
            return rng.choice(self._shared) if len(self._shared) >= SHARED else None

    def add(self, table: Table) -> None:
        """Add a game that was opened."""
        with self._lock:
            self.tables.append(table)
            if table.is_shared:
                self._shared.append(table)

    def drop(self, table: Table) -> None:
        """Remove a game from the shared games."""
        with self._lock:
            if table in self._shared:
                self._shared.remove(table)


class Player(threading.Thread):
    """A client that plays."""

    def __init__(self, name: str, setting: Setting, club: Club, rng: random.Random) -> None:
        super().__init__(name=name, daemon=True)
        self._client = Client(setting, rng)
        self._ledger = setting.ledger
        self._over = setting.over
        self._club = club
        self._rng = rng
        self._own: Table | None = None
        self._keys = (f"{name}-{number}" for number in itertools.count())
        self._log: tuple[str, bytes] | None = None
        self._ways = {
            self._act: 60,
            self._list: 8,
            self._undo: 6,
            self._amend: 3,
            self._adjust: 2,
            self._annotate: 6,
            self._dry_run: 4,
            self._read: 8,
            self._export: 2,
            self._fork: 0.5,
            self._import: 0.5,
            self._audit: 1,
            self._print: 0.5,
            self._share: 0.5,
        }

    def run(self) -> None:
        while not self._over.wait(self._rng.uniform(0, PAUSE)):
            table = self._table()
            if table is not None:
                (way,) = self._rng.choices(list(self._ways), list(self._ways.values()))
                way(table)
        self._client.close()

    def _table(self) -> Table | None:
        if self._rng.random() < 0.4:
            return self._club.shared_game(self._rng) or self._open(is_shared=True)
        if self._own is None:
            self._own = self._open(is_shared=False)
        return self._own

    def _leave(self, table: Table) -> None:
        self._club.drop(table)
        if table is self._own:
            self._own = None

    def _open(self, *, is_shared: bool) -> Table | None:
        rng = self._rng
        ruleset = rng.choice(list(RULESETS))
        chance = rng.choice(["seeded", "observed"])
        write = self._ledger.write(Write("open", next(self._keys), "/v1/games"))
        seats = [{"name": name} for name in NAMES[: rng.randint(*RULESETS[ruleset])]]
        answer = self._client.write(
            write, {"ruleset": ruleset, "seats": seats, "chance": chance, "tags": [write.key.lower()]}
        )
        return self._opened(answer, chance, is_shared=is_shared)

    def _opened(self, answer: Any, chance: str, *, is_shared: bool) -> Table | None:
        if answer is None or answer.status != 201:
            return None
        table = Table(answer.document["id"], chance, is_shared)
        self._club.add(table)
        return table

    def _append(self, table: Table, *drafts: dict[str, Any], version: int | None = None) -> Any:
        """Append the drafts; sometimes repeat the request."""
        write = Write("append", next(self._keys), f"{table.path}/events", len(drafts))
        self._ledger.write(write)
        noted = [draft | {"note": write.note(index)} for index, draft in enumerate(drafts)]
        body = noted[0] if len(noted) == 1 else noted
        answer = self._client.write(write, body, if_match=version)
        if answer is None or answer.status >= 500:
            self._leave(table)
        elif answer.status == 201 and self._rng.random() < 0.1:
            self._client.write(write, body, if_match=version)
        return answer

    def _offer(self, table: Table) -> tuple[dict[str, Any], int] | None:
        """Return a legal action as a draft, and the version; None if the game is over."""
        answer = self._client.read(f"{table.path}/actions")
        if answer is None:
            return None
        document = answer.document
        actions = document["actions"]
        if not actions or document["version"] > LONGEST:
            if actions and document["version"] > 2:
                self._append(table, {"type": "abandon", "params": {"reason": "It has become late."}})
            self._leave(table)
            return None
        kind = self._rng.choice(sorted({action["type"] for action in actions}))
        action = self._rng.choice([action for action in actions if action["type"] == kind])
        draft = {name: action[name] for name in ("type", "actor", "params")}
        if table.chance == "observed":
            draft["outcomes"] = [self._came_up(point) for point in action.get("chance", [])]
        return draft, document["version"]

    def _came_up(self, point: dict[str, Any]) -> Any:
        return self._rng.choice(point["outcomes"])["value"]

    def _act(self, table: Table) -> None:
        offered = self._offer(table)
        if offered is None:
            return
        draft, version = offered
        if draft["type"] == "set_up" and not self._seen(table, draft):
            return
        at = version if self._rng.random() < 0.15 else None
        for _ in range(MOST_OUTCOMES):
            answer = self._append(table, draft, version=at)
            if answer is None or not self._more_came_up(answer, draft):
                break
        if answer is not None and answer.status == 422 and not table.is_shared:
            self._ledger.fault("a legal action refused", f"{table.path} {draft} → {shorten(answer.body)}")

    def _seen(self, table: Table, draft: dict[str, Any]) -> bool:
        """Set up a game result by result, with dry runs; return True if it can be appended."""
        for _ in range(MOST_OUTCOMES):
            answer = self._tried(table, draft)
            if answer is None or not self._more_came_up(answer, draft):
                return answer is not None and answer.status == 200
        return False

    def _more_came_up(self, answer: Any, draft: dict[str, Any]) -> bool:
        """If the rules need another result, add one to the draft and return True."""
        if answer.status != 422 or answer.document["type"] != "/problems/outcome-required":
            return False
        draft["outcomes"] = [*draft.get("outcomes", ()), self._came_up(answer.document["chance"])]
        return True

    def _tried(self, table: Table, draft: dict[str, Any]) -> Any:
        """Return the answer to a dry run: 200, or a refusal; None if it was given up."""
        write = Write("append", next(self._keys), f"{table.path}/events?dry_run=true")
        return self._client.write(write, draft)

    def _dry_run(self, table: Table) -> None:
        offered = self._offer(table)
        if offered is not None:
            self._tried(table, offered[0])

    def _list(self, table: Table) -> None:
        offered = self._offer(table)
        if offered is not None and offered[0]["type"] != "set_up":
            offer, said = offered[0], {"type": "annotate", "params": {"text": "as one"}}
            # If the service draws for the offered action, that stays in the log, and the list stops there.
            refused = {"type": "undo", "params": {"to": NEVER}}
            lists = [(said, offer, said), (said, said), (offer, offer), (offer, refused, said)]
            self._append(table, *self._rng.choice(lists))

    def _version(self, table: Table) -> int:
        answer = self._client.read(table.path)
        return 0 if answer is None else answer.document["version"]

    def _undo(self, table: Table) -> None:
        version = self._version(table)
        if version > 2:
            self._append(table, {"type": "undo", "params": {"to": self._rng.randint(max(2, version - 8), version - 1)}})

    def _amend(self, table: Table) -> None:
        version = self._version(table)
        if version > 3:
            change: dict[str, Any] = self._rng.choice(
                [{"insert": {"type": "annotate", "params": {"text": "late"}}}, {"remove": True}]
            )
            seq = self._rng.randint(max(3, version - 20), version)
            self._append(table, {"type": "amend", "params": {"seq": seq, "accept_broken": True, **change}})

    def _adjust(self, table: Table) -> None:
        answer = self._client.read(f"{table.path}/state")
        if answer is None or answer.document["state"] is None:
            return
        numbers = list(_numbers(answer.document["state"]))
        if numbers:
            path, value = self._rng.choice(numbers)
            patch = [{"op": "replace", "path": path, "value": value + self._rng.choice((-1, 1))}]
            self._append(table, {"type": "adjust", "params": {"patch": patch, "reason": "as it lies"}})

    def _annotate(self, table: Table) -> None:
        self._append(table, {"type": "annotate", "params": {"text": "so it was", "mark": "!?"}})

    def _read(self, table: Table) -> None:
        self._client.read(self._rng.choice([*(table.path + read for read in READS), "/v1/games", "/v1/rulesets"]))

    def _export(self, table: Table) -> None:
        kind = self._rng.choice(FORMATS)
        answer = self._client.read(f"{table.path}/export?format={kind}")
        if answer is not None and kind in READABLE:
            self._log = READABLE[kind], answer.body

    def _fork(self, table: Table) -> None:
        version = self._version(table)
        if version > 1:
            write = self._ledger.write(Write("fork", next(self._keys), f"{table.path}/forks"))
            at = self._rng.randint(1, version)
            answer = self._client.write(write, {"at": at, "tags": [write.key.lower()]})
            self._opened(answer, table.chance, is_shared=self._rng.random() < 0.3)

    def _import(self, table: Table) -> None:
        if self._log is not None:
            media_type, log = self._log
            write = self._ledger.write(Write("import", next(self._keys), "/v1/imports"))
            self._client.write(write, log, media_type=media_type)
            self._log = None

    def _audit(self, table: Table) -> None:
        # Do not record this in the ledger: an audit changes nothing, and each request creates another audit.
        self._client.write(Write("open", next(self._keys), f"{table.path}/audits"), b"")

    def _print(self, table: Table) -> None:
        """Request the transcript as PDF, which a worker writes while the game continues."""
        answer = self._client.read(f"/games/{table.id}/print.pdf")
        if answer is not None and answer.status == 200 and not answer.body.startswith(b"%PDF-"):
            self._ledger.fault("no PDF", f"{table.path}: {shorten(answer.body)}")

    def _share(self, table: Table) -> None:
        """Create a share link, follow it, and revoke it: it must no longer work."""
        answer = self._client.write(Write("open", next(self._keys), f"{table.path}/shares"), b"")
        if answer is None or answer.status != 201:
            return
        link = answer.document
        self._client.read(link["url"])
        try:
            withdrawn = self._client.ask("DELETE", f"{table.path}/shares/{link['token']}")
            after = self._client.ask("GET", link["url"])
        except Lost:
            return
        if withdrawn.status == 204 and after.status not in {404, *LATER}:
            self._ledger.fault("a link that was withdrawn leads on", f"{link['url']}: {after.status}")


def _numbers(document: Any, path: str = "") -> Any:
    """Yield the numbers in a document, each with its JSON Pointer."""
    if isinstance(document, bool):
        return
    if isinstance(document, int):
        yield path, document
    elif isinstance(document, dict):
        for name, part in document.items():
            yield from _numbers(part, f"{path}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(document, list):
        for index, part in enumerate(document):
            yield from _numbers(part, f"{path}/{index}")
