"""The ladder: plays where the order is in doubt, and ends when it is not."""

from collections import Counter
from itertools import pairwise, permutations
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray
from played_out import by_chance, level, names, play_out, rounds, strongest_wins, without

from tournaments.ratings import Result, fit
from tournaments.ratings.direct import gain, meetings
from tournaments.ratings.elo import LOGIT
from tournaments.schedules import Event, Ladder, Pairing, ScheduleError
from tournaments.schedules.ladder import WARM_UP, Belief

EVENT = Event("ladder", 1, shared_deals=False)


def blocks_of(results: list[Result]) -> Counter[tuple[str, ...]]:
    """How many blocks each table has played."""
    return Counter({result.block: tuple(sorted(result.entrants)) for result in results}.values())


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (4, 4), (7, 3), (9, 4)])
def test_it_ends_when_all_neighbours_are_told_apart(entrants, seats):
    schedule = Ladder(EVENT, names(entrants), seats)
    results = play_out(schedule, by_chance(3, gap=3))
    fitted = fit(results)
    assert all(schedule.resolved(fitted, results))
    assert [rating.name for rating in fitted.ratings] == list(names(entrants))


def test_everybody_is_connected_before_anything_is_concluded():
    schedule = Ladder(EVENT, names(10), 4)
    warm_up = rounds(schedule, [])[0].blocks
    assert {name for block in warm_up for name in block.entrants} == set(names(10))
    results = play_out(schedule, by_chance(1, gap=3), most=4 * len(warm_up))
    assert set(blocks_of(results).values()) == {WARM_UP}
    assert len(fit(results).groups) == 1


def test_what_is_in_doubt_is_played():
    """The first two are as good as each other, the rest are far apart."""

    def referee(pairing: Pairing) -> Result:
        return (level if set(pairing.seating) == {"bot00", "bot01"} else strongest_wins)(pairing)

    results = play_out(Ladder(EVENT, names(5), 2, blocks=60), referee)
    (table, most), *_ = blocks_of(results).most_common()
    assert (table, most) == (("bot00", "bot01"), 60)


def test_tables_are_those_after_which_the_order_is_expected_to_be_least_in_doubt():
    """At two seats the information of a block is that of two games, p(1 - p) each; the rest is linear algebra."""
    schedule = Ladder(EVENT, names(10), 2)
    results = play_out(schedule, by_chance(1, gap=1), most=2 * 9 * WARM_UP)
    fitted = fit(results)
    place = {name: number for number, name in enumerate(fitted.names)}
    doubtful = schedule.open(fitted, results)
    assert len(doubtful) > 5  # so that there is a choice
    theta = fitted.elo / LOGIT
    precision = np.linalg.inv(
        fitted.covariance / LOGIT**2 + np.ones((10, 10))
    )  # no difference feels the ones

    def contrast(pair: tuple[str, str]) -> NDArray[np.float64]:
        return np.eye(10)[place[pair[0]]] - np.eye(10)[place[pair[1]]]

    def after(pair: tuple[str, str]) -> NDArray[np.float64]:
        one, other = (theta[place[name]] for name in pair)
        won = 1 / (1 + np.exp(other - one))
        return precision + 2 * won * (1 - won) * np.outer(contrast(pair), contrast(pair))

    def doubt(pair: tuple[str, str]) -> float:
        covariance = np.linalg.inv(after(pair))
        gaps = [
            contrast(each) @ theta / np.sqrt(contrast(each) @ covariance @ contrast(each))
            for each in doubtful
        ]
        return sum(NormalDist().cdf(-gap) for gap in gaps)

    expected = []
    for _ in range(5):  # as many as the field fills tables
        chosen = min(doubtful, key=doubt)
        assert doubt(chosen) < sorted(map(doubt, doubtful))[1] - 1e-9  # it is clear which
        precision = after(chosen)
        expected.append(tuple(sorted(chosen)))
    assert len(set(expected)) > 1  # what was chosen before counts
    (_, following) = rounds(schedule, results)
    assert [tuple(sorted(block.entrants)) for block in following.blocks] == expected


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_block_among_equals_is_expected_to_tell_what_all_its_rankings_would(seats):
    """The information of all rankings of equals, listed: H M^-1 H for curvature H and variance of the scores M."""
    fitted = fit(play_out(Ladder(EVENT, names(6), seats), level, most=60))
    assert not fitted.elo.any()
    belief = Belief(fitted, [False] * 5)
    table = tuple(rating.name for rating in fitted.ratings[:seats])
    before = belief._covariance + np.ones((6, 6))
    belief.play(table)
    rankings = np.array(list(permutations(range(seats))))
    scores = (rankings[:, :, None] > rankings[:, None, :]).sum(axis=2)
    curvature = (seats * np.eye(seats) - 1) / 4  # p(1 - p) for each pair
    variance = np.cov(scores.T, ddof=0).reshape(seats, seats)
    information = np.zeros((6, 6))
    information[:seats, :seats] = seats * curvature @ np.linalg.pinv(variance) @ curvature
    assert belief._covariance + np.ones((6, 6)) == pytest.approx(
        np.linalg.inv(np.linalg.inv(before) + information)
    )


def test_equals_are_not_played_forever():
    results = play_out(Ladder(EVENT, names(3), 2, blocks=20), level)
    assert max(blocks_of(results).values()) == 20


def test_nobody_sits_twice_more_often_than_the_field_fills_tables():
    schedule = Ladder(EVENT, names(8), 2)
    results = play_out(schedule, by_chance(1, gap=3), most=2 * 7 * WARM_UP)
    (_, chosen) = rounds(schedule, results)
    assert 1 <= len(chosen.blocks) <= 4
    assert len({block.id for block in chosen.blocks}) == len(chosen.blocks)


@pytest.mark.parametrize("stop", [1, 33, 71, 100])
def test_whenever_it_is_stopped_it_finishes_what_it_began(stop):  # S040
    schedule = Ladder(EVENT, names(4), 2)
    part = play_out(schedule, by_chance(1, gap=3), most=stop)
    results = play_out(schedule, by_chance(1, gap=3), list(part))
    assert results[: len(part)] == part
    games = Counter(result.block for result in results)
    assert set(games.values()) == {2}
    assert all(schedule.resolved(fit(results), results))


def test_the_next_games_do_not_depend_on_the_order_of_the_results():
    schedule = Ladder(EVENT, names(6), 2)
    results = play_out(schedule, by_chance(1, gap=3), most=80)
    assert rounds(schedule, results) == rounds(schedule, results[::-1])


def test_neighbours_that_are_not_told_apart_are_named():
    schedule = Ladder(EVENT, names(4), 2, blocks=6)
    results = play_out(schedule, by_chance(1, gap=0.1))
    fitted = fit(results, names(4))
    ranking = [rating.name for rating in fitted.ratings]
    assert schedule.open(fitted, results) == list(pairwise(ranking))
    sure = Ladder(EVENT, names(3), 2)
    results = play_out(sure, by_chance(1, gap=9))
    assert sure.open(fit(results), results) == []


def test_who_loses_every_block_is_told_apart_however_long_the_others_take():
    """The fit cannot tell by how much it is the worse, and the longer the others play the more it would ask for."""

    def referee(pairing: Pairing) -> Result:
        if "bot03" in pairing.seating:
            return strongest_wins(pairing)
        return by_chance(2, gap=0.3 if "bot02" not in pairing.seating else 3)(pairing)

    schedule = Ladder(EVENT, names(4), 2)
    results = play_out(schedule, referee, most=250)
    assert blocks_of(results)["bot02", "bot03"] <= 13  # as 2^12 / 4 is over 6 pairs / 0.01
    fitted = fit(results)
    assert 1 - (fitted.superiority("bot02", "bot03") or 0) > schedule.limit(len(results))
    assert ("bot02", "bot03") not in schedule.open(fitted, results)


@pytest.mark.parametrize(
    ("scores", "times"), [([1.0] * 3, [8, 3.375, 1.953125, 1.423828125]), ([0.0], [0, 0.5, 0.75, 0.875])]
)
def test_bet_grows_with_each_block_by_its_stake(scores, times):
    assert gain(scores) == pytest.approx(np.log(sum(times) / 4))


def test_bet_on_one_of_two_equals_hardly_ever_grows():
    """Ville: over all looks together no more often than once in so many times, here 20."""
    random = np.random.default_rng(5)
    for chances in ([0.5, 0, 0.5], [0.25, 0.5, 0.25], [0.1, 0.8, 0.1]):
        runs = random.choice([0.0, 0.5, 1.0], p=chances, size=(200, 40))
        grown = sum(any(gain(run[:blocks]) > np.log(20) for blocks in range(4, 41, 4)) for run in runs)
        assert grown <= 200 / 20


def test_block_of_which_a_game_is_missing_is_no_bet():
    one, other = by_chance(1), ("bot00", "bot01")
    games = [one(pairing) for pairing in rounds(Ladder(EVENT, other, 2), [])[0].blocks[0].pairings()]
    assert len(meetings(games, [other])[other]) == 1
    assert meetings(games[:1], [other])[other] == []


def test_looking_more_often_asks_for_more():
    schedule = Ladder(EVENT, names(3), 2)
    limits = [schedule.limit(games) for games in (20, 40, 80, 160)]
    looks = [1 + np.log(2) / 2 * NormalDist().inv_cdf(1 - limit) ** 2 for limit in limits]
    allowed = [limit * times for limit, times in zip(limits, looks, strict=True)]
    assert allowed == pytest.approx([0.04 / 2 / 2, 0.04 / 2 / 6, 0.04 / 2 / 12, 0.04 / 2 / 20])


def test_equals_are_told_apart_by_their_difference_no_more_often_than_allowed_however_often_one_looks():
    """Normal sums, looked at whenever the games have grown by a sixteenth, from the warm-up to 400 times as many."""
    schedule = Ladder(EVENT, names(2), 2)
    looks = [10]
    while looks[-1] < 4000:
        looks.append(-(-looks[-1] * 17 // 16))
    bounds = [NormalDist().inv_cdf(1 - schedule.limit(games)) for games in looks]
    steps = np.sqrt(np.diff([0, *looks]))
    walks = np.random.default_rng(1).normal(size=(20_000, len(looks))) * steps
    beyond = walks.cumsum(axis=1) / np.sqrt(looks) > bounds
    assert 0.015 < beyond.any(axis=1).mean() < 0.04


def test_who_never_comes_is_not_waited_for():  # S039
    results = play_out(Ladder(EVENT, names(4), 2, blocks=40), without("bot02", by_chance(1, gap=3)))
    absent = [count for table, count in blocks_of(results).items() if "bot02" in table]
    assert max(absent) == WARM_UP


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        (lambda: Ladder(EVENT, names(3), 4), "3 entrants cannot fill a table of 4; add entrants or lower"),
        (lambda: Ladder(EVENT, names(3), 2, error=0.5), "error is 0.5; it lies between 0 and 0.5"),
    ],
)
def test_the_impossible_is_refused_with_a_remedy(schedule, told):
    with pytest.raises(ScheduleError, match=told):
        schedule()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("entrants", "seats", "gap", "blocks"),
    [(2, 2, 0.5, 2000), (2, 2, 0.2, 4000), (3, 2, 0.5, 2000), (5, 4, 0.5, 2000), (4, 2, 3, 2000)],
)
def test_a_wrong_order_is_as_rare_as_promised(entrants, seats, gap, blocks, show):
    random = np.random.default_rng(7)
    wrong, games, ladders = 0, 0, 200
    for number in range(ladders):
        order = tuple(names(entrants)[i] for i in random.permutation(entrants))
        luck: dict[str, np.ndarray] = {}

        def referee(pairing: Pairing, luck: dict[str, np.ndarray] = luck) -> Result:
            of_seats = luck.setdefault(pairing.block, random.normal(size=seats))
            strength = np.array([-gap * int(name[3:]) for name in pairing.seating])
            shown = strength + of_seats + random.gumbel(size=seats)
            places = 1 + (shown[None, :] > shown[:, None]).sum(axis=1)
            return Result(
                pairing.id, pairing.block, pairing.seating, tuple(places.tolist()), deal=pairing.seed
            )

        schedule = Ladder(Event(f"ladder {number}", 1, shared_deals=False), order, seats, blocks)
        results = play_out(schedule, referee)
        games += len(results)
        fitted = fit(results)
        assert all(schedule.resolved(fitted, results))
        wrong += [rating.name for rating in fitted.ratings] != list(names(entrants))
    figures = {"entrants": entrants, "seats": seats, "gap": gap, "games of a ladder": games / ladders}
    show("ladders", {**figures, "ladders": ladders, "wrong order": wrong})
    assert wrong <= 16  # 10 of 200 are allowed in the mean; two standard errors more
