"""docs/organisers.md, "Remote entrants": its commands and its file work, also when the run is killed meanwhile."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.records import read_record, verify
from tournaments.store import Store

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs/organisers.md").read_text().split("### Remote entrants\n")[1].split("\n### ")[0]
QUICK = SECTION.replace("greedy", "random")  # whose games take a tenth of the time
CREATE, PLAY = re.findall(r"```sh\n(.*?)\n```", QUICK)
(TOML,) = re.findall(r"```toml\n(.*?)```", QUICK, flags=re.DOTALL)
RUN = re.findall(r"`(arena tournament run [^`]*)`", SECTION)[0]
PATIENCE = 120.0  # seconds; then the test fails


def words(line: str) -> list[str]:
    """A command of the page, for the interpreter of the tests."""
    program, *rest = shlex.split(line)
    assert program == "arena"
    return [sys.executable, "-m", "arena", *rest]


def call(line: str) -> Result:
    """A command of the page, in this process and folder."""
    return CliRunner().invoke(main, words(line)[3:])


@contextmanager
def running(folder: Path, command: list[str], **environment: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def told_until(process: subprocess.Popen[str], word: str) -> str:
    """What it tells up to the line that has this word."""
    assert process.stderr is not None
    told = ""
    for line in process.stderr:
        told += line
        if word in line:
            return told
    raise AssertionError(f"it ended without {word}: {told}")


@pytest.fixture
def port() -> int:
    """One that is free."""
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


def test_what_the_page_tells(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # S040, S041
    monkeypatch.chdir(tmp_path)
    token = call(CREATE).stdout.strip()
    entry = json.loads((tmp_path / "tokens").read_text())
    text = re.sub(r'sha256 = ".*"', f'sha256 = "{entry["sha256"]}"', TOML)
    (tmp_path / RUN.split()[-1]).write_text(text.replace("7171", str(port)).replace("0.0.0.0", "127.0.0.1"))
    play = words(PLAY.replace("192.0.2.7:7171", f"127.0.0.1:{port}"))

    with running(tmp_path, words(RUN)) as first:
        told = told_until(first, "waiting for Eve, 300 s at most")
        assert f"remote entrants log in at 127.0.0.1:{port}\n" in told
        with running(tmp_path, play, ARENA_TOKEN=token) as bot:
            told += told_until(first, "Eve is here")
            first.kill()
            first.wait()
            second = call(RUN)
            assert second.exit_code == 0, second.stderr
            _, said = bot.communicate(timeout=PATIENCE)
            assert bot.returncode == 0, said
    assert "game 2 of 2" in second.stderr
    with Store(tmp_path / "runs" / "guests") as store:
        games = list(store.games())
    assert len(games) == 2
    for played in games:
        assert set(played.reasons) == {"normal"}
        verify(read_record(store.folder / played.record))
    for secret in (token, entry["sha256"]):
        assert secret not in told + second.output + said
        for file in store.folder.rglob("*"):
            assert not file.is_file() or secret.encode() not in file.read_bytes(), file


def test_ctrl_c_ends_the_waiting(tmp_path: Path) -> None:  # S043
    (tmp_path / "guests.toml").write_text(TOML.replace("7171", "0").replace("0.0.0.0", "127.0.0.1"))
    with running(tmp_path, words(RUN)) as process:
        told_until(process, "waiting for Eve")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert told.splitlines()[-1].endswith("tournament run guests.toml")


def test_address_that_is_taken_is_one_sentence_and_nothing_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        file = tmp_path / "guests.toml"
        file.write_text(TOML.replace("7171", str(port)).replace("0.0.0.0", "127.0.0.1"))
        result = CliRunner().invoke(main, ["tournament", "run", str(file)])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == (
        f"Error: {file}: server.host 127.0.0.1 and server.port {port} cannot be listened on:"
        " another program listens there; stop it, or give another server.port"
    )
    assert result.stdout == ""
