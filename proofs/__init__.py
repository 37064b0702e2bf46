"""Proofs for outsiders: heads signed with Ed25519, and what a log differs from the signed one in. No I/O, no clock."""
