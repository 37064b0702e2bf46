"""The transcript as PDF: each page and form has the resources that its streams name."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from engine.core.events import Event
from engine.play import registry
from engine.play.fold import fold
from exports import fonts, pdf
from exports.transcript import Transcript, TranscriptPart
from exports.words import words
from tests.exports.logs import GAME, Record, export
from tests.playouts import playout
from tests.recorded.games import FOLDER, read, replay

NAMED = {b"gs": "/ExtGState", b"Do": "/XObject", b"Tf": "/Font", b"cs": "/ColorSpace", b"CS": "/ColorSpace"}
"""The operators that name a resource, with the position of the name (ISO 32000-1, 7.8.3)."""


def streams(part: Any, reader: PdfReader) -> Iterator[tuple[ContentStream, Any]]:
    """Yield the content of a page or form with its resources, then those of the forms inside."""
    resources = part["/Resources"]
    yield ContentStream(part.get("/Contents", part), reader), resources
    for form in resources.get("/XObject", {}).values():
        yield from streams(form.get_object(), reader)


def unknown(reader: PdfReader) -> set[tuple[str, str]]:
    """Return the resources that a stream names but lacks."""
    return {
        (NAMED[operator], operands[0])
        for page in reader.pages
        for stream, resources in streams(page, reader)
        for operands, operator in stream.operations
        if operator in NAMED and operands[0] not in resources.get(NAMED[operator], {})
    }


def not_embedded(reader: PdfReader) -> set[str]:
    """Return the fonts that a file names without containing them."""
    objects = [reader.get_object(number) for number in sorted(reader.xref[0])]
    fonts = [one for one in objects if isinstance(one, dict) and one.get("/Type") == "/Font"]
    assert fonts
    return {font["/BaseFont"] for font in fonts if "/FontFile2" not in font.get("/FontDescriptor", {})}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A font folder, empty at first; no other folder has fonts."""

    def forget() -> None:
        fonts.dejavu.cache_clear()
        pdf._fonts.cache_clear()

    forget()
    monkeypatch.setattr(fonts, "_PLACES", (str(tmp_path),))
    yield tmp_path
    forget()


def test_a_machine_without_fonts_prints_a_sign_for_what_it_lacks(installed: Path) -> None:
    text = pdf._Text()

    assert text.markup("A\ufffd<\u05e9") == "A<>&lt;<>".replace("<>", pdf.UNKNOWN)
    assert not text.is_complete
    assert ord(pdf.UNKNOWN) in dict(pdf._fonts())["Vera"]


def test_a_font_of_the_machine_for_eastern_scripts_is_put_in(installed: Path) -> None:
    """Any font with such a name is used; an unreadable one is ignored."""
    shutil.copy(fonts.VERA, installed / "DroidSansFallback.ttf")
    (installed / "NanumGothic.ttf").write_bytes(b"no font")

    found = dict(pdf._fonts())

    assert "Eastern0" in found
    assert "Eastern1" not in found
    assert ord("A") in found["Eastern0"]


@pytest.mark.skipif(fonts.dejavu() is None, reason="no font here has these letters")
def test_hebrew_and_arabic_are_set_from_right_to_left() -> None:
    def drawn_lines(paragraph: Any) -> list[str]:
        whole = "".join("\n" if getattr(frag, "lineBreak", False) else frag.text for frag in paragraph.frags)
        return whole.split("\n")

    text = pdf._Text(["אבג דהו", "دد", "Cleo"])
    sentence = text.paragraph("אבג דהו, دد and Cleo", pdf._BODY)
    assert drawn_lines(sentence) == ["והד גבא, \ufea9\ufea9 and Cleo"]
    assert sentence.style.alignment == pdf.TA_LEFT
    assert text.line("Turn 3: אבג") == "Turn 3: גבא"

    note = text.paragraph("אבג (Ann), 12!\n" + "אבג " * 90, pdf._QUOTE, by_players=True)
    first, *lines = drawn_lines(note)
    assert first == "!12 ,(Ann) גבא"
    # The lines are as long as the page allows, so that none is broken again.
    assert len(lines) > 2
    assert {word for line in lines for word in line.split()} == {"גבא"}
    assert note.style.alignment == pdf.TA_RIGHT
    note.wrap(pdf.COLUMN, 1000)
    assert len(note.blPara.lines) == 1 + len(lines)
    assert text.is_complete


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_all_that_a_stream_names_is_among_its_resources(ruleset: str) -> None:
    seats = registry.ruleset(ruleset).players[0]
    events = playout(ruleset, seats=seats, limit=12)
    game = fold(events)

    with pdf.write(words(GAME, game, events[0].recorded_at), Transcript(game, events)) as file:
        reader = PdfReader(file, strict=True)
        assert not unknown(reader)
        assert not not_embedded(reader)


def print_transcript(events: list[Event], path: Path) -> Path:
    """Return the transcript of a game as a file."""
    game = fold(events)
    with pdf.write(words(GAME, game, events[0].recorded_at), Transcript(game, events)) as file:
        path.write_bytes(file.read())
    return path


def stored_game(name: str) -> list[Event]:
    """A whole stored game."""
    return list(replay(*read(FOLDER / name)).events)


def lines(page: Any) -> list[tuple[float, str]]:
    """Return the lines of a page without its foot, each with its height above the lower edge."""
    found: list[tuple[float, str]] = []

    def visit(text: str, around: list[float], matrix: list[float], *_: Any) -> None:
        height = matrix[5] * around[3] + around[5]
        if text.strip() and height > pdf.MARGIN:
            found.append((height, text.strip()))

    page.extract_text(visitor_text=visit)
    return found


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["forbidden-island/skull.jsonl", "forgotten-waters/goal_without_glory.jsonl"])
def test_no_page_but_the_last_is_half_empty(name: str, tmp_path: Path) -> None:
    *pages, _ = PdfReader(print_transcript(stored_game(name), tmp_path / "game.pdf")).pages
    assert len(pages) > 3
    for page in pages:
        assert min(height for height, _ in lines(page)) < pdf.A4[1] / 2


def test_a_turn_that_is_longer_than_a_page_is_parted_between_two_sentences() -> None:
    text, sentence = pdf._Text(), "Ann moves to Iron Gate, and looks back at what the water has taken."
    part = TranscriptPart("Turn 7: Ann", (" ".join([sentence] * 150),), ("a long turn",), "", None, None)
    turn, room = pdf._Turn(part, None, text), pdf.A4[1] - 2 * pdf.MARGIN
    assert turn.wrap(pdf.WIDTH, room)[1] > room

    first, second = turn.split(pdf.WIDTH, room)

    assert first.wrap(pdf.WIDTH, room)[1] <= room
    assert second.wrap(pdf.WIDTH, room)[1] <= room
    told = [first._part.paragraphs[0], second._part.paragraphs[0]]
    assert all(one.startswith("Ann") and one.endswith("taken.") for one in told)
    assert " ".join(told) == part.paragraphs[0]
    assert (first._part.notes, second._part.notes) == ((), part.notes)
    # A picture does not begin near the foot of a page, and a sentence is never split.
    assert turn.split(pdf.WIDTH, room / 4) == []
    short = msgspec.structs.replace(part, paragraphs=(sentence,), notes=())
    assert pdf._Turn(short, None, text).split(pdf.WIDTH, room) == []


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler is not installed here")
@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_poppler_has_nothing_to_say_of_it(ruleset: str, tmp_path: Path) -> None:
    events = playout(ruleset, seats=registry.ruleset(ruleset).players[0], limit=30)
    path = print_transcript(list(events), tmp_path / "game.pdf")
    for command in (["pdfinfo", path], ["pdftotext", path, tmp_path / "game.txt"]):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stderr == ""


@pytest.mark.parametrize(
    "notes",
    [["A short note."] * 80, ["word " * 400] * 3, ["x" * 2000], ["one line\n" * 200]],
    ids=["many", "long", "unbroken", "lines"],
)
def test_notes_that_fill_more_than_a_page_continue_on_the_next(notes: list[str]) -> None:
    record = Record(playout(limit=12))
    for note in notes:
        record.add("annotate", seq=12, text=note)
    reader = PdfReader(BytesIO(export("pdf", record.events)))
    told = "".join(page.extract_text() for page in reader.pages)
    assert len(reader.pages) > 1
    for word in {word for note in notes for word in note.split() if len(word) < 20}:
        assert told.count(word) >= sum(note.count(word) for note in notes), word
