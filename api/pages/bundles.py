"""Files that are sent as one bundle, because on phones the overhead of a request takes longer than the transfer.

Scripts are formatted by Biome, and have only named imports and exports. So a bundle needs no parser.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

SCRIPTS = {
    "record/main.js": None,
    "record/later.js": "record/main.js",
    "record/mats.js": "record/main.js",
    "setup.js": None,
    "setup/main.js": None,
    "setup/photo.js": "setup/main.js",
}
"""The script of each bundle, with the script that loads it later; None for the first script of a page.

A bundle contains the script and all modules that the script imports, except modules in the bundle that loads it.
"""
_BASE = ("driftlog.css", "forms.css", "components.css")
STYLES = {
    "base.css": _BASE,
    "record.css": (
        *_BASE,
        "record/record.css",
        "record/story.css",
        "record/strip.css",
        "record/hands.css",
        "record/panel.css",
        "record/faces.css",
        "record/acts.css",
        "record/mats.css",
        "record/sheets.css",
        "record/slip.css",
    ),
    "watch.css": ("study.css", "record/record.css", "record/strip.css", "record/hands.css", "watching.css"),
    "pictured.css": (
        "record/record.css",
        "record/strip.css",
        "record/hands.css",
        "setup/layout.css",
        "setup/pieces.css",
    ),
}
"""The style sheets in each bundle, by the name of the bundle."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function\*?|function\*?|class|const) ([\w$]+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$|^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$", re.MULTILINE)
"""Matches code that cannot be bundled: other imports and exports, and texts of several lines (they would change)."""
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)\n|/\*\* @(?:(?!\*/).)*\*/ ?", re.MULTILINE)
"""Matches comments on lines of their own, and type comments within a line."""
_BLANK = re.compile(r"^\s+", re.MULTILINE)


def imports(module: str, text: str) -> list[str]:
    """Return the names of the modules that a module imports."""
    return [_sibling_module(module, path) for _, path in _IMPORT.findall(text)]


def style(name: str, texts: Mapping[str, str]) -> str:
    """Return all style sheets of a bundle as one style sheet. Comments on lines of their own are removed."""
    return _BLANK.sub("", _COMMENT.sub("", "\n".join(texts[part] for part in STYLES[name])))


def script(name: str, texts: Mapping[str, str], loader: str | None = None) -> str:
    """Return a module and all modules that it imports as one module with the same exports, without comments.

    Each module becomes a block, after the blocks of the modules that it imports. The exports of a module become the
    members of a constant. Each bundle exports these constants. So a bundle that is loaded later uses the same modules.

    Args:
        loader: the module whose bundle loads this one, from the same folder.

    Raises:
        ValueError: an import or export does not have the supported form, a string has several lines, or modules import
            each other.
    """
    order: dict[str, int] = {}
    if loader is not None:
        _put(loader, texts, order, ())
    loaded = set(order)
    _put(name, texts, order, ())
    own = [module for module in order if module not in loaded]
    blocks = "".join(_block(module, texts[module], order) for module in own)
    shared = loaded & {imported for module in own for imported in imports(module, texts[module])}
    if shared:
        blocks = f'import {{ {_constants(shared, order)} }} from "./{posixpath.basename(str(loader))}";\n{blocks}'
    exported = ", ".join(_export_names(texts[name]))
    if exported:
        blocks += f"export const {{ {exported} }} = module{order[name]};\n"
    blocks += f"export {{ {_constants(own, order)} }};\n"
    return _BLANK.sub("", _COMMENT.sub("", blocks))


def _constants(modules: Iterable[str], numbers: Mapping[str, int]) -> str:
    return ", ".join(f"module{number}" for number in sorted(numbers[module] for module in modules))


def _put(module: str, texts: Mapping[str, str], order: dict[str, int], above: tuple[str, ...]) -> None:
    """Add a module to `order`, after all modules that it imports."""
    if module in above:
        raise ValueError(f"modules import each other: {', '.join((*above, module))}")
    if module in order:
        return
    for imported in imports(module, texts[module]):
        _put(imported, texts, order, (*above, module))
    order[module] = len(order)


def _block(module: str, text: str, numbers: Mapping[str, int]) -> str:
    def declaration(found: re.Match[str]) -> str:
        return f"const {{{found[1].replace(' as ', ': ')}}} = module{numbers[_sibling_module(module, found[2])]};"

    exported = ", ".join(_export_names(text))
    text = _EXPORT.sub("", _IMPORT.sub(declaration, text))
    other = _OTHER.search(text)
    if other is not None:
        raise ValueError(f"{module} cannot be bundled, because it contains {other[0]!r}")
    number = numbers[module]
    return f"const module{number} = {{}};\n{{\n{text}\nObject.assign(module{number}, {{ {exported} }});\n}}\n"


def _export_names(text: str) -> Iterator[str]:
    return (found[1] for found in _EXPORT.finditer(text))


def _sibling_module(module: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))
