"""Benchmarks: one JSON line per figure, each beside a fixed loop of the same run. Never run for time by the tests.

`python -m bench [SUITE ...] [--quick]`; docs/benchmarks.md says what each figure means.
"""
