"""`python -m bench [SUITE ...]`: print the figures of some suites, by default of all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from bench import audience, core, ratings, returns, runner, web, wire
from bench.measure import Figure, machine, show

SUITES: dict[str, Callable[[bool, int], Iterator[Figure]]] = {
    "core": core.figures,
    "wire": lambda quick, games: wire.figures(quick),
    "audience": lambda quick, games: audience.figures(quick),
    "returns": lambda quick, games: returns.figures(quick),
    "ratings": lambda quick, games: ratings.figures(quick),
    "runner": lambda quick, games: runner.figures(quick),
    "web": lambda quick, games: web.figures(quick),
}
"""Each suite takes whether to be quick, and for how many games to count."""

STATISTICS_GAMES = 1000


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "suites", nargs="*", metavar="SUITE", help=f"some of {', '.join(SUITES)}; all if none is named"
    )
    parser.add_argument("--quick", action="store_true", help="a few seconds, for the form alone")
    parser.add_argument(
        "--games", type=int, default=STATISTICS_GAMES, help="games for the statistics (%(default)s)"
    )
    wanted = parser.parse_args()
    for suite in wanted.suites:
        if suite not in SUITES:
            parser.error(f"there is no suite {suite!r}; the suites are {', '.join(SUITES)}")
    if wanted.games < 1:
        parser.error(f"--games {wanted.games} is too few; give 1 or more")
    print(machine(), flush=True)
    for suite in wanted.suites or SUITES:
        show(SUITES[suite](wanted.quick, wanted.games))


if __name__ == "__main__":
    main()
