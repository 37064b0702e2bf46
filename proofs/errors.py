"""Errors in proofs: one base class, with a message for the verifier."""

from __future__ import annotations

from collections.abc import Sequence


class ProofError(Exception):
    """The base of all errors in proofs."""


class BadKey(ProofError):
    """The text is not a public key."""


class BadProof(ProofError):
    """The document is not a proof, or contradicts itself."""


class UnknownKey(ProofError):
    """No trusted key has signed the document; `keyids` are the ids of the keys that did."""

    def __init__(self, keyids: Sequence[str]) -> None:
        named = ", ".join(keyids) or "nobody"
        super().__init__(
            f"it is signed by {named}, which is not one of the given keys: the service may have newer keys"
        )
        self.keyids = list(keyids)


class BadSignature(ProofError):
    """The signature of key `keyid` is wrong: the proof was changed, or made without the key."""

    def __init__(self, keyid: str) -> None:
        super().__init__(f"the signature does not match key {keyid}: the proof was changed or forged")
        self.keyid = keyid
