"""Panels of the picture: the constellations, the ship's boards, and the pirates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forgotten_waters import words
from engine.games.forgotten_waters.readings import as_task
from engine.games.forgotten_waters.rules.measures import holds, is_rolled, total
from engine.games.forgotten_waters.scenario.effects import Check, Choose
from engine.games.forgotten_waters.scenario.pack import CANNON_LIMIT, EVENTS, ROLES, Sheet
from engine.games.forgotten_waters.scenario.values import SKILLS, Skill
from engine.games.forgotten_waters.state import Pirate, WatersState, replace
from engine.kit.part_panels import Around
from engine.kit.scene import panels as scene
from engine.kit.scene.looks import Ground, Symbol
from engine.kit.scene.planes import Piece

SYMBOLS: dict[str, Symbol] = {
    "aim": "eye",
    "brawn": "swords",
    "exploration": "flag",
    "hunting": "beast",
    "navigation": "wheel",
    "swagger": "crown",
    "cannons": "cannon",
    "crew": "crew",
    "discontent": "flame",
    "events": "book",
    "hull": "hull",
    "infamy": "skull",
    "misfortune": "moon",
    "reroll": "die",
    "scout": "island",
    "ship": "ship",
    "star": "star",
    "supplies": "barrel",
    "threat": "storm",
    "treasure": "chest",
}
"""Symbols on the board for the guide symbols of actions. The symbol for a location dial is `DIAL`."""
DIAL: Symbol = "gear"
PHASES = {"planning": marked("Planning"), "action": marked("Actions"), "end_of_round": marked("End of round")}
_LOADED, _UNLOADED = marked("Level {level}, loaded"), marked("Level {level}, unloaded")
NEAR = 2
"""Distance from a loss at which a ship stat counts as critical."""


def panels(state: WatersState, around: Around) -> tuple[scene.Panel, ...]:
    """Return the panels that are shown beside the map, the page and the constellations."""
    return (
        *_to_resolve(state, around.names),
        _round(state),
        _ship(state),
        _cannons(state),
        *_objective(state),
        _infamy(state, around),
        *_location(state),
        *_pirates(state, around),
        *_piles(state),
        *_log(state),
        *(
            scene.Note(f"rule.{rule.id}", say(rule.name), text=say(rule.text or marked("In play")))
            for rule in state.pack.rules_for(len(state.pirates))
        ),
    )


def _to_resolve(state: WatersState, names: Sequence[str]) -> Iterator[scene.Panel]:
    if not state.agenda or state.outcome is not None:
        return
    step = state.agenda[0]
    effect = step.effect
    yield scene.Note("effect", say("To resolve"), text=f"{as_task(effect, names[step.seat])}.")
    if step.dice:
        cards = []
        for number, die in enumerate(step.dice, 1):
            title = say("Die {number}: {value}", number=number, value=die)
            cards.append(scene.Card(f"die.{number}", str(die), place=f"die:{number}", title=title))
        yield scene.Shelf("dice", _dice_title(state), cards=tuple(cards))
    if isinstance(effect, Choose):
        cards = []
        for number, option in enumerate(effect.options, 1):
            label, is_faint = f"{number}. {say(option.name)}", not holds(state, step.seat, option.when)
            cards.append(scene.Card(f"option.{number}", label, is_faint=is_faint, place=f"option:{number}"))
        yield scene.Shelf("options", say("To choose from"), cards=tuple(cards))


def _dice_title(state: WatersState) -> str:
    step = state.agenda[0]
    check = step.effect
    assert isinstance(check, Check)
    skill = words.printed_name(check.skill)
    if is_rolled(step):
        return say("{skill} check: {total} in total", skill=skill, total=total(state, step, check))
    return say("{skill} check: a second die for misfortune", skill=skill)


def _round(state: WatersState) -> scene.Track:
    title = marked("Round {round}, part {part}")
    if state.phase == "planning" and state.has_timer_run_out:
        title = marked("Round {round}, part {part} · the timer has run out")
    elif state.phase == "planning" and state.timer_seconds:
        title = marked("Round {round}, part {part} · timer {seconds} s")
    return scene.Track(
        "round",
        say(title, round=state.round, part=state.part, seconds=state.timer_seconds),
        steps=tuple(scene.Step(f"phase.{phase}", say(label)) for phase, label in PHASES.items()),
        at=list(PHASES).index(state.phase),
    )


def _ship(state: WatersState) -> scene.Counters:
    near_mutiny = state.crew - state.discontent <= NEAR
    grave = {"hull": state.hull <= NEAR, "supplies": False, "crew": near_mutiny, "discontent": near_mutiny}
    gauges = []
    for stat, is_grave in grave.items():
        label, value, of = words.printed_name(stat), getattr(state, stat), getattr(state.maxima, stat)
        gauges.append(scene.Gauge(f"ship.{stat}", label, value=value, of=of, symbol=SYMBOLS[stat], is_grave=is_grave))
    title = state.options.ship_name or say("The ship")
    return scene.Counters("stats", title, is_vital=True, gauges=tuple(gauges))


def _cannons(state: WatersState) -> scene.Shelf:
    cards = []
    for number, cannon in enumerate(state.cannons, 1):
        ground: Ground = "stone" if cannon.is_loaded else "paper"
        label, place = say(_LOADED if cannon.is_loaded else _UNLOADED, level=cannon.level), f"level:{cannon.level}"
        cards.append(scene.Card(f"cannon.{number}", label, symbol="cannon", ground=ground, place=place))
    free = range(len(cards) + 1, CANNON_LIMIT + 1)
    cards += [scene.Card(f"cannon.{number}", say("No cannon"), symbol="cannon", is_faint=True) for number in free]
    return scene.Shelf("cannons", say("Cannons"), cards=tuple(cards))


def _objective(state: WatersState) -> Iterator[scene.Panel]:
    card = state.pack.objective_card.get(state.objective)
    text = say(card.text if card is not None and card.text else marked("See the card for the goal."))
    title = say("Objective: {objective}", objective=words.objective_name(state, state.objective))
    yield scene.Note("objective", title, text=text)
    threat, limit, events, last = state.threat, state.threat_limit, state.threat_events, state.last_threat_event
    until, done = say("Threat until the limit"), say("Threat events")
    gauges = (
        scene.Gauge("threat", until, value=threat, of=max(threat, limit), symbol="storm", is_grave=threat >= limit),
        scene.Gauge("threat_events", done, value=events, of=last, symbol="skull", is_grave=events >= last - 1),
    )
    yield scene.Counters("threats", say("Threat"), gauges=gauges)


def _infamy(state: WatersState, around: Around) -> scene.Track:
    markers = (standee(state, seat, around, id_=f"marker.{SEAT_IDS[seat]}") for seat in state.infamy)
    steps = (scene.Step(f"infamy.{rank}", str(rank), pieces=(marker,)) for rank, marker in enumerate(markers, 1))
    return scene.Track("infamy", say("Infamy"), steps=tuple(steps))


def standee(state: WatersState, seat: int, around: Around, *, id_: str, on: str | None = None) -> Piece:
    """Return a piece in the colour of the seat's pirate."""
    colour = state.pirates[seat].standee
    title = f"{words.pirate_name(state, seat, around.names)}, {words.inline_name(colour)}"
    return replace(around.pawn(seat, colour, on, title), id=id_, is_active=seat == state.active)


def _location(state: WatersState) -> Iterator[scene.Panel]:
    page = state.pack.page.get(state.page)
    dials = tuple(
        scene.Gauge(f"dial.{one.id}", words.printed_name(one.id), value=value, of=one.max, symbol=DIAL)
        for one, value in zip(state.features, state.dials, strict=True)
    )
    if dials:
        yield scene.Counters("dials", say("Location dials"), gauges=dials)
    if page is not None and page.warning:
        yield scene.Note("warning", say("Warning of {page}", page=say(page.name)), text=say(page.warning))


def _pirates(state: WatersState, around: Around) -> Iterator[scene.PlayerMat]:
    for seat, pirate in enumerate(state.pirates):
        called = words.pirate_name(state, seat, around.names)
        title = say(state.sheet(seat).title)
        roles = [words.printed_name(role) for role, holder in zip(ROLES, state.roles, strict=True) if holder == seat]
        mat = around.mat(
            seat,
            pirate.standee,
            role=title if called == around.names[seat] else f"{called}, {title}",
            cards=tuple(_cards(state, pirate)),
            gauges=tuple(_sheet(state, seat, pirate)),
            note=", ".join(roles),
            empty=say("No treasures"),
        )
        yield replace(mat, is_active=state.outcome is None and seat == state.active)


def _cards(state: WatersState, pirate: Pirate) -> Iterator[scene.Card]:
    treasures, stories = (say("Treasure"), "treasure", pirate.treasures), (say("Story"), "events", pirate.stories)
    for kind, symbol, cards in (treasures, stories):
        for card in cards:
            icons = [f"{words.inline_name(skill)} +{n}" for skill in SKILLS if (n := state.icon(card, skill))]
            name = words.card_name(state, card)
            label = f"{name} ({', '.join(icons)})" if icons else name
            title = f"{kind}: {label}"
            yield scene.Card(f"card.{card}", label, symbol=SYMBOLS[symbol], place=card, title=title)


def _sheet(state: WatersState, seat: int, pirate: Pirate) -> Iterator[scene.Gauge]:
    id_, sheet = SEAT_IDS[seat], state.sheet(seat)
    for skill in SKILLS:
        label, value = words.printed_name(skill), pirate.filled_boxes(skill)
        boxes, of = _boxes(sheet, pirate, skill), len(sheet.boxes[skill])
        yield scene.Gauge(f"{skill}.{id_}", label, value=value, of=of, symbol=SYMBOLS[skill], boxes=boxes)
    stars, bad = len(sheet.constellation), pirate.misfortune
    yield scene.Gauge(f"stars.{id_}", say("Stars"), value=len(pirate.stars), of=stars, symbol="star")
    yield scene.Gauge(f"events.{id_}", say("Events"), value=pirate.events, of=EVENTS, symbol="book")
    yield scene.Gauge(f"event_tokens.{id_}", say("Event tokens"), value=pirate.event_tokens, symbol="token")
    yield scene.Gauge(f"rerolls.{id_}", say("Re-rolls"), value=pirate.rerolls, symbol="die")
    yield scene.Gauge(f"misfortune.{id_}", say("Misfortune"), value=bad, symbol="moon", is_grave=bad > 0)


def _boxes(sheet: Sheet, pirate: Pirate, skill: Skill) -> str:
    """Return the seven boxes of a skill in the format of `Gauge.boxes`. Boxes are filled in from left to right."""
    left = pirate.filled_boxes(skill)
    drawn = []
    for box in sheet.skills[skill]:
        is_filled = box != "x" and left > 0
        left -= is_filled
        drawn.append("#" if is_filled else {"*": "*", "x": "x"}.get(box, "."))
    return "".join(drawn)


def _piles(state: WatersState) -> Iterator[scene.Panel]:
    navigation = state.navigation_pile.cards()
    hidden = len(state.face_down)
    yield scene.CardStack(
        "navigation",
        say("Navigation tokens"),
        count=len(navigation) - hidden,
        left=tuple(
            scene.Card(f"navigation.{token}", words.token_name(state, token), count=navigation.count(token))
            for token in dict.fromkeys(navigation)
        ),
        notes=(say("{count} of these are face down on the map.", count=hidden),) if hidden else (),
    )
    discard = state.treasure_discard
    yield scene.CardStack(
        "treasures",
        say("Treasure deck"),
        count=len(state.treasure_pile),
        discarded=len(discard),
        top=words.card_name(state, discard[-1]) if discard else "",
    )


def _log(state: WatersState) -> Iterator[scene.Panel]:
    counts = tuple(scene.Gauge(f"count.{name}", words.printed_name(name), value=value) for name, value in state.counts)
    if counts:
        yield scene.Counters("log", say("Ship's log"), gauges=counts)


def legend() -> scene.Legend:
    """Return the meaning of the symbols."""
    things = (*SKILLS, "infamy", "discontent", "supplies")
    signs = (scene.Sign(text=words.printed_name(thing), symbol=SYMBOLS[thing]) for thing in things)
    return scene.Legend("legend", say("Legend"), signs=(*signs, scene.Sign(text=say("Location dial"), symbol=DIAL)))
