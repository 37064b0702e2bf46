"""The prose linter finds the phrases that words.md replaces, and ignores code."""

from __future__ import annotations

import json

from tests.language import prose


def test_a_replaced_word_is_found_outside_code() -> None:
    prose.FOLDER.mkdir(parents=True, exist_ok=True)
    (prose.FOLDER / "prh.yml").write_text(json.dumps(prose.rules()), encoding="utf-8")
    page = prose.FOLDER / "page.md"
    page.write_text("Ask whoever is there.\nNot `whoever`, and not\n```\nwhoever\n```\n", encoding="utf-8")
    assert list(prose.findings(iter([page]))) == [("anyone, the user", "page.md(1,5): whoever → anyone, the user")]


def test_docstrings_keep_their_lines() -> None:
    assert prose.docstrings_of('"""One."""\n\n\ndef two():\n    """Two.\n\n    More."""\n').rstrip().splitlines() == [
        "One.", "", "", "", "Two.", "", "More."
    ]  # fmt: skip
