"""The owner of a seat in the browser: one proof, then a cookie, and not a byte more for anybody else."""

from __future__ import annotations

import json

import pytest
import trio.testing

from arena.server.tokens import TokenFile
from arena.web.owners import COOKIE, MAX_BODY
from tests.server.table import dice, make_token
from tests.server.test_access import NOW
from tests.web.harbour import open_harbour

JSON = {"content_type": "application/json"}


@pytest.fixture
async def harbour(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        yield harbour


async def log_in(harbour, name: str, proof: str, **headers: str):
    body = json.dumps({"name": name, "proof": proof}).encode()
    return await harbour.get("/api/owner", "POST", body, **(JSON | headers))


def cookie_of(answer) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


async def played(game, moves: int) -> None:
    for seed in range(moves):
        seat = next(seat for seat in game.referee.seats if seat.request is not None)
        choice = dice(seed)({"options": seat.request.texts})
        await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=choice)
        await trio.testing.wait_all_tasks_blocked()


async def start_of(harbour, game, view: str, **headers: str) -> dict:
    async with harbour.stream(game.id, view, **headers) as events:
        kind, _, about = await events.next()
        assert kind == "start"
        return about


async def test_owner_sees_the_seat_at_once_and_nobody_else_does(harbour):
    game = await harbour.hall.seated(3, seed=3)
    await game.ready()
    answer = await log_in(harbour, "player-1", game[1].key)
    assert (answer.status, answer.body) == (204, b"")
    cookie = cookie_of(answer)
    async with (
        harbour.stream(game.id, "seat-1", cookie=cookie) as mine,
        harbour.stream(game.id, "public", cookie=cookie) as public,
    ):
        _, _, about = await mine.next()
        assert about["views"] == ["public", "seat-1"]
        hand = game.referee.game.view(1)["hand"]
        _, _, told = await mine.next()
        assert told["moments"][0]["view"]["hand"] == hand
        await public.next()
        await public.next()
        assert b'"hand":[' not in public.raw
    for view in ("seat-1", "seat-0", "everything"):
        assert (await harbour.get(f"/api/games/{game.id}/stream?view={view}")).status == 403
    for view in ("seat-0", "everything"):
        assert (await harbour.get(f"/api/games/{game.id}/stream?view={view}", cookie=cookie)).status == 403
    assert (await start_of(harbour, game, "public"))["views"] == ["public"]
    assert (await harbour.get(f"/api/games/{game.id}", cookie=cookie)).json["views"] == ["public"]


async def test_cookie_can_be_read_and_used_by_no_other_and_tells_nothing(harbour):  # S071
    game = await harbour.hall.seated(2)
    answer = await log_in(harbour, "player-0", game[0].key)
    told = answer.headers["set-cookie"].lower()
    for rule in ("httponly", "samesite=strict", "path=/", "max-age="):
        assert rule in told
    assert "secure" not in told  # the pages of a test speak no TLS
    assert game[0].key not in str(answer)
    other = cookie_of(await log_in(harbour, "player-0", game[0].key))
    assert other != cookie_of(answer)


@pytest.mark.parametrize(
    ("name", "proof"), [("player-0", "wrong"), ("player-1", "of-0"), ("nobody", "of-0"), ("player-0", "a b")]
)
async def test_wrong_proof_is_refused_and_is_not_quoted(harbour, name, proof):  # S071
    game = await harbour.hall.seated(2)
    proof = game[0].key if proof == "of-0" else proof
    answer = await log_in(harbour, name, proof)
    assert answer.status in (400, 403)
    assert "set-cookie" not in answer.headers
    assert proof not in answer.json["error"] or proof == "wrong"


async def test_only_our_own_page_logs_in(harbour):
    game = await harbour.hall.seated(2)
    key = game[0].key
    for headers in (
        {"content_type": "text/plain"},
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ):
        assert (await log_in(harbour, "player-0", key, **headers)).status == 403
    assert (await log_in(harbour, "player-0", key, origin=harbour.url.rstrip("/"))).status == 204


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"name":"x"}',
        b'{"name":1,"proof":"x"}',
        b"x" * MAX_BODY,
        b"\xff",
        b"[" * MAX_BODY,
        b'{"name":"x","proof":"y","proof":"z"}',
        b'{"name":"x","proof":NaN}',
    ],
)
async def test_body_that_is_none_is_refused(harbour, body):  # S074, S075, S076
    answer = await harbour.get("/api/owner", "POST", body, **JSON)
    assert answer.status == 400
    assert (await harbour.get("/api/owner")).status == 405


async def test_who_logs_out_or_loses_the_token_sees_no_more(tmp_path):
    path = tmp_path / "tokens"
    token = make_token(path, "Ada")
    async with open_harbour(tmp_path, tokens=path) as harbour:
        hall = harbour.hall
        game = await hall.seated(wires=[await hall.login("Ada", token=token), await hall.login("Bo")], seed=3)
        await game.ready()
        first, second = [cookie_of(await log_in(harbour, "ada", token)) for _ in range(2)]
        out = await harbour.get("/api/owner", "DELETE", cookie=first, **JSON)
        assert cookie_of(out) == f'{COOKIE}=""'
        path_of_seat = f"/api/games/{game.id}/stream?view=seat-0"
        assert (await harbour.get(path_of_seat, cookie=first)).status == 403
        async with harbour.stream(game.id, "seat-0", cookie=second) as events:
            await events.next()
            await events.next()
            TokenFile(path).revoke("Ada", NOW)
            hall.server.look_after()  # the seat is retired, so there is something to tell
            told = await events.until("end")
            assert "holds no more" in told[-1][2]["problem"]
            assert len(told) == 1
        assert (await harbour.get(path_of_seat, cookie=second)).status == 403


async def test_who_logs_in_again_and_again_puts_nobody_else_out(harbour, monkeypatch):
    monkeypatch.setattr("arena.web.owners.SESSIONS", 4)
    monkeypatch.setattr("arena.web.owners.SESSIONS_OF_ONE", 2)
    game = await harbour.hall.seated(2)
    await game.ready()
    mine = cookie_of(await log_in(harbour, "player-0", game[0].key))
    theirs = [cookie_of(await log_in(harbour, "player-1", game[1].key)) for _ in range(5)]
    shown = [await views_of(harbour, game, cookie) for cookie in (mine, *theirs)]
    assert shown == [["public", "seat-0"], *[["public"]] * 3, *[["public", "seat-1"]] * 2]


async def test_stranger_who_logs_in_again_and_again_locks_nobody_else_out(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.web.owners.ADDRESSES", 2)
    async with open_harbour(tmp_path, web={"logins": 2, "all_logins": 6}) as harbour:
        game = await harbour.hall.seated(2)
        for status in (403, 403, 429, 429):
            refused = await log_in(harbour, "player-0", "wrong")
            assert refused.status == status
        assert "2 logins a minute come from your address (`http_logins`)" in refused.json["error"]
        harbour.address = "127.0.0.2"
        assert (await log_in(harbour, "player-0", game[0].key)).status == 204
        for number in range(3, 6):
            harbour.address = f"127.0.0.{number}"
            assert (await log_in(harbour, "player-0", "wrong")).status == 403
        harbour.address = "127.0.0.1"  # forgotten meanwhile, as only two are kept
        refused = await log_in(harbour, "player-0", "wrong")
        assert refused.status == 429
        assert "6 logins a minute come in all (`http_all_logins`)" in refused.json["error"]


async def views_of(harbour, game, cookie: str) -> list[str]:
    return (await start_of(harbour, game, "public", cookie=cookie))["views"]


async def test_key_opens_no_seat_of_another_who_had_the_name_before(harbour):
    hall = harbour.hall
    game = await hall.seated(3)
    await game.ready()
    await game[0].send("bye")
    await game[0].until("bye")
    newcomer = await hall.login("player-0")
    cookie = cookie_of(await log_in(harbour, "player-0", newcomer.key))
    assert (await harbour.get(f"/api/games/{game.id}/stream?view=seat-0", cookie=cookie)).status == 403
    eye = hall.connect()
    await eye.hello("player-0", look=True, resume=newcomer.key)
    await eye.send("watch", game=game.id, seat=0)
    await eye.expect("error", code="not-seated")


async def test_owner_is_not_behind_where_everything_is_shown_later(tmp_path):
    async with open_harbour(tmp_path, web={"reveal_after": 3600.0}) as harbour:
        game = await harbour.hall.seated(2, seed=3)
        await game.ready()
        cookie = cookie_of(await log_in(harbour, "player-0", game[0].key))
        await played(game, 6)
        number = game.referee.audience.stream.number
        async with harbour.stream(game.id, "seat-0", cookie=cookie) as mine:
            event = 0
            while event < number:
                kind, _, told = await mine.next()
                if kind == "moments" and told["moments"]:
                    event = told["moments"][-1]["event"]
        async with harbour.stream(game.id, "seat-0") as others:
            await others.next()
            _, _, told = await others.next()
            assert [moment["n"] for moment in told["moments"]] in ([], [0])
