"""The Python client against a server that follows a script, and once against the real one."""

from __future__ import annotations

import json
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
from served import PATIENCE, WELCOME, Peer, end, line_of, real, request, rest_of, scripted, start, started

from clients import Client, Refused, Settings, Unreachable, WireRequest, client, run
from clients.client import address
from clients.watching import Watcher
from protocol.messages import Request


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def default(request: WireRequest) -> int:
    return request.default


async def play(port: int, choose: Any = default, **settings: Any) -> Client:
    player = Client(Settings("mine", port=port, **{"games": 1, **settings}), choose)
    await player.run()
    return player


@pytest.mark.trio
async def test_bot_is_one_function_from_a_request_to_an_option() -> None:
    def second(request: WireRequest) -> int:
        assert (request.seat, request.kind, request.view["turn"]) == (0, "load", 1)
        return 1

    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", game="g1", id=1, choice=1)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        player = await play(port, second)
    assert [result.places for result in player.results] == [(1, 2)]


@pytest.mark.trio
async def test_bot_may_answer_with_the_text_of_an_option() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", choice="load:rice@ship-0")
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, lambda request: request.options[2])


class Thinker:
    """An async bot that answers the first game only once the second has asked."""

    def __init__(self) -> None:
        self.second = trio.Event()

    async def __call__(self, request: WireRequest) -> int:
        if request.game == "g1":
            await self.second.wait()
        self.second.set()
        return request.default


@pytest.mark.trio
async def test_async_bot_thinks_about_several_games_at_once() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin("g1", "g2")
        await peer.send(request(game="g1"), request(game="g2"))
        answered = {(await peer.expect("move"))["game"], (await peer.expect("move"))["game"]}
        assert answered == {"g1", "g2"}
        await peer.send(end("g1"), end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        player = await play(port, Thinker(), games=2)
    assert len(player.results) == 2


@pytest.mark.trio
async def test_goodbye_waits_for_the_other_games_of_the_connection() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin("g1", "g2")
        await peer.send(end("g1"), request(game="g2"))
        await peer.expect("move", game="g2")
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, games=1)


@pytest.mark.trio
async def test_next_game_is_joined_when_the_last_is_over() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.expect("join", table="queue")
        await peer.send(start("g2"))
        await peer.expect("ready", game="g2")
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, games=2)


@pytest.mark.trio
async def test_unknown_messages_and_fields_are_passed_over_with_one_warning_each(  # S006
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "weather", "rain": True}, {"type": "weather", "rain": False})
        for number in (1, 2, 3):
            await peer.send(request(number, mood="good"))
            await peer.expect("move", id=number)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)
    told = capfd.readouterr().err.splitlines()
    assert len([line for line in told if "weather" in line]) == 1
    assert len([line for line in told if "mood" in line]) == 1


@pytest.mark.trio
async def test_long_line_that_comes_in_small_pieces_is_read_whole() -> None:  # S004
    async def script(peer: Peer) -> None:
        await peer.begin()
        view = {"turn": 1, "text": "x" * 20_000}
        line = Request.model_validate(request(view=view), strict=False).model_dump_json().encode() + b"\n"
        for place in range(0, len(line), 1000):
            await peer.stream.send_all(line[place : place + 1000])
        await peer.expect("move")
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, lambda request: len(request.view["text"]) - 20_000)


# Coming back


@pytest.mark.trio
@pytest.mark.parametrize("how", ["closed", "reset", "slow", "suspended"])
async def test_lost_connection_is_resumed_with_the_key_of_the_welcome(how: str) -> None:
    async def first(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1))
        await peer.expect("move", id=1)
        if how == "reset":
            await peer.reset()
        elif how == "slow":
            await peer.send({"type": "bye", "reason": "slow"})
        elif how == "suspended":
            await peer.send({"type": "bye", "reason": "shutdown", "suspended": ["g1"]})

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(start(), {"type": "snapshot", "game": "g1", "number": 1, "view": {}}, request(2))
        await peer.send({"type": "pong"})
        await peer.expect("ready")
        await peer.expect("move", id=2)
        await peer.send(end())
        await peer.goodbye()  # and no join in between

    async with scripted(first, second) as port:
        player = await play(port)
    assert len(player.results) == 1


@pytest.mark.trio
async def test_name_that_a_connection_lost_before_its_welcome_still_has_is_asked_for_again() -> None:
    taken = {"type": "error", "code": "name-taken", "text": "the name mine is in use"}

    async def first(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.reset()

    async def second(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send(taken)
        assert await peer.next() is None

    async def third(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.goodbye()

    async with scripted(first, second, third) as port:
        assert len((await play(port)).results) == 1


@pytest.mark.trio
async def test_end_that_was_missed_is_heard_after_coming_back_and_the_next_game_is_asked_for_once() -> None:
    async def first(peer: Peer) -> None:
        await peer.begin()

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(end(), {"type": "pong"})
        await peer.expect("join")
        await peer.send({"type": "joined", "table": "queue"}, start("g2"))
        await peer.expect("ready", game="g2")  # and no join in between
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(first, second) as port:
        player = await play(port, games=2)
    assert [result.game for result in player.results] == ["g1", "g2"]


@pytest.mark.trio
async def test_what_was_still_thought_about_when_the_connection_was_lost_is_asked_again() -> None:
    asked = []

    async def think(request: WireRequest) -> int:
        asked.append(request.id)
        if len(asked) == 1:
            await trio.sleep_forever()
        return 0

    async def first(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(7))

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(start(), request(7), {"type": "pong"})
        await peer.expect("ready")
        await peer.expect("move", id=7)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(first, second) as port:
        await play(port, think)
    assert asked == [7, 7]


@pytest.mark.trio
async def test_key_that_the_server_does_not_know_any_more_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("old-key")

    async def script(peer: Peer) -> None:
        await peer.expect("hello", resume="old-key")
        await peer.send({"type": "error", "code": "bad-resume", "text": "too late"})
        hello = await peer.expect("hello")
        assert "resume" not in hello
        await peer.send(WELCOME)
        await peer.expect("ping")
        await peer.send({"type": "pong"})
        await peer.expect("join")
        await peer.send(start(), end())
        await peer.expect("ready")
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, key_file=tmp_path / "key")
    assert not (tmp_path / "key").exists()


@pytest.mark.trio
async def test_who_waits_in_the_queue_already_does_not_join_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "joined", "table": "queue"}, {"type": "pong"}, start(), end())
        await peer.expect("ready")
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)


@pytest.mark.trio
async def test_key_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"

    async def script(peer: Peer) -> None:
        await peer.begin()
        assert path.read_text() == "the-key"
        assert path.stat().st_mode & 0o777 == 0o600
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, key_file=path)


BOT = """
import sys
from clients import run

def choose(request):
    if "--hang" in sys.argv and request.id == 3:
        print("hangs", flush=True)
        sys.stdin.read()
    return request.default

wanted = {"seats": 2, "fill": ["random"]}
for end in run(choose, name="mine", connect=sys.argv[1], key_file=sys.argv[2], wanted=wanted, games=1):
    print(*(reason.value for reason in end.reasons))
"""


@pytest.mark.trio
async def test_killed_bot_is_started_again_and_finds_its_game(tmp_path: Path) -> None:  # S023
    async with real(tmp_path) as port:
        command = [sys.executable, "-c", BOT, f"127.0.0.1:{port}", str(tmp_path / "key")]
        first = await started([*command, "--hang"])
        assert await line_of(first) == "hangs"
        first.kill()
        await first.wait()
        with trio.fail_after(PATIENCE):
            second = await trio.run_process(command, capture_stdout=True)
    assert second.stdout == b"normal normal\n"


@pytest.mark.trio
async def test_server_that_stops_ends_the_bot_in_peace(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "bye", "reason": "shutdown", "text": "back in a minute"})

    async with scripted(script) as port:
        assert (await play(port)).results == []
    assert "back in a minute" in capfd.readouterr().err


# What goes wrong


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
async def test_error_about_one_game_does_not_end_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(
            {"type": "error", "code": "too-late", "text": "request 1 was late", "game": "g1", "id": 1},
            {"type": "error", "code": "bad-choice", "text": "choice 7 is none", "game": "g1", "id": 1},
            {"type": "error", "code": "flood", "text": "too many messages"},
            request(2),
        )
        await peer.expect("move", id=2)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)
    told = capfd.readouterr().err
    assert all(text in told for text in ("request 1 was late", "choice 7 is none", "too many messages"))


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
    asked = WireRequest(Request.model_validate_json(json.dumps(request())), 0)
    with pytest.raises(ValueError, match="answer an index from 0 to 2, or the text of an option"):
        asked.checked(answer)


def test_integers_of_other_libraries_are_answers() -> None:
    asked = WireRequest(Request.model_validate_json(json.dumps(request())), 0)
    assert asked.checked(numpy.int64(2)) == 2


def test_what_was_not_asked_for_is_told_with_the_remedy() -> None:
    asked = WireRequest(Request.model_validate_json(json.dumps(request(view=None))), 0)
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
