"""Planes of the picture: the map board, the open page of the location book, the constellations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from math import sqrt

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forgotten_waters.scenario.effects import FillStar
from engine.games.forgotten_waters.scenario.pack import Sheet
from engine.games.forgotten_waters.scenario.values import Place
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.view.board import DIAL, SYMBOLS, standee
from engine.games.forgotten_waters.view.texts import passage
from engine.games.forgotten_waters.view.vignettes import FACE_DOWN, ROCKS, picture, sight
from engine.games.forgotten_waters.words import action_name, inline_name, name_on, page_name, printed_name
from engine.kit.part_panels import Around
from engine.kit.scene.looks import Ground, Pattern
from engine.kit.scene.panels import Charts
from engine.kit.scene.planes import Badge, Path, Piece, Plane, Tile
from engine.kit.scene.trees import Point, between, tree
from engine.kit.vignette import BOX, Vignette, line, oval

LINE = (3.6, 0.48)
"""The width and height of an action on the page."""
PICTURE = 1.1
"""The height of the picture above the actions."""
STAR = 0.8
"""Width of a star."""
SKY = 6.0
"""Minimum width of a constellation."""
START = "start"
"""The start star, to which the first stars of a sheet are linked."""
ABREAST = 6
"""Number of stars in a row if no branches are known."""


def planes(state: WatersState, around: Around) -> tuple[Plane, ...]:
    """Return the planes of the map, of the page if the book is open, and of a constellation with a star to fill in."""
    asked = _asked_seat(state)
    sky = () if asked is None else (replace(_constellation(state, asked, around.names[asked]), backdrop="paper"),)
    return (_map(state), *_page(state, around), *sky)


def _asked_seat(state: WatersState) -> int | None:
    """Return the seat of the pirate who fills in a star now."""
    return state.agenda[0].seat if state.agenda and isinstance(state.agenda[0].effect, FillStar) else None


def _map(state: WatersState) -> Plane:
    at = state.ship
    title = say("{ship} on {space}", ship=state.options.ship_name or say("The ship"), space=at)
    ship = Piece(id="ship", on=f"space.{at}", symbol="ship", size=2.0, is_active=True, place=_place(at), title=title)
    return Plane(
        id="map",
        title=say("Map"),
        width=0.75 * state.map.columns + 0.25,
        height=(state.map.rows + (0.5 if state.map.columns > 1 else 0)) * sqrt(3) / 2,
        tiles=tuple(_space(state, space) for space in state.map.spaces()),
        pieces=(ship,),
    )


def _place(space: str) -> str:
    """Return the `place` of a space. It includes the names of the params, because a star can have the same id."""
    return f"to,space:{space}"


def _space(state: WatersState, space: str) -> Tile:
    column, row = ord(space[0]) - ord("a"), int(space[1:]) - 1
    sea = Tile(
        id=f"space.{space}",
        x=0.5 + 0.75 * column,
        # Columns b, d, … are half a hex lower.
        y=(row + 0.5 + column % 2 / 2) * sqrt(3) / 2,
        shape="flat_hexagon",
        label=space,
        ground="water",
        state=say("empty"),
        place=_place(space),
        title=say("{space}: empty", space=space),
    )
    if space in state.face_down:
        return replace(
            sea,
            ground="paper",
            vignette=FACE_DOWN,
            state=say("face down"),
            title=say("{space}: a navigation token, face down", space=space),
        )
    token = state.token_on(space)
    if token is None:
        return sea
    name = name_on(state, space, token)
    known = state.pack.token.get(token)
    stops = known is not None and known.stops
    family, vignette = sight(token)
    there = replace(sea, family=family, vignette=vignette, state="", title=f"{space}: {name}")
    if stops:
        title = say("{space}: {token}; the ship stops there", space=space, token=name)
        there = replace(there, state=say("the ship stops"), title=title)
    if state.is_rocky(space):
        title = say("{space}: {token}; no ship can go there", space=space, token=name)
        rocky, rocks = ROCKS
        return replace(there, family=rocky, vignette=rocks, ground="stone", state=say("rocky"), title=title)
    return replace(there, ground="paper" if token in state.pack.navigation_counts else "land")


def _page(state: WatersState, around: Around) -> Iterator[Plane]:
    if not state.page:
        return
    (width, height), name = LINE, page_name(state, state.page)
    title = f"{name[:1].upper()}{name[1:]}"
    read = passage(state)
    # While the players read, show only the page; the prose follows the picture.
    places = state.places if read is None else ()
    family, vignette = picture(state.page) if read is None else picture(read.id, state.page)
    header = replace(_row("picture", 0, PICTURE), label=read.title if read else title, vignette=vignette, family=family)
    yield Plane(
        id="page",
        title=title,
        width=width,
        height=PICTURE + height * len(places),
        backdrop=None,
        tiles=(header, *(_line(state, place, PICTURE + at * height) for at, place in enumerate(places))),
        pieces=tuple(
            standee(state, seat, around, id_=f"standee.{SEAT_IDS[seat]}", on=f"action.{number}")
            for seat, number in enumerate(state.standees)
            if number and read is None
        ),
    )


def _row(id_: str, top: float, height: float) -> Tile:
    """Return an empty row of the page."""
    return Tile(id=id_, x=LINE[0] / 2, y=top + height / 2, shape="rectangle", width=LINE[0], height=height)


def _line(state: WatersState, place: Place, top: float) -> Tile:
    printed_on = state.pack.action.get((state.page, place.number))
    badges = [Badge(text=f"{place.number}")]
    if printed_on is not None:
        for skill in printed_on.white:
            title = say("{skill}, perhaps a check", skill=inline_name(skill))
            badges.append(Badge(symbol=SYMBOLS[skill], text="?", title=title))
        badges += [Badge(symbol=SYMBOLS.get(thing, DIAL), title=printed_name(thing)) for thing in printed_on.black]
    ground, pattern, condition = _condition(state, place)
    name = action_name(state, place.number)
    return replace(
        _row(f"action.{place.number}", top, LINE[1]),
        label="" if printed_on is None else say(printed_on.name),
        ground=ground,
        pattern=pattern,
        state=say(condition),
        is_strong=condition == "required",
        badges=tuple(badges),
        place=f"number:{place.number}",
        title=f"{name}, {say(condition)}",
    )


def _condition(state: WatersState, place: Place) -> tuple[Ground, Pattern, str]:
    """Return the background, the pattern and the word that show if an action can still be chosen."""
    if place.number in state.locked:
        return "stone", "cross", marked("locked")
    if not state.is_open(place):
        return "stone", "hatch", marked("taken")
    kinds = {"unlimited": marked("any number"), "limited": marked("one only"), "required": marked("required")}
    return "paper", "", kinds[place.kind]


def sky(state: WatersState, names: Sequence[str]) -> Charts:
    """Return the panel with the constellation of each pirate, except the one on the board."""
    shown = [(seat, name) for seat, name in enumerate(names) if seat != _asked_seat(state)]
    planes = tuple(_constellation(state, seat, name) for seat, name in shown)
    return Charts("sky", say("Constellations"), planes=planes)


def portrait(sheet: Sheet) -> Vignette:
    """Return a small picture of a sheet's constellation."""
    stars = _lay_out(tuple(sheet.links.items()))
    width, height = (max(places) + 0.5 for places in zip(*stars.values(), strict=True))
    at = {star: (BOX * x / width, BOX * y / height) for star, (x, y) in stars.items()}
    links = "".join(
        f"M{at[star][0]:.1f} {at[star][1]:.1f}L{at[other][0]:.1f} {at[other][1]:.1f}"
        for star, others in sorted(sheet.links.items())
        for other in sorted(others)
        if not _is_bare(sheet.links)
    )
    sizes = {star: 2.6 if star in sheet.event_stars else 1.6 for star in at}
    return (line("c", links, 1.2), *(oval("e", round(x, 1), round(y, 1), sizes[star]) for star, (x, y) in at.items()))


def _constellation(state: WatersState, seat: int, name: str) -> Plane:
    id_, sheet, pirate = SEAT_IDS[seat], state.sheet(seat), state.pirates[seat]
    at = _lay_out(tuple(sheet.links.items()))
    fills = seat == _asked_seat(state)
    tiles = []
    for star, (x, y) in at.items():
        is_event, is_filled = star in sheet.event_stars, star in pirate.stars or star == START
        tiles.append(
            Tile(
                id=f"star.{id_}.{star}",
                x=x,
                y=y,
                shape="circle",
                width=STAR,
                label="S" if star == START else "!" if is_event and not is_filled else "",
                ground="sand" if is_filled else "paper",
                is_strong=True,
                badges=(Badge(symbol="star", text="!" if is_event else ""),) if is_filled and star != START else (),
                state=say("filled") if is_filled else "",
                # Only on the active player's sheet, because stars of different sheets have the same ids.
                place=f"star:{star}" if fills and star != START else None,
                title=_star_title(star, is_event=is_event, is_filled=is_filled),
            )
        )
    links = (
        Path(id=f"link.{id_}.{other}.{star.id}", points=between(at[other], at[star.id], STAR))
        for star in sheet.constellation
        for other in star.links
        if not _is_bare(sheet.links)
    )
    width, height = (max(places) + 0.6 for places in zip(*at.values(), strict=True))
    return Plane(
        id=f"sky.{id_}",
        title=name,
        width=max(width, SKY),
        height=height,
        backdrop=None,
        tiles=tuple(tiles),
        paths=tuple(links),
    )


def _star_title(star: str, *, is_event: bool, is_filled: bool) -> str:
    if star == START:
        return say("The start star")
    if is_event:
        told = marked("Event star {star}, filled in") if is_filled else marked("Event star {star}, not filled in")
    else:
        told = marked("Star {star}, filled in") if is_filled else marked("Star {star}, not filled in")
    return say(told, star=say(star))


@lru_cache(maxsize=64)
def _lay_out(linked: tuple[tuple[str, frozenset[str]], ...]) -> dict[str, Point]:
    """Lay out the stars of a sheet by their links, or in rows if no links are known. `linked` has the links of each."""
    links = dict(linked)
    if _is_bare(links):
        return {star: (at % ABREAST + 0.5, at // ABREAST + 0.5) for at, star in enumerate((START, *links))}
    return tree(links, START)


def _is_bare(links: Mapping[str, Set[str]]) -> bool:
    """Return True if every star is linked to the start star, as on a paper sheet with links that are unknown here."""
    return all(START in near for near in links.values())
