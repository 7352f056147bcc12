"""The benchmarks of the wire print what docs/benchmarks.md says; nothing here looks at how fast anything is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from bench import returns
from bench.peers import Child, EchoTable, Exchange, servers, talk
from bench.wire import at_once, echoed, false_timeouts, first_requests, one_game, share


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with servers() as process:
        yield process


def test_echo_moves_the_bytes_of_each_decision(child: Child) -> None:
    times, sizes = one_game(child.arena, 1, views=False)
    assert len(times) == len(sizes) > 50
    assert all(min(size.sent, *size.to) >= 0 and size.to[size.asked] > 100 for size in sizes)
    assert len(echoed(child.echo, sizes)) == len(sizes)


def test_line_to_the_echo_is_as_long_as_the_move_and_names_the_asked_seat_first() -> None:
    line = Exchange(sender=0, asked=2, sent=60, to=(100, 0, 3000, 7)).line()
    assert len(line) == 60
    assert line.split() == [b"2", b"3000", b"0", b"100", b"3", b"7"]


def test_echoes_of_a_table_follow_each_other_to_the_last(child: Child) -> None:
    exchanges = [Exchange(0, 1, 50, (30, 2000)), Exchange(1, 0, 50, (70, 10))]
    table = EchoTable(child.echo, 7, 2, exchanges)
    moments = list(talk(table.seats, table.next(), seconds=1))
    assert [(moment.talker.seat, moment.asked) for moment in moments] == [(0, False), (1, True), (1, False)]
    assert table.number == len(exchanges)
    table.close()


def test_first_request_is_told_for_half_and_for_nearly_all_games() -> None:
    names = [figure.name for figure in first_requests(quick=True)]
    start = "from all seats ready to the first request"
    assert names == [f"{start}, p50", f"{start}, p99"]


def test_games_at_once_are_told_with_their_echo_and_their_cost() -> None:
    figures = {figure.name: figure for figure in at_once(quick=True, games=2)}
    what = "added delay of 2 games at once"
    assert figures[f"{what}, p99"].must == figures[f"{what}, less that of the echo, p99"].must == 20
    assert "echo of the same bytes of 2 games at once, p99" in figures
    assert "waiting for a processor, 2 games at once" in figures
    assert figures["memory per live game with four connections"].must == 1024


def test_false_timeouts_are_counted_in_as_many_decisions_as_asked_for() -> None:
    (figure,) = false_timeouts(20)
    assert (figure.name, figure.unit, figure.must) == ("false timeouts", "", 0)
    assert int(figure.note.split()[1]) >= 20


def test_share_is_a_time_that_occurred() -> None:
    assert share([3.0, 1.0, 2.0], 0.5) == 2.0
    assert share([1.0], 0.99) == 1.0


def test_count_of_nothing_is_refused_in_one_sentence() -> None:
    command = [sys.executable, "-m", "bench.wire", "--games", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "--games and --decisions are counts; give 1 or more" in done.stderr


def test_returns_are_told_for_lost_connections_and_for_ones_that_still_stand() -> None:
    figures = {figure.name: figure for figure in returns.figures(quick=True)}
    name = "from the return of a seat to its request"
    assert list(figures) == [
        f"{name}, {how}, {of}" for how in ("lost", "taken over") for of in ("p50", "p99")
    ]
    assert {(figure.must, figure.aim) for figure in figures.values()} == {(250, 50)}
