"""`driftlog record`: a game recorded at the terminal, line by line as a table tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import click

from cli.client import Client, Refused
from cli.completing import games, rulesets
from cli.games import ended, heading, path, patiently, query, story, tell_line
from cli.prompting import Choice, Unclear, ask, pick
from cli.remote import url_option
from cli.terminal import Negative, WrongUsage, err, escape, out

HELP = {
    "undo": "take back the last event that stands",
    "redo": "bring back what was taken back just now",
    "note TEXT": "write something down",
    "table": "what the table looks like",
    "actions": "all that may be done now",
    "quit": "leave; the record stays, and `driftlog record GAME` goes on with it",
}
_COMMANDS = [name.partition(" ")[0] for name in HELP]
_UNSEEN = Choice("unknown")
_SHOWN = 16
"""Of what can be chosen; Tab knows the rest, too."""
_NOT_OF_THE_TABLE = frozenset({"undo", "annotate"})
_BEGINNINGS = frozenset({"game_opened", "set_up"})


class Stop(Exception):
    """The player has no more to say."""


@click.command()
@click.argument("game", required=False, shell_complete=games)
@click.option("--ruleset", metavar="ID", shell_complete=rulesets, help="The ruleset of a new game.")
@click.option(
    "--player", "names", multiple=True, metavar="NAME", help="A player of a new game, in seat order; repeat for each."
)
@click.option("--seeded", is_flag=True, help="Let the service draw.  [default: you report your own cards and dice]")
@click.option("--as-played", is_flag=True, help="Record illegal actions, too, and mark them.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option("--tag", "tags", multiple=True, help="A word to find the game by.")
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
    """Record a game: GAME, or a new one. What may be done is listed; a number or a few letters and Tab choose.

    What is not said by options is asked for. In a game of real cards, what came up is asked for as well.
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
            raise WrongUsage("what is played and by whom is said of a new game: leave GAME out")
        Table(client, game).play()
    except Stop:
        return


def _ruleset(client: Client) -> str:
    found = client.get("/v1/rulesets")["rulesets"]
    return str(found[_choose("What is played?", [Choice(one["name"], one["id"]) for one in found])]["id"])


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
            raise WrongUsage(f"{one!r} is no option: NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def _choose(question: str, choices: Sequence[Choice]) -> int:
    """The index of the choice that the player makes.

    Raises:
        Stop: none.
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
        console.print(f"      … and {len(choices) - most} more: begin to type, and press Tab")


class Table:
    """A game that is recorded: what happened is told, and what happens is asked for, until it is over."""

    def __init__(self, client: Client, game: str) -> None:
        self._client = client
        self._path = path(game)
        self._game = client.get(self._path)
        self._phases: dict[str, str] = client.get(f"/v1/rulesets/{self._game['ruleset']}")["phases"]
        self._lines = [*story(client, game)]
        self._choose_from(client.get(f"{self._path}/actions"))

    def play(self) -> None:
        """Until the game is over.

        Raises:
            Stop: the player has no more to say.
            Failure: the service refuses to be asked at all, or is not there.
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
                err().print(f"[yellow]{escape(str(unclear))}[/]: `help` says what else there is")
            except Negative as refused:
                err().print(f"[red]{escape(refused.message)}[/]")
        ended(out(), self._game["outcome"], self._game["seats"])

    def _choose_from(self, legal: dict[str, Any]) -> None:
        """What may be done now: first by those whom the game waits for."""
        self._legal = legal
        self._actions = sorted(legal["actions"], key=lambda one: not self._is_waited_for(one))
        self._labels = [self._label(one) for one in self._actions]

    def _is_waited_for(self, action: dict[str, Any]) -> bool:
        return action["actor"] is None or action["actor"] in self._legal["awaiting"]

    def _label(self, action: dict[str, Any]) -> str:
        """What it is called, and by whom it is done where that is not who has the turn alone."""
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
        """Append it, asking for all that has come up."""
        outcomes: list[Any] = []
        while True:
            try:
                answer = self._sent({**event, "outcomes": outcomes})
                break
            except Refused as refused:
                if not refused.problem.get("type", "").endswith("/outcome-required"):
                    raise
                outcomes.append(self._came_up(refused.problem))
        self._game |= {name: answer[name] for name in ("version", "turn", "phase", "awaiting", "outcome")}
        after = self._lines[-1]["seq"]
        fresh = answer.get("story") or self._client.get(f"{self._path}/story{query(after=after, limit=1000)}")
        for line in fresh["story"]:
            tell_line(out(), line, self._game["seats"])
        if event["type"] in {"undo", "amend"}:
            # What stands is another story now.
            self._lines = [*story(self._client, self._game["id"])]
        else:
            self._lines += fresh["story"]
        self._choose_from(answer.get("actions") or self._client.get(f"{self._path}/actions"))
        if event["type"] != "annotate":
            self._list_actions()

    def _sent(self, event: dict[str, Any]) -> Any:
        key = str(uuid4())
        asked = f"{self._path}/events{query(include='actions,story', after=self._lines[-1]['seq'])}"
        return patiently(self._client.post, asked, event, Idempotency_Key=key).json()

    def _came_up(self, problem: dict[str, Any]) -> Any:
        """What the player says came up, of all that can have."""
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
            raise Unclear("there is nothing to take back")
        self._append({"type": "undo", "params": {"to": standing[-2]["seq"]}})

    def _redo(self) -> None:
        if self._lines[-1]["type"] != "undo":
            raise Unclear("nothing was taken back just now")
        self._append({"type": "undo", "params": {"to": self._lines[-1]["seq"] - 1}})

    def _tell_table(self) -> None:
        for sentence in self._client.get(f"{self._path}/facts")["sentences"]:
            out().print(f"  {escape(sentence)}")

    def _help(self) -> None:
        console = out()
        console.print("The number of what is done, or words that begin its own; Tab completes them. Besides:")
        for name, about in HELP.items():
            console.print(f"  [bold]{name:<10}[/] {about}")
