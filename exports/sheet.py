"""sheet: the table as it stands, to be laid out again on another day (CommonMark).

What a table writes down when it stops in the middle of a game; a rulebook that asks for a state sheet means this. Its
rows are the ruleset's own (`Ruleset.overview`); the log goes on from where it is, whenever the table does.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import say
from engine.play.beliefs import belief
from engine.review.words import listed
from exports.log import Format, Log, chunks
from exports.markdown.escaping import escaped


def write(log: Log) -> Iterator[bytes]:
    """The state sheet of `log`.

    Raises:
        EngineError: the log does not replay.
    """
    text = "\n".join(_lines(log))
    return chunks((text.encode(), b"\n"))


def _lines(log: Log) -> Iterator[str]:
    game = log.folded()
    names = tuple(map(escaped, game.header.names))
    yield f"# {say('{game}: state sheet', game=say(game.ruleset.name))}"
    yield ""
    record = say("game {game}, after event {event}", game=escaped(log.game_id), event=game.version)
    yield f"*{listed(names)} · {record}*"
    yield ""
    if game.state is None:
        yield say("The game is not set up yet.")
        return
    turn = f"- **{say('Turn:')}** {game.turn}, {names[game.ruleset.active(belief.likeliest(game.state))]}"
    yield f"{turn}; {game.ruleset.said_of_phase(game.phase)}"
    for label, text in belief.overview(game.ruleset, game.state, names).items():
        yield f"- **{label}:** {text}"


KIND = Format(
    name="sheet",
    media_type="text/markdown; charset=utf-8",
    extension="sheet.md",
    loses="The events: it is the table after the last of them.",
    write=write,
    is_said=True,
)
