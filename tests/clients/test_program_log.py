"""The log of a program: within its bound however often the program starts, and with the games marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.program_log import HEAD, TAIL, LogFailed, ProgramLog


def test_games_in_which_something_was_written_are_marked(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path / "log")
    log.write(b"loading")
    log.begins("g1", "g1 begins")
    log.write(b"thinking\nhalf a line")
    log.ends("g1", "g1 ends")
    log.begins("g2", "g2 begins")
    log.ends("g2", "g2 ends")
    log.begins("g3", "g3 begins")
    log.note("a note")
    log.ends("g3", "g3 ends")
    log.write(b"bye\n")
    log.close()
    log.note("too late")
    assert (tmp_path / "log").read_text().splitlines() == [
        "loading",
        "[g1 begins]",
        "thinking",
        "half a line",
        "[g1 ends]",
        "[g3 begins]",
        "[a note]",
        "[g3 ends]",
        "bye",
    ]


def test_silent_program_leaves_nothing(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path / "log")
    log.begins("g1", "g1 begins")
    log.ends("g1", "g1 ends")
    log.close()
    assert (tmp_path / "log").read_bytes() == b""


def test_bound_holds_for_the_file_and_not_for_each_start(tmp_path: Path) -> None:  # S055
    path = tmp_path / "log"
    for start in range(4):
        log = ProgramLog(path)
        for _ in range(40):
            log.write(b"%d" % start * 30_000)
        log.begins("g", "g begins")
        log.write(b"last words %d\n" % start)
        log.ends("g", "g ends")
        log.close()
        text = path.read_bytes()
        assert len(text) <= HEAD + TAIL + 100
        assert text.startswith(b"0" * HEAD + b"\n[")
        assert text.endswith(b"0\n[g begins]\nlast words 0\n[g ends]\n".replace(b"0", b"%d" % start))
    assert text.count(b"are left out]") == 1
    kept = len(text) - len(b"\n[0000000 bytes are left out]\n")
    written = 4 * (40 * 30_000 + len(b"\n[g begins]\nlast words 0\n[g ends]\n"))
    assert f"[{written - kept} bytes are left out]".encode() in text


def test_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(LogFailed, match=r"cannot be written: Is a directory; make room"):
        ProgramLog(tmp_path)
