"""Peers that vanish without a word, at every phase: found in the time of `keepalive`, at nobody else's cost."""

from __future__ import annotations

import socket

import pytest
import trio

from arena.server.config import Offer
from protocol import EndReason
from protocol.messages import Clock
from tests.server.lines import Line
from tests.server.table import dial, dice, listening, open_hall
from tests.server.test_clocks_of_seats import first_request
from tests.server.test_watchers import play_some

KEEPALIVE = 40  # seconds
RESUME = 30.0
MOVE = Clock(move=1000.0)  # no clock runs out before the line is found to be dead


SETTINGS = {"keepalive": KEEPALIVE, "resume": RESUME, "ready": 60.0, "hello": 10.0, "offer": Offer(seats=2)}
TCP_REPAIR = 19  # of linux/tcp.h
OWN_TASKS = 2  # of a server that nobody is connected to


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, **SETTINGS) as hall:
        yield hall


class Ghost:
    """A client whose line can be cut; then it reads and sends nothing any more, and does not end the connection."""

    def __init__(self, hall):
        self.hall = hall
        self.line = Line(KEEPALIVE)
        self.wire = hall.connect(self.line.pair)

    async def login(self, name="ghost"):
        await self.wire.hello(name)
        return self

    async def vanish(self):
        """Cut the line; returns when that is."""
        await trio.testing.wait_all_tasks_blocked()
        await self.line.cut(self.hall.nursery)
        return trio.current_time()

    async def game(self, seats=2, ghost=0, **more):
        """A game in which the ghost has this seat."""
        others = [await self.hall.login(f"player-{number}") for number in range(1, seats)]
        return await self.hall.seated(wires=[*others[:ghost], self.wire, *others[ghost:]], **more)


async def until(moment):
    """Just after a moment of trio's clock, when all that follows from it has been done."""
    await trio.sleep_until(moment + 0.001)
    await trio.testing.wait_all_tasks_blocked()


async def nothing_is_left(hall, *names):
    """Only these are connected and remembered; no other has a task, a seat, a place, or a line that waits."""
    await trio.sleep(KEEPALIVE + RESUME + 1)
    server = hall.server
    assert sorted(each.client.name for each in server.connections.values()) == sorted(names)
    assert len(server.clients) == len(names)
    assert all(each.waiting == 0 for each in server.connections.values())
    assert not server.games
    assert not server.lobby.queue
    assert len(hall.nursery.child_tasks) == OWN_TASKS + len(names)


async def test_before_hello_it_has_the_time_of_hello(autojump_clock, hall):
    ghost = Ghost(hall)
    began = await ghost.vanish()
    await until(began + hall.config.hello + 1)
    await nothing_is_left(hall)


async def test_after_hello_its_name_is_free_when_it_is_found(autojump_clock, hall):
    ghost = await Ghost(hall).login()
    began = await ghost.vanish()
    await until(began + KEEPALIVE - 1)
    assert not hall.server.clients.is_free("ghost")
    await until(began + KEEPALIVE)
    await nothing_is_left(hall)


async def test_at_a_table_that_waits_its_place_is_given_up(autojump_clock, hall):
    ghost = await Ghost(hall).login()
    await ghost.wire.send("join", wanted={"seats": 3})
    table = (await ghost.wire.until("joined"))["table"]
    other = await hall.login("other")
    await other.send("join", table=table)
    await other.expect("joined", players=["ghost", "other"])
    began = await ghost.vanish()
    await until(began + KEEPALIVE)
    await other.expect("joined", players=["other"])
    await other.send("leave", table=table)
    await other.expect("left")
    await nothing_is_left(hall, "other")


@pytest.mark.parametrize("found", [True, False])
async def test_in_the_queue_it_costs_nobody_a_game_that_counts(autojump_clock, hall, found):
    """Before it is found it may be seated: then the game does not begin, and the other joins again."""
    ghost = await Ghost(hall).login()
    await ghost.wire.send("join", table="queue")
    began = await ghost.vanish()
    if found:
        await until(began + KEEPALIVE)
    other = await hall.login("other")
    await other.send("join", table="queue")
    if not found:
        game = (await other.until("start"))["game"]
        await other.send("ready", game=game)
        end = await other.until("end")
        assert (end["places"], sorted(end["reasons"])) == ([], ["aborted", "refused"])
        await other.send("join", table="queue")
    await other.until("joined", table="queue")
    await other.silent(90)
    await other.send("leave", table="queue")
    await other.until("left")
    await nothing_is_left(hall, "other")


async def test_before_ready_the_game_does_not_begin_and_nobody_loses(autojump_clock, hall):
    ghost = await Ghost(hall).login()
    game = await ghost.game()
    began = await ghost.vanish()
    await game[1].send("ready", game=game.id)
    end = await game[1].until("end")
    assert end["reasons"] == ["refused", "aborted"]
    assert trio.current_time() - began <= 60.0
    await nothing_is_left(hall, "player-1")


def asked(game):
    return {seat.number for seat in game.referee.seats if seat.request is not None}


PHASES = {
    "asked": lambda game: asked(game) == {0},
    "while another is asked": lambda game: asked(game) == {1},
    "in a simultaneous bid": lambda game: len(asked(game)) > 1 and 0 in asked(game),
}


async def play_to(game, phase):
    """Play until the game, of which seat 0 is the ghost's, is in this phase."""
    choose = dice(5)
    while not PHASES[phase](game):
        wire, request = await first_request(game)
        await wire.move(request, choose(request))
        await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("phase", PHASES)
async def test_in_a_game_its_seat_is_held_and_given_up_in_time_and_nobody_else_is_charged(
    autojump_clock, hall, phase
):
    ghost = await Ghost(hall).login()
    game = await ghost.game(3, clock=MOVE, seed=2)
    await game.ready()
    await play_to(game, phase)
    record, before = game.referee, game.record.choices
    began = await ghost.vanish()
    ends = await game.play_on(dice(1), skip=[0])
    assert trio.current_time() - began == pytest.approx(KEEPALIVE + RESUME, abs=0.1)
    assert [end["reasons"] for end in ends] == [["disconnect", "normal", "normal"]] * 2
    assert record.seats[0].absence == 0
    new = game.record.choices[len(before) :]
    assert {choice.fault for choice in new if choice.seat == 0} == {EndReason.DISCONNECT}
    assert all(choice.fault is None and choice.spent < 0.1 for choice in new if choice.seat != 0)
    await nothing_is_left(hall, "player-1", "player-2")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("after", [10, KEEPALIVE + 20])
async def test_in_a_game_it_may_come_back_before_it_is_found_and_after(autojump_clock, hall, phase, after):
    ghost = await Ghost(hall).login()
    game = await ghost.game(3, clock=MOVE, seed=2)
    await game.ready()
    await play_to(game, phase)
    open_request = game.referee.seats[0].request
    began = await ghost.vanish()
    await until(began + after)
    game.wires[0] = back = await hall.resume(ghost.wire)
    await back.until("snapshot", game=game.id)
    if open_request is not None:
        again = await back.until("request", id=open_request.id)
        assert again["clock"]["move"] == pytest.approx(MOVE.move - min(after, KEEPALIVE), abs=0.1)
        await back.move(again)
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal"] * 3
    await nothing_is_left(hall, "ghost", "player-1", "player-2")


async def test_a_watcher_is_counted_no_more_when_it_is_found(autojump_clock, hall):  # S031
    ghost = await Ghost(hall).login()
    game = await hall.seated(clock=MOVE)
    await game.ready()
    await ghost.wire.send("watch", game=game.id)
    began = await ghost.vanish()
    assert len(game.referee.audience.stream) == 1
    await play_some(game, 10)
    assert trio.current_time() == pytest.approx(began, abs=0.1)
    await until(began + KEEPALIVE)
    assert len(game.referee.audience.stream) == 0
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal"] * 2
    await nothing_is_left(hall, "player-0", "player-1")


@pytest.mark.parametrize("comes", [True, False])
async def test_at_the_end_of_its_game_it_hears_of_it_if_it_comes_back(autojump_clock, hall, comes):  # S022
    ghost = await Ghost(hall).login()
    game = await ghost.game()
    await game.ready()
    began = await ghost.vanish()
    game.referee.abort()
    if comes:
        await until(began + KEEPALIVE + RESUME - 1)
        back = await hall.resume(ghost.wire)
        await back.expect("end", game=game.id, why="aborted")
        await back.drop()
    await nothing_is_left(hall, "player-1")


async def test_after_its_game_it_is_forgotten(autojump_clock, hall):
    ghost = await Ghost(hall).login()
    game = await ghost.game()
    await game.ready()
    await game.play_on()
    await ghost.wire.send("ping")
    began = await ghost.vanish()
    await until(began + KEEPALIVE)
    assert hall.server.clients.named("ghost") is None
    await nothing_is_left(hall, "player-1")


async def test_a_machine_that_forgets_its_connections_is_found_by_the_kernel(tmp_path):
    """As after a power cut: it sends no word at its end, and the table that waits for it is told in `keepalive`."""
    async with listening(tmp_path, keepalive=2) as (_, port):
        ghost, other = await dial(port), await dial(port)
        await ghost.hello("ghost")
        await ghost.send("join", wanted={"seats": 3})
        table = (await ghost.until("joined"))["table"]
        await other.hello("other")
        await other.send("join", table=table)
        for wire in ghost, other:
            await wire.until(
                "joined", players=["ghost", "other"]
            )  # so that nothing more is sent to the ghost
        try:
            ghost.stream.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
        except PermissionError:
            pytest.skip("only an administrator of the network can close a connection without a word")
        await trio.aclose_forcefully(ghost.stream)
        await other.expect("joined", players=["other"])
