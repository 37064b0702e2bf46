"""Dashboards and alerts use existing metrics and labels."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.plumbing.problem_kinds import KINDS

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana/dashboard.json").read_text())
PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="Debian's package prometheus has promtool")
_NAME = re.compile(r"\bdriftlog_\w+|\bup\b")
_LABELS = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"|by \(([\w, ]+)\)|\{\{\s*\$?(?:labels\.)?(\w+)")
_ADDED_BY_PROMETHEUS = {"instance", "job", "le"}
_PARTS_OF = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("",), "gauge": ("",)}


def rules() -> list[dict[str, str]]:
    groups: list[dict[str, Any]] = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def queries() -> Iterator[tuple[str, str]]:
    """Yield every query with the words beside it."""
    for rule in rules():
        yield rule["expr"], rule["annotations"]["summary"].replace("$value", "")
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"], target["legendFormat"]
    for variable in DASHBOARD["templating"]["list"]:
        yield re.sub(r"label_values\((\w+), (\w+)\)", r"sum by (\2) (\1)", variable.get("definition", "up")), ""


def documented_series() -> dict[str, set[str]]:
    """Return each series with its labels, as in docs/metrics.md, which tests/api/test_metrics.py checks."""
    series: dict[str, set[str]] = {"up": set()}
    for line in (ROOT / "docs/metrics.md").read_text().splitlines():
        found = re.match(r"\| `(driftlog_\w+)` \| (\w+)(?:: ([^|]+))? \|", line)
        if found:
            name, kind, labels = found.groups()
            series |= {name + part: set(re.findall(r"`(\w+)`", labels or "")) for part in _PARTS_OF[kind]}
    return series


@pytest.mark.parametrize(("query", "words"), list(queries()))
def test_every_query_asks_for_what_there_is(query: str, words: str) -> None:
    series = documented_series()
    names = set(_NAME.findall(query))
    assert names
    assert names <= series.keys()
    known = set.union(*(series[name] for name in names)) | _ADDED_BY_PROMETHEUS
    used = {one for found in _LABELS.findall(f"{query} {words}") for part in found for one in part.split(", ") if one}
    assert used - {"humanizeDuration", "humanize1024"} <= known


def test_every_problem_that_is_asked_for_is_one() -> None:
    for query, _ in queries():
        for slugs in re.findall(r'problem=~?"([^"]+)"', query):
            assert set(slugs.split("|")) <= KINDS.keys()


def test_docs_tell_what_to_do_about_each_alert() -> None:
    told = set(re.findall(r"`(Driftlog\w+)`", (ROOT / "docs/metrics.md").read_text()))
    assert told == {rule["alert"] for rule in rules()}


def test_the_dashboard_shows_each_panel_in_a_place_of_its_own() -> None:
    places = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert x < 24
                assert (x, y) not in places
                places.add((x, y))
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))


@needs_promtool
def test_prometheus_takes_the_rules_and_they_fire_where_they_should() -> None:
    assert PROMTOOL is not None
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]):
        ran = subprocess.run([PROMTOOL, *command], cwd=ALERTS.parent, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


@needs_promtool
def test_prometheus_takes_every_query_of_the_dashboard(tmp_path: Path) -> None:
    assert PROMTOOL is not None
    asked = [
        {"record": f"asked:{number}", "expr": query.replace("$__rate_interval", "5m").replace("$instance", ".*")}
        for number, (query, _) in enumerate(queries())
    ]
    file = tmp_path / "queries.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": asked}]}))
    ran = subprocess.run([PROMTOOL, "check", "rules", file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
