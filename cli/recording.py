"""`driftlog record`: record a game in the terminal, line by line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any
from uuid import uuid4

import click

from cli.client import Client, RequestRefused
from cli.completing import games, rulesets
from cli.games import heading, path, patiently, print_line, print_result, query, story
from cli.options import parse_options
from cli.prompting import (
    SHOWN,
    AmbiguousInput,
    Back,
    InputEnded,
    NotOne,
    PromptChoice,
    ask,
    choose,
    pick,
    show,
    show_help,
)
from cli.remote import url_option
from cli.terminal import Negative, WrongUsage, err, escape, out
from engine.core.text import hint, near

HELP = {
    "undo": "undo the last event",
    "redo": "redo the last undo",
    "note TEXT": "add a note",
    "table": "show the table",
    "actions": "list the legal actions",
    "quit": "leave; `driftlog record GAME` continues the record",
}
_COMMANDS = [name.partition(" ")[0] for name in HELP]
_UNSEEN = PromptChoice("unknown")
_LIKELY = 0.6
"""The minimum score (see `exports.notation.matching`) of an action that may match the user's words."""
_LEAD = 0.03
"""The minimum difference between the scores of the best and the next action. Below it, the user must choose."""
_AS_IT_IS = {"accept_illegal": "true", "accept_left_out": "false"}
"""The query that records an illegal action without an explanation."""
_NOT_OF_THE_TABLE = frozenset({"undo", "annotate"})
_BEGINNINGS = frozenset({"game_opened", "set_up"})


@click.command()
@click.argument("game", required=False, shell_complete=games)
@click.option("--ruleset", metavar="ID", shell_complete=rulesets, help="The ruleset of a new game.")
@click.option(
    "--player", "names", multiple=True, metavar="NAME", help="A player of a new game, in seat order; repeat for each."
)
@click.option("--seeded", is_flag=True, help="Let the service draw.  [default: you report your own cards and dice]")
@click.option("--as-played", is_flag=True, help="Record illegal actions, too, and mark them.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option("--tag", "tags", multiple=True, help="A word to find the game later.")
@url_option
def record(
    game: str | None,
    url: str,
    *,
    ruleset: str | None,
    names: tuple[str, ...],
    options: tuple[str, ...],
    tags: tuple[str, ...],
    seeded: bool,
    as_played: bool,
) -> None:
    """Record a game: GAME, or a new one. Legal actions are listed; choose with a number, or with a few letters and Tab.

    The command asks for everything that the options do not set. In a game with your own cards, it also asks for the
    results. Type an illegal action to record it with an explanation.
    """
    client = Client(url)
    try:
        if game is None:
            order: dict[str, Any] = {
                "ruleset": _ruleset(client, ruleset),
                "options": parse_options(options),
                "seats": [{"name": name} for name in names or _names()],
                "chance": "seeded" if seeded else "observed",
                "mode": "as_played" if as_played else "strict",
                "tags": tags,
            }
            game = str(client.post("/v1/games", order, Idempotency_Key=str(uuid4())).json()["id"])
            out().print(f"Game [cyan]{escape(game)}[/]")
        elif ruleset or names or options or tags:
            raise WrongUsage("--ruleset, --player and other options are for a new game: omit GAME")
        _table(client, game).play()
    except InputEnded as stop:
        if stop.is_early:
            where = "nothing is recorded" if game is None else f"`driftlog record {game}` continues"
            raise Negative(f"the input ended at a question: {where}") from None


def _table(client: Client, game: str) -> TablePrompt:
    try:
        return TablePrompt(client, game)
    except RequestRefused as refused:
        if refused.status != 404:
            raise
        found = near(game, [one["id"] for one in client.get("/v1/rulesets")["rulesets"]])
        way = f"`driftlog record --ruleset {found[0]}` opens one" if found else "`driftlog list` lists the games"
        raise Negative(f"{refused.message} {way}.") from None


def _ruleset(client: Client, given: str | None) -> str:
    found = client.get("/v1/rulesets")["rulesets"]
    ids = [str(one["id"]) for one in found]
    if given is not None and given not in ids:
        raise WrongUsage(f"--ruleset: no ruleset {given!r}{hint(given, ids)}")
    while given is None:
        try:
            given = ids[choose("Which game?", [PromptChoice(one["name"], one["id"]) for one in found])]
        except Back:
            continue
    return given


def _names() -> list[str]:
    names: list[str] = []
    while name := ask(f"Player {len(names) + 1} (Enter: that is all)> ", []):
        if name.casefold() in map(str.casefold, names):
            err().print(f"[yellow]There is already a player {escape(name)}[/]: add an initial")
        else:
            names.append(name)
    if name is None or not names:
        raise InputEnded(is_early=name is None)
    return names


class TablePrompt:
    """Records a game: prints events, and asks for the next events until the game is over."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._path = path(game)
        self._game = client.get(self._path)
        rules = client.get(f"/v1/rulesets/{self._game['ruleset']}")
        self._phases: dict[str, str] = rules["phases"]
        self._kinds: dict[str, dict[str, Any]] = {kind["type"]: kind for kind in rules["actions"]}
        self._lines = [*story(client, game)]
        self._choose_from(client.get(f"{self._path}/actions"))

    def play(self) -> None:
        """Record events until the game is over, or raise `Stop` if the user ends the input."""
        heading(out(), self._game)
        for line in self._lines[-5:]:
            print_line(out(), line, self._game["seats"])
        self._list_actions()
        while self._game["outcome"] is None:
            said = ask(f"{self._awaited_names()}> ", [*(one.label for one in self._shown), *self._labels, *_COMMANDS])
            if said is None:
                raise InputEnded
            try:
                self._do(said)
            except Back:
                err().print("[yellow]Cancelled[/]: nothing was recorded")
            except AmbiguousInput as unclear:
                err().print(f"[yellow]{escape(str(unclear))}[/]: type `help` for the commands")
            except Negative as refused:
                err().print(f"[red]{escape(refused.message)}[/]")
        print_result(out(), self._game["outcome"], self._game["seats"])

    def _choose_from(self, legal: dict[str, Any]) -> None:
        """Store the legal actions to choose from.

        Actions of awaited seats come first, actions that are never due come last.
        """
        self._legal = legal
        order = {id(one): (self._is_any_time(one), not self._is_waited_for(one)) for one in legal["actions"]}
        self._actions = sorted(legal["actions"], key=lambda one: order[id(one)])
        self._labels = [self._label(one, one["label"]) for one in self._actions]
        kinds = groupby(range(len(self._actions)), lambda at: [self._actions[at][name] for name in ("type", "actor")])
        self._shown: list[PromptChoice] = []
        self._behind: list[list[int]] = []
        for group in self._split_kinds([list(group) for _, group in kinds]):
            label, about = self._labels[group[0]], ""
            if len(group) > 1:
                label, about = self._label(self._actions[group[0]], f"{self._title(group)} …"), f"{len(group)} ways"
            self._shown.append(PromptChoice(label, about))
            self._behind.append(group)

    def _split_kinds(self, kinds: list[list[int]]) -> list[list[int]]:
        """Split kinds of actions into single actions.

        Kinds that players can take at any time are not split. If the list would be too long, the largest kinds are not
        split, either.
        """
        folded = [kind for kind in kinds if self._is_any_time(self._actions[kind[0]])]
        due = sorted((kind for kind in kinds if kind not in folded), key=len)
        while len(due) > 1 and sum(map(len, due)) + len(folded) > SHOWN:
            folded.append(due.pop())
        return [part for kind in kinds for part in ([kind] if kind in folded else ([at] for at in kind))]

    def _is_any_time(self, action: dict[str, Any]) -> bool:
        return action["type"] in self._kinds and bool(self._kinds[action["type"]]["any_time"])

    def _title(self, group: list[int]) -> str:
        return str(self._kinds[self._actions[group[0]]["type"]]["title"])

    def _is_waited_for(self, action: dict[str, Any]) -> bool:
        return action["actor"] is None or action["actor"] in self._legal["awaiting"]

    def _label(self, action: dict[str, Any], text: str) -> str:
        """Return the text for an action. It has the player's name, unless the game waits only for that player."""
        if self._is_waited_for(action) and len(self._legal["awaiting"]) < 2:
            return text
        return f"{self._name(action['actor'])}: {text}"

    def _name(self, seat: str) -> str:
        return str(self._game["seats"][int(seat[1:]) - 1]["name"])

    def _awaited_names(self) -> str:
        return ", ".join(map(self._name, self._legal["awaiting"])) or "Table"

    def _list_actions(self, most: int = SHOWN) -> None:
        if self._game["outcome"] is None:
            phase = self._legal["phase"]
            turn = f"Turn {self._legal['turn']}, {self._awaited_names()}. {self._legal['ask']}"
            show(turn if self._legal["ask"] else f"{self._phases.get(phase, phase).capitalize()}:", self._shown, most)

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        doing: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "table": self._print_table,
            "actions": lambda: self._list_actions(len(self._shown)),
            "help": lambda: show_help(HELP),
        }
        if word == "quit":
            raise InputEnded
        if word == "note" and rest.strip():
            self._append({"type": "annotate", "params": {"text": rest.strip()}})
        elif line in doing:
            doing[line]()
        elif line:
            try:
                action = self._actions[self._pick(line)]
            except NotOne:
                self._try_illegal(line)
            else:
                self._append({name: action[name] for name in ("type", "actor", "params")})

    def _pick(self, line: str) -> int:
        """Return the index of the chosen legal action. If the user chose a kind, ask for an action of that kind."""
        try:
            group = self._behind[pick(line, [one.label for one in self._shown])]
        except NotOne:
            if line.isdecimal():
                raise
            return pick(line, self._labels)
        if len(group) == 1:
            return group[0]
        return group[choose(f"{self._title(group)}?", [PromptChoice(self._labels[at]) for at in group])]

    def _try_illegal(self, line: str) -> None:
        """Offer to record an illegal action, with an explanation or without.

        Raises:
            NotOne: no action matches the words. Back: the user does not want to record the action.
        """
        found = self._possible_meanings(line)
        if not found:
            raise NotOne(f"{line!r} is not one of these")
        labels = [label for label, _ in found]
        try:
            label, event = found[pick(line, labels)]
        except NotOne:
            label, event = found[choose("Which action?", [*map(PromptChoice, labels)]) if len(found) > 1 else 0]
        try:
            self._append(event, if_illegal="ask")
        except RequestRefused as refused:
            problem = refused.problem
            explanations = problem.get("explanations", [])
            is_clear = problem["type"].endswith("/illegal-action") and not {"instead", "look"} & problem.keys()
            if not explanations and not is_clear:
                raise
            err().print(f"[yellow]Against the rules: {escape(label)}[/]. {escape(problem['detail'])}")
            ways = [PromptChoice(one["message"]) for one in explanations]
            ways += [PromptChoice("Record anyway", "marked, without an explanation")] * is_clear
            chosen = choose("What happened?", [*ways, PromptChoice("Cancel")])
            if chosen == len(ways):
                raise Back from None
            if chosen < len(explanations):
                self._append(*explanations[chosen]["events"])
            else:
                self._append(event, **_AS_IT_IS)

    def _possible_meanings(self, line: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the illegal actions that match the words about equally well, with their labels."""
        # Imported late: most sessions need no rules here.
        import msgspec

        from engine.core.errors import EngineError
        from engine.core.values import SEAT_IDS
        from engine.play.beliefs.belief import likeliest
        from engine.play.fold import fold
        from engine.play.slips import label_of
        from exports import read_any
        from exports.notation.matching import find_matches

        try:
            game = fold(read_any(b"".join(self._client.stream(f"{self._path}/export?format=ndjson"))))
        except EngineError:
            # The rules are not installed here, or the log has hidden information.
            return []
        found = find_matches(game, line)
        best = [one.candidate for one in found if one.score > max(_LIKELY, found[0].score - _LEAD)]
        return [
            (
                self._label({"actor": SEAT_IDS[one.seat]}, label_of(one.action, likeliest(game.state), game.names)),
                {"type": one.type, "actor": SEAT_IDS[one.seat], "params": msgspec.to_builtins(one.action)},
            )
            for one in best
            if not one.is_legal
        ]

    def _append(self, *events: dict[str, Any], **how: str) -> None:
        """Append the events, after asking for all results that they need. Raise `Back` if the user cancels."""
        drafts = [{**event, "outcomes": [*event.get("outcomes", ())]} for event in events]
        while True:
            try:
                answer = self._send(drafts if len(drafts) > 1 else drafts[0], **how)
                break
            except RequestRefused as refused:
                if not refused.problem.get("type", "").endswith("/outcome-required"):
                    raise
                outcomes = drafts[refused.problem.get("index", 0)]["outcomes"]
                try:
                    outcomes.append(self._ask_result(refused.problem))
                except Back:
                    if not outcomes:
                        raise
                    outcomes.pop()
        self._game |= {name: answer[name] for name in ("version", "turn", "phase", "awaiting", "outcome")}
        after = self._lines[-1]["seq"]
        fresh = answer.get("story") or self._client.get(f"{self._path}/story{query(after=after, limit=1000)}")
        for line in fresh["story"]:
            print_line(out(), line, self._game["seats"])
        types = {event["type"] for event in events}
        if types & {"undo", "amend"}:
            # An undo or redo has changed the events in effect.
            self._lines = [*story(self._client, self._game["id"])]
        else:
            self._lines += fresh["story"]
        self._choose_from(answer.get("actions") or self._client.get(f"{self._path}/actions"))
        if types != {"annotate"}:
            self._list_actions()

    def _send(self, body: Any, **how: str) -> Any:
        key = str(uuid4())
        asked = f"{self._path}/events{query(include='actions,story', after=self._lines[-1]['seq'], **how)}"
        return patiently(self._client.post, asked, body, Idempotency_Key=key).json()

    def _ask_result(self, problem: dict[str, Any]) -> Any:
        chance = problem["chance"]
        places, position = problem.get("places") or [], chance.get("position", 0)
        where = f": {places[position]['label']} ({position + 1} of {len(places)})" if position < len(places) else ""
        choices = [PromptChoice(one["label"], one["p_exact"] or "") for one in chance["outcomes"]]
        unseen = [_UNSEEN] if self._game["mode"] == "as_played" else []
        index = choose(f"Result? {chance['name'].replace('_', ' ')}{where}", [*choices, *unseen])
        return chance["outcomes"][index]["value"] if index < len(choices) else None

    def _undo(self) -> None:
        standing = [one for one in self._lines if not one["is_undone"] and one["type"] not in _NOT_OF_THE_TABLE]
        if standing[-1]["type"] in _BEGINNINGS:
            raise AmbiguousInput("nothing to undo")
        self._append({"type": "undo", "params": {"to": standing[-2]["seq"]}})

    def _redo(self) -> None:
        if self._lines[-1]["type"] != "undo":
            raise AmbiguousInput("nothing to redo")
        self._append({"type": "undo", "params": {"to": self._lines[-1]["seq"] - 1}})

    def _print_table(self) -> None:
        for sentence in self._client.get(f"{self._path}/facts")["sentences"]:
            out().print(f"  {escape(sentence)}")
