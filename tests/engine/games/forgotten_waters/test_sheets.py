"""Forgotten Waters: Gaining Skills, Filling in Stars on Constellations, Resolving Constellation Events."""

from __future__ import annotations

from engine.games.forgotten_waters.scenario.effects import CheckOffEvent
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.ruleset import Refusal
from tests.engine.games.forgotten_waters.positions import BELL, boxes, having, resolving, voyage
from tests.engine.games.playing import do, kinds, offered, refused, said

SKILL = "Gaining Skills"
STARS = "Filling in Stars on Constellations"
AIM = {"do": "gain_skill", "skill": "aim"}
STAR = {"do": "fill_star"}


def filled_boxes(state: WatersState) -> tuple[int, ...]:
    return state.pirates[0].boxes


def test_gain_skill__the_left_most_box() -> None:
    """FW-R8: the Bellringer's Child has o**oo*x for aim."""
    assert BELL.sheet["bellringer"].skills["aim"] == "o**oo*x"
    state = resolving(AIM)
    assert (filled_boxes(state), state.agenda) == (boxes(aim=1), ())


def test_gain_skill__a_starred_box_fills_in_a_star() -> None:
    """FW-R8."""
    state = resolving(AIM, state=having(voyage(), boxes=boxes(aim=1)))
    assert (filled_boxes(state), offered(state, "p1", "fill_star")) == (boxes(aim=2), ["a1", "b1", "c1"])


def test_gain_skill__boxes_with_symbols_cannot_be_filled_in() -> None:
    """FW-R8."""
    state = resolving(AIM, state=having(voyage(), boxes=boxes(aim=6)))
    assert filled_boxes(state) == boxes(aim=6)


def test_gain_skill__several() -> None:
    """FW-R8."""
    state = resolving({**AIM, "n": 3})
    state = do(state, "p1", "fill_star", star="a1")
    assert (filled_boxes(state), offered(state, "p1", "fill_star")) == (boxes(aim=3), ["a2", "b1", "c1"])


def test_gain_skill__of_ones_choice() -> None:
    state = resolving({"do": "gain_skill", "skill": "any", "n": 2})
    state = do(state, "p1", "choose_skill", skill="hunting")
    assert filled_boxes(state) == boxes(hunting=1)
    assert len(offered(state, "p1", "choose_skill")) == 6


def test_gain_skill__only_one_with_a_box_left() -> None:
    state = resolving({"do": "gain_skill", "skill": "any"}, state=having(voyage(), boxes=boxes(aim=6)))
    assert "aim" not in offered(state, "p1", "choose_skill")
    assert refused(state, "p1", "choose_skill", skill="aim") == Refusal(SKILL, "Every box of aim is filled in.")


def test_gain_skill__nothing_left_to_choose() -> None:
    rows = {skill: len(row) for skill, row in BELL.sheet["bellringer"].boxes.items()}
    state = resolving({"do": "gain_skill", "skill": "any"}, state=having(voyage(), boxes=boxes(**rows)))
    assert state.agenda == ()


def test_gain_skill__no_choice() -> None:
    assert refused(voyage(), "p1", "choose_skill", skill="aim") == Refusal(SKILL, "You cannot choose a skill now.")
    state = resolving({"do": "gain_skill", "skill": "any"})
    assert refused(state, "p2", "choose_skill", skill="aim") == Refusal(SKILL, "Only another player can decide that.")
    assert refused(voyage(), "p1", "report_box", is_star=True) == Refusal(
        SKILL, "No skill box has just been filled in."
    )


def test_gain_skill__is_told() -> None:
    assert said(resolving({"do": "gain_skill", "skill": "any"}), "p1", "choose_skill", skill="aim") == (
        "Gain aim",
        "Ada chooses aim. Ada gains aim (1 filled in).",
    )


# Stars


def test_star__linked_to_the_start_star() -> None:
    """FW-R9."""
    state = do(resolving(STAR), "p1", "fill_star", star="b1")
    assert state.pirates[0].stars == ("b1",)


def test_star__linked_to_a_filled_star() -> None:
    """FW-R9."""
    state = resolving(STAR, state=having(voyage(), stars=("a1",)))
    assert offered(state, "p1", "fill_star") == ["a2", "b1", "c1"]


def test_star__not_one_that_is_linked_to_neither() -> None:
    """FW-R9."""
    assert refused(resolving(STAR), "p1", "fill_star", star="a2") == Refusal(
        STARS, "That star is not linked to the start star or to a filled-in star."
    )


def test_star__not_one_filled_in_already() -> None:
    state = resolving(STAR, state=having(voyage(), stars=("a1",)))
    assert refused(state, "p1", "fill_star", star="a1") == Refusal(STARS, "That star is already filled in.")


def test_star__only_of_ones_sheet() -> None:
    assert refused(resolving(STAR), "p1", "fill_star", star="z9") == Refusal(
        STARS, "There is no such star on that sheet."
    )


def test_star__only_when_directed() -> None:
    assert refused(voyage(), "p1", "fill_star", star="a1") == Refusal(STARS, "You cannot fill in a star now.")
    assert refused(resolving(STAR), "p2", "fill_star", star="a1") == Refusal(
        STARS, "Only another player can decide that."
    )


def test_star__an_event_gives_its_token() -> None:
    """FW-R10: it is resolved only when an effect says so."""
    state = resolving(STAR, state=having(voyage(), stars=("a1", "a2")))
    state = do(state, "p1", "fill_star", star="e1")
    assert (state.pirates[0].event_tokens, state.pirates[0].events) == (1, 0)


def test_star__an_event_gives_its_token_when_the_box_has_none_left() -> None:
    """FW-R9: a table uses a coin for it."""
    state = voyage(7)
    for seat in (1, 2, 3):
        state = having(state, seat, event_tokens=5, stars=())
    state = resolving(STAR, state=having(state, stars=("a1", "a2")))
    assert do(state, "p1", "fill_star", star="e1").pirates[0].event_tokens == 1


def test_star__none_left() -> None:
    """FW-R9."""
    links = BELL.sheet["bellringer"].links
    order: list[str] = []
    while len(order) < len(links):
        order.append(
            next(star for star in links if star not in order and not links[star].isdisjoint({"start", *order}))
        )
    assert resolving(STAR, state=having(voyage(), stars=tuple(order))).agenda == ()


def test_star__is_told() -> None:
    state = resolving(STAR, state=having(voyage(), stars=("a1", "a2")))
    assert said(state, "p1", "fill_star", star="b1") == ("Fill in star b1", "Ada fills in star b1.")
    assert said(state, "p1", "fill_star", star="e1") == (
        "Fill in star e1 (an event)",
        "Ada fills in star e1, an event. Ada has 1 constellation event token.",
    )


# Constellation events

EVENTS = {"do": "resolve_events"}


def test_events__one_for_each_token() -> None:
    """FW-R10."""
    state = resolving(EVENTS, state=having(voyage(), event_tokens=2))
    assert (state.pirates[0].event_tokens, state.pirates[0].events) == (0, 2)


def test_events__the_next_unchecked_ones_in_their_order() -> None:
    """FW-R10: the second event of the Bellringer's Child moves up the infamy track."""
    state = resolving(EVENTS, state=having(voyage(infamy=(1, 0, 2)), event_tokens=1, events=1))
    assert (state.pirates[0].events, state.infamy) == (2, (0, 1, 2))


def test_events__each_is_checked_off_when_it_is_read() -> None:
    """FW-R10: the first event of the Cook chooses a skill, the second draws a treasure."""
    state = resolving(EVENTS, state=having(voyage(), 2, event_tokens=3), seat=2)
    assert (state.pirates[2].event_tokens, state.pirates[2].events) == (0, 1)
    state = do(state, "p3", "choose_skill", skill="aim")
    assert (state.pirates[2].events, "draw_treasure" in kinds(state, "p3")) == (2, True)
    state = do(state, "p3", "draw_treasure", "iron_ladle")
    assert (state.pirates[2].events, state.pirates[2].rerolls, state.agenda) == (3, 1, ())


def test_events__a_token_gained_meanwhile_is_for_another_time() -> None:
    """FW-R10: the tokens are discarded before the first event is read."""
    cook = having(voyage(), 2, event_tokens=1, stars=("b1",))
    state = do(resolving(EVENTS, state=cook, seat=2), "p3", "choose_skill", skill="brawn")
    event = min(BELL.sheet["cook"].event_stars.intersection(offered(state, "p3", "fill_star")))
    state = do(state, "p3", "fill_star", star=event)
    assert (state.pirates[2].event_tokens, state.pirates[2].events) == (1, 1)


def test_events__a_page_that_is_turned_spares_none() -> None:
    """FW-R10, FW-R21: their tokens are discarded."""
    state = replace(voyage(), agenda=(Step(0, CheckOffEvent()),))
    state = resolving({"do": "turn_page", "page": "unlit_fog"}, state=state)
    assert (state.page, state.pirates[0].events) == ("unlit_fog", 1)


def test_events__never_more_than_there_are() -> None:
    state = resolving(EVENTS, state=having(voyage(), event_tokens=1, events=5))
    assert (state.pirates[0].events, state.pirates[0].event_tokens) == (5, 0)


def test_events__are_read_with_the_words_of_the_story_blanks() -> None:
    pirates = [{"sheet": "bellringer", "blanks": ["la la", "a spoon"]}, {"sheet": "cook"}, {"sheet": "ghost"}]
    state = having(voyage(options={"pirates": pirates}), event_tokens=1, events=1)
    state = resolving({"do": "choose", "options": [{"name": "Speak", "effects": [EVENTS]}]}, state=state)
    assert said(state, "p1", "choose_option", option=1)[1] == (
        "Ada chooses: Speak. Ada's constellation event: Pulling a net you find a spoon, and your own name scratched "
        "inside it. Ada has 0 constellation event tokens."
    )


def test_events__a_blank_that_nobody_filled_in_says_what_it_asks_for() -> None:
    state = having(voyage(), event_tokens=1)
    state = resolving({"do": "choose", "options": [{"name": "Speak", "effects": [EVENTS]}]}, state=state)
    assert "(a neighbour's name) used to say" in said(state, "p1", "choose_option", option=1)[1]
