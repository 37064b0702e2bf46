"""sheet: the current table, to set it up again on another day (CommonMark).

Some rulebooks have such a state sheet, for pausing a game. The rows come from `Ruleset.overview`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import say
from engine.play.beliefs import belief
from engine.review.words import join_words
from exports.log import Format, Log
from exports.markdown.escaping import escape_line


def write(log: Log) -> Iterator[bytes]:
    """Write the state sheet of `log`."""
    yield "\n".join([*_lines(log), ""]).encode()


def _lines(log: Log) -> Iterator[str]:
    game = log.fold()
    names = tuple(map(escape_line, game.names))
    yield f"# {say('{game}: state sheet', game=say(game.ruleset.name))}"
    yield ""
    record = say("game {game}, after event {event}", game=escape_line(log.game_id), event=game.version)
    yield f"*{join_words(names)} · {record}*"
    yield ""
    if game.state is None:
        yield say("The game is not set up yet.")
        return
    turn = f"- **{say('Turn:')}** {game.turn}, {names[game.ruleset.active(belief.likeliest(game.state))]}"
    yield f"{turn}; {game.ruleset.phase_text(game.phase)}"
    for label, text in belief.overview(game.ruleset, game.state, names).items():
        yield f"- **{label}:** {text}"


KIND = Format(
    name="sheet",
    media_type="text/markdown; charset=utf-8",
    extension="sheet.md",
    loses="The events. The sheet shows the table after the last event.",
    write=write,
    is_said=True,
)
