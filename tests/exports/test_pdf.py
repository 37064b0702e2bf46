"""The transcript as PDF: whatever its streams name is among their resources, in every page and every form."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from engine.play import registry
from engine.play.fold import fold
from exports import fonts, pdf
from exports.transcript import Transcript
from exports.words import words
from tests.exports.logs import GAME
from tests.playouts import playout

NAMED = {b"gs": "/ExtGState", b"Do": "/XObject", b"Tf": "/Font", b"cs": "/ColorSpace", b"CS": "/ColorSpace"}
"""The operators that name a resource, and where it stands (ISO 32000-1, 7.8.3)."""


def streams(part: Any, reader: PdfReader) -> Iterator[tuple[ContentStream, Any]]:
    """What a page or a form draws, and its resources; then those of the forms in it."""
    resources = part["/Resources"]
    yield ContentStream(part.get("/Contents", part), reader), resources
    for form in resources.get("/XObject", {}).values():
        yield from streams(form.get_object(), reader)


def unknown(reader: PdfReader) -> set[tuple[str, str]]:
    """What a stream names, and has not."""
    return {
        (NAMED[operator], operands[0])
        for page in reader.pages
        for stream, resources in streams(page, reader)
        for operands, operator in stream.operations
        if operator in NAMED and operands[0] not in resources.get(NAMED[operator], {})
    }


def test_a_font_of_the_machine_for_eastern_scripts_is_put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any font will do that has such a name; one that cannot be read is passed over."""
    shutil.copy(fonts.VERA, tmp_path / "DroidSansFallback.ttf")
    (tmp_path / "NanumGothic.ttf").write_bytes(b"no font")
    monkeypatch.setattr(fonts, "_PLACES", (str(tmp_path),))

    found = dict(pdf._fonts.__wrapped__())

    assert "Eastern0" in found
    assert "Eastern1" not in found
    assert ord("A") in found["Eastern0"]


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_all_that_a_stream_names_is_among_its_resources(ruleset: str) -> None:
    seats = registry.ruleset(ruleset).players[0]
    events = playout(ruleset, seats=seats, limit=12)
    game = fold(events)

    with pdf.write(words(GAME, game, events[0].recorded_at), Transcript(game, events)) as file:
        assert not unknown(PdfReader(file, strict=True))
