"""The commands that only tell: help, versions, rulesets, the contract, and what is documented of all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from api.cli import EPILOG, main
from api.settings import BadSetting, Settings
from api.terminal import Failure
from tests.cli.conftest import Run

DOCS = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_every_command_has_help(run: Run) -> None:
    assert sorted(main.commands) == [
        "audit",
        "demo",
        "export",
        "import",
        "keys",
        "openapi",
        "rebuild",
        "rulesets",
        "serve",
        "verify",
        "worker",
    ]
    for name in main.commands:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert len(result.output.splitlines()) > 5
    assert run("-h").exit_code == 0


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").output.startswith("driftlog, version ")


def test_rulesets_are_listed(run: Run) -> None:
    lines = run("rulesets").output.splitlines()
    assert lines[0].split() == ["Ruleset", "Name", "Version", "Players", "Options", "Actions"]
    assert lines[1].split() == ["forbidden-island", "Forbidden", "Island", "1", "2–4", "8", "14"]


def test_rulesets_are_told_whole_as_json(run: Run) -> None:
    found = json.loads(run("rulesets", "--json").output)["rulesets"]
    assert {"id", "options", "actions", "components"} <= set(found[0])


def test_the_contract_is_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "openapi.yaml"
    assert run("openapi", "-o", file).exit_code == 0
    assert yaml.safe_load(file.read_text())["openapi"] == "3.1.0"
    assert run("openapi").output == file.read_text()


def test_every_setting_is_documented() -> None:
    documented = re.findall(r"^\| `DRIFTLOG_(\w+)` \| ([^|]*) \|", DOCS.read_text(), re.MULTILINE)
    assert [name.lower() for name, _ in documented] == list(Settings.__struct_fields__)
    for name, default in documented:
        value = getattr(Settings(), name.lower())
        assert default == ("none: an embedded server" if value == "" else f"`{value}`")


def test_every_exit_code_is_documented() -> None:
    documented = re.findall(r"^\| (\d+) \| ", DOCS.read_text(), re.MULTILINE)
    codes = sorted(kind.exit_code for kind in Failure.__subclasses__())
    assert [int(code) for code in documented] == [0, *codes]
    for code in codes:
        assert re.search(rf"\b{code} ", EPILOG)


def test_settings_are_read() -> None:
    settings = Settings.from_environment(
        {"DRIFTLOG_PORT": "80", "DRIFTLOG_DATA": "/var/lib/driftlog", "PATH": "x"}, host="::1", workers=None
    )
    assert settings == Settings(port=80, data=Path("/var/lib/driftlog"), host="::1")


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"DRIFTLOG_PORT": "70000"}, "DRIFTLOG_PORT: Expected `int` <= 65535"),
        ({"DRIFTLOG_REDIS_URL": "http://redis"}, "DRIFTLOG_REDIS_URL: Expected `str` matching regex"),
        ({"DRIFTLOG_QUEUE_URL": "redis+cluster://redis"}, "DRIFTLOG_QUEUE_URL: Expected `str` matching regex"),
        ({"DRIFTLOG_REDIS": "redis://redis"}, "DRIFTLOG_REDIS is not a setting"),
    ],
)
def test_bad_settings_are_refused(variables: dict[str, str], complaint: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(complaint)):
        Settings.from_environment(variables)


def test_web_processes_are_as_many_as_asked() -> None:
    assert Settings(web_processes=3).processes == 3
    assert Settings().processes in {1, 2}
