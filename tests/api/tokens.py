"""A service that requires tokens, and its callers."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient

from service.access import Caller
from store import Store
from store.access.tokens import RoleName, Token
from tests.api.declared import Declared
from tests.api.table import Table
from tests.playouts import clock

ROLES: tuple[RoleName, ...] = ("viewer", "recorder", "arbiter", "admin")


class Door:
    """Creates tokens, and clients that send a token."""

    def __init__(self, app: Flask, store: Store) -> None:
        self.app, self.store = app, store
        app.test_client_class = Declared

    def token(self, role: RoleName, **more: Any) -> tuple[str, Token]:
        return self.store.tokens.create(role, created_at=clock(1), **more)

    def client(self, text: str | None = None) -> FlaskClient:
        client = self.app.test_client()
        if text is not None:
            client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {text}"
        return client

    def enter(self, role: RoleName, **more: Any) -> Visitor:
        """Return a visitor with a new token of this role."""
        text, token = self.token(role, **more)
        return Visitor(self.client(text), text, token)


class Visitor(Table):
    """A table whose client sends a token."""

    def __init__(self, client: FlaskClient, text: str, token: Token) -> None:
        super().__init__(client)
        self.text, self.token = text, token

    @property
    def caller(self) -> Caller:
        return Caller.of(self.token)

    def at(self, game: str) -> Visitor:
        """Make the visitor's next requests about the game with the given path or id, and return the visitor."""
        self.game = game if game.startswith("/") else f"/v1/games/{game}"
        return self

    def give(self, **body: Any) -> Any:
        answer = self.client.post("/v1/tokens", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json

    def withdraw(self, token_id: str) -> int:
        return self.client.delete(f"/v1/tokens/{token_id}").status_code


def id_of(game: str) -> str:
    """Return the id of a game from its path."""
    return game.rpartition("/")[2]


def document(token: Token) -> dict[str, Any]:
    """Return a token as its API document."""
    return msgspec.structs.asdict(token)
