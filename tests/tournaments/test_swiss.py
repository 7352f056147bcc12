"""Swiss: equals meet, nobody meets again while that can be helped, byes go round."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest
from played_out import EVENT, by_chance, names, play_out, rounds, strongest_wins, without

from tournaments.schedules import Event, Round, ScheduleError, Swiss
from tournaments.schedules.swiss import tables_without_repetition

OWN = Event("asked often", 1)  # with an order of its own, of which nothing is remembered yet


def meetings(played: list[Round]) -> Counter[tuple[str, ...]]:
    return Counter(
        pair for each in played for block in each.blocks for pair in combinations(sorted(block.entrants), 2)
    )


@pytest.mark.parametrize(
    ("entrants", "seats", "planned"),
    [
        (2, 2, 1),
        (3, 2, 3),
        (5, 2, 5),
        (6, 2, 5),
        (7, 2, 7),
        (8, 2, 7),
        (40, 2, 12),
        (9, 3, 4),
        (18, 3, 6),
        (48, 4, 5),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_nobody_meets_again_while_that_can_be_helped(entrants, seats, planned, seed):
    schedule = Swiss(EVENT, names(entrants), seats, planned)
    played = rounds(schedule, play_out(schedule, by_chance(seed)))
    assert len(played) == planned
    assert set(meetings(played).values()) == {1}


def test_who_must_meet_again_does_so_as_seldom_as_possible():
    schedule = Swiss(EVENT, names(4), 2, 7)
    met = meetings(rounds(schedule, play_out(schedule, by_chance(1))))
    assert sum(met.values()) == 14
    assert set(met.values()) == {2, 3}  # seven rounds of the three that there are


def duels_are_possible(entrants: Sequence[str], met: Counter[tuple[str, ...]]) -> bool:
    """Whether all can be seated in twos who have not met, found by trying."""

    @cache
    def seated(left: frozenset[str]) -> bool:
        first = min(left, default=None)
        return first is None or any(
            seated(left - {first, other}) for other in left - {first} if not met[first, other]
        )

    return seated(frozenset(entrants))


@pytest.mark.parametrize("seed", range(3))
def test_duels_are_repeated_only_where_no_other_round_is_possible(seed):
    """In 19 rounds of twenty there are rounds that the search does not find, and rounds that nobody can."""
    schedule = Swiss(EVENT, names(20), 2, 19)
    met: Counter[tuple[str, ...]] = Counter()
    for each in rounds(schedule, play_out(schedule, by_chance(seed))):
        duels = {tuple(sorted(block.entrants)) for block in each.blocks}
        assert not duels & set(met) or not duels_are_possible(schedule.entrants, met)
        met.update(duels)


def test_matched_duels_are_the_nearest_of_those_with_the_fewest_repetitions(monkeypatch):
    monkeypatch.setattr("tournaments.schedules.swiss.PATIENCE", 0)  # the matching is left alone with it
    order = names(8)
    random = Random(1)
    for _ in range(5):
        met = Counter({pair: random.randrange(3) for pair in combinations(order, 2)})

        def cost(duels: list[tuple[str, ...]], met: Counter[tuple[str, str]] = met) -> tuple[int, int]:
            pairs = [(one, other) for one, other in duels]
            return sum(met[pair] for pair in pairs), sum(order.index(b) - order.index(a) for a, b in pairs)

        assert cost(tables_without_repetition(order, 2, met)) == min(map(cost, all_duels(order)))


def all_duels(order: Sequence[str]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to seat these in twos."""
    if not order:
        yield []
    for other in order[1:]:
        for rest in all_duels([name for name in order[1:] if name != other]):
            yield [(order[0], other), *rest]


def test_swaps_avoid_all_repetition_while_everybody_has_met_less_than_half(monkeypatch):
    monkeypatch.setattr("tournaments.schedules.swiss.PATIENCE", 0)  # the swaps are left alone with it
    monkeypatch.setattr("tournaments.schedules.swiss.MATCHED", 0)
    order = names(20)
    met: Counter[tuple[str, str]] = Counter()
    for _ in range(10):
        tables = tables_without_repetition(order, 2, met)
        assert sorted(name for table in tables for name in table) == list(order)
        met.update(tuple(sorted(table)) for table in tables)
    assert set(met.values()) == {1}


@pytest.mark.parametrize(
    ("entrants", "seats", "planned"), [(3, 2, 3), (5, 2, 5), (7, 2, 7), (7, 4, 7), (11, 3, 5)]
)
def test_byes_are_listed_go_round_and_seat_nobody(entrants, seats, planned):  # S036
    schedule = Swiss(EVENT, names(entrants), seats, planned)
    results = play_out(schedule, by_chance(1))
    idle: Counter[str] = Counter(dict.fromkeys(names(entrants), 0))
    for each in rounds(schedule, results):
        seated = [name for block in each.blocks for name in block.entrants]
        assert sorted(seated + list(each.byes)) == sorted(names(entrants))
        idle.update(each.byes)
    assert max(idle.values()) - min(idle.values()) <= 1
    assert sum(idle.values()) == planned * (entrants % seats)


def test_a_bye_gives_no_score_and_takes_none():  # S036
    """The best of five stays first although it sat out."""
    schedule = Swiss(EVENT, names(5), 2, 5)
    results = play_out(schedule, strongest_wins)
    last = rounds(schedule, results)[-1]
    games = Counter(name for result in results for name in result.entrants)
    assert set(games.values()) == {8}  # four rounds of two games each
    assert {name for block in last.blocks for name in block.entrants} | set(last.byes) == set(names(5))


def test_winners_meet_winners():
    schedule = Swiss(EVENT, names(8), 2, 3)
    results = play_out(schedule, strongest_wins)
    second = rounds(schedule, results)[1]
    winners = {result.entrants[result.places.index(1)] for result in results[:8]}
    for block in second.blocks:
        assert len(winners & set(block.entrants)) in (0, 2)


def test_the_strongest_is_first_after_enough_rounds():
    schedule = Swiss(EVENT, names(16), 2, 4)
    points: Counter[str] = Counter()
    for result in play_out(schedule, strongest_wins):
        points.update({name: share for name, share in result.points().items() if share})
    assert points.most_common(1) == [("bot00", 8)]


def test_the_total_is_known_before_the_results_are():
    schedule = Swiss(EVENT, names(11), 3, 4, blocks=2)
    assert schedule.total == 4 * 3 * 2 * 3 == len(play_out(schedule, by_chance(1)))


def test_a_round_waits_for_the_one_before():
    schedule = Swiss(EVENT, names(8), 2, 3)
    results = play_out(schedule, by_chance(1), most=7)
    assert len(rounds(schedule, results)) == 1
    assert len(rounds(schedule, play_out(schedule, by_chance(1), results, most=8))) == 2


def test_no_round_is_matched_twice_however_often_the_schedule_is_asked(monkeypatch):
    matched = []

    def noting(order: Sequence[str], seats: int, met: Counter[tuple[str, str]]) -> list[tuple[str, ...]]:
        matched.append(order)
        return tables_without_repetition(order, seats, met)

    monkeypatch.setattr("tournaments.schedules.swiss.tables_without_repetition", noting)
    results = play_out(Swiss(OWN, names(8), 2, 9), by_chance(1))
    for count in range(0, len(results), 5):
        rounds(Swiss(OWN, names(8), 2, 9), results[:count])
    assert len(matched) == 9


@pytest.mark.parametrize("stop", [1, 7, 8, 9, 15, 16, 23])
def test_whenever_it_is_stopped_it_goes_on_as_if_it_had_not_been(stop):  # S040
    whole = play_out(Swiss(EVENT, names(8), 2, 3), by_chance(1))
    part = play_out(Swiss(EVENT, names(8), 2, 3), by_chance(1), most=stop)
    part.reverse()  # the order in which results were stored means nothing
    assert set(play_out(Swiss(EVENT, names(8), 2, 3), by_chance(1), part)) == set(whole)


def test_who_never_comes_stops_nobody():  # S039
    schedule = Swiss(EVENT, names(8), 2, 3)
    results = play_out(schedule, without("bot03", strongest_wins))
    assert len(results) == schedule.total
    assert len(rounds(schedule, results)) == 3


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        (lambda: Swiss(EVENT, names(3), 4, 3), "3 entrants cannot fill a table of 4; add entrants or lower"),
        (lambda: Swiss(EVENT, names(3), 2, 0), "rounds is 0; a Swiss has at least 1"),
        (lambda: Swiss(EVENT, ("ada", "ada"), 2, 1), "2 entrants are named ada"),
    ],
)
def test_the_impossible_is_refused_with_a_remedy(schedule, told):
    with pytest.raises(ScheduleError, match=told):
        schedule()


def test_a_large_field_is_seated_at_once():
    schedule = Swiss(EVENT, names(1000), 2, 3)
    assert len(play_out(schedule, by_chance(1))) == schedule.total == 3000
