"""A data folder that is not as a server leaves it: files that are damaged, copied, of another kind, or in use."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from arena.game import default_catalogue
from arena.server import Config
from arena.server.datafolder import DataFolder, FolderInUse, FolderUnusable
from arena.server.seatfiles import SeatFileError, SeatFiles
from tests.server.table import open_hall
from tests.server.test_restarts import SLOW
from tests.server.test_watchers import play_some


@pytest.mark.parametrize("what", ["empty", "long", "fifo", "folder"])
async def test_a_record_that_no_kill_leaves_so_is_left_alone(tmp_path, autojump_clock, what):
    """It has lost what was in it: all had been ready, or there is no end to its first line."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        if what != "long":
            await game.ready()
        record = hall.server.folder / f"{game.id}.jsonl"
    record.write_bytes(b"x" * 100_000 if what == "long" else b"")
    if what in ("fifo", "folder"):
        record.unlink()
        os.mkfifo(record) if what == "fifo" else record.mkdir()
    for _ in range(2):
        with capture_logs() as logs:
            async with open_hall(tmp_path) as hall:
                assert not hall.server.games
        assert [log["event"] for log in logs if log["log_level"] != "info"] == ["game-not-resumed"]
    assert record.exists()


def spoil(path: Path, what: str) -> None:
    seats = path.parents[1] / "seats" / f"{path.stem}.json"
    match what:
        case "a changed line in the middle":
            path.write_bytes(path.read_bytes().replace(b'"n":3', b'"n":4', 1))
        case "a changed byte in the last line":
            path.write_bytes(path.read_bytes()[:-5] + b"\0" + path.read_bytes()[-4:])
        case "no header":
            path.write_bytes(b"")
        case "no record":
            path.unlink()
        case "a record that is a link to nowhere":
            path.unlink()
            path.symlink_to("nowhere")
        case "seats that are no JSON":
            seats.write_bytes(seats.read_bytes()[:-5])
        case "seats of others":
            seats.write_text(seats.read_text().replace("player-0", "player-9"))
        case "a retired seat that the game has not":
            retired = '"retired":[{"seat":5,"reason":"timeout","after":0}]'
            seats.write_text(seats.read_text().replace('"retired":[]', retired))
        case "seats that are a pipe":
            seats.unlink()
            os.mkfifo(seats)
        case "seats that are a folder":
            seats.unlink()
            seats.mkdir()
        case "seats that are a device":
            seats.unlink()
            seats.symlink_to("/dev/zero")


def as_it_lies(path: Path) -> tuple[int, bytes]:
    """The kind of a file, and what is in it if it is a regular one."""
    mode = path.lstat().st_mode
    return mode, path.read_bytes() if stat.S_ISREG(mode) else b""


@pytest.mark.parametrize(
    "what",
    [
        "a changed line in the middle",
        "a changed byte in the last line",
        "no header",
        "no record",
        "a record that is a link to nowhere",
        "seats that are no JSON",
        "seats of others",
        "a retired seat that the game has not",
        "seats that are a pipe",
        "seats that are a folder",
        "seats that are a device",
    ],
)
async def test_what_is_damaged_is_left_as_it_is_and_the_other_games_go_on(
    tmp_path, autojump_clock, what, capsys
):
    async with open_hall(tmp_path) as hall:
        games = [
            await hall.seated(wires=[await hall.login(f"player-{2 * n}"), await hall.login(f"b-{n}")])
            for n in range(2)
        ]
        for game in games:
            await game.ready()
            await play_some(game, 8)
    damaged, sound = games
    spoil(tmp_path / "games" / f"{damaged.id}.jsonl", what)
    before = {path: as_it_lies(path) for path in tmp_path.rglob(f"{damaged.id}.*")}
    capsys.readouterr()
    async with open_hall(tmp_path) as hall:
        assert list(hall.server.games) == [sound.id]
        assert damaged.id in "".join(capsys.readouterr())  # the log
        game = await hall.seated_again(sound)
        await play_some(game, 4)
    assert {path: as_it_lies(path) for path in before} == before


@pytest.mark.parametrize("copied", ["both", "the seats", "seats of an earlier server"])
async def test_a_copy_under_another_name_is_left_alone_and_the_game_goes_on(tmp_path, autojump_clock, copied):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=SLOW)
        await game.ready()
        await play_some(game, 4)
    copies = [tmp_path / "seats" / f"{game.id}-copy.json", tmp_path / "games" / f"{game.id}-copy.jsonl"]
    for copy in copies[: 1 + (copied != "the seats")]:
        shutil.copy(copy.with_name(f"{game.id}{copy.suffix}"), copy)
    if copied == "seats of an earlier server":
        copies[0].write_text(copies[0].read_text().replace(f'"game":"{game.id}"', '"game":null'))
    before = {path: as_it_lies(path) for path in copies if path.exists()}
    with capture_logs() as logs:
        async with open_hall(tmp_path, comeback=5.0) as hall:
            game = await hall.seated_again(game)
            await trio.sleep(8)  # nobody comes back to the copy
            await play_some(game, 4)
            assert list(hall.server.games) == [game.id]
    assert [log["game"] for log in logs if log["event"] == "game-not-resumed"] == [f"{game.id}-copy"]
    assert {path: as_it_lies(path) for path in before} == before
    assert (tmp_path / "seats" / f"{game.id}.json").exists()


async def test_a_file_of_seats_without_a_record_is_of_a_game_that_never_began(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
    (tmp_path / "games" / f"{game.id}.jsonl").unlink()
    async with open_hall(tmp_path) as hall:
        assert not hall.server.games
        assert not list((tmp_path / "seats").iterdir())


async def test_a_second_server_on_the_same_folder_is_refused(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        refused = pytest.raises(FolderInUse, match=r"used by another server, process \d+; stop that one")
        with refused, DataFolder(hall.server.config).held():
            raise AssertionError("two servers have the folder")


@pytest.mark.parametrize("lock", ["a folder", "a pipe", "in a file"])
def test_a_data_folder_that_cannot_be_used_is_told_as_such(tmp_path, lock):
    """And not as an address that cannot be had."""
    data = tmp_path / "data"
    if lock == "in a file":
        data.touch()
    else:
        data.mkdir()
        (data / "server.lock").mkdir() if lock == "a folder" else os.mkfifo(data / "server.lock")
    with (
        pytest.raises(FolderUnusable, match=r"the data folder .*data cannot be used"),
        DataFolder(Config(data=data)).held(),
    ):
        raise AssertionError("it can be used")


def test_a_folder_of_seats_that_cannot_be_listed_is_told_as_such(tmp_path, monkeypatch):
    def fail(_):
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "seats").mkdir()
    monkeypatch.setattr(Path, "iterdir", fail)
    with pytest.raises(FolderUnusable, match="cannot be read: Permission denied"):
        list(DataFolder(Config(data=tmp_path)).left(default_catalogue()))


def test_files_of_seats_are_bounded_and_checked(tmp_path):
    files = SeatFiles(tmp_path)
    (tmp_path / "g.json").write_bytes(b" " * 10**6)
    (tmp_path / ".json").touch()
    (tmp_path / "g.new").touch()
    assert list(files.games()) == ["g"]
    with pytest.raises(SeatFileError, match="is no file of seats"):
        files.read("g")
