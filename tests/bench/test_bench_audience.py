"""The benchmark of watchers and idlers prints what docs/benchmarks.md says; nothing looks at how fast anything is."""

from __future__ import annotations

from bench.audience import figures


def test_all_figures_are_told() -> None:
    told = {figure.name: figure for figure in figures(quick=True)}
    assert told["memory of a watcher that stalls"].must == 1024
    assert told["from reading again until a watcher that stalled is in step, worst"].must == 2000
    assert told["change of the players' delay by 10 watchers, p99"].must == 10
    assert told["memory of 10 idle connections"].must == 200
    assert "delay of the players without 10 idle connections, p99" in told
