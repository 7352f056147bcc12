"""The trial: plays a new version against an old one until the sequential test decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from played_out import by_chance, level, names, play_out, rounds, strongest_wins, without
from programs import playing, tournament
from test_run import Here, decided

from arena.cli.boards import StoredBoards
from tournaments.config import Versions
from tournaments.ratings import Result, Sprt, State, Verdict
from tournaments.report import of_tournament
from tournaments.run import AHEAD, Audience, run
from tournaments.schedules import Event, Pairing, ScheduleError, Trial, pairings
from tournaments.schedules.trial import GROWTH, WINDOW
from tournaments.store import Store

EVENT = Event("trial", 1, shared_deals=False)
QUICK = Sprt(0, 200)


def trial(seats: int = 2, others: int = 0, test: Sprt = QUICK, blocks: int = 500) -> Trial:
    return Trial(EVENT, "bot00", "bot01", names(others + 2)[2:], seats, test, blocks)


@pytest.mark.parametrize(("seats", "others"), [(2, 0), (3, 1), (4, 5)])
def test_it_ends_when_the_test_decides(seats: int, others: int) -> None:
    schedule = trial(seats, others)
    results = play_out(schedule, by_chance(1, gap=3))
    stand = schedule.stand(results)
    assert stand.ended
    assert stand.state.verdict is Verdict.BETTER
    assert len(stand.over) == stand.state.blocks
    assert [block for each in rounds(schedule, results) for block in each.blocks] == list(stand.over)


def test_a_version_that_is_worse_is_not_better() -> None:
    schedule = Trial(EVENT, "bot01", "bot00", (), 2, QUICK)
    assert schedule.stand(play_out(schedule, strongest_wins)).state.verdict is Verdict.NOT_BETTER


def test_equals_are_not_played_forever() -> None:
    results = play_out(trial(test=Sprt(-10, 10), blocks=40), level)
    assert len(results) == 80
    stand = trial(test=Sprt(-10, 10), blocks=40).stand(results)
    assert (stand.state.verdict, len(stand.over)) == (Verdict.UNDECIDED, 40)


def test_the_verdict_does_not_depend_on_the_order_in_which_games_end() -> None:
    """Many are handed out at once, and end as it happens."""
    schedule = trial(test=Sprt(0, 80))
    one_by_one = schedule.stand(play_out(schedule, by_chance(4, gap=1)))
    assert WINDOW < one_by_one.state.blocks < 500
    for seed in range(3):
        results: list[Result] = []
        running: list[Pairing] = []
        known: set[str] = set()
        random = Random(seed)
        while todo := [each for each in pairings(schedule, results) if each.id not in known] + running:
            known.update(each.id for each in todo)
            random.shuffle(todo)
            results += map(by_chance(4, gap=1), todo[5:] or todo)
            running = todo[:5] if todo[5:] else []
        assert schedule.stand(results) == one_by_one


def test_only_so_much_is_played_ahead() -> None:
    schedule = trial(test=Sprt(0, 5))
    (first,) = rounds(schedule, [])
    assert len(first.blocks) == WINDOW
    results = play_out(schedule, level, most=2 * 64)
    (then,) = rounds(schedule, results)
    assert len(then.blocks) == 64 + 64 // GROWTH + WINDOW
    assert then.blocks[: len(first.blocks)] == first.blocks


def test_the_others_fill_the_table_equally_often_and_each_table_plays_in_both_directions() -> None:
    schedule = trial(seats=4, others=4, test=Sprt(0, 5))
    blocks = rounds(schedule, play_out(schedule, level, most=4 * 24))[0].blocks[:24]
    seated = Counter(name for block in blocks for name in block.entrants)
    assert (seated["bot00"], seated["bot01"]) == (24, 24)
    assert {seated[name] for name in names(6)[2:]} == {12}
    assert len({block.seed for block in blocks}) == 24
    for one, other in list(pairwise(blocks))[::2]:
        assert one.entrants == other.entrants[::-1]


@pytest.mark.parametrize(("seats", "others"), [(2, 0), (3, 1), (4, 3)])
def test_the_versions_sit_in_each_other_s_seats_while_the_rest_stays(seats: int, others: int) -> None:
    (round_,) = trial(seats, others).rounds()
    for block in round_.blocks:
        seatings = [pairing.seating for pairing in block.pairings()]
        assert len(set(seatings)) == len(seatings) == (2 if seats == 2 else 2 * seats)
        assert len({pairing.id for pairing in block.pairings()}) == len(seatings)
        assert {pairing.seed for pairing in block.pairings()} == {block.seed}
        exchange = {"bot00": "bot01", "bot01": "bot00"}
        assert {tuple(exchange.get(name, name) for name in each) for each in seatings} == set(seatings)
        for seat in range(seats):
            sat = Counter(seating[seat] for seating in seatings)
            assert set(sat.values()) == {len(seatings) // seats}


@pytest.mark.parametrize("stop", [1, 5, 30])
def test_whenever_it_is_stopped_it_goes_on_to_the_same_verdict(stop: int) -> None:  # S040
    schedule = trial(3, 2)
    part = play_out(schedule, by_chance(1), most=stop)
    results = play_out(schedule, by_chance(1), list(part))
    assert results[: len(part)] == part
    assert schedule.stand(results) == schedule.stand(play_out(schedule, by_chance(1)))


def test_who_never_comes_ends_it_undecided() -> None:  # S039
    schedule = trial(3, 2)
    results = play_out(schedule, without("bot02", by_chance(1, gap=3)))
    assert schedule.stand(results).ended
    assert schedule.stand(results).state.verdict is Verdict.UNDECIDED
    assert len(results) <= 6 * WINDOW  # a block of three seats has six games


def test_a_block_with_a_void_game_is_passed_over() -> None:
    schedule = trial()
    spoilt = next(iter(pairings(schedule)))

    def referee(pairing: Pairing) -> Result:
        result = by_chance(1, gap=3)(pairing)
        if pairing != spoilt:
            return result
        return Result(result.game, result.block, result.entrants, (1, 1), ("aborted", "aborted"), result.deal)

    stand = schedule.stand(play_out(schedule, referee))
    assert stand.state.verdict is Verdict.BETTER
    assert len(stand.over) == stand.state.blocks + 1


def test_a_block_that_was_ended_with_another_deal_has_one_score() -> None:
    """As `--retry` does with a half-played block after the secret of its deal was told."""
    schedule = trial()
    results = play_out(schedule, by_chance(1, gap=3))
    two_deals = [replace(result, deal=number) for number, result in enumerate(results)]
    assert schedule.stand(two_deals) == schedule.stand(results)


@pytest.mark.parametrize(
    ("seats", "others", "told"),
    [
        (4, 1, "1 entrants besides bot00 and bot01 cannot fill a table of 4; add entrants or lower seats"),
        (2, 1, "a table of 2 has no seat for bot02; raise seats, or leave out all but bot00 and bot01"),
    ],
)
def test_the_impossible_is_refused_with_a_remedy(seats: int, others: int, told: str) -> None:
    with pytest.raises(ScheduleError, match=told):
        trial(seats, others)


def test_what_workers_played_beyond_the_decision_counts_nowhere(tmp_path: Path) -> None:
    versions = Versions("Ada", "Bo", QUICK)
    what = tournament(tmp_path, playing("Ada"), playing("Bo"), format="sprt", sprt=versions, blocks=100)
    states: list[State] = []
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        run(what, store, workers=8, executor=Here(decided), audience=Audience(test=states.append))
        made = of_tournament(store)
        stored = len(store.ids())
    assert made.tested is not None
    assert made.tested.state == states[-1]
    assert made.tested.state.verdict is Verdict.BETTER
    assert made.rated == len(made.games) == 2 * made.tested.state.blocks
    assert made.tested.beyond == stored - made.rated > 0
    (row,) = [row for row in made.for_programs() if "sprt" in row]
    assert row["name"] == "Ada"
    assert row["sprt"]["verdict"] == "better"
    assert row["sprt"]["lower"] < row["sprt"]["upper"] <= row["sprt"]["llr"]
    boards = StoredBoards([what.folder])
    assert boards.board(*boards.names()).notes[0] == made.tested.sentence


def test_one_worker_plays_only_what_it_was_handed_beyond_the_decision(tmp_path: Path) -> None:
    versions = Versions("Ada", "Bo", QUICK)
    what = tournament(tmp_path, playing("Ada"), playing("Bo"), format="sprt", sprt=versions, blocks=100)
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        run(what, store, executor=Here(decided))
        made = of_tournament(store)
    assert made.tested is not None
    assert made.tested.beyond <= 2 * AHEAD
