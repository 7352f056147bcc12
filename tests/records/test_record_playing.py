"""Writing a record, reading it, and playing it again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from arena.game import ChoiceError, Game, Options
from arena.records import (
    DIGEST_EVERY,
    Choice,
    Journal,
    JournalError,
    RecordError,
    finished,
    ranked,
    read_record,
    recover,
    replay,
    unfinished,
    verify,
)
from arena.records.errors import UnreadableRecord
from arena.records.following import Following
from arena.records.journal import SHARED, UMASK
from protocol.codes import EndReason
from tests.records.recorded import SALT, begun, header, play, short, whole

NORMAL, TIMEOUT, CRASH = EndReason.NORMAL, EndReason.TIMEOUT, EndReason.CRASH


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_whole_game_is_verified(tmp_path: Path, players: int) -> None:
    record = read_record(whole(tmp_path / "g.jsonl", players))
    game = verify(record)
    assert game.result is not None
    assert record.result is not None
    assert record.result.places == game.result.places
    assert record.size == (tmp_path / "g.jsonl").stat().st_size


def test_a_header_is_read_as_it_was_written(tmp_path: Path) -> None:
    wanted = header(
        3,
        options=Options(3, ("kickstarter", "flag")),
        seats=("Zoë", "<img src=x onerror=alert(1)>", "ab\u202e"),
        seed=2**256 - 1,
        started="2026-01-31T12:00:00.5Z",
        software="import-export-arena 0.1.0",
        clock={"move": 1.0, "bank": 10.0},
        tags={"tournament": "spring ☼", "block": 3},
    )
    Journal.create(tmp_path / "g.jsonl", wanted).close()
    assert read_record(tmp_path / "g.jsonl").header == wanted
    assert (tmp_path / "g.jsonl").read_bytes().isascii()


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": ("a", "b\n")},
        {"seats": ("a", "\ud800")},
        {"seats": ("a", "")},
        {"seats": ("a", "b" * 65)},
        {"seats": ("a", "b", "c")},
        {"seed": -1},
        {"seed": 2**256},
        {"salt": "00"},
        {"game": "a/b"},
        {"game": ".."},
        {"clock": {"move": float("nan")}},
        {"tags": {"token": None}},
        {"options": Options(7)},
    ],
)
def test_a_header_that_a_record_may_not_have_makes_no_file(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    with pytest.raises(RecordError):
        Journal.create(tmp_path / "g.jsonl", header(**changes))
    assert list(tmp_path.iterdir()) == []


def test_a_choice_is_read_as_it_was_written(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "g.jsonl", header()) as journal:
        game = Game.new(Options(2), 7)
        seat = game.to_act[0]
        journal.play(game, seat, 0, spent=0.25, bank=9.75, fault=TIMEOUT, retired=True, network=0.01, lag=0.5)
    (choice,) = read_record(tmp_path / "g.jsonl").choices
    assert choice == Choice(1, seat, 0, "draw", "", 0.25, 9.75, TIMEOUT, True, 0.01, 0.5)


def test_a_line_is_in_the_file_before_its_effect_is_told(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        for number in range(1, 20):
            journal.play(game, game.to_act[0], 0)
            assert len(read_record(path).choices) == number


def test_an_illegal_choice_leaves_game_and_record_as_they_are(tmp_path: Path) -> None:  # S014
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        before, size = game.to_json(), path.stat().st_size
        seat = game.to_act[0]
        for wrong in (-1, 10_000, True, "0", None):
            with pytest.raises(ChoiceError):
                journal.play(game, seat, wrong)  # type: ignore[arg-type]
        with pytest.raises(ChoiceError):
            journal.play(game, 1 - seat, 0)
        assert game.to_json() == before
        assert path.stat().st_size == size
        assert journal.choices == 0


def test_a_digest_stands_in_every_fiftieth_choice(tmp_path: Path) -> None:
    record = read_record(whole(tmp_path / "g.jsonl"))
    told = {choice.number for choice in record.choices if choice.digest}
    assert told == set(range(DIGEST_EVERY, len(record.choices) + 1, DIGEST_EVERY))
    digests = {step.choice.number: step.game.digest() for step in replay(record) if step.choice}
    assert all(choice.digest in ("", digests[choice.number]) for choice in record.choices)


def test_a_file_that_is_there_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text("mine")
    with pytest.raises(JournalError, match="exists already; name a file that does not"):
        Journal.create(path, header())
    assert path.read_text() == "mine"


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be made: No such file or directory; name another file"):
        Journal.create(tmp_path / "none" / "g.jsonl", header())


@pytest.mark.parametrize("private", [False, True])
def test_only_the_owner_can_read_a_record_until_its_game_is_over(
    tmp_path: Path, private: bool
) -> None:  # S025
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        journal.play(game, game.to_act[0], 0)
        assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_mode & 0o777 == 0o600
    recovered = recover(path, private=private)
    assert recovered.journal is not None
    with recovered.journal as journal:
        journal.result(
            unfinished(recovered.game, EndReason.ABORTED, (EndReason.ABORTED,) * 2, journal.choices)
        )
    assert path.stat().st_mode & 0o777 == (0o600 if private else SHARED & ~UMASK)


def test_nothing_can_follow_the_result(tmp_path: Path) -> None:  # S017
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game)
        outcome = finished(game, (NORMAL, NORMAL), journal.choices)
        journal.result(outcome)
        for attempt in (lambda: journal.result(outcome), lambda: journal.choice(0, 0, "draw")):
            with pytest.raises(JournalError, match="has its result; no line can be added"):
                attempt()
    with pytest.raises(JournalError, match="has its result; no line can be added"):
        journal.choice(0, 0, "draw")
    verify(read_record(path))


def test_a_closed_journal_takes_no_more(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "g.jsonl", header())
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.choice(0, 0, "draw")


def test_a_result_that_contradicts_itself_is_not_written(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "g.jsonl", header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game)
        outcome = finished(game, (NORMAL, EndReason.ABORTED), journal.choices)
        with pytest.raises(RecordError):
            journal.result(outcome)
        journal.result(finished(game, (NORMAL, NORMAL), journal.choices))
    verify(read_record(tmp_path / "g.jsonl"))


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        (("", "ended with exit code 3"), ""),
        (("", ""), ""),
        (("ended", ""), "whose seat came to the end by normal; it is for crash"),
        (("ended",), '"ends" has 1 texts for 2 seats'),
        (("", "a\nb"), "expected texts of up to 200 characters"),
        (("", "x" * 201), "expected texts of up to 200 characters"),
    ],
)
def test_how_a_program_ended_is_kept_of_those_that_crashed(
    tmp_path: Path, ends: tuple[str, ...], told: str
) -> None:  # S058
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game)
        outcome = finished(game, (NORMAL, CRASH), journal.choices, ends=ends)
        with pytest.raises(RecordError, match=told) if told else nullcontext():
            journal.result(outcome)
    if not told:
        assert verify(read_record(path)).result is not None
        assert read_record(path).result == outcome
        assert (b'"ends"' in path.read_bytes()) == any(ends)


def test_retired_seats_rank_after_all_that_finished() -> None:  # S013
    assert ranked((1, 2, 3, 4), (NORMAL,) * 4) == (1, 2, 3, 4)
    assert ranked((1, 2, 3, 4), (TIMEOUT, NORMAL, NORMAL, NORMAL)) == (4, 1, 2, 3)
    assert ranked((1, 2, 2, 4), (CRASH, NORMAL, NORMAL, TIMEOUT)) == (3, 1, 1, 4)
    assert ranked((1, 1, 3), (TIMEOUT, CRASH, NORMAL)) == (2, 2, 1)


def test_the_places_of_a_game_with_a_retired_seat_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game)
        assert game.result is not None
        best = game.result.places.index(1)
        reasons = tuple(CRASH if seat == best else NORMAL for seat in range(2))
        outcome = finished(game, reasons, journal.choices)
        journal.result(outcome)
    assert outcome.places[best] == 2
    verify(read_record(path))


def test_a_replay_tells_what_happened(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        told = [repr(event) for event in game.events]
        while not game.over:
            told += [repr(event) for event in journal.play(game, game.to_act[0], 0)]
    assert [repr(event) for step in replay(read_record(path)) for event in step.events] == told


def test_the_same_game_gives_the_same_record_with_any_hash_seed(tmp_path: Path) -> None:  # S051
    script = "import sys, pathlib, tests.records.recorded as r; r.whole(pathlib.Path(sys.argv[1]), 4)"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / f"{seed}.jsonl")], env=environment, check=True
        )
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_the_chain_and_the_commitment_can_be_checked_with_a_hash_function_alone(tmp_path: Path) -> None:
    previous = "0" * 64
    for line in short(tmp_path / "g.jsonl").read_text("ascii").splitlines():
        body, _, tail = line.rpartition(',"hash":"')
        assert tail == hashlib.sha256((previous + body).encode()).hexdigest() + '"}'
        previous = tail[:64]
    first = json.loads((tmp_path / "g.jsonl").read_text("ascii").splitlines()[0])
    assert first["commitment"] == hashlib.sha256(f"{first['seed']}:{SALT}".encode()).hexdigest()


def test_a_record_can_be_read_from_a_pipe(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl")
    read, write = os.pipe()
    os.write(write, path.read_bytes())
    os.close(write)
    assert read_record(Path(f"/dev/fd/{read}")) == read_record(path)
    os.close(read)


def test_a_pipe_into_which_nobody_writes_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "g.jsonl")
    with pytest.raises(RecordError, match="the file is empty"):
        read_record(tmp_path / "g.jsonl")
    with pytest.raises(UnreadableRecord, match="it is not a file"):
        Following(tmp_path / "g.jsonl")


def test_an_unfinished_record_can_be_read(tmp_path: Path) -> None:
    record = read_record(begun(tmp_path / "g.jsonl"))
    assert record.result is None
    assert len(record.choices) == 5
