"""The worked examples of docs/ratings.md are what the code gives."""  # S050

from itertools import combinations
from pathlib import Path

import pytest

from tournaments.ratings import Result, changes, expected, fit
from tournaments.ratings.standings import PRIOR_SD

PAGE = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text(encoding="utf-8")
NAMES = ("Ada", "Bo", "Cy", "Dee")
RATINGS = dict(zip(NAMES, (1600.0, 1500.0, 1500.0, 1400.0), strict=True))
FINISH = Result("g", "b", NAMES, (2, 2, 4, 1))


def rows(after: str) -> list[list[str]]:
    """The cells of the first table after a phrase of the page, its two head lines left out."""
    lines = PAGE[PAGE.index(after) :].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    table = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table[2:]


def documented_results() -> list[Result]:
    return [
        Result(game, block, NAMES, tuple(map(int, places)))
        for block, game, *places in rows("play two blocks of four games")
    ]


def test_the_example_of_live_elo():
    scores = {(one, other): won for one, other, won in FINISH.pair_scores()}
    scores |= {(other, one): 1 - won for (one, other), won in scores.items()}
    moved = changes(RATINGS, FINISH, k=32)
    for name, *against, surprise, change in rows("Dee wins, Ada and Bo share second place"):
        for other, cell in zip(NAMES, against, strict=True):
            chance = expected(RATINGS[name] - RATINGS[other])
            assert cell == ("" if other == name else f"{scores[name, other]:g} - {chance:.4f}")
        assert (surprise, change) == (f"{moved[name] * 3 / 32:.4f}", f"{moved[name]:.2f}")


def test_the_example_of_the_published_ratings():
    shown = []
    for rating in fit(documented_results()).ratings:
        elo, low, high = (f"{value:.1f}" for value in (rating.elo, rating.low, rating.high))
        shown.append([rating.name, elo, low, high, str(rating.games), f"{rating.points:.2f}"])
    assert rows("The published table:") == shown


def test_the_check_of_the_example_by_hand():
    table = fit(documented_results())
    ada = [table.difference("Ada", other).elo for other in NAMES[1:]]
    chances = " + ".join(f"{expected(difference):.3f}" for difference in ada)
    points = 8 * sum(expected(difference) for difference in ada)
    pull = 20 - points
    assert f"8 * ({chances}) = {points:.2f}" in PAGE
    assert f"= {pull:.2f}.\n" in PAGE
    assert f"standard deviation of {PRIOR_SD:g} Elo" in PAGE.replace("\n", " ")


def test_the_example_of_superiority():
    table = fit(documented_results())
    shown = {row[0]: row[1:] for row in rows("| in the example | Bo")}
    for one, other in combinations(NAMES, 2):
        assert shown[one][NAMES.index(other) - 1] == f"{100 * table.superiority(one, other):.1f} %"


@pytest.mark.parametrize(
    "link", [line.split("](#")[1].split(")")[0] for line in PAGE.splitlines() if line[:3] == "- ["]
)
def test_the_contents_lead_to_headings(link):
    headings = [line.lstrip("# ").lower() for line in PAGE.splitlines() if line.startswith("## ")]
    slugs = [
        "".join(c for c in heading if c.isalnum() or c in " -").replace(" ", "-") for heading in headings
    ]
    assert link in slugs
