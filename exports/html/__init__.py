"""html: a game as one page that works without a server, a network or other files.

The page has the board, a scrubber, the story and the audit. Its security policy forbids loading anything, and allows
only the script in the page. The tables are in compressed parts of `Frames.part` events each, which the script
decompresses on demand; the story and the last table are plain HTML, for printing and for readers without scripts. The
page is written part by part while the game is replayed, and shows what the viewer may see.
"""

from __future__ import annotations

import itertools
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

import drawing
from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import ENGLISH, current_language, marked, say
from engine.play.beliefs import belief
from engine.play.game import Game
from engine.review.playing_time import began_at, retime_events
from exports.html import audit
from exports.html.audit import text
from exports.html.frames import Frames, pictures
from exports.log import Format, Log
from exports.narration import Narrated, Remark, narrate, overview
from exports.prose import HOW_TO_VERIFY
from exports.words import Words, words

_HERE = Path(__file__).parent
SCRIPT = (_HERE / "viewer.js").read_text("utf-8")
STYLE = (_HERE / "viewer.css").read_text("utf-8") + drawing.STYLE
_SAID = re.findall(r'\bsay\("([^"]+)"', SCRIPT)
_CONTROLS = (
    ("start", marked("To the start"), "M5 5h3v14H5zM20 5v14l-11-7z"),
    ("turn_back", marked("Previous turn"), "M12 5v14l-9-7zM21 5v14l-9-7z"),
    ("back", marked("Previous event"), "M17 5v14l-10-7z"),
    ("play", marked("Play"), "M7 4v16l13-8z"),
    ("forward", marked("Next event"), "M7 5v14l10-7z"),
    ("turn_forward", marked("Next turn"), "M3 5v14l9-7zM12 5v14l9-7z"),
    ("end", marked("To the end"), "M16 5h3v14h-3zM4 5v14l11-7z"),
)
"""The buttons: function, name, and SVG path in a box of 24 by 24."""


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as a page."""
    log = msgspec.structs.replace(log, game=log.fold())
    return (piece.encode() for piece in _page(log))


def _page(log: Log) -> Iterator[str]:
    game = log.fold()
    said = words(log.game_id, game, began_at(retime_events(log.events)))
    yield from _top(log, game, said)
    yield ""
    yield from _story(log)
    yield from _standing(log, game, said)
    yield from audit.section(log)
    yield from _end(game, said)


def _top(log: Log, game: Game, said: Words) -> Iterator[str]:
    policy = (
        f"default-src 'none'; style-src {_source(STYLE)}; script-src {_source(SCRIPT)}; base-uri 'none'; "
        "form-action 'none'"
    )
    title = f"{said.title}: {said.players}"
    # The page first shows the panels in words. The script then replaces them with a picture.
    board, _ = pictures(log, game.state)
    below = say("This is the table after event {event}; the story is below.", event=game.version)
    yield (
        f'<!doctype html>\n<html lang="{current_language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header><p>{text(said.title)}</p><h1>{text(said.players)}</h1>\n"
        f'<p><time datetime="{said.day}">{said.date}</time> · {text(said.standing)}</p></header>\n<main>\n'
    )
    yield (
        f'<div class="stage" id="stage" data-last="{game.version}" data-part="{Frames.part}">\n'
        f'<figure class="table" aria-label="{say("The table")}"><div id="board">{board}</div>'
        '<div id="panels" aria-hidden="true"></div></figure>\n'
        '<section class="telling" aria-labelledby="where">\n'
        f'<h2 id="where">{say("After event {event}", event=game.version)}</h2>\n'
        f'<p id="sentence" aria-live="polite">{text(said.standing)}.</p>\n'
        '<div id="player" hidden>\n'
        f'<input type="range" id="scrubber" aria-label="{say("Event")}" min="1" max="{game.version}" '
        f'value="{game.version}">\n'
        f'<div class="controls" role="group" aria-label="{say("Playback controls")}">'
        f"{''.join(map(_control, _CONTROLS))}</div>\n"
        f'<p class="soft keys">{say("Keys: ← → by event, [ ] by turn, Home and End to either end, Space to play.")}'
        "</p>\n</div>\n"
        f"<noscript><p>{below}</p></noscript>\n"
        "</section>\n</div>\n"
    )


def _words() -> str:
    """Return the script's texts as JSON; empty in English."""
    said = {english: say(english) for english in _SAID} if current_language() != ENGLISH else {}
    return msgspec.json.encode(said).decode().replace("<", "\\u003c")


def _control(one: tuple[str, str, str]) -> str:
    name, label, sign = one
    label = say(label)
    return (
        f'<button type="button" data-go="{name}" aria-label="{label}" title="{label}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{sign}"/></svg></button>'
    )


def _story(log: Log) -> Iterator[str]:
    known, frames, header = overview(log), Frames(log), log.header()
    remarks, rules = known.remarks(), log.fold().ruleset
    yield '<section aria-labelledby="story-title"><h2 id="story-title">' + say("What happened")
    yield '</h2>\n<div id="story">'
    for turn, in_turn in itertools.groupby(narrate(log, known=known), key=lambda narrated: narrated.event.turn):
        for number, narrated in enumerate(in_turn):
            if number == 0:
                before, whose = narrated.before, None
                if before is not None:
                    whose = header.names_at(before)[rules.active(belief.likeliest(before))]
                heading = (
                    say("Setup") if whose is None or turn == 0 else say("Turn {turn}: {name}", turn=turn, name=whose)
                )
                yield f'\n<h3 data-at="{narrated.event.seq}">{text(heading)}</h3>\n<ol>'
            yield _line(narrated, log.show(narrated.event), remarks.get(narrated.event.seq, ()))
            yield frames.add(narrated)
        yield "</ol>"
    yield frames.rest()
    yield "</div></section>\n"


def _line(narrated: Narrated, event: Event, remarks: Sequence[Remark]) -> str:
    flags = []
    if narrated.superseded_by is not None:
        fate = marked("undone by event {event}") if narrated.is_undone else marked("corrected by event {event}")
        flags.append(f'<span class="flag">{say(fate, event=narrated.superseded_by)}</span>')
    if event.verdict == "illegal":
        why = say("illegal: {why}", why=say(event.reason or event.rule or ""))
        flags.append(f'<span class="flag bad">{text(why)}</span>')
    notes = [("", event.note)] if event.note else []
    notes += [(" ".join(filter(None, (one.said.mark, one.said.bookmark))), one.said.text or "") for one in remarks]
    quotes = "".join(
        f"<blockquote>{f'<b>{text(mark)}</b> ' if mark else ''}{text(note)}</blockquote>" for mark, note in notes
    )
    gone = ' class="gone"' if narrated.superseded_by is not None and event.type not in lifecycle.CORRECTING else ""
    return (
        f'\n<li value="{event.seq}"{gone}><button type="button" data-at="{event.seq}" '
        f'aria-label="{say("Event {event}", event=event.seq)}">{event.seq}</button> '
        f"<span>{text(narrated.sentence)}</span>"
        f"{''.join(flags)}{quotes}</li>"
    )


def _standing(log: Log, game: Game, said: Words) -> Iterator[str]:
    heading = say("The end") if said.ending else say("So far")
    yield f'<section aria-labelledby="standing-title"><h2 id="standing-title">{heading}</h2>\n'
    told = " ".join(filter(None, (said.ending, log.turning_point)))
    yield f"<p>{text(said.standing[0].upper() + said.standing[1:])}. {text(told)}</p>\n"
    if game.state is not None:
        rows = belief.overview(game.ruleset, game.state, game.names).items()
        yield f"<dl>{''.join(f'<dt>{text(label)}</dt><dd>{text(value)}</dd>' for label, value in rows)}</dl>\n"
    yield "</section>\n"


def _end(game: Game, said: Words) -> Iterator[str]:
    told = {"game": said.id, "version": game.header.ruleset_version, "count": game.version}
    record = say("Game {game}, by version {version} of the rules; {count} events.", **told)
    how = re.sub("`(.*?)`", r"<code>\1</code>", text(say(HOW_TO_VERIFY)))
    yield (
        f'<section aria-labelledby="record-title"><h2 id="record-title">{say("The record")}</h2>\n'
        f'<p>{text(record)}</p>\n<p class="hash"><code>{game.head}</code></p>\n<p>{how}</p>\n</section>\n</main>\n'
        f'<script type="application/json" id="words">{_words()}</script>\n'
        f'<script type="module">{SCRIPT}</script>\n</body>\n</html>\n'
    )


def _source(content: str) -> str:
    """Return the source expression (hash) of `content` for the security policy."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


KIND = Format(
    name="html",
    media_type="text/html; charset=utf-8",
    extension="html",
    loses="The events as data. The file is a page for people.",
    write=write,
    is_whole=True,
    by_worker=True,
    is_said=True,
)
