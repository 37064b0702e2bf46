"""Errors that name what a player can do about them."""

from __future__ import annotations

from engine.core.errors import Undetermined


def test_an_unknown_result_is_named_if_its_event_is_known() -> None:
    error = Undetermined("Moving", ("hands",))
    unnamed = "This depends on an unknown result. Look at the table (hands), then reveal the result."
    error.name(())
    assert (error.message, error.unknowns) == (unnamed, ())
    error.name(((7, 0), (9, 0)))
    assert error.message == f"{unnamed.removesuffix('.')} of event 7, 9."
    assert str(error) == f"{error.message} (Moving)"
