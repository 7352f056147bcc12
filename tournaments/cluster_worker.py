"""On a worker of a Dask cluster: what is played is broken off when nobody waits for it any more.

Dask lets go of a task when its runner cancels it, when the scheduler has lost that runner, and when the worker
itself closes, as one does that has lost its scheduler. It stops nothing that has begun, but tells the plugins of the
worker, from which each block hangs here while it is played. This module needs the extra `cluster`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any, ParamSpec, TypeVar

from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from tournaments.worker import Leash, leash

P = ParamSpec("P")
T = TypeVar("T")


class LetGo(WorkerPlugin):
    """Pulls the leash of a running task when Dask changes its mind about it."""

    def __init__(self, key: object, held: Leash) -> None:
        self._key = key
        self._held = held

    def transition(self, key: object, start: str, finish: str, **more: Any) -> None:
        """Called for each change of a task; one that runs changes only if it is not wanted any more."""
        if key == self._key:
            self._held.pull()

    def teardown(self, worker: Worker) -> None:
        """Called when the worker closes."""
        self._held.pull()


def on_a_leash(work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """Do the work of a task; raises `BrokenExecutor` if it was broken off, but is wanted after all."""
    worker = get_worker()
    key = worker.get_current_task()
    name = f"leash of {key}"
    held = Leash()

    async def hold() -> None:
        await worker.plugin_add(LetGo(key, held), name)
        task = worker.state.tasks.get(key)
        if task is None or task.state != "executing":  # let go of before we could hear of it
            held.pull()

    sync(worker.loop, hold)
    outer = leash.set(held)
    try:
        result = work(*args, **more)
    finally:
        leash.reset(outer)
        worker.loop.add_callback(worker.plugins.pop, name, None)
    if held.pulled:
        raise BrokenExecutor(f"the worker at {worker.address} broke off what it played")
    return result


def processors() -> int:
    """How many of them this worker may use."""
    return len(os.sched_getaffinity(0))
