"""svg, png and gif: pictures of the table, opened by the tools for each format."""

from __future__ import annotations

import itertools
from io import BytesIO

import msgspec
import pytest
from PIL import Image, ImageChops

from engine.core.events import Event
from engine.play import registry
from exports import FORMATS, Animation, Log, Unsuitable, pictures
from tests.drawing.pictures import attribute_values, read
from tests.exports.logs import GAME, LOGS, export
from tests.playouts import playout

TURNS = playout(limit=40)
"""A log of some turns."""
DEFAULT = Animation()


def open_picture(data: bytes) -> Image.Image:
    """Return a picture with all pixels read."""
    Image.open(BytesIO(data)).verify()
    image = Image.open(BytesIO(data))
    image.load()
    return image


def gif(events: list[Event], animation: Animation = DEFAULT) -> list[tuple[Image.Image, int]]:
    """Return each frame with its duration in milliseconds."""
    image = open_picture(b"".join(pictures.write_gif(Log(GAME, events, animation=animation))))
    assert (image.format, image.info["loop"]) == ("GIF", 0)
    frames = []
    for at in range(getattr(image, "n_frames", 1)):
        image.seek(at)
        frames.append((image.convert("RGB"), int(image.info["duration"])))
    return frames


@pytest.mark.parametrize("rules", [rules.id for rules in registry.rulesets()])
def test_the_table_after_the_last_event(rules: str) -> None:
    events = playout(rules, 3, registry.ruleset(rules).players[1], limit=60)

    root = read(export("svg", events))
    image = open_picture(export("png", events))

    assert "player.p1" in attribute_values(root, "data-id")
    assert not attribute_values(root, "data-changed")
    assert (image.format, image.width) == ("PNG", pictures.PNG_WIDTH)
    ratio = float(root.attrib["height"]) / float(root.attrib["width"])
    assert image.height == pytest.approx(ratio * image.width, abs=3)
    assert len(image.convert("RGB").getcolors(1 << 24) or ()) > 20


def test_before_the_set_up() -> None:
    assert "The game is not set up yet." in export("svg", playout(limit=1)).decode()
    assert len(gif(playout(limit=1))) == 1


def test_a_name_is_in_the_picture_whatever_its_script() -> None:
    """The pictures contain letters; without a font both would be equal."""
    shown = []
    for name in ("Ada", "Ольга", "   "):
        events = playout(limit=3)
        params = {**events[0].params, "seats": [{"name": name}, {"name": "Bo"}]}
        shown.append(export("png", [msgspec.structs.replace(events[0], params=params), *events[1:]]))
    assert len(set(shown)) == 3


def test_a_gif_has_a_frame_a_turn_and_stays_at_its_last() -> None:
    frames = gif(TURNS, Animation(delay=700, hold=4000))

    turns = {event.turn for event in TURNS}
    assert len(frames) == len(turns)
    assert [shown for _, shown in frames] == [*[700] * (len(turns) - 1), 4000]
    assert len({image.size for image, _ in frames}) == 1
    for (one, _), (other, _) in itertools.pairwise(frames):
        assert ImageChops.difference(one, other).getbbox() is not None


def test_a_gif_of_every_event_from_one_on() -> None:
    """An event without a visible change has no frame; the previous frame is shown for longer."""
    noted = LOGS["annotated"]()
    assert [event.type for event in noted[-2:]] == [noted[-2].type, "annotate"]

    frames = gif(noted, Animation(first=len(noted) - 3, each="event", delay=500, hold=600))

    assert len(frames) == 3
    assert [shown for _, shown in frames] == [500, 500, 600]


def test_a_gif_shows_what_stands() -> None:
    undone, stands = LOGS["undos"](), LOGS["redone"]()
    for events in (undone, stands, LOGS["corrected"]()):
        assert gif(events)[-1][1] == 5000


def test_a_gif_of_corrections_alone_is_the_table_as_it_is() -> None:
    events = LOGS["undos"]()
    assert len(gif(events, Animation(first=len(events)))) == 1


def test_a_gif_has_no_more_frames_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_FRAMES", 5)
    for animation, said in (
        (Animation(each="event"), f"begin at event {len(TURNS) - 4} or later"),
        (Animation(first=len(TURNS) + 1), f"the last event is {len(TURNS)}"),
    ):
        with pytest.raises(Unsuitable, match=said):
            gif(TURNS, animation)
    assert len(gif(TURNS, Animation(first=len(TURNS) - 4, each="event"))) <= 5
    monkeypatch.setattr(pictures, "MOST_FRAMES", 2)
    with pytest.raises(Unsuitable, match="turns: begin later"):
        FORMATS["gif"].check(Log(GAME, TURNS))  # type: ignore[misc]
