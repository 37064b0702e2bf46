"""Commands that only print: help, versions, rulesets, the contract; and the documentation of all commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from api.plumbing.problem_kinds import KINDS
from api.plumbing.settings import BadSetting, Settings
from cli import doctor
from cli.exporting import FORMATS
from cli.main import EPILOG, main
from cli.serve import sensible
from cli.terminal import Failure
from exports import Format
from tests.cli.conftest import Run
from tests.openapi import parse_contract

DOCS = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
LIMITS = DOCS.with_name("limits.md")
FOLDERS = {"authority", "data", "archive", "certificate", "config", "key"}
"""Settings with any text: a missing folder or file shows only when it is used."""


def test_every_command_has_help(run: Run) -> None:
    assert sorted(main.commands) == [
        "access-log",
        "analyse",
        "archive",
        "audit",
        "backup",
        "check-rules",
        "completion",
        "demo",
        "doctor",
        "export",
        "export-games",
        "import",
        "keys",
        "list",
        "names",
        "new-ruleset",
        "openapi",
        "players",
        "rebuild",
        "record",
        "replay",
        "restore",
        "rulesets",
        "serve",
        "show",
        "simulate",
        "tokens",
        "verify",
        "watch",
        "webhooks",
        "witness",
        "worker",
    ]
    for name in main.commands:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert len(result.output.splitlines()) > 5
    assert run("-h").exit_code == 0
    assert "gif" in run("export", "--help").output
    assert "gif" not in run("export-games", "--help").output


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
    assert parse_contract(file.read_bytes())["openapi"] == "3.1.0"
    assert run("openapi").output == file.read_text()


UNSET = {
    "authority": "none",
    "certificate": "none",
    "key": "in the certificate file",
    "redis_url": "none: an embedded server",
    "queue_url": "none: an embedded server",
    "hosts": "none",
    "origins": "none",
    "read_origins": "none",
    "webhook_networks": "none",
    "public_url": "the address it listens on",
    "rate_url": "the job queue's Redis",
    "proxies": "none",
    "archive": "`archive` in the data folder",
    "token": "none",
    "url": "none: see the config file",
    "config": "`driftlog/config.toml` in the user's configuration folder",
    "log": "text on a terminal, else JSON",
}
"""The documented defaults of settings that are empty."""


def test_every_setting_is_documented() -> None:
    documented = re.findall(r"^\| `DRIFTLOG_(\w+)` \| ([^|]*) \|", DOCS.read_text(), re.MULTILINE)
    assert [name.lower() for name, _ in documented] == list(Settings.__struct_fields__)
    for name, default in documented:
        value = getattr(Settings(), name.lower())
        value = str(value).lower() if isinstance(value, bool) else value
        assert default == (f"`{value}`" if value not in {"", ()} else UNSET[name.lower()])


def test_every_exit_code_is_documented() -> None:
    documented = re.findall(r"^- (\d+): ", DOCS.read_text(), re.MULTILINE)
    codes = sorted(kind.exit_code for kind in Failure.__subclasses__())
    assert [int(code) for code in documented] == [0, *codes]
    for code in codes:
        assert re.search(rf"\b{code} ", EPILOG)


def test_settings_are_read() -> None:
    settings = Settings.from_environment(
        {"DRIFTLOG_PORT": "80", "DRIFTLOG_DATA": "/var/lib/driftlog", "PATH": "x"}, host="::1", workers=None
    )
    assert settings == Settings(port=80, data=Path("/var/lib/driftlog"), host="::1")


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_variable_is_as_one_that_is_not_set(empty: str) -> None:
    variables = {f"DRIFTLOG_{name.upper()}": empty for name in Settings.__struct_fields__}
    assert Settings.from_environment(variables) == Settings()
    assert Settings.from_environment({"DRIFTLOG_HOST": "::1"}, host="") == Settings(host="::1")


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"DRIFTLOG_PORT": "70000"}, "DRIFTLOG_PORT: must be a whole number of at most 65535"),
        (
            {"DRIFTLOG_REDIS_URL": "http://redis"},
            "DRIFTLOG_REDIS_URL: must be an address that begins with redis://",
        ),
        (
            {"DRIFTLOG_QUEUE_URL": "redis+cluster://redis"},
            "DRIFTLOG_QUEUE_URL: must be an address that begins with redis://",
        ),
        ({"DRIFTLOG_REDIS_URL": "redis://h/abc"}, "DRIFTLOG_REDIS_URL: it must end with the number of a database"),
        (
            {"DRIFTLOG_REDIS_URL": "unix:///run/s?db=x"},
            "DRIFTLOG_REDIS_URL: it must end with the number of a database",
        ),
        ({"DRIFTLOG_REDIS_URL": "redis+cluster://h/1"}, "DRIFTLOG_REDIS_URL: its database must be 0"),
        ({"DRIFTLOG_REDIS_URL": "redis+cluster://h,,i"}, "DRIFTLOG_REDIS_URL: it must name nodes, such as host:6379"),
        ({"DRIFTLOG_REDIS_URL": "unix://"}, "DRIFTLOG_REDIS_URL: it must have the path of a socket"),
        ({"DRIFTLOG_QUEUE_URL": "redis://h:port"}, "DRIFTLOG_QUEUE_URL: it must have a host and a port"),
        ({"DRIFTLOG_QUEUE_URL": "redis+sentinel://h/s/abc"}, "DRIFTLOG_QUEUE_URL: it must end with the number"),
        ({"DRIFTLOG_QUEUE_URL": "redis+sentinel://h,,i/s"}, "DRIFTLOG_QUEUE_URL: it must name sentinels"),
        (
            {"DRIFTLOG_RATE_URL": "redis://:hush@h/abc?ssl_ca_data=x"},
            "DRIFTLOG_RATE_URL: it must end with the number of a database, such as /0, not 'redis://…@h/abc?…'",
        ),
        ({"DRIFTLOG_REDIS": "redis://redis"}, "DRIFTLOG_REDIS is not a setting"),
        ({"DRIFTLOG_MAXMEMORY": "1kb"}, "DRIFTLOG_MAXMEMORY: must be 16mb or more, not '1kb'"),
        ({"DRIFTLOG_RATE_ADDRESS": "many"}, "DRIFTLOG_RATE_ADDRESS: must be a rate such as 600/minute"),
        ({"DRIFTLOG_MAXMEMORY": "150%"}, "DRIFTLOG_MAXMEMORY: must be a size such as 2gb, 512mb, 50%"),
        ({"DRIFTLOG_PUBLIC_URL": "games"}, "DRIFTLOG_PUBLIC_URL: must be an address such as https://games."),
    ],
)
def test_bad_settings_are_refused(variables: dict[str, str], complaint: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(complaint)):
        Settings.from_environment(variables)


@pytest.mark.parametrize("url", ["redis://", "redis://h/7?protocol=3", "unix:///run/a/b", "redis+sentinel://a,b:1/s/2"])
def test_an_address_of_redis_may_leave_out_what_has_a_default(url: str) -> None:
    assert Settings.from_environment({"DRIFTLOG_REDIS_URL": url}).redis_url == url


@pytest.mark.parametrize("name", sorted({*Settings.__struct_fields__} - FOLDERS))
def test_every_setting_says_which_it_is_what_was_given_and_what_is_wanted(name: str) -> None:
    with pytest.raises(BadSetting) as refused:
        sensible(Settings.from_environment({f"DRIFTLOG_{name.upper()}": "/sense/é"}))
    told = str(refused.value)
    assert told.startswith(f"DRIFTLOG_{name.upper()}: ")
    assert re.search("must be|is not an? |is none |is not one of ", told)
    # Nobody can see the secret of a token.
    assert ("'/sense" in told) == (name != "token")


def test_web_processes_are_as_many_as_asked() -> None:
    assert Settings(web_processes=3).processes == 3
    assert Settings().processes in {1, 2}


def test_a_format_is_one_of_those_that_there_are(run: Run) -> None:
    result = run("export", "g1", "--format", "xml")
    assert result.exit_code == 2
    assert f"'xml' is not one of {', '.join(map(repr, FORMATS))}" in result.stderr
    assert f"[{'|'.join(FORMATS)}]" in run("export", "--help").output.replace("\n", "").replace(" ", "")


def test_every_limit_that_can_be_set_is_documented_as_it_is() -> None:
    rows = re.findall(r"^\| [^|]+ \| `([^`]*)`[^|]* \| `DRIFTLOG_(\w+)` \| ", LIMITS.read_text(), re.MULTILINE)
    for default, name in rows:
        assert default == str(getattr(Settings(), name.lower())), name
    limiting = re.compile(
        r"^(rate_(?!url)|quota_|streams|connections|maxmemory|disk_|request_seconds|(head|body)_seconds)"
    )
    assert {name.lower() for _, name in rows} >= set(filter(limiting.match, Settings.__struct_fields__))
    slugs = set(re.findall(r"\b[45]\d\d `([a-z-]+)`", LIMITS.read_text()))
    assert slugs <= KINDS.keys(), slugs - KINDS.keys()


def test_doctor_says_which_formats_take_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor._formats().line == f"all {len(FORMATS)} can be written"
    monkeypatch.setattr(Format, "is_installed", property(lambda kind: kind.name != "pdf"))
    assert doctor._formats().line == "pdf cannot be written here: install driftlog[pdf]"
