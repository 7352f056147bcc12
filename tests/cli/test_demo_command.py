"""`arena demo`: shipped bots play a small live tournament."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import demo, main
from arena.records import read_record, verify
from tournaments.store import claim

PATIENCE = 60.0  # seconds; then the test fails

SMALL = 'from arena.cli import demo, main; demo.SEATS = 2; demo.STRONGEST_FIRST = ("random",); main()'
"""The command with two random bots; the whole demo is that of the README's tests."""


def children(pid: int) -> list[int]:
    """The processes that any of its threads has started."""
    lists = (thread.read_text() for thread in Path(f"/proc/{pid}/task").glob("*/children"))
    return sorted(int(each) for text in lists for each in text.split())


def wait_for_end(pid: int) -> None:
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ready, _, _ = select.select([file], [], [], PATIENCE)
    os.close(file)
    assert ready, f"process {pid} is still there"


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two random bots."""
    monkeypatch.setattr(demo, "SEATS", 2)
    monkeypatch.setattr(demo, "STRONGEST_FIRST", ("random",))


@pytest.mark.usefixtures("_small")
def test_demo_plays_and_shows_what_it_has_played(tmp_path: Path) -> None:
    before = children(os.getpid())
    result = CliRunner().invoke(main, ["demo", "--blocks", "1", "--folder", f"{tmp_path}/demo/"])
    assert result.exit_code == 0, result.stderr
    assert "the games can be watched: arena watch 127.0.0.1:" in result.stderr
    assert "playing 2 games, 2 at a time" in result.stderr
    assert "game 2 of 2: 1. " in result.stderr
    assert f"records: {tmp_path / 'demo' / 'games'}" in result.stdout
    assert result.stdout.startswith("demo")
    records = list((tmp_path / "demo" / "games").iterdir())
    assert len(records) == 2
    for path in records:
        verify(read_record(path))
    assert children(os.getpid()) == before


@pytest.mark.parametrize("name", ["INT", "TERM", "KILL"])
def test_stopped_demo_leaves_no_bot(tmp_path: Path, name: str) -> None:  # S056
    process = subprocess.Popen(
        [sys.executable, "-c", SMALL, "demo", "--folder", str(tmp_path / "demo")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "can be watched" in line:
                break
        bots = children(process.pid)
        assert len(bots) == 2
        os.killpg(process.pid, getattr(signal, f"SIG{name}"))
        _, told = process.communicate(timeout=PATIENCE)
        for bot in bots:
            wait_for_end(bot)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == {"INT": 130, "TERM": 143, "KILL": -9}[name]
    assert "Traceback" not in told


def test_demo_seats_the_strongest_bots_there_are_and_fills_up_with_the_weakest() -> None:
    assert [entrant.name for entrant in demo.entrants(["random", "greedy"])] == [
        "greedy",
        "random",
        "random too",
        "greedy too",
    ]
    assert [entrant.bot for entrant in demo.entrants(["greedy", "heuristic", "random"])] == [
        "heuristic",
        "greedy",
        "random",
        "random",
    ]


@pytest.mark.usefixtures("_small")
def test_folder_of_a_running_demo_is_refused(tmp_path: Path) -> None:
    with claim(tmp_path):
        result = CliRunner().invoke(main, ["demo", "--folder", str(tmp_path)])
    assert result.exit_code == 1
    assert "is being run already" in result.stderr


@pytest.mark.parametrize(("option", "value"), [("--port", "70000"), ("--blocks", "5x"), ("--blocks", "0")])
def test_number_with_junk_is_refused_by_its_option(option: str, value: str) -> None:  # S060
    result = CliRunner().invoke(main, ["demo", option, value])
    assert result.exit_code == 2
    assert option in result.stderr


def test_help_tells_the_exit_codes() -> None:
    assert "Exit code: 0" in CliRunner().invoke(main, ["demo", "--help"]).stdout
