"""Pages of the library: search games, and show players and rulesets."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for

from api.pages import statistics
from api.pages.asking import parameters
from api.pages.counting import counts
from api.pages.dates import day
from api.pages.naming import naming
from api.pages.person import WEEKS, person
from api.plumbing.about import tone
from api.plumbing.access import VIEWER, caller, needs
from api.plumbing.http import find_ruleset, store
from api.plumbing.problems import malformed_request
from engine.core.documents import params_schema
from engine.core.errors import UnknownRuleset
from engine.core.language import marked, say
from engine.core.text import search_key
from engine.core.values import GameOutcome
from engine.kit.options import TITLES
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.review.words import describe_duration, join_words
from exports.prose import describe_result
from exports.words import title_with_game
from service.access import Role
from service.figures import Figures, of_player, results
from service.over_time import LOOKED_BACK, of_ruleset
from store.library.projections import Filter, Order, Summary
from store.library.tallies import ENDING, PLAYERS, Scores, scores

blueprint = Blueprint("library", __name__)

PAGE = 12
RECENT = 12
NAMED = 100
"""Maximum number of games on a player's page that have a control to set another player."""
STANDINGS = {
    "": marked("any"),
    "setup": marked("being set up"),
    "in_progress": marked("in progress"),
    "won": marked("won"),
    "lost": marked("lost"),
    "draw": marked("a draw"),
    "abandoned": marked("abandoned"),
}
ORDERS = {
    "newest": marked("newest"),
    "oldest": marked("oldest"),
    "played_at": marked("by date"),
    "longest": marked("longest"),
    "shortest": marked("shortest"),
    "outcome": marked("by outcome"),
    "title": marked("by game"),
}
STREAKS = {
    "won": marked("The last {count} were won."),
    "lost": marked("The last {count} were lost."),
    "draw": marked("The last {count} ended in a draw."),
}
GIVEN_UP = marked("The last {count} were abandoned.")
_FIELDS = ("q", "ruleset", "standing", "player", "tag", "from", "to", "sort")
_MINUTE = 60


class GameEntry(msgspec.Struct, frozen=True):
    """A game in the list."""

    id: str
    title: str
    names: tuple[str, ...]
    day: str
    standing: str
    tone: str
    ending: str | None
    details: list[str]
    tags: tuple[str, ...]
    status: str
    seconds: int

    @property
    def playing_time(self) -> str | None:
        """The playing time, such as '52 minutes'; None for a game that was hardly played."""
        return describe_duration(self.seconds) if self.seconds >= _MINUTE else None

    @property
    def players(self) -> str:
        """The players' names, such as 'Ann, Bob and Cyd'."""
        return join_words(self.names)

    @property
    def date(self) -> str:
        """The date of play, such as '20 Nov 2026'."""
        return day(self.day)


@blueprint.get("/")
@needs(VIEWER)
def index() -> Response:
    """Show the games that match the filters, in the requested order."""
    asked = parameters(_FIELDS)
    given = {name: value for name, value in asked.items() if value}
    order, wanted = _order_of(given.pop("sort", "newest")), _filter(given)
    kept = {} if order == "newest" else {"sort": order}
    found, cursor = store().projections.find(wanted, request.args.get("cursor"), PAGE, order)
    page = render_template(
        "library.html",
        games=[entry(summary) for summary in found],
        asked=asked,
        given={name: _describe_filter(name, value) for name, value in given.items()},
        without={name: _address({**{key: given[key] for key in given if key != name}, **kept}) for name in given},
        more=cursor and _address({**given, **kept, "cursor": cursor}),
        first=_address({**given, **kept}),
        order=order,
        orders={one: (say(title), _address({**given, "sort": one})) for one, title in ORDERS.items()},
        counts=counts(store().projections.standings(wanted), given.get("ruleset"), given.get("standing")),
        is_first="cursor" not in request.args,
        is_for_all=caller().game is None,
        may_open=caller().game is None and caller().role.includes(Role.RECORDER),
        rulesets=sorted(registry.rulesets(), key=lambda rules: rules.name),
        standings={value: say(title) for value, title in STANDINGS.items()},
    )
    return make_response(page)


@blueprint.get("/players/<path:name>")
@needs(VIEWER)
def player(name: str) -> Response:
    """Show a player."""
    name = store().projections.person(name, caller().game)
    found, _ = store().projections.find(Filter(player=name, game=caller().game), limit=NAMED)
    by_ruleset: dict[str, dict[tuple[str, ...], int]] = {}
    for (ruleset, *rest), count in store().projections.tally("player", name, caller().game).items():
        by_ruleset.setdefault(ruleset, {})[tuple(rest)] = count
    tallies = [(_name(id_), id_, statistics.groups(tally, _order(id_))) for id_, tally in by_ruleset.items()]
    figures = of_player(store(), name, caller().game)
    oldest, _ = store().projections.find(Filter(player=name, game=caller().game), None, NAMED, "oldest")
    recent = results(store(), name, caller().game)
    partners = {} if figures is None else _partners(figures)
    page = render_template(
        "player.html",
        name=_as_written(name, found),
        figures=figures,
        over_time=[] if figures is None else statistics.common_groups(figures, partners),
        scores=[] if figures is None else _with_game_names(figures.scores),
        person=None if figures is None else person(figures, recent, (found, oldest), partners),
        weeks=WEEKS,
        entry=entry,
        word=_word,
        hours=say(statistics.HOURS),
        streaks=STREAKS,
        given_up=GIVEN_UP,
        describe_duration=describe_duration,
        games=[entry(summary) for summary in found[:RECENT]],
        more=_address({"player": name}) if len(found) > RECENT else None,
        tallies=sorted(
            (title, id_, statistics.whole(groups), statistics.parts(groups)) for title, id_, groups in tallies
        ),
        few=statistics.FEW,
        naming=naming(name, found),
    )
    return make_response(page)


def _with_game_names(found: list[Scores]) -> list[tuple[str, Scores]]:
    """Return the scores for each ruleset, with the name of the ruleset."""
    return [(say(one.game or _name(one.ruleset)), one) for one in found]


def _partners(figures: Figures) -> dict[str, str]:
    game = caller().game
    if game is None:
        return store().projections.latest_spellings([one.value for one in figures.partners])
    players, _ = store().projections.players(game_id=game)
    return {search_key(one.name): one.name for one in players}


@blueprint.get("/rulesets/<ruleset_id>")
@needs(VIEWER)
def ruleset(ruleset_id: str) -> Response:
    """Show a ruleset."""
    rules = find_ruleset(ruleset_id)
    tally = store().projections.tally("ruleset", ruleset_id, caller().game)
    groups = statistics.groups(tally, _order(ruleset_id))
    found, _ = store().projections.find(Filter(ruleset=ruleset_id, game=caller().game), limit=6)
    asked = parameters(("players", "value"))
    over_time = of_ruleset(
        store(),
        ruleset_id,
        players=_number("players", asked["players"]),
        value=asked["value"] or None,
        game_id=caller().game,
    )
    actions = {section: [kind for kind in rules.actions if kind.rule == section] for section in rules.sections}
    page = render_template(
        "ruleset.html",
        rules=rules,
        whole=statistics.whole(groups),
        groups=statistics.parts(groups),
        over_time=over_time,
        months=statistics.months(over_time),
        looked_back=LOOKED_BACK,
        asked=asked,
        describe_duration=describe_duration,
        players=groups.get(PLAYERS),
        endings=groups.get(ENDING),
        scores=_with_game_names(scores(ruleset_id, tally)),
        games=[entry(summary) for summary in found],
        actions={section: [rules.describe_action_type(kind) for kind in kinds] for section, kinds in actions.items()},
        few=statistics.FEW,
    )
    return make_response(page)


def entry(game: Summary) -> GameEntry:
    """Return the entry of a game for the list, in words."""
    rules = _rules(game.ruleset)
    outcome = game.outcome
    return GameEntry(
        id=game.id,
        title=title_with_game(_name(game.ruleset), game.title),
        names=game.names,
        day=game.played_at[:10],
        standing=_standing(game),
        tone=tone(outcome),
        ending=_ending(rules, outcome),
        # The first option is the most important one, such as the difficulty, the teams or the scenario.
        details=[say(value) for value in list(game.chosen.values())[:1]],
        tags=game.tags,
        status=game.status,
        seconds=game.seconds,
    )


def _ending(rules: AnyRuleset | None, outcome: GameOutcome | None) -> str | None:
    if rules is None or outcome is None or outcome.reason not in rules.endings:
        return None
    return say(rules.endings[outcome.reason])


def _standing(game: Summary) -> str:
    if game.status == "setup":
        return say("being set up")
    if game.outcome is None:
        return say("turn {turn}", turn=game.turn)
    return describe_result(game.outcome, game.names)


def _rules(ruleset_id: str) -> AnyRuleset | None:
    try:
        return registry.ruleset(ruleset_id)
    except UnknownRuleset:
        return None


def _name(ruleset_id: str) -> str:
    rules = _rules(ruleset_id)
    return ruleset_id if rules is None else say(rules.name)


def _word(ruleset_id: str, value: str) -> str:
    rules = _rules(ruleset_id)
    return value if rules is None else rules.word(value)


def _order(ruleset_id: str) -> list[tuple[str, str]]:
    """Return the options with their values, in the order of the start page."""
    rules = _rules(ruleset_id)
    if rules is None:
        return []
    declared = params_schema(rules.options)["properties"].values()
    return [(schema["title"], title) for schema in declared for title in schema.get(TITLES, {}).values()]


def _order_of(asked: str) -> Order:
    try:
        order: Order = msgspec.convert(asked, Order)
    except msgspec.ValidationError:
        raise malformed_request("/sort", f"must be one of {', '.join(ORDERS)}") from None
    return order


def _filter(given: dict[str, str]) -> Filter:
    wanted: dict[str, Any] = {name: given[name] for name in ("q", "ruleset", "player", "tag") if name in given}
    standing = given.get("standing")
    if standing is not None:
        if standing not in STANDINGS:
            raise malformed_request("/standing", f"one of {', '.join(filter(None, STANDINGS))}")
        wanted["status" if standing in {"setup", "in_progress"} else "result"] = standing
    if "from" in given:
        wanted["from_"] = _day("from", given["from"])
    if "to" in given:
        wanted["to"] = _day("to", given["to"]) + timedelta(days=1)
    return Filter(**wanted, game=caller().game)


def _day(name: str, text: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
    except ValueError:
        raise malformed_request(f"/{name}", "must be a date, such as 2026-11-20") from None


def _number(name: str, text: str) -> int | None:
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        raise malformed_request(f"/{name}", "must be a number, such as 3") from None


def _describe_filter(name: str, value: str) -> str:
    match name:
        case "q":
            return say("“{text}”", text=value)
        case "player":
            return say("with {name}", name=value)
        case "tag":
            return say("tagged {tag}", tag=value)
        case "from":
            return say("since {day}", day=value)
        case "to":
            return say("until {day}", day=value)
        case "ruleset":
            return _name(value)
    return say(STANDINGS.get(value, value))


def _address(query: dict[str, str]) -> str:
    return url_for("pages.library.index") + (f"?{urlencode(query)}" if query else "")


def _as_written(name: str, games: list[Summary]) -> str:
    written = (one for game in games for one in game.names if search_key(one) == search_key(name))
    return next(written, name)
