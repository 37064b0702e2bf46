"""Proofs for third parties: heads signed with Ed25519, and differences of logs from them. No I/O, no clock."""
