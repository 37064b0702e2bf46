"""What can be wrong with a proof: one base class, and a sentence for whoever checks it."""

from __future__ import annotations

from collections.abc import Sequence


class ProofError(Exception):
    """The base of every error that the proofs raise."""


class BadKey(ProofError):
    """What was given as a public key is none."""


class BadProof(ProofError):
    """What was given as a proof does not have the shape of one, or contradicts itself."""


class UnknownKey(ProofError):
    """It is signed, and by none of the keys that the checker trusts; `keyids` are those that it names."""

    def __init__(self, keyids: Sequence[str]) -> None:
        named = ", ".join(keyids) or "nobody"
        super().__init__(f"it is signed by {named}, and not by a key that was given: the service may have newer keys")
        self.keyids = list(keyids)


class BadSignature(ProofError):
    """The key `keyid` has not signed this: the proof was changed, or made without the key."""

    def __init__(self, keyid: str) -> None:
        super().__init__(f"the signature is not the one that key {keyid} makes: the proof was changed or made up")
        self.keyid = keyid
