"""The owner of a seat watches what that seat sees, proves to be it, and nobody else gets a byte more for it."""

from __future__ import annotations

import json

import pytest
import trio

from arena.picture import table
from arena.server.tokens import TokenFile
from tests.server.table import dice, make_token, open_hall
from tests.server.test_access import NOW
from tests.server.test_secrets import SLOW, asked_in_secret, drain, gapless, told_last

__all__ = ["asked_in_secret"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tokens"


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        yield hall


async def looker(hall, name: str, **proof: str):
    """A login beside the player of this name."""
    wire = hall.connect()
    await wire.hello(name, look=True, **proof)
    return wire


def told(wire) -> list[dict]:
    return [event for message in wire.messages if message["type"] == "events" for event in message["events"]]


async def test_owner_is_told_what_the_seat_is_told_and_what_it_is_asked(autojump_clock, hall):
    game = await hall.seated(3, seed=3, clock=SLOW)
    eye = await looker(hall, "player-1", resume=game[1].key)
    await eye.send("watch", game=game.id, seat=1)
    assert (await eye.expect("start"))["seat"] == 1
    first = await eye.expect("snapshot", seat=1)
    assert "asked" not in first  # nobody is ready: no clock runs
    assert len(first["view"]["hand"]) == 5
    await game.ready()
    await game.play_on(dice(1), end=False)
    await eye.until("end")
    assert told(eye) == told(game[1])
    gapless(eye, 1)


async def test_owner_who_comes_late_sees_the_open_request_with_its_clock(autojump_clock, hall):
    game = await hall.seated(2, seed=3, clock=SLOW)
    await game.ready()
    seat = next(seat for seat in game.referee.seats if seat.request is not None)
    request = await game[seat.number].until("request")
    await trio.sleep(3)
    eye = await looker(hall, seat.name, resume=game[seat.number].key)
    await eye.send("watch", game=game.id, seat=seat.number)
    snapshot = await eye.until("snapshot")
    assert snapshot["view"]["decision"]["options"] == request["options"]
    asked = snapshot["asked"]
    assert (asked["kind"], asked["seats"]) == (request["kind"], [seat.number])
    assert asked["age"] == pytest.approx(3)
    assert asked["clock"] == {"move": pytest.approx(17), "bank": 0}
    public = await hall.login("public")
    await public.send("watch", game=game.id)
    seen = await public.until("snapshot")
    assert "clock" not in seen["asked"]  # how long others have left is nobody's business
    assert "decision" not in seen["view"]


async def test_proof_of_one_seat_opens_no_other_and_none_without_it(tmp_path, autojump_clock, path):  # S027
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        wires = [await hall.login("Ada", token=token), await hall.login("Bo")]
        game = await hall.seated(wires=wires)
        for proof in (
            {},
            {"token": "wrong"},
            {"resume": wires[1].key},
            {"resume": "wrong"},
        ):
            thief = hall.connect()
            await thief.send("hello", protocol="1.0", name="Ada", look=True, **proof)
            await thief.expect("error")
        thief = hall.connect()
        await thief.send("hello", protocol="1.0", name="Bo", look=True, token=token)  # bound to no token
        await thief.expect("error", code="bad-token")
        spy = await hall.login("spy")
        ada = await looker(hall, "Ada", token=token)
        for wire, seat in (spy, 0), (ada, 1), (ada, 5), (wires[0], 0):
            await wire.send("watch", game=game.id, seat=seat)
            while (message := await wire.next())["type"] not in ("error", "snapshot"):
                pass
            assert message["code"] in ("not-seated", "already-watching")
        await ada.send("join", table="queue")
        await ada.expect("error", code="not-offered")
        await ada.send("watch", game=game.id, seat=0)
        await ada.until("snapshot", seat=0)


async def test_player_goes_on_undisturbed_beside_its_owner(tmp_path, autojump_clock, path):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path, only_tokens=False) as hall:
        player = await hall.login("Ada", token=token)
        game = await hall.seated(wires=[player, await hall.login("Bo")])
        eye = await looker(hall, "Ada", token=token)
        await eye.send("watch", game=game.id, seat=0)
        await eye.until("snapshot")
        await game.ready()
        await eye.send("bye")
        await eye.until("bye")
        (first, second) = await game.play_on(dice(1))
        assert first["reasons"] == second["reasons"] == ["normal", "normal"]
        resumed = await hall.login("Ada", resume=player.key)
        assert resumed.key == player.key


async def test_who_has_a_revoked_token_looks_no_more(tmp_path, autojump_clock, path):
    token = make_token(path, "Ada")
    async with open_hall(tmp_path, tokens=path) as hall:
        game = await hall.seated(wires=[await hall.login("Ada", token=token), await hall.login("Bo")])
        eye = await looker(hall, "Ada", token=token)
        await eye.send("watch", game=game.id, seat=0)
        TokenFile(path).revoke("Ada", NOW)
        hall.server.look_after()
        await eye.until("bye", reason="refused")


async def test_only_so_many_look_from_one_seat(autojump_clock, hall):
    game = await hall.seated(2)
    for number in range(hall.server.config.lookers + 1):
        eye = await looker(hall, "player-0", resume=game[0].key)
        await eye.send("watch", game=game.id, seat=0)
        if number < hall.server.config.lookers:
            await eye.until("snapshot")
    assert "(`lookers`)" in (await eye.expect("error", code="not-offered"))["text"]
    await eye.send("list")
    assert (await eye.expect("games"))["games"][0]["watchers"] == 0  # that an owner looks is told to nobody


async def test_others_get_the_same_bytes_whether_an_owner_looks_or_not(tmp_path, autojump_clock):  # S027
    runs = []
    for looks in (False, True):
        async with open_hall(tmp_path / str(looks)) as hall:
            game = await hall.seated(3, seed=5, clock=SLOW)
            watcher = await hall.login("watcher")
            await watcher.send("watch", game=game.id)
            if looks:
                eye = await looker(hall, "player-1", resume=game[1].key)
                await eye.send("watch", game=game.id, seat=1)
                await eye.until("snapshot")
            await game.ready()
            await game.play_on(lambda request: 7 * request["id"] % len(request["options"]), end=False)
            await watcher.until("end")
            changing = [game.id, *(wire.key for wire in game), watcher.key]
            runs.append([[cleaned(line, changing) for line in wire.lines] for wire in [*game.wires, watcher]])
    for without, beside in zip(*runs, strict=True):
        for one, other in zip(without, beside, strict=True):
            assert one == other


def cleaned(line: bytes, changing: list[str]) -> dict:
    """A line without what every server draws anew."""
    text = line.decode()
    for word in changing:
        text = text.replace(word, "-")
    message = json.loads(text)
    for field in ("commitment", "salt", "luck"):
        message.pop(field, None)
    return message


async def test_secret_question_is_told_to_the_owner_at_once_and_to_no_other_owner(
    autojump_clock, asked_in_secret
):
    hall, game, asked, watcher = asked_in_secret
    number = game.referee.audience.stream.number
    other = (asked + 1) % 3
    mine = await looker(hall, f"player-{asked}", resume=game[asked].key)
    theirs = await looker(hall, f"player-{other}", resume=game[other].key)
    for wire, seat in (mine, asked), (theirs, other):
        await wire.send("watch", game=game.id, seat=seat)
        await wire.expect("start")
    snapshot = await mine.expect("snapshot")
    assert snapshot["number"] >= number
    assert snapshot["asked"]["seats"] == [asked]
    await theirs.expect("snapshot", number=number, view=table(told_last(), other))
    await theirs.silent(5.0)
    await watcher.silent(1.0)
    request = await game[asked].until("request")
    await game[asked].move(request)
    await game.play_on(dice(1))
    await mine.until("end")
    await theirs.until("end")
    gapless(mine, snapshot["number"] + 1)
    (late,) = [message for message in theirs.messages if message["type"] == "snapshot"]
    gapless(theirs, late["number"] + 1)
    for wire, seat in (mine, asked), (theirs, other):
        await drain(game[seat])
        assert told(wire) == told(game[seat])[-len(told(wire)) :]


async def test_game_of_an_earlier_server_is_found_by_its_record(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        await game.play_on(dice(1))
        hall.server.data.forget(game.id)  # as some time after its end
    async with open_hall(tmp_path) as hall:
        late = await hall.login("late")
        await late.send("watch", game=game.id)
        error = await late.expect("error", code="no-such-game", game=game.id)
        assert f"/game/{game.id}" in error["text"]
        assert "arena replay" in error["text"]
