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
"""The paths of what it keeps."""


def keeps(page: Page, *paths: str) -> None:
    """Wait until the phone keeps that, and nothing else."""
    waiting.until(lambda: sorted(page.evaluate(KEPT)) == sorted(paths))
