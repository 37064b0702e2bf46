"""Servers for tests of failures. They end with the tests in any case."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from store.redis.binary import find_binary
from store.redis.scratch import Guardian
from tests.ports import BUS, free_ports
from tests.waiting import PATIENCE, until

SLOTS = 16384
NODE_TIMEOUT = 2000
"""Milliseconds after which nodes treat a silent node as dead; longer than a pause of a busy machine."""
FAILOVER = 4 * PATIENCE
"""Seconds until a test gives up on sentinels, which pause for thirty seconds after a delay of two."""


class Server:
    """A Redis (or a sentinel) on a port of this machine, which tests can damage."""

    def __init__(self, folder: Path, port: int, *options: object, lines: Sequence[str] = ()) -> None:
        """
        Args:
            options: options of the server's command line.
            lines: lines of its configuration file, which the server may rewrite.
        """
        self.port = port
        self.place = f"127.0.0.1:{port}"
        # Wait long for answers, because tests pause servers.
        patience = {"socket_timeout": 2 * PATIENCE, "socket_connect_timeout": 2 * PATIENCE}
        self.client = redis.Redis(port=port, protocol=3, decode_responses=True, retry=Retry(NoBackoff(), 0), **patience)
        self._folder = folder
        self._options = list(map(str, options))
        self._lines = lines
        self._guarded: Guardian | None = None
        self._is_held = False

    @property
    def _process(self) -> subprocess.Popen[Any]:
        assert self._guarded is not None
        return self._guarded.process

    def start(self) -> Self:
        """Start the server, and wait until it answers."""
        self._folder.mkdir(exist_ok=True)
        (self._folder / "conf").write_text("\n".join([f"port {self.port}", "bind 127.0.0.1", *self._lines, ""]))
        with (self._folder / "log").open("ab") as log:
            self._guarded = Guardian(
                self._folder, [find_binary(), "conf", *self._options], cwd=self._folder, stdout=log, stderr=log
            )
        until(self._answers)
        return self

    def kill(self) -> None:
        """Kill the server at once, like a loss of power."""
        if self._guarded is not None:
            self._guarded.dismiss()
            self._process.kill()
            self._process.wait()
            self._guarded = None

    def hold(self) -> None:
        """Pause the server, so that it seems unreachable."""
        self._process.send_signal(signal.SIGSTOP)
        self._is_held = True

    def let_go(self) -> None:
        """Resume a paused server."""
        self._process.send_signal(signal.SIGCONT)
        self._is_held = False

    def stop(self) -> None:
        """Clean up at the end of a test."""
        self.client.close()
        self.kill()

    def role(self) -> str:
        """Return `master` or `slave`; empty if the server does not answer."""
        try:
            return str(self.client.info("replication")["role"])
        except redis.RedisError:
            return ""

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise AssertionError((self._folder / "log").read_text()[-2000:])
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False


DURABLE = ("--save", "", "--appendonly", "yes", "--appendfsync", "always", "--repl-diskless-sync-delay", 0)
QUICK = (*DURABLE, "--repl-ping-replica-period", 1)


@contextmanager
def pair(folder: Path) -> Iterator[tuple[Server, Server]]:
    """Yield a server and its replica."""
    with _start_all(
        Server(folder / name, port, *QUICK) for name, port in zip("ab", free_ports(2), strict=True)
    ) as both:
        master, replica = both
        follow(replica, master)
        yield master, replica


def follow(replica: Server, master: Server) -> None:
    """Make one server follow the other, and wait until it does."""
    replica.client.replicaof("127.0.0.1", str(master.port))
    until(lambda: replica.client.info("replication").get("master_link_status") == "up")
    # Wait until its master knows the replica, too.
    until(lambda: master.client.info("replication").get("slave0", {}).get("state") == "online")


@contextmanager
def _start_all(servers: Iterator[Server]) -> Iterator[list[Server]]:
    with ExitStack() as stack:
        started = []
        for server in servers:
            stack.callback(server.stop)
            started.append(server.start())
        yield started


@contextmanager
def start_sentinels(folder: Path, service: str, sentinels: int = 3) -> Iterator[tuple[list[Server], list[Server]]]:
    """Yield a server with its replica, and sentinels that agree about them."""
    with pair(folder) as servers:
        master = servers[0]
        lines = (
            f"sentinel monitor {service} 127.0.0.1 {master.port} 2",
            f"sentinel down-after-milliseconds {service} {NODE_TIMEOUT}",
            f"sentinel failover-timeout {service} 10000",
        )
        ports = free_ports(sentinels)
        made = (Server(folder / f"s{port}", port, "--sentinel", lines=lines) for port in ports)
        with _start_all(made) as watching:
            for sentinel in watching:
                until(lambda sentinel=sentinel: _sees(sentinel, service, sentinels - 1), FAILOVER)
            yield list(servers), watching


def _sees(sentinel: Server, service: str, others: int) -> bool:
    """Return True if a sentinel knows the other sentinels, and a replica to promote."""
    master = sentinel.client.sentinel_master(service)
    replicas = sentinel.client.sentinel_slaves(service)
    return int(master["num-other-sentinels"]) == others and any(
        one["master-link-status"] == "ok" and not one["is_sdown"] for one in replicas
    )


class Cluster:
    """A cluster of three servers, each with a third of the slots and a replica."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers

    @property
    def url(self) -> str:
        """The cluster's address, with a live node."""
        return f"redis+cluster://{next(server for server in self.servers if server.role()).place}"

    def master_of(self, key: str) -> Server:
        """Return the server that accepts writes of a key."""
        living = next(server for server in self.servers if server.role())
        slot = int(living.client.execute_command("CLUSTER KEYSLOT", key))
        return next(server for server in self.servers if _has(server, slot))

    def is_whole(self) -> bool:
        """Return True if all nodes agree that there are three masters, each with a connected replica."""
        views = set()
        for server in self.servers:
            nodes = server.client.execute_command("CLUSTER NODES").values()
            if _state(server) != ("ok", 6) or any("fail" in node["flags"] or not node["connected"] for node in nodes):
                return False
            views.add(frozenset(node["node_id"] for node in nodes if "master" in node["flags"]))
        masters = [server for server in self.servers if server.role() == "master"]
        return views == {frozenset(map(id_of, masters))} and [replicas_of(one) for one in masters] == [1, 1, 1]

    def replica_of(self, master: Server) -> Server:
        """Return the replica of a master."""
        return next(
            one
            for one in self.servers
            if one is not master
            and one.role() == "slave"
            and one.client.info("replication")["master_port"] == master.port
        )


def replicas_of(server: Server) -> int:
    """Return the number of connected replicas of a server."""
    told = server.client.info("replication")
    return sum(told[name]["state"] == "online" for name in told if name.startswith("slave") and name[5:].isdigit())


def _has(server: Server, slot: int) -> bool:
    if server.role() != "master":
        return False
    nodes = server.client.execute_command("CLUSTER NODES")
    mine = next(node for node in nodes.values() if "myself" in node["flags"])
    return any(int(first) <= slot <= int(last) for first, last in _ranges(mine["slots"]))


def _ranges(slots: list[list[str]]) -> Iterator[tuple[str, str]]:
    for one in slots:
        yield one[0], one[-1]


def id_of(server: Server) -> str:
    """Return the id of a server in the cluster."""
    return str(server.client.execute_command("CLUSTER", "MYID"))


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Yield a cluster of three servers and three replicas."""
    ports = free_ports(6)
    options = (*QUICK, "--cluster-enabled", "yes", "--cluster-node-timeout", NODE_TIMEOUT)
    # A replica that was unreachable must still be promoted, because tests check what it lacks.
    more = (*options, "--cluster-replica-validity-factor", 0, "--cluster-migration-barrier", 5)
    # The failure of one master must not stop the others.
    more += ("--cluster-require-full-coverage", "no")
    made = (Server(folder / f"n{number}", port, *more) for number, port in enumerate(ports))
    with _start_all(made) as servers:
        masters, replicas = servers[:3], servers[3:]
        bounds = [SLOTS * number // 3 for number in range(4)]
        for number, master in enumerate(masters):
            master.client.execute_command("CLUSTER", "ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            master.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for server in servers[1:]:
            server.client.execute_command("CLUSTER", "MEET", "127.0.0.1", servers[0].port, servers[0].port + BUS)
        for server in servers:
            until(lambda server=server: _state(server) == ("ok", 6))
        for master, replica in zip(masters, replicas, strict=True):
            until(
                lambda master=master, replica=replica: (
                    id_of(master) in str(replica.client.execute_command("CLUSTER NODES"))
                )
            )
            replica.client.execute_command("CLUSTER", "REPLICATE", id_of(master))
        six = Cluster(servers)
        until(six.is_whole)
        yield six


def _state(server: Server) -> tuple[str, int]:
    told = server.client.execute_command("CLUSTER INFO")
    return told["cluster_state"], int(told["cluster_known_nodes"])
