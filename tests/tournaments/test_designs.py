"""Fields too large for all tables: few tables, everybody alike, all pairs alike."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from tournaments.schedules.design import MAX_TABLES, all_meet, all_play, in_rounds

LARGE = [
    (entrants, seats) for entrants in (10, 12, 13, 16, 20, 29, 30, 47, 64, 100) for seats in (3, 4, 5, 6)
]


@pytest.mark.parametrize(("entrants", "seats"), LARGE)
def test_all_pairs_meet_and_their_meetings_differ_by_at_most_one(entrants, seats):  # S038
    met = Counter(pair for table in all_meet(entrants, seats) for pair in combinations(table, 2))
    assert len(met) == comb(entrants, 2)
    assert max(met.values()) - min(met.values()) <= 1


@pytest.mark.parametrize(("entrants", "seats"), LARGE)
def test_everybody_plays_equally_often_and_sits_once_at_a_table(entrants, seats):
    tables = all_meet(entrants, seats)
    assert all(len(set(table)) == seats for table in tables)
    assert len(set(Counter(place for table in tables for place in table).values())) == 1


@pytest.mark.parametrize(("entrants", "seats"), LARGE)
def test_large_fields_need_few_tables(entrants, seats):
    needed = comb(entrants, 2) / comb(seats, 2)
    if comb(entrants, seats) > MAX_TABLES:
        assert len(all_meet(entrants, seats)) <= 2 * needed + 3 * entrants


@pytest.mark.parametrize(("entrants", "seats"), [(10, 1), (600, 1), (60, 2), (60, 3), (60, 5)])
def test_the_field_of_a_gauntlet_plays_equally_often(entrants, seats):
    played = Counter(place for table in all_play(entrants, seats) for place in table)
    assert len(played) == entrants
    assert len(set(played.values())) == 1


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (9, 2), (10, 2), (9, 4), (20, 4), (64, 5)])
def test_rounds_hold_every_table_once_and_nobody_twice(entrants, seats):
    tables = all_meet(entrants, seats)
    rounds = in_rounds(entrants, tables)
    assert sorted(table for each in rounds for table in each) == sorted(tables)
    assert all(len({place for table in each for place in table}) == seats * len(each) for each in rounds)
