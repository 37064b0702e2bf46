"""Texts: names of things, sentences about the changes between two states, and texts from data files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, get_args

import msgspec

from engine.core.language import marked, say
from engine.games.forgotten_waters.scenario.effects import Pending, Saved
from engine.games.forgotten_waters.scenario.pack import ROLES, STANDEES, Cannon, ConstellationEvent, Pack, Sheet
from engine.games.forgotten_waters.scenario.packs import EDITIONS
from engine.games.forgotten_waters.scenario.values import SKILLS, STATS, ActionKind
from engine.games.forgotten_waters.state import Pirate, WatersState
from engine.kit.facts import Fact
from engine.kit.words import counted, join_words

WAITING = {
    "ask_box": marked("say if the box has a star"),
    "flip": marked("flip the scouted tokens"),
    "keep_four": marked("keep four treasures"),
    "saved": marked("continue the saved game"),
}
"""Words for effects with names that players would not understand."""

WORDS: dict[str, str] = {
    "deck": "in the deck",
    "discarded": "discarded",
    "any": "a skill of the pirate's choice",
    "bottom": "to the bottom",
    "top": "to the top",
    "group": "the whole table",
    "pirate": "that pirate",
    "all": "all pirates",
    "others": "all other pirates",
    "chosen": "a player of your choice",
    "highest": "the player with the most",
    "lowest": "the player with the least",
    "gain_skill": "Fill in boxes of a skill",
    "fill_star": "Fill in stars",
    "resolve_events": "Check off constellation events for all tokens",
    "gain_treasure": "Draw treasures",
    "steal_treasure": "Take a treasure from another player",
    "lose_treasure": "Discard treasures",
    "bury_treasure": "Bury treasures",
    "take_story": "Take a story card",
    "return_story": "Put a story card back",
    "give_card": "Give a card to another player",
    "rerolls": "Gain or lose re-roll tokens",
    "misfortune": "Gain or lose misfortune tokens",
    "infamy": "Move on the infamy track",
    "infamy_to": "Move to an end of the infamy track",
    "swap_infamy": "Change places on the infamy track",
    "ship": "Change one of the ship's tracks",
    "maximum": "Enter the length of a track",
    "gain_cannon": "Take a cannon",
    "upgrade_cannon": "Upgrade cannons",
    "load_cannon": "Load cannons",
    "unload_cannon": "Unload cannons",
    "lose_cannon": "Discard cannons",
    "dial": "Turn a location dial",
    "count": "Note a number in the ship's log",
    "threat": "Add or remove threat",
    "check_threat": "See whether a threat event is due",
    "objective": "Take a new objective card",
    "scout": "Scout spaces",
    "move_ship": "Move the ship",
    "put_ship": "Put the ship on a space",
    "stop_ship": "Stop the ship for this round",
    "read_space": "Read the entry of the ship's space",
    "place_token": "Put a location token on the map",
    "remove_token": "Take a token off the map",
    "lock": "Lock an action",
    "unlock": "Unlock an action",
    "check": "Make a skill check",
    "roll": "Roll a die",
    "choose": "Choose one of these",
    "if": "Only under a condition",
    "for_players": "For other pirates",
    "per": "Repeat as often as a number says",
    "read": "Go to an entry",
    "turn_page": "Turn to a page",
    "new_round": "Begin a new round on this page",
    "complete_part": "Complete a part",
    "reach_goal": "Reach the scenario goal",
    "set_die": "Set the die of a check",
    "add_to_check": "Add to a check",
    "card_icon": "Note the icon on a card",
    "keep_four": "Discard one of five treasures",
    "saved": "Continue a saved game",
    "flip": "Flip scouted tokens",
    "check_off_event": "Check off a constellation event",
    "ask_box": "Enter whether a box had a star",
}
"""Names of all things except cards, tokens and pages. Things from a table's own book are included."""

PHASES = {"planning": "the planning phase", "action": "the action phase", "end_of_round": "the end of the round"}
"""The text for each phase."""

_PACKS = tuple(chain.from_iterable(packs.values() for packs in EDITIONS.values()))


def _names() -> Iterator[tuple[str, str]]:
    for pack in _PACKS:
        parts: Iterable[Any] = (*pack.card.values(), *pack.token.values(), *pack.sheets, *pack.objectives, *pack.pages)
        yield from ((part.id, part.title if isinstance(part, Sheet) else part.name) for part in parts)


# If an id has several names, use the first one, which is from the newest pack.
NAMES: dict[str, str] = dict(reversed(list(_names())))
"""The names of cards, tokens, sheets, objectives and pages, by id."""


def printed_name(id_: str) -> str:
    """Return the name of a thing; if it has no name, its id as words."""
    # A token has the id of a skill, too.
    return say(english_heading(id_) if id_ in SKILLS else NAMES.get(id_) or english_heading(id_))


class WatersFact(Fact[WatersState], frozen=True):
    """A fact whose values are ids."""

    word = staticmethod(printed_name)


def inline_name(id_: str) -> str:
    """Return the translated name of an id for use within a sentence."""
    return say(english_words(id_))


def effect_name(effect: Any) -> str:
    """Return the name of a kind of effect."""
    tag = str(type(effect).__struct_config__.tag)
    return say(WAITING[tag]) if tag in WAITING else inline_name(tag)


def reference(id_: str) -> str:
    """Return the id of a page or entry for use within a sentence. The id is its own message in the catalogues."""
    translated = say(id_)
    return english_words(id_) if translated == id_ else translated


def english_heading(id_: str) -> str:
    """Return the English text that `printed_name` translates."""
    return english_words(id_).capitalize()


def english_words(id_: str) -> str:
    """Return the English text that `inline_name` translates."""
    return id_.replace("_", " ")


def _own_name(parts: Mapping[str, Any], id_: str) -> str:
    """Return the name of a part in the edition of the scenario that is played; names differ between editions."""
    return say(parts[id_].name) if id_ in parts else printed_name(id_)


def card_name(state: WatersState, card: str) -> str:
    """Return the name of a treasure or story card."""
    return state.given_name(card) or _own_name(state.pack.card, card)


def token_name(state: WatersState, token: str) -> str:
    """Return the name of a token of the map."""
    return _own_name(state.pack.token, token)


def name_on(state: WatersState, space: str, token: str) -> str:
    """Return the name of the token on a space."""
    return state.given_name(space) or token_name(state, token)


def page_name(state: WatersState, page: str) -> str:
    """Return the name of a location page."""
    known = state.pack.page.get(page)
    if known is not None:
        return say(known.name)
    # No page is open before the first round.
    return say("page {page}", page=page) if page else say("the page")


def action_name(state: WatersState, number: int) -> str:
    """Return the number and name of an action of this page."""
    action = state.pack.action.get((state.page, number))
    return f"{number}: {say(action.name)}" if action is not None else f"{number}"


def objective_name(state: WatersState, objective: str) -> str:
    """Return the name of an objective card."""
    return _own_name(state.pack.objective_card, objective)


def cannon_name(cannon: Cannon) -> str:
    """Return a cannon in words."""
    text = marked("loaded level-{level} cannon") if cannon.is_loaded else marked("unloaded level-{level} cannon")
    return say(text, level=cannon.level)


def pirate_name(state: WatersState, seat: int, names: Sequence[str]) -> str:
    """Return the name of the seat's pirate."""
    choices = state.options.pirates
    return (choices[seat].name if choices else None) or names[seat]


def event_text(state: WatersState, seat: int, event: ConstellationEvent) -> str:
    """Return the text of a constellation event, with the player's words in the story blanks."""
    choices = state.options.pirates
    words = choices[seat].blanks if choices else ()
    text = say(event.text)
    for number, asked in enumerate(state.sheet(seat).blanks, 1):
        word = words[number - 1] if number <= len(words) else f"({say(asked)})"
        text = text.replace(f"{{{number}}}", word)
    return text


def ending_text(state: WatersState, seat: int) -> str:
    """Return the text for the seat's pirate on the Endings chart."""
    endings = state.sheet(seat).endings
    events = state.pirates[seat].events
    return say({4: endings.good, 5: endings.legendary}.get(events, endings.bad))


def changes(before: WatersState, after: WatersState, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each change between two states of the table."""
    yield from _entry_texts(before, after)
    for seat in range(len(after.pirates)):
        if before.pirates[seat] != after.pirates[seat]:
            yield from _of_a_pirate(before, after, seat, pirate_name(after, seat, names))
    for name in (*STATS, "threat"):
        was, is_ = getattr(before, name), getattr(after, name)
        if was != is_:
            yield f"{printed_name(name)} {was} → {is_}."
    if before.cannons != after.cannons:
        yield say("Cannons: {cannons}.", cannons=join_words([cannon_name(cannon) for cannon in after.cannons]))
    if before.threat_events != after.threat_events:
        number, last = after.threat_events, after.last_threat_event
        yield say("Threat event {number} of {last} is checked off.", number=number, last=last)
        if not after.pack.is_open and (text := after.pack.threat_events[number - 1].text):
            yield say(text)
    if before.objective != after.objective:
        yield say("New objective: {objective}.", objective=objective_name(after, after.objective))
    if before.infamy != after.infamy:
        yield say("Infamy: {pirates}.", pirates=join_words([pirate_name(after, seat, names) for seat in after.infamy]))
    yield from _of_the_page(before, after)


def _of_the_page(before: WatersState, after: WatersState) -> Iterator[str]:
    if before.features == after.features:
        for feature, was, is_ in zip(after.features, before.dials, after.dials, strict=True):
            if was != is_:
                yield f"{printed_name(feature.id)} {was} → {is_}."
    if before.round != after.round:
        yield say("Round {round} begins on {page}.", round=after.round, page=page_name(after, after.page))
        page = after.pack.page.get(after.page)
        if page is not None and page.warning and (after.is_page_turned or before.page != after.page):
            yield say("Warning: {warning}", warning=say(page.warning))


def _entry_texts(before: WatersState, after: WatersState) -> Iterator[str]:
    for id_ in after.entries[len(before.entries) :]:
        entry = after.pack.entry.get(id_)
        if entry is None:
            # Only in version 1: later, the sentence of the action mentions the entry.
            yield from (say("Read entry {entry}.", entry=id_),) * after.is_version_1
        elif entry.text:
            yield say(entry.text)


def _of_a_pirate(before: WatersState, after: WatersState, seat: int, name: str) -> Iterator[str]:
    was, is_ = before.pirates[seat], after.pirates[seat]
    for skill, count, earlier in zip(SKILLS, is_.boxes, was.boxes, strict=True):
        if count > earlier:
            gained = inline_name(skill)
            yield say("{pirate} gains {skill} ({count} filled in).", pirate=name, skill=gained, count=count)
    for event in after.sheet(seat).events[was.events : is_.events]:
        yield say("{pirate}'s constellation event: {text}", pirate=name, text=event_text(after, seat, event))
    yield from _cards(after, name, was, is_)
    for count, of, tokens in (
        (is_.rerolls, was.rerolls, counted(is_.rerolls, "re-roll token")),
        (is_.misfortune, was.misfortune, counted(is_.misfortune, "misfortune token")),
        (is_.event_tokens, was.event_tokens, counted(is_.event_tokens, "constellation event token")),
    ):
        if count != of:
            yield say("{pirate} has {tokens}.", pirate=name, tokens=tokens)


def _cards(after: WatersState, name: str, was: Pirate, is_: Pirate) -> Iterator[str]:
    for member, (gain, gains, loss, losses) in _CARD_TEXTS.items():
        before, now = getattr(was, member), getattr(is_, member)
        for one, several, more, fewer in ((gain, gains, now, before), (loss, losses, before, now)):
            cards = [card_name(after, card) for card in more if card not in fewer]
            if cards:
                yield say(one if len(cards) == 1 else several, pirate=name, cards=join_words(cards))


_CARD_TEXTS = {
    "treasures": (
        marked("{pirate} gains the treasure {cards}."),
        marked("{pirate} gains the treasures {cards}."),
        marked("{pirate} no longer has the treasure {cards}."),
        marked("{pirate} no longer has the treasures {cards}."),
    ),
    "stories": (
        marked("{pirate} takes the story {cards}."),
        marked("{pirate} takes the stories {cards}."),
        marked("{pirate} gives back the story {cards}."),
        marked("{pirate} gives back the stories {cards}."),
    ),
}
"""For each kind of card: the sentences about one or several gained cards, and about lost cards."""

_TEXTS = frozenset({"title", "name", "text", "warning", "blanks", "bad", "good", "legendary"})
"""Members of a pack that contain texts."""


def vocabulary() -> Iterator[str]:
    """Yield the names derived from ids and the texts of the scenarios, in English."""
    yield from WORDS.values()
    yield from map(english_heading, (*SKILLS, *STATS, *ROLES, *get_args(ActionKind), "threat", "infamy"))
    yield from map(english_words, (*SKILLS, *STATS, *STANDEES))
    yield from (english_words(str(kind.__struct_config__.tag)) for kind in get_args(Pending) if kind is not Saved)
    for pack in _PACKS:
        yield from _derived_words(pack)
        yield from _texts(msgspec.to_builtins(pack))


def _derived_words(pack: Pack) -> Iterator[str]:
    if pack.objective not in pack.objective_card:
        yield english_heading(pack.objective)
    yield from (entry.id for entry in pack.entries)
    yield from (page.id for page in pack.pages)
    for page in pack.pages:
        yield from (english_heading(symbol) for action in page.actions for symbol in action.black)
        for feature in page.features:
            yield from (english_heading(feature.id), english_words(feature.id))
    # Other ids are a letter and a digit, which need no translation.
    yield from (star.id for sheet in pack.sheets for star in sheet.constellation if "_" in star.id)


def _texts(part: Any, key: str = "") -> Iterator[str]:
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from _texts(inner, name)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _texts(inner, key)
    elif isinstance(part, str) and key in _TEXTS:
        yield part
    elif isinstance(part, str) and key == "counter":
        yield from (english_heading(part), english_words(part))
