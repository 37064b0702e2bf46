"""Forgotten Waters in German: sentences, texts of scenarios, and words that a table chose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.core.language import say, speaking
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.scenario.effects import GainSkill, LoseCannon, Ship
from engine.play import registry
from service.languages import catalogue
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS, at_table, having, resolving, voyage
from tests.engine.games.playing import do, refused, said
from tests.playouts import NAMES


@pytest.fixture(autouse=True)
def _in_german() -> Iterator[None]:
    with speaking(catalogue("de")):
        yield


def test_german__a_check_is_told_with_what_is_read_out() -> None:
    check = {"do": "check", "skill": "hunting", "results": [{"from": 1, "text": "It was not small."}]}
    state = do(resolving(check), "p1", "roll_die", 7)
    assert said(resolving(check), "p1", "roll_die", 7) == (
        "Würfeln",
        "Ada würfelt eine 7 auf Jagd, zusammen 7: Es war nicht klein.",
    )
    assert say(refused(state, "p1", "roll_die").message) == "Jetzt wird kein Würfel geworfen."


def test_german__nouns_are_written_large_within_a_sentence() -> None:
    assert in_words(GainSkill(skill="aim", n=2)) == "2-mal steigern: Zielen"
    assert in_words(Ship(stat="hull", n=-1)) == "Rumpf −1"
    assert in_words(LoseCannon(n=2)) == "2 Kanonen verlieren"


def test_german__a_constellation_event_is_read_with_the_words_of_the_story_blanks() -> None:
    """Words of players are never translated, even if a catalogue has them."""
    pirates = [{"sheet": "taxman", "blanks": ["Hull"]}, {"sheet": "cook"}, {"sheet": "ghost"}]
    state = having(voyage(options={"pirates": pirates}), event_tokens=2, stars=("a1", "b1"))
    state = resolving({"do": "lose_treasure"}, {"do": "resolve_events"}, state=having(state, treasures=("oak_heart",)))
    assert said(state, "p1", "discard_treasure", treasure="oak_heart")[1] == (
        "Ada legt ab: Herz aus Eiche."
        " Sternbildereignis von Ada: Du wachst auf, hast bis Hull gezählt und findest die Mannschaft in Reihen"
        " schlafend."
        " Sternbildereignis von Ada: In (eine Tintenfarbe) streichst du deinen Namen aus einem Register."
        " Es fühlt sich an wie Regen."
        " Ada hat diesen Schatz nicht mehr: Herz aus Eiche. Ada hat 0 Ereignismarker."
    )


def test_german__a_table_calls_its_own_things_as_it_likes() -> None:
    state = resolving({"do": "gain_treasure"}, state=at_table())
    assert said(state, "p1", "draw_treasure", name="Cannons") == (
        "Ziehen: Cannons",
        "Ada zieht: Cannons. Ada erhält einen Schatz: Cannons.",
    )


def test_german__the_table_in_a_line() -> None:
    rules = registry.ruleset(FORGOTTEN_WATERS)
    state = voyage()
    assert rules.headline(state, NAMES[:3]) == (
        "Runde 1: Mannschaft 14, Unmut 3, Rumpf 10, Vorräte 6, Bedrohung 0 von 4"
    )
    assert rules.overview(state, NAMES[:3])["Seite"] == "Hafen Gullet"
    assert rules.word("deck") == "im Stapel"
    assert rules.word("navigation") == "Navigation"
    assert rules.value_label("oak_heart") == "Herz aus Eiche"
