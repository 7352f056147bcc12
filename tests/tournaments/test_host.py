"""Games on a host, with programs that behave and programs that do not, over real sockets."""

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from programs import PATIENCE, crashing, gone, marked, pids, playing, tournament

from arena.records import read_record, verify
from arena.server.lag import LagMeter
from clients import bridge, program_log
from tournaments import host as module
from tournaments import worker
from tournaments.config import Tournament
from tournaments.entrants import Entrant
from tournaments.host import Host, NotPlayed, NotStarted, last_words, record_of, stored
from tournaments.schedules import Pairing, pairings
from tournaments.store import Played


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)
    monkeypatch.setattr(bridge, "TERM", 0.2)


def games(what: Tournament) -> list[Pairing]:
    return list(pairings(what.schedule()))


async def play(what: Tournament, count: int = 2) -> list[Played]:
    """The first games, on one host."""
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            return [await host.play(pairing) for pairing in games(what)[:count]]


async def refusal(what: Tournament) -> str:
    """Why the first game could not be started."""
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            with pytest.raises(NotStarted) as caught:
                await host.play(games(what)[0])
    assert stored(what, games(what)[0]) is None
    return str(caught.value)


@pytest.mark.trio
async def test_game_is_played_and_its_record_is_sound(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    first, second = await play(what)
    assert first.entrants == second.entrants[::-1]
    assert first.reasons == ("normal", "normal")
    record = read_record(what.folder / first.record)
    verify(record)
    assert record.header.tags == {"tournament": "test", "block": first.block}


@pytest.mark.trio
async def test_shipped_bot_plays(tmp_path: Path) -> None:
    what = tournament(tmp_path, Entrant("Ada", bot="random"), playing("Bo"))
    (played,) = await play(what, 1)
    assert played.reasons == ("normal", "normal")


@pytest.mark.trio
async def test_finished_game_is_taken_over_without_any_program(tmp_path: Path) -> None:  # S041
    played = await play(tournament(tmp_path, playing("Ada"), playing("Bo")))
    missing = tournament(tmp_path, Entrant("Ada", command=("no",)), Entrant("Bo", command=("no",)))
    assert await play(missing) == [replace(each, ends=()) for each in played]


@pytest.mark.trio
@pytest.mark.parametrize("kept", [0, 1, 5, 0.5, -1])
async def test_broken_off_record_is_set_aside_and_the_game_played_again(
    tmp_path: Path, kept: int | float
) -> None:  # S041
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    path = record_of(what, games(what)[0])
    (whole,) = await play(what, 1)
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    cut = data[: len(data) // 2] if kept == 0.5 else b"".join(lines[: int(kept)])
    path.write_bytes(cut)
    (again,) = await play(what, 1)
    assert (again.id, again.places) == (whole.id, whole.places)
    assert path.with_suffix(".broken-1").read_bytes() == cut


@pytest.mark.trio
async def test_record_of_another_deal_is_not_taken_over(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    other = tournament(tmp_path, playing("Ada"), playing("Bo"), seed=2)
    await play(other, 1)
    record_of(other, games(other)[0]).rename(record_of(what, games(what)[0]))
    assert stored(what, games(what)[0]) is None


@pytest.mark.trio
async def test_games_are_broken_off_without_fault_when_the_host_is_left(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    os.mkfifo(asked)
    thinking = marked("Bo", tmp_path / "pids", each=f'echo asked > "{asked}"; read -r more')
    what = tournament(tmp_path, playing("Ada"), thinking)
    with trio.fail_after(PATIENCE), trio.CancelScope() as scope:
        async with Host.open(what, "x") as host, trio.open_nursery() as nursery:
            nursery.start_soon(host.play, games(what)[0])
            await trio.to_thread.run_sync(asked.read_text)
            scope.cancel()
    record = read_record(record_of(what, games(what)[0]))
    assert record.result is None or {reason.value for reason in record.result.reasons} == {"aborted"}
    (pid,) = pids(tmp_path / "pids")
    await gone(pid)


# Programs that do not come


@pytest.mark.trio
async def test_command_that_does_not_exist_is_named(tmp_path: Path) -> None:  # S039
    told = await refusal(tournament(tmp_path, playing("Ada"), Entrant("Bo", command=("./my bot",))))
    assert told == "Bo did not come: ./my bot cannot be started: No such file or directory"


@pytest.mark.trio
async def test_program_that_ends_at_once_has_no_result_and_costs_nobody_one(
    tmp_path: Path,
) -> None:  # S039, S058
    what = tournament(tmp_path, playing("Ada"), playing("Bo", first="echo no engine here >&2; exit 3"))
    told = await refusal(what)
    assert told.startswith(("Bo did not come: ", "Bo made no move: "))
    assert "sh ended with exit code 3" in told
    log = Path(told.rpartition("its log is ")[2])
    assert "no engine here" in log.read_text()


@pytest.mark.trio
async def test_program_that_ends_before_its_first_answer_has_no_result(tmp_path: Path) -> None:  # S058
    told = await refusal(tournament(tmp_path, playing("Ada"), crashing("Bo", 1)))
    assert told.startswith("Bo made no move: sh ended with exit code 3")


@pytest.mark.trio
async def test_bot_that_does_not_log_in_in_time_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # S039
    """Nor is it waited for when the host is left."""
    what = tournament(tmp_path, playing("Ada"), Entrant("Bo", bot="random"))
    monkeypatch.setattr(module, "GOODBYE", 2 * PATIENCE)
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            await host.call(["Ada"])
            monkeypatch.setattr(module, "LOGIN", 0.05)
            with pytest.raises(
                NotStarted, match=r"Bo did not come: its program did not log in within 0\.05 s"
            ):
                await host.play(games(what)[0])


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (b"", ""),
        (b"[Bo: ended]\n\n", ""),
        (b"first\nlast \n[Bo: ended]\n", "last"),
        (b"\xff\x1b[2J\n", "\ufffd\\x1b[2J"),
        (b"x" * 9000, "x" * 200),
    ],
)
def test_last_words_of_a_program_are_told_so_that_they_do_no_harm(
    tmp_path: Path, log: bytes, told: str
) -> None:
    (tmp_path / "log").write_bytes(log)
    assert last_words(tmp_path / "log", "[Bo: ") == told
    assert last_words(tmp_path / "none", "[Bo: ") == ""


@pytest.mark.trio
async def test_all_who_do_not_come_to_a_table_are_named(tmp_path: Path) -> None:  # S039
    what = tournament(tmp_path, playing("Ada", first="exit 3"), playing("Bo", first="exit 4"))
    with trio.fail_after(PATIENCE):
        _, problems = await worker._play_block(what, games(what)[:2])
    assert sorted(problem.absent for problem in problems) == ["Ada", "Bo"]


# Programs that fail


@pytest.mark.trio
async def test_crash_in_a_game_loses_it_and_the_code_is_in_the_result(tmp_path: Path) -> None:  # S049, S058
    what = tournament(tmp_path, playing("Ada"), crashing("Bo", 4))
    (played,) = await play(what, 1)
    seat = played.entrants.index("Bo")
    assert played.reasons[seat] == "crash"
    assert played.ends[seat] == "sh ended with exit code 3"
    assert played.places[seat] == 2
    assert played.result().points() == {"Ada": 1.0, "Bo": 0.0}
    assert played.reasons[1 - seat] == "normal"
    assert played.ends[1 - seat] == ""


@pytest.mark.trio
async def test_game_that_nobody_plays_any_more_is_told_with_the_reasons(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada", each="echo x"), playing("Bo", each="echo y"))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            with pytest.raises(NotPlayed, match=r"all its seats were retired \(illegal, illegal\)"):
                await host.play(games(what)[0])


@pytest.mark.trio
async def test_program_that_crashed_is_started_again_for_its_next_game(tmp_path: Path) -> None:  # S058
    what = tournament(tmp_path, playing("Ada"), crashing("Bo", 4))
    for played in await play(what):
        assert sorted(played.reasons) == ["crash", "normal"]


@pytest.mark.trio
async def test_crash_before_the_first_answer_counts_once_the_program_has_played(tmp_path: Path) -> None:
    """Else a program could choose its deals by ending when it sees its cards."""
    file = tmp_path / "second"
    first = f'[ -e "{file}" ] && n=1; touch "{file}"'
    each = 'n=$((n+1)); [ "$n" = 4 ] && exit 3; [ "$n" = 2 ] && [ "$second" ] && exit 3; echo 0'
    bo = playing("Bo", first=f"n=0; second=; {first}; [ $n = 1 ] && second=1", each=each)
    first_game, second_game = await play(tournament(tmp_path, playing("Ada"), bo))
    assert sorted(first_game.reasons) == sorted(second_game.reasons) == ["crash", "normal"]


@pytest.mark.trio
async def test_program_that_ignores_goodbye_and_sigterm_is_killed(tmp_path: Path) -> None:  # S059
    stubborn = marked(
        "Bo", tmp_path / "pids", last='trap "" TERM; while :; do read -r x </dev/null; sleep 60; done'
    )
    await play(tournament(tmp_path, playing("Ada"), stubborn))
    (pid,) = pids(tmp_path / "pids")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.trio
async def test_ten_megabytes_on_stderr_slow_nothing_and_are_cut(tmp_path: Path) -> None:  # S055
    noise = "head -c 10000000 /dev/zero | tr '\\0' x >&2"
    what = tournament(tmp_path, playing("Ada"), playing("Bo", first=noise))
    for played in await play(what):
        assert played.reasons == ("normal", "normal")
    (log,) = (what.folder / module.LOGS).rglob("*.log")
    assert log.stat().st_size <= program_log.HEAD + program_log.TAIL + 100


@pytest.mark.trio
async def test_blank_in_a_path_starts_the_right_program(tmp_path: Path) -> None:  # S057
    for name, command in {"my": "exit 3", "my bot/run": " ".join(playing("x").command[2:3])}.items():
        path = tmp_path / "bots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name != "my":
            path.write_text(f"#!/bin/sh\n{command}")
            path.chmod(0o755)
    what = tournament(tmp_path, playing("Ada"), Entrant("my bot", command=("./bots/my bot/run",)))
    (played,) = await play(what, 1)
    assert played.reasons == ("normal", "normal")


@pytest.mark.trio
async def test_there_are_no_more_programs_than_seats(tmp_path: Path) -> None:  # S034
    """Each program counts those that live when it starts, itself included."""
    live = tmp_path / "live"
    live.mkdir()
    count = f'touch "{live}/$$"; ls "{live}" | wc -l >> "{tmp_path}/counts"'
    leave = f'rm "{live}/$$"'
    names = ("Ada", "Bo", "Cy", "Dee")
    what = tournament(tmp_path, *(playing(name, first=count, last=leave) for name in names), seats=3)
    for block in range(4):
        with trio.fail_after(PATIENCE):
            async with Host.open(what, str(block)) as host:
                await host.play(games(what)[3 * block])
    counts = [int(line) for line in (tmp_path / "counts").read_text().split()]
    assert len(counts) == 12
    assert max(counts) == 3


@pytest.mark.trio
async def test_game_that_cannot_be_recorded_is_not_played_and_stops_the_run(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    what.folder.mkdir()
    (what.folder / module.GAMES).write_text("no folder")
    async with Host.open(what, "x") as host:
        with trio.fail_after(PATIENCE), pytest.raises(NotPlayed, match="cannot be recorded"):
            await host.play(games(what)[0])
        results, problems = await worker.play_through(host, games(what)[:1])
    assert results == []
    assert [problem.stops for problem in problems] == [True]


@pytest.mark.trio
async def test_record_that_fails_in_mid_game_stops_the_run_and_the_game_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    pairing, *_ = games(what)
    write, limit = os.write, 4000  # bytes of a file, as `ulimit -f` sets it

    def limited(fd: int, data: bytes) -> int:
        if stat.S_ISREG((status := os.fstat(fd)).st_mode) and status.st_size + len(data) > limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return write(fd, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", limited)
        results, problems = await played_through(what, pairing)
    assert (results, [problem.stops for problem in problems]) == ([], [True])
    assert "cannot be written: File too large; make room and start again" in problems[0].text
    results, problems = await played_through(what, pairing)
    assert ([each.id for each in results], problems) == ([pairing.id], [])


async def played_through(what: Tournament, pairing: Pairing) -> worker.Outcome:
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host:
            return await worker.play_through(host, [pairing])


@pytest.mark.parametrize("bad", ["logs", "logs/BLOCK", "logs/BLOCK/001-Ada.log"])
def test_log_that_cannot_be_written_is_no_fault_of_the_program_and_stops_the_run(
    tmp_path: Path, bad: str
) -> None:
    what = tournament(tmp_path, playing("Ada", first="echo hello >&2"), playing("Bo"))
    pairing, *_ = games(what)
    path = what.folder / bad.replace("BLOCK", pairing.block)
    path.parent.mkdir(parents=True)
    if path.suffix:
        path.symlink_to("/dev/full")
    else:
        path.touch()
    results, problems = worker.play_block(what, [pairing])
    assert (results, [(problem.absent, problem.stops) for problem in problems]) == ([], [("", True)])
    assert str(path) in problems[0].text


@pytest.mark.trio
async def test_strangers_cannot_take_the_name_of_an_entrant(tmp_path: Path) -> None:  # S077
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x", only_tokens=False) as host:
            await host.call(["Ada"])
            assert not host.server.clients.is_free("ada")


@pytest.mark.trio
@pytest.mark.parametrize(("stalls", "rounds", "still"), [([True, False], 2, False), ([True] * 6, 3, True)])
async def test_block_in_which_the_machine_stood_still_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stalls: list[bool], rounds: int, still: bool
) -> None:  # S033
    """One answer for each game of two; after two replays the block counts as it is."""
    answers = iter(stalls)
    monkeypatch.setattr(LagMeter, "stalled_since", lambda *_: next(answers, False))
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    block = games(what)[:2]
    with trio.fail_after(PATIENCE):
        results, problems = await worker._play_block(what, block)
    assert [played.id for played in results] == [pairing.id for pairing in block]
    assert not problems
    for pairing in block:
        record = read_record(record_of(what, pairing))
        assert record.result is not None
        assert record.result.suspect is still
        verify(record)
        assert len(list(what.folder.glob(f"games/{pairing.id}.broken-*"))) == rounds - 1


@pytest.mark.trio
@pytest.mark.parametrize("stalled", [True, False])
async def test_program_that_did_not_come_is_called_again_only_if_the_machine_stood_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stalled: bool
) -> None:  # S033, S039
    answers = iter([stalled])
    monkeypatch.setattr(LagMeter, "stalled_since", lambda *_: next(answers, False))
    bo = playing("Bo", first=f'mkdir "{tmp_path}/second" 2>/dev/null && exit 3')
    what = tournament(tmp_path, playing("Ada"), bo)
    with trio.fail_after(PATIENCE):
        results, problems = await worker._play_block(what, games(what)[:2])
    assert len(results) == (2 if stalled else 0)
    assert [problem.absent for problem in problems] == ([] if stalled else ["Bo"])


# How programs are started


@pytest.mark.trio
async def test_command_has_its_folder_environment_limits_and_wrapper(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    note = f'{{ pwd; echo "$THREADS $WRAPPED"; ulimit -v; ulimit -S -t; ulimit -H -t; }} > "{tmp_path}/seen"'
    ada = replace(
        playing("Ada", first=note),
        folder="bots",
        environment=(("THREADS", "3 x"),),
        memory=500,
        cpu=77,
        wrapper=("env", "WRAPPED=yes"),
    )
    (played,) = await play(tournament(tmp_path, ada, playing("Bo")), 1)
    assert played.reasons == ("normal", "normal")
    assert (tmp_path / "seen").read_text().split("\n") == [
        str(tmp_path / "bots"),
        "3 x yes",
        str(500 * 1024),
        "77",
        "78",
        "",
    ]


@pytest.mark.trio
async def test_program_that_takes_too_much_memory_fails_alone(tmp_path: Path) -> None:
    greedy = f"{sys.executable} -c 'print(len(bytes(900_000_000)))' || exit 9"
    bo = replace(playing("Bo", first=greedy), memory=600)
    told = await refusal(tournament(tmp_path, playing("Ada"), bo))
    assert "sh ended with exit code 9" in told
    assert "MemoryError" in Path(told.rpartition("its log is ")[2]).read_text()


@pytest.mark.trio
async def test_program_that_says_when_it_is_ready_is_waited_for(tmp_path: Path) -> None:  # S007
    """Its reading is held up until the other has long been there; its clock has not run."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    ada = replace(playing("Ada", first=f'read -r go < "{gate}"; echo ready'), start=PATIENCE)
    what = tournament(tmp_path, ada, playing("Bo"))
    with trio.fail_after(PATIENCE):
        async with Host.open(what, "x") as host, trio.open_nursery() as nursery:
            nursery.start_soon(host.play, games(what)[0])
            await host.server.clients.next_login()  # that of Bo
            assert not host.server.games
            await trio.to_thread.run_sync(gate.write_text, "go\n")
    record = read_record(record_of(what, games(what)[0]))
    assert record.result is not None
    assert {reason.value for reason in record.result.reasons} == {"normal"}


@pytest.mark.trio
async def test_program_that_is_not_ready_in_time_is_named(tmp_path: Path) -> None:  # S007, S039
    bo = replace(playing("Bo"), start=0.1)
    told = await refusal(tournament(tmp_path, playing("Ada"), bo))
    assert told.startswith("Bo did not come: sh wrote no first line within 0.1 s of its start")


@pytest.mark.trio
async def test_limited_command_that_does_not_exist_is_told(tmp_path: Path) -> None:
    bo = Entrant("Bo", command=("./none",), memory=100)
    told = await refusal(tournament(tmp_path, playing("Ada"), bo))
    assert "./none ended with exit code 127" in told
