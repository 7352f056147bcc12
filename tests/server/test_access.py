"""Who gets in: tokens and roles, limits of connections, TLS, and those who took the wrong port."""

from __future__ import annotations

import re
import socket
import ssl
import sys
from datetime import UTC, datetime, timedelta

import pytest
import trio
import trustme
from structlog.testing import capture_logs

from arena.server.clients import Clients
from arena.server.config import Config
from arena.server.doorway import NO_TLS
from arena.server.server import ROUND
from arena.server.sockets import KERNEL_BUFFER, UNKNOWN, origin_of, round_trip
from arena.server.tokens import Role, TokenFile, TokenFileError, Tokens
from protocol import PhaseError
from tests.server.table import Wire, dial, dice, listening, make_token, open_hall

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tokens"


# The file


def test_a_token_is_nowhere_in_its_file_which_only_the_owner_can_read(path):  # S071
    token = make_token(path, "Ada")
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert Tokens(path, only=False).role_of("ADA", token) is Role.PLAYER


def test_one_name_has_one_token_until_it_is_revoked_or_ended(path):  # S077
    file = TokenFile(path)
    first = file.create("Ada", Role.PLAYER, NOW + timedelta(days=1), NOW)
    with pytest.raises(TokenFileError, match="revoke it first"):
        file.create("ada", Role.PLAYER, None, NOW)
    file.create("ada", Role.PLAYER, None, NOW + timedelta(days=2))
    file.revoke("ADA", NOW)
    with pytest.raises(TokenFileError, match="has no token"):
        file.revoke("Ada", NOW)
    assert first != file.create("Ada", Role.ORGANISER, None, NOW)
    assert [entry.role for entry in file.read().values()] == [Role.ORGANISER]


@pytest.mark.parametrize("only", [True, False])
def test_a_revoked_name_is_nobody_s(path, only):
    token = make_token(path, "Ada")
    TokenFile(path).revoke("Ada", NOW)
    tokens = Tokens(path, only=only)
    with pytest.raises(PhaseError, match="needs its token"):
        tokens.role_of("Ada", None)
    for given in token, "", "-" * 64:
        with pytest.raises(PhaseError, match="is not, or no longer, the one of the name Ada"):
            tokens.role_of("Ada", given)


def refusal(prove, name, *proof) -> tuple[str, str]:
    """The code and the words of a refusal, without the name."""
    with pytest.raises(PhaseError) as error:
        prove(name, *proof)
    return error.value.code, error.value.text.replace(name, "NAME")


def test_a_wrong_token_is_told_from_none_and_no_name_from_another(path):
    known = {name: make_token(path, name) for name in ("Ada", "Bo")}
    TokenFile(path).revoke("Bo", NOW)
    clients = Clients(Config(tokens=path, only_tokens=True))
    log_in = clients.tokens.role_of
    assert "needs its token" in refusal(log_in, "Ada", None)[1]
    assert "the token that was given is not" in refusal(log_in, "Ada", "wrong")[1]
    for name in "Ada", "Bo", "nobody":  # a name with a token, one whose token is revoked, and none
        assert refusal(log_in, name, None) == refusal(log_in, "Ada", None)
        for wrong in "wrong", known["Ada"].swapcase(), known["Bo"]:
            assert refusal(log_in, name, wrong) == refusal(log_in, "Ada", "wrong")
            for key in None, wrong:  # who only looks, in a browser with the same as a key, learns no more
                assert refusal(clients.prove, name, wrong, key) == refusal(log_in, "Ada", "wrong")


def test_a_token_holds_until_its_time_is_over(path):
    token = TokenFile(path).create("Ada", Role.PLAYER, NOW + timedelta(days=30), NOW)
    Tokens(path, only=False, now=lambda: NOW + timedelta(days=29)).role_of("Ada", token)
    late = Tokens(path, only=False, now=lambda: NOW + timedelta(days=30))
    with pytest.raises(PhaseError, match="has ended on 2026-03-31"):
        late.role_of("Ada", token)
    with pytest.raises(PhaseError, match="is not, or no longer"):  # who does not have it learns nothing
        late.role_of("Ada", "another")


@pytest.mark.parametrize(
    "line", ["Ada\tsecret-in-the-clear", '{"name":"Ada"}', "{", '{"sha256":"secret"}', "\xff"]
)
def test_a_wrong_line_is_named_and_not_quoted(path, line):
    make_token(path, "Ada")
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    with pytest.raises(TokenFileError, match=r"line 2, is no token; let `arena token create`") as error:
        TokenFile(path).read()
    assert "secret" not in str(error.value)


def test_a_line_that_an_editor_left_without_its_end_is_not_glued_to_the_next(path):
    make_token(path, "Ada")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    make_token(path, "Bo")
    assert [entry.name for entry in TokenFile(path).read().values()] == ["Ada", "Bo"]


def test_a_file_that_breaks_while_the_server_runs_changes_nothing(path):
    token = make_token(path, "Ada")
    tokens = Tokens(path, only=False)
    path.write_text("broken\n")
    assert tokens.refresh() == []
    assert tokens.role_of("Ada", token) is Role.PLAYER
    path.unlink()
    assert tokens.refresh() == []
    assert tokens.role_of("Ada", token) is Role.PLAYER


def test_of_a_changed_file_only_the_new_lines_are_checked(path, monkeypatch):
    for name in "Ada", "Bo", "Cleo":
        make_token(path, name)
    tokens = Tokens(path, only=False)
    checked = []
    check = TokenFile._entry
    monkeypatch.setattr(TokenFile, "_entry", lambda *args: (checked.append(args[1]), check(*args))[1])
    late = make_token(path, "Dora")  # which checks them all by itself
    TokenFile(path).revoke("Bo", NOW)
    checked.clear()
    assert tokens.refresh() == ["bo"]
    assert checked == [4, 5]
    assert tokens.role_of("Dora", late) is Role.PLAYER
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[1:]))
    assert tokens.refresh() == ["ada"]
    assert checked == [4, 5]


# Roles


async def test_a_spectator_watches_and_does_not_play(tmp_path, autojump_clock, path):
    token = make_token(path, "Eve", Role.SPECTATOR)
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await hall.seated()
        await game.ready()
        eve = await hall.login("Eve", token=token)
        for wanted in {"table": "queue"}, {"wanted": {"seats": 2}}:
            await eve.send("join", **wanted)
            error = await eve.expect("error", code="not-offered")
            assert "for watching" in error["text"]
        await eve.send("watch", game=game.id)
        await eve.expect("start")
        await eve.expect("snapshot", seat=None)


async def test_only_an_organiser_names_the_seed_where_seeds_are_off(tmp_path, autojump_clock, path):
    tokens = {role: make_token(path, role.value, role) for role in (Role.PLAYER, Role.ORGANISER)}
    async with open_hall(tmp_path, tokens=path, seeds=False) as hall:
        player = await hall.login("player", token=tokens[Role.PLAYER])
        await player.send("join", wanted={"seats": 2, "seed": 7})
        await player.expect("error", code="not-offered")
        organiser = await hall.login("organiser", token=tokens[Role.ORGANISER])
        await organiser.send("join", wanted={"seats": 2, "seed": 7})
        await organiser.expect("joined")


async def test_an_organiser_watches_a_game_that_has_all_its_watchers(tmp_path, autojump_clock, path):
    token = make_token(path, "Org", Role.ORGANISER)
    async with open_hall(tmp_path, tokens=path, watchers=1) as hall:
        game = await hall.seated()
        first, organiser = await hall.login("first"), await hall.login("Org", token=token)
        for wire in first, organiser:
            await wire.send("watch", game=game.id)
            await wire.expect("start")
            await wire.expect("snapshot", seat=None)  # no more than the public sees


async def test_s027_an_organiser_who_plays_watches_the_public_view_of_its_game(
    tmp_path, autojump_clock, path
):  # S027
    token = make_token(path, "Org", Role.ORGANISER)
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await hall.seated(wires=[await hall.login("Org", token=token), await hall.login("other")])
        await game.ready()
        second = await hall.login("Org's other eye")
        await second.send("watch", game=game.id)
        await second.expect("start")
        assert (await second.expect("snapshot"))["view"] == game.referee.game.view(None)


async def test_who_has_a_revoked_token_is_sent_away_and_its_seats_are_given_up(
    tmp_path, autojump_clock, path
):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        hall.nursery.start_soon(hall.server.keep_house)
        ada = await hall.login("Ada", token=token)
        game = await hall.seated(wires=[ada, await hall.login("other")])
        await game.ready()
        TokenFile(path).revoke("Ada", NOW)
        await trio.sleep(ROUND + 0.1)
        bye = await ada.until("bye", reason="refused")
        assert "revoked" in bye["text"]
        assert game.referee.seats[0].retired == "disconnect"
        thief = hall.connect()
        for proof in {"token": token}, {"resume": ada.key}, {}:
            await thief.send("hello", protocol="1.0", name="Ada", **proof)
            await thief.expect("error")
        (end,) = await game.play_on(dice(1), skip=[0])
        assert end["places"] == [2, 1]


async def test_name_without_a_token_is_taken_by_making_one_and_revoking_it(tmp_path, autojump_clock, path):
    make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        eve, bo = await hall.login("Eve"), await hall.login("Bo")
        make_token(path, "Bo")
        make_token(path, "Eve")
        TokenFile(path).revoke("Eve", NOW)
        hall.server.look_after()
        await eve.until("bye", reason="refused")
        await bo.silent(1)


async def test_a_new_token_counts_at_the_next_login(tmp_path, autojump_clock, path):
    make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path, only_tokens=True) as hall:
        token = make_token(path, "Bo")
        stranger = hall.connect()
        await stranger.send("hello", protocol="1.0", name="Bo")
        await stranger.expect("error", code="bad-token")
        await hall.login("Bo", token=token)


# Limits of connections


async def test_one_address_has_only_so_many_connections(tmp_path):
    async with listening(tmp_path, per_address=2) as (server, port):
        for name in "one", "two":
            await (await dial(port)).hello(name)
        third = await dial(port)
        error = await third.expect("error", code="server-full")
        assert "one address has 2 connections at most" in error["text"]
        assert "`per_address`" in error["text"]
        await third.expect("bye", reason="full")
        await third.hung_up()
        assert set(server.guests._of) == {"127.0.0.1"}


@pytest.mark.parametrize("what", ["open tables", "games"])
async def test_one_address_has_only_its_share_and_the_others_theirs(tmp_path, what):
    async with listening(tmp_path, tables=4, all_games=4) as (server, port):
        one, two, three = [await dial(port) for _ in range(3)]
        for name, wire in {"one": one, "two": two, "three": three}.items():
            await wire.hello(name)
        for _ in range(2):
            await one.send("join", wanted={"seats": 2})
            table = (await one.until("joined"))["table"]
            if what == "games":
                await two.send("join", table=table)
                await one.until("start")
        await three.send("join", wanted={"seats": 2})
        error = await three.expect("error", code="not-offered")
        assert f"your address has 2 of 4 {what}, and may have 2 (`share`)" in error["text"]
        other = await dial(port, "127.0.0.2")
        await other.hello("other")
        await other.send("join", wanted={"seats": 2})
        table = (await other.expect("joined"))["table"]
        if what == "games":
            await three.send("join", table=table)
            assert "`share`" in (await three.expect("error", code="not-offered"))["text"]
            for wire in one, two:
                await wire.send("bye")
                await wire.until("bye")
            while True:
                if not server.games:  # they are broken off, as nobody is left
                    break
                await trio.lowlevel.checkpoint()
            await three.send("join", table=table)
            await other.until("start")
            assert dict(server.games._of) == {"127.0.0.1": 1, "127.0.0.2": 1}


async def test_when_names_are_full_the_connection_ends_as_the_protocol_says(tmp_path, autojump_clock):
    async with open_hall(tmp_path, names=1) as hall:
        await hall.login("one")
        second = hall.connect()
        await second.send("hello", protocol="1.0", name="two")
        error = await second.expect("error", code="server-full")
        assert "`names`" in error["text"]
        await second.expect("bye", reason="full")


class _Peer:
    def __init__(self, address: str) -> None:
        self.address = address

    def getpeername(self):
        return (self.address, 1, 0, 0)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_who_has_a_whole_network_is_still_one_guest(address, origin):
    assert origin_of(_Peer(address)) == origin


# What the kernel does


async def test_the_kernel_finds_connections_that_lead_nowhere_and_keeps_little(tmp_path):
    async with listening(tmp_path, keepalive=60) as (server, port):
        await (await dial(port)).hello("one")
        sock = server.clients.named("one").connection._socket
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * KERNEL_BUFFER
        if sys.platform == "linux":
            tcp = [
                sock.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_{name}"))
                for name in ("KEEPIDLE", "KEEPINTVL", "KEEPCNT", "USER_TIMEOUT")
            ]
            idle, interval, count, unanswered = tcp
            assert idle + interval * count <= 60
            assert unanswered == 60_000


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not tell the round trip")
async def test_the_kernel_tells_the_round_trip_also_under_tls(tmp_path, files, trusting):
    async with listening(tmp_path, **files) as (server, port):
        wire = await over_tls(port, trusting)
        await wire.hello("one")
        await wire.send("ping")
        await wire.until("pong")
        assert 0 <= server.clients.named("one").connection.round_trip() < 30
        await trio.aclose_forcefully(wire.stream)
    assert round_trip(None) == UNKNOWN


# TLS, and the wrong port


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture
def files(authority, tmp_path):
    """The certificate of 127.0.0.1, as `cert` and `key`."""
    files = {"cert": tmp_path / "chain.pem", "key": tmp_path / "key.pem"}
    write(authority.issue_cert("127.0.0.1"), **files)
    return files


def write(issued, cert=None, key=None) -> None:
    if cert is not None:
        cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    if key is not None:
        key.write_bytes(issued.private_key_pem.bytes())


@pytest.fixture
def trusting(authority):
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


async def over_tls(port, context) -> Wire:
    return Wire(await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=context))


async def test_a_whole_game_over_tls_whose_certificate_is_checked(tmp_path, files, trusting):
    async with listening(tmp_path, **files) as (_, port):
        wires = [await over_tls(port, trusting) for _ in range(2)]
        for number, wire in enumerate(wires):
            await wire.hello(f"bot {number}")
        await wires[0].send("join", wanted={"seats": 2, "seed": 1})
        await wires[1].send("join", table=(await wires[0].until("joined"))["table"])
        async with trio.open_nursery() as nursery:
            for wire in wires:
                nursery.start_soon(wire.play, dice(1))
        assert wires[0].messages[-1]["reasons"] == ["normal", "normal"]
        for wire in wires:
            await trio.aclose_forcefully(wire.stream)


async def test_a_certificate_that_has_expired_is_renewed_under_the_running_server(
    tmp_path, authority, files, trusting
):
    write(
        authority.issue_cert(
            "127.0.0.1",
            not_before=datetime(2019, 1, 1, tzinfo=UTC),
            not_after=datetime(2020, 1, 1, tzinfo=UTC),
        ),
        **files,
    )
    renewed = authority.issue_cert("127.0.0.1")

    async def refusal() -> str:
        stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=trusting)
        try:
            await stream.do_handshake()
        except trio.BrokenResourceError as error:
            return str(error.__cause__)
        finally:
            await trio.aclose_forcefully(stream)
        return ""

    with capture_logs() as logs:
        async with listening(tmp_path, **files) as (server, port):
            assert "certificate has expired" in await refusal()
            write(renewed, cert=files["cert"])
            for _ in range(2):
                server.look_after()  # half of the pair is there
            assert "certificate has expired" in await refusal()
            write(renewed, key=files["key"])
            server.look_after()
            assert not await refusal()
    told = [log["event"] for log in logs if log["event"].startswith("certificate")]
    assert told == ["certificate-not-read", "certificate-read"]


async def test_who_does_not_trust_the_certificate_goes_and_nobody_suffers(tmp_path, files, trusting):
    async with listening(tmp_path, **files) as (_, port):
        stranger = await trio.open_ssl_over_tcp_stream(
            "127.0.0.1", port, ssl_context=ssl.create_default_context()
        )
        with pytest.raises(trio.BrokenResourceError):
            await stranger.do_handshake()
        await trio.aclose_forcefully(stranger)
        friend = await over_tls(port, trusting)
        await friend.hello("friend")
        await trio.aclose_forcefully(friend.stream)


async def test_a_plain_client_on_the_port_for_tls_is_told_so(tmp_path, files):
    async with listening(tmp_path, **files) as (_, port):
        plain = await dial(port)
        await plain.send("hello", protocol="1.0", name="plain")
        error = await plain.expect("error", code="version")
        assert "speaks TLS" in error["text"]
        await plain.expect("bye", reason="version")
        await plain.hung_up()


async def test_who_says_nothing_on_the_port_for_tls_is_sent_away(tmp_path, files):  # S011
    async with listening(tmp_path, hello=0.05, **files) as (server, port):
        silent = await dial(port)
        await silent.hung_up()
        await trio.testing.wait_all_tasks_blocked()
        assert not server.connections


async def test_a_client_of_tls_on_a_plain_port_gets_an_alert(tmp_path, trusting):
    async with listening(tmp_path) as (_, port):
        stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=trusting)
        with pytest.raises(trio.BrokenResourceError) as error:
            await stream.do_handshake()
        assert re.search("alert protocol version", str(error.value.__cause__))
        await trio.aclose_forcefully(stream)


@pytest.mark.parametrize("tls", [True, False])
async def test_a_browser_on_the_game_port_gets_a_page_that_says_what_it_is(tmp_path, files, tls):
    async with listening(tmp_path, **(files if tls else {})) as (_, port):
        stream = (await dial(port)).stream
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = b"".join([chunk async for chunk in stream])
        assert answer.startswith(b"HTTP/1.1 400 ")
        head, _, body = answer.partition(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}".encode() in head
        assert b"speaks no HTTP" in body


@pytest.mark.parametrize("first", [b"{", b" ", b"GET", b"\xff", b"GET / HTTP", b"POSTING"])
async def test_what_may_be_the_protocol_is_read_as_such(tmp_path, autojump_clock, first):
    async with open_hall(tmp_path) as hall:
        wire = hall.connect()
        await wire.send_bytes(first)
        await wire.silent(1)
        await wire.send_bytes(b"\n")
        if first.strip():
            await wire.expect("error")
        await wire.hello("late")


async def test_a_tls_greeting_in_pieces_is_at_worst_a_line_that_cannot_be_read(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        wire = hall.connect()
        await wire.send_bytes(b"\x16")
        await trio.testing.wait_all_tasks_blocked()
        await wire.send_bytes(b"\x03\x01\n")
        await wire.expect("error", code="not-json")
        whole = hall.connect()
        await whole.send_bytes(b"\x16\x03\x01\x00\xff\x01")
        assert await whole.stream.receive_some(100) == NO_TLS
        assert await whole.stream.receive_some(100) == b""
