"""The transcript of docs/protocol.md is what a server does, and can be repeated by hand.

If the first test fails because the game or a message has changed, look at what has: python -m tests.docs.transcript
writes the transcript anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from clients.bots import BOTS
from protocol import parse_client, parse_server
from tests.docs.transcript import FIXED, GAME, PAGE, SECTION, blocks_of_page, transcript
from tests.server.table import listening

NC = """\
import socket, sys, threading
wire = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def send():
    while data := sys.stdin.buffer.raw.read(4096):
        wire.sendall(data)
threading.Thread(target=send, daemon=True).start()
while data := wire.recv(65536):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
"""


def lines() -> list[str]:
    return [line for block in blocks_of_page() for line in block.splitlines()]


def shell_blocks() -> list[str]:
    section = SECTION.search(PAGE.read_text(encoding="utf-8"))
    assert section is not None
    return re.findall(r"```sh\n(.*?)```", section[0], re.DOTALL)


@pytest.fixture
def path_with_nc(tmp_path: Path) -> str:
    """A PATH on which `nc HOST PORT` is; where there is none a small one stands in."""
    if shutil.which("nc") is None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "nc.py").write_text(NC)
        nc = tmp_path / "bin" / "nc"
        nc.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{nc}.py" "$@"\n')
        nc.chmod(0o755)
    return f"{tmp_path / 'bin'}:{os.environ['PATH']}"


def test_the_transcript_is_what_a_server_does() -> None:
    assert blocks_of_page() == transcript()


def test_whole_lines_are_messages() -> None:
    whole = [line for line in lines() if line[0] in "<>" and "[...]" not in line]
    assert len(whole) > 15
    for line in whole:
        if line[0] == ">":
            parse_client(line[2:].encode())
        else:
            assert not parse_server(line[2:].encode()).warnings


def test_the_commitment_is_computed_as_the_page_says() -> None:
    run = subprocess.run(["sh", "-c", shell_blocks()[1]], capture_output=True, text=True, check=True)
    assert run.stdout[:64] == FIXED["commitment"]
    assert any(f'"commitment":"{run.stdout[:64]}"' in line for line in lines())


def test_the_game_can_be_begun_by_hand(tmp_path: Path, path_with_nc: str) -> None:
    async def by_hand() -> None:
        async with listening(tmp_path / "data", bots=frozenset(BOTS), ready=600.0) as (_, port):
            shell = await trio.lowlevel.open_process(
                ["sh"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=tmp_path,
                env={**os.environ, "PATH": path_with_nc},
            )
            try:
                with trio.fail_after(25):
                    await type_it(shell, port)
                    assert shell.stdin is not None
                    await shell.stdin.aclose()
                    await shell.wait()
            finally:
                shell.kill()

    trio.run(by_hand)


async def type_it(shell: trio.Process, port: int) -> None:
    """Type what the page says, and see that the messages come with which its blocks end."""
    assert shell.stdin is not None
    assert shell.stdout is not None
    game, received = "", b""
    (first, _), (hello, *steps) = shell_blocks(), blocks_of_page()
    await shell.stdin.send_all(first.replace("7171", str(port)).encode())
    assert hello.splitlines()[0] in {f"> {said}" for said in re.findall(r"'(\{.*\})'", first)}
    for step in steps:
        for line in step.splitlines():
            if line[0] == ">":
                said = line[2:].replace(GAME, game)
                if '"id":121' not in said:  # the left-out middle is not played
                    await shell.stdin.send_all(f"printf '%s\\n' '{said}' >&3\n".encode())
        wanted = json.loads(step.splitlines()[-1][2:])["type"]
        while True:
            while b"\n" not in received:
                data = await shell.stdout.receive_some()
                assert data, "the shell has ended"
                received += data
            text, _, received = received.partition(b"\n")
            message = json.loads(text)
            game = message.get("game", game)
            if message["type"] == wanted:
                break
