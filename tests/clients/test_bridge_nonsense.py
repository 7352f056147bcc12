"""The bridge with programs that talk nonsense, or do not listen."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import trio
from bridged import answering, one_game, play
from served import WELCOME, Peer, end, request, scripted, start

from clients import bridge as module
from clients.bridge import Bridge, time_left
from protocol.messages import Remaining


@pytest.mark.trio
@pytest.mark.parametrize(
    ("nonsense", "note"),
    [
        ("echo '{half a message'", "the program's line is no message"),
        ("""echo '{"type":"bye"}'""", "only move is passed on"),
        ("head -c 100000 /dev/zero | tr '\\0' x; echo", "a line of over 4096 bytes"),
        ("""echo '{"type":"move","game":"g9","id":1,"choice":0}'""", "too late or too often"),
        ("printf '\\377\\376\\n\\n \\n\\r\\n' >&2", ""),
        ("echo; echo ' '", ""),
    ],
)
async def test_nonsense_is_noted_once_and_the_answer_still_counts(
    nonsense: str, note: str, capfd: pytest.CaptureFixture[str]
) -> None:  # S003, S078
    async with scripted(one_game) as port:
        assert await play(port, answering(f"{nonsense}; {nonsense}; printf 1; echo")) == []
    assert capfd.readouterr().err.count(note) == 1 or not note


@pytest.mark.trio
@pytest.mark.parametrize(
    ("line", "choice"),
    [("99999", "99999"), ("-1", "-1"), ("12345678901234567890", "12345678901234567890"), ("true", "true")],
)
async def test_wrong_answers_are_left_to_the_referee(line: str, choice: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", id=1, choice=choice)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        assert await play(port, answering(f"echo {line}")) == []


ILLEGAL = {"type": "error", "code": "bad-choice", "text": "No.", "game": "g1", "id": 1}


@pytest.mark.trio
async def test_request_comes_again_after_a_wrong_answer_while_tries_are_left(tmp_path: Path) -> None:  # S016
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1))
        for tries in (2, 1, 0):
            await peer.expect("move", id=1, choice="hello")
            await peer.send(ILLEGAL | {"tries": tries})
        await peer.send(request(2))
        await peer.expect("move", id=2, choice=1)
        await peer.send(end())
        await peer.goodbye()

    program = f'echo "$line" >>{tmp_path}/in; case $line in *\'"id":1,\'*) echo hello ;; *) echo 1 ;; esac'
    async with scripted(script) as port:
        assert await play(port, answering(program)) == []
    again = [json.loads(line) for line in (tmp_path / "in").read_text().splitlines()]
    assert [message["id"] for message in again] == [1, 1, 1, 2]
    assert [message.pop("clock")["move"] <= 5 for message in again] == [True] * 4
    assert again[1] == again[0]


@pytest.mark.parametrize(
    ("gone", "left"), [(0.0, (2.0, 3.0)), (1.5, (0.5, 3.0)), (3.0, (0.0, 2.0)), (9.0, (0.0, 0.0))]
)
def test_request_that_comes_again_has_less_time(gone: float, left: tuple[float, float]) -> None:
    clock = time_left(Remaining(move=2.0, bank=3.0), gone)
    assert (clock.move, clock.bank) == left


@pytest.mark.trio
async def test_program_is_told_once_that_its_line_is_no_answer(tmp_path: Path) -> None:
    program = f"""
        case $line in
        *'"type":"request"'*) echo '{{"choice":1}}'; echo '{{"choice":1}}' ;;
        *'"type":"error"'*) echo "$line" >>{tmp_path}/in; echo 1 ;;
        esac
    """
    async with scripted(one_game) as port:
        assert await play(port, ["sh", "-c", f"while read -r line; do {program} done"]) == []
    (line,) = (tmp_path / "in").read_text().splitlines()
    error = json.loads(line)
    assert (error["game"], error["id"], error["code"]) == ("g1", 1, "missing-field")
    assert "tries" not in error


@pytest.mark.trio
async def test_second_answer_is_passed_over(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1))
        await peer.expect("move", id=1, choice=1)
        await peer.send({"type": "events", "game": "g1", "first": 1, "events": []}, end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, answering("printf '1\\n2\\n'"))
    assert "wrote '2', but nothing was asked" in capfd.readouterr().err


@pytest.mark.trio
async def test_late_answer_belongs_to_its_own_request() -> None:
    """Two requests are open, for the first one's time was up; the answers come in order."""

    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1), request(2))
        await peer.expect("move", id=2, choice=2)  # the first is late and not passed on
        await peer.send(end())
        await peer.goodbye()

    wait = "read -r line; printf '1\\n2\\n'"
    async with scripted(script) as port:
        assert await play(port, answering(wait)) == []


@pytest.mark.trio
async def test_flood_of_moves_does_not_reach_the_server() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        for _ in range(module.MAX_TRIES):
            await peer.expect("move", id=1, choice=7)
        await peer.send(end())
        await peer.goodbye()

    flood = """yes '{"type":"move","game":"g1","id":1,"choice":7}' | head -n 1000"""
    async with scripted(script) as port:
        assert await play(port, answering(flood)) == []


@pytest.mark.trio
async def test_answer_between_two_connections_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = trio.Event()
    answer = Bridge.answer

    async def noted(self: Bridge, line: bytes) -> None:
        await answer(self, line)
        answered.set()

    async def first(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(5))

    async def second(peer: Peer) -> None:
        await peer.expect("hello", resume="the-key")
        (tmp_path / "go").write_bytes(b"go\n")
        await answered.wait()  # while nobody is logged in
        await peer.send(WELCOME, start(), request(5))
        await peer.expect("ping")
        await peer.expect("ready")
        await peer.expect("move", id=5, choice=1)
        await peer.send(end())
        await peer.goodbye()

    monkeypatch.setattr(Bridge, "answer", noted)
    os.mkfifo(tmp_path / "go")
    waits_once = '[ -p "$0" ] && read -r x <"$0" && rm "$0"; echo 1'
    async with scripted(first, second) as port:
        assert await play(port, [*answering(waits_once), str(tmp_path / "go")]) == []


@pytest.mark.trio
@pytest.mark.usefixtures("_impatient")
async def test_program_that_never_reads_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:  # S029
    monkeypatch.setattr(module, "MAX_UNREAD", 300_000)

    async def script(peer: Peer) -> None:
        await peer.begin()
        for number in range(8):
            await peer.send(
                {"type": "events", "game": "g1", "first": number + 1, "events": [{"event": "x" * 50_000}]}
            )
        await peer.goodbye()

    async with scripted(script) as port:
        failures = await play(port, ["sleep", "60"])
    assert failures == ["sleep does not read its stdin; over 300,000 bytes wait for it"]
