"""Blocks on a Dask cluster: stock `dask scheduler` and `dask worker`, with this package installed on each machine.

Every worker writes records into the tournament's folder, so all machines must see it under the same path. What the
workers do is in `cluster_worker`.
"""

from __future__ import annotations

import logging
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 10  # seconds in which the scheduler must answer

P = ParamSpec("P")
T = TypeVar("T")


class NoCluster(Exception):
    """The cluster cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where workers run: so many threads of theirs, each of which plays a block, and so many processors."""

    name: str
    threads: int
    processors: int


class Cluster(Executor):
    """Plays blocks on the workers of a cluster; those that are cancelled, or whose client is gone, are broken off."""

    def __init__(self, client: Client) -> None:
        """Raises `NoCluster`."""
        self._client = client
        self.machines = _machines(client)
        self._tasks = client.get_executor(pure=False)

    @property
    def threads(self) -> int:
        """How many blocks can be played at once."""
        return sum(machine.threads for machine in self.machines)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand out a task. Raises `NoCluster` if the scheduler is lost, which then has cancelled all tasks."""
        from tournaments.cluster_worker import on_a_leash

        if self._client.status != "running":
            raise NoCluster("the scheduler of the cluster is gone; start it and its workers, and run again")
        future: Future[T] = self._tasks.submit(on_a_leash, fn, *args, **kwargs)
        return future


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The cluster whose scheduler has this address.

    A block whose worker dies is played again by another, as often as `distributed.scheduler.allowed-failures` of Dask
    says; then it has failed. Raises `NoCluster`.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster(
            "playing on a cluster needs the extra cluster; install it with"
            " pip install 'import-export-arena[cluster]'"
        ) from None
    try:
        _knock(address)
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError):  # no such machine, no address, no answer in time
        raise NoCluster(
            f"no scheduler answers at {address}; start one with dask scheduler and give its address, as tcp://HOST:8786"
        ) from None
    logging.getLogger("distributed.client").setLevel(
        logging.CRITICAL
    )  # of a lost scheduler we tell, in a sentence
    with client:
        found = Cluster(client)
        if not found.machines:
            raise NoCluster(
                f"the scheduler at {address} has no workers; start some with dask worker {address}"
            )
        yield found


def _knock(address: str) -> None:
    """Raise `OSError` or `ValueError` if nobody listens there: a `Client` says so with a traceback, and later."""
    from distributed.comm.addressing import parse_address, parse_host_port

    with socket.create_connection(parse_host_port(parse_address(address)[1]), timeout=PATIENCE):
        pass


def _machines(client: Client) -> list[Machine]:
    """Ask all workers. Raises `NoCluster` if one does not have this package."""
    from distributed.comm.addressing import get_address_host

    from tournaments.cluster_worker import processors

    answers: dict[str, Any] = client.run(processors, on_error="return")
    for address, answer in answers.items():
        if not isinstance(answer, int):
            raise NoCluster(
                f"the worker at {address} cannot play: {type(answer).__name__}: {answer}; install this version of"
                " import-export-arena there, with the extra cluster"
            )
    threads: Counter[str] = Counter()
    for address, number in client.nthreads().items():
        threads[get_address_host(address)] += number
    counted = {get_address_host(address): number for address, number in answers.items()}
    return [Machine(host, threads[host], number) for host, number in counted.items()]
