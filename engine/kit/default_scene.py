"""Default scenes: for games that declare no scene, and for tables before the setup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.kit.scene import Scene
from engine.kit.scene.looks import FORMS
from engine.kit.scene.panels import Note, PlayerMat


def initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return unique initials for each player, by seat: one or two letters, with the seat's number if necessary."""
    for take in (_first, _two, _words):
        signs = tuple(map(take, names))
        if len(set(signs)) == len(signs) and all(signs):
            return signs
    first = Counter(map(_first, names))
    return tuple(
        sign if (sign := _first(name)) and first[sign] == 1 else f"{sign}{seat}" for seat, name in enumerate(names, 1)
    )


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _first(name: str) -> str:
    return _letters(name)[:1].upper()


def _two(name: str) -> str:
    return _letters(name)[:2].title()


def _words(name: str) -> str:
    words = [letters for word in name.split() if (letters := _letters(word))]
    return words[0][:1].upper() + words[-1][:1].upper() if words else ""


def overview_scene(title: str, subtitle: str, description: str, rows: dict[str, str]) -> Scene:
    """Return a scene with one note for each row of a game's overview."""
    notes = tuple(Note(id=f"note.{label}", title=label, text=text) for label, text in rows.items())
    return Scene(title=title, subtitle=subtitle, description=description, panels=notes)


def empty_scene(title: str, names: Sequence[str]) -> Scene:
    """Return the scene of a table before the setup, with its players."""
    said = say("The game is not set up yet.")
    players = tuple(
        PlayerMat(
            id=f"player.{seat_id}",
            seat=seat_id,
            name=name,
            initials=sign,
            colour=colour,
            form=FORMS[colour],
            empty="",
        )
        for seat_id, name, sign, colour in zip(SEAT_IDS, names, initials(names), FORMS, strict=False)
    )
    description = f"{said} {say('At the table: {names}.', names=', '.join(names))}"
    return Scene(title=title, subtitle=said, description=description, panels=players)
