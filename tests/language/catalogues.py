"""Update the catalogues from the code: `python -m tests.language.catalogues`.

Each package's `locale/<language>.po` gets new texts, without a translation, and loses texts that are no longer used.
"""

from __future__ import annotations

import ast
import functools
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from engine.core.documents import params_schema
from engine.core.language import ENGLISH
from engine.kit.kernel import summary_of
from engine.kit.options import TITLES
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from service.languages import LANGUAGES, packages

ROOT = Path(__file__).parents[2]
SCRIPTS = "scripts"
"""The name of the catalogue for the scripts of pages, which is sent to browsers."""
_KEYWORDS = {"say": None, "say_html": None, "marked": None, "counted": (2, 3), "plural": (2, 3)}
_TEXT_OF = {
    "say": (0,),
    "marked": (0,),
    "Refusal": (1,),
    "CannotBe": (0,),
    ".require": (1,),
    "Curve": (0,),
    "Texts": (0, 1),
    "DueStep": (1,),
    "due_act": (1,),
    "not_found": (0,),
    "Kind": (2, 3),
}
"""For each function with texts: the positions of its arguments that are texts."""
_COUNTING = frozenset({"counted", "due_cards", "plural"})
_PAGES = [("**.html", "jinja2.ext.babel_extract")]
_IN_SCRIPT = re.compile(r'\b(?:say|sayWith|marked)\(\s*"((?:[^"\\]|\\.)*)"')
_COUNTED_IN_SCRIPT = re.compile(r'\b(?:counted|plural)\([^"()]*,\s*"([^"]+)"(?:,\s*"([^"]+)")?')


def files() -> Iterator[tuple[Path, str, str]]:
    """Yield each catalogue's file, its language, and its package or `SCRIPTS`."""
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        for package in packages():
            yield ROOT / Path(*package.split("."), "locale", f"{language}.po"), language, package
        yield ROOT / "api" / "locale" / f"{language}.{SCRIPTS}.po", language, SCRIPTS


def text_of(catalog: Catalog) -> str:
    """Return the text of a catalogue's file: sorted, and without data that changes from day to day."""
    written = io.BytesIO()
    write_po(written, catalog, width=120, no_location=True, omit_header=True, sort_output=True)
    return written.getvalue().decode()


@functools.cache
def renew(file: Path, language: str, source: str) -> Catalog:
    """Return the texts of a package, or of the scripts, with the translations that the file has."""
    wanted = _browser_texts(language) if source == SCRIPTS else _texts_of(source, language)
    if file.is_file():
        with file.open("rb") as opened:
            known = read_po(opened, locale=language)
        for message in wanted:
            if message.id and (found := known.get(message.id)) is not None:
                message.string = found.string
    return wanted


def _texts_of(package: str, language: str) -> Catalog:
    folder = ROOT / Path(*package.split("."))
    games = folder / "games"
    catalog = Catalog(locale=language)
    for path in sorted(folder.rglob("*.py")):
        if games not in path.parents:
            for message in _texts_in(ast.parse(path.read_text())):
                catalog.add(message)
    for _, _, message, _, _ in extract_from_dir(folder, _PAGES, keywords=_KEYWORDS):
        catalog.add(_with_plural(message))
    if package == "exports":
        for message in _script_texts(folder):
            catalog.add(message)
    for rules in _rulesets(package):
        for text in _declared_texts(rules):
            catalog.add(text)
    return catalog


def _texts_in(module: ast.Module) -> Iterator[str | tuple[str, str]]:
    """Yield the texts in a module; Babel's own extractor misses calls within calls."""
    for call in ast.walk(module):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else f".{call.func.attr}"
        if name in _COUNTING:
            match [text for text in map(_literal, call.args[1:3]) if text]:
                case [one]:
                    yield one, f"{one}s"
                case [one, several]:
                    yield one, several
            if name == "due_cards":
                yield f"{_literal(call.args[1])}s"  # the name of the step
        else:
            places = _TEXT_OF.get(name, ())
            yield from filter(None, (_literal(call.args[at]) for at in places if at < len(call.args)))
        if name == "due_act":
            act = _literal(call.args[3])
            yield from (f"{{player}} did not {act}", f"{{player}} had to {act}")


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _browser_texts(language: str) -> Catalog:
    catalog = Catalog(locale=language)
    for message in _script_texts(ROOT / "api" / "static"):
        catalog.add(message)
    return catalog


def _script_texts(folder: Path) -> Iterator[str | tuple[str, str]]:
    for path in sorted(folder.rglob("*.js")):
        script = path.read_text()
        yield from (json.loads(f'"{text}"') for text in _IN_SCRIPT.findall(script))
        yield from ((one, several or f"{one}s") for one, several in _COUNTED_IN_SCRIPT.findall(script))


def _with_plural(message: str | tuple[str, ...]) -> str | tuple[str, str]:
    """Return a text for counting with its plural, which adds an s unless it is given; return other texts unchanged."""
    if isinstance(message, str):
        return message
    one, *several = message
    return one, several[0] if several and several[0] else f"{one}s"


def _rulesets(package: str) -> list[AnyRuleset]:
    return [rules for rules in registry.rulesets() if type(rules).__module__.rpartition(".")[0] == package]


def _declared_texts(rules: AnyRuleset) -> Iterator[str]:
    """Yield the texts that a ruleset declares without a call of `say`."""
    yield from (rules.name, *rules.sections, *rules.phases.values(), *rules.endings.values())
    yield from (text for heading, text in rules.rule_texts.items() if heading in rules.sections)
    yield from (action.english_title() for action in rules.actions)
    yield from (action.verb for action in rules.actions if action.verb)
    yield from (summary_of(kind) for kind in (*rules.actions, *rules.facts))
    for option in params_schema(rules.options)["properties"].values():
        yield from (option[key] for key in ("title", "description") if key in option)
        yield from (title for title in option.get(TITLES, {}).values() if not title.isdigit())
    yield from (name.replace("_", " ") for name in rules.chance_points)
    yield from (name.replace("_", " ").capitalize() for name in rules.member_titles())
    yield from rules.vocabulary()


def main() -> None:
    """Update all catalogues."""
    for file, language, source in files():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text_of(renew(file, language, source)))


if __name__ == "__main__":
    main()
