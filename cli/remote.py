"""The service and token of a command, from the command line, the environment, or the configuration file.

The functions raise `WrongSetting` if the file cannot be read.
"""

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
    """The configuration file."""

    url: Annotated[str, Meta(description="the address of a service")] = ""
    """The default address of the service."""
    tokens: dict[str, str] = {}
    """Tokens by address of the service. Each token is sent only to the service at that address."""


def place() -> Path:
    """Return the path of the configuration file."""
    named = os.environ.get(CONFIG, "")
    return Path(named) if named else Path(click.get_app_dir("driftlog")) / "config.toml"


def config() -> Config:
    """Read the configuration file; without one, return the defaults."""
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


def chosen_service() -> str | None:
    """Return the service that the environment or the configuration file names; None if neither names one."""
    return os.environ.get(URL, "").strip() or config().url or None


def token(url: str) -> str:
    """Return the token for the service at `url`: from the environment, or else from the configuration file."""
    named = os.environ.get(TOKEN, "").strip()
    if not named.isascii() or not named.isprintable():
        raise WrongSetting(f"{TOKEN} is not a token: it contains a line break or a character that is not allowed")
    if named:
        return named
    tokens = {address(one): text for one, text in config().tokens.items()}
    return tokens.get(address(url), "")


def address(url: str) -> tuple[str, str, int, str]:
    """Return scheme, host, port and path of a service's address, with defaults for missing parts."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port
    except ValueError:
        raise WrongUsage(f"{url} is not the address of a service") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise WrongUsage(f"{url} is not the address of a service")
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme], parts.path.rstrip("/")


def without_password(url: str) -> str:
    """Return `url`. Raise `WrongUsage` if it contains a password or a user name, because it is shown and stored."""
    if "@" in url.partition("://")[2].partition("/")[0] or "@" in url.partition("/")[0]:
        raise WrongUsage("the address contains a user name or password, which would be shown and stored: omit it")
    return url


def _resolve_url(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str:
    return given or chosen_service() or DEFAULT_URL


url_option = click.option(
    "--url",
    callback=_resolve_url,
    help=f"The service to talk to.  [default: {URL}, else the config file's, else {DEFAULT_URL}]",
)
