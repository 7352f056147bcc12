"""`arena tournament` as an organiser meets it: whole runs as processes, and what ends them."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tournaments.run
from arena.cli import main
from arena.cli.tournament import read, resuming
from arena.records import Record, read_record, verify
from clients import bridge
from tournaments.deals import SECRET, are_over, commitment, release, salt, secrets_of
from tournaments.host import GOODBYE
from tournaments.run import start_progress
from tournaments.schedules import pairings
from tournaments.store import Played, Store, claim
from tournaments.worker import LAST_WORDS

SOON = (
    5.0  # seconds that a stopped run may wait for programs (S056); a busy machine takes its own time on top
)
PATIENCE = 60.0  # seconds; then the test fails. Games that hang would take longer
ARENA = [sys.executable, "-m", "arena"]

PROGRAM = """#!/bin/sh
echo $$ >> "{pids}"
{first}
sleep 1000 <&- >&- 2>&- &
exec "{python}" -SEc '
import os, sys, time
for line in sys.stdin:
    if "\\"type\\":\\"request\\"" in line:
        while os.path.exists("hang"):
            time.sleep(1)
        print(0, flush=True)
'
"""
"""Plays, and has a child of its own, which must not be left either. While there is a file `hang` it does nothing."""

PLAYER = """while read -r line; do case $line in *'"type":"request"'*) echo 0 ;; esac; done"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tournament of three programs, of 12 games."""
    for number, first in (("1", ""), ("2", ""), ("3", "trap '' TERM")):
        program = tmp_path / "my bots" / number
        program.parent.mkdir(exist_ok=True)
        program.write_text(PROGRAM.format(pids=tmp_path / "pids", first=first, python=sys.executable))
        program.chmod(0o755)
    entrants = "\n".join(
        f'[[entrant]]\nname = "{name}"\ncommand = ["./my bots/{number}"]'
        for number, name in enumerate(("Ada", "Bo", "Cy"), 1)
    )
    text = f'[tournament]\nname = "spring"\nseats = 2\nblocks = 2\nfolder = "out"\n{entrants}\n'
    (tmp_path / "spring cup.toml").write_text(text)
    return tmp_path


def call(*words: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, ["tournament", *words])


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process with a group of its own, as in a terminal."""
    process = subprocess.Popen(
        [*ARENA, "tournament", "run", "spring cup.toml", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[str], word: str) -> str:
    """The next line on its stderr that has this word."""
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            return line
    raise AssertionError(f"it ended without {word}")


def programs(folder: Path) -> list[int]:
    """The processes of programs that have been started, as far as they live, and their children."""
    roots = {int(line) for line in (folder / "pids").read_text().split()}
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            state, session = (
                fields[0],
                int(fields[3]),
            )  # each program leads a session, which its children share
            if state != "Z" and session in roots:
                found.append(int(entry.name))
    return found


def wait_for_end(pids: list[int]) -> None:
    """Wait until these have ended."""
    for pid in pids:
        try:
            file = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ready, _, _ = select.select([file], [], [], PATIENCE)
        os.close(file)
        assert ready, f"process {pid} is still there"


def games(folder: Path) -> list[Played]:
    with closing(Store(folder / "out")) as store:
        return list(store.games())


def check_whole(folder: Path, total: int = 12) -> None:
    """Schedule, index and records hold the same games."""
    played = games(folder)
    scheduled = {pairing.id for pairing in pairings(read(folder / "spring cup.toml").schedule())}
    assert {each.id for each in played} == scheduled
    assert len(played) == len(scheduled) == total
    for each in played:
        record = read_record(folder / "out" / each.record)
        verify(record)
        assert record.result is not None
        assert record.result.places == each.places


# Whatever stops it


def test_killed_run_has_lost_nothing_that_was_told_and_goes_on(folder: Path) -> None:  # S040, S041, S056
    with running(folder) as process:
        assert read_until(process, "playing") == "playing 12 games\n"
        read_until(process, "game 3 of 12")
        (folder / "hang").touch()
        while not (left := programs(folder)):  # between two blocks there are none
            assert process.poll() is None
        process.kill()
        wait_for_end(left)
    (folder / "hang").unlink()
    stored = len(games(folder))
    assert stored >= 3
    assert not are_over(folder / "out")
    done = call("run", str(folder / "spring cup.toml"))
    assert done.exit_code == 0, done.stderr
    told = [line.split(":")[0] for line in done.stderr.splitlines() if line.startswith("game")]
    assert told == [f"game {number} of 12" for number in range(stored + 1, 13)]
    assert programs(folder) == []
    assert are_over(folder / "out")
    check_whole(folder)


@pytest.mark.parametrize(
    ("signals", "code", "options"),
    [(["INT"], 130, ["--workers", "2"]), (["INT", "INT"], 130, []), (["TERM"], 143, [])],
    ids=["once", "twice", "term"],
)
def test_stopped_run_leaves_no_process_and_tells_how_to_go_on(
    folder: Path, signals: list[str], code: int, options: list[str]
) -> None:  # S043, S056
    with running(folder, *options) as process:
        read_until(process, "game 1 of 12")
        if signals == ["TERM"]:
            (folder / "hang").touch()  # so that nothing which is played comes to its end
        for name in signals:
            os.killpg(process.pid, getattr(signal, f"SIG{name}"))  # as a terminal does, to the workers too
            if name != signals[-1]:
                read_until(process, "stopping")
        _, told = process.communicate(timeout=PATIENCE)
        assert process.returncode == code
        assert programs(folder) == []
    assert "Traceback" not in told
    last = told.splitlines()[-1]
    assert shlex.split(last) == [*ARENA, "tournament", "run", *options, "spring cup.toml"]
    if signals == ["INT"]:
        with running_again(folder, last) as process:
            assert "games are stored; going on" in read_until(process, "stored")
            read_until(process, "game ")


def test_stop_waits_for_programs_no_longer_than_is_told() -> None:  # S056
    """The steps in which a host ends them; a worker that is not done by then is ended itself."""
    ladder = 2 * bridge.LAST_WORDS + bridge.TERM
    assert max(GOODBYE, ladder) + 1 <= SOON < LAST_WORDS


@contextmanager
def running_again(folder: Path, command: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        ["sh", "-c", f"exec {command}"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
        wait_for_end(programs(folder))


def test_worker_that_is_killed_is_replaced(folder: Path) -> None:
    with running(folder) as process:
        read_until(process, "game 1 of 12")
        os.kill(worker_of(process.pid), signal.SIGKILL)
        read_until(process, "game 6 of 12")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    for pid in programs(folder):  # children of programs whose worker could not end them
        os.kill(pid, signal.SIGKILL)


def worker_of(pid: int) -> int:
    """The process that plays blocks for this one: its youngest child."""
    return max(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


STOPPER = """#!/bin/sh
# In mid-game the runner is stopped for longer than a move may take, and later its worker, too.
read -r _ _ _ runner _ < /proc/$PPID/stat
asked=0
while read -r line; do
    case $line in *'"type":"request"'*)
        asked=$((asked+1))
        stopped=""
        [ $asked = 5 ] && mkdir once 2>/dev/null && stopped="$runner"
        [ $asked = 9 ] && mkdir twice 2>/dev/null && stopped="$runner $PPID"
        if [ "$stopped" ]; then
            (sleep 2.5; kill -CONT $stopped) < /dev/null > /dev/null &
            kill -STOP $stopped
        fi
        echo 0 ;;
    esac
done
"""


def test_run_that_is_stopped_and_continued_charges_nobody_and_plays_the_block_again(
    tmp_path: Path,
) -> None:  # S033
    (tmp_path / "stopper.sh").write_text(STOPPER)
    entrants = "".join(f'[[entrant]]\nname = "{name}"\ncommand = ["sh", "stopper.sh"]\n' for name in "AB")
    text = f'[tournament]\nseats = 2\nblocks = 2\nfolder = "out"\n[clock]\nmove = 2\nbank = 0\n{entrants}'
    (tmp_path / "spring cup.toml").write_text(text)
    with running(tmp_path) as process:
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told
    assert (tmp_path / "twice").exists()
    assert "block-played-again" in told
    assert [line.split(":")[0] for line in told.splitlines() if line.startswith("game ")] == [
        f"game {number} of 4" for number in range(1, 5)
    ]
    check_whole(tmp_path, 4)
    records = {path: read_record(path) for path in (tmp_path / "out" / "games").iterdir()}
    assert any(path.suffix != ".jsonl" and is_suspect(record) for path, record in records.items())
    for record in records.values():
        assert all(choice.fault is None for choice in record.choices)


def is_suspect(record: Record) -> bool:
    return record.result is not None and record.result.suspect


def test_programs_that_all_crash_at_their_start_are_named_with_their_last_words(
    tmp_path: Path,
) -> None:  # S039
    (tmp_path / "player.sh").write_text('echo loading >&2; echo "no <$0> here" >&2; exit 3')
    entrants = "".join(
        f'[[entrant]]\nname = "{name}"\ncommand = ["sh", "-c", ". ./player.sh", "{name}.net"]\n'
        for name in ("Ada", "Bo")
    )
    file = tmp_path / "spring cup.toml"
    file.write_text(f'[tournament]\nseats = 2\nfolder = "out"\n{entrants}')
    result = call("run", str(file), "--json")
    assert result.exit_code == 1
    rows = {row["name"]: row["unplayed"] for row in json.loads(result.stdout)}
    page = (tmp_path / "out" / "report.html").read_text()
    for name, row in rows.items():
        why = f"{name} did not come: sh ended with exit code 3; its last line on stderr: no <{name}.net> here; its log"
        assert row["games"] == 2
        assert row["why"].startswith(f"{why} is logs/")
        assert f"not played: {why} is {tmp_path}/out/logs/" in result.stderr
        assert f"note: 2 games of {name} could not be played in the last run: {why}" in result.stderr
        assert escape(why) in page
    assert str(tmp_path) not in page
    assert set(rows) == {"Ada", "Bo"}


# One folder


def test_second_runner_is_refused(folder: Path) -> None:
    with claim(folder / "out"):
        result = call("run", str(folder / "spring cup.toml"))
    assert result.exit_code == 1
    assert f"is being run already, by process {os.getpid()}" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_results_of_another_tournament_are_not_mixed_in(folder: Path) -> None:
    file = folder / "spring cup.toml"
    with Store(folder / "out") as store:
        store.belongs_to(replace(read(file), secrets=secrets_of(store)).settings())
    file.write_text(file.read_text().replace("blocks = 2", "blocks = 2\nseed = 7"))
    result = call("run", str(file))
    assert result.exit_code == 1
    assert (
        "out holds the results of a tournament with seed 1, and this one says 7; change it" in result.stderr
    )


def test_run_without_the_secret_of_its_deals_says_only_that(folder: Path) -> None:
    file = folder / "spring cup.toml"
    with Store(folder / "out") as store:
        store.belongs_to(replace(read(file), secrets=secrets_of(store)).settings())
    (folder / "out" / SECRET).unlink()
    result = call("run", str(file))
    assert result.exit_code == 1
    assert f"{SECRET} is missing" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (folder / "out" / SECRET).exists()


@pytest.mark.parametrize("told", [True, False])
def test_secret_that_may_have_been_told_deals_nothing_new(tmp_path: Path, told: bool) -> None:
    file = tmp_path / "two.toml"
    command = json.dumps(["sh", "-c", PLAYER])
    entrants = "".join(f'[[entrant]]\nname = "{name}"\ncommand = {command}\n' for name in ("Ada", "Bo"))
    file.write_text(f'[tournament]\nblocks = 1\nfolder = "out"\n{entrants}')
    with Store(tmp_path / "out") as store:
        what = replace(read(file), secrets=secrets_of(store))
        store.belongs_to(what.settings())
        (what.folder / "games").mkdir()
        (what.folder / "games" / "x").touch()
        for each in pairings(what.schedule()):
            seats, reasons = each.seating, ("normal", "normal")
            store.add(Played(each.id, each.block, each.seed, seats, (1, 2), (9, 0), reasons, "games/x"))
    if told:
        release(what.folder)
        assert call("run", str(file)).exit_code == 0
        assert (what.folder / SECRET).read_text().split() == list(what.secrets)  # there was nothing to play
    file.write_text(file.read_text().replace("blocks = 1", "blocks = 2"))
    result = call("run", str(file), "--quiet")
    assert result.exit_code == 0, result.stderr
    now = tuple((what.folder / SECRET).read_text().split())
    assert now[:-1] == what.secrets if told else now == what.secrets
    assert all(commitment(secret) in result.stderr for secret in now)
    deals = {pairing.id: pairing.seed for pairing in pairings(replace(read(file), secrets=now).schedule())}
    records = [read_record(path) for path in (what.folder / "games").glob("*.jsonl")]
    assert len(records) == 2
    for record in records:
        assert (record.header.seed, record.header.salt) == (
            deals[record.header.game],
            salt(now[-1], record.header.seed),
        )
    with Store(what.folder) as store:
        assert {played.deal for played in store.games()} > {record.header.seed for record in records}
    assert are_over(what.folder)


def test_secret_is_not_told_while_games_are_missing_of_which_the_run_says_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments.run, "run", lambda what, store, **more: start_progress(what, store))
    result = call("run", str(folder / "spring cup.toml"))
    assert result.exit_code == 1
    assert "0 of 12 games are played" in result.stderr
    assert "all is played" not in result.stderr
    assert not are_over(folder / "out")


# Calls


@pytest.mark.parametrize("command", ["run", "standings"])
def test_help_tells_the_exit_codes(command: str) -> None:
    assert "Exit code: 0" in call(command, "--help").stdout


@pytest.mark.parametrize("value", ["5x", "2,5", "0", "-1", "257", "1e1", ""])
def test_number_with_junk_is_refused_by_its_option(folder: Path, value: str) -> None:  # S060
    result = call("run", str(folder / "spring cup.toml"), "--workers", value)
    assert result.exit_code == 2
    assert "--workers" in result.stderr


@pytest.mark.parametrize("name", ["none.toml", ".", "~nobody-of-this-name/x.toml"])
def test_wrong_file_is_one_sentence(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:  # S061
    monkeypatch.chdir(folder)
    result = call("run", name)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert not (folder / "out").exists()


def test_command_that_is_not_there_starts_and_writes_nothing(folder: Path) -> None:
    (folder / "my bots" / "3").unlink()
    before = sorted(folder.rglob("*"))
    file = folder / "spring cup.toml"
    result = call("run", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f'Error: {file}, line 14: entrant 3.command: there is no program "./my bots/3" in {folder};'
        " give one that is there\n"
    )
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (f"{Path(__file__).parent}/__main__.py", [sys.executable, "-m", "arena"]),
        ("/no/such/folder/arena", ["/no/such/folder/arena"]),
    ],
)
def test_command_to_go_on_is_the_one_that_was_called(
    monkeypatch: pytest.MonkeyPatch, program: str, words: list[str]
) -> None:  # S043
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setenv("PATH", "")
    again = resuming(Path("-my cup.toml"), 3, "tcp://x:1", Path("my out"), True, True, retry=True)
    assert shlex.split(again) == [
        *words,
        "tournament",
        "run",
        "--workers",
        "3",
        "--cluster",
        "tcp://x:1",
        "--folder",
        "my out",
        "--retry",
        "--json",
        "--quiet",
        "--",
        "-my cup.toml",
    ]


# Standings
