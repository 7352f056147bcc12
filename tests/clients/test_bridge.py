"""The bridge with programs that behave, and programs that end, against a server that follows a script."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest
import trio
from bridged import ANSWERS, answering, one_game, play
from served import WELCOME, Peer, end, gone, request, rest_of, scripted, started

from clients import Settings, program_log
from clients.bridge import bridge, outcome
from protocol.messages import End


@pytest.mark.trio
async def test_program_answers_each_request_with_an_index() -> None:
    async with scripted(one_game) as port:
        assert await play(port, answering("echo 1")) == []


@pytest.mark.trio
async def test_program_may_answer_with_text_or_a_whole_move() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1))
        await peer.expect("move", id=1, choice="load:rice@ship-0")
        await peer.send(request(2))
        await peer.expect("move", id=2, choice=0)
        await peer.send(end())
        await peer.goodbye()

    whole = '{"type":"move","game":"g1","id":2,"choice":0}'
    program = f"case $line in *'\"id\":1,'*) echo load:rice@ship-0 ;; *) echo '{whole}' ;; esac"
    async with scripted(script) as port:
        assert await play(port, answering(program)) == []


@pytest.mark.trio
async def test_program_reads_the_messages_of_its_games_and_nothing_else(tmp_path: Path) -> None:
    async with scripted(one_game) as port:
        command = [
            "sh",
            "-c",
            'while read -r line; do echo "$line" >>"$0"; case $line in *options*) echo 1 ;; esac; done',
            str(tmp_path / "in"),
        ]
        assert await play(port, command) == []
    lines = (tmp_path / "in").read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        '{"type":"start"',
        '{"type":"request"',
        '{"type":"end"',
    ]


@pytest.mark.trio
async def test_blank_in_the_path_starts_the_right_program(tmp_path: Path) -> None:  # S057
    for name, answer in (("my", 2), ("my bot", 1)):
        path = tmp_path / "bots" / name if name == "my" else tmp_path / "bots" / name / "run bot"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh" + ANSWERS.format(f"echo {answer}"))
        path.chmod(0o755)
    async with scripted(one_game) as port:
        assert await play(port, [str(tmp_path / "bots/my bot/run bot"), "an argument"]) == []


@pytest.mark.trio
async def test_ten_megabytes_on_stderr_slow_nothing_and_are_cut_in_the_middle(tmp_path: Path) -> None:  # S055
    noise = "head -c 10000000 /dev/zero | tr '\\0' x >&2; echo first >&2; echo 1; echo last words >&2"
    log = tmp_path / "log"
    log.write_bytes(b"of the last run\n")
    async with scripted(one_game) as port:
        assert await play(port, answering(noise), stderr=log) == []
    text = log.read_bytes()
    assert len(text) <= program_log.HEAD + program_log.TAIL + 100
    assert text.startswith(b"of the last run\n[mine: the game g1 begins]\nxxx")
    assert b"bytes are left out]" in text
    assert b"last words\n" in text[-100:]


@pytest.mark.trio
async def test_notes_for_the_author_stand_in_the_log(tmp_path: Path) -> None:
    async with scripted(one_game) as port:
        await play(port, answering("printf '1\\nhello\\n'"), stderr=tmp_path / "log")
    told = "[mine: the program wrote 'hello', but nothing was asked]"
    assert told in (tmp_path / "log").read_text().splitlines()


@pytest.mark.trio
async def test_log_says_where_a_game_begins_and_ends(tmp_path: Path) -> None:
    async with scripted(one_game) as port:
        await play(port, answering("echo thinking >&2; echo 1"), stderr=tmp_path / "log")
    assert (tmp_path / "log").read_text() == (
        "[mine: the game g1 begins]\nthinking\n[mine: the game g1 ends: place 1 of 2]\n"
    )


# Programs that end


@pytest.mark.trio
@pytest.mark.parametrize("welcomed", [False, True])
async def test_exit_before_and_after_the_welcome_is_noticed(welcomed: bool, tmp_path: Path) -> None:  # S058
    async def script(peer: Peer) -> None:
        await peer.expect("hello")
        if welcomed:
            await peer.send(WELCOME)
            await peer.expect("ping")
        (tmp_path / "go").write_bytes(b"go\n")
        await peer.goodbye()

    os.mkfifo(tmp_path / "go")
    async with scripted(script) as port:
        command = ["sh", "-c", 'read -r line <"$0"; exit 3', str(tmp_path / "go")]
        assert await play(port, command) == ["sh ended with exit code 3"]


@pytest.mark.trio
async def test_exit_in_mid_game_is_told_before_the_seat_is_given_up() -> None:  # S058
    order: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()
        order.append("bye")

    async with scripted(script) as port:
        settings = Settings("mine", port=port, games=1)
        code = await bridge(settings, answering("exit 3"), failed=order.append)
    assert (code, order) == (3, ["sh ended with exit code 3", "bye"])


@pytest.mark.trio
async def test_signal_that_ended_the_program_is_named() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        assert await play(port, answering("kill -9 $$")) == ["sh was ended by signal 9 (Killed)"]


@pytest.mark.trio
@pytest.mark.usefixtures("_unsettled")
async def test_program_whose_child_holds_its_stdout_is_still_seen_to_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        assert await play(port, answering("sleep 60 & exit 3")) == ["sh ended with exit code 3"]


@pytest.mark.trio
@pytest.mark.usefixtures("_unsettled")
async def test_program_that_closes_its_stdout_plays_no_more() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        assert await play(port, answering("exec >&-")) == ["sh has closed its stdout"]


@pytest.mark.trio
async def test_failure_at_the_end_of_its_input_is_none() -> None:
    async with scripted(one_game) as port:
        assert await play(port, ["sh", "-c", ANSWERS.format("echo 1") + "exit 1"]) == []


@pytest.mark.trio
async def test_program_that_leaves_after_its_game_has_not_failed() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.expect("join")
        await peer.goodbye()

    failures: list[str] = []
    async with scripted(script) as port:
        program = ["sh", "-c", """while read -r line; do case $line in *'"end"'*) exit 0 ;; esac; done"""]
        assert await bridge(Settings("mine", port=port), program, failed=failures.append) == 0
    assert failures == []


@pytest.mark.trio
async def test_program_that_cannot_be_started_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        await bridge(Settings("mine"), ["./no such program"])


# Nothing stays


STUBBORN = """
while read -r line; do
    case $line in *'"type":"request"'*) break ;; esac
done
trap '' TERM
sh -c 'while :; do sleep 1; done' &
child=$!
setsid sh -c 'trap "" TERM; while :; do sleep 1; done' &
echo $$ $child $! >"$0"
echo 1
while :; do sleep 1; done
"""


@pytest.mark.trio
@pytest.mark.usefixtures("_impatient")
async def test_program_that_ignores_all_is_killed_with_its_children(tmp_path: Path) -> None:  # S056, S059
    async with scripted(one_game) as port:
        assert await play(port, ["sh", "-c", STUBBORN, str(tmp_path / "pids")]) == []
    await all_gone(tmp_path / "pids")


@pytest.mark.trio
@pytest.mark.usefixtures("_impatient")
async def test_program_is_gone_when_the_bridge_is_cancelled(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:

        async def script(peer: Peer) -> None:
            await peer.begin()
            await peer.send(request())
            await peer.expect("move")
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await peer.goodbye()

        async with scripted(script) as port:
            await play(port, ["sh", "-c", STUBBORN, str(tmp_path / "pids")])
    await all_gone(tmp_path / "pids")


IMPATIENT = """
from arena.cli import main
from clients import bridge

bridge.LAST_WORDS = bridge.TERM = 0.2
main()
"""
"""The command, with less time for a program that does not end by itself."""


@pytest.mark.trio
@pytest.mark.parametrize(("signals", "code"), [([signal.SIGINT] * 2, 130), ([signal.SIGTERM], 143)])
async def test_signals_to_the_command_end_the_program_in_order(  # S056
    signals: list[signal.Signals], code: int, tmp_path: Path
) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", choice=1)
        for number in signals:
            command.send_signal(number)
        await peer.goodbye()

    async with scripted(script) as port:
        arguments = ["--connect", f"127.0.0.1:{port}", "--", "sh", "-c", STUBBORN, str(tmp_path / "pids")]
        command = await started([sys.executable, "-c", IMPATIENT, "bridge", *arguments])
        assert await rest_of(command) == b""
    assert command.returncode == code
    await all_gone(tmp_path / "pids")


@pytest.mark.trio
async def test_killed_bridge_closes_the_input_of_the_program_which_ends(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move")
        command.kill()
        assert await peer.next() is None

    reader = 'echo $$ >"$0"; while read -r line; do case $line in *request*) echo 0 ;; esac; done'
    async with scripted(script) as port:
        arguments = ["--connect", f"127.0.0.1:{port}", "--", "sh", "-c", reader, str(tmp_path / "pid")]
        command = await started([sys.executable, "-m", "arena", "bridge", *arguments])
        await rest_of(command)
    await gone(int((tmp_path / "pid").read_text()))


@pytest.mark.trio
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("keeps", [False, True])
async def test_signals_to_a_shipped_bot_give_its_seat_up_unless_it_keeps_its_key(
    name: str, code: int, keeps: bool, tmp_path: Path
) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        command.send_signal(signal.Signals[name])
        if keeps:
            assert await peer.next() is None
        else:
            await peer.goodbye()

    async with scripted(script) as port:
        arguments = ["--connect", f"127.0.0.1:{port}"]
        if keeps:
            arguments += ["--key-file", str(tmp_path / "key")]
        command = await started([sys.executable, "-m", "arena", "bot", "random", *arguments])
        assert await rest_of(command) == b""
    assert command.returncode == code
    assert (tmp_path / "key").exists() == keeps


@pytest.mark.trio
async def test_command_tells_the_exit_code_of_the_program_and_fails() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        arguments = ["--connect", f"127.0.0.1:{port}", "--", *answering("exit 3")]
        command = await started([sys.executable, "-m", "arena", "bridge", *arguments])
        told = (await rest_of(command)).decode()
    assert command.returncode == 1
    assert told.splitlines()[-1] == "Error: sh ended with exit code 3"


async def all_gone(pids: Path) -> None:
    found = [int(word) for word in pids.read_text().split()]
    assert len(found) == 3
    for pid in found:
        await gone(pid)


@pytest.mark.trio
async def test_shipped_bot_says_at_the_end_how_it_did() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        arguments = ["random", "--connect", f"127.0.0.1:{port}", "--games", "1"]
        command = await started([sys.executable, "-m", "arena", "bot", *arguments])
        told = (await rest_of(command)).decode()
    assert told.splitlines() == ["g1: credits, place 1 of 2 in seat 0; places by seat [1, 2]"]


@pytest.mark.trio
async def test_command_says_at_the_end_what_was_played() -> None:
    async with scripted(one_game) as port:
        arguments = ["--connect", f"127.0.0.1:{port}", "--games", "1", "--", *answering("echo 1")]
        command = await started([sys.executable, "-m", "arena", "bridge", *arguments])
        told = (await rest_of(command)).decode()
    assert command.returncode == 0
    assert told.splitlines()[-1] == "1 game played: place 1 of 2"


@pytest.mark.parametrize(
    ("seat", "told"),
    [(0, "place 1 of 2"), (1, "place 2 of 2 (timeout)"), (None, "not played to its end (credits)")],
)
def test_outcome_of_a_game_is_told_for_the_seat(seat: int | None, told: str) -> None:
    message = End.model_validate_json(json.dumps({**end(), "reasons": ["normal", "timeout"]}))
    assert outcome(message, seat) == told


@pytest.mark.trio
async def test_program_does_not_get_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    async with scripted(one_game) as port:
        assert await play(port, answering('[ -z "$ARENA_TOKEN" ] && echo 1 || echo 2')) == []
