"""Check stored documents that cannot be rebuilt: tokens, share links, hidden names, aliases and webhooks."""

from __future__ import annotations

from operations.doctor.findings import CheckResult
from store import Store


def examine(store: Store) -> CheckResult:
    """Check that every token, share link, hidden name, alias, assigned player and webhook can be read."""
    games, names = store.sharing.find_damaged(), store.hiding.find_damaged()
    aliases, webhooks = store.aliases.find_damaged(), store.webhooks.find_damaged()
    tokens = store.tokens.find_damaged()
    advice = []
    if tokens:
        advice.append(f"{len(tokens):,} tokens are damaged: revoke them, and create new ones")
    if games:
        advice.append(f"share links of {len(games):,} games are damaged: revoke them, and create new ones")
    if names:
        advice.append(f"the entries of {len(names):,} hidden names are damaged: hide these names again")
    if aliases:
        advice.append(f"{len(aliases):,} aliases, or games with assigned players, are damaged: set them again")
    if webhooks:
        advice.append(f"{len(webhooks):,} webhooks are damaged: remove them, and create new ones")
    if advice:
        return CheckResult("documents", "fail", "; ".join(advice), (*tokens, *games, *names, *aliases, *webhooks))
    return CheckResult("documents", "ok", "all tokens, share links, hidden names, aliases and webhooks can be read")
