"""The runner killed with SIGKILL at random points: nothing lost, nothing doubled, records = index = table."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.tournament import read
from arena.records import RecordError, read_record, verify
from tournaments.host import of_record
from tournaments.reindex import reindex
from tournaments.schedules import missing
from tournaments.store import GAMES, Store, claim

PATIENCE = 120.0  # seconds; then the test fails
LATEST = 4.0  # seconds after the first word of a run at which it is killed
PLAYER = """import sys
for line in sys.stdin:
    if '"type":"request"' in line:
        print(0, flush=True)
"""


def prepare(folder: Path, number: int, format: str, names: str) -> Path:
    """A tournament of small programs."""
    command = [sys.executable, "-SE", "player.py"]
    entrants = "".join(f'[[entrant]]\nname = "{name}"\ncommand = {json.dumps(command)}\n' for name in names)
    (folder / "player.py").write_text(PLAYER)
    file = folder / f"cup{number}.toml"
    file.write_text(
        f'[tournament]\nformat = "{format}"\nseats = 2\nblocks = 2\nfolder = "out{number}"\n{entrants}'
    )
    return file


def start(file: Path, workers: int = 2) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "arena", "tournament", "run", file.name, "--workers", str(workers)],
        cwd=file.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def call(*words: object) -> Result:
    """A command in this process."""
    return CliRunner().invoke(main, list(map(str, words)))


def play(file: Path) -> str:
    """Run to the end, in this process and a worker; what is told."""
    result = call("tournament", "run", file)
    assert result.exit_code == 0, result.stderr
    return result.stderr


def told_games(text: str) -> int:
    return sum(line.startswith("game ") for line in text.splitlines())


def check_sound(file: Path, told: int) -> bool:
    """Every result that was told is in the index, each once, and in a sound record; is all played?"""
    what = read(file)
    with claim(what.folder), Store(what.folder) as store:  # which waits for the workers to be gone
        games = list(store.games())
        done = not list(missing(what.schedule(), store.ids(), [played.result() for played in games]))
    assert len(games) >= told
    assert len({played.id for played in games}) == len(games)
    for played in games:
        record = read_record(what.folder / played.record)
        assert record.result is not None
        assert (record.header.seats, record.result.places) == (played.entrants, played.places)
    return done


def check_whole(file: Path) -> None:
    """At the end, records, index and table hold the same games."""
    what = read(file)
    with Store(what.folder) as store:
        index = {played.id: played.places for played in store.games()}
    records = {}
    for path in (what.folder / GAMES).glob("*.jsonl"):
        with suppress(RecordError):
            record = read_record(path)
            verify(record)
            played = of_record(record, path.name)
            if played is not None:
                records[played.id] = played.places
    assert records == index
    table = json.loads(call("tournament", "standings", what.folder, "--json").stdout)
    assert sum(row["games"] for row in table) == 2 * len(index)
    with claim(what.folder):
        assert reindex(what.folder).results == len(index)
    with Store(what.folder) as store:
        assert {played.id: played.places for played in store.games()} == index


def kill_at_random(folder: Path, kills: int, seed: int, names: str = "ABCD") -> None:
    """Start a run, kill it a while after its first word, and start it again, until so many were killed."""
    random = Random(seed)
    done = 0
    number = 0
    while done < kills:
        number += 1
        file = prepare(folder, number, random.choice(("round-robin", "double-knockout", "swiss")), names)
        told = 0
        finished = False
        while not finished:
            process = start(file)
            try:
                _, text = process.communicate(
                    timeout=random.uniform(0.3, LATEST) if done < kills else PATIENCE
                )
            except subprocess.TimeoutExpired:
                process.kill()
                _, text = process.communicate()
                done += 1
            else:
                assert process.returncode == 0, text
            told += told_games(text)
            finished = (folder / f"out{number}").exists() and check_sound(file, told)
        check_whole(file)


def test_runner_that_is_killed_three_times_loses_and_doubles_nothing(tmp_path: Path) -> None:  # S040, S041
    kill_at_random(tmp_path, 3, seed=1, names="AB")


def test_trial_that_is_killed_comes_to_its_verdict(tmp_path: Path) -> None:  # S040, S041
    """Players who do the same share the points of each deal: after five of them 200 Elo are ruled out."""
    file = prepare(tmp_path, 1, "sprt", "AB")
    file.write_text(file.read_text().replace("blocks = 2", "blocks = 8") + "[sprt]\nelo1 = 200\n")
    process = start(file, workers=1)
    assert process.stderr is not None
    told = ""
    while not told.startswith("game 3"):
        told = process.stderr.readline()
        assert told, "it ended before it was killed"
    process.kill()
    process.communicate()
    text = play(file)
    assert "undecided" not in text
    assert "SPRT: LLR -2.96 between -2.94 and +2.94 after 5 blocks" in text
    first, *_ = json.loads(call("tournament", "standings", tmp_path / "out1", "--json").stdout)
    assert (first["sprt"]["verdict"], first["sprt"]["blocks"], first["games"]) == ("not better", 5, 10)


def test_trial_without_a_verdict_says_so_and_how_it_goes_on(tmp_path: Path) -> None:
    """What a kill has left of a game that is not needed any more is set aside by the next run."""
    file = prepare(tmp_path, 1, "sprt", "AB")
    words = "undecided after 2 blocks, the most that the file allows; with a larger tournament.blocks"
    assert words in play(file)
    games = tmp_path / "out1" / "games"
    first, *_ = sorted(games.glob("*.jsonl"))
    beyond = games / "beyond.jsonl"
    beyond.write_bytes(b"".join(first.read_bytes().splitlines(keepends=True)[:9]))
    assert "set aside as broken off: 1 record" in play(file)
    assert (games / "beyond.broken-1").exists()
    assert call("verify", *games.glob("*.jsonl")).exit_code == 0


def test_ladder_whose_index_is_lost_plays_no_game_again(tmp_path: Path) -> None:  # S040
    """What it chooses depends on the results that it knows."""
    file = prepare(tmp_path, 1, "ladder", "AB")
    for stored in ("", "4 games are stored; going on"):
        text = play(file)
        assert told_games(text) == (0 if stored else 4)
        assert stored in text
        assert (
            "not told apart: A from B; with a larger tournament.blocks the run goes on and may do so" in text
        )
        (tmp_path / "out1" / "results.sqlite").unlink()


@pytest.mark.soak
def test_runner_that_is_killed_200_times_loses_and_doubles_nothing(tmp_path: Path) -> None:  # S040, S041
    kill_at_random(tmp_path, 200, seed=2)
