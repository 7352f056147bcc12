"""`arena play`: games of shipped bots, their records, and refusals that change nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import play as module
from arena.cli.play import command
from arena.game import Game, Options
from arena.game.setup import PLAYABLE_SETS
from arena.records import read_record, verify
from protocol.codes import EndReason
from protocol.errors import quote

TWO = ("--seats", "random,random")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def output(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def document(*arguments: object) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(output(*arguments, "--json"))
    return value


def refusal(*arguments: object) -> str:
    """What stderr says; nothing may be on stdout."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


def test_a_game_is_told_for_people() -> None:
    lines = output("--seats", "random,random,random", "--seed", 3).splitlines()
    assert lines[0] == "place  seat  player    credits  final scoring"
    assert sorted(line[12:].split()[0] for line in lines[1:4]) == ["random#0", "random#1", "random#2"]
    assert re.fullmatch(r"won by .+", lines[4])
    assert re.fullmatch(r"ended by [a-z-]+ after \d+ turns? and \d+ decisions", lines[5])
    assert lines[6:] == ["seed 3"]


def test_a_game_is_told_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    told = document(*TWO, "--seed", 3, "--sets", "flag,kickstarter", "--record", path)
    game = verify(read_record(path))
    assert game.result is not None
    assert told == {
        "seats": ["random", "random"],
        "sets": ["kickstarter", "flag"],
        "market": False,
        "containers": "cards",
        "seed": 3,
        "places": list(game.result.places),
        "credits": list(game.result.credits),
        "reason": game.result.reason,
        "score": told["score"],
        "turns": game.turn,
        "decisions": len(read_record(path).choices),
        "digest": game.digest(),
        "record": str(path),
    }


def test_the_parts_of_the_score_add_up(tmp_path: Path) -> None:
    told = document(*TWO, "--seed", 3, "--record", tmp_path / "g.jsonl")
    assert told["reason"] in ("credits", "cards", "turns")
    before = [player.credits for player in verify(read_record(tmp_path / "g.jsonl")).players]
    assert before == told["credits"]
    assert all(isinstance(amount, int) for parts in told["score"] for amount in parts.values())


def test_the_record_of_a_call_is_the_same_on_any_machine(tmp_path: Path) -> None:  # S051
    for seed in ("1", "2"):
        script = "from arena.cli.play import command; command()"
        path = tmp_path / f"{seed}.jsonl"
        call = [
            sys.executable,
            "-c",
            script,
            "--seats",
            "greedy,random",
            "--seed",
            "7",
            "--record",
            str(path),
        ]
        subprocess.run(call, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_the_seed_makes_the_deal(tmp_path: Path) -> None:  # S052
    told = [document(*TWO, "--seed", seed)["digest"] for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]


def test_without_a_seed_one_is_picked_and_shown(tmp_path: Path) -> None:
    first = document(*TWO, "--record", tmp_path / "a.jsonl")
    second = document(*TWO, "--record", tmp_path / "b.jsonl")
    assert first["seed"] != second["seed"]
    assert document(*TWO, "--seed", first["seed"])["digest"] == first["digest"]
    one, other = (read_record(tmp_path / name).header for name in ("a.jsonl", "b.jsonl"))
    assert one.salt != other.salt
    assert one.game != other.game


def test_several_games_take_the_seeds_one_after_the_other() -> None:
    lines = output(*TWO, "--seed", 5, "--games", 3, "--json").splitlines()
    assert [json.loads(line)["seed"] for line in lines] == [5, 6, 7]
    assert json.loads(lines[1])["digest"] == document(*TWO, "--seed", 6)["digest"]


def test_several_games_are_summed_up() -> None:
    lines = output(*TWO, "--seed", 5, "--games", 4).splitlines()
    assert all(re.fullmatch(rf"seed {5 + n}: won by .+ turns?", line) for n, line in enumerate(lines[:4]))
    shares = [
        re.fullmatch(r"random#\d: ([\d.]+) % of 4 games won, [\d.]+ credits", line) for line in lines[4:]
    ]
    assert sum(float(share[1]) for share in shares if share) == 100


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ("", "--seats is empty; name 2 to 6 of the bots "),
        (" ", "--seats is empty; name 2 to 6 of the bots "),
        ("random", '--seats "random" has 1 seat; name 2 to 6 bots\n'),
        (
            ",".join(["greedy"] * 7),
            '--seats "greedy,greedy,greedy,greedy,greedy,greed"... (48 characters) has 7 seats; name 2 to 6 bots\n',
        ),
        ("random,gredy", 'there is no bot "gredy"; the bots are '),
        ("random,", 'there is no bot ""; the bots are '),
        ("random,\x1b[2J", 'there is no bot "\\u001b[2J"; the bots are '),
        (
            "random,cmd:./mybot",
            'the seat "cmd:./mybot" is a program, which needs the bridge to a server; here name the bots ',
        ),
    ],
)
def test_wrong_seats_are_refused(seats: str, message: str, tmp_path: Path) -> None:
    told = refusal("--seats", seats, "--record", tmp_path / "g.jsonl")
    assert told.startswith(f"Error: {message}")
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", ["5x", "2,5", "2.5", "-1", "", "1_0", "+1", "²"])
def test_numbers_are_read_strictly(value: str) -> None:  # S060
    for option in ("--seed", "--games"):
        told = refusal(*TWO, f"{option}={value}")
        assert f"Invalid value for '{option}': {value!r} is not a whole number; give one from " in told


def test_numbers_have_bounds() -> None:
    assert "'0' is out of range; give a whole number from 1 to 1000000" in refusal(*TWO, "--games", 0)
    assert f"'{2**256}' is out of range; give a whole number from 0 to 2**256 - 1" in refusal(
        *TWO, "--seed", 2**256
    )
    assert "leaves no seeds for 2 games" in refusal(*TWO, "--seed", 2**256 - 1, "--games", 2)


@pytest.mark.parametrize("containers", ["tokens", "tokens-everywhere"])
def test_a_game_with_everything_on_is_recorded_and_verified(containers: str, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    everything = ("--sets", ",".join(PLAYABLE_SETS), "--market", "--containers", containers)
    told = document("--seats", "random,random,random", *everything, "--seed", 3, "--record", path)
    game = verify(read_record(path))
    assert (game.options.sets, game.options.market) == (PLAYABLE_SETS, True)
    assert told["containers"] == game.options.containers == containers
    assert told["digest"] == game.digest()


def test_unknown_containers_are_refused() -> None:
    assert 'containers is "boxes"; take cards, tokens or tokens-everywhere' in refusal(
        *TWO, "--containers", "boxes"
    )


@pytest.mark.parametrize("sets", ["mars", "capital,,tokyo", ","])
def test_unknown_sets_are_refused(sets: str, tmp_path: Path) -> None:
    told = refusal(*TWO, "--sets", sets, "--record", tmp_path / "g.jsonl")
    assert told.startswith("Error: ")
    assert "the sets are " in told
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_is_there_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text("mine")
    told = refusal(*TWO, "--record", path)
    assert told == f"Error: --record: {path} exists already; name a file that does not\n"
    assert path.read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    told = refusal(*TWO, "--record", tmp_path / "none" / "g.jsonl")
    assert told == (
        f"Error: --record: {tmp_path}/none/g.jsonl cannot be made: No such file or directory; name another file\n"
    )
    told = refusal(*TWO, "--record", "/proc/g.jsonl")
    assert told.startswith("Error: --record: /proc/g.jsonl cannot be made: ")


def test_a_folder_is_no_record(tmp_path: Path) -> None:  # S063
    for name in ("", f"{tmp_path}/", f"{tmp_path}/none/"):
        told = refusal(*TWO, f"--record={name}")
        assert told == f"Error: --record {quote(name)} is not the name of a file; name a file to be made\n"
    assert "exists already" in refusal(*TWO, f"--record={tmp_path}")
    assert list(tmp_path.iterdir()) == []


def test_the_home_folder_may_be_written_as_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # S063
    output(*TWO, "--record", "~/g.jsonl")
    verify(read_record(tmp_path / "g.jsonl"))


def test_a_record_takes_one_game(tmp_path: Path) -> None:
    told = refusal(*TWO, "--games", 2, "--record", tmp_path / "g.jsonl")
    assert (
        told
        == f"Error: --record {quote(str(tmp_path / 'g.jsonl'))} takes one game, not 2; leave out --games\n"
    )


def test_a_catalogue_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "cannot be read: No such file or directory" in refusal(*TWO, "--catalogue", tmp_path / "none")


class Faulty:
    """Answers what it is not offered, after a while."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, request: object) -> int:
        self.asked += 1
        return 0 if self.asked < 5 else 9999


def test_a_faulty_bot_ends_the_game_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "make_bot", lambda name, seed: Faulty())
    path = tmp_path / "g.jsonl"
    result = run(*TWO, "--seed", 7, "--record", path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.fullmatch(
        r'Error: the bot "random" in seat \d is faulty: choice 9999 is not among the \d+ options of seat \d;'
        r" answer 0 to \d+\n",
        result.stderr,
    )
    record = read_record(path)
    verify(record)
    assert record.result is not None
    assert not record.result.complete
    assert EndReason.CRASH in record.result.reasons


def test_bots_do_not_get_the_seed_of_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(module, "make_bot", lambda name, seed: given.append(seed) or Faulty())
    run(*TWO, "--seed", 7)
    assert len(set(given)) == 2
    assert 7 not in given


def test_the_game_is_that_of_the_core() -> None:
    told = document(*TWO, "--seed", 9)
    assert told["turns"] > 0
    assert Game.new(Options(2), 9).digest() != told["digest"]
