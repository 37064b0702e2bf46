"""Proofs for third parties: heads signed with Ed25519, and differences between logs and heads. No I/O, no clock."""
