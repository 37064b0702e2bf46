"""Facts about pirates, and their consequences: sheets, stars, treasures, stories."""

from __future__ import annotations

from tests.engine.games.forgotten_waters.positions import boxes, having, voyage
from tests.engine.games.forgotten_waters.telling import (
    after,
    unsound_reason,
)


def test_sheet__changes_hands_and_holds_no_more_than_it_has() -> None:
    state = having(voyage(), stars=("a1", "a2", "e1"), boxes=boxes(aim=6))
    there_ = after(state, {"fact": "sheet_of", "seat": "p1", "sheet": "cook"})
    assert [pirate.sheet for pirate in there_.pirates] == ["cook", "taxman", "bellringer"]
    assert all(star in there_.sheet(0).links for star in there_.pirates[0].stars)
    alone = after(state, {"fact": "sheet_of", "seat": "p1", "sheet": "ghost"})
    assert [pirate.sheet for pirate in alone.pirates] == ["ghost", "taxman", "cook"]


def test_infamy__two_change_places() -> None:
    assert after(voyage(), {"fact": "infamy_at", "seat": "p3", "place": 1}).infamy == (2, 1, 0)


def test_stars__are_filled_in_from_the_start() -> None:
    state = having(voyage(), stars=("b1",))
    stars = after(state, {"fact": "stars_filled", "seat": "p1", "stars": ["e1", "a2", "b1", "a1"]}).pirates[0].stars
    assert stars == ("b1", "a1", "a2", "e1")


def test_treasure__goes_from_wherever_it_is() -> None:
    state = having(voyage(), treasures=("iron_ladle",))
    discarded = after(state, {"fact": "treasure_at", "card": "iron_ladle", "at": "discarded"})
    assert (discarded.pirates[0].treasures, discarded.treasure_discard) == ((), ("iron_ladle",))
    held = after(discarded, {"fact": "treasure_at", "card": "iron_ladle", "at": "p3"})
    assert (held.pirates[2].treasures, held.treasure_discard) == (("iron_ladle",), ())
    assert after(held, {"fact": "treasure_at", "card": "iron_ladle", "at": "deck"}) == voyage()


def test_treasure__four_are_kept() -> None:
    state = having(voyage(), treasures=tuple(card.id for card in voyage().pack.treasures[:4]))
    card = voyage().pack.treasures[4].id
    assert (
        unsound_reason(state, {"fact": "treasure_at", "card": card, "at": "p1"})
        == "This violates “at most 4 treasures”."
    )


def test_story__goes_from_hand_to_hand() -> None:
    state = having(voyage(), stories=("gull_friend",))
    held = after(state, {"fact": "story_at", "card": "gull_friend", "at": "p2"})
    assert [pirate.stories for pirate in held.pirates] == [(), ("gull_friend",), ()]
    assert after(held, {"fact": "story_at", "card": "gull_friend", "at": "deck"}) == voyage()
