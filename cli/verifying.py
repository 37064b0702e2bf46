"""Verify a file without a service: its signature, hash chain, and every rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from cli.files import read
from cli.terminal import WrongUsage
from cli.witness.asking import Witness
from engine.core.errors import EngineError, Malformed
from engine.core.events import Event
from engine.play.game import Game, parse_header
from engine.review.audit import Auditor
from exports import ExportedFile, read_file
from proofs import consistency, deletion, dsse, heads
from proofs.comparison import first_difference
from proofs.errors import BadKey, BadProof, ProofError
from proofs.heads import Head, SignedHead
from proofs.keys import PublicKey, read_keys


class Evidence(msgspec.Struct, frozen=True):
    """Evidence for the check of a file, besides the file itself."""

    keys: tuple[PublicKey, ...] | None = None
    """The trusted keys, one of which must have signed the log; None: any key."""
    proof: dsse.Envelope | None = None
    """A signed head that is stored beside the file."""
    deletion: dsse.Envelope | None = None
    """A signed statement that the record was deleted."""
    witness: Witness | None = None
    """A witness that may have seen the record."""

    @classmethod
    def collect(cls, keys: Sequence[str], proof: str | None, witness: Witness | None = None) -> Self:
        """Read the evidence that the user has given.

        Args:
            keys: files of keys, or the ids of keys.
            proof: a file.
        """
        try:
            found = [key for name in keys for key in _keys(name)]
            trusted = tuple(found) if keys else None
            if proof is None:
                return cls(trusted, witness=witness)
            data = read(proof)
            gone = deletion.find(data)
            signed = dsse.read(data) if gone is None else None
            return cls(trusted, signed, gone, witness)
        except OSError as error:
            raise WrongUsage(f"{error.filename} cannot be read: {error.strerror}") from None
        except BadProof as error:
            raise WrongUsage(f"--proof {proof}: {error}") from None


def _keys(name: str) -> list[PublicKey]:
    path = Path(name)
    is_file = path.exists()
    try:
        return read_keys(read(name)) if is_file else [PublicKey.of(name)]
    except BadKey as error:
        why = str(error) if is_file else "there is no such file, and it is not a key id (43 characters of base64url)"
        raise WrongUsage(f"--key {name}: {why}") from None


class CheckResult(msgspec.Struct, frozen=True):
    """The result of checking a file."""

    is_sound: bool
    account: str
    """The result in a line: the checks that passed, or the first failure and its reason."""


def check(data: bytes, evidence: Evidence, advance: Callable[[int, int], None]) -> CheckResult:
    """Verify a log of any importable format, a consistency proof, or the proof of a deletion.

    For a log, verify the signature, the hash chain, every rule, and the seed once it is revealed.

    Args:
        advance: called periodically with the number of events judged so far and the total number of events.
    """
    try:
        gone = deletion.find(data)
        is_log = gone is None and not consistency.is_one(data)
        if evidence.witness is not None and not is_log:
            raise WrongUsage("--witness is for logs: this file is a proof")
        if gone is not None:
            return _check_deletion(gone, evidence)
        if not is_log:
            return _check_consistency(data, evidence)
        file = read_file(data)
        ended = _check_end(file, evidence)
        signed = _check_signature(file, evidence, is_signed=ended is not None and ended.is_whole)
    except Malformed as error:
        return CheckResult(is_sound=False, account=f"not a log: {error}")
    except ProofError as error:
        return CheckResult(is_sound=False, account=str(error))
    checked = _replay(file, signed, _signature(signed, evidence), advance)
    if checked.is_sound and evidence.witness is not None:
        checked = _ask(evidence.witness, file, signed, checked)
    return checked if ended is None else msgspec.structs.replace(checked, account=f"{checked.account}; {ended.account}")


def _ask(witness: Witness, file: ExportedFile, signed: SignedHead | None, checked: CheckResult) -> CheckResult:
    """Ask a witness about a valid log, and add the answer to the result."""
    game = file.game_id or (None if signed is None else signed.head.game)
    try:
        told = witness.compare(game, [event.hash for event in file.events])
    except ProofError as error:
        return CheckResult(is_sound=False, account=str(error))
    return msgspec.structs.replace(checked, account=f"{checked.account}; {told}")


def _check_consistency(data: bytes, evidence: Evidence) -> CheckResult:
    proof = consistency.read(data)
    older = _signed_head(evidence)
    signed = consistency.check(proof, evidence.keys, None if older is None else older.head)
    begun, now = proof.from_, signed.head
    account = (
        f"{_signature(signed, evidence)}the record after event {begun.version}, with head {begun.head}, is the "
        f"beginning of the record after event {now.version}; game {now.game}"
    )
    return CheckResult(is_sound=True, account=account)


def _check_deletion(envelope: dsse.Envelope, evidence: Evidence) -> CheckResult:
    older = _signed_head(evidence)
    signed = deletion.check(envelope, evidence.keys, None if older is None else older.head)
    gone = signed.deletion
    account = f"signed at {gone.signed_at} by {_trust(signed.key, evidence)}; {_deletion_text(gone)}"
    if older is not None and older.head.version == gone.version:
        account += ": the older head is the last head of this game"
    elif older is not None:
        account += (
            f"; the older head is from event {older.head.version} of that game; whether the record still began with it "
            "is unknown without the events"
        )
    return CheckResult(is_sound=True, account=account)


def describe_deletion(data: bytes) -> str | None:
    """Return a description of the signed deletion in `data`; None if it contains none."""
    envelope = deletion.find(data)
    if envelope is None:
        return None
    try:
        signed = deletion.check(envelope)
    except ProofError as error:
        return str(error)
    return f"{_deletion_text(signed.deletion)}; signed by {signed.key.id}"


class _FileEnd(msgspec.Struct, frozen=True):
    account: str
    is_whole: bool
    """True if the file contains the complete record. The last hash covers all earlier events."""


def _check_end(file: ExportedFile, evidence: Evidence) -> _FileEnd | None:
    """Check the file against the proof that its record was deleted; return the record's end, if there is a proof."""
    if evidence.deletion is None:
        return None
    signed = deletion.check(evidence.deletion, evidence.keys)
    gone, last = signed.deletion, file.events[-1]
    deletion.check_beginning(file.game_id, last.seq, last.hash, gone)
    is_whole = last.hash == gone.head
    whole = "this is the complete log" if is_whole else f"this would be its first {last.seq} events"
    return _FileEnd(f"{_deletion_text(gone)}, as {_trust(signed.key, evidence)} signed: {whole}", is_whole)


def _deletion_text(gone: deletion.Deletion) -> str:
    return f"game {gone.game} was deleted at {gone.deleted_at}, after event {gone.version}, with head {gone.head}"


def _signed_head(evidence: Evidence) -> SignedHead | None:
    return None if evidence.proof is None else heads.check(evidence.proof, evidence.keys)


def _check_signature(file: ExportedFile, evidence: Evidence, *, is_signed: bool) -> SignedHead | None:
    """Verify the signed head of the file's events, and return it.

    Return None if there is no head, and none is needed. If the file contains a head, an additional head in `evidence`
    may be older, and cover only a beginning of the record.

    Args:
        is_signed: True if another signature already covers these events.
    """
    given = _signed_head(evidence)
    own = None if file.proof is None else heads.check(file.proof, evidence.keys)
    if own is not None and given is not None:
        consistency.check_beginning(given.head, own.head)
    signed = own or given
    if signed is None:
        if evidence.keys is not None and not is_signed:
            raise BadProof("the file is not signed: it contains no proof, and --proof was not given")
        return None
    if file.game_id not in (None, signed.head.game):
        raise BadProof(
            f"the file belongs to game {file.game_id}, but the signed head belongs to game {signed.head.game}"
        )
    difference = first_difference(signed.head.hashes, file.events, masked_events(file.events))
    if difference is not None:
        raise BadProof(f"the log differs from the {signed.head.version} events that were signed: {difference}")
    return signed


def _signature(signed: SignedHead | None, evidence: Evidence) -> str:
    if signed is None:
        return ""
    return f"signed at {signed.head.signed_at} by {_trust(signed.key, evidence)}; {_sources(signed.head)}"


def _sources(head: Head) -> str:
    """Describe the sources of the events. Return an empty text if the signing service recorded all of them."""
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


def masked_events(events: Sequence[Event]) -> set[int]:
    """Return the `seq` of each event that has a masked secret, as the rules allow."""
    try:
        header = parse_header(events[0])
    except EngineError:
        return set()
    return consistency.masked_events(header.ruleset, header.ruleset_version, events)


def judge(auditor: Auditor, events: Sequence[Event], hidden: int | None, advance: Callable[[int, int], None]) -> None:
    """Let `auditor` read the events before the first masked event.

    Args:
        advance: called periodically with the number of events judged so far and the total number of events.
    """
    for event in itertools.takewhile(lambda event: event.seq != hidden, events):
        auditor.read(event)
        if event.seq % 500 == 0:
            advance(event.seq, len(events))


def _replay(
    file: ExportedFile, signed: SignedHead | None, signature: str, advance: Callable[[int, int], None]
) -> CheckResult:
    """Judge the events by the rules, up to the first masked event."""
    events, masked = file.events, masked_events(file.events)
    hidden = min(masked, default=None)
    auditor = Auditor()
    judge(auditor, events, hidden, advance)
    auditor.close()
    if auditor.failures:
        first = min(auditor.failures, key=lambda finding: finding.seq)
        more = f" (and {len(auditor.failures) - 1} more)" if len(auditor.failures) > 1 else ""
        account = f"event {first.seq}, turn {first.turn}: {first.message} [{first.rule}]{more}"
        return CheckResult(is_sound=False, account=account)
    if hidden is not None and signed is None:
        difference = first_difference([event.hash for event in events], events, masked)
        if difference is not None:
            return CheckResult(is_sound=False, account=f"event {difference.seq}: it breaks the chain")
    if file.flaw is not None:
        return CheckResult(is_sound=False, account=f"not a log: {file.flaw}")
    assert auditor.game is not None
    known = _knowledge_of_seed(auditor.game, events[0], signed)
    return CheckResult(is_sound=True, account=signature + _account(auditor.game, len(events), hidden) + known)


def _knowledge_of_seed(game: Game, first: Event, signed: SignedHead | None) -> str:
    """Describe who could have known every draw. Return an empty text if nobody could, or if the game has no seed."""
    if signed is not None and signed.head.seed_known_to == heads.UNKNOWN:
        return "; the log was imported, so somebody may have known its seed"
    if not game.header.seed_chosen:
        return ""
    return f"; {first.recorded_by or 'the opener of the game'} chose the seed, and could know every draw"


def _account(game: Game, events: int, hidden: int | None) -> str:
    if hidden is not None:
        checked = f"chain, and rules before event {hidden}, which hides something until it is revealed"
    elif game.header.chance == "observed":
        checked = "chain and rules"
    elif game.outcome is None:
        checked = "chain and rules; the seed is not revealed yet"
    elif game.header.fork is not None:
        checked = f"chain and rules; the seed after event {game.header.fork.at}, where the game leaves another"
    else:
        checked = "chain, rules and seed"
    ending: str = "not finished" if game.outcome is None else game.outcome.result
    ending += " (decided by hand)" if game.by_hand else ""
    return f"{checked}; {game.ruleset.name} (version {game.ruleset.version}), {events} events, {ending}"
