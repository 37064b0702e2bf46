"""Checks of stored documents that cannot be rebuilt: share links and hidden names."""

from __future__ import annotations

from operations.doctor.findings import CheckResult
from store import Store


def examine(store: Store) -> CheckResult:
    """Check that every share link and every hidden name can be read."""
    games, names = store.sharing.damaged(), store.hiding.damaged()
    advice = []
    if games:
        advice.append(f"share links of {len(games):,} games are damaged: revoke them, and create new ones")
    if names:
        advice.append(f"the entries of {len(names):,} hidden names are damaged: hide these names again")
    if advice:
        return CheckResult("documents", "fail", "; ".join(advice), (*games, *names))
    return CheckResult("documents", "ok", "all share links and hidden names can be read")
