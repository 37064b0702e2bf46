"""Judging a file without a service: what was signed, the chain, and every rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from api.terminal import WrongUsage
from engine.audit import Auditor
from engine.errors import EngineError, Malformed
from engine.events import Event
from engine.fold import Game, opened
from exports import File, read_file
from proofs import consistency, dsse, heads
from proofs.comparison import first_difference
from proofs.errors import BadKey, BadProof, ProofError
from proofs.heads import Signed
from proofs.keys import PublicKey, read_keys


class Evidence(msgspec.Struct, frozen=True):
    """What a file is judged by besides itself."""

    keys: tuple[PublicKey, ...] | None = None
    """Those that are trusted: one of them has to have signed. None: whatever is signed may be signed by anyone."""
    proof: bytes | None = None
    """A signed head that is kept beside the file."""

    @classmethod
    def gathered(cls, keys: Sequence[str], proof: str | None) -> Self:
        """The evidence that somebody names.

        Args:
            keys: files of keys, or the ids of keys.
            proof: a file.

        Raises:
            WrongUsage: one cannot be read, or is no key.
        """
        try:
            found = [key for name in keys for key in _keys(name)]
            return cls(tuple(found) if keys else None, None if proof is None else Path(proof).read_bytes())
        except OSError as error:
            raise WrongUsage(f"{error.filename} cannot be read: {error.strerror}") from None


def _keys(name: str) -> list[PublicKey]:
    path = Path(name)
    try:
        return read_keys(path.read_bytes()) if path.exists() else [PublicKey.of(name)]
    except BadKey as error:
        raise WrongUsage(f"--key {name}: {error}") from None


class Checked(msgspec.Struct, frozen=True):
    """What was found out about a file."""

    is_sound: bool
    account: str
    """In a line: what was checked, or what fails first and why."""


def check(data: bytes, evidence: Evidence, advance: Callable[[int, int], None]) -> Checked:
    """Judge a log of any format that can be read back, or a consistency proof.

    Of a log: that it is the signed one, its chain, every rule, and the seed once it is revealed.

    Args:
        advance: told now and then how many of how many events have been judged.
    """
    try:
        if consistency.is_one(data):
            return _check_consistency(data, evidence)
        file = read_file(data)
        signed = _check_signature(file, evidence)
    except Malformed as error:
        return Checked(is_sound=False, account=f"not a log: {error}")
    except ProofError as error:
        return Checked(is_sound=False, account=str(error))
    return _replay(file, signed, _signature(signed, evidence), advance)


def _check_consistency(data: bytes, evidence: Evidence) -> Checked:
    proof = consistency.read(data)
    older = _given(evidence)
    signed = consistency.check(proof, evidence.keys, None if older is None else older.head)
    begun, now = proof.from_, signed.head
    account = (
        f"{_signature(signed, evidence)}the record after event {begun.version}, with head {begun.head}, is the "
        f"beginning of the one after event {now.version}; game {now.game}"
    )
    return Checked(is_sound=True, account=account)


def _given(evidence: Evidence) -> Signed | None:
    return None if evidence.proof is None else heads.check(dsse.read(evidence.proof), evidence.keys)


def _check_signature(file: File, evidence: Evidence) -> Signed | None:
    """The signed head of exactly the file's events; None where nothing is signed, and nothing has to be.

    A head that was given beside one that the file carries may be older: a beginning of it.

    Raises:
        ProofError: the first event that is not the signed one, or what is wrong with the signature.
    """
    given = _given(evidence)
    own = None if file.proof is None else heads.check(file.proof, evidence.keys)
    if own is not None and given is not None:
        consistency.check_beginning(given.head, own.head)
    signed = own or given
    if signed is None:
        if evidence.keys is not None:
            raise BadProof("it is not signed: no proof is in it, and none was given")
        return None
    if file.game_id not in (None, signed.head.game):
        raise BadProof(f"it says that it is game {file.game_id}, and the signed head is of game {signed.head.game}")
    difference = first_difference(signed.head.hashes, file.events, withheld(file.events))
    if difference is not None:
        raise BadProof(f"{difference}, against the log of {signed.head.version} events that was signed")
    return signed


def _signature(signed: Signed | None, evidence: Evidence) -> str:
    if signed is None:
        return ""
    trust = "" if evidence.keys is not None else " (a key that was not given with --key)"
    return f"signed at {signed.head.signed_at} by {signed.key.id}{trust}; "


def withheld(events: Sequence[Event]) -> set[int]:
    """The events of a file (by `seq`) whose secret is masked, and may be."""
    try:
        header = opened(events[0])
    except EngineError:
        return set()
    return consistency.masked(header.ruleset, header.ruleset_version, events)


def judge(auditor: Auditor, events: Sequence[Event], hidden: int | None, advance: Callable[[int, int], None]) -> None:
    """Let `auditor` read the events before the one whose contents are hidden.

    Args:
        advance: told now and then how many of how many events have been judged.

    Raises:
        Malformed: as `Auditor.read`.
    """
    for event in itertools.takewhile(lambda event: event.seq != hidden, events):
        auditor.read(event)
        if event.seq % 500 == 0:
            advance(event.seq, len(events))


def _replay(file: File, signed: Signed | None, signature: str, advance: Callable[[int, int], None]) -> Checked:
    """Judge the events by the rules, as far as nothing is hidden."""
    events, masked = file.events, withheld(file.events)
    hidden = min(masked, default=None)
    auditor = Auditor()
    judge(auditor, events, hidden, advance)
    auditor.close()
    if auditor.failures:
        first = min(auditor.failures, key=lambda finding: finding.seq)
        more = f" (and {len(auditor.failures) - 1} more)" if len(auditor.failures) > 1 else ""
        account = f"event {first.seq}, turn {first.turn}: {first.message} [{first.rule}]{more}"
        return Checked(is_sound=False, account=account)
    if hidden is not None and signed is None:
        difference = first_difference([event.hash for event in events], events, masked)
        if difference is not None:
            return Checked(is_sound=False, account=f"event {difference.seq}: it breaks the chain")
    if file.flaw is not None:
        return Checked(is_sound=False, account=f"not a log: {file.flaw}")
    assert auditor.game is not None
    return Checked(is_sound=True, account=signature + _account(auditor.game, len(events), hidden))


def _account(game: Game, events: int, hidden: int | None) -> str:
    """What was checked of a log that is sound."""
    if hidden is not None:
        checked = f"chain, and rules before event {hidden}, which hides something until it is revealed"
    elif game.header.chance == "observed":
        checked = "chain and rules"
    elif game.outcome is None:
        checked = "chain and rules; the seed is not revealed yet"
    else:
        checked = "chain, rules and seed"
    ending = "not finished" if game.outcome is None else game.outcome.result
    return f"{checked}; {game.ruleset.name} (version {game.ruleset.version}), {events} events, {ending}"
