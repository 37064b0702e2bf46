"""Photo entry: an album of the tiles, four corners on a photo of the island, a question about each doubtful tile."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Sequence

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import Page, Request, expect

from tests.browser.test_setup_pictures import DEALT, HANDS, start
from tests.cli.service import Service

pytestmark = pytest.mark.long

TILE, GAP, TABLE = 100, 8, 160
"""The sides of tiles, of the gaps between them, and of the table around the island, in pixels."""
LENS = (1.06, 0.1, -20.0, -0.06, 1.0, -40.0, 0.00002, 0.00012)
"""The camera's projection: from a point of the photo to one of the table."""
MOST_TAPS = 16
"""The four corners, the doubtful tiles, roles and hands."""

Point = tuple[float, float]


def box_of_tiles(page: Page) -> dict[str, Image.Image]:
    """Return the pictures of the tiles that are laid on the page, by value."""
    spaces = page.locator("#grid .space").all()
    pictures = [Image.open(io.BytesIO(one.screenshot())).convert("RGB").resize((TILE, TILE)) for one in spaces]
    return {one.get_attribute("data-value") or "": picture for one, picture in zip(spaces, pictures, strict=True)}


def places(page: Page) -> list[Point]:
    """Return the column and row of each space, from 0."""
    areas = page.locator("#grid .space").evaluate_all("all => all.map((one) => one.style.gridArea.split('/'))")
    return [(int(column) - 1, int(row) - 1) for row, column, *_ in areas]


def make_photo(tiles: Sequence[Image.Image], at: Sequence[Point], rng: random.Random) -> tuple[bytes, list[Point]]:
    """Return a skewed, soft and yellowish photo of tiles on a table, and its four corners."""
    side = 6 * TILE + 5 * GAP + 2 * TABLE
    table = Image.new("RGB", (side, side), (96, 66, 40))
    corners = [(TABLE + x * (TILE + GAP), TABLE + y * (TILE + GAP)) for x, y in at]
    for tile, (x, y) in zip(tiles, corners, strict=True):
        turned = tile.rotate(rng.uniform(-2, 2), fillcolor=(96, 66, 40), resample=Image.Resampling.BICUBIC)
        table.paste(turned, (int(x) + rng.randint(-2, 2), int(y) + rng.randint(-2, 2)))
    photo = table.transform((960, 1080), Image.Transform.PERSPECTIVE, LENS, Image.Resampling.BICUBIC)
    photo = photo.filter(ImageFilter.GaussianBlur(1.5))
    warm = [
        photo.getchannel(band).point(lambda value, by=by: int(value * by))
        for band, by in zip("RGB", (0.95, 0.85, 0.7), strict=True)
    ]
    photo = Image.blend(Image.merge("RGB", warm), Image.effect_noise(photo.size, 60).convert("RGB"), 0.06)
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=85)
    ends = [(0, 0, 0), (11, 1, 0), (23, 1, 1), (12, 0, 1)]
    return file.getvalue(), [_photo_point(corners[one][0] + TILE * x, corners[one][1] + TILE * y) for one, x, y in ends]


def _photo_point(u: float, v: float) -> Point:
    """Return the point of the photo that shows a point of the table."""
    a, b, c, d, e, f, g, h = LENS
    p, q, r, s = a - u * g, b - u * h, d - v * g, e - v * h
    return ((u - c) * s - (v - f) * q) / (p * s - q * r), (p * (v - f) - r * (u - c)) / (p * s - q * r)


def take(page: Page, photo: bytes) -> None:
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name=re.compile("Take photo|Retake")).tap()
    choosing.value.set_files({"name": "island.jpg", "mimeType": "image/jpeg", "buffer": photo})
    expect(page.locator("#ask")).to_contain_text("Tap corner 1")


def tap_corners(page: Page, corners: Sequence[Point]) -> None:
    for number, (x, y) in enumerate(corners):
        expect(page.locator("#count")).to_have_text(f"{number} of 4")
        box = page.locator(".shot").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + x * box["width"] / 960, box["y"] + y * box["width"] / 960)


def test_an_island_is_read_from_a_photo(page: Page, service: Service) -> None:
    """The photo stays on the phone. The page asks about doubtful tiles, and enters nothing before Accept."""
    start(page, service)
    rng = random.Random(3)
    page.get_by_role("button", name="Use photo").tap()
    expect(page.locator("#ask")).to_have_text("First, place your tiles as shown, and photograph them.")
    expect(page.locator("#panel")).to_contain_text("Photos stay on this phone. Nothing is uploaded.")
    tiles, at = box_of_tiles(page), places(page)
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method != "GET" or request.post_data:
            sent.append(request.url)

    page.on("request", note)
    photo, corners = make_photo(list(tiles.values()), at, rng)
    take(page, photo)
    tap_corners(page, corners)
    expect(page.locator("#ask")).to_have_text("Does each space show your photo of its tile?")
    page.get_by_role("button", name="Keep pictures").tap()
    # The album is kept after the page is closed. It also serves for a photo of another evening.
    expect(page.locator("#ask")).to_have_text("Photograph the whole island from above.")
    page.reload()
    page.get_by_role("button", name="Use photo").tap()
    island = rng.sample(list(tiles), len(tiles))
    photo, corners = make_photo([tiles[value] for value in island], at, rng)
    take(page, photo)
    # Corners in a wrong order form no outline. A corner on a wrong tile makes the page recognize too few tiles.
    tap_corners(page, [corners[0], corners[2], corners[1], corners[3]])
    expect(page.locator("#ask")).to_have_text("The corners do not fit. Drag the dots.")
    take(page, photo)
    tap_corners(page, [corners[0], corners[1], (corners[2][0] - 130, corners[2][1] - 130), corners[3]])
    expect(page.locator("#ask")).to_contain_text(re.compile("^Only [0-9]+ of 24 tiles could be read"))
    take(page, photo)
    tap_corners(page, corners)
    expect(page.locator("#title")).to_have_text("Check the photo")
    assert page.locator("#grid .space.now").count() <= page.locator(".unsure").count(), (
        "no tile but doubtful ones is asked"
    )
    taps = 4
    while page.locator(".unsure").count():
        space = page.locator("#grid .space.now").get_attribute("data-key")
        assert space is not None
        answer = page.locator(f".answers [data-key='tile.{island[int(space.split('.')[1])]}']")
        assert answer.is_visible(), "a doubtful tile is one of the two best answers"
        answer.tap()
        taps += 1
    values = page.locator("#grid .space").evaluate_all("all => all.map((one) => one.dataset.value)")
    assert values == island
    page.get_by_role("button", name="Accept").tap()
    expect(page.locator("#title")).to_have_text("Mark the flooded tiles")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#count")).to_have_text("0 of 24")
    page.get_by_role("button", name="Use photo").tap()
    page.get_by_role("button", name="Cancel").tap()
    assert sent == []
    assert taps + len(DEALT) + len(HANDS) <= MOST_TAPS
