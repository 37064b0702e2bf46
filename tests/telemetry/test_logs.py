"""Log lines: JSON for programs, text for people, without secrets in errors."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from telemetry import context, logs
from telemetry.context import Context

Begin = Callable[..., Callable[[], str]]
logger = logging.getLogger("driftlog.tests")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Start to log, and return a function that returns the log."""
    root, hook, shown = logging.getLogger(), threading.excepthook, warnings.showwarning
    handlers, level = root.handlers[:], root.level

    def begin(*how: Any, stream: io.StringIO | None = None) -> Callable[[], str]:
        stream = stream or io.StringIO()
        # pytest's own handlers are left out.
        root.handlers = []
        logs.begin(*how, stream=stream)
        return stream.getvalue

    with context.within(None):
        yield begin
    logging.captureWarnings(capture=False)
    root.handlers, threading.excepthook, warnings.showwarning = handlers, hook, shown
    root.setLevel(level)


def fail() -> None:
    raise ValueError


def test_json_elsewhere(begin: Begin) -> None:
    said = begin()
    with context.within(Context.from_headers("an-id", None)):
        logger.info("done\nhere %s", "ä\udc80", extra={"job": 5})
    (line,) = said().splitlines()
    told = json.loads(line)
    assert list(told)[:3] == ["time", "level", "logger"]
    assert (told["level"], told["logger"], told["message"]) == ("info", "driftlog.tests", "done\nhere ä\\udc80")
    assert (told["job"], told["request_id"]) == (5, "an-id")
    assert told["process"] == "MainProcess"
    assert told["time"].endswith("Z")


def test_text_on_a_terminal(begin: Begin) -> None:
    said = begin(stream=Terminal())
    logger.warning("one\nline \x1b[31m\u202e", extra={"route": "/v1/games/{game_id}", "name_of": 'Ann "B"\n'})
    (line,) = said().splitlines()
    assert "WARNING MainProcess: one line \ufffd[31m\ufffd route=/v1/games/{game_id}" in line
    assert line.endswith("""name_of='Ann "B"\\n'""")


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_line_of_which_there_are_many_looks_as_any_other(begin: Begin, form: str) -> None:
    said = begin(form)
    facts = {"route": "/v1/games", "status": 503, "caller": "Zoë \u2028"}
    for asked in (None, Context.from_headers("an-id", None)):
        with context.within(asked):
            logger.warning("answered", extra=facts)
            logs.log_facts(logger, logging.WARNING, "answered", facts)
            logs.log_facts(logger, logging.DEBUG, "answered", facts)
    lines: list[Any] = said().split("\n")[:-1]
    if form == "json":
        lines = [json.loads(line) | {"time": ""} for line in lines]
    assert len(lines) == 4
    for one, other in (lines[:2], lines[2:]):
        assert (one, list(one)) == (other, list(other)) if form == "json" else one[24:] == other[24:]


def test_a_log_that_nobody_reads_any_more_holds_nothing_up(begin: Begin) -> None:
    stream = io.StringIO()
    begin("json", stream=stream)
    stream.close()
    logs.log_facts(logger, logging.INFO, "answered", {})


@pytest.mark.parametrize(("form", "begins"), [("json", "{"), ("text", "2")])
def test_the_form_can_be_said(begin: Begin, form: str, begins: str) -> None:
    for stream in (io.StringIO(), Terminal()):
        said = begin(form, stream=stream)
        logger.info("it")
        assert said().startswith(begins)


def test_what_is_less_than_the_level_is_not_told(begin: Begin) -> None:
    said = begin("json", "warning")
    logger.info("no")
    assert said() == ""


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("level", ["info", "debug"])
def test_the_words_of_a_fault_and_its_causes_are_for_debug(begin: Begin, form: str, level: str) -> None:
    word = "".join(["pearl", "-", "diver"])

    def deep() -> None:
        try:
            {}[word]
        except KeyError as error:
            group = ExceptionGroup(word, [ValueError(word), SyntaxError(word)])
            group.add_note(word)
            raise group from error

    said = begin(form, level)
    try:
        deep()
    except ExceptionGroup:
        logger.exception("failed")
    assert (word in said()) == (level == "debug")
    assert all(kind in said() for kind in ("KeyError", "ValueError", "SyntaxError", "ExceptionGroup"))


def test_a_thread_that_fails_is_told(begin: Begin) -> None:
    said = begin()
    for failing in (fail, sys.exit):
        thread = threading.Thread(target=failing, name="helper")
        thread.start()
        thread.join()
    (line,) = said().splitlines()
    assert json.loads(line)["message"] == "the thread helper has failed"


def test_a_warning_is_told(begin: Begin) -> None:
    said = begin()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old", stacklevel=1)
    assert json.loads(said())["logger"] == "py.warnings"


def test_one_handler_does_not_change_what_another_tells(begin: Begin) -> None:
    told = begin("text")
    other = io.StringIO()
    before, after = logging.StreamHandler(other), logging.StreamHandler(other)
    root = logging.getLogger()
    root.handlers = [before, *root.handlers, after]
    try:
        int("Ann's word")
    except ValueError:
        logger.exception("failed")
    assert told().endswith("ValueError\n")
    assert other.getvalue().count('with base 10: "Ann\'s word"') == 2


def test_no_fault_is_nothing() -> None:
    assert logs.format_exception((None, None, None), tells_words=True) == ""
