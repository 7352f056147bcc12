"""What an organiser does about games that became void, as by a mistake in a command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.tournament import read
from tournaments.store import VOID, Played, Store
from tournaments.void import void

VOID_OF_BO = re.compile(
    "note: 2 games of Bo are void: Bo (did not come|made no move): .*ended with exit code 3"
)  # it depends on the machine whether it has ended before its game begins
PLAYER = """while read -r line; do case $line in *'"type":"request"'*) echo 0 ;; esac; done"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A knock-out of two, of whom one does not come."""
    programs = {"Ada": PLAYER, "Bo": "echo no such net >&2; exit 3"}
    entrants = "".join(
        f'[[entrant]]\nname = "{name}"\ncommand = {json.dumps(["sh", "-c", program])}\n'
        for name, program in programs.items()
    )
    file = tmp_path / "cup.toml"
    file.write_text(f'[tournament]\nformat = "knockout"\nseats = 2\nfolder = "out"\n{entrants}')
    return file


def run(file: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["tournament", "run", str(file), *words])


def games(file: Path) -> list[Played]:
    with Store(read(file).folder) as store:
        return list(store.games())


def test_void_games_are_told_by_each_run_until_they_are_tried_again(file: Path) -> None:  # S039
    told = [run(file), run(file)]
    for result in told:
        assert result.exit_code == 1
        assert VOID_OF_BO.search(result.stderr), result.stderr
        assert "tried again with:" in result.stderr
        assert result.stderr.splitlines()[-1].endswith(f"tournament run --retry {file}")
        assert "all is played" not in result.stderr
    void_games = [played.id for played in games(file)]
    file.write_text(file.read_text().replace("echo no such net >&2; exit 3", PLAYER.replace('"', '\\"')))
    mended = run(file, "--retry")
    assert mended.exit_code == 0, mended.stderr
    assert "with other settings than before: Bo" in mended.stderr
    assert "2 void games will be tried again" in mended.stderr
    assert [played.is_void for played in games(file)] == [False] * len(games(file))
    folder = file.parent / "out" / "games"
    assert sorted(path.name for path in folder.glob(f"*{VOID}*")) == sorted(
        f"{id}.void-1" for id in void_games
    )
    assert run(file).exit_code == 0


def test_game_to_which_nobody_came_is_rated_for_nobody(file: Path) -> None:
    what = read(file)
    (round,) = what.schedule().rounds()
    for pairing in round.blocks[0].pairings():
        assert not void(what.folder, pairing, pairing.seating, "nobody came").result().rated
