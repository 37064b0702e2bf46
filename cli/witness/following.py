"""Follow a service: the witness checks the heads of its games in rounds."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Collection
from threading import Event as Signal
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from cli.client import RequestRefused
from cli.terminal import Failure, ServiceUnavailable
from cli.witness import book
from cli.witness.book import Book
from cli.witness.reading import LimitedClient, ReadingBudget
from proofs import deletion, dsse, heads
from proofs.errors import BadProof, ProofError, UnknownKey
from proofs.keys import PublicKey

logger = logging.getLogger(__name__)

SWEEP = 100
"""Number of games per round that are read although the list shows no change. The service may hide a rewrite."""
PAGE = 200
MOST_PAGES = 1000
LIST_SECONDS, VISIT_SECONDS = 120.0, 480.0
"""Maximum seconds of a round: for the list of games, and for the visits."""
LIST_BYTES, VISIT_BYTES = 128 << 20, 512 << 20
_EVERY_GAME = {401, 403, 429}
"""Status codes that concern the witness itself, not just one game."""

_Signed = TypeVar("_Signed")


class _ListedGame(msgspec.Struct):
    id: str
    version: int
    head: str


class _Page(msgspec.Struct):
    games: list[_ListedGame]
    next_cursor: str | None = None


_PAGE = msgspec.json.Decoder(_Page)


class Follower:
    """Reads the heads of a service's games, and passes them to the book."""

    def __init__(self, client: LimitedClient, book_: Book, sweep: int = SWEEP) -> None:
        self._client = client
        self._book = book_
        self._sweep = sweep
        self._visits = itertools.count(1)
        self._visited: dict[str, int] = {}
        """The number of the last visit of each game."""
        self._is_admitted = False
        self._keys: list[PublicKey] = []

    def run(self, seconds: float, stop: Signal) -> None:
        """Do a round every `seconds` until `stop` is set."""
        was_away = False
        while not stop.is_set():
            try:
                self.round()
                was_away = False
            except Failure as error:
                self._is_admitted = False
                if not was_away:
                    logger.warning("cannot follow the service: %s", error.message)
                was_away = True
            except OSError as error:
                logger.error("no head is cosigned, because of an error in the witness's folder: %s", error.strerror)  # noqa: TRY400  # said whole
            except Exception:
                logger.exception("a round has failed")
            stop.wait(seconds)

    def round(self) -> None:
        """Visit each game whose listed head differs from the cosigned head, and `SWEEP` other games.

        The other games are those that were not visited for longest. Known games come first, so that a long list of
        unknown games does not delay them. Raise a `Failure` if the service does not answer, refuses the witness, or has
        used up the time of a round.
        """
        self._client.share(ReadingBudget(LIST_SECONDS, LIST_BYTES))
        if not self._is_admitted:
            self._client.require_access()
            self._is_admitted = True
        self._read_keys()
        listed = self._list()
        self._client.share(ReadingBudget(VISIT_SECONDS, VISIT_BYTES))
        games = self._book.games
        self._visited = {game: visit for game, visit in self._visited.items() if game in games or game in listed}
        new = sorted(listed.keys() - games.keys(), key=self._visited_at)
        urgent = [game for game in games if self._is_urgent(game, listed.get(game))]
        rest = sorted(games.keys() - set(urgent), key=self._visited_at)
        for game in (*sorted(urgent, key=self._visited_at), *rest[: self._sweep], *new):
            self.visit(game)

    def visit(self, game: str) -> None:
        """Read the head that the service now signs for a game, and judge it."""
        self._visited[game] = next(self._visits)
        try:
            result = self._judge(game)
        except ProofError as error:
            logger.warning("game %s: the service gives no valid proof: %s", game, error)
        except ServiceUnavailable as error:
            # If the service still answers, the error concerns only this game.
            if not self._client.answers():
                raise
            logger.warning("game %s: %s", game, error.message)
        except (Failure, OSError):
            raise
        except Exception:
            # An invalid answer about one game must not stop the visits to other games.
            logger.exception("game %s: the check has failed", game)
        else:
            if isinstance(result, book.RefusedHead):
                logger.warning("game %s was refused (%s): the head is not cosigned", game, result.reason)

    def _judge(self, game: str) -> book.Entry | None:
        try:
            envelope = dsse.read(self._client.request("GET", f"/v1/games/{game}/proof").body)
        except RequestRefused as refused:
            return self._judge_refusal(game, refused)
        try:
            head = self._verify(lambda keys: heads.check(envelope, keys)).head
        except UnknownKey:
            head = heads.check(envelope).head
            _require(head.game, game)
            if game not in self._book.games:
                raise
            return self._book.refuse(game, "unknown_key", head.version, head.head, envelope)
        _require(head.game, game)
        return self._book.judge(head, envelope)

    def _judge_refusal(self, game: str, refused: RequestRefused) -> book.Entry | None:
        """Judge a response that reports a game as deleted or unknown."""
        if refused.status in _EVERY_GAME or refused.problem.get("type") == "/problems/unknown-host":
            raise refused
        if refused.status not in {404, 410}:
            raise BadProof(refused.message)
        if game not in self._book.games:
            return None
        try:
            envelope = msgspec.convert(refused.problem.get("proof"), dsse.Envelope)
            gone = self._verify(lambda keys: deletion.check(envelope, keys)).deletion
            _require(gone.game, game)
        except (msgspec.ValidationError, ProofError):
            return self._book.refuse(game, "missing")
        return self._book.delete(game, gone.version, gone.head, envelope)

    def _verify(self, check: Callable[[Collection[PublicKey]], _Signed]) -> _Signed:
        """Verify a signature with the service's keys.

        If the key is unknown, read the keys again, because it may be new.
        """
        try:
            return check(self._keys)
        except UnknownKey:
            self._read_keys()
            return check(self._keys)

    def _read_keys(self) -> None:
        self._keys = self._client.keys()
        self._book.add_keys(self._keys)

    def _list(self) -> dict[str, tuple[int, str]]:
        """Return the version and head of each listed game.

        Read a limited number of pages, in case the list never ends.
        """
        listed: dict[str, tuple[int, str]] = {}
        cursors: set[str] = set()
        query: dict[str, Any] = {"limit": PAGE}
        try:
            while len(cursors) < MOST_PAGES:
                page = _PAGE.decode(self._client.request("GET", f"/v1/games?{urlencode(query)}").body)
                listed |= {game.id: (game.version, game.head) for game in page.games if book.is_id(game.id)}
                query["cursor"] = page.next_cursor
                if page.next_cursor is None:
                    return listed
                if page.next_cursor in cursors:
                    break
                cursors.add(page.next_cursor)
            logger.error("the service's list of games has no end")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            logger.error("the service's list of games is malformed: %s", error)  # noqa: TRY400  # not ours
        except ServiceUnavailable as error:
            self._client.share(ReadingBudget(VISIT_SECONDS, VISIT_BYTES))
            if not self._client.answers():
                raise
            logger.error("the service's list of games: %s", error.message)  # noqa: TRY400  # not ours
        return listed

    def _is_urgent(self, game: str, listed: tuple[int, str] | None) -> bool:
        """Return True if the list contradicts the cosigned head of a game, and no refusal records this yet."""
        account = self._book.games[game]
        if account.is_contradicted:
            return False
        if account.deleted is not None:
            return listed is not None
        return listed != (account.seen[-1].version, account.seen[-1].head)

    def _visited_at(self, game: str) -> tuple[int, str]:
        return self._visited.get(game, 0), game


def _require(found: str, game: str) -> None:
    if found != game:
        raise BadProof(f"it belongs to game {found}")
