"""Blocks on a Dask cluster: stock `dask scheduler` and `dask worker`, with this package installed on each machine.

Every worker writes records into the tournament's folder, so all machines must see it under the same path.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

PATIENCE = 10  # seconds in which the scheduler must answer


class NoCluster(Exception):
    """The cluster cannot be used; the text says why and what to do."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on the cluster whose scheduler has this address, and how many blocks it can play at once.

    A block whose worker dies is played again by another, three times at most. Raises `NoCluster`.
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
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise NoCluster(
                f"the scheduler at {address} has no workers; start some with dask worker {address}"
            )
        with client.get_executor(pure=False) as executor:
            yield executor, workers


def _knock(address: str) -> None:
    """Raise `OSError` or `ValueError` if nobody listens there: a `Client` says so with a traceback, and later."""
    from distributed.comm.addressing import parse_address, parse_host_port

    with socket.create_connection(parse_host_port(parse_address(address)[1]), timeout=PATIENCE):
        pass
