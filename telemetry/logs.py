"""Log lines: one handler per process, with text for a terminal and JSON elsewhere.

A line never contains secrets: no query string, no header except the request ids, no body. The message of an exception
may contain secrets. So an exception is logged as its type and the place where it was raised, unless the level is
`debug`.
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
"""Members of a log record that are not repeated after the message."""

logger = logging.getLogger(__name__)


def begin(form: Form | Literal[""] = "", level: Level = "info", stream: TextIO | None = None) -> None:
    """Configure logging for this process and its forks.

    Args:
        form: `text` or `json`; empty: text on a terminal, otherwise JSON lines.
        level: the lowest level that is logged.
        stream: default: standard error.
    """
    stream = stream or sys.stderr
    form = form or ("text" if stream.isatty() else "json")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        Json(tells_words=level == "debug") if form == "json" else TextFormatter(tells_words=level == "debug")
    )
    handler.addFilter(_with_context)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    global _quickly  # noqa: PLW0603  # as logging's own handlers are, it is the process's
    _quickly = _Quickly(handler) if form == "json" else None
    logging.captureWarnings(capture=True)
    threading.excepthook = _thread_failed


def log_facts(logger: logging.Logger, level: int, message: str, facts: dict[str, Any]) -> None:
    """Log a line like `logger.log(level, message, extra=facts)`, but faster, because each request logs a line.

    A line of JSON takes a fraction of the time that `logging` needs for a full record.
    """
    if not logger.isEnabledFor(level):
        return
    if _quickly is None:
        logger.log(level, message, extra=facts)
    else:
        _quickly.log(logger.name, level, message, facts)


class _Quickly:
    """Writes the same lines as `Json` to the same stream, but faster."""

    def __init__(self, handler: logging.StreamHandler[TextIO]) -> None:
        self._handler = handler
        self._encode = msgspec.json.Encoder().encode

    def log(self, name: str, level: int, message: str, facts: dict[str, Any]) -> None:
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
        # A closed log must not stop the service.
        with self._handler.lock or nullcontext(), suppress(OSError, ValueError):
            self._handler.stream.write(text)
            self._handler.flush()


_quickly: _Quickly | None = None


class Json(MsgspecFormatter):
    """Formats a record as a line of JSON."""

    def __init__(self, *, tells_words: bool = False) -> None:
        super().__init__(_FIELDS, rename_fields=_RENAMED, timestamp="time")
        self._tells_words = tells_words

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        told = {"time": log_data.pop("time"), **log_data, "level": log_data["level"].lower()}
        for name in _WORDS & told.keys():
            # The name of a file may contain invalid UTF-8.
            told[name] = told[name].encode(errors="backslashreplace").decode()
        return told

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802  # logging's name
        return format_exception(ei, tells_words=self._tells_words)


class TextFormatter(logging.Formatter):
    """Formats a record as a line for people: time, level, process, message, then other members as `name=value`."""

    def __init__(self, *, tells_words: bool = False) -> None:
        super().__init__("%(asctime)s %(levelname)s %(processName)s: %(message)s")
        self._tells_words = tells_words

    def format(self, record: logging.LogRecord) -> str:
        # Handlers share the text of a record's exception. Another handler may have added words that this one must omit.
        record.exc_text = None
        line = super().format(record)
        record.exc_text = None
        return line

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        facts = [f" {name}={_plain(value)}" for name, value in record.__dict__.items() if name not in _KNOWN]
        line = super().formatMessage(record).replace("\r", "").replace("\n", " ")
        return visible(line + "".join(facts))

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802  # logging's name
        return visible(format_exception(ei, tells_words=self._tells_words))


def format_exception(exception: ExcInfo, *, tells_words: bool) -> str:
    """Return the parts of an exception that may be logged: its type, its origin and its causes.

    Args:
        tells_words: True to include the exception's message.
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
    """Return the type of an exception and the place where it was raised, without its message."""
    named = type(error).__qualname__
    if isinstance(error, BaseExceptionGroup):
        named += f" of {', '.join(type(one).__qualname__ for one in error.exceptions)}"
    return "".join(["Traceback (most recent call last):\n", *traceback.format_tb(trace), named])


def _plain(value: object) -> str:
    text = str(value)
    return text if text and text.isprintable() and not {" ", '"'} & set(text) else ascii(text)


def _with_context(record: logging.LogRecord) -> bool:
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
