"""svg, png and gif: the table as a picture, and the game as an animation, for paper, chats and link previews.

Colours come from the light theme, and are inlined so that every program shows the same picture. Pictures include hidden
data that the viewer may see. A GIF has a frame for each turn or event in effect, and shows the last frame for longer.
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
from exports.log import Format, Log, Unsuitable
from exports.narration import mainline

if TYPE_CHECKING:
    from PIL import Image

PNG_WIDTH = 1600
"""The width of a PNG in pixels."""
GIF_WIDTH = 720
"""The width of a GIF in pixels."""
MOST_FRAMES = 300
COLOURS = 255
"""Maximum number of colours in a GIF, besides the colour for unchanged pixels."""


def scene(log: Log, state: State | None) -> Scene:
    """Return the scene of a table, as the viewer of `log` may see it."""
    game = log.fold()
    if state is None:
        return game.ruleset.empty_board(game.names)
    return belief.board(game.ruleset, state, game.names, log.seat)


def write_svg(log: Log) -> Iterator[bytes]:
    """Write the table after the last event of `log` as SVG."""
    return iter([_draw(log, log.fold().state)])


def write_png(log: Log) -> Iterator[bytes]:
    """Write the table after the last event of `log` as PNG."""
    return iter([raster.png(_draw(log, log.fold().state).decode(), PNG_WIDTH)])


def write_gif(log: Log) -> Iterator[bytes]:
    """Write the game of `log` as a GIF, with the options of `log.animation`.

    Raises:
        Unsuitable: there would be more frames than `MOST_FRAMES`, or none.
    """
    check(log)
    shown = log.animation
    # Compress frames until the end, because the size of the largest one is known only then.
    frames: list[bytes] = []
    delays: list[int] = []
    for state in _states(log):
        frame = zlib.compress(_draw(log, state), 1)
        if frames and frame == frames[-1]:
            delays[-1] += shown.delay
        else:
            frames.append(frame)
            delays.append(shown.delay)
    delays[-1] = shown.hold
    return iter([_encode_gif(frames, delays)])


def check(log: Log) -> None:
    """Check the number of frames of `log.animation`, without drawing.

    Raises:
        Unsuitable: there are too many frames, or none.
    """
    shown, version = log.animation, log.fold().version
    if shown.first > version:
        raise Unsuitable("/from", f"there is no such event: the last event is {version}")
    if shown.each == "event" and version - shown.first >= MOST_FRAMES:
        raise Unsuitable(
            "/from",
            f"a GIF has at most {MOST_FRAMES} frames: begin at event {version - MOST_FRAMES + 1} or later, end earlier "
            "with `until`, or choose one frame per turn (`each=turn`)",
        )
    turns = log.fold().turn
    if shown.each == "turn" and shown.first == 1 and turns >= MOST_FRAMES:
        raise Unsuitable(
            "/from", f"a GIF has at most {MOST_FRAMES} frames, but this game has {turns} turns: begin later"
        )


def _states(log: Log) -> Iterator[State | None]:
    shown = log.animation
    narrated = (one for one in mainline(log) if one.event.seq >= shown.first)
    is_any = False
    for _, group in itertools.groupby(narrated, lambda one: one.event.turn if shown.each == "turn" else one.event.seq):
        *_, last = group
        yield last.after
        is_any = True
    if not is_any:
        # All requested events are corrections, which have no place of their own in the line.
        yield log.fold().state


def _encode_gif(frames: list[bytes], delays: list[int]) -> bytes:
    from PIL import Image

    # The first, the middle and the last frame almost always contain all colours.
    pixels = [
        raster.image(zlib.decompress(frames[at]).decode(), GIF_WIDTH)
        for at in sorted({0, len(frames) // 2, len(frames) - 1})
    ]
    palette = _palette(pixels)
    height = max(_height(zlib.decompress(frame)) for frame in frames)

    def to_frame(frame: bytes) -> Image.Image:
        picture = raster.image(zlib.decompress(frame).decode(), GIF_WIDTH)
        sheet = Image.new("RGB", (GIF_WIDTH, height), picture.getpixel((0, 0)))
        sheet.paste(picture)
        return sheet.quantize(palette=palette, dither=Image.Dither.NONE)

    first, *others = frames
    out = BytesIO()
    to_frame(first).save(
        out,
        "GIF",
        save_all=True,
        append_images=map(to_frame, others),
        duration=delays if others else delays[0],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _palette(pictures: list[Image.Image]) -> Image.Image:
    from PIL import Image

    together = Image.new("RGB", (GIF_WIDTH, sum(one.height for one in pictures)))
    top = 0
    for one in pictures:
        together.paste(one, (0, top))
        top += one.height
    return together.quantize(COLOURS)


def _height(svg: bytes) -> int:
    root = ElementTree.fromstring(svg)  # noqa: S314  # our own
    return -(-int(float(root.attrib["height"]) * GIF_WIDTH) // int(float(root.attrib["width"])))


def _draw(log: Log, state: State | None) -> bytes:
    return drawing.svg(scene(log, state), plain=True)


SVG = Format(
    name="svg",
    media_type="image/svg+xml",
    extension="svg",
    loses="The events. The picture shows the table after the last event.",
    write=write_svg,
    is_said=True,
)
PNG = Format(
    name="png",
    media_type="image/png",
    extension="png",
    loses="The events. The picture shows the table after the last event.",
    write=write_png,
    is_whole=True,
    is_said=True,
)
GIF = Format(
    name="gif",
    media_type="image/gif",
    extension="gif",
    loses="Everything except pictures of the table, one for each turn or event.",
    write=write_gif,
    check=check,
    is_animated=True,
    is_whole=True,
    by_worker=True,
    many=False,
    is_said=True,
)
