"""docs/audit.md describes every kind of finding, every member of the report, and the limits of luck."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from cli.audits import EXIT_CODES
from engine.review.luck import ENOUGH, RARE, Method
from engine.review.report import Kind, Report

TEXT = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()


def test_every_kind_of_finding_is_explained() -> None:
    section = TEXT.partition("## What is judged")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^- `(\w+)`:", section, re.MULTILINE)) == sorted(get_args(Kind))


def test_every_member_of_the_report_is_named() -> None:
    for member in Report.__struct_fields__:
        if member not in {"verdict", "findings", "head", "events", "message"}:
            assert f"`{member}`" in TEXT, member


def test_every_exit_code_is_told() -> None:
    rows = re.findall(r"^- (\d), `(\w+)`:", TEXT, re.MULTILINE)
    assert {verdict: int(code) for code, verdict in rows} == EXIT_CODES


def test_the_limits_of_luck_are_told() -> None:
    assert f"fewer than {ENOUGH} draws" in TEXT
    assert f"below {RARE}, the report" in TEXT
    for method in get_args(Method):
        assert f"`{method}`" in TEXT
