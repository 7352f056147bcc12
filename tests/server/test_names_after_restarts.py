"""Who comes back by a resume key must still be allowed to bear the name, on the same server and on the next one."""

from __future__ import annotations

import hmac
import json
from datetime import UTC, datetime, timedelta

import pytest

from arena.server.clients import Client, Clients, Ownership, hash_of
from arena.server.clocks import SeatClock
from arena.server.config import Config
from arena.server.seatfiles import KeptSeat
from arena.server.seats import Seat
from arena.server.tokens import Role, TokenFile, Tokens, hashed
from protocol import PhaseError
from protocol.messages import Clock
from tests.server.table import make_token, open_hall

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOW = Clock(move=100.0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tokens"


async def seated_with(hall, name: str, token: str | None):
    """A game that has begun, of this player and two others."""
    proof = {"token": token} if token is not None else {}
    wires = [await hall.login(name, **proof), await hall.login("Bo"), await hall.login("Cy")]
    game = await hall.seated(wires=wires, clock=SLOW)
    await game.ready()
    return game


async def refused(hall, name: str, **proof: str) -> dict:
    """The error that a `hello` gets."""
    wire = hall.connect()
    await wire.send("hello", protocol="1.0", name=name, **proof)
    return await wire.expect("error")


def ended(monkeypatch) -> None:
    """From now on the time of every token that is bound to one is over."""
    monkeypatch.setattr("arena.server.tokens.Entry.ended", lambda entry, now: entry.ends is not None)


@pytest.mark.parametrize("what", ["revoked", "replaced", "taken out of the file"])
async def test_token_that_goes_while_the_server_is_down_takes_the_seats_with_it(
    tmp_path, autojump_clock, path, what
):  # S071
    old, new = make_token(path, "Ada"), ""
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", old)
    if what == "taken out of the file":
        path.write_bytes(b"")
    else:
        TokenFile(path).revoke("Ada", NOW)
    if what == "replaced":
        new = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        assert hall.server.games[game.id].seats[0].retired == "disconnect"
        assert (await refused(hall, "Ada", resume=game[0].key))["code"] == "bad-resume"
        if what == "revoked":
            assert (await refused(hall, "Ada", token=old))["code"] == "bad-token"
        else:
            await hall.login("Ada", **({"token": new} if new else {}))
        for wire in game[1:]:
            await (await hall.resume(wire)).until("snapshot", game=game.id)


async def test_game_that_waits_for_the_ready_of_a_revoked_name_is_not_played(tmp_path, autojump_clock, path):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await hall.seated(wires=[await hall.login("Ada", token=token), await hall.login("Bo")])
    TokenFile(path).revoke("Ada", NOW)
    async with open_hall(tmp_path, tokens=path) as hall:
        assert not hall.server.games
        back = await hall.resume(game[1])
        assert (await back.expect("end"))["reasons"] == ["refused", "aborted"]


@pytest.mark.parametrize("restarted", [True, False])
async def test_token_whose_time_is_over_is_refused_by_key_as_by_itself(
    tmp_path, autojump_clock, path, monkeypatch, restarted
):
    token = make_token(path, "Ada", ends=datetime.now(UTC) + timedelta(days=1))
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", token)
        proof = hall.server.clients.prove("Ada", None, game[0].key)
        assert hall.server.clients.holds(proof)
        ended(monkeypatch)
        assert not hall.server.clients.holds(proof)
        if not restarted:
            assert game.referee.seats[0].connection is not None  # nobody is sent away
            await game[0].drop()
            await check_ended(hall, game, token)
    if restarted:
        async with open_hall(tmp_path, tokens=path) as hall:
            await check_ended(hall, game, token)


async def check_ended(hall, game, token: str) -> None:
    for proof in {"resume": game[0].key}, {"token": token}, {"resume": game[0].key, "look": True}:
        error = await refused(hall, "Ada", **proof)
        assert error["code"] == "bad-token"
        assert "the token of Ada has ended on" in error["text"]
    assert hall.server.games[game.id].seats[0].connection is None


async def test_with_only_tokens_the_key_of_a_name_without_one_leads_nowhere(tmp_path, autojump_clock, path):
    make_token(path, "Org")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", None)
    async with open_hall(tmp_path, tokens=path, only_tokens=True) as hall:
        error = await refused(hall, "Ada", resume=game[0].key)
        assert (error["code"], "needs its token" in error["text"]) == ("bad-token", True)


@pytest.mark.parametrize("restarted", [True, False])
async def test_name_that_is_bound_while_somebody_plays_under_it_goes_over_to_the_owner(
    tmp_path, autojump_clock, path, restarted
):
    make_token(path, "Org")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", None)
        if not restarted:
            await game[0].drop()
            await check_taken_over(hall, game, make_token(path, "Ada"))
    if restarted:
        token = make_token(path, "Ada")
        async with open_hall(tmp_path, tokens=path) as hall:
            await check_taken_over(hall, game, token)
    async with open_hall(tmp_path, tokens=path) as hall:  # and stays theirs
        assert (await refused(hall, "Ada", resume=game[0].key))["code"] == "bad-resume"


async def check_taken_over(hall, game, token: str) -> None:
    assert (await refused(hall, "Ada", resume=game[0].key))["code"] == "bad-token"
    owner = await hall.login("Ada", token=token)
    await owner.until("snapshot", game=game.id)
    await owner.drop()
    assert (await refused(hall, "Ada", resume=game[0].key))["code"] == "bad-resume"
    await (await hall.resume(owner)).until("snapshot", game=game.id)


async def test_role_is_the_one_that_the_token_has_now(tmp_path, autojump_clock, path):
    token = make_token(path, "Org", Role.ORGANISER)
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Org", token)
    async with open_hall(tmp_path, tokens=path, seeds=False) as hall:
        back = await hall.resume(game[0])
        await back.send("join", wanted={"seats": 2, "seed": 7})
        await back.until("joined")


async def test_file_of_seats_of_an_older_release_takes_the_token_that_the_name_has(
    tmp_path, autojump_clock, path
):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", token)
    file = tmp_path / "seats" / f"{game.id}.json"
    kept = json.loads(file.read_text())
    for seat in kept["seats"]:
        del seat["token"]
    file.write_text(json.dumps(kept))
    async with open_hall(tmp_path, tokens=path) as hall:
        for wire in game:
            await (await hall.resume(wire)).until("snapshot", game=game.id)
    TokenFile(path).revoke("Ada", NOW)
    file.write_text(json.dumps(kept))
    async with open_hall(tmp_path, tokens=path) as hall:
        assert (await refused(hall, "Ada", resume=game[0].key))["code"] == "bad-resume"


async def test_who_has_a_token_that_still_holds_comes_back_by_key(tmp_path, autojump_clock, path):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await seated_with(hall, "Ada", token)
        assert token not in (tmp_path / "seats" / f"{game.id}.json").read_text()
    make_token(path, "Di")
    async with open_hall(tmp_path, tokens=path) as hall:
        await (await hall.resume(game[0])).until("snapshot", game=game.id)


# How secrets are compared

TOKEN, LENT, KEY = "the token", "the lent token", "the key"


def by_token(tokens: Tokens, name: str, secret: str) -> bool:
    try:
        return tokens.role_of(name, secret) is Role.PLAYER
    except PhaseError:
        return False


def by_key(clients: Clients, secret: str) -> bool:
    try:
        return clients.log_in("Bo", None, secret, None) is clients.named("Bo")
    except PhaseError:
        return False


def look_by_key(clients: Clients, secret: str) -> bool:
    try:
        return clients.prove("Bo", None, secret).name == "bo"
    except PhaseError:
        return False


DOORS = {
    "the token of a login": lambda clients, secret: by_token(clients.tokens, "Ada", secret),
    "a lent token of a login": lambda clients, secret: by_token(clients.tokens, "bot", secret),
    "the token of a proof": lambda clients, secret: clients.holds(Ownership("ada", token=hashed(secret))),
    "a lent token of a proof": lambda clients, secret: clients.holds(Ownership("bot", token=hashed(secret))),
    "the token of an earlier server": lambda clients, secret: not clients.tokens.took("Ada", hashed(secret)),
    "the key of a login": by_key,
    "the key of a look": look_by_key,
    "the key of a proof": lambda clients, secret: clients.holds(Ownership("bo", resume=hash_of(secret))),
    "the key of a seat": lambda clients, secret: Ownership("bo", resume=hash_of(secret)).owns(
        seat_of(clients.named("Bo"))
    ),
    "the key of an earlier server": lambda clients, secret: (
        clients.expect(KeptSeat(name="Bo", key=hash_of(secret), token=None, views=True, samples=False))
        is not None
    ),
}
"""By what is asked for: whether a secret opens it."""


def seat_of(client: Client) -> Seat:
    return Seat(0, client.name, client, SeatClock(SLOW), "")


@pytest.mark.parametrize("door", DOORS)
def test_secrets_are_compared_in_a_time_that_tells_nothing(path, monkeypatch, door):
    """Whoever decides is `compare_digest`: if that lies, the right secret is refused and a wrong one taken."""
    monkeypatch.setattr("arena.server.tokens.secrets.token_urlsafe", lambda size: TOKEN)
    make_token(path, "Ada")
    clients = Clients(Config(tokens=path))
    clients.tokens.lend("bot", LENT)
    clients.expect(KeptSeat(name="Bo", key=hash_of(KEY), token=None, views=True, samples=False))
    right = LENT if "lent" in door else KEY if "key" in door else TOKEN
    opens = DOORS[door]
    assert opens(clients, right)
    assert not opens(clients, "wrong")
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: False)
    assert not opens(clients, right)
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: True)
    assert opens(clients, "wrong")
