"""What goes wrong for the Python client, and what its author is told."""

from __future__ import annotations

import json
import math
import signal
import socket
import ssl
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
import trio
import trustme
from served import (
    LIMITS,
    PATIENCE,
    Peer,
    default,
    end,
    line_of,
    play,
    real,
    request,
    rest_of,
    scripted,
    started,
)

from clients import Client, Refused, Settings, Unreachable, WireRequest, client, run
from clients.client import address
from clients.watching import Watcher
from protocol.messages import Join, Request


@pytest.mark.trio
async def test_server_that_is_not_there_is_told_in_one_sentence() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]  # bound, but nobody listens
        with pytest.raises(Unreachable, match=rf"127.0.0.1:{port} cannot be reached: Connection refused; "):
            await play(port)


@pytest.mark.trio
@pytest.mark.parametrize(
    ("code", "text"), [("name-taken", "the name mine is in use"), ("bad-token", "the name needs its token")]
)
async def test_refused_login_is_the_sentence_of_the_server(code: str, text: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send({"type": "error", "code": code, "text": text})
        await peer.expect("bye")

    async with scripted(script) as port:
        with pytest.raises(Refused, match=text):
            await play(port)


@pytest.mark.trio
async def test_version_of_a_newer_server_is_refused_with_both_versions_named() -> None:  # S005
    async def script(peer: Peer) -> None:
        await peer.expect("hello", protocol="1.0")
        text = "the protocol is 1.0, this server speaks 2.0"
        await peer.send({"type": "error", "code": "version", "text": text})
        await peer.send({"type": "bye", "reason": "version"})

    async with scripted(script) as port:
        with pytest.raises(Refused, match=r"1\.0.*2\.0"):
            await play(port)


@pytest.mark.trio
async def test_other_program_behind_the_port_is_told_from_a_server() -> None:
    async def script(peer: Peer) -> None:
        await peer.stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await peer.next()

    async with scripted(script) as port:
        with pytest.raises(Refused, match="another program"):
            await play(port)


@pytest.mark.trio
async def test_server_that_hangs_up_without_a_word_is_left_after_some_tries() -> None:
    async def script(peer: Peer) -> None:
        await peer.expect("hello")

    async with scripted(*[script] * client.CONNECT_TRIES) as port:
        with pytest.raises(Unreachable, match="without a welcome; perhaps it speaks TLS"):
            await play(port)


@pytest.mark.trio
@pytest.mark.parametrize(("away", "join"), [(0.0, None), (PATIENCE, None), (math.inf, Join(table="queue"))])
async def test_bot_of_a_tournament_or_with_all_time_may_come_before_the_server(
    away: float, join: Join | None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(client, "LAST_WAIT", 0.001)

    async def nobody(peer: Peer) -> None:
        await peer.expect("hello")

    async def tournament(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "pong"}, {"type": "bye", "reason": "shutdown"})

    begins = [nobody, nobody, tournament] if away else []
    async with scripted(*[nobody] * client.CONNECT_TRIES, *begins) as port:
        bot = Client(Settings("mine", port=port, join=join, away=away), default)
        if away:
            await bot.run()
        else:
            with pytest.raises(Unreachable, match="without a welcome"):
                await bot.run()
    assert capfd.readouterr().err.count("a tournament may begin later") == bool(away)


@pytest.mark.trio
async def test_server_that_stays_away_is_given_up_with_the_time_that_was_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.001)
    monkeypatch.setitem(LIMITS, "resume", 0)

    async def gone(peer: Peer) -> None:
        await peer.log_in()

    async def silent(peer: Peer) -> None:
        await peer.expect("hello")

    async with scripted(gone, silent) as port:
        with pytest.raises(Unreachable, match=r"It was tried for \d+ s \(`away`\)"):
            await Client(Settings("mine", port=port, away=0.0), default).run()


def test_seconds_that_are_none_are_refused() -> None:
    for away in (-1.0, math.nan):
        with pytest.raises(ValueError, match="give seconds, 0 or more"):
            run(default, name="mine", away=away)


@pytest.mark.trio
async def test_error_about_one_game_does_not_end_the_others(
    capfd: pytest.CaptureFixture[str],
) -> None:  # S021
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(
            {"type": "error", "code": "too-late", "text": "request 1 was late", "game": "g1", "id": 1},
            {"type": "error", "code": "bad-choice", "text": "choice 7 is none", "game": "g1", "id": 1},
            {"type": "error", "code": "flood", "text": "too many messages"},
            request(2),
        )
        await peer.expect("move", id=2)
        crossed = {"type": "error", "code": "game-over", "text": "g1 is over", "game": "g1", "id": 2}
        await peer.send(end(), crossed)
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)
    told = capfd.readouterr().err
    texts = ("request 1 was late", "choice 7 is none", "too many messages", "g1 is over")
    assert all(text in told for text in texts)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def certificate(authority: trustme.CA, folder: Path) -> dict[str, Path]:
    """The settings of a server that speaks TLS."""
    issued = authority.issue_cert("127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(folder / "cert.pem")
    return {"cert": folder / "cert.pem", "key": folder / "cert.pem"}


@pytest.mark.trio
async def test_bot_logs_in_over_tls(authority: trustme.CA, tmp_path: Path) -> None:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    async with real(tmp_path, **certificate(authority, tmp_path)) as port:
        watcher = await Watcher.log_in("127.0.0.1", port, tls=context)
        assert (await watcher.games()).queue == 0
        await watcher.aclose()


@pytest.mark.trio
async def test_certificate_that_is_not_trusted_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    async with real(tmp_path, **certificate(authority, tmp_path)) as port:
        with pytest.raises(Refused, match=r"TLS with 127.0.0.1:\d+ failed: .*certificate verify failed"):
            await play(port, tls=ssl.create_default_context())


@pytest.mark.trio
async def test_tls_that_the_server_does_not_speak_is_told(tmp_path: Path) -> None:
    async with real(tmp_path) as port:
        with pytest.raises(Refused, match=r"TLS with 127.0.0.1:\d+ failed"):
            await play(port, tls=ssl.create_default_context())


@pytest.mark.trio
async def test_tls_that_only_the_server_speaks_is_told(authority: trustme.CA, tmp_path: Path) -> None:
    async with real(tmp_path, **certificate(authority, tmp_path)) as port:
        with pytest.raises(
            (Refused, Unreachable), match=r"perhaps it speaks TLS|another program|was lost|connect with TLS"
        ):
            await play(port)


class OutOfIdeas(Exception):
    pass


def fail(request: WireRequest) -> int:
    raise OutOfIdeas("no idea")


async def fail_later(request: WireRequest) -> int:
    await trio.lowlevel.checkpoint()
    raise OutOfIdeas("no idea")


@pytest.mark.trio
@pytest.mark.parametrize("choose", [fail, fail_later])
async def test_bot_that_raises_gives_its_seat_up_and_its_author_gets_the_error(choose: Any) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        with pytest.raises(OutOfIdeas):
            await play(port, choose)


@pytest.mark.trio
async def test_bot_that_raises_keeps_the_way_back_if_it_has_a_key_file(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        assert await peer.next() is None

    async with scripted(script) as port:
        with pytest.raises(OutOfIdeas):
            await play(port, fail, key_file=tmp_path / "key")
    assert (tmp_path / "key").read_text() == "the-key"


@pytest.mark.parametrize("answer", [None, True, 3, -1, 1.0, "load:gold@ship-0", ""])
def test_answer_that_is_no_option_is_a_bug_of_the_bot(answer: object) -> None:
    asked = WireRequest(Request.model_validate_json(json.dumps(request())), 0, 1)
    with pytest.raises(ValueError, match="answer an index from 0 to 2, or the text of an option"):
        asked.checked(answer)


def test_integers_of_other_libraries_are_answers() -> None:
    asked = WireRequest(Request.model_validate_json(json.dumps(request())), 0, 1)
    assert asked.checked(numpy.int64(2)) == 2


def test_what_was_not_asked_for_is_told_with_the_remedy() -> None:
    asked = WireRequest(Request.model_validate_json(json.dumps(request(view=None))), 0, 1)
    with pytest.raises(ValueError, match="views=True"):
        _ = asked.view
    with pytest.raises(ValueError, match="samples=True"):
        asked.sample(1)


SCRIPT = """
import sys
from clients import run

def choose(request):
    if sys.argv[2] == "raise":
        raise ArithmeticError("no idea")
    print("thinks", flush=True)
    sys.stdin.read()
    return 0

run(choose, name="mine", connect=sys.argv[1])
"""


@pytest.mark.trio
async def test_script_that_raises_shows_its_traceback_and_fails() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        bot = await started([sys.executable, "-c", SCRIPT, f"127.0.0.1:{port}", "raise"])
        told = (await rest_of(bot)).decode()
    assert bot.returncode == 1
    assert "\nArithmeticError: no idea\n" in told
    assert "Exception Group" not in told


@pytest.mark.trio
async def test_ctrl_c_is_quiet_and_gives_the_seat_up() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        bot = await started([sys.executable, "-c", SCRIPT, f"127.0.0.1:{port}", "think"])
        assert await line_of(bot) == "thinks"
        bot.send_signal(signal.SIGINT)
        assert await rest_of(bot) == b""
    assert bot.returncode == 130


def test_run_tells_in_one_sentence_what_stops_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(self: Client) -> None:
        await trio.lowlevel.checkpoint()
        raise Refused("the name mine is in use")

    monkeypatch.setattr(Client, "run", refuse)
    with pytest.raises(SystemExit, match=r"^mine: the name mine is in use$"):
        run(default, name="mine")


@pytest.mark.trio
async def test_heard_gets_every_message() -> None:
    heard: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "events", "game": "g1", "first": 1, "events": [{"event": "x"}]}, end())
        await peer.goodbye()

    async with scripted(script) as port:
        await Client(
            Settings("mine", port=port, games=1), default, lambda message: heard.append(message.type)
        ).run()
    assert heard == ["welcome", "pong", "joined", "start", "events", "end", "bye"]


@pytest.mark.parametrize("text", ["localhost", ":7171", "host:", "host:0", "host:70000", "host:7x", "a b"])
def test_wrong_address_is_told_with_the_right_form(text: str) -> None:
    with pytest.raises(ValueError, match="write HOST:PORT"):
        address(text)


def test_address_may_be_of_either_kind() -> None:
    assert address("127.0.0.1:7171") == ("127.0.0.1", 7171)
    assert address("[::1]:7171") == ("::1", 7171)


def test_wishes_that_no_game_can_fulfil_are_told_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"^join\.wanted\.seats is 9; expected an integer from 2 to 6"):
        run(lambda request: 0, name="mine", wanted={"seats": 9})
