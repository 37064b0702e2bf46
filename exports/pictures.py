"""svg, png and gif: the table as a picture for paper, chats and link previews, and the game as one that moves.

Light colours in place, so that every program shows it alike. What players hide is in it where its viewer may see it.
A GIF has a frame for each turn of what stands, or for each event of it, and stays at its last one for longer.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import drawing
from engine.core.values import State
from engine.kit.scene import Scene
from engine.play.beliefs import belief
from exports import raster
from exports.log import Format, Log, Unsuitable, chunks
from exports.narration import mainline

if TYPE_CHECKING:
    from PIL import Image

PNG_WIDTH = 1600
"""Pixels, of a picture by itself."""
GIF_WIDTH = 720
"""Pixels."""
MOST_FRAMES = 300
COLOURS = 255
"""Of a GIF, beside the one that says that a pixel stays as it is."""


def scene(log: Log, state: State | None) -> Scene:
    """A table of the game of `log`, as its viewer may see it."""
    game = log.folded()
    names = game.header.names
    if state is None:
        return game.ruleset.empty_board(names)
    return belief.board(game.ruleset, state, names, log.seat)


def write_svg(log: Log) -> Iterator[bytes]:
    """The picture of the table after the last event of `log`.

    Raises:
        EngineError: the log does not replay.
    """
    return chunks([_drawn(log, log.folded().state)])


def write_png(log: Log) -> Iterator[bytes]:
    """The same, in pixels.

    Raises:
        As `write_svg`.
    """
    return chunks([raster.png(_drawn(log, log.folded().state).decode(), PNG_WIDTH)])


def write_gif(log: Log) -> Iterator[bytes]:
    """The game of `log` as a picture that moves, as `log.animation` says.

    Raises:
        Unsuitable: it would have more frames than `MOST_FRAMES`, or none.
        EngineError: the log does not replay.
    """
    check(log)
    shown = log.animation
    # Packed: each is as long as a page of text, and the largest is known when all are drawn.
    frames: list[bytes] = []
    delays: list[int] = []
    for state in _states(log):
        frame = zlib.compress(_drawn(log, state), 1)
        if frames and frame == frames[-1]:
            delays[-1] += shown.delay
        else:
            frames.append(frame)
            delays.append(shown.delay)
    delays[-1] = shown.hold
    return chunks([_animated(frames, delays)])


def check(log: Log) -> None:
    """Look whether the frames of `log.animation` are not too many, before any is drawn.

    Raises:
        Unsuitable: they are, or there is none.
    """
    shown, version = log.animation, log.folded().version
    if shown.first > version:
        raise Unsuitable("/from", f"the last event is {version}")
    if shown.each == "event" and version - shown.first >= MOST_FRAMES:
        raise Unsuitable(
            "/from",
            f"a GIF has {MOST_FRAMES} frames at the most: begin at event {version - MOST_FRAMES + 1} or later, end "
            "sooner by `until`, or have a frame a turn (`each=turn`)",
        )
    turns = log.folded().turn
    if shown.each == "turn" and shown.first == 1 and turns >= MOST_FRAMES:
        raise Unsuitable(
            "/from", f"a GIF has {MOST_FRAMES} frames at the most, and this game has {turns} turns: begin later"
        )


def _states(log: Log) -> Iterator[State | None]:
    """The tables that are shown, in order."""
    shown = log.animation
    narrated = (one for one in mainline(log) if one.event.seq >= shown.first)
    is_any = False
    for _, group in itertools.groupby(narrated, lambda one: one.event.turn if shown.each == "turn" else one.event.seq):
        *_, last = group
        yield last.after
        is_any = True
    if not is_any:
        # All that was asked for are corrections, which stand in other places.
        yield log.folded().state


def _animated(frames: list[bytes], delays: list[int]) -> bytes:
    """Frames (SVG, packed) as one GIF; each is shown for so many milliseconds."""
    from PIL import Image

    pixels = [raster.image(zlib.decompress(frames[at]).decode(), GIF_WIDTH) for at in _samples(len(frames))]
    palette = _palette(pixels)
    height = max(_height(zlib.decompress(frame)) for frame in frames)

    def framed(frame: bytes) -> Image.Image:
        picture = raster.image(zlib.decompress(frame).decode(), GIF_WIDTH)
        sheet = Image.new("RGB", (GIF_WIDTH, height), picture.getpixel((0, 0)))
        sheet.paste(picture)
        return sheet.quantize(palette=palette, dither=Image.Dither.NONE)

    first, *others = frames
    out = BytesIO()
    framed(first).save(
        out,
        "GIF",
        save_all=True,
        append_images=map(framed, others),
        duration=delays if others else delays[0],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _samples(count: int) -> list[int]:
    """Frames that have all colours among them, as good as always: the first, the middle, and the last."""
    return sorted({0, count // 2, count - 1})


def _palette(pictures: list[Image.Image]) -> Image.Image:
    """The colours of all of these."""
    from PIL import Image

    together = Image.new("RGB", (GIF_WIDTH, sum(one.height for one in pictures)))
    top = 0
    for one in pictures:
        together.paste(one, (0, top))
        top += one.height
    return together.quantize(COLOURS)


def _height(svg: bytes) -> int:
    """How high a picture is when it is `GIF_WIDTH` wide."""
    root = ElementTree.fromstring(svg)  # noqa: S314  # our own
    return -(-int(float(root.attrib["height"]) * GIF_WIDTH) // int(float(root.attrib["width"])))


def _drawn(log: Log, state: State | None) -> bytes:
    return drawing.svg(scene(log, state), plain=True)


SVG = Format(
    name="svg",
    media_type="image/svg+xml",
    extension="svg",
    loses="The events: it is the table after the last of them.",
    write=write_svg,
    is_said=True,
)
PNG = Format(
    name="png",
    media_type="image/png",
    extension="png",
    loses="The events: it is the table after the last of them.",
    write=write_png,
    is_whole=True,
    is_said=True,
)
GIF = Format(
    name="gif",
    media_type="image/gif",
    extension="gif",
    loses="All but how the table looked, turn by turn or event by event.",
    write=write_gif,
    check=check,
    is_animated=True,
    is_whole=True,
    by_worker=True,
    many=False,
    is_said=True,
)
