"""Knock-outs: losers leave, the strongest stays, level tables go on."""

from collections import Counter
from dataclasses import replace

import pytest
from played_out import EVENT, by_chance, level, names, play_out, rounds, strongest_wins, without

from tournaments.ratings import Result
from tournaments.schedules import Knockout, Pairing, ScheduleError
from tournaments.schedules.knockout import REPLAYS

FIELDS = [(2, 2), (3, 2), (5, 2), (8, 2), (13, 2), (3, 3), (9, 3), (4, 4), (13, 4), (16, 4), (30, 6)]


def tables(schedule: Knockout, results: list[Result]) -> list[list[tuple[str, ...]]]:
    """Who sat together in each round."""
    return [
        sorted({tuple(sorted(block.entrants)) for block in each.blocks}) for each in rounds(schedule, results)
    ]


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
@pytest.mark.parametrize("losses", [1, 2])
def test_it_ends_and_the_strongest_wins_the_last_round(entrants, seats, losses):
    schedule = Knockout(EVENT, names(entrants), seats, losses=losses)
    results = play_out(schedule, strongest_wins)
    assert any("bot00" in table for table in tables(schedule, results)[-1])
    assert schedule.left(results) == ["bot00"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("losses", [1, 2])
def test_everybody_but_the_winner_of_duels_loses_so_often_and_no_more(losses, seed):
    schedule = Knockout(EVENT, names(11), 2, blocks=3, losses=losses)
    results = play_out(schedule, by_chance(seed))
    lost: Counter[str] = Counter()
    for each in rounds(schedule, results):
        met = {tuple(sorted(block.entrants)) for block in each.blocks}
        for pair in met:
            assert all(lost[name] < losses for name in pair)
            points: Counter[str] = Counter(dict.fromkeys(pair, 0))
            for result in results:
                if result.block in {block.id for block in each.blocks} and set(result.entrants) == set(pair):
                    points.update(result.points())
            lost[min(pair, key=lambda name: (points[name], -int(name[3:])))] += 1
    left = [name for name in names(11) if lost[name] < losses]
    assert len(left) == 1
    assert schedule.left(results) == left
    assert schedule.left([]) == list(names(11))
    assert all(lost[name] == losses for name in names(11) if name not in left)


def test_single_elimination_of_eight_is_the_classical_one():
    schedule = Knockout(EVENT, names(8), 2)
    first, second, third = tables(schedule, play_out(schedule, strongest_wins))
    assert first == [("bot00", "bot07"), ("bot01", "bot06"), ("bot02", "bot05"), ("bot03", "bot04")]
    assert second == [("bot00", "bot03"), ("bot01", "bot02")]
    assert third == [("bot00", "bot01")]


def test_who_does_not_fit_has_a_bye_and_nobody_a_second_before_all_had_one():  # S036
    schedule = Knockout(EVENT, names(7), 2)
    first, second, third = rounds(schedule, play_out(schedule, strongest_wins))
    assert (first.byes, second.byes, third.byes) == (("bot00",), (), ())
    schedule = Knockout(EVENT, names(5), 2)
    first, second, third = rounds(schedule, play_out(schedule, strongest_wins))
    assert (first.byes, second.byes, third.byes) == (("bot00",), ("bot01",), ())


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
def test_nobody_sits_twice_in_a_round_and_no_seat_is_empty(entrants, seats):  # S036
    schedule = Knockout(EVENT, names(entrants), seats, losses=2)
    for each in tables(schedule, play_out(schedule, by_chance(2))):
        seated = [name for table in each for name in table]
        assert len(seated) == len(set(seated))
        assert all(2 <= len(table) <= seats for table in each)


def test_of_a_table_of_four_two_go_through():
    schedule = Knockout(EVENT, names(8), 4)
    first, final = tables(schedule, play_out(schedule, strongest_wins))
    assert first == [("bot00", "bot03", "bot04", "bot07"), ("bot01", "bot02", "bot05", "bot06")]
    assert final == [("bot00", "bot01", "bot02", "bot03")]


def test_who_lost_once_of_two_comes_back_and_may_win():
    """bot01 loses its first match and none after that."""
    schedule = Knockout(EVENT, names(2), 2, losses=2)
    first = next(schedule.rounds()).blocks[0].id

    def referee(pairing: Pairing) -> Result:
        result = strongest_wins(pairing)
        if pairing.block == first:
            return result
        return replace(result, places=tuple(3 - place for place in result.places))

    results = play_out(schedule, referee)
    assert len(rounds(schedule, results)) == 3  # 1:0, 1:1, 1:2
    assert results[-1].points() == {"bot00": 0.0, "bot01": 1.0}


def test_a_level_table_goes_on_and_then_the_better_seed_goes_through():
    schedule = Knockout(EVENT, names(4), 2)
    results = play_out(schedule, level)
    first, final = rounds(schedule, results)
    assert len(first.blocks) == 2 * (REPLAYS + 1)
    assert {name for block in final.blocks for name in block.entrants} == {"bot00", "bot01"}
    assert len({result.game for result in results}) == len(results)


def test_a_table_that_is_decided_after_a_replay_stops_there():
    decided: set[str] = set()

    def referee(pairing: Pairing) -> Result:
        if len(decided) < 1:
            decided.add(pairing.block)
        return level(pairing) if pairing.block in decided else strongest_wins(pairing)

    schedule = Knockout(EVENT, names(2), 2)
    assert len(play_out(schedule, referee)) == 4


def test_who_does_not_come_is_behind_who_does():  # S039
    schedule = Knockout(EVENT, names(4), 2)
    results = play_out(schedule, without("bot00", strongest_wins))
    assert tables(schedule, results) == [
        [("bot00", "bot03"), ("bot01", "bot02")],
        [("bot01", "bot03")],
    ]


@pytest.mark.parametrize("stop", range(1, 20, 3))
@pytest.mark.parametrize("losses", [1, 2])
def test_whenever_it_is_stopped_it_goes_on_as_if_it_had_not_been(stop, losses):  # S040
    schedule = Knockout(EVENT, names(7), 2, losses=losses)
    whole = play_out(schedule, by_chance(1))
    part = play_out(schedule, by_chance(1), most=stop)
    part.reverse()
    assert set(play_out(schedule, by_chance(1), part)) == set(whole)


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        (lambda: Knockout(EVENT, names(1), 2), "1 entrants cannot play a knock-out; add entrants"),
        (lambda: Knockout(EVENT, names(4), 2, losses=3), "losses is 3; a knock-out is single"),
        (lambda: Knockout(EVENT, names(4), 7), "seats is 7; a table has 2 to 6"),
    ],
)
def test_the_impossible_is_refused_with_a_remedy(schedule, told):
    with pytest.raises(ScheduleError, match=told):
        schedule()
