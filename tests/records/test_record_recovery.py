"""A server that starts again after a kill goes on where the record ends; a full disk leaves whole lines."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.game import Game, Options
from arena.records import (
    Journal,
    JournalError,
    RecordError,
    finished,
    read_record,
    recover,
    torn_path,
    unfinished,
    verify,
)
from arena.records.lines import MAX_LINE
from protocol.codes import EndReason
from tests.records.recorded import begun, header, play, rewritten, short, whole

NORMAL = (EndReason.NORMAL, EndReason.NORMAL)


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may grow over `size` bytes: what is written beyond it meets a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def go_on(path: Path) -> Game:
    """Recover, play to the end, and verify the whole."""
    _, game, journal = recover(path)
    assert journal is not None
    with journal:
        play(journal, game)
        journal.result(finished(game, NORMAL, journal.choices))
    return verify(read_record(path))


def test_a_game_goes_on_after_any_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)  # no power fails here, and there are hundreds
    good = begun(tmp_path / "whole.jsonl", choices=3).read_bytes()
    first = good.index(b"\n") + 1
    for length in range(first, len(good) + 1):
        path = tmp_path / f"{length}.jsonl"
        path.write_bytes(good[:length])
        record, game, journal = recover(path)
        assert journal is not None
        kept = good[:length].count(b"\n") - 1
        assert len(record.choices) == journal.choices == kept
        assert record.torn == length - record.size
        assert path.read_bytes() == good[: record.size]
        assert (torn_path(path).read_bytes() if record.torn else b"") == good[record.size : length]
        journal.play(game, game.to_act[0], 0)
        journal.close()
        assert len(read_record(path).choices) == kept + 1


def test_the_recovered_game_is_the_one_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game, 60)
    again = recover(path)
    assert again.game.to_json() == game.to_json()
    assert again.journal is not None
    again.journal.close()
    go_on(path)


def test_a_whole_last_line_in_which_a_byte_is_damaged_is_an_error_and_the_file_stays(tmp_path: Path) -> None:
    """It has its newline, so it was written to its end and told: to cut it would lose an accepted choice."""
    path = begun(tmp_path / "g.jsonl", choices=5)
    good = path.read_bytes()
    for place in range(good.rindex(b"\n", 0, -1) + 1, len(good)):
        damaged = good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :]
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match=r"^line 6: "):
            recover(path)
        assert path.read_bytes() == damaged
    assert not torn_path(path).exists()


@pytest.mark.parametrize("torn", [b"", b'{"type":"choice","n":6,'])
@pytest.mark.parametrize("zeros", [1, MAX_LINE, 5 * MAX_LINE])
def test_zeros_that_a_power_cut_leaves_at_the_end_are_cut_and_kept(
    tmp_path: Path, torn: bytes, zeros: int
) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    good = path.read_bytes()
    for times in (1, 2):
        path.write_bytes(good + torn + bytes(zeros))
        record, _, journal = recover(path)
        assert journal is not None
        journal.close()
        assert record.torn == len(torn) + zeros
        assert path.read_bytes() == good
        assert torn_path(path).read_bytes() == (torn + bytes(zeros)) * times
    assert torn_path(path).stat().st_mode & 0o777 == 0o600


def test_zeros_with_something_after_them_are_an_error(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    for after in (b"\n", b"x", b'{"type":"choice"}\n'):
        damaged = path.read_bytes() + bytes(2 * MAX_LINE) + after
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match=r"^line 7: "):
            recover(path)
        assert path.read_bytes() == damaged
        path.write_bytes(damaged[: -len(after) - 2 * MAX_LINE])


def test_what_is_torn_is_not_cut_where_it_cannot_be_kept(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    torn = path.read_bytes()[:-3]
    path.write_bytes(torn)
    torn_path(path).mkdir()
    with pytest.raises(JournalError, match="cannot be cut: Is a directory"):
        recover(path)
    assert path.read_bytes() == torn


def test_a_damaged_line_in_the_middle_is_an_error_and_the_file_stays(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\x00" * 20 + b"\n"
    damaged = b"".join(lines) + b'{"torn'
    path.write_bytes(damaged)
    with pytest.raises(RecordError, match="line 3: the line does not end in its hash"):
        recover(path)
    assert path.read_bytes() == damaged


def test_a_last_line_that_was_changed_is_an_error(tmp_path: Path) -> None:
    path = begun(tmp_path / "g.jsonl", choices=5)
    path.write_bytes(path.read_bytes().replace(b'"n":5', b'"n":6'))
    with pytest.raises(RecordError, match="line 6: its hash is"):
        recover(path)


def test_a_choice_that_is_not_legal_is_an_error_and_the_torn_line_stays(tmp_path: Path) -> None:
    path = rewritten(begun(tmp_path / "g.jsonl"), lambda lines: lines[3].update(option="pass"))
    with path.open("ab") as file:
        file.write(b'{"torn')
    with pytest.raises(RecordError, match='but the record says "pass"'):
        recover(path)
    assert path.read_bytes().endswith(b'{"torn')


@pytest.mark.parametrize("data", [b"", b'{"type":"header","kind"'])
def test_a_game_that_had_not_begun_cannot_be_recovered(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "g.jsonl"
    path.write_bytes(data)
    with pytest.raises(RecordError, match="a record begins with a whole header"):
        recover(path)
    assert path.read_bytes() == data


def test_a_finished_record_needs_no_journal(tmp_path: Path) -> None:
    path = whole(tmp_path / "g.jsonl")
    before = path.read_bytes()
    record, game, journal = recover(path)
    assert journal is None
    assert game.over
    assert record.result is not None
    assert path.read_bytes() == before


def test_a_torn_result_is_written_again(tmp_path: Path) -> None:
    path = whole(tmp_path / "g.jsonl")
    good = path.read_bytes()
    path.write_bytes(good[:-10])
    _, game, journal = recover(path)
    assert journal is not None
    assert game.over
    with journal:
        journal.result(finished(game, NORMAL, journal.choices))
    assert path.read_bytes() == good


def test_a_stopped_game_stays_stopped(tmp_path: Path) -> None:
    record, game, journal = recover(short(tmp_path / "g.jsonl"))
    assert journal is None
    assert not game.over
    assert record.result is not None
    assert not record.result.complete


def test_two_cannot_write_one_record(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()), pytest.raises(JournalError, match="is being written by another"):
        recover(path)
    first = recover(path)
    assert first.journal is not None
    with first.journal, pytest.raises(JournalError, match="is being written by another"):
        recover(path)


def test_what_is_no_file_cannot_be_recovered(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be opened: No such file or directory"):
        recover(tmp_path / "none")
    with pytest.raises(JournalError, match="cannot be opened: Is a directory"):
        recover(tmp_path)


@pytest.mark.parametrize("missing", [1, 40, 100])
def test_a_full_disk_leaves_whole_lines(tmp_path: Path, missing: int) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game, 5)
        before = path.read_bytes()
        with (
            room(len(before) + missing),
            pytest.raises(JournalError, match="cannot be written: File too large"),
        ):
            play(journal, game)
        assert journal.failed
        with pytest.raises(JournalError, match="has failed; no line can be added"):
            journal.choice(0, 0, "draw")
    assert path.read_bytes() == before
    go_on(path)


def test_a_disk_that_is_full_at_the_start_leaves_no_file(tmp_path: Path) -> None:
    with room(100), pytest.raises(JournalError, match="cannot be written: File too large"):
        Journal.create(tmp_path / "g.jsonl", header())
    assert list(tmp_path.iterdir()) == []


def test_a_torn_line_that_cannot_be_cut_back_is_cut_by_recovery(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.jsonl"
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game, 5)
        before = path.read_bytes()

        def refuse(fd: int, length: int) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch, room(len(before) + 40):
            patch.setattr(os, "ftruncate", refuse)
            with pytest.raises(JournalError):
                play(journal, game)
    assert len(path.read_bytes()) == len(before) + 40
    go_on(path)


def test_a_write_that_takes_a_part_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: write(fd, data[:10]))
        path = short(tmp_path / "g.jsonl")
    verify(read_record(path))


def test_durable_records_sync_every_line_and_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name))
    with Journal.create(tmp_path / "g.jsonl", header(), durable=True) as journal:
        assert synced == ["g.jsonl", tmp_path.name]
        game = Game.new(Options(2), 7)
        play(journal, game, 3)
    assert synced == ["g.jsonl", tmp_path.name, *["g.jsonl"] * 3]


def test_the_result_of_a_durable_record_is_synced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    with Journal.create(tmp_path / "g.jsonl", header(), durable=True) as journal:
        monkeypatch.setattr(
            os, "fsync", lambda fd: synced.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name)
        )
        aborted = unfinished(Game.new(Options(2), 7), EndReason.ABORTED, (EndReason.ABORTED,) * 2, 0)
        journal.result(aborted)
    assert synced == ["g.jsonl", tmp_path.name]


def test_records_are_synced_at_the_end_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name))
    short(tmp_path / "g.jsonl")
    assert synced == ["g.jsonl", tmp_path.name]


def test_a_disk_that_cannot_sync_fails_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int) -> None:
        raise OSError(5, "Input/output error")

    with Journal.create(tmp_path / "g.jsonl", header(), durable=True) as journal:
        monkeypatch.setattr(os, "fsync", refuse)
        with pytest.raises(JournalError, match="may not be on the disk: Input/output error; check the disk"):
            journal.choice(0, 0, "draw")
        assert journal.failed


def test_a_killed_process_loses_nothing_that_it_told(tmp_path: Path) -> None:  # S041
    path = tmp_path / "g.jsonl"
    script = textwrap.dedent(
        """
        import signal
        import sys
        from pathlib import Path
        from tests.records.recorded import header
        from arena.game import Game, Options
        from arena.records import Journal

        journal, game = Journal.create(Path(sys.argv[1]), header()), Game.new(Options(2), 7)
        while journal.choices < int(sys.argv[2]):
            journal.play(game, game.to_act[0], 0)
        print("told", flush=True)
        signal.pause()
        """
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path), "25"], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "told\n"
        process.send_signal(signal.SIGKILL)
    record, _, journal = recover(path)
    assert len(record.choices) == 25
    assert journal is not None
    journal.close()
    go_on(path)
