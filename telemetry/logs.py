"""Log lines: one handler for each process, whose lines people read on a terminal and programs read elsewhere.

A line never holds what must not be known: no address with its query, no header but the ids of the request, no body.
The words of an exception may hold any of that, so below `debug` an exception is told by its type and where it arose.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from multiprocessing import current_process
from types import TracebackType
from typing import Any, Literal, TextIO

import msgspec
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.msgspec import MsgspecFormatter

from engine.core.text import visible
from telemetry import context

Form = Literal["text", "json"]
Level = Literal["debug", "info", "warning", "error"]

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
_RENAMED = {"levelname": "level", "name": "logger", "processName": "process", "process": "pid"}
_LEVELS = {getattr(logging, name.upper()): name for name in ("debug", "info", "warning", "error")}
_FIELDS = ("levelname", "name", "message", "processName", "process")
_WORDS = frozenset({"message", "exc_info"})
_KNOWN = frozenset(RESERVED_ATTRS) | {"message", "asctime", "trace_id"}
"""What people are not told beside the words of a line, or have read already."""

logger = logging.getLogger(__name__)


def begin(form: Form | Literal[""] = "", level: Level = "info", stream: TextIO | None = None) -> None:
    """Have this process and its forks log.

    Args:
        form: empty: text on a terminal, else JSON, a line each.
        level: the least that is told.
        stream: by default standard error.
    """
    stream = stream or sys.stderr
    form = form or ("text" if stream.isatty() else "json")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Json(tells_words=level == "debug") if form == "json" else Text(tells_words=level == "debug"))
    handler.addFilter(_with_context)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    global _quickly  # noqa: PLW0603  # as logging's own handlers are, it is the process's
    _quickly = _Quickly(handler) if form == "json" else None
    logging.captureWarnings(capture=True)
    threading.excepthook = _thread_failed


def tell(logger: logging.Logger, level: int, message: str, facts: dict[str, Any]) -> None:
    """As `logger.log(level, message, extra=facts)`: for the lines that there are as many of as requests.

    As JSON they take a fraction of the time that `logging` needs for a record of everything.
    """
    if not logger.isEnabledFor(level):
        return
    if _quickly is None:
        logger.log(level, message, extra=facts)
    else:
        _quickly.tell(logger.name, level, message, facts)


class _Quickly:
    """Lines that look as those of `Json` and go where these go."""

    def __init__(self, handler: logging.StreamHandler[TextIO]) -> None:
        self._handler = handler
        self._encode = msgspec.json.Encoder().encode

    def tell(self, name: str, level: int, message: str, facts: dict[str, Any]) -> None:
        now = context.current()
        line: dict[str, Any] = {
            "time": datetime.now(UTC),
            "level": _LEVELS[level],
            "logger": name,
            "message": message,
            "process": current_process().name,
            "pid": os.getpid(),
            **facts,
        }
        if now is not None and "request_id" not in facts:
            line["request_id"], line["trace_id"] = now.request_id, now.trace_id
        text = self._encode(line).decode() + "\n"
        # That nobody reads the log any more is no reason not to answer.
        with self._handler.lock or nullcontext(), suppress(OSError, ValueError):
            self._handler.stream.write(text)
            self._handler.flush()


_quickly: _Quickly | None = None


class Json(MsgspecFormatter):
    """A JSON object a line."""

    def __init__(self, *, tells_words: bool = False) -> None:
        super().__init__(_FIELDS, rename_fields=_RENAMED, timestamp="time")
        self._tells_words = tells_words

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        told = {"time": log_data.pop("time"), **log_data, "level": log_data["level"].lower()}
        for name in _WORDS & told.keys():
            # A file's name may be no UTF-8.
            told[name] = told[name].encode(errors="backslashreplace").decode()
        return told

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802  # logging's name
        return told(ei, tells_words=self._tells_words)


class Text(logging.Formatter):
    """A line that people read: when, how grave, which process, what; then what else is known as `name=value`."""

    def __init__(self, *, tells_words: bool = False) -> None:
        super().__init__("%(asctime)s %(levelname)s %(processName)s: %(message)s")
        self._tells_words = tells_words

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        facts = [f" {name}={_plain(value)}" for name, value in record.__dict__.items() if name not in _KNOWN]
        line = super().formatMessage(record).replace("\r", "").replace("\n", " ")
        return visible(line + "".join(facts))

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802  # logging's name
        return visible(told(ei, tells_words=self._tells_words))


def told(exception: ExcInfo, *, tells_words: bool) -> str:
    """What can be told of an exception: where it arose, its type, and what led to it.

    Args:
        tells_words: whether its own words are told as well.
    """
    kind, error, trace = exception
    if kind is None or error is None:
        return ""
    if tells_words:
        return "".join(traceback.format_exception(kind, error, trace)).rstrip("\n")
    accounts = [_account(error, trace)]
    seen = {id(error)}
    while (cause := _cause(error)) is not None and id(cause) not in seen:
        error = cause
        seen.add(id(error))
        accounts.append(_account(error, error.__traceback__))
    return "\n\nwhich led to\n\n".join(reversed(accounts))


def _cause(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _account(error: BaseException, trace: TracebackType | None) -> str:
    """Where an exception arose, and what it is, without its words."""
    named = type(error).__qualname__
    if isinstance(error, BaseExceptionGroup):
        named += f" of {', '.join(type(one).__qualname__ for one in error.exceptions)}"
    return "".join(["Traceback (most recent call last):\n", *traceback.format_tb(trace), named])


def _plain(value: object) -> str:
    text = str(value)
    return text if text and text.isprintable() and not {" ", '"'} & set(text) else ascii(text)


def _with_context(record: logging.LogRecord) -> bool:
    """Say of a line for which request it is."""
    now = context.current()
    if now is not None and not hasattr(record, "request_id"):
        record.request_id = now.request_id
        record.trace_id = now.trace_id
    return True


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and failed.exc_type is not SystemExit:
        name = failed.thread.name if failed.thread else "unknown"
        trouble = (failed.exc_type, failed.exc_value, failed.exc_traceback)
        logger.error("the thread %s has failed", name, exc_info=trouble)
