"""The transcript as PDF, set by ReportLab, with its pictures as vectors.

ReportLab includes a font for Latin letters. For other characters, the machine's DejaVu is used if it is installed. For
Chinese, Japanese and Korean, the machine's fonts are used, or else the fonts that PDF readers include. A character that
no font has is printed as a lozenge, which the transcript explains. Hebrew and Arabic are set from right to left.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import IO, Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import msgspec
from reportlab.graphics.shapes import STATE_DEFAULTS
from reportlab.lib import colors
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, Paragraph, SimpleDocTemplate
from svglib.fonts import register_font
from svglib.svglib import svg2rlg

from engine.core.language import marked, say
from engine.core.text import visible
from exports import direction
from exports.fonts import VERA, VERA_BOLD, dejavu, eastern
from exports.prose import HOW_TO_VERIFY, sentences
from exports.transcript import Transcript, TranscriptPart, draw_table
from exports.words import Words

MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN
_PADDING = 6
"""The padding of ReportLab's frames, in points."""
COLUMN = WIDTH - 2 * _PADDING
"""The width of a paragraph, in points."""
HIGHEST = 82 * mm
"""The maximum height of a picture, so that two turns fit on a page."""
LOWEST = 56 * mm
"""The minimum height of a picture that is reduced to fit its turn on the current page."""
MOST_EMPTY = 0.4
"""Maximum fraction of a page that may stay empty, so that a turn is not split."""
LONGEST_PIECE = 400
"""Maximum number of characters of a sentence that is kept on one page."""
PIXEL = 0.75
"""The number of points in a CSS pixel."""
LARGEST_PART = 3000
"""Maximum bytes of SVG of a part that is converted and stored as a whole."""
_UNSEEN = frozenset(("title", "desc"))
_SAYS = re.compile("data-|aria-|role|class").match
"""Attributes that describe a group and do not affect how it looks."""
IN_MEMORY = 1 << 22
"""Maximum size of a file in memory, in bytes; a larger file is on disk until it is read."""
UNKNOWN = "\u25ca"
"""Replaces a character that no font has. The included font Vera has this replacement."""
NOT_ALL = marked("Some characters are missing in the available fonts; they are shown as {sign}.")
_INK, _SOFT, _NOTE = colors.HexColor("#17262e"), colors.HexColor("#4d5f69"), colors.HexColor("#8a5a10")
_EASTERN = (
    ("HYSMyeongJo-Medium", (0x1100, 0x11FF), (0xAC00, 0xD7AF)),
    ("HeiseiMin-W3", (0x2E80, 0x9FFF), (0xFF00, 0xFFEF)),
)


def write(about: Words, transcript: Transcript) -> IO[bytes]:
    """Return the transcript as a PDF file (A4), positioned at its start.

    Pictures show only the board of each table, because other parts of it would be too small.
    """
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - whoever reads it closes it
    try:
        _build(file, about, transcript)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _build(file: IO[bytes], about: Words, transcript: Transcript) -> None:
    text = _Text(transcript.all_names)
    document = SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=f"{about.title}: {about.players}",
        author="Driftlog",
        subject=say("Game {game}", game=about.id),
        initialFontName=_fonts()[0][0],
    )
    foot = functools.partial(_foot, text, f"{about.title} · {about.date} · {transcript.game.head[:16]}…")
    flowables = list(_flowables(about, transcript, text))
    document.build(flowables, onFirstPage=foot, onLaterPages=foot, canvasmaker=_Canvas)


class _Canvas(Canvas):  # type: ignore[misc]  # ReportLab has no types
    def endForm(self, **more: Any) -> None:  # noqa: N802 - ReportLab's name
        resources = PDFResourceDictionary()
        resources.basicFonts()
        resources.allProcs()
        resources.ExtGState = self._extgstate.getState() or PDFDictionary()
        super().endForm(Resources=resources, **more)


class _Text:
    """Sets text in fonts that contain its characters.

    Args:
        names: the players' names, which may run from right to left within a sentence from left to right.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.is_complete = True
        self._names = tuple(names)
        self._fonts = _fonts()

    def paragraph(self, text: str, style: ParagraphStyle, *, by_players: bool = False) -> Paragraph:
        """Return plain text as a paragraph. A text that players wrote has the direction of its first letter."""
        text = visible(text)
        if not direction.is_mixed(text):
            return Paragraph(self.markup(text), style)
        main = direction.main_direction(text) if by_players else "L"
        lines = [
            direction.drawing_order(line, main)
            for line in self._lines(direction.join_letters(text, self._names), style)
        ]
        if main == "R":
            style = ParagraphStyle(style.name, style, alignment=TA_RIGHT)
        return Paragraph(self.markup("\n".join(lines)), style)

    def line(self, text: str) -> str:
        """Return a text without line breaks in the order in which it is drawn, from left to right."""
        text = visible(text)
        if not direction.is_mixed(text):
            return text
        return direction.drawing_order(direction.join_letters(text, self._names), "L")

    def markup(self, text: str) -> str:
        """Return `text` as ReportLab's markup. Each run of the markup has one font."""
        runs = []
        for font, characters in itertools.groupby(visible(text), self._font):
            run = escape("".join(characters)).replace("\n", "<br/>")
            if font is None:
                self.is_complete = False
                run = UNKNOWN * len(run)
            runs.append(run if font in (None, "Vera") else f'<font name="{font}">{run}</font>')
        return "".join(runs)

    def _lines(self, text: str, style: ParagraphStyle) -> Iterator[str]:
        for whole in text.split("\n"):
            line = ""
            for word in whole.split(" "):
                longer = f"{line} {word}" if line else word
                if line and self._width(longer, style) > COLUMN - style.leftIndent:
                    yield line
                    longer = word
                line = longer
            yield line

    def _width(self, text: str, style: ParagraphStyle) -> float:
        runs = itertools.groupby(text, self._font)
        fonts = [(style.fontName if font in (None, "Vera") else font, "".join(run)) for font, run in runs]
        return float(sum(pdfmetrics.stringWidth(run, font, style.fontSize) for font, run in fonts))

    def _font(self, character: str) -> str | None:
        code = ord(character)
        for name, covered in self._fonts:
            if code in covered or character.isspace():
                return name
        for name, *ranges in _EASTERN:
            if any(first <= code <= last for first, last in ranges):
                return name
        return None


@functools.cache
def _fonts() -> tuple[tuple[str, frozenset[int]], ...]:
    """Register the embedded fonts. Return each font with its characters, in order of preference."""
    found = []
    fonts: list[tuple[str, str, str | None, str | None]] = [
        ("Vera", VERA, "VeraBd", VERA_BOLD),
        ("DejaVuSans", dejavu() or "", None, None),
    ]
    fonts += [(f"Eastern{at}", path, None, None) for at, path in enumerate(eastern())]
    for name, path, bold, bold_path in fonts:
        _, is_registered = register_font(name, path, rlgFontName=name)
        if not is_registered:
            continue
        register_font(name, bold_path or path, weight="bold", rlgFontName=bold or name)
        pdfmetrics.registerFontFamily(name, normal=name, bold=bold or name, italic=name, boldItalic=bold or name)
        found.append((name, frozenset(pdfmetrics.getFont(name).face.charToGlyph)))
    # Every drawing begins with this font, even if the texts in it use other fonts.
    STATE_DEFAULTS["fontName"] = found[0][0]
    for name, *_ in _EASTERN:
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return tuple(found)


def _family(text: str) -> str:
    """Return the first embedded font with all characters of `text`, otherwise the first font."""
    fonts, characters = _fonts(), set(map(ord, text))
    return next((name for name, covered in fonts if characters <= covered), fonts[0][0])


def _style(name: str, size: float, **more: Any) -> ParagraphStyle:
    settings = {"fontName": "Vera", "fontSize": size, "leading": size * 1.4, "textColor": _INK, "alignment": TA_LEFT}
    return ParagraphStyle(name, **settings | more)


_TITLE = _style("title", 22, fontName="VeraBd", leading=28, spaceAfter=4)
_LEAD = _style("lead", 11, textColor=_SOFT, spaceAfter=8)
_HEADING = _style("heading", 12.5, fontName="VeraBd", spaceBefore=12, spaceAfter=4)
_BODY = _style("body", 9.5, spaceAfter=4)
_QUOTE = _style("note", 9, textColor=_NOTE, leftIndent=10, borderPadding=0, spaceAfter=4)
_HEADLINE = _style("headline", 8, textColor=_SOFT, spaceBefore=3, spaceAfter=4)
_HASH = _style("hash", 8, spaceAfter=4)


def _flowables(about: Words, transcript: Transcript, text: _Text) -> Iterator[Flowable]:
    game = transcript.game
    yield text.paragraph(about.title, _TITLE)
    yield text.paragraph(f"{about.players} · {about.date} · {about.standing}", _LEAD)
    chosen = "; ".join(
        f"{option}{'' if option.endswith('?') else ':'} {value}" for option, value in transcript.options()
    )
    yield text.paragraph(say("{options}; chance: {chance}", options=chosen, chance=transcript.chance()), _BODY)
    forms = _Forms()
    for part in transcript.parts():
        drawn = None if part.table is None else draw_table(game, part.table, "board", transcript.seat)
        yield _Turn(part, None if drawn is None else _Picture(drawn, forms, text), text)
    yield text.paragraph(say("The end") if about.ending else say("So far"), _HEADING)
    yield text.paragraph(f"{about.standing[0].upper()}{about.standing[1:]}. {transcript.ending()}", _BODY)
    yield CondPageBreak(40 * mm)
    yield text.paragraph(say("The record"), _HEADING)
    told = {"game": about.id, "version": game.header.ruleset_version, "count": game.version}
    yield text.paragraph(say("Game {game}, by version {version} of the rules; {count} events.", **told), _BODY)
    yield Paragraph(game.head, _HASH)
    yield text.paragraph(say(HOW_TO_VERIFY), _BODY)
    if not text.is_complete:
        yield text.paragraph(say(NOT_ALL, sign=UNKNOWN), _HEADLINE)


class _Turn(Flowable):  # type: ignore[misc]  # ReportLab has no types
    def __init__(self, part: TranscriptPart, picture: _Picture | None, text: _Text, *, heading: bool = True) -> None:
        super().__init__()
        self._part, self._picture, self._text, self._has_heading = part, picture, text, heading
        self._words = [text.paragraph(part.heading, _HEADING)] if heading else []
        self._words += [text.paragraph(one, _BODY) for one in part.paragraphs]
        self._words += [text.paragraph(note, _QUOTE, by_players=True) for note in part.notes]
        self._under = [] if picture is None else [text.paragraph(part.headline, _HEADLINE)]
        self._heights: list[float] = []

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self._heights = [_height(one, width) for one in (*self._words, *self._under)]
        words = sum(self._heights)
        if self._picture is not None:
            self._picture.fit(max(LOWEST, min(HIGHEST, height - words)))
            words += self._picture.wrap()[1]
        self.width, self.height = width, words
        return width, words

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split the turn into a part for this page and the rest."""
        if height < MOST_EMPTY * (A4[1] - 2 * MARGIN):
            return []
        pieces = [*_pieces(self._part.paragraphs), *((~at, one) for at, one in _pieces(self._part.notes))]

        def is_too_high(cut: int) -> bool:
            return self._of(pieces[:cut], None, heading=self._has_heading).wrap(width, height)[1] > height

        cut = bisect.bisect_left(range(1, len(pieces)), 1, key=is_too_high)
        if cut == 0:
            return []
        begun = self._of(pieces[:cut], None, heading=self._has_heading)
        return [begun, self._of(pieces[cut:], self._picture, heading=False)]

    def draw(self) -> None:
        top = self.height
        for one, height in zip(self._words, self._heights, strict=False):
            top -= height
            one.drawOn(self.canv, 0, top + one.getSpaceAfter())
        if self._picture is not None:
            top -= self._picture.wrap()[1]
            self._picture.drawOn(self.canv, 0, top)
        for one, height in zip(self._under, self._heights[len(self._words) :], strict=True):
            top -= height
            one.drawOn(self.canv, 0, top + one.getSpaceAfter())

    def _of(self, pieces: list[tuple[int, str]], picture: _Picture | None, *, heading: bool) -> _Turn:
        whole = {
            at: " ".join(one for _, one in group) for at, group in itertools.groupby(pieces, key=lambda pair: pair[0])
        }
        part = msgspec.structs.replace(
            self._part,
            paragraphs=tuple(text for at, text in whole.items() if at >= 0),
            notes=tuple(text for at, text in whole.items() if at < 0),
        )
        return _Turn(part, picture, self._text, heading=heading)


def _pieces(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield pieces of the texts, each with the index of its text. A page can end between two pieces."""
    for at, text in enumerate(texts):
        for one in sentences(text):
            pieces = [one] if len(one) <= LONGEST_PIECE else textwrap.wrap(one, LONGEST_PIECE)
            yield from ((at, piece) for piece in pieces)


def _height(paragraph: Paragraph, width: float) -> float:
    height: float = paragraph.wrap(width, A4[1])[1]
    return height + float(paragraph.getSpaceBefore()) + float(paragraph.getSpaceAfter())


class _Forms:
    """Draws pictures as vectors, part by part. A part that several turns share is stored once."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}

    def draw(self, canvas: Any, picture: ElementTree.Element) -> None:
        """Draw a picture at the origin, without scaling it."""
        for part in _parts(picture, []):
            name = self._names.get(part)
            if name is None:
                name = self._names[part] = f"part{len(self._names)}"
                drawing: Any = svg2rlg(BytesIO(part))
                canvas.beginForm(name, 0, 0, drawing.width, drawing.height)
                drawing.drawOn(canvas, 0, 0)
                canvas.endForm()
            canvas.doForm(name)


def _parts(element: ElementTree.Element, around: list[ElementTree.Element]) -> Iterator[bytes]:
    """Yield the parts of a picture from back to front, each as a separate picture."""
    for child in element:
        if child.tag.rpartition("}")[2] in _UNSEEN:
            continue
        inside = [*around, element]
        if len(child) and len(ElementTree.tostring(child)) > LARGEST_PART:
            yield from _parts(child, inside)
            continue
        whole = child
        for outer in reversed(inside):
            shell = ElementTree.Element(
                outer.tag, {name: value for name, value in outer.attrib.items() if not _SAYS(name)}
            )
            shell.append(whole)
            whole = shell
        yield ElementTree.tostring(whole)


class _Picture(Flowable):  # type: ignore[misc]  # ReportLab has no types
    def __init__(self, svg: str, forms: _Forms, text: _Text) -> None:
        super().__init__()
        self._forms = forms
        self._picture = ElementTree.fromstring(svg)  # noqa: S314 - it is our own
        for element in self._picture.iter():
            if element.tag.rpartition("}")[2] == "text":
                element.text = text.line(element.text or "")
                element.set("font-family", _family(element.text))
        self._width, self._height = (float(self._picture.attrib[side]) * PIXEL for side in ("width", "height"))
        self.fit(HIGHEST)

    def fit(self, height: float) -> None:
        """Limit the height of the picture."""
        self._scale = min(WIDTH / self._width, height / self._height)

    def wrap(self, *_: float) -> tuple[float, float]:
        return WIDTH, self._height * self._scale

    def draw(self) -> None:
        self.canv.translate((WIDTH - self._width * self._scale) / 2, 0)
        self.canv.scale(self._scale, self._scale)
        self._forms.draw(self.canv, self._picture)


def _foot(text: _Text, line: str, canvas: Any, document: Any) -> None:
    canvas.saveState()
    canvas.setFont(_family(line := text.line(line)), 7)
    canvas.setFillColor(_SOFT)
    canvas.drawString(MARGIN + _PADDING, 10 * mm, line)
    canvas.drawRightString(A4[0] - MARGIN - _PADDING, 10 * mm, str(document.page))
    canvas.restoreState()
