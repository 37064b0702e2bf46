"""Which service the commands talk to, and by which token: as the command line says, the environment, a file."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import click
import msgspec
from msgspec import Meta

from cli.terminal import WrongSetting, WrongUsage

DEFAULT_URL = "http://127.0.0.1:8000"
URL = "DRIFTLOG_URL"
TOKEN = "DRIFTLOG_TOKEN"  # noqa: S105  # the variable's name
CONFIG = "DRIFTLOG_CONFIG"
_PORTS = {"http": 80, "https": 443}


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file says."""

    url: Annotated[str, Meta(description="the address of a service")] = ""
    """The service to talk to where nothing else names one."""
    tokens: dict[str, str] = {}
    """By address of a service: each is sent to that service alone."""


def place() -> Path:
    """Where the file is."""
    named = os.environ.get(CONFIG, "")
    return Path(named) if named else Path(click.get_app_dir("driftlog")) / "config.toml"


def config() -> Config:
    """What the file says; nothing where there is none.

    Raises:
        WrongSetting: it cannot be read.
    """
    path = place()
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Config)
    except (FileNotFoundError, NotADirectoryError) as error:
        if os.environ.get(CONFIG):
            raise WrongSetting(f"{CONFIG}: {path} cannot be read: {error.strerror}") from None
        return Config()
    except OSError as error:
        raise WrongSetting(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise WrongSetting(f"{path}: {error}") from None


def chosen() -> str | None:
    """The service that the environment or the file names; None where neither does.

    Raises:
        WrongSetting: the file cannot be read.
    """
    return os.environ.get(URL, "").strip() or config().url or None


def token(url: str) -> str:
    """The token by which to ask the service at `url`: the environment's, else what the file has for that address.

    Raises:
        WrongSetting: the file cannot be read.
    """
    named = os.environ.get(TOKEN, "").strip()
    if named:
        return named
    tokens = {address(one): text for one, text in config().tokens.items()}
    return tokens.get(address(url), "")


def address(url: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and path of a service's address, however it is written.

    Raises:
        WrongUsage: it is none.
    """
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError:
        raise WrongUsage(f"{url} is not the address of a service") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise WrongUsage(f"{url} is not the address of a service")
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme], parts.path.rstrip("/")


def _resolved(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str:
    return given or chosen() or DEFAULT_URL


url_option = click.option(
    "--url",
    callback=_resolved,
    help=f"The service to talk to.  [default: {URL}, else the config file's, else {DEFAULT_URL}]",
)
