"""Judging a file without a service: what was signed, the chain, and every rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from cli.terminal import WrongUsage
from engine.core.errors import EngineError, Malformed
from engine.core.events import Event
from engine.play.game import Game, opened
from engine.review.audit import Auditor
from exports import File, read_file
from proofs import consistency, deletion, dsse, heads
from proofs.comparison import first_difference
from proofs.errors import BadKey, BadProof, ProofError
from proofs.heads import Head, Signed
from proofs.keys import PublicKey, read_keys


class Evidence(msgspec.Struct, frozen=True):
    """What a file is judged by besides itself."""

    keys: tuple[PublicKey, ...] | None = None
    """Those that are trusted: one of them has to have signed. None: whatever is signed may be signed by anyone."""
    proof: dsse.Envelope | None = None
    """A signed head that is kept beside the file."""
    deletion: dsse.Envelope | None = None
    """That the record was deleted, signed."""

    @classmethod
    def gathered(cls, keys: Sequence[str], proof: str | None) -> Self:
        """The evidence that somebody names.

        Args:
            keys: files of keys, or the ids of keys.
            proof: a file.

        Raises:
            WrongUsage: one cannot be read, or is no key or no proof.
        """
        try:
            found = [key for name in keys for key in _keys(name)]
            trusted = tuple(found) if keys else None
            if proof is None:
                return cls(trusted)
            data = Path(proof).read_bytes()
            gone = deletion.find(data)
            return cls(trusted, deletion=gone) if gone is not None else cls(trusted, dsse.read(data))
        except OSError as error:
            raise WrongUsage(f"{error.filename} cannot be read: {error.strerror}") from None
        except BadProof as error:
            raise WrongUsage(f"--proof {proof}: {error}") from None


def _keys(name: str) -> list[PublicKey]:
    path = Path(name)
    is_file = path.exists()
    try:
        return read_keys(path.read_bytes()) if is_file else [PublicKey.of(name)]
    except BadKey as error:
        why = str(error) if is_file else "there is no such file, and a key's id is 43 characters of base64url"
        raise WrongUsage(f"--key {name}: {why}") from None


class Checked(msgspec.Struct, frozen=True):
    """What was found out about a file."""

    is_sound: bool
    account: str
    """In a line: what was checked, or what fails first and why."""


def check(data: bytes, evidence: Evidence, advance: Callable[[int, int], None]) -> Checked:
    """Judge a log of any format that can be read back, a consistency proof, or what says that a record was deleted.

    Of a log: that it is the signed one, its chain, every rule, and the seed once it is revealed.

    Args:
        advance: told now and then how many of how many events have been judged.
    """
    try:
        if consistency.is_one(data):
            return _check_consistency(data, evidence)
        gone = deletion.find(data)
        if gone is not None:
            return _check_deletion(gone, evidence)
        file = read_file(data)
        ended = _check_end(file, evidence)
        signed = _check_signature(file, evidence, is_signed=ended is not None and ended.is_whole)
    except Malformed as error:
        return Checked(is_sound=False, account=f"not a log: {error}")
    except ProofError as error:
        return Checked(is_sound=False, account=str(error))
    checked = _replay(file, signed, _signature(signed, evidence), advance)
    return checked if ended is None else msgspec.structs.replace(checked, account=f"{checked.account}; {ended.account}")


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


def _check_deletion(envelope: dsse.Envelope, evidence: Evidence) -> Checked:
    older = _given(evidence)
    signed = deletion.check(envelope, evidence.keys, None if older is None else older.head)
    gone = signed.deletion
    account = f"signed at {gone.signed_at} by {_trust(signed.key, evidence)}; {_told(gone)}"
    if older is not None and older.head.version == gone.version:
        account += ": it is the head that was signed before"
    elif older is not None:
        account += (
            f"; the older head is one of that game, after event {older.head.version}, and whether the record still "
            "began with it cannot be told without the events"
        )
    return Checked(is_sound=True, account=account)


def deleted(data: bytes) -> str | None:
    """What `data` says, signed, of a record that was deleted; None where it says nothing of one."""
    envelope = deletion.find(data)
    if envelope is None:
        return None
    try:
        signed = deletion.check(envelope)
    except ProofError as error:
        return str(error)
    return f"{_told(signed.deletion)}; signed by {signed.key.id}"


class _Ended(msgspec.Struct, frozen=True):
    """What is known of the end of a record that was deleted."""

    account: str
    is_whole: bool
    """Whether the file holds all of the record: its last hash stands for everything before it."""


def _check_end(file: File, evidence: Evidence) -> _Ended | None:
    """What `evidence` says of the deletion of the file's record; None where it says nothing.

    Raises:
        ProofError: the file's record is another one.
    """
    if evidence.deletion is None:
        return None
    signed = deletion.check(evidence.deletion, evidence.keys)
    gone, last = signed.deletion, file.events[-1]
    deletion.check_beginning(file.game_id, last.seq, last.hash, gone)
    is_whole = last.hash == gone.head
    whole = "this is all of it" if is_whole else f"this would be its first {last.seq} events"
    return _Ended(f"{_told(gone)}, as {_trust(signed.key, evidence)} signed: {whole}", is_whole)


def _told(gone: deletion.Deletion) -> str:
    return f"game {gone.game} was deleted at {gone.deleted_at}, after event {gone.version}, with head {gone.head}"


def _given(evidence: Evidence) -> Signed | None:
    return None if evidence.proof is None else heads.check(evidence.proof, evidence.keys)


def _check_signature(file: File, evidence: Evidence, *, is_signed: bool) -> Signed | None:
    """The signed head of exactly the file's events; None where nothing is signed, and nothing has to be.

    A head that was given beside one that the file carries may be older: a beginning of it.

    Args:
        is_signed: whether something else says, signed, that these are the events.

    Raises:
        ProofError: the first event that is not the signed one, or what is wrong with the signature.
    """
    given = _given(evidence)
    own = None if file.proof is None else heads.check(file.proof, evidence.keys)
    if own is not None and given is not None:
        consistency.check_beginning(given.head, own.head)
    signed = own or given
    if signed is None:
        if evidence.keys is not None and not is_signed:
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
    return f"signed at {signed.head.signed_at} by {_trust(signed.key, evidence)}; {_sources(signed.head)}"


def _sources(head: Head) -> str:
    """Return where the events come from, if not all of them were recorded by the service that signed."""
    told = []
    for one in head.provenance:
        if one.kind != "recorded":
            signer = f" (signed by {one.key})" if one.key is not None else " (not signed)"
            events = f"event {one.from_}" if one.from_ == one.to else f"events {one.from_} to {one.to}"
            how = "changed by hand" if one.kind == "adjusted" else "imported"
            told.append(f"{events} {how}{signer if one.head is not None else ''}")
    return "".join(f"{one}; " for one in told)


def _trust(key: PublicKey, evidence: Evidence) -> str:
    return key.id if evidence.keys is not None else f"{key.id} (a key that was not given with --key)"


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
    ending: str = "not finished" if game.outcome is None else game.outcome.result
    ending += " (decided by hand)" if game.by_hand else ""
    return f"{checked}; {game.ruleset.name} (version {game.ruleset.version}), {events} events, {ending}"
