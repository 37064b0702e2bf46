"""Find the game, players, date and place in a text. Ask for the missing ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from engine.kit.rules import AnyRules
from engine.play import registry
from exports.notation import dates, language
from exports.notation.lexicon import BEGINNING, mention, phrase, tokens_of
from exports.notation.report import Meaning, Question
from exports.notation.syntax import Line, Tag
from exports.notation.words import begins, join_list, key, split

ROSTER = (
    *("Game", "Variant", "Rules", "Event", "Site", "Date", "Players", "Result", "Ending", "Winners", "ByHand"),
    *("Chance", "Seed", "SeedCommitment", "SeedChosen", "SeedShares", "Mode", "Corrections", "Tags", "Fork"),
    *("Recorder", "Hash"),
)
"""The tags that every game can have."""
_OTHER_NAMES = {
    **dict.fromkeys(("spiel", "boardgame"), "game"),
    **dict.fromkeys(("spieler", "mit", "with", "player", "who", "wer"), "players"),
    **dict.fromkeys(("datum", "when", "wann", "day", "played", "gespielt"), "date"),
    **dict.fromkeys(("place", "where", "ort", "wo", "location", "at", "venue"), "site"),
    **dict.fromkeys(("schwierigkeit", "level"), "difficulty"),
    **dict.fromkeys(("title", "titel"), "event"),
    **dict.fromkeys(("written by", "scribe", "notes by"), "recorder"),
}
"""Other names of each tag."""
_WITH = re.compile(
    r"(?:\b(?:with|mit|players|spieler)|\s[-–—](?=\s+[^\W\d_]+\s*(?:[,&+]|(?:and|und)\s)))\s+"
    r"(.*?)(?=\s+(?:at|on|bei|in|am)\s|[.;]|$)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:^|[\s,])(?:at|bei|in|@)\s+([^,.;\d][^,;.]{1,60})", re.IGNORECASE)
_SPEAKER = re.compile(r"\s*([^\W\d_]{2,20}):\s")
_FIRST_LINES = 40
"""The number of lines in which a line may say when the game begins."""
_BESIDES = frozenset({"at", "um", "uhr", "wir", "plays", "player", "spielt"})
"""Words that a line about the beginning may also contain."""
_PLAYER_OF_TURN = re.compile(r"\s*\d+[.)]?\s+([^\W\d_]{2,20})\b")


def tag_key(name: str) -> str:
    """Return the normalized name of a tag: 'Seed commitment' and 'SeedCommitment' are equal."""
    return key(name).replace(" ", "")


def take_lines(tags: list[Tag], lines: Sequence[Line]) -> list[Line]:
    """Add tags without brackets at the top of a text, such as 'Game:

    Forbidden Island', to `tags`; return the other lines.
    """
    known = {tag_key(name) for name in ROSTER}
    ruleset = _maybe_ruleset(tags, lines)
    options = set() if ruleset is None else {name for names in option_names(ruleset).values() for name in names}
    known |= options
    rest = list(lines)
    while rest:
        first = rest[0]
        name, colon, value = (part.strip() for part in first.text.partition(":"))
        if not colon and plain_name(name.split(" ")[0]) in options:
            name, colon, value = name.partition(" ")
        tag = plain_name(name)
        if colon and tag in known:
            tags.append(Tag(first.number, tag if tag != tag_key(name) else name, value))
        elif not tags or any(tag_key(one.name) in {"players", "game"} for one in tags):
            found = _free(first, tags)
            if not found:
                break
            tags += found
        else:
            break
        del rest[0]
    return _take_beginning(tags, rest, ruleset)


def _take_beginning(tags: list[Tag], lines: Sequence[Line], ruleset: AnyRules | None) -> list[Line]:
    """Add the time and the first player in a line such as '19:40 we start, Mia first' to `tags`.

    Return the other lines.
    """
    players = next((split(tag.value) for tag in tags if plain_name(tag.name) == "players"), [])
    for line in lines[:_FIRST_LINES]:
        clock, text = dates.split_time(line.text)
        words = set(tokens_of(text))
        first = [name for name in players if words.intersection(tokens_of(name))]
        words -= {word for name in first for word in tokens_of(name)}
        if not words & BEGINNING or words - BEGINNING - _BESIDES or len(first) > 1 or not (clock or first):
            continue
        tags[:] = [_with_time(tag, clock) for tag in tags]
        if first:
            _set_first(tags, players, first[0], line.number, ruleset)
        return [one for one in lines if one is not line]
    return list(lines)


def _with_time(tag: Tag, clock: str | None) -> Tag:
    if clock is None or plain_name(tag.name) != "date" or dates.split_time(tag.value)[0] is not None:
        return tag
    return msgspec.structs.replace(tag, value=f"{tag.value} {clock}")


def _set_first(tags: list[Tag], players: Sequence[str], first: str, line: int, ruleset: AnyRules | None) -> None:
    """Set the option for the first player.

    If the game has no such option, move `first` to the first seat, which begins.
    """
    options = {} if ruleset is None else option_names(ruleset)
    if "first_player" in options:
        if not any(plain_name(tag.name) in options["first_player"] for tag in tags):
            tags.append(Tag(line, "First player", first))
        return
    at = players.index(first)
    order = join_list([*players[at:], *players[:at]])
    tags[:] = [msgspec.structs.replace(tag, value=order) if plain_name(tag.name) == "players" else tag for tag in tags]


def plain_name(name: str) -> str:
    """Return the normalized name of the tag that people call `name`, in English or German."""
    plain = tag_key(name)
    return _OTHER_NAMES.get(key(name), _OTHER_NAMES.get(plain, plain))


def _free(line: Line, tags: Sequence[Tag]) -> list[Tag]:
    """Return the tags in a line such as 'Forbidden Island, 13 Nov, with Ann and Ben at Oma's'."""
    known = {tag_key(tag.name) for tag in tags}
    text = line.text.strip().strip("#*=- ")
    if len(text) > 200 or ":" in text or not text:
        return []
    found = []
    ruleset = None if {"game", "rules"} & known else _ruleset_in(text)
    if ruleset is not None:
        found.append(Tag(line.number, "Game", ruleset.name))
    people = _WITH.search(text)
    if people is not None and "players" not in known:
        names = [one.strip() for one in re.split(r",|&|\+|\band\b|\bund\b", people[1]) if one.strip()]
        found.append(Tag(line.number, "Players", ", ".join(names)))
    rest = text if people is None else text.replace(people[0], " ")
    if "date" not in known and dates.moment(rest, "2030-01-01T00:00:00Z") is not None:
        found.append(Tag(line.number, "Date", rest if ruleset is None else rest.replace(ruleset.name, "").strip(" ,")))
    place = _PLACE.search(rest)
    if place is not None and "site" not in known and (found or tags):
        found.append(Tag(line.number, "Site", place[1].strip()))
    return found


def _ruleset_in(text: str) -> AnyRules | None:
    words = tokens_of(text)
    rated = sorted(
        ((mention(words, phrase(one.name))[0], -index) for index, one in enumerate(registry.rulesets())), reverse=True
    )
    return registry.rulesets()[-rated[0][1]] if rated and rated[0][0] > 0.8 else None


def named_ruleset(given: str) -> AnyRules | None:
    """Return the ruleset with this name, or else the only ruleset whose name begins with it."""
    known = registry.rulesets()
    exact = [one for one in known if key(given) in {key(one.name), key(one.id)}]
    found = exact or [one for one in known if begins(given, one.name)]
    return found[0] if len(found) == 1 else None


def _maybe_ruleset(tags: Sequence[Tag], lines: Sequence[Line]) -> AnyRules | None:
    """Return the ruleset that the lines name, before all tags are parsed; None if they name none."""
    said = {plain_name(tag.name): tag.value for tag in tags}
    for one in lines[:40]:
        name, _, value = one.text.partition(":")
        said.setdefault(plain_name(name), value.strip())
    if "rules" in said:
        return named_ruleset(said["rules"].strip().partition(" ")[0])
    found = named_ruleset(f"{said.get('game', '')} {said.get('variant', '')}")
    return found or next(filter(None, (_ruleset_in(one.text) for one in lines[:3])), None)


def option_names(ruleset: AnyRules) -> dict[str, set[str]]:
    """Return the names that a tag can use for each option: its name and its title."""
    properties = language.of(ruleset).options["properties"]
    return {
        name: {tag_key(name.replace("_", " ")), tag_key(schema.get("title", name).replace("_", " "))}
        for name, schema in properties.items()
    }


def questions(tags: Sequence[Tag], lines: Sequence[Line], by_line: Sequence[str]) -> tuple[Question, ...]:
    """Return the questions that must be answered before a game can be opened: about the game and its players."""
    known = {plain_name(tag.name) for tag in tags}
    first = next((number for number, text in enumerate(by_line, 1) if text.strip()), 0)
    lacking = [name for name, others in (("game", {"game", "rules"}), ("players", {"players"})) if not others & known]
    names = _names_in(_PLAYER_OF_TURN, lines) or _names_in(_SPEAKER, lines)
    if not lacking or not first or ("players" in lacking and not names):
        return ()
    players = f"Players: {', '.join(names)}\n" if "players" in lacking else ""
    games = [f"Game: {one.name}\n" for one in _likely_games(lines)] if "game" in lacking else [""]
    text = by_line[first - 1]
    answers = tuple(Meaning((game + players).strip().replace("\n", "; "), game + players + text) for game in games)
    message = " and ".join({"game": "which game was played", "players": "who played"}[name] for name in lacking)
    return (Question(first, 1, text, f"{message}?", answers),)


def _names_in(pattern: re.Pattern[str], lines: Sequence[Line]) -> list[str]:
    return list(dict.fromkeys(match[1] for one in lines if (match := pattern.match(one.text))))[:8]


def _likely_games(lines: Sequence[Line]) -> list[AnyRules]:
    """Return the games that share the most words with the lines."""
    words = set(tokens_of(" ".join(one.text for one in lines)[:5000]))

    def count_shared(ruleset: AnyRules) -> int:
        own = {word for value in language.of(ruleset).ids for word in tokens_of(value.replace("_", " "))}
        return len(words & own)

    rulesets: Sequence[AnyRules] = registry.rulesets()
    return sorted(rulesets, key=count_shared, reverse=True)[:3]
