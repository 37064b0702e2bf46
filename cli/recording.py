"""`driftlog record`: record a game in the terminal, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import click

from cli.client import Client, Refused
from cli.completing import games, rulesets
from cli.games import heading, path, patiently, print_result, query, story, tell_line
from cli.prompting import Choice, Unclear, ask, pick
from cli.remote import url_option
from cli.terminal import Negative, WrongUsage, err, escape, out

HELP = {
    "undo": "undo the last event",
    "redo": "redo the last undo",
    "note TEXT": "add a note",
    "table": "show the table",
    "actions": "list the legal actions",
    "quit": "leave; `driftlog record GAME` continues the record",
}
_COMMANDS = [name.partition(" ")[0] for name in HELP]
_UNSEEN = Choice("unknown")
_SHOWN = 16
"""Number of choices shown; Tab completes the others as well."""
_NOT_OF_THE_TABLE = frozenset({"undo", "annotate"})
_BEGINNINGS = frozenset({"game_opened", "set_up"})


class Stop(Exception):
    """The user ended the input."""


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

    It asks for everything that the options do not set and, in a game with your own cards, for the results.
    """
    client = Client(url)
    try:
        if game is None:
            order: dict[str, Any] = {
                "ruleset": ruleset or _ruleset(client),
                "seats": [{"name": name} for name in names or _names()],
                "options": _options(options),
                "chance": "seeded" if seeded else "observed",
                "mode": "as_played" if as_played else "strict",
                "tags": tags,
            }
            game = str(client.post("/v1/games", order, Idempotency_Key=str(uuid4())).json()["id"])
            out().print(f"Game [cyan]{escape(game)}[/]")
        elif ruleset or names or options or tags:
            raise WrongUsage("--ruleset, --player and other options are for a new game: omit GAME")
        Table(client, game).play()
    except Stop:
        return


def _ruleset(client: Client) -> str:
    found = client.get("/v1/rulesets")["rulesets"]
    return str(found[_choose("Which game?", [Choice(one["name"], one["id"]) for one in found])]["id"])


def _names() -> list[str]:
    names: list[str] = []
    while name := ask(f"Player {len(names) + 1} (Enter: that is all)> ", []):
        names.append(name)
    if not names:
        raise Stop
    return names


def _options(given: Sequence[str]) -> dict[str, Any]:
    import json

    options: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise WrongUsage(f"{one!r} is not an option: use NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def _choose(question: str, choices: Sequence[Choice]) -> int:
    """Return the index of the user's choice.

    Raises:
        Stop: the user ended the input.
    """
    _list(question, choices)
    labels = [one.label for one in choices]
    while (line := ask("> ", labels)) is not None:
        try:
            return pick(line, labels)
        except Unclear as unclear:
            err().print(f"[yellow]{escape(str(unclear))}[/]")
    raise Stop


def _list(question: str, choices: Sequence[Choice], most: int = _SHOWN) -> None:
    console = out()
    console.print(f"[bold]{escape(question)}[/]")
    for number, one in enumerate(choices[:most], 1):
        about = f"  [dim]{escape(one.about)}[/]" if one.about else ""
        console.print(f"{number:>4}  {escape(one.label)}{about}")
    if len(choices) > most:
        console.print(f"      … and {len(choices) - most} more: type the beginning, then press Tab")


class Table:
    """A game being recorded: prints events and asks for the next ones until the game is over."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._path = path(game)
        self._game = client.get(self._path)
        self._phases: dict[str, str] = client.get(f"/v1/rulesets/{self._game['ruleset']}")["phases"]
        self._lines = [*story(client, game)]
        self._choose_from(client.get(f"{self._path}/actions"))

    def play(self) -> None:
        """Record events until the game is over.

        Raises:
            Stop: the user ended the input.
            Failure: the service rejects the requests, or does not answer.
        """
        heading(out(), self._game)
        for line in self._lines[-5:]:
            tell_line(out(), line, self._game["seats"])
        self._list_actions()
        while self._game["outcome"] is None:
            said = ask(self._prompt(), [*self._labels, *_COMMANDS])
            if said is None:
                raise Stop
            try:
                self._do(said)
            except Unclear as unclear:
                err().print(f"[yellow]{escape(str(unclear))}[/]: type `help` for the commands")
            except Negative as refused:
                err().print(f"[red]{escape(refused.message)}[/]")
        print_result(out(), self._game["outcome"], self._game["seats"])

    def _choose_from(self, legal: dict[str, Any]) -> None:
        """Remember the legal actions to choose from, those of awaited seats first."""
        self._legal = legal
        self._actions = sorted(legal["actions"], key=lambda one: not self._is_waited_for(one))
        self._labels = [self._label(one) for one in self._actions]

    def _is_waited_for(self, action: dict[str, Any]) -> bool:
        return action["actor"] is None or action["actor"] in self._legal["awaiting"]

    def _label(self, action: dict[str, Any]) -> str:
        """Return the label of an action, with the player's name unless the game waits for that player only."""
        if self._is_waited_for(action) and len(self._legal["awaiting"]) < 2:
            return str(action["label"])
        return f"{self._name(action['actor'])}: {action['label']}"

    def _name(self, seat: str) -> str:
        return str(self._game["seats"][int(seat[1:]) - 1]["name"])

    def _prompt(self) -> str:
        return f"{', '.join(map(self._name, self._legal['awaiting'])) or 'Table'}> "

    def _list_actions(self, most: int = _SHOWN) -> None:
        if self._game["outcome"] is None:
            phase = self._legal["phase"]
            question = f"Turn {self._legal['turn']}, {self._phases.get(phase, phase)}:"
            _list(question, [Choice(label) for label in self._labels], most)

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        doing: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "table": self._tell_table,
            "actions": lambda: self._list_actions(len(self._labels)),
            "help": self._help,
        }
        if word == "quit":
            raise Stop
        if word == "note" and rest.strip():
            self._append({"type": "annotate", "params": {"text": rest.strip()}})
        elif line in doing:
            doing[line]()
        elif line:
            action = self._actions[pick(line, self._labels)]
            self._append({name: action[name] for name in ("type", "actor", "params")})

    def _append(self, event: dict[str, Any]) -> None:
        """Append the event, asking for all results that it needs."""
        outcomes: list[Any] = []
        while True:
            try:
                answer = self._send({**event, "outcomes": outcomes})
                break
            except Refused as refused:
                if not refused.problem.get("type", "").endswith("/outcome-required"):
                    raise
                outcomes.append(self._ask_result(refused.problem))
        self._game |= {name: answer[name] for name in ("version", "turn", "phase", "awaiting", "outcome")}
        after = self._lines[-1]["seq"]
        fresh = answer.get("story") or self._client.get(f"{self._path}/story{query(after=after, limit=1000)}")
        for line in fresh["story"]:
            tell_line(out(), line, self._game["seats"])
        if event["type"] in {"undo", "amend"}:
            # The events in effect have changed.
            self._lines = [*story(self._client, self._game["id"])]
        else:
            self._lines += fresh["story"]
        self._choose_from(answer.get("actions") or self._client.get(f"{self._path}/actions"))
        if event["type"] != "annotate":
            self._list_actions()

    def _send(self, event: dict[str, Any]) -> Any:
        key = str(uuid4())
        asked = f"{self._path}/events{query(include='actions,story', after=self._lines[-1]['seq'])}"
        return patiently(self._client.post, asked, event, Idempotency_Key=key).json()

    def _ask_result(self, problem: dict[str, Any]) -> Any:
        """Ask for a result; list all possible results."""
        chance = problem["chance"]
        places, position = problem.get("places") or [], chance.get("position", 0)
        where = f": {places[position]['label']}" if position < len(places) else ""
        choices = [Choice(one["label"], one["p_exact"] or "") for one in chance["outcomes"]]
        unseen = [_UNSEEN] if self._game["mode"] == "as_played" else []
        index = _choose(f"Result? {chance['name'].replace('_', ' ')}{where}", [*choices, *unseen])
        return chance["outcomes"][index]["value"] if index < len(choices) else None

    def _undo(self) -> None:
        standing = [one for one in self._lines if not one["is_undone"] and one["type"] not in _NOT_OF_THE_TABLE]
        if standing[-1]["type"] in _BEGINNINGS:
            raise Unclear("nothing to undo")
        self._append({"type": "undo", "params": {"to": standing[-2]["seq"]}})

    def _redo(self) -> None:
        if self._lines[-1]["type"] != "undo":
            raise Unclear("nothing to redo")
        self._append({"type": "undo", "params": {"to": self._lines[-1]["seq"] - 1}})

    def _tell_table(self) -> None:
        for sentence in self._client.get(f"{self._path}/facts")["sentences"]:
            out().print(f"  {escape(sentence)}")

    def _help(self) -> None:
        console = out()
        console.print("Type a number or the beginnings of words; Tab completes them. Other commands:")
        for name, about in HELP.items():
            console.print(f"  [bold]{name:<10}[/] {about}")
