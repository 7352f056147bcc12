"""Every schedule: fair, complete, and the same after every restart."""

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations, islice

import pytest

from tournaments.schedules import Event, Gauntlet, Pairing, RoundRobin, ScheduleError, missing, pairings

SPRING = Event("spring", 1)
FIELDS = [(entrants, seats) for entrants in range(2, 10) for seats in range(2, 7) if seats <= entrants]


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number}" for number in range(count))


def played(schedule: RoundRobin | Gauntlet) -> list[Pairing]:
    return list(pairings(schedule))


def meetings(games: list[Pairing]) -> Counter[tuple[str, ...]]:
    return Counter(pair for game in games for pair in combinations(sorted(game.seating), 2))


# Round robin


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
def test_each_pair_meets_equally_often(entrants, seats):  # S038
    met = meetings(played(RoundRobin(SPRING, names(entrants), seats)))
    assert set(met) == set(combinations(names(entrants), 2))
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
def test_everybody_has_each_seat_equally_often(entrants, seats):  # S038
    games = played(RoundRobin(SPRING, names(entrants), seats))
    counts = Counter((name, seat) for game in games for seat, name in enumerate(game.seating))
    assert len(counts) == entrants * seats
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
def test_no_seat_is_empty_and_nobody_has_two(entrants, seats):  # S036
    for game in played(RoundRobin(SPRING, names(entrants), seats)):
        assert len(set(game.seating)) == seats
        assert set(game.seating) <= set(names(entrants))


@pytest.mark.parametrize(("entrants", "seats"), FIELDS)
def test_the_total_is_the_number_of_games_and_their_ids_are_unique(entrants, seats):
    schedule = RoundRobin(SPRING, names(entrants), seats, blocks=3)
    games = played(schedule)
    assert len({game.id for game in games}) == len(games) == schedule.total
    assert len({game.block for game in games}) * seats == schedule.total


@pytest.mark.parametrize(("entrants", "seats"), [(3, 2), (5, 2), (7, 2), (7, 4), (9, 6)])
def test_in_a_round_everybody_has_one_table_or_a_bye(entrants, seats):  # S036
    for each in RoundRobin(SPRING, names(entrants), seats).rounds():
        busy = [name for block in each.blocks for name in block.entrants]
        assert sorted(busy + list(each.byes)) == sorted(names(entrants))
        assert each.blocks


@pytest.mark.parametrize(("entrants", "rounds", "byes"), [(3, 3, 1), (5, 5, 1), (7, 7, 1), (8, 7, 0)])
def test_duels_take_the_fewest_rounds_and_byes_go_round(entrants, rounds, byes):  # S036
    schedule = list(RoundRobin(SPRING, names(entrants), 2).rounds())
    assert [each.number for each in schedule] == list(range(1, rounds + 1))
    idle = Counter(name for each in schedule for name in each.byes)
    assert set(idle.values()) == ({byes} if byes else set())


def test_each_pairing_plays_the_same_deals():  # S037
    seeds: dict[tuple[str, ...], list[int]] = {}
    for game in played(RoundRobin(SPRING, names(4), 2, blocks=5)):
        seeds.setdefault(tuple(sorted(game.seating)), []).append(game.seed)
    [deals] = {tuple(sorted(deals)) for deals in seeds.values()}
    assert len(set(deals)) == 5
    assert set(Counter(deals).values()) == {2}  # once from either side


def test_each_table_can_have_deals_of_its_own():
    games = played(RoundRobin(Event("spring", 1, shared_deals=False), names(5), 3, blocks=4))
    assert len({game.seed for game in games}) == len({game.block for game in games})


def test_all_games_of_a_block_share_the_deal():
    by_block: dict[str, set[int]] = {}
    for game in played(RoundRobin(SPRING, names(6), 4, blocks=2)):
        by_block.setdefault(game.block, set()).add(game.seed)
    assert all(len(seeds) == 1 for seeds in by_block.values())


def test_over_two_blocks_everybody_sits_as_often_before_as_behind_each_neighbour():
    after = Counter(
        (game.seating[seat], game.seating[(seat + 1) % 5])
        for game in played(RoundRobin(SPRING, names(7), 5, blocks=2))
        for seat in range(5)
    )
    assert all(after[one, other] == after[other, one] for one, other in after)


def test_all_tables_play_a_deal_before_any_plays_the_next():
    games = played(RoundRobin(SPRING, names(5), 3, blocks=3))
    seeds = list(dict.fromkeys(game.seed for game in games))
    assert [game.seed for game in games] == sorted((game.seed for game in games), key=seeds.index)


# Resume


def test_what_is_stored_is_not_played_again():  # S040
    schedule = RoundRobin(SPRING, names(4), 2, blocks=3)
    before, after = played(schedule)[:14], played(schedule)[14:]
    assert list(missing(schedule, {game.id for game in before})) == after


def test_gaps_are_found_wherever_they_are():
    schedule = RoundRobin(SPRING, names(6), 3)
    games = played(schedule)
    stored = {game.id for number, game in enumerate(games) if number % 7}
    assert list(missing(schedule, stored)) == games[::7]


def test_more_entrants_or_another_order_keep_the_games_already_played():
    games = set(played(RoundRobin(SPRING, names(5), 3, blocks=2)))
    assert games == set(played(RoundRobin(SPRING, names(5)[::-1], 3, blocks=2)))
    assert games < set(played(RoundRobin(SPRING, names(6), 3, blocks=3)))


@pytest.mark.parametrize("other", [Event("autumn", 1), Event("spring", 2)])
def test_another_tournament_has_other_ids(other):
    theirs = {game.id for game in played(RoundRobin(other, names(4), 3))}
    assert theirs.isdisjoint(game.id for game in played(RoundRobin(SPRING, names(4), 3)))


def test_ids_and_seeds_never_change_between_releases():
    """A stored tournament could not be resumed otherwise."""
    first = next(pairings(RoundRobin(SPRING, names(4), 4)))
    seating = ("bot0", "bot1", "bot2", "bot3")
    assert first == Pairing("24904051193498a6", "f022e4ff2ee2bb98", 1393908870095694, seating)


LISTING = """
from tournaments.schedules import Event, RoundRobin, pairings
for game in pairings(RoundRobin(Event("spring", 1), tuple("abcdefghijklmnop"), 4, blocks=2)):
    print(game)
"""


def test_every_process_and_hash_seed_lists_the_same_games():  # S051
    listings = [
        subprocess.run(
            [sys.executable, "-c", LISTING],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert listings[0] == listings[1]
    assert len(listings[0].splitlines()) == RoundRobin(SPRING, tuple("abcdefghijklmnop"), 4, blocks=2).total


# Gauntlet


@pytest.mark.parametrize("challengers", [1, 2])
@pytest.mark.parametrize(
    ("field", "seats"), [(1, 2), (5, 2), (5, 3), (7, 4), (5, 6), (40, 2), (40, 4), (40, 6)]
)
def test_a_challenger_meets_the_whole_field_equally_often(challengers, field, seats):
    mine, theirs = names(challengers + field)[:challengers], names(challengers + field)[challengers:]
    schedule = Gauntlet(SPRING, mine, theirs, seats)
    games = played(schedule)
    assert len({game.id for game in games}) == len(games) == schedule.total
    met = meetings(games)
    counts = {met[tuple(sorted((challenger, other)))] for challenger in mine for other in theirs}
    assert len(counts) == 1
    assert 0 not in counts
    assert all(len(set(game.seating)) == seats for game in games)
    assert all(len(set(game.seating) & set(mine)) == 1 for game in games)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_in_a_gauntlet_has_each_seat_equally_often(seats):
    games = played(Gauntlet(SPRING, ("new", "newer"), names(6), seats))
    counts = Counter((name, seat) for game in games for seat, name in enumerate(game.seating))
    for name in ("new", "newer", *names(6)):
        assert len({counts[name, seat] for seat in range(seats)}) == 1


# What cannot be scheduled


@pytest.mark.parametrize(
    ("schedule", "complaint"),
    [
        (
            lambda: RoundRobin(SPRING, names(3), 4),
            "3 entrants cannot fill a table of 4; add entrants or lower",
        ),
        (lambda: RoundRobin(SPRING, names(9), 7), "seats is 7; a table has 2 to 6"),
        (lambda: RoundRobin(SPRING, names(9), 1), "seats is 1; a table has 2 to 6"),
        (lambda: RoundRobin(SPRING, names(3), 2, blocks=0), "blocks is 0; each table plays at least 1"),
        (lambda: RoundRobin(SPRING, ("ada", "bo", "ada"), 2), "2 entrants are named ada"),
        (lambda: Gauntlet(SPRING, ("ada",), ("bo", "ada"), 2), "2 entrants are named ada"),
        (lambda: Gauntlet(SPRING, (), names(3), 2), "no challenger"),
        (lambda: Gauntlet(SPRING, ("new",), names(2), 4), "a field of 2 leaves seats empty at a table of 4"),
    ],
)
def test_the_impossible_is_refused_with_a_remedy(schedule, complaint):
    with pytest.raises(ScheduleError, match=complaint):
        schedule()


def test_a_schedule_is_a_generator_and_starts_at_once():
    schedule = RoundRobin(SPRING, names(300), 2, blocks=1_000_000)
    assert schedule.total == 300 * 299 // 2 * 2 * 1_000_000
    assert len(list(islice(pairings(schedule), 10))) == 10
