"""Offline storage of a table on a phone."""

from __future__ import annotations

from playwright.sync_api import Page

from tests import waiting

KEPT = """async () => {
  const found = [];
  for (const name of ["pages", "tables"])
    if (await caches.has(name))
      for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
  return found;
}"""
"""The script that returns the paths of stored entries."""


def keeps(page: Page, *paths: str) -> None:
    """Wait until the phone stores entries with exactly the given paths."""
    waiting.until(lambda: sorted(page.evaluate(KEPT)) == sorted(paths))
