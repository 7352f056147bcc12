"""`arena replay`: the events of a record, or one view, and never more than the seat could see."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.request import urlopen

import pytest
from click.testing import CliRunner, Result

from arena.cli.replay import command
from arena.game import Catalogue, Game, Options
from arena.records import Journal, Record, Step, finished, read_record, replay
from protocol.codes import EndReason
from tests.records.recorded import begun, header, rewritten, short, whole


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def output(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole(tmp_path_factory.mktemp("records") / "g.jsonl", players=3)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_the_events_are_those_of_the_seat(record: Path, seat: int | None) -> None:
    lines = output(record, "--json", *([] if seat is None else ["--seat", seat])).splitlines()
    events = [event.for_seat(seat) for step in replay(read_record(record)) for event in step.events]
    assert [json.loads(line) for line in lines] == [
        {"number": number, **event} for number, event in enumerate(events, 1)
    ]


def test_the_public_is_the_default(record: Path) -> None:  # S027
    assert output(record) == output(record, "--public")
    assert "your hand" not in output(record)


def test_each_event_is_a_numbered_line_without_colours(record: Path) -> None:
    lines = [line for line in output(record, "--seat", "1").splitlines() if not line.startswith(" " * 8)]
    assert [int(line[:6]) for line in lines] == list(range(1, len(lines) + 1))
    assert lines[0].startswith("     1  the cards are dealt; player ")
    assert "; your hand: " in lines[0]
    assert all(line.isprintable() for line in lines)
    assert "  the game ends by " in lines[-1]


def test_a_view_is_that_of_the_seat_at_the_event(record: Path) -> None:
    number = 0
    for step in replay(read_record(record)):
        number += len(step.events)
        if step.events and step.game.turn == 9:
            break
    assert json.loads(output(record, "--json", "--seat", "2", "--at", number)) == step.game.view(2)
    assert json.loads(output(record, "--json", "--at", number)) == step.game.view(None)


def test_no_hidden_card_is_in_the_public_events_before_it_is_played(record: Path) -> None:  # S025
    game = Game.new(Options(3), 7)
    hidden = [game.catalogue.ids[card] for player in game.players for card in player.hand]
    first = output(record, "--json").splitlines()[0]
    assert not any(f'"{card}"' in first for card in hidden)


def test_a_view_after_the_end_is_refused_with_the_last_event(record: Path) -> None:
    events = len(output(record, "--json").splitlines())
    result = run(record, "--at", events + 1)
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: --at {events + 1} is too much; this record has the events 1 to {events}\n"
    )
    assert "the game ends by" in output(record, "--at", events)


def test_control_characters_in_names_are_escaped(tmp_path: Path) -> None:  # S072
    path = tmp_path / "g.jsonl"
    names = ("a\u202eb", "<b>\u200bx")
    with Journal.create(path, header(seats=names)) as journal:
        game = Game.new(Options(2), 7)
        journal.play(game, game.to_act[0], 0)
    shown = run(path).stdout
    assert "a\\u202eb" in shown
    assert all(line.isprintable() for line in shown.splitlines())


def test_a_game_that_is_still_played_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    result = run(begun(tmp_path / "g.jsonl"))
    assert result.exit_code == 0
    assert result.stderr == "The record ends here without a result: the game is not finished.\n"
    assert "turn 1" in result.stdout


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which the default is played for player 0 again and again, until it is retired after 60 choices."""
    path = tmp_path_factory.mktemp("late") / "g.jsonl"
    with Journal.create(path, header(3)) as journal:
        game, rng, asked = Game.new(Options(3), 7), random.Random(1), 0
        while not game.over:
            for seat in game.to_act:
                decision = game.decision(seat)
                choice, told = rng.randrange(len(decision.options)), {}
                asked += seat == 0
                if seat == 0 and (asked % 5 == 0 or asked > 60):
                    choice, told = decision.default, {"fault": EndReason.TIMEOUT, "retired": asked > 60}
                journal.play(game, seat, choice, **told)
        reasons = (EndReason.TIMEOUT, EndReason.NORMAL, EndReason.NORMAL)
        journal.result(finished(game, reasons, journal.choices))
    return path


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_each_default_is_told_with_what_was_asked_and_why(late: Path, seat: int | None) -> None:
    lines = output(late, "--json", *([] if seat is None else ["--seat", seat])).splitlines()
    told = [json.loads(line) for line in lines]
    defaults = [each for each in told if each["event"] == "default"]
    assert len(defaults) == 12
    assert defaults[0] == {"event": "default", "seat": 0, "asked": "lead", "reason": "timeout"}
    assert told[-1] == {"event": "defaults", "seat": 0, "reason": "timeout", "count": 12}
    assert [each["number"] for each in told if "number" in each] == list(range(1, len(told) - 12))
    assert next(each for each in told if each["event"] == "retired").items() >= {"seat": 0}.items()
    shown = output(late).splitlines()
    assert (
        shown.count(f"{' ' * 8}the default was played for player 0 (timeout); asked was: a sealed bid") == 1
    )
    assert shown[-1].strip() == "defaults played for player 0 in all: 12 (timeout)"


def test_sealed_bid_that_was_a_default_is_told_to_others_behind_the_bids(late: Path) -> None:  # S025
    def kinds(*arguments: object) -> list[str]:
        told = [json.loads(line) for line in output(late, "--json", *arguments).splitlines()]
        return [each["asked"] if each["event"] == "default" else each["event"] for each in told]

    public, own = kinds(), kinds("--seat", 0)
    assert public[public.index("bid") - 1] != "round"
    assert "bids" in public[public.index("bid") - 4 : public.index("bid")]
    assert own[own.index("bid") + 1] == "bids"


def test_default_of_a_secret_question_is_told_to_its_seat_alone(
    late: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # Q98
    monkeypatch.setattr("arena.cli.replay.replay", in_secret)
    assert "asked was" not in output(late)
    assert "asked was" not in output(late, "--seat", "1")
    assert output(late, "--seat", "0").count("asked was") == 12
    assert "defaults played for player 0 in all: 12 (timeout)" in output(late)


def in_secret(record: Record, catalogue: Catalogue) -> Iterator[Step]:
    """As if all had been asked because of cards in their hands."""
    for step in replay(record, catalogue):
        asking = tuple(decision._replace(secret=True) for decision in step.game.asking)
        yield step._replace(game=cast("Game", SimpleNamespace(asking=asking)))


def test_an_unsound_record_is_refused_without_telling_hidden_cards(tmp_path: Path) -> None:
    path = rewritten(short(tmp_path / "g.jsonl"), lambda lines: lines[3].update(option="sell:rice"))
    result = run(path)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {path}: line 4 is not sound; `arena verify` says why\n"


def test_a_changed_record_is_refused_before_anything_is_shown(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"n":2', b'"n":3'))
    result = run(path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {path}: line 3: its hash is ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "3"], "there is no seat 3; this record has the seats 0 to 2"),
        (["--seat", "1", "--public"], "--public and --seat 1 show different things; give only one of them"),
    ],
)
def test_a_seat_that_is_not_there_is_refused(record: Path, arguments: list[str], message: str) -> None:
    result = run(record, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"Error: {message}\n"


@pytest.mark.parametrize("number", ["1x", "-1", "1.0", "1_0", "", " 1", "9" * 200, "٣"])
def test_numbers_are_read_strictly(record: Path, number: str) -> None:  # S060
    for option in ("--at", "--seat"):
        result = run(record, f"{option}={number}")
        assert result.exit_code == 2
        assert f"Invalid value for '{option}': " in result.stderr


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path / "none")
    assert result.exit_code == 2
    assert (
        result.stderr == f"Error: {tmp_path}/none: cannot be read: No such file or directory; name a record\n"
    )


def test_board_is_drawn_to_the_end(tmp_path: Path) -> None:
    path = whole(tmp_path / "g1.jsonl")
    result = run(path, "--board", "--pace", "0")
    assert result.exit_code == 0
    assert "the game is over" in result.output


def test_page_shows_every_view_of_a_record(tmp_path: Path) -> None:
    path = whole(tmp_path / "any-name.jsonl")
    command = [sys.executable, "-m", "arena", "replay", str(path), "--page"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        server, _, game = address.rpartition("/game/")
        with urlopen(f"{server}/api/games/{game}", timeout=60) as answer:
            assert json.load(answer)["views"] == ["public", "seat-0", "seat-1", "everything"]
        with urlopen(f"{server}/api/games/{game}/stream?view=everything", timeout=60) as answer:
            told = answer.read().decode()
        assert '"hands":' in told
        assert "event: end" in told
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.parametrize("how", ["--page", "--board"])
def test_what_is_no_record_is_not_shown(tmp_path: Path, how: str) -> None:
    path = tmp_path / "no.jsonl"
    path.write_text("{}\n")
    result = run(path, how)
    assert result.exit_code == 1
    assert "no.jsonl" in result.output


def test_page_and_board_exclude_each_other(tmp_path: Path) -> None:
    result = run(whole(tmp_path / "g1.jsonl"), "--page", "--board")
    assert result.exit_code == 2
